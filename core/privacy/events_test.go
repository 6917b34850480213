package privacy_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

const either = privacy.AddRemove

// readAgain reads an event from the JSON that it writes.
func readAgain(t *testing.T, event privacy.Event) privacy.Event {
	t.Helper()
	text, err := json.Marshal(privacy.EncodeEvent(event))
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(text, &tree))
	back, err := privacy.DecodeEvent("event", tree)
	require.NoError(t, err, string(text))
	return back
}

func TestEveryEventRoundTripsThroughJSON(t *testing.T) {
	names := map[string]bool{}
	for _, event := range privacytest.Events() {
		require.NoError(t, event.Validate(), event.Mechanism())
		assert.Equal(t, event, readAgain(t, event))
		names[privacytest.Name(event)] = true
	}
	assert.Len(t, names, len(privacytest.Events()), "every event has a name of its own")
}

func TestEveryEventNeedsAnAdjacency(t *testing.T) {
	for _, event := range privacytest.Events() {
		tree := privacy.EncodeEvent(event)
		delete(tree, "adjacency")
		_, err := privacy.DecodeEvent("", tree)
		require.EqualError(t, err, `adjacency is missing: it must be given`, event.Mechanism())
	}
}

func TestValidateNamesTheField(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	steps := privacy.SubsampledGaussian{
		Adjacency:       either,
		Rate:            0.01,
		NoiseMultiplier: 1,
		Steps:           10,
	}
	pure := privacy.PureDP{Adjacency: either, Epsilon: 1}
	spoilt := pure
	spoilt.Epsilon = nan
	compose := func(parts ...privacy.Part) privacy.Event {
		return privacy.Composition{Adjacency: either, Parts: parts}
	}
	for _, c := range []struct {
		field string
		event privacy.Event
	}{
		{"sensitivity", privacy.Laplace{Adjacency: either, Sensitivity: 0, Scale: 1}},
		{"scale", privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: inf}},
		{"adjacency", privacy.Laplace{Sensitivity: 1, Scale: 1}},
		{"sensitivity", privacy.DiscreteLaplace{Adjacency: either, Sensitivity: 0, Scale: 1}},
		{"scale", privacy.DiscreteLaplace{Adjacency: either, Sensitivity: 1, Scale: nan}},
		{"sensitivity", privacy.DiscreteGaussian{Adjacency: either, Sensitivity: -1, Sigma: 1}},
		{"sigma", privacy.DiscreteGaussian{Adjacency: either, Sensitivity: 1, Sigma: -1}},
		{"categories", privacy.RandomisedResponse{Adjacency: either, Categories: 1, Truth: 0.5}},
		{"truth", privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: 1}},
		{"adjacency", privacy.NoisyMin{Epsilon: 1, Noise: privacy.GumbelNoise}},
		{"epsilon", privacy.NoisyMin{Adjacency: either, Span: 1, Noise: privacy.GumbelNoise}},
		{"epsilon", privacy.NoisyMin{Adjacency: either, Epsilon: nan, Span: 1, Noise: privacy.GumbelNoise}},
		{"span", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 2, Noise: privacy.GumbelNoise}},
		{"span", privacy.NoisyMin{Adjacency: privacy.ReplaceOne, Epsilon: 1, Span: 1, Noise: privacy.GumbelNoise}},
		{"noise", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 1, Noise: "laplace"}},
		{"denominator", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 1, Noise: privacy.GumbelNoise, Denominator: 64}},
		{"denominator", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 1, Noise: privacy.GeometricNoise}},
		{"denominator", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 1, Noise: privacy.GeometricNoise, Denominator: 48}},
		{"denominator", privacy.NoisyMin{Adjacency: either, Epsilon: 1, Span: 1, Noise: privacy.GeometricNoise, Denominator: 1 << 21}},
		{"span", privacy.ProximalCentre{Adjacency: privacy.ReplaceOne, Epsilon: 1, Span: 1, Bound: 1, Dimension: 2, Denominator: 2}},
		{"bound", privacy.ProximalCentre{Adjacency: either, Epsilon: 1, Span: 1, Dimension: 2, Denominator: 2}},
		{"dimension", privacy.ProximalCentre{Adjacency: either, Epsilon: 1, Span: 1, Bound: 1, Denominator: 2}},
		{"denominator", privacy.ProximalCentre{Adjacency: either, Epsilon: 1, Span: 1, Bound: 1, Dimension: 2, Denominator: 3}},
		{"truth", privacy.RandomisedResponse{Adjacency: either, Categories: 2, Truth: nan}},
		{"epsilon", privacy.PureDP{Adjacency: either, Epsilon: -0.1}},
		{"epsilon", privacy.ApproximateDP{Adjacency: either, Epsilon: inf, Delta: 0.1}},
		{"delta", privacy.ApproximateDP{Adjacency: either, Epsilon: 1, Delta: 1}},
		{"delta", privacy.ApproximateDP{Adjacency: either, Epsilon: 1, Delta: nan}},
		{"rho", privacy.ZeroConcentrated{Adjacency: either, Rho: nan}},
		{"adjacency", privacy.SubsampledGaussian{Adjacency: privacy.ReplaceOne, Rate: 0.1, NoiseMultiplier: 1, Steps: 1}},
		{"rate", privacy.SubsampledGaussian{Adjacency: either, Rate: 1.1, NoiseMultiplier: 1, Steps: 1}},
		{"rate", privacy.SubsampledGaussian{Adjacency: either, Rate: nan, NoiseMultiplier: 1, Steps: 1}},
		{"noise_multiplier", privacy.SubsampledGaussian{Adjacency: either, Rate: 0.1, NoiseMultiplier: 0, Steps: 1}},
		{"steps", privacy.SubsampledGaussian{Adjacency: either, Rate: 0.1, NoiseMultiplier: 1, Steps: -1}},
		{"sensitivity", privacy.GradientDescent{Adjacency: either, Sensitivity: nan}},
		{"sigmas[1]", privacy.GradientDescent{Adjacency: either, Sensitivity: 1, Sigmas: []float64{1, 0}}},
		{"adjacency", privacy.Composition{}},
		{"parts[0].count", compose(privacy.Part{Event: pure, Count: -1})},
		{"parts[1].event", compose(privacy.Part{Event: pure, Count: 1}, privacy.Part{Count: 1})},
		{"parts[0].event.epsilon", compose(privacy.Part{Event: spoilt, Count: 1})},
		{"parts[0].event.adjacency", compose(privacy.Part{Event: privacy.PureDP{Adjacency: privacy.ReplaceOne, Epsilon: 1}, Count: 1})},
		{"base", privacy.PoissonSelection{Mean: 1}},
		{"mean", privacy.PoissonSelection{Base: steps, Mean: 0}},
		{"base.epsilon", privacy.PoissonSelection{Base: spoilt, Mean: 1}},
		{"base", privacy.NegativeBinomialSelection{Eta: 1, Gamma: 0.5}},
		{"eta", privacy.NegativeBinomialSelection{Base: steps, Eta: -1, Gamma: 0.5}},
		{"eta", privacy.NegativeBinomialSelection{Base: steps, Eta: inf, Gamma: 0.5}},
		{"gamma", privacy.NegativeBinomialSelection{Base: steps, Eta: 1, Gamma: 1}},
		{"gamma", privacy.NegativeBinomialSelection{Base: steps, Eta: 1, Gamma: nan}},
		{"base", privacy.LiuTalwarSelection{Tau: 0.1, Cutoff: 1e-6}},
		{"base.mechanism", privacy.LiuTalwarSelection{Base: steps, Tau: 0.1, Cutoff: 1e-6}},
		{"base.epsilon", privacy.LiuTalwarSelection{Base: spoilt, Tau: 0.1, Cutoff: 1e-6}},
		{"tau", privacy.LiuTalwarSelection{Base: pure, Tau: 1.1, Cutoff: 1e-6}},
		{"tau", privacy.LiuTalwarSelection{Base: pure, Tau: nan, Cutoff: 1e-6}},
		{"cutoff", privacy.LiuTalwarSelection{Base: pure, Tau: 0.1, Cutoff: 0}},
		{"cutoff", privacy.LiuTalwarSelection{Base: pure, Tau: 0.1, Cutoff: 1}},
	} {
		err := c.event.Validate()
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, "%s of %#v", c.field, c.event)
		assert.Equal(t, c.field, p.Field)
	}
}

