package bounds

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

func histogram(t testing.TB, text string, columns ...string) *data.Histogram {
	t.Helper()
	c, err := data.NewCounter(columns, Binning, nil, data.ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, c.Write([]byte(text)))
	h, err := c.Close()
	require.NoError(t, err)
	return h
}

// column is the text of a file with one column.
func column(name string, n int, value func(i int) string) string {
	var b strings.Builder
	b.WriteString(name + ",other\n")
	for i := range n {
		b.WriteString(value(i) + ",1\n")
	}
	return b.String()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Bins divide the line: every number is in one, between its ends, and each edge
// is the decimal that people write.
func TestBinsDivideTheLine(t *testing.T) {
	require.Equal(t, 425, bins)
	require.Equal(t, 1e-6, edges[0])
	require.Equal(t, 1e15, edges[len(edges)-1])
	for i, decimal := range []string{"1e-06", "1.2e-06", "1.5e-06", "2e-06", "2.5e-06", "3e-06", "4e-06", "5e-06", "6e-06", "8e-06", "1e-05"} {
		assert.Equal(t, decimal, number(edges[i]))
	}
	for _, x := range []float64{0.012, 0.25, 1, 1.2, 15, 120, 250, 80000, 2.5e6, 1e15} {
		assert.Contains(t, edges, x, "people write %v", x)
	}
	for j := range bins {
		lo, hi := lower(j), upper(j)
		if j > 0 && j < bins-1 {
			require.Equal(t, hi, lower(j+1))
		}
		switch {
		case j == 0 || j == bins-1:
			require.Equal(t, lo, hi, "an outermost bin has no bound of its own")
		case j == magnitudes:
			require.Zero(t, lo)
			require.Zero(t, hi)
			require.False(t, math.Signbit(lo) || math.Signbit(hi))
		default:
			require.Less(t, lo, hi)
		}
	}
	source := randomtest.New(1)
	for range 100_000 {
		word, _ := source.Uint64()
		x := math.Float64frombits(word)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		for _, x := range []float64{
			x, edges[word%uint64(len(edges))], -edges[word%uint64(len(edges))],
			math.Copysign(math.Exp(40*math.Sin(float64(word))), x), 0,
		} {
			j := Binning.Bin(x)
			require.True(t, j >= 0 && j < bins)
			switch {
			case j == 0:
				require.Less(t, x, -1e15)
			case j == bins-1:
				require.Greater(t, x, 1e15)
			case x > 0:
				require.True(t, lower(j) < x && x <= upper(j), "%v", x)
			case x < 0:
				require.True(t, lower(j) <= x && x < upper(j), "%v", x)
			default:
				require.Equal(t, magnitudes, j)
			}
		}
	}
}

// What one record changes, over values of all kinds: at most one count a column
// if it is added, two if it takes another's place, each by 1, and what its event
// says.
func TestOneRecordChangesNoMoreThanTheEventSays(t *testing.T) {
	values := []string{"", "?", "NA", "0", "-0", "17", "1e-300", "-1e300", "1e300", "120", "-0.25"}
	of := func(a, b string) [][]int64 { return histogram(t, "x,y\n5,6\n"+a+","+b+"\n", "x", "y").Counts }
	base := histogram(t, "x,y\n5,6\n", "x", "y").Counts
	changes := func(a, b [][]int64) int {
		total := 0
		for k := range a {
			for j := range a[k] {
				d := a[k][j] - b[k][j]
				require.True(t, d >= -1 && d <= 1)
				total += int(d * d)
			}
		}
		return total
	}
	for adjacency, n := range learntest.MostChanged(values, base, of, changes) {
		event, err := Plan{Adjacency: adjacency, Columns: 2, Epsilon: 1}.Event()
		require.NoError(t, err)
		require.Equal(t, adjacency, event.Neighbours())
		part := event.(privacy.Composition).Parts[0]
		assert.Equal(t, part.Count, n, "%v", adjacency)
		assert.Equal(t, 1, part.Event.(privacy.DiscreteLaplace).Sensitivity)
	}
}

// Scales and thresholds; the latter from sums of the noise's masses in mpmath
// (40 digits), up to the first T whose tail, times kB, is at most 0.01.
func TestScalesAndThresholds(t *testing.T) {
	for _, c := range []struct {
		plan  Plan
		scale float64
		seen  int64
	}{
		{Plan{privacy.AddRemove, 1, 0.1, 0}, 10, 101},
		{Plan{privacy.AddRemove, 1, 0.5, 0}, 2, 21},
		{Plan{privacy.AddRemove, 14, 0.5, 0}, 28, 354},
		{Plan{privacy.ReplaceOne, 3, 1, 0}, 6, 67},
		{Plan{privacy.AddRemove, 1, 8, 0}, 1, 11},
		{Plan{privacy.AddRemove, 1, 0.3, 0}, 4, 41},
	} {
		assert.Equal(t, c.scale, c.plan.scale(), "%v", c.plan)
		assert.Equal(t, c.seen, c.plan.Threshold(), "%v", c.plan)
		event, err := c.plan.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Distribution, pld.Options{})
		require.NoError(t, err)
		interval, err := price.Certified.Epsilon(1e-12)
		require.NoError(t, err)
		assert.LessOrEqual(t, interval.Lower, c.plan.Spent(), "%v", c.plan)
		assert.LessOrEqual(t, c.plan.Spent(), c.plan.Epsilon)
		assert.LessOrEqual(t, float64(c.plan.changes())/c.scale, c.plan.Spent())
	}
}

