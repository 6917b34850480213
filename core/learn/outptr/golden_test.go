package outptr

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Golden values Q, glm_radius: r and what a record moves the eigenvalue by.
func TestGoldenRadius(t *testing.T) {
	for _, c := range []struct{ lambda, low, radius, replaced float64 }{
		{0.5, 3, 0.33647223662121295, 0.8472978603872036},
		{2, 0, 0.5, 1},
		{0.5, 0.4, 2, 4},
	} {
		p := Plan{Adjacency: privacy.AddRemove, RowNorm: 1, Lambda: c.lambda}
		assert.InEpsilon(t, c.radius, p.Radius(c.low), 1e-12)
		assert.GreaterOrEqual(t, p.Radius(c.low), c.radius)
		assert.Equal(t, 1.25, p.Moves())
		p.Adjacency = privacy.ReplaceOne
		assert.InEpsilon(t, c.replaced, p.Radius(c.low), 1e-12)
		assert.Equal(t, 2.25, p.Moves())
	}
}

// Golden values Q, glm_record (Q-v0164): forty records, the minimiser, the smallest eigenvalue
// with the last record and without it, and r.
func TestGoldenRecord(t *testing.T) {
	x := [][]float64{
		{0.669591, -0.363563},
		{0.36662, -0.483408},
		{0.712407, 0.280962},
		{-0.199787, -0.476271},
		{-0.58548, -0.110106},
		{0.088377, -0.813932},
		{-0.728207, 0.000911},
		{-0.037867, 0.613583},
		{-0.214279, 0.678851},
		{-0.199104, 0.554698},
		{0.836113, -0.373168},
		{0.530074, 0.147028},
		{0.544701, -0.139418},
		{0.586698, 0.475876},
		{0.205858, 0.764838},
		{0.952232, 0.228739},
		{-0.201924, 0.65681},
		{-0.256461, 0.569871},
		{0.09205, -0.531182},
		{0.68308, 0.060719},
		{0.76092, -0.236784},
		{0.201523, 0.562895},
		{-0.039714, -0.971968},
		{-0.473657, -0.401944},
		{0.04572, 0.908619},
		{-0.293912, 0.512739},
		{-0.751075, -0.233167},
		{-0.282863, 0.487836},
		{0.351091, 0.506012},
		{0.626401, 0.531261},
		{0.323547, 0.736546},
		{-0.64164, 0.431792},
		{-0.225527, 0.701228},
		{-0.894281, -0.056409},
		{-0.566927, 0.74979},
		{0.58272, 0.480985},
		{-0.468778, -0.406611},
		{-0.466114, -0.665964},
		{-0.504412, 0.319201},
		{0.281255, -0.705829},
	}
	y := []float64{
		-1, -1, 1, -1, 1, -1, 1, -1, 1, 1, -1, -1, -1, -1, 1, -1, 1, 1, 1, -1, -1, -1, 1, 1, 1, 1,
		1, 1, -1, -1, -1, 1, 1, 1, 1, -1, 1, -1, 1, -1,
	}
	const last = 39
	problem := func(n int) learn.Problem {
		return learntest.Problem(learntest.Schema(2, 0), x[:n], y[:n])
	}
	plan := Plan{Adjacency: privacy.AddRemove, Dimension: 2, RowNorm: 1, Lambda: 0.5}
	whole, least := minimum(t, plan, problem(len(x)))
	other, without := minimum(t, plan, problem(last))
	e := struct {
		theta                            [2]float64
		distance, least, without, radius float64
	}{
		[2]float64{
			-2.8422326848363793, 0.8834194671859249,
		}, 0.06883219293041803, 1.1845639720932388, 1.1791329574478315, 0.9004799405322658,
	}
	assert.InDeltaSlice(t, e.theta[:], whole, 1e-5)
	assert.InDelta(t, e.least, least, 1e-5)
	assert.InDelta(t, e.without, without, 1e-5)
	assert.InDelta(t, e.distance, apart(whole, other), 1e-5)
	assert.InDelta(t, e.radius, plan.Radius(least), 1e-4)
}

// Golden values Q, glm_record: all three tables of the file, from the data.
func TestReferenceRecords(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			X      [][]float64
			Y      []float64
			Lambda float64
			Record int
		}
		Expected struct {
			Distance, Radius float64
			Theta            []float64
			Least            float64 `json:"lambda_min"`
			Without          float64 `json:"lambda_min_without"`
		}
	}
	cases := golden.OfKind[one](t, "Q", "glm_record")
	for _, c := range cases {
		x, y := c.Params.X, c.Params.Y
		problem := func(x [][]float64, y []float64) learn.Problem {
			return learntest.Problem(learntest.Schema(len(x[0]), 0), x, y)
		}
		p := Plan{
			Adjacency: privacy.AddRemove, Dimension: len(x[0]), RowNorm: 1,
			Lambda: c.Params.Lambda,
		}
		k := c.Params.Record
		exact := func(problem learn.Problem) ([]float64, float64) {
			rows, err := parts(problem, 1)
			require.NoError(t, err)
			solved, err := solve.Newton(t.Context(), solve.NewObjective(p.Lambda, nil, rows...),
				solve.Options{Tolerance: 1e-11})
			require.NoError(t, err)
			least, err := leastEigenvalue(rows, solved.Theta)
			require.NoError(t, err)
			return solved.Theta, least
		}
		whole, least := exact(problem(x, y))
		other, without := exact(problem(
			slices.Delete(slices.Clone(x), k, k+1), slices.Delete(slices.Clone(y), k, k+1)))
		assert.InDeltaSlice(t, c.Expected.Theta, whole, 1e-8, c.ID)
		assert.InDelta(t, c.Expected.Least, least, 1e-8, c.ID)
		assert.InDelta(t, c.Expected.Without, without, 1e-8, c.ID)
		assert.InDelta(t, c.Expected.Distance, apart(whole, other), 1e-8, c.ID)
		assert.InEpsilon(t, c.Expected.Radius, p.Radius(c.Expected.Least), 1e-8, c.ID)
	}
	assert.Len(t, cases, 3)
}

// minimum is the minimiser and the smallest eigenvalue there.
func minimum(t testing.TB, p Plan, problem learn.Problem) ([]float64, float64) {
	t.Helper()
	parts, err := parts(problem, p.RowNorm)
	require.NoError(t, err)
	solved, err := minimise(t.Context(), p, parts, nil)
	require.NoError(t, err)
	least, err := leastEigenvalue(parts, solved.Theta)
	require.NoError(t, err)
	return solved.Theta, least
}

func apart(a, b []float64) float64 {
	off := make([]float64, len(a))
	for j := range a {
		off[j] = a[j] - b[j]
	}
	return learntest.Length(off)
}
