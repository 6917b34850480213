package sharpest_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/pld"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

const adjacency = privacy.AddRemove

var (
	gaussian = privacy.Gaussian{Adjacency: adjacency, Sensitivity: 1, Sigma: 0.3}
	descent  = privacy.SubsampledGaussian{Adjacency: adjacency, Rate: 0.01, NoiseMultiplier: 1, Steps: 1000}
	selected = privacy.PoissonSelection{Base: gaussian, Mean: 5}
)

func TestAutoTakesTheFirstThatApplies(t *testing.T) {
	for _, c := range []struct {
		event privacy.Event
		want  sharpest.Method
	}{
		{gaussian, sharpest.Closed},
		{privacy.Laplace{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Scale: 1}, sharpest.Closed},
		{descent, sharpest.Distribution},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: gaussian, Count: 2}}}, sharpest.Closed},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: descent, Count: 2}, {Event: gaussian, Count: 1}}}, sharpest.Distribution},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: selected, Count: 2}}}, sharpest.Renyi},
		{selected, sharpest.Renyi},
	} {
		price, err := sharpest.Of(c.event, sharpest.Auto, pld.Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, price.Method)
		assert.Equal(t, c.event.Neighbours(), price.Adjacency())
	}
}

// All methods bound the same thing, and the two questions are each other's
// inverse.
func TestMethodsBoundOneAnother(t *testing.T) {
	for _, event := range []privacy.Event{gaussian, descent} {
		certified, err := sharpest.Of(event, sharpest.Distribution, pld.Options{})
		require.NoError(t, err)
		interval, err := certified.Certified.Epsilon(1e-5)
		require.NoError(t, err)
		for _, method := range []sharpest.Method{sharpest.Auto, sharpest.Distribution, sharpest.Renyi} {
			price, err := sharpest.Of(event, method, pld.Options{})
			require.NoError(t, err)
			epsilon, err := price.EpsilonUpper(1e-5)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, epsilon, interval.Lower, method)
			assert.LessOrEqual(t, epsilon, interval.Upper*1.3, method)
			assert.LessOrEqual(t, price.LogDeltaUpper(epsilon), math.Log(1e-5)+0.05, method)
			assert.GreaterOrEqual(t, price.LogDeltaUpper(epsilon*0.9), math.Log(1e-5), method)
			assert.Zero(t, price.LogDeltaUpper(math.NaN()), method)
		}
	}
}

// The values are mpmath's, of the Gaussian profile (Balle & Wang 2018), and of
// an exact inversion for DP-SGD with δ = 1e-10 and 10,000 steps.
func TestKnownPrices(t *testing.T) {
	price, err := sharpest.Of(gaussian, sharpest.Auto, pld.Options{})
	require.NoError(t, err)
	epsilon, err := price.EpsilonUpper(1e-5)
	require.NoError(t, err)
	assert.InEpsilon(t, 19.130767834361926, epsilon, 1e-9)

	long := descent
	long.Steps = 10_000
	price, err = sharpest.Of(long, sharpest.Auto, pld.Options{})
	require.NoError(t, err)
	epsilon, err = price.EpsilonUpper(1e-10)
	require.NoError(t, err)
	assert.InEpsilon(t, 9.3161, epsilon, 2e-3)
}

func TestWhatDoesNotApplyIsAnError(t *testing.T) {
	_, err := sharpest.Of(descent, sharpest.Closed, pld.Options{})
	var parameter *privacy.ParameterError
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "mechanism", parameter.Field)

	_, err = sharpest.Of(selected, sharpest.Distribution, pld.Options{})
	var none *pld.NoDistributionError
	require.ErrorAs(t, err, &none)

	_, err = sharpest.Of(descent, sharpest.Renyi, pld.Options{Bound: "kifer"})
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "bound", parameter.Field)

	for _, method := range []sharpest.Method{"", "best"} {
		_, err = sharpest.Of(descent, method, pld.Options{})
		if method == "best" {
			require.ErrorAs(t, err, &parameter)
			assert.Equal(t, "method", parameter.Field)
		}
	}
	_, err = sharpest.Of(nil, sharpest.Auto, pld.Options{})
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "event", parameter.Field)

	price, err := sharpest.Of(descent, sharpest.Auto, pld.Options{})
	require.NoError(t, err)
	_, err = price.EpsilonUpper(0)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "delta", parameter.Field)
}

func TestMethodNames(t *testing.T) {
	for name, want := range map[string]sharpest.Method{"": "auto", "auto": "auto", "closed": "closed", "pld": "pld", "rdp": "rdp"} {
		got, err := sharpest.ParseMethod(name)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := sharpest.ParseMethod("PLD")
	require.Error(t, err)
}
