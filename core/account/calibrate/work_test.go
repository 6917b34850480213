package calibrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// mostOfOnePrice is more than the work of the price during which a search may run out.
const mostOfOnePrice = 12 << 20

func sampled(rate, noise float64, steps int) privacy.Event {
	return privacy.SubsampledGaussian{
		Adjacency: privacy.AddRemove, Rate: rate, NoiseMultiplier: noise, Steps: steps,
	}
}

// Questions from anywhere in the ranges of events, of which each took from 4 to 24 s:
// they are refused, with what to do, when a known amount of work is done. Work is
// counted, so that this holds on any machine.
func TestSearchesEndWithinTheirWork(t *testing.T) {
	if testing.Short() {
		t.Skip("counted natively: the count is the same everywhere")
	}
	const one = 0.5000000000000001
	refused := 0
	for _, c := range []struct {
		event          privacy.Event
		parameter      string
		epsilon, delta float64
	}{
		{sampled(one, 5.0997635147670915e-18, 1<<53), "steps", 0.0008763322227088626, 0.9999999999999999},
		{sampled(0.004143612193332535, 0.10668090266815033, 229883), "rate", 8.233909824853326e-05, one},
		{sampled(one, 37.6488810866688, 1<<53), "steps", 137.40972726838865, 0.9999999999999999},
		{sampled(4.371849315711434e-05, 1.379771985306887e+10, 1684), "noise_multiplier", 5.919919644623225e+14, one},
		{privacy.PoissonSelection{Mean: 28.459974869180723, Base: privacy.DiscreteLaplace{
			Adjacency: privacy.ReplaceOne, Sensitivity: 5616, Scale: 1.1506143404484168e+08,
		}}, "mean", 10614.475373091274, one},
	} {
		keep := privacy.Guarantee{
			Epsilon:   c.epsilon,
			Delta:     c.delta,
			Adjacency: c.event.Neighbours(),
		}
		answer, work, err := solve(Request{Event: c.event, Parameter: c.parameter, Keep: keep})
		assert.Less(t, work, mostWork+mostOfOnePrice, "%s of %#v", c.parameter, c.event)
		if err == nil {
			assert.LessOrEqual(t, answer.Delta, c.delta)
			continue
		}
		refused++
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, "%s of %#v", c.parameter, c.event)
		assert.Equal(t, "parameter", parameter.Field)
		assert.Contains(
			t,
			parameter.Error(),
			`parameter is "`+c.parameter+`": it must be one that is found with less work`,
		)
	}
	assert.Positive(t, refused, "the limit is in use")
}

// A question that data call for is answered sharply with a small part of it. The first
// took 39 s, and was answered 6 % short: its intervals were wider the finer they were
// asked for.
func TestOrdinarySearchesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: work is counted, and is the same everywhere")
	}
	for _, c := range []struct {
		event          privacy.Event
		parameter      string
		epsilon, delta float64
	}{
		{sampled(1e-4, 1, 1000), "rate", 0.1, 1e-9},
		{sampled(0.01, 1, 1000), "noise_multiplier", 1, 1e-5},
		{sampled(0.01, 1, 1000), "steps", 1, 1e-5},
	} {
		keep := privacy.Guarantee{Epsilon: c.epsilon, Delta: c.delta, Adjacency: privacy.AddRemove}
		answer, work, err := solve(Request{Event: c.event, Parameter: c.parameter, Keep: keep})
		require.NoError(t, err)
		assert.Less(t, answer.Excess, 2e-4, "%s of %#v", c.parameter, c.event)
		assert.Less(t, work, mostWork/4, "%s of %#v", c.parameter, c.event)
	}
}

// What is cut short is no statement about the guarantee: not that no value keeps it, and
// not that 0 is the largest count that does.
func TestASearchCutShortSaysSo(t *testing.T) {
	for _, parameter := range []string{"noise_multiplier", "steps"} {
		event := sampled(0.01, 1, 1000)
		s := &search{work: mostWork, Request: Request{
			Event: event, Parameter: parameter,
			Keep: privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove},
		}}
		_, err := s.answer()
		require.Error(t, err, parameter)
		assert.True(t, s.cut)
	}
}
