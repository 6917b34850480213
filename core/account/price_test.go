package account_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

const adjacency = privacy.AddRemove

var (
	gaussian = privacy.Gaussian{Adjacency: adjacency, Sensitivity: 1, Sigma: 0.3}
	descent  = privacy.SubsampledGaussian{
		Adjacency:       adjacency,
		Rate:            0.01,
		NoiseMultiplier: 1,
		Steps:           1000,
	}
	selected = privacy.PoissonSelection{Base: gaussian, Mean: 5}
)

func TestAutoTakesTheFirstThatApplies(t *testing.T) {
	for _, c := range []struct {
		event privacy.Event
		want  account.Method
	}{
		{gaussian, account.Closed},
		{privacy.Laplace{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Scale: 1}, account.Closed},
		{descent, account.Distribution},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: gaussian, Count: 2}}}, account.Closed},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: descent, Count: 2}, {Event: gaussian, Count: 1}}}, account.Distribution},
		{privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{Event: selected, Count: 2}}}, account.Renyi},
		{selected, account.Renyi},
	} {
		price, err := account.Of(c.event, account.Auto, pld.Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, price.Method)
		assert.Equal(t, c.event.Neighbours(), price.Adjacency())
	}
}

// All methods bound the same thing, and the two questions are each other's
// inverse.
func TestMethodsBoundOneAnother(t *testing.T) {
	for _, event := range []privacy.Event{gaussian, descent} {
		certified, err := account.Of(event, account.Distribution, pld.Options{})
		require.NoError(t, err)
		interval, err := certified.Certified.Epsilon(1e-5)
		require.NoError(t, err)
		for _, method := range []account.Method{account.Auto, account.Distribution, account.Renyi} {
			price, err := account.Of(event, method, pld.Options{})
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
	price, err := account.Of(gaussian, account.Auto, pld.Options{})
	require.NoError(t, err)
	epsilon, err := price.EpsilonUpper(1e-5)
	require.NoError(t, err)
	assert.InEpsilon(t, 19.130767834361926, epsilon, 1e-9)

	long := descent
	long.Steps = 10_000
	price, err = account.Of(long, account.Auto, pld.Options{})
	require.NoError(t, err)
	epsilon, err = price.EpsilonUpper(1e-10)
	require.NoError(t, err)
	assert.InEpsilon(t, 9.3161, epsilon, 2e-3)
}

func TestWhatDoesNotApplyIsAnError(t *testing.T) {
	_, err := account.Of(descent, account.Closed, pld.Options{})
	var parameter *privacy.ParameterError
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "mechanism", parameter.Field)

	_, err = account.Of(selected, account.Distribution, pld.Options{})
	var none *pld.NoDistributionError
	require.ErrorAs(t, err, &none)

	_, err = account.Of(descent, account.Renyi, pld.Options{Bound: "kifer"})
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "bound", parameter.Field)

	for _, method := range []account.Method{"", "best"} {
		_, err = account.Of(descent, method, pld.Options{})
		if method == "best" {
			require.ErrorAs(t, err, &parameter)
			assert.Equal(t, "method", parameter.Field)
		}
	}
	_, err = account.Of(nil, account.Auto, pld.Options{})
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "event", parameter.Field)

	price, err := account.Of(descent, account.Auto, pld.Options{})
	require.NoError(t, err)
	_, err = price.EpsilonUpper(0)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "delta", parameter.Field)
}

func TestMethodNames(t *testing.T) {
	for name, want := range map[string]account.Method{"": "auto", "auto": "auto", "closed": "closed", "pld": "pld", "rdp": "rdp"} {
		got, err := account.ParseMethod(name)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := account.ParseMethod("PLD")
	require.Error(t, err)
}

// Runs that may fail more often than not promise nothing, however many they are: a
// sum of probabilities above 1 is none to divide by what is left.
func TestAMassAboveOnePromisesNothing(t *testing.T) {
	for _, count := range []int{1, 2, 3, 1000, 1 << 53} {
		event := privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
			{
				Event: privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 0.6},
				Count: count,
			},
		}}
		price, err := account.Of(event, account.Renyi, pld.Options{})
		require.NoError(t, err)
		for _, delta := range []float64{1e-5, 0.5, 0.59} {
			epsilon, err := price.EpsilonUpper(delta)
			require.NoError(t, err)
			assert.True(t, math.IsInf(epsilon, 1), "%d runs at δ = %v: %v", count, delta, epsilon)
		}
	}
}

// Many runs of the exponential mechanism are priced by their bounded range, which
// is worth up to half of ε; one run by what any ε-DP mechanism is.
func TestBoundedRangeIsWorthMoreInComposition(t *testing.T) {
	gumbel := privacy.NoisyMin{
		Adjacency: privacy.AddRemove,
		Epsilon:   0.1,
		Span:      1,
		Noise:     privacy.GumbelNoise,
	}
	runs := func(k int) privacy.Event {
		return privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: gumbel, Count: k}},
		}
	}
	ask := func(event privacy.Event, method account.Method) (account.Method, float64) {
		price, err := account.Of(event, method, pld.Options{})
		require.NoError(t, err)
		epsilon, err := price.EpsilonUpper(1e-6)
		require.NoError(t, err)
		return price.Method, epsilon
	}
	method, epsilon := ask(gumbel, account.Auto)
	assert.Equal(t, account.Closed, method)
	assert.LessOrEqual(t, epsilon, 0.1)
	_, epsilon = ask(runs(2), account.Auto)
	assert.LessOrEqual(t, epsilon, 0.2+1e-6)
	method, epsilon = ask(runs(100), account.Auto)
	assert.Equal(t, account.Renyi, method)
	_, certified := ask(runs(100), account.Distribution)
	assert.Less(t, epsilon, 0.6*certified)
}

// math.Log makes up to 35 too much of a δ that is no normal float64, on some processors:
// no such δ is asked for.
func TestNoEpsilonForADeltaOfNoNormalNumber(t *testing.T) {
	event := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}
	for _, method := range []account.Method{account.Closed, account.Distribution, account.Renyi} {
		price, err := account.Of(event, method, pld.Options{})
		require.NoError(t, err)
		for _, delta := range []float64{math.SmallestNonzeroFloat64, 1e-310, 1e-301} {
			_, err := price.EpsilonUpper(delta)
			var refused *privacy.ParameterError
			require.ErrorAs(t, err, &refused, "%s at %v", method, delta)
			require.Equal(t, "delta", refused.Field)
		}
		_, err = price.EpsilonUpper(privacy.LeastProbability)
		require.NoError(t, err)
	}
}