// With noise too small to matter the bounds are the ends of the outermost bins
// with records, and a share is set aside.
func TestBoundsOfKnownColumns(t *testing.T) {
	cases := []struct {
		name     string
		n        int
		value    func(i int) string
		share    float64
		found    bool
		min, max float64
	}{
		{"ages", 5000, func(i int) string { return strconv.Itoa(17 + i%74) }, 0, true, 15, 100},
		{
			"pressures",
			5000,
			func(i int) string { return strconv.Itoa(88 + i%127) },
			0,
			true,
			80,
			250,
		},
		{
			"doses",
			5000,
			func(i int) string { return number([]float64{0, 50, 100, 200, 400}[i%5]) },
			0,
			true,
			0,
			400,
		},
		{
			"changes",
			5000,
			func(i int) string { return number(float64(i%21)/2 - 5) },
			0,
			true,
			-5,
			5,
		},
		{
			"below zero",
			5000,
			func(i int) string { return number(-20 - float64(i%10)) },
			0,
			true,
			-30,
			-15,
		},
		{"zeros", 5000, func(i int) string { return "0" }, 0, true, 0, 1e-6},
		{"constant", 5000, func(i int) string { return "37" }, 0, true, 30, 40},
		{"missing", 5000, func(i int) string { return "?" }, 0, false, 0, 0},
		{"a few records", 5, func(i int) string { return "37" }, 0, false, 0, 0},
		{
			"half missing",
			5000,
			func(i int) string { return []string{"", "37"}[i%2] },
			0,
			true,
			30,
			40,
		},
		{"huge", 5000, func(i int) string { return "1e300" }, 0, false, 0, 0},
		{
			"huge and not",
			5000,
			func(i int) string { return []string{"1e300", "-1e300", "3"}[i%3] },
			0,
			true,
			-1e15,
			1e15,
		},
		{"tiny", 5000, func(i int) string { return "1e-300" }, 0, true, 0, 1e-6},
		{
			"a typing error",
			5000,
			func(i int) string { return []string{"40", "4000"}[(i+1)/5000] },
			0,
			true,
			30,
			40,
		},
		{
			"an outlying share",
			5000,
			func(i int) string { return []string{"40", "4000"}[(i%100)/99] },
			0,
			true,
			30,
			4000,
		},
		{
			"an outlying share, set aside",
			5000,
			func(i int) string { return []string{"40", "4000"}[(i%100)/99] },
			0.03,
			true,
			30,
			40,
		},
		{
			"a larger one",
			5000,
			func(i int) string { return []string{"40", "4000"}[(i%100)/99] },
			0.019,
			true,
			30,
			4000,
		},
	}
	for _, c := range cases {
		h := histogram(t, column("x", c.n, c.value), "x")
		got, err := Run(h, Plan{privacy.AddRemove, 1, 2, c.share}, randomtest.New(3))
		require.NoError(t, err)
		assert.Equal(t, Bounds{"x", c.found, c.min, c.max}, got.Bounds[0], c.name)
	}
	none := histogram(t, "x,y\n", "y", "x")
	got, err := Run(none, Plan{privacy.ReplaceOne, 2, 0.5, 0.01}, randomtest.New(4))
	require.NoError(t, err)
	assert.Equal(t, []Bounds{{Column: "y"}, {Column: "x"}}, got.Bounds)
}