func TestDecodeEventSaysWhereInsideAnotherEvent(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{
			`{"mechanism":"composition","adjacency":"add-remove","parts":[{"event":{"mechanism":"pure-dp","adjacency":"add-remove","epsilon":-1},"count":2}]}`,
			`event.parts[0].event.epsilon is -1: it must be 0, or a number from 1e-50 to 1e+50`,
		},
		{
			`{"mechanism":"composition","adjacency":"add-remove","parts":[{"event":{"mechanism":"pure-dp","adjacency":"replace-one","epsilon":1}}]}`,
			`event.parts[0].event.adjacency is "replace-one": it must be "add-remove", that of the event around it`,
		},
		{
			`{"mechanism":"composition","adjacency":"add-remove","parts":[{"count":2}]}`,
			`event.parts[0].event is missing: it must be given`,
		},
		{
			`{"mechanism":"composition","adjacency":"add-remove","parts":[{"event":{"mechanism":"pure-dp","adjacency":"add-remove","epsilon":1},"times":2}]}`,
			`event.parts[0].times is not known here: it must be left out (or spelt as the documentation has it)`,
		},
		{
			`{"mechanism":"poisson-selection","adjacency":"add-remove","mean":3,"base":{"mechanism":"pure-dp","adjacency":"replace-one","epsilon":1}}`,
			`event.adjacency is "add-remove": it must be "replace-one", that of the base event`,
		},
	} {
		var tree any
		require.NoError(t, json.Unmarshal([]byte(c.text), &tree))
		_, err := privacy.DecodeEvent("event", tree)
		require.EqualError(t, err, c.message)
	}
}

