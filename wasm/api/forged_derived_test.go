package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/derived"
	"cloister/core/learn"
	"cloister/core/random/randomtest"
	"cloister/core/report"
)

// solves returns how far θ is from solving (A + λI)θ = b, relative to what goes into it, by the
// moments as they stand in the file. Where noise took an eigenvalue of A below 0 that is not what
// is solved, and it says false.
func solves(m *learn.Moments, ridge float64, theta []float64) (off float64, known bool) {
	size := 0.0
	for i := range m.Columns() {
		sum := ridge*theta[i] - m.Vector[i]
		size = math.Max(size, math.Abs(m.Vector[i]))
		for j, t := range theta {
			a := m.Matrix.Row(max(i, j))[min(i, j)]
			sum += a * t
			size = math.Max(size, math.Abs(a*t))
		}
		off = math.Hypot(off, sum)
	}
	return off / size, positive(m)
}

// positive is whether the matrix has no eigenvalue below 0, by elimination.
func positive(m *learn.Moments) bool {
	a := make([][]float64, m.Columns())
	for i := range a {
		a[i] = slices.Clone(m.Matrix.Row(i))
	}
	for i := range a {
		for j := range i + 1 {
			for k := range j {
				a[i][j] -= a[i][k] * a[j][k]
			}
			switch {
			case i == j && !(a[i][i] > 0):
				return false
			case i == j:
				a[i][i] = math.Sqrt(a[i][i])
			default:
				a[i][j] /= a[j][j]
			}
		}
	}
	return true
}

