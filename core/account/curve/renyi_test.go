package curve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/account/golden"
)

func gaussianRenyi(mu float64) func(float64) float64 {
	return func(alpha float64) float64 { return alpha * mu * mu / 2 }
}

// Values from mpmath at 40 digits, minimised over real orders: zCDP with the
// stated ρ is the Gaussian mechanism with μ = √(2ρ).
func TestEpsilonFromRenyiAgainstIndependentValues(t *testing.T) {
	for _, c := range []struct{ rho, delta, epsilon float64 }{
		{1e-8, 1e-8, 0.0005363418040645846},
		{1e-8, 1e-6, 0.0003455881788010126},
		{0.046808999999999996, 1e-6, 1.42021350706647},
		{4.845016, 1e-6, 20.14651315586884},
	} {
		got := EpsilonFromRenyi(gaussianRenyi(math.Sqrt(2*c.rho)), math.Log(c.delta))
		assert.InEpsilon(t, c.epsilon, got, 1e-10)
		assert.GreaterOrEqual(t, got, c.epsilon*(1-1e-12), "the infimum is not beaten")
	}
}

func TestConversionAtOneOrderReference(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			Orders, RDP    []float64
			Delta, Epsilon float64
		}
		Expected map[string]float64
	}
	near := func(id string, want, got float64) {
		assert.LessOrEqual(
			t, math.Abs(want-got), 1e-11+1e-12*math.Abs(want), "%s: got %v, want %v", id, got, want,
		)
	}
	for _, c := range golden.Cases[one](t, "I") {
		improved, classic := math.Inf(1), math.Inf(1)
		for i, alpha := range c.Params.Orders {
			if c.Kind == "epsilon" {
				improved = math.Min(
					improved, EpsilonAtOrder(alpha, c.Params.RDP[i], math.Log(c.Params.Delta)),
				)
				classic = math.Min(
					classic,
					ClassicEpsilonAtOrder(alpha, c.Params.RDP[i], math.Log(c.Params.Delta)),
				)
			} else {
				improved = math.Min(
					improved, LogDeltaAtOrder(alpha, c.Params.RDP[i], c.Params.Epsilon),
				)
				classic = math.Min(
					classic, ClassicLogDeltaAtOrder(alpha, c.Params.RDP[i], c.Params.Epsilon),
				)
			}
		}
		if c.Kind == "epsilon" {
			near(c.ID, c.Expected["epsilon_improved"], improved)
			near(c.ID, c.Expected["epsilon_classic"], classic)
		} else {
			near(c.ID, c.Expected["log_delta_improved"], improved)
			near(c.ID, c.Expected["log_delta_classic"], classic)
		}
	}
}

// δ → ε → δ comes back, and classic is never sharper.
func TestConversionsInvertEachOther(t *testing.T) {
	for _, mu := range []float64{0.01, 0.5, 3} {
		for _, epsilon := range []float64{0.5, 2, 20} {
			r := gaussianRenyi(mu)
			logDelta := LogDeltaFromRenyi(r, epsilon)
			if logDelta > -1 || logDelta < -600 {
				continue
			}
			assert.InEpsilon(t, epsilon, EpsilonFromRenyi(r, logDelta), 1e-8)
			for _, alpha := range []float64{1.5, 4, 64} {
				assert.LessOrEqual(
					t, LogDeltaAtOrder(alpha, r(alpha), epsilon),
					ClassicLogDeltaAtOrder(alpha, r(alpha), epsilon)+1e-12,
				)
			}
		}
	}
}

func TestNoOrderMeansNoBound(t *testing.T) {
	none := func(float64) float64 { return math.Inf(1) }
	assert.Equal(t, math.Inf(1), EpsilonFromRenyi(none, -10))
	assert.Equal(t, 0.0, LogDeltaFromRenyi(none, 1), "log δ = 0: nothing is promised")
	broken := func(float64) float64 { return math.NaN() }
	assert.Equal(t, math.Inf(1), EpsilonFromRenyi(broken, -10))
}
