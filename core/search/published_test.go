package search

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// The Gaussian mechanisms of Neel, Roth, Vietri & Wu 2019 ("How to use heuristics for
// differential privacy") are not as private as its theorems say. These tests run them, as
// published, on the data sets of nonconvex §3; nothing else in this project uses them.

// parityRun is one run on the parity class: W = {−1, 1}^d, the loss is 1 on the odd w
// under Z, and on the even ones under Z'. What is added is linear, −Σ y_j w_j: without
// the loss sign(y) wins, and the cheapest w of the other parity turns the least |y_j|.
// It says whether the output is even.
func parityRun(y []float64, penaltyOdd bool) bool {
	even, cheapest := true, math.Inf(1)
	for _, v := range y {
		if v < 0 {
			even = !even
		}
		cheapest = math.Min(cheapest, 2*math.Abs(v))
	}
	if penalised := even != penaltyOdd; penalised && cheapest < 1 {
		return !even
	}
	return even
}

// At d = 200, ε = 0.5 and δ = 1e-6 the published OPDisc gives an even w with
// probability 0.676 on Z and 0.324 on Z': δ(0.5) is at least 0.142. At d = 1000 and
// ε = 1 the published RSPM has δ(1) ≥ 0.295.
func TestReferencePublishedGaussianTheoremsAreFalse(t *testing.T) {
	draws := testLong(t, 20_000, 400_000)
	violated := 0
	for i, c := range referencesO(t, "published-violation") {
		var params struct {
			Mechanism      string
			D              int
			Epsilon, Delta float64
		}
		var want struct {
			Sigma     float64
			P         float64
			Neighbour float64 `json:"p_neighbour"`
			Delta     float64 `json:"delta_at_epsilon"`
			Violated  bool
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		d := float64(params.D)
		// Published noise, of y for each coordinate of the perturbation −Σ y_j w_j. OPDisc, with
		// τ = 2, D = √d and G = 1/τ, takes it of w/D; RSPM has a separator for each coordinate,
		// worth η where w_j = 1, and so η/2 for each sign.
		var sigma, scale float64
		switch params.Mechanism {
		case "opdisc":
			sigma, scale = 7*0.5*d*math.Sqrt(
				math.Log(1/params.Delta),
			)/(2*params.Epsilon), 1/math.Sqrt(d)
		case "rspm":
			sigma, scale = 7*math.Sqrt(d*math.Log(1/params.Delta))/params.Epsilon, 0.5
		default:
			t.Fatal(params.Mechanism)
		}
		assert.InEpsilon(t, want.Sigma, sigma, 1e-9, c.ID)
		// r = Pr[2 min|y_j| > 1] in closed form.
		r := math.Pow(math.Erfc(0.5/(math.Sqrt2*sigma*scale)), d)
		assert.InEpsilon(t, want.P, 1-r/2, 1e-9, c.ID)
		assert.InEpsilon(t, want.Neighbour, r/2, 1e-9, c.ID)
		delta := math.Max(0, 1-(1+math.Exp(params.Epsilon))*r/2)
		assert.InDelta(t, want.Delta, delta, 1e-9, c.ID)
		assert.Equal(t, want.Violated, delta > params.Delta, c.ID)
		if !want.Violated {
			continue
		}
		violated++
		if params.D > 200 && !long() {
			continue
		}
		src := randomtest.New(uint64(400 + i))
		y := make([]float64, params.D)
		for side, p := range []float64{want.P, want.Neighbour} {
			even := 0
			for range draws {
				require.NoError(t, random.Gaussian(src, y, sigma*scale))
				if parityRun(y, side == 0) {
					even++
				}
			}
			error4 := 4 * math.Sqrt(p*(1-p)/float64(draws))
			assert.InDelta(t, p, float64(even)/float64(draws), error4, "%s side %d", c.ID, side)
		}
	}
	assert.GreaterOrEqual(t, violated, 2)
}

// The paper's experiment takes −Σ η_i w_i over {−1, 0, 1}^d for a separator set, and it
// is none: 0 lies between −1 and 1. On Z below w₂ = 0 wins where |η₂| < 1, and on Z', one
// record replaced, never: so δ(ε) is at least the probability of the first, whatever ε is.
func TestReferencePublishedExperimentIsNotPrivate(t *testing.T) {
	draws := testLong(t, 200_000, 2_000_000)
	for i, c := range referencesO(t, "published-experiment") {
		var params struct {
			D, N           int
			Epsilon, Delta float64
		}
		var want struct {
			Sigma     float64
			Zero      float64 `json:"p_zero"`
			Neighbour float64 `json:"p_zero_neighbour"`
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		sigma := 7 * math.Sqrt(float64(params.D)*math.Log(1/params.Delta)) / params.Epsilon
		assert.InEpsilon(t, want.Sigma, sigma, 1e-9, c.ID)
		assert.InEpsilon(t, want.Zero, math.Erf(1/(math.Sqrt2*sigma)), 1e-9, c.ID)

		// Rows of two coordinates, all labelled +: which is right iff the score is above 0.
		// n − 2 of (1, 0) make w₁ = 1; the other coordinates have no row and no say.
		type row struct{ a, b int }
		run := func(rows []row, eta [2]float64) (w2 int) {
			best := math.Inf(1)
			for u := -1; u <= 1; u++ {
				for v := -1; v <= 1; v++ {
					value := -eta[0]*float64(u) - eta[1]*float64(v)
					if u <= 0 {
						value += float64(params.N - 2)
					}
					for _, r := range rows {
						if r.a*u+r.b*v <= 0 {
							value++
						}
					}
					if value < best {
						best, w2 = value, v
					}
				}
			}
			return w2
		}
		src := randomtest.New(uint64(420 + i))
		eta := make([]float64, 2)
		zero, zeroThere := 0, 0
		for range draws {
			require.NoError(t, random.Gaussian(src, eta, sigma))
			if run([]row{{1, 1}, {1, -1}}, [2]float64(eta)) == 0 {
				zero++
			}
			if run([]row{{1, 1}, {0, 1}}, [2]float64(eta)) == 0 {
				zeroThere++
			}
		}
		p := want.Zero
		assert.InDelta(t, p, float64(zero)/float64(draws), 4*math.Sqrt(p/float64(draws)), c.ID)
		assert.Zero(t, zeroThere, c.ID)
		assert.Zero(t, want.Neighbour, c.ID)
	}
}

// What is said in nonconvex §6.1 of an oracle that is only within α of the least: the price
// of a tolerance is a δ that is not small, which is why there is none here.
func TestReferenceOracleTolerance(t *testing.T) {
	for _, c := range referencesO(t, "oracle-tolerance") {
		var params struct {
			Epsilon float64
			Gap     float64 `json:"absolute_gap"`
			Span    float64
		}
		var want struct {
			Variation float64 `json:"total_variation"`
			Delta     float64
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		variation := -math.Expm1(-params.Epsilon * params.Gap / params.Span)
		assert.InEpsilon(t, want.Variation, variation, 1e-9)
		assert.InEpsilon(t, want.Delta, (1+math.Exp(params.Epsilon))*variation, 1e-9)
	}
}
