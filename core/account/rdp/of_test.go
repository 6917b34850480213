package rdp

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

func logistic() privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 2, Sigma: 4, Dimension: 3,
	}
}

// every is one event of each mechanism.
func every() []privacy.Event {
	const add = privacy.AddRemove
	gauss := privacy.Gaussian{Adjacency: add, Sensitivity: 1, Sigma: 2}
	return []privacy.Event{
		gauss,
		privacy.DiscreteGaussian{Adjacency: add, Sensitivity: 1, Sigma: 2},
		privacy.Laplace{Adjacency: add, Sensitivity: 1, Scale: 2},
		privacy.DiscreteLaplace{Adjacency: add, Sensitivity: 2, Scale: 5},
		privacy.RandomisedResponse{Adjacency: add, Categories: 4, Truth: 0.6},
		privacy.PureDP{Adjacency: add, Epsilon: 0.3},
		privacy.ApproximateDP{Adjacency: add, Epsilon: 0.3, Delta: 1e-6},
		privacy.ZeroConcentrated{Adjacency: add, Rho: 0.1},
		privacy.NoisyMin{
			Adjacency:   add,
			Epsilon:     0.3,
			Span:        1,
			Noise:       privacy.GeometricNoise,
			Denominator: 64,
		},
		privacy.NoisyMin{Adjacency: add, Epsilon: 0.3, Span: 1, Noise: privacy.GumbelNoise},
		privacy.ProximalCentre{
			Adjacency:   add,
			Epsilon:     0.3,
			Span:        1,
			Bound:       1,
			Dimension:   23,
			Denominator: 8,
		},
		privacy.SubsampledGaussian{Adjacency: add, Rate: 0.01, NoiseMultiplier: 1, Steps: 100},
		privacy.GradientDescent{Adjacency: add, Sensitivity: 1, Sigmas: []float64{10, 20, 5}},
		logistic(),
		privacy.ApproximateMinima{Objective: logistic(), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40},
		privacy.Composition{
			Adjacency: add,
			Parts:     []privacy.Part{{Event: gauss, Count: 3}, {Event: logistic(), Count: 2}},
		},
		privacy.NegativeBinomialSelection{Base: gauss, Eta: 0, Gamma: 0.1},
		privacy.PoissonSelection{Base: gauss, Mean: 5},
	}
}

// Composing k times is composing once, k times over; and curves are numbers
// ≥ 0 that do not fall with the order.
func TestRepeatIsComposeForEveryEvent(t *testing.T) {
	for _, event := range every() {
		one, err := Of(event)
		require.NoError(t, err, event.Mechanism())
		many, err := Compose(one, one, one)
		require.NoError(t, err)
		part, err := Of(
			privacy.Composition{
				Adjacency: event.Neighbours(),
				Parts:     []privacy.Part{{Event: event, Count: 3}},
			},
		)
		require.NoError(t, err)
		last := 0.0
		for _, alpha := range []float64{1, 1.01, 1.5, 2, 8, 64, 1000} {
			for _, direction := range []func(Curve, float64) float64{
				Curve.Added, Curve.Removed, Curve.At,
			} {
				want := direction(many, alpha)
				assert.InDelta(
					t, 0, relative(want, direction(one.Repeat(3), alpha)), 1e-14, event.Mechanism(),
				)
				assert.InDelta(
					t, 0, relative(want, direction(part, alpha)), 1e-14, event.Mechanism(),
				)
			}
			value := one.At(alpha)
			require.False(t, math.IsNaN(value) || value < 0, event.Mechanism())
			assert.GreaterOrEqual(t, value, last*(1-1e-9), "%s at α = %v", event.Mechanism(), alpha)
			last = value
		}
	}
}

func relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return a/b - 1
}

func TestMixedAdjacencyIsRefused(t *testing.T) {
	_, err := Of(privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
		{
			Event: privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1},
			Count: 1,
		},
	}})
	require.Error(t, err)
	a, err := Of(privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 1})
	require.NoError(t, err)
	b, err := Of(privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1})
	require.NoError(t, err)
	_, err = Compose(a, b)
	require.EqualError(
		t, err, "adjacency is mixed: it must be the same for all events that are composed",
	)
	_, err = Of(nil)
	require.Error(t, err)
}

