package calibrate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// By a method that is named, the answer holds by that method and fails a little below.
func TestSolveByANamedMethod(t *testing.T) {
	glm := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1,
		Smoothness: 1, Lambda: 20, Sigma: 5,
	}
	smooth := glm
	smooth.Loss, smooth.RowNorm, smooth.Dimension, smooth.Sigma = privacy.LossSmooth, 0, 4, 8
	replaced := glm
	replaced.Adjacency = privacy.ReplaceOne
	minima := privacy.ApproximateMinima{Objective: glm, Tau: 1e-4, SigmaOut: 0.1}
	gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}
	thrice := func(event privacy.Event) privacy.Event {
		return privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: event, Count: 3}},
		}
	}
	for _, c := range []struct {
		event     privacy.Event
		parameter string
		bound     objective.Bound
	}{
		{glm, "sigma", objective.BoundRDP},
		{glm, "lambda", objective.BoundRDP},
		{replaced, "sigma", objective.BoundRDP},
		{thrice(glm), "parts[0].event.sigma", objective.BoundRDP},
		{smooth, "sigma", objective.BoundRDP},
		{smooth, "lambda", objective.BoundRDP},
		{minima, "sigma", objective.BoundRDP},
		{gaussian, "sigma", ""},
		{thrice(gaussian), "parts[0].event.sigma", ""},
		{descent(0.01, 1, 1000), "noise_multiplier", ""},
	} {
		guarantee := privacy.Guarantee{Adjacency: c.event.Neighbours(), Epsilon: 1, Delta: 1e-5}
		answer := solved(t, calibrate.Request{
			Event: c.event, Parameter: c.parameter, Keep: guarantee, Bound: c.bound,
			Method: account.Renyi,
		})
		assert.Equal(t, account.Renyi, answer.Method)
		delta := func(x float64) float64 {
			event, err := calibrate.With(c.event, c.parameter, x)
			require.NoError(t, err)
			price, err := account.Of(event, account.Renyi, pld.Options{Bound: c.bound})
			require.NoError(t, err)
			return price.LogDeltaUpper(1)
		}
		assert.LessOrEqual(
			t, delta(answer.Value), -11.512925464970228, "%s of %s", c.parameter,
			c.event.Mechanism(),
		)
		assert.Greater(
			t, delta(answer.Value*(1-1e-10)), -11.512925464970229, "%s of %s", c.parameter,
			c.event.Mechanism(),
		)
	}
}

// A method that cannot price the event says so, as account.Of does.
func TestSolveByAMethodThatDoesNotApply(t *testing.T) {
	_, err := calibrate.Solve(calibrate.Request{
		Event: descent(
			0.01, 1, 10,
		), Parameter: "noise_multiplier", Keep: keep(1, 1e-5), Method: account.Closed,
	})
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "mechanism", wrong.Field)
}
