package suffstats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func priceOf(t *testing.T, event privacy.Event) account.Price {
	t.Helper()
	price, err := account.Of(event, account.Auto, pld.Options{})
	require.NoError(t, err)
	return price
}

// ε = 0.596 where 1 is claimed, and each of the three alone has δ = 8.8e-7 at ε/3 where
// 3.3e-7 is claimed (ptr.md §4.2).
func TestAdaSSPAsPublishedCostsLessThanItClaims(t *testing.T) {
	p := Published{Epsilon: 1, Delta: 1e-6, Dimension: 10, RowNorm: 1}
	event, err := p.Event()
	require.NoError(t, err)
	epsilon, err := priceOf(t, event).EpsilonUpper(1e-6)
	require.NoError(t, err)
	assert.InDelta(t, 0.596, epsilon, 0.001)
	mu := math.Sqrt(1 / (3 * math.Log(6e6)))
	want, err := priceOf(t, privacy.Gaussian{
		Adjacency: privacy.AddRemove, Sensitivity: mu, Sigma: 1,
	}).EpsilonUpper(1e-6)
	require.NoError(t, err)
	assert.InEpsilon(t, want, epsilon, 1e-3, "one Gaussian mechanism, by the square root of Σμ²")

	alone := priceOf(t, event.Parts[2].Event)
	delta := math.Exp(alone.LogDeltaUpper(1.0 / 3))
	assert.InEpsilon(t, 8.8e-7, delta, 0.01)
	assert.Greater(t, delta, 1e-6/3)
}

// With ε in abundance it is least squares.
func TestAdaSSPAsPublishedFits(t *testing.T) {
	p := problemOf(learntest.Clinic())
	norm := p.Data.Schema.RowNorm()
	published := Published{Epsilon: 1e5, Delta: 1e-6, Dimension: 3, RowNorm: norm}
	model, err := published.Fit(t.Context(), p, randomtest.New(1))
	require.NoError(t, err)
	plan := planFor(t, p, 1e6)
	exact, _, err := Fit(t.Context(), p, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	for j, want := range exact.Coefficients {
		assert.InDelta(t, want, model.Coefficients[j], 0.03, "column %d", j)
	}
	for _, bad := range []Published{
		{}, {Epsilon: 1, Delta: 1e-6, Dimension: 3}, {Epsilon: 1, Delta: 2, Dimension: 3, RowNorm: 1},
	} {
		_, err := bad.Event()
		assert.Error(t, err)
		_, err = bad.Fit(t.Context(), p, &randomtest.Script{})
		assert.Error(t, err)
	}
}

// What one record moves each of the three by, on the lattices, is within the ratios.
func TestAdaSSPAsPublishedMovesByNoMoreThanItsRatios(t *testing.T) {
	p := Published{Epsilon: 1, Delta: 1e-6, Dimension: 3, RowNorm: 1}
	event, err := p.Event()
	require.NoError(t, err)
	uniform := randomSource(4)
	for range 500 {
		x := []float64{uniform() - 0.5, uniform() - 0.5, uniform() - 0.5}
		size := learntest.Length(x)
		matrix, vector, y := 0.0, 0.0, 2*uniform()-1
		for i := range x {
			x[i] /= size
			for j := range i + 1 {
				matrix = math.Hypot(matrix, x[i]*x[j])
			}
			vector = math.Hypot(vector, x[i]*y)
		}
		require.LessOrEqual(t, matrix/p.unit(), event.Parts[1].Event.(privacy.Gaussian).Sensitivity)
		require.LessOrEqual(t, vector/p.unit(), event.Parts[2].Event.(privacy.Gaussian).Sensitivity)
	}
}