// DP-SGD's phase transition (figure 5 of the objective-perturbation paper's
// appendix): slope σ⁻²q²/… below some order, that of the unsampled Gaussian
// above it; objective perturbation has a start-up gap and no such leap.
func TestShapesOfThePapersCurves(t *testing.T) {
	dpsgd := SubsampledGaussian(0.01, 1, 10000)
	slope := func(c Curve, alpha float64) float64 {
		return (c.At(alpha*1.01) - c.At(alpha)) / (0.01 * alpha)
	}
	before, after := slope(dpsgd, 1.5), slope(dpsgd, 200)
	assert.Greater(t, after/before, 100.0, "the leap")
	assert.InEpsilon(t, 10000/2.0, after, 0.01, "no amplification beyond it")

	event := logistic()
	published, err := OfBound(event, objective.BoundRDP)
	require.NoError(t, err)
	mu := event.Lipschitz / event.Sigma
	gap := published.At(1) - gaussian(mu)(1)
	offset := -math.Log1p(-0.25 / event.Lambda)
	assert.InEpsilon(t, offset+math.Sqrt(2/math.Pi)*mu, gap, 1e-6, "the half-normal's start-up gap")
	assert.InEpsilon(t, mu*mu/2, slope(published, 500), 1e-3, "a Gaussian's slope in the end")
	sharper, err := OfBound(event, objective.BoundAuto)
	require.NoError(t, err)
	for _, alpha := range []float64{1, 2, 10, 100} {
		assert.Less(t, sharper.At(alpha), published.At(alpha))
		assert.GreaterOrEqual(t, sharper.At(alpha), gaussian(mu)(alpha)*(1-1e-12))
	}
}

func TestDPSGDEpsilonReference(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			Q, Sigma, Delta float64
			Steps           int
		}
		Expected struct{ Epsilon, Order float64 }
	}
	for _, c := range golden.OfKind[one](t, "H", "rdp_epsilon") {
		profile := SubsampledGaussian(c.Params.Q, c.Params.Sigma, c.Params.Steps)
		at := curve.EpsilonAtOrder(
			c.Expected.Order, profile.At(c.Expected.Order), math.Log(c.Params.Delta),
		)
		if c.Expected.Epsilon > 0 {
			assert.InDelta(t, c.Expected.Epsilon, at, 1e-9+1e-9*c.Expected.Epsilon, c.ID)
		}
		best := curve.EpsilonFromRenyi(profile.At, math.Log(c.Params.Delta))
		assert.LessOrEqual(
			t, best, c.Expected.Epsilon*(1+1e-9)+1e-9, "%s: real orders do at least as well", c.ID,
		)
	}
}

// zCDP by the tight conversion, from file M's values.
func TestZeroConcentratedReference(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   json.RawMessage
		Expected map[string]float64
	}
	for _, c := range golden.Cases[one](t, "M") {
		var p struct {
			Rho, Delta, Epsilon float64
			Rhos                []float64
			Counts              []int
		}
		require.NoError(t, json.Unmarshal(c.Params, &p))
		near := func(want, got float64) {
			assert.InDelta(t, want, got, 1e-10+1e-10*math.Abs(want), c.ID)
		}
		switch c.Kind {
		case "epsilon":
			near(
				c.Expected["epsilon_improved"],
				curve.EpsilonFromRenyi(zeroConcentrated(p.Rho), math.Log(p.Delta)),
			)
		case "delta":
			near(
				c.Expected["log_delta_improved"],
				curve.LogDeltaFromRenyi(zeroConcentrated(p.Rho), p.Epsilon),
			)
		case "compose":
			var parts []privacy.Part
			for i, rho := range p.Rhos {
				parts = append(
					parts,
					privacy.Part{
						Event: privacy.ZeroConcentrated{Adjacency: privacy.AddRemove, Rho: rho},
						Count: p.Counts[i],
					},
				)
			}
			profile, err := Of(privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts})
			require.NoError(t, err)
			near(
				c.Expected["epsilon_improved"],
				curve.EpsilonFromRenyi(profile.At, math.Log(p.Delta)),
			)
		case "pure_to_zcdp":
			for _, alpha := range []float64{1.5, 4, 50} {
				assert.LessOrEqual(
					t, pure(p.Epsilon)(alpha), alpha*c.Expected["rho_tight"]*(1+1e-9), c.ID,
				)
			}
			assert.InEpsilon(t, c.Expected["rho_tight"], pure(p.Epsilon)(justAboveOne), 2e-9, c.ID)
		}
	}
}
