package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

func TestErrorsNameTheField(t *testing.T) {
	field := func(err error) string {
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p)
		return p.Field
	}
	_, err := Of(nil, Options{})
	assert.Equal(t, "event", field(err))
	_, err = Of(dpsgd(2, 1, 1), Options{})
	assert.Equal(t, "rate", field(err))
	_, err = Of(dpsgd(0.5, 1, 1), Options{Accuracy: 1e-9})
	assert.Equal(t, "accuracy", field(err))
	_, err = Of(dpsgd(0.5, 1, 1), Options{Bound: "best"})
	assert.Equal(t, "bound", field(err))
	_, err = Of(dpsgd(0.5, 1, 1<<40), Options{})
	assert.Equal(t, "steps", field(err))
	var none *NoDistributionError
	_, err = Of(privacy.PoissonSelection{Base: dpsgd(0.5, 1, 1), Mean: 3}, Options{})
	require.ErrorAs(t, err, &none)
	assert.Contains(t, err.Error(), "poisson-selection")

	d, err := Of(dpsgd(0.5, 1, 1), Options{})
	require.NoError(t, err)
	for _, delta := range []float64{0, 1, -1, math.NaN()} {
		i, err := d.Epsilon(delta)
		assert.Equal(t, "delta", field(err))
		assert.True(t, math.IsInf(i.Upper, 1))
	}
	i, err := d.Delta(math.NaN())
	assert.Equal(t, "epsilon", field(err))
	assert.Zero(t, i.LogUpper)
}

func TestNothingReleasedCostsNothing(t *testing.T) {
	for _, event := range []privacy.Event{
		privacy.Composition{Adjacency: addRemove},
		dpsgd(0.5, 1, 0), dpsgd(0, 1, 100),
		privacy.PureDP{Adjacency: addRemove},
		privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1},
		repeated(everyEvent()["laplace"], 0),
	} {
		assert.Equal(t, EpsilonInterval{}, intervalOf(t, event, 1e-9, Options{}))
		d, err := Of(event, Options{})
		require.NoError(t, err)
		i, err := d.Delta(0)
		require.NoError(t, err)
		assert.Zero(t, i.Lower())
		assert.Less(t, i.Upper(), 1e-300)
	}
}

// What is certain to be revealed has no finite ε.
func TestMassAtInfinity(t *testing.T) {
	event := repeated(privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.1, Delta: 1e-6}, 10)
	i := intervalOf(t, event, 9.9e-6, Options{})
	assert.True(t, math.IsInf(i.Reached, 1) && math.IsInf(i.Upper, 1), "%v", i)
	i = intervalOf(t, event, 1.1e-5, Options{})
	assert.Less(t, i.Upper, 1.0000001)
	d, err := Of(event, Options{})
	require.NoError(t, err)
	j, err := d.Delta(50)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(1e-5), j.LogUpper, 1e-5)
	assert.InDelta(t, math.Log(1e-5), j.LogReached, 1e-5)
}

// An answer is as good after other questions as it is first.
func TestAnswersDoNotDependOnWhatWasAsked(t *testing.T) {
	nativetest.Only(t)
	for _, event := range []privacy.Event{
		dpsgd(1e-4, 0.5, 500), dpsgd(0.01, 1, 1000), repeated(everyEvent()["laplace"], 20),
	} {
		asked, err := Of(event, Options{})
		require.NoError(t, err)
		epsilons := []float64{0, 0.3, 5}
		firsts := make([]DeltaInterval, len(epsilons))
		for k, epsilon := range epsilons {
			fresh, err := Of(event, Options{})
			require.NoError(t, err)
			firsts[k], err = fresh.Delta(epsilon)
			require.NoError(t, err)
		}
		for _, delta := range []float64{1e-10, 1e-3} {
			i, err := asked.Epsilon(delta)
			require.NoError(t, err)
			first := intervalOf(t, event, delta, Options{})
			assert.LessOrEqual(
				t, i.Upper-i.Reached, math.Max(DefaultAccuracy*i.Upper, first.Upper-first.Reached),
				"%#v at δ = %v: %v, first %v", event, delta, i, first,
			)
			for k, epsilon := range epsilons {
				first := firsts[k]
				j, err := asked.Delta(epsilon)
				require.NoError(t, err)
				width := math.Max(DefaultAccuracy*(1+50*epsilon), first.LogUpper-first.LogReached)
				assert.LessOrEqual(
					t, j.LogUpper-j.LogReached, width, "%#v at ε = %v after δ = %v: %v, first %v",
					event, epsilon, delta, j, first,
				)
			}
		}
	}
}
