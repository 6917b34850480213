package thesis

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/vote"
)

// errorsOf are the medians of 4 splits, by system.
func errorsOf(t *testing.T, table Table, epsilon float64) (map[string]float64, float64) {
	t.Helper()
	found := map[string]float64{}
	exact, zero, err := Regression(
		t.Context(), table, []float64{epsilon}, 4, func(e Errors) { found[e.System] = e.Median() })
	require.NoError(t, err)
	assert.Less(t, exact, zero)
	t.Logf("%s, ε = %g: %v, least squares %.4f", table.Name, epsilon, found, exact)
	return found, exact
}

// published opens a table of the published data, or skips.
func published(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(filepath.Join(learntest.DataFolder(), name))
	if err != nil {
		t.Skipf("the published data are absent: %v", err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// ptr.md §9: what each system loses against least squares is as it was for independent code, or
// at most a tenth more, at every ε, but for what 8 splits say no more of than twice their
// median's standard error, by the quartiles of the errors here.
func TestRegressionIsAsElsewhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		splits int
		of     func(t *testing.T) Table
	}{
		{"made up, 5,000 × 10", 16, func(*testing.T) Table {
			return MadeUp("made up, 5,000 × 10", 5000, Even(10))
		}},
		{"made up, 20,000 × 20, uneven", 8, func(*testing.T) Table {
			return MadeUp("made up, 20,000 × 20, uneven", 20_000, Uneven(20))
		}},
		{"Adult, education", 8, func(t *testing.T) Table {
			table, err := Adult(published(t, "adult.train.csv"), published(t, "adult.test.csv"))
			require.NoError(t, err)
			assert.Equal(t, [2]int{45222, 9}, [2]int{table.Records(), table.Columns()})
			return table
		}},
		{"tumours, malignant", 16, func(t *testing.T) Table {
			table, err := Tumours(published(t, "breast_cancer.csv"))
			require.NoError(t, err)
			assert.Equal(t, [2]int{569, 31}, [2]int{table.Records(), table.Columns()})
			return table
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			epsilons := []float64{0.1, 0.3, 1, 3, 10}
			if testing.Short() {
				epsilons, c.splits = []float64{0.1, 0.3, 1}, 8
				if strings.HasPrefix(c.name, "Adult") || strings.Contains(c.name, "uneven") {
					t.Skip("seconds natively, more in a page")
				}
			}
			table, there := c.of(t), Elsewhere[c.name]
			require.Equal(t, c.name, table.Name)
			var all []Errors
			exact, _, err := Regression(t.Context(), table, epsilons, c.splits,
				func(e Errors) { all = append(all, e) })
			require.NoError(t, err)
			require.Len(t, all, len(Systems())*len(epsilons))
			for i, e := range all {
				sorted := slices.Sorted(slices.Values(e.Errors))
				quartiles := sorted[c.splits*3/4] - sorted[c.splits/4]
				deviation := 0.93 * quartiles * math.Sqrt(1./8+1/float64(c.splits))
				excess := there.Errors[e.System][i%len(epsilons)] - there.LeastSquares
				t.Logf("%s, ε = %g: %.4f above, elsewhere %.4f, ± %.4f",
					e.System, e.Epsilon, e.Median()-exact, excess, deviation)
				assert.LessOrEqual(t, e.Median()-exact, 1.1*excess+2*deviation,
					"%s, ε = %g", e.System, e.Epsilon)
			}
		})
	}
}

// Where columns are told apart well the test pays, and one release of the moments is ahead of all.
func TestRegressionOfManyRecords(t *testing.T) {
	found, exact := errorsOf(t, MadeUp("made up, 3,000 × 6", 3000, Even(6)), 1)
	assert.Less(t, found["posterior sample, tested"], found["posterior sample, no test"])
	for name, other := range found {
		assert.GreaterOrEqual(t, other, found["AdaSSP in one release"], name)
		assert.Greater(t, other, exact, name)
	}
}

// Independent code had 0.446 for the test, 1.993 for noise alone, and 0.110 for what these votes
// cost, with other votes drawn in the same way.
func TestTeachersThatAgree(t *testing.T) {
	nativetest.Only(t)
	found, err := Label(High.Votes(), 40)
	require.NoError(t, err)
	assert.InDelta(t, 1.993, found.Gaussian, 0.001)
	assert.InDelta(t, 0.446, found.Tested, 0.02)
	assert.InDelta(t, 0.110, found.TwoTails, 0.02)
	assert.GreaterOrEqual(t, found.Papernot, found.TwoTails)
	assert.Greater(t, found.Right, 0.999)
}

// A test pays for wide gaps and small errors only, and the best vote is below both everywhere.
func TestVotes(t *testing.T) {
	for _, c := range []struct{ wrong, laplace float64 }{
		{1e-8, 0.2}, {1e-12, 0.3}, {1e-17, 0.4}, {1e-25, 0.6},
	} {
		found, err := Price(c.wrong)
		require.NoError(t, err)
		assert.InDelta(t, c.laplace, found.Laplace, 0.02, "as independent code has it")
		assert.Less(t, found.Best, 0.11)
		assert.Less(t, found.Best, math.Min(found.Laplace, found.Tested))
		assert.Equal(t, c.wrong < 1e-15, found.Tested < found.Laplace, "%g", c.wrong)
	}
}

// What worst rests on, and that it is the largest.
func TestTheWorstGap(t *testing.T) {
	for _, size := range []float64{0.05, 0.2, 0.6} {
		counts := vote.Laplace{Epsilon: size}
		for _, epsilon := range []float64{0, 0.01, 0.1, 0.19} {
			for _, least := range []float64{1, 20, 60} {
				largest := math.Inf(-1)
				for gap := least; gap <= 4*Gap; gap++ {
					delta := counts.LogDelta(gap, epsilon)
					assert.LessOrEqual(t, delta, math.Ln2+counts.LogWrong(gap-1))
					largest = math.Max(largest, delta)
				}
				if found := worst(counts, least, epsilon); largest > math.Log(VoteDelta)-25 {
					assert.InDelta(t, largest, found, 1e-12, "%g %g %g", size, epsilon, least)
				}
			}
		}
	}
}