// The package's second theorem, counted: of many releases of a column with no
// record in most bins and 2T − 1 in two, at most a share Failure goes wrong (4000
// runs; five standard deviations of the true rate are added). With half the
// threshold nearly all do.
func TestHowOftenBoundsAreWrong(t *testing.T) {
	plan := Plan{privacy.AddRemove, 1, 0.5, 0}
	threshold := plan.Threshold()
	counts := make([]int64, bins)
	low, high := bin(17), bin(90)
	counts[low], counts[high] = 2*threshold-1, 2*threshold-1
	source := randomtest.New(5)
	const runs = 4000
	wrong, halved := 0, 0
	for range runs {
		got, err := noisy(counts, uint64(plan.scale()), source)
		require.NoError(t, err)
		if find("x", got, threshold, 0) != (Bounds{"x", true, 15, 100}) {
			wrong++
		}
		if find("x", got, threshold/2, 0) != (Bounds{"x", true, 15, 100}) {
			halved++
		}
	}
	most := Failure*runs + 5*math.Sqrt(Failure*runs)
	assert.Less(t, float64(wrong), most)
	assert.Greater(t, float64(halved), most)
}

func TestPlansThatCannotBeCarriedOut(t *testing.T) {
	for field, plan := range map[string]Plan{
		"adjacency": {Columns: 1, Epsilon: 1},
		"columns":   {Adjacency: privacy.AddRemove, Epsilon: 1},
		"epsilon":   {Adjacency: privacy.AddRemove, Columns: 1},
		"share":     {Adjacency: privacy.AddRemove, Columns: 1, Epsilon: 1, Share: 1},
	} {
		_, err := plan.Event()
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, field, wrong.Field)
		_, err = Run(histogram(t, "x\n1\n", "x"), plan, randomtest.New(1))
		require.ErrorAs(t, err, &wrong)
	}
	for _, plan := range []Plan{
		{privacy.AddRemove, 1, math.NaN(), 0}, {privacy.AddRemove, 1, math.Inf(1), 0}, {privacy.AddRemove, 1, 1e-300, 0},
		{privacy.AddRemove, MaxColumns + 1, 1, 0}, {privacy.AddRemove, -1, 1, 0}, {privacy.AddRemove, 1, 1, math.NaN()}, {privacy.AddRemove, 1, 1, -0.1},
	} {
		_, err := plan.Event()
		assert.Error(t, err, "%v", plan)
	}
	_, err := Run(
		histogram(t, "x,y\n1,2\n", "x", "y"), Plan{privacy.AddRemove, 1, 1, 0}, randomtest.New(1),
	)
	assert.ErrorContains(t, err, "columns")
}

func TestASourceThatFailsReleasesNothing(t *testing.T) {
	got, err := Run(histogram(t, "x\n1\n", "x"), Plan{privacy.AddRemove, 1, 1, 0}, stuck{})
	assert.Nil(t, got)
	assert.ErrorIs(t, err, random.ErrStuck)
}

type stuck struct{}

func (stuck) Uint64() (uint64, error) { return 0, random.ErrStuck }
