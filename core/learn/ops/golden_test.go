package ops

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/golden"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
)

// Golden values Q, log_radius_sensitivity: what one record moves log(1 + R‖θ_λ‖) by, and what
// it would where none may leave, which the choice does not use.
func TestGoldenRadiusMoves(t *testing.T) {
	for _, c := range []struct{ norm, lambda, low, added, both float64 }{
		{2, 0.5, 100, 0.03902934390573525, 0.040614719154190196},
		{1, 0.1, 1000, 0.000999400442967655, 0.0010004002434974516},
	} {
		choice, ok := Plan{RowNorm: c.norm, Order: 4, Renyi: 1}.Choose(c.lambda, c.low)
		require.True(t, ok)
		assert.InEpsilon(t, c.both, choice.Moves, 1e-12)
		assert.GreaterOrEqual(t, choice.Moves, c.both)
		assert.InEpsilon(t, c.added, math.Log1p(c.norm*c.norm/(c.lambda+c.low)), 1e-12)
		assert.Less(t, c.added, choice.Moves)
	}
}

// Golden values Q, ops_pipeline_approx: the same pipeline with the sample priced as
// (ε_B, δ_B)-DP, for comparison. The tests and the failure leave ε_B, the shift is the largest
// that has it, and it is smaller than the one of Rényi's divergence at the same leverage.
func TestGoldenPipelineByEpsilonAndDelta(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta, lambda, mu, low, moves, high float64
		failure, release, x, a, gamma                float64
	}{
		{2, 1e-8, 5, 0.1, 4940.385438440866, 0.00020222915492322405, 1.0120558024052222,
			2.5e-9, 1.279134705978131, 0.00020220870798601907, 0.23610505639429075,
			36.420862049862926},
		{1, 1e-6, 40, 0.05, 0, 0.0246926125903715, 2.9471424071795536,
			2.5e-7, 0.7211192738272018, 0.025, 0.11063751424223596, 0.0013489922076517667},
		{0.2, 1e-5, 2, 0.02, 19764.593514212323, 5.0591686187967995e-05, 0.6119096110553471,
			2.5e-6, 0.1137458966451203, 5.059040644919383e-05, 0.03289567668892454,
			6.290882094299172},
	} {
		gaussian := privacy.Gaussian{
			Adjacency: privacy.AddRemove, Sensitivity: math.Sqrt2 * c.mu, Sigma: 1,
		}
		price, err := account.Of(privacy.ProposeTestRelease{
			Test: gaussian, Failure: c.failure, Release: privacy.ApproximateDP{
				Adjacency: privacy.AddRemove, Epsilon: c.release, Delta: c.failure,
			},
		}, account.Closed, pld.Options{})
		require.NoError(t, err)
		assert.InDelta(t, math.Log(c.delta), price.LogDeltaUpper(c.epsilon), 1e-7)
		shift, ok := posterior.Shift(c.release, c.failure, c.x)
		require.True(t, ok)
		assert.InEpsilon(t, c.a, shift, 1e-8)
		assert.InEpsilon(t, c.gamma, shift*shift/c.x*math.Exp(-2*c.high), 2e-8)
		alpha, r, ok := posterior.OrderBudget(c.epsilon, c.delta-c.failure, math.Sqrt2*c.mu)
		require.True(t, ok)
		p := Plan{RowNorm: 1, Order: alpha, Renyi: r}
		choice, ok := p.Choose(c.lambda, c.low)
		require.True(t, ok)
		assert.InEpsilon(t, c.x, choice.Leverage, 1e-8)
		assert.InEpsilon(t, c.moves, choice.Moves, 1e-8)
		assert.Greater(t, choice.Shift, shift)
	}
}

// Golden values Q, ops_record: from the data themselves, the ridge's solution, the smallest
// eigenvalue, and one record's leverage and residual with it in the data and without.
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
			Theta              []float64
			Least              float64 `json:"lambda_min"`
			Leverage, Residual float64
			LeverageWithout    float64 `json:"leverage_without"`
			ResidualWithout    float64 `json:"residual_without"`
		}
	}
	cases := golden.OfKind[one](t, "Q", "ops_record")
	for _, c := range cases {
		x, y := c.Params.X, c.Params.Y
		norm := 0.0
		for _, row := range x {
			norm = math.Max(norm, learntest.Length(row)*(1+1e-9))
		}
		d, e := len(x[0]), c.Expected
		fit := func(x [][]float64, y []float64) (theta []float64, least float64) {
			p := problemOf(learntest.Problem(learntest.Schema(d, 0), x, y))
			solved, err := solution(t.Context(), p, norm, c.Params.Lambda, 1e-9, y, nil)
			require.NoError(t, err)
			least, err = leastEigenvalue(p, norm)
			require.NoError(t, err)
			return solved.Theta, least
		}
		// xᵀH⁻¹x, by the solution for labels 0 and the linear term −x.
		leverage := func(x [][]float64, of []float64) float64 {
			p := problemOf(learntest.Problem(
				learntest.Schema(d, 0), x, make([]float64, len(x))))
			minus := make([]float64, d)
			for j, v := range of {
				minus[j] = -v
			}
			solved, err := solution(
				t.Context(), p, norm, c.Params.Lambda, 1e-9, make([]float64, len(x)), minus)
			require.NoError(t, err)
			return learntest.Dot(of, solved.Theta)
		}
		k := c.Params.Record
		record, label := x[k], y[k]
		theta, least := fit(x, y)
		assert.InDeltaSlice(t, e.Theta, theta, 1e-8, c.ID)
		assert.InDelta(t, e.Least, least, 1e-8, c.ID)
		assert.InDelta(t, e.Leverage, leverage(x, record), 1e-8, c.ID)
		assert.InDelta(t, e.Residual, label-learntest.Dot(record, theta), 1e-8, c.ID)
		others := slices.Delete(slices.Clone(x), k, k+1)
		labels := slices.Delete(slices.Clone(y), k, k+1)
		theta, _ = fit(others, labels)
		assert.InDelta(t, e.LeverageWithout, leverage(others, record), 1e-8, c.ID)
		assert.InDelta(t, e.ResidualWithout, label-learntest.Dot(record, theta), 1e-8, c.ID)
	}
	assert.Len(t, cases, 5)
}
