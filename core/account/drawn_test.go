package account

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// A curve as it is drawn is an upper bound on the price, and as good as equal to it.
func TestADrawnPriceIsNextToThePrice(t *testing.T) {
	score := privacy.DiscreteGaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 9}
	fit := privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
			RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 2, Sigma: 8,
		},
		Tau: 1e-6, SigmaOut: 1.0 / 64,
	}
	for _, event := range []privacy.Event{
		privacy.PoissonSelection{Mean: 5, Base: privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: score, Count: 1}, {Event: fit, Count: 1}},
		}},
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 2},
		privacy.DiscreteLaplace{Adjacency: privacy.AddRemove, Sensitivity: 4000, Scale: 3000},
	} {
		price, err := Of(event, Renyi, pld.Options{})
		require.NoError(t, err)
		drawn := price.Drawn(event)
		for _, epsilon := range []float64{0.1, 0.5, 1, 2, 5} {
			exact, quick := price.LogDeltaUpper(epsilon), drawn.LogDeltaUpper(epsilon)
			assert.GreaterOrEqual(t, quick, exact-1e-6*(1+math.Abs(exact)))
			assert.InDelta(t, exact, quick, 1e-3*(1+math.Abs(exact)))
		}
	}
}

// A drawn fit under replace-one is above the fit's price by 2 % of δ at most, and whatever
// is not searched for at each ε is that price itself.
func TestADrawnFitIsNextToItsPrice(t *testing.T) {
	for _, a := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		fit := privacy.ApproximateMinima{
			Objective: privacy.ObjectivePerturbation{
				Adjacency: a, Loss: privacy.LossLogistic,
				RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 0.4, Sigma: 3.7, Dimension: 5,
			},
			Tau: 1e-6, SigmaOut: 1.0 / 64, Grid: 0x1p-30,
		}
		gaussian := privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: 2}
		for _, c := range []struct {
			event privacy.Event
			bound objective.Bound
			drawn bool
		}{
			{fit, objective.BoundAuto, a == privacy.ReplaceOne},
			{fit, objective.BoundLogistic, false},
			{gaussian, objective.BoundAuto, false},
		} {
			price, err := Of(c.event, Closed, pld.Options{Bound: c.bound})
			require.NoError(t, err)
			drawn := price.Drawn(c.event)
			assert.Equal(t, Closed, drawn.Method)
			assert.Equal(t, a, drawn.Adjacency())
			apart := 0.0
			for i := range 80 {
				epsilon := float64(i) / 20
				exact, quick := price.LogDeltaUpper(epsilon), drawn.LogDeltaUpper(epsilon)
				if exact < -46 {
					break
				}
				assert.LessOrEqual(t, quick, exact+0.02, "%s at %v", a, epsilon)
				apart = math.Max(apart, math.Abs(quick-exact))
			}
			assert.Equal(t, c.drawn, apart > 0, "%s by %s", c.event.Mechanism(), c.bound)
		}
	}
}

// A curve of discrete Laplace noise with a large sensitivity adds up thousands of terms at each
// order. Drawn, it is asked for at few orders, most of which its points share.
func TestADrawnCurveOfDiscreteLaplaceNoiseAsksForFewOrders(t *testing.T) {
	event := privacy.DiscreteLaplace{Adjacency: privacy.AddRemove, Sensitivity: 4000, Scale: 3000}
	price, err := Of(event, Renyi, pld.Options{})
	require.NoError(t, err)
	orders := 0
	counted := price.Curve.(converted)
	counted.Curve = rdp.FromBounds(event.Adjacency, func(alpha float64) float64 {
		orders++
		return price.Renyi.Added(alpha)
	}, nil)
	price.Curve = counted
	drawn := price.Drawn(event)
	for i := range 24 {
		drawn.LogDeltaUpper(float64(i) / 23)
	}
	assert.Positive(t, orders)
	assert.LessOrEqual(t, orders, 24*20, "the price itself asks for 5136")
}
