package learn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

func named(t *testing.T, name string) *learn.Release {
	t.Helper()
	for _, k := range kinds() {
		if k.name == name {
			return k.release(t)
		}
	}
	t.Fatalf("no kind %q", name)
	return nil
}

// finding returns the first finding of a claim.
func finding(r *learn.Release, claim string) (learn.Finding, bool) {
	for _, f := range r.Verify() {
		if f.Claim == claim {
			return f, true
		}
	}
	return learn.Finding{}, false
}

// No step costs nothing, and gives out zeros; nor do steps learn anything that draw no record,
// or next to none, or that drown it in noise.
func TestNoStepMakesNoCoefficients(t *testing.T) {
	const a, stochastic = privacy.AddRemove, "stochastic gradients"
	for _, c := range []struct {
		name  string
		event privacy.Event
	}{
		{"gradient descent", privacy.GradientDescent{Adjacency: a, Sensitivity: 1}},
		{"gradient descent", privacy.GradientDescent{
			Adjacency: a, Sensitivity: 1e3, Sigmas: []float64{1e45, 1e46},
		}},
		{stochastic, privacy.SubsampledGaussian{Adjacency: a, Rate: 0.01, NoiseMultiplier: 1}},
		{stochastic, privacy.SubsampledGaussian{Adjacency: a, Rate: 0, NoiseMultiplier: 1, Steps: 100}},
		{stochastic, privacy.SubsampledGaussian{
			Adjacency: a, Rate: 1e-41, NoiseMultiplier: 1, Steps: 1000,
		}},
		{stochastic, privacy.SubsampledGaussian{
			Adjacency: a, Rate: 0.01, NoiseMultiplier: 1e40, Steps: 1000,
		}},
	} {
		name, event := c.name, c.event
		r := named(t, name)
		f, ok := finding(r, "steps")
		require.True(t, ok && f.True, name)
		r.Event = event
		f, ok = finding(r, "steps")
		require.True(t, ok, name)
		assert.False(t, f.True, name)
		clear(r.Model.Coefficients)
		f, _ = finding(r, "steps")
		assert.True(t, f.True, "%s: where it starts", name)
	}
}

// What a selection goes by has to be paid for.
func TestASelectionNeedsAScoreThatWasPaidFor(t *testing.T) {
	fit := privacy.SubsampledGaussian{
		Adjacency:       privacy.AddRemove,
		Rate:            0.01,
		NoiseMultiplier: 2,
		Steps:           100,
	}
	score := privacy.Laplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 20}
	composed := func(parts ...privacy.Part) privacy.Event {
		return privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts}
	}
	one := privacy.Part{Event: fit, Count: 1}
	beside := func(score privacy.Event) privacy.Event {
		return composed(one, privacy.Part{Event: score, Count: 1})
	}
	answer := func(categories int, truth float64) privacy.Event {
		return privacy.RandomisedResponse{
			Adjacency:  privacy.AddRemove,
			Categories: categories,
			Truth:      truth,
		}
	}
	nothing := privacy.PureDP{Adjacency: privacy.AddRemove}
	for name, c := range map[string]struct {
		base privacy.Event
		fits bool
	}{
		"scored":                 {composed(one, privacy.Part{Event: score, Count: 1}), true},
		"score first":            {composed(privacy.Part{Event: score, Count: 1}, one), true},
		"scored within":          {composed(privacy.Part{Event: composed(one, privacy.Part{Event: score, Count: 1}), Count: 1}), true},
		"bare":                   {fit, false},
		"alone in a composition": {composed(one), false},
		"score counted no time":  {composed(one, privacy.Part{Event: score}), false},
		"score that is nothing":  {composed(one, privacy.Part{Event: composed(), Count: 1}), false},
		"score without a fit":    {composed(privacy.Part{Event: score, Count: 1}), false},
		"a true answer":          {beside(answer(2, 0.6)), true},
		"a coin flip":            {beside(answer(2, 0.5)), false},
		"a die of three":         {beside(answer(3, 1.0/3)), false},
		"a selection of scores":  {beside(privacy.PoissonSelection{Base: score, Mean: 2}), true},
		"a selection of nothing": {beside(privacy.PoissonSelection{Base: nothing, Mean: 2}), false},
		"a selection of coins": {
			beside(privacy.NegativeBinomialSelection{
				Base: composed(
					privacy.Part{Event: answer(4, 0.25), Count: 7}, privacy.Part{Event: score},
				),
				Eta:   1,
				Gamma: 0.5,
			}),
			false,
		},
		"selection of selections": {privacy.PoissonSelection{Base: composed(one, privacy.Part{Event: score, Count: 1}), Mean: 3}, false},
	} {
		for _, event := range []privacy.Event{
			privacy.PoissonSelection{Base: c.base, Mean: 5},
			privacy.NegativeBinomialSelection{Base: c.base, Eta: 1, Gamma: 0.2},
		} {
			r := named(t, "selection")
			r.Event = event
			f, ok := finding(r, "mechanism")
			require.True(t, ok, name)
			assert.Equal(t, c.fits, f.True, "%s, %s", name, event.Mechanism())
		}
	}
	r := named(t, "selection")
	r.Event = privacy.LiuTalwarSelection{
		Base:   privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.1},
		Tau:    0.1,
		Cutoff: 1e-6,
	}
	f, _ := finding(r, "mechanism")
	assert.False(t, f.True)
}

// Where the event names no lattice, the finding says that none was checked.
func TestAnUncheckedLatticeIsSaidToBeUnchecked(t *testing.T) {
	for _, k := range kinds() {
		f, ok := finding(k.release(t), "grid")
		require.True(t, ok, k.name)
		_, minima := k.release(t).Event.(privacy.ApproximateMinima)
		several, composed := k.release(t).Event.(privacy.Composition)
		if composed {
			_, minima = several.Parts[0].Event.(privacy.ApproximateMinima)
		}
		assert.True(t, f.True, k.name)
		if model := k.release(t).Model; minima || model.Moments != nil || model.Told != nil {
			assert.NotContains(t, f.Text, "Not checked", k.name)
		} else {
			assert.Contains(t, f.Text, "Not checked", k.name)
		}
	}
}

// Whether an event alone can be that of a model's coefficients is decided of each: in its
// example, in Model.mechanisms, and, for what it assumes of the rows, in Release.verifyFit.
func TestEveryEventIsOrIsNotTheMechanismOfAModel(t *testing.T) {
	r := named(t, "output perturbation")
	for _, example := range privacytest.Examples() {
		r.Event = example.Event
		f, ok := finding(r, "mechanism")
		require.True(t, ok, privacytest.Name(example.Event))
		assert.Equal(t, example.Model, f.True, privacytest.Name(example.Event))
	}
}