func numbersIn(list any) (out []float64) {
	for _, x := range list.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

// largest is no less than any eigenvalue of the matrix.
func largest(m *learn.Moments) (sum float64) {
	for _, x := range m.Matrix.At {
		sum = math.Hypot(sum, math.Sqrt2*x)
	}
	return sum
}

// momentsOf are those of the columns that a derived model names, and of its target.
func momentsOf(t *testing.T, r *learn.Release, of *derived.Model) *learn.Moments {
	t.Helper()
	var chosen []int
	for _, c := range of.Regression.Columns {
		chosen = append(chosen, slices.IndexFunc(r.Model.Columns, func(o data.Column) bool {
			return o.Name == c.Name
		}))
	}
	if of.Label {
		return r.Model.Moments.Keep(chosen...)
	}
	target := slices.IndexFunc(r.Model.Columns, func(o data.Column) bool {
		return o.Name == of.Target
	})
	return r.Model.Moments.Of(target, chosen...)
}

// Models computed from released moments, of which the document, or the release that it names, or
// both are changed in several fields that fit each other, are believed only if they are what those
// moments come to: the coefficients solve their equations, no standard error is below that of the
// noise alone, and the release may be true.
func TestDerivedModelsChangedTogetherAreFoundOut(t *testing.T) {
	tries := 400
	if testing.Short() {
		tries = 100
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		tries = 15000
	}
	source := randomtest.New(14)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	tried, believed, solved := 0, 0, 0
	for _, name := range []string{"v4-suffstats", "v4-suffstats-indicators"} {
		path := filepath.Join(filesFolder, "releases", name+".json")
		for range tries {
			says := name
			tree := read(t, path)
			r, err := learn.ReleaseFromTree(tree)
			require.NoError(t, err)
			if number(3) == 0 { // another release, which says its own
				moments := tree["model"].(map[string]any)["moments"].(map[string]any)
				grid := moments["grid"].(float64)
				for range 1 + number(3) {
					list := moments[[]string{"matrix", "vector"}[number(2)]].([]any)
					k, by := number(len(list)), math.Exp2(float64(number(41)-20)/4)
					list[k] = math.Round(list[k].(float64)*by/grid) * grid
					says += fmt.Sprintf("; moment %d by %g", k, by)
				}
				if number(2) == 0 {
					moments["ridge"] = moments["ridge"].(float64) * math.Exp2(float64(number(21)-14))
				}
				if r, err = learn.ReleaseFromTree(tree); err != nil {
					continue
				}
				spectrum, err := r.Model.Moments.Spectrum()
				require.NoError(t, err)
				r.Model.Coefficients = spectrum.Coefficients(r.Model.Moments.Ridge)
			}
			columns := r.Model.Columns
			q := learn.Question{NoIntercept: number(4) == 0}
			if number(2) == 0 {
				q.Target = columns[number(len(columns)-1)].Name
			}
			if number(2) == 0 {
				q.Columns = []string{}
				for _, c := range columns {
					if !c.Intercept && c.Name != q.Target && number(2) == 0 {
						q.Columns = append(q.Columns, c.Name)
					}
				}
			}
			if number(2) == 0 {
				q.Ridge = math.Exp2(float64(number(40) - 20))
			}
			m, err := derived.Of(r, q)
			if err != nil {
				continue
			}
			var document map[string]any
			text, err := json.Marshal(m.Tree())
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &document))
			changed := false
			forgeNumber := func(list []any) {
				k, by := number(len(list)), math.Exp2(-float64(number(30)))
				x := list[k].(float64)
				list[k] = []float64{x * (1 + by), x * (1 - by), -x, 0, x * by}[number(5)]
				changed = changed || list[k] != x
			}
			for range number(4) {
				names := []string{"coefficients", "errors", "original", "columns", "ridge", "target",
					"label", "records", "r_squared", "intercept", "intercept_error", "version"}
				field := names[number(len(names))]
				says += "; " + field
				switch value := document[field].(type) {
				case []any:
					if len(value) == 0 {
						break
					}
					switch value[0].(type) {
					case float64:
						forgeNumber(value)
					case string:
						k := number(len(value))
						value[k], value[0] = value[0], value[k]
						changed = changed || k > 0
					default:
						one := value[number(len(value))].(map[string]any)
						if x, is := one["error"].(float64); is && number(2) == 0 {
							one["error"], changed = x/2, true
						} else if x := one["coefficient"].(float64); x != 0 {
							one["coefficient"], changed = -x, true
						}
					}
				case float64:
					list := []any{value}
					forgeNumber(list)
					document[field] = list[0]
				case bool:
					document[field], changed = !value, true
				case string:
					document[field] = columns[0].Name
					changed = changed || value != columns[0].Name
				}
			}
			if changed && number(2) == 0 { // and what follows from the numbers follows from them
				regression := m.Regression
				regression.Coefficients = numbersIn(document["coefficients"])
				if regression.StandardErrors != nil && document["errors"] != nil {
					regression.StandardErrors = numbersIn(document["errors"])
				}
				again := *m
				again.Regression = regression
				again.Units = regression.InUnits(&r.Schema.Label)
				text, err := json.Marshal(again.Tree())
				require.NoError(t, err)
				var other map[string]any
				require.NoError(t, json.Unmarshal(text, &other))
				for _, name := range []string{"original", "original_constant", "intercept", "intercept_error"} {
					if x, is := other[name]; is {
						document[name] = x
					}
				}
			}
			tried++
			text, err = json.Marshal(document)
			require.NoError(t, err)
			got, err := derived.Check(r, text)
			if !changed {
				require.NoError(t, err, says)
			}
			if err != nil {
				continue
			}
			believed++
			require.Empty(t, unfit(r), says)
			own, err := report.Fingerprint(r)
			require.NoError(t, err)
			require.Equal(t, own, document["release"], says)
			moments, ridge := momentsOf(t, r, got), document["ridge"].(float64)
			theta := numbersIn(document["coefficients"])
			require.Len(t, theta, moments.Columns(), says)
			if off, known := solves(moments, ridge, theta); known {
				solved++
				require.Less(t, off, 1e-5, says)
			}
			if errors, is := document["errors"]; is {
				for j, e := range numbersIn(errors) {
					// The noise of b alone, in the direction in which it is shrunk most.
					least := moments.VectorSigma / (largest(moments) + ridge)
					require.GreaterOrEqual(t, e, least*(1-1e-4), "%s: error %d", says, j)
				}
			}
		}
	}
	t.Logf("%d forgeries, of which %d may be true, and %d solve equations", tried, believed, solved)
	assert.Greater(t, believed, tried/20)
	assert.Greater(t, solved, believed/10)
	assert.Less(t, believed, tried*9/10)
}