// A part without a count happened once.
func TestCompositionCountDefaultsToOne(t *testing.T) {
	event, err := privacy.DecodeEvent("", map[string]any{
		"mechanism": "composition", "adjacency": "add-remove",
		"parts": []any{
			map[string]any{
				"event": map[string]any{"mechanism": "zcdp", "adjacency": "add-remove", "rho": 0.5},
			},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, privacy.Composition{
		Adjacency: either,
		Parts: []privacy.Part{
			{Event: privacy.ZeroConcentrated{Adjacency: either, Rho: 0.5}, Count: 1},
		},
	}, event)
}

func TestRandomisedResponseLogOdds(t *testing.T) {
	// Truth 3/4 of two values: odds 3. Truth 1/m tells nothing.
	assert.InDelta(
		t, math.Log(3), privacy.RandomisedResponse{Categories: 2, Truth: 0.75}.LogOdds(), 1e-15,
	)
	assert.InDelta(t, 0, privacy.RandomisedResponse{Categories: 5, Truth: 0.2}.LogOdds(), 1e-15)
	// float64's 0.2 is above 1/5 by 2⁻⁵⁴/5, and little is told by little.
	assert.InEpsilon(
		t, 0x1p-54/0.8, privacy.RandomisedResponse{Categories: 5, Truth: 0.2}.LogOdds(), 1e-12,
	)
	for _, c := range []struct{ truth, odds float64 }{
		{0.1, 0.1 / 0.9 * 6}, {0.06, 0.06 / 0.94 * 6}, {0.4, 4},
	} {
		assert.InEpsilon(
			t, math.Log(c.odds),
			privacy.RandomisedResponse{Categories: 7, Truth: c.truth}.LogOdds(), 1e-14,
		)
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "sigma": `"sigma"`, `a"b\c`: `"a\"b\\c"`, "größe": `"größe"`, "\x00\n\x7f": `"\x00\x0a\x7f"`,
	} {
		assert.Equal(t, want, privacy.Quote(text))
	}
}
