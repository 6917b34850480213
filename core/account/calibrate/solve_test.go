package calibrate_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/golden"
	"cloister/core/account/pld"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

func keep(epsilon, delta float64) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: delta}
}

func descent(rate, noise float64, steps int) privacy.SubsampledGaussian {
	return privacy.SubsampledGaussian{
		Adjacency:       privacy.AddRemove,
		Rate:            rate,
		NoiseMultiplier: noise,
		Steps:           steps,
	}
}

func solved(t *testing.T, request calibrate.Request) calibrate.Answer {
	t.Helper()
	start := time.Now()
	answer, err := calibrate.Solve(request)
	require.NoError(t, err)
	t.Logf(
		"%s of %s: %.8g by %s in %v", request.Parameter, request.Event.Mechanism(), answer.Value,
		answer.Method, time.Since(start),
	)
	return answer
}

// Noise multipliers from an exact inversion in another program (Fourier
// inversion along a tilted contour, root to 1e-12).
var multipliers = []struct {
	rate           float64
	steps          int
	epsilon, delta float64
	want           float64
}{
	{0.01, 1000, 3, 1e-5, 0.8135844674425206},
	{0.004, 10000, 1, 1e-6, 1.8449499077451808},
	{0.1, 100, 2, 1e-5, 2.2477109144502774},
	{0.001, 10000, 0.5, 1e-6, 1.0602784024467995},
}

func TestNoiseOfDescentToFourDigits(t *testing.T) {
	for _, c := range multipliers {
		checkMultiplier(t, c.rate, c.steps, c.epsilon, c.delta, c.want)
	}
}

func checkMultiplier(t *testing.T, rate float64, steps int, epsilon, delta, want float64) {
	t.Helper()
	answer := solved(
		t,
		calibrate.Request{
			Event:     descent(rate, 1, steps),
			Parameter: "noise_multiplier",
			Keep:      keep(epsilon, delta),
		},
	)
	assert.GreaterOrEqual(t, answer.Value, want*(1-1e-9))
	assert.LessOrEqual(t, answer.Value, want*(1+1e-4))
	assert.LessOrEqual(t, answer.Delta, delta)
	assert.Equal(t, descent(rate, answer.Value, steps), answer.Event)
}

func TestReferenceK(t *testing.T) {
	type one struct {
		Kind     string
		Params   map[string]any
		Expected map[string]any
	}
	for _, c := range golden.OfKind[one](t, "K", "dpsgd_sigma") {
		p := func(name string) float64 { return c.Params[name].(float64) }
		checkMultiplier(
			t, p("q"), int(p("steps")), p("epsilon"), p("delta"), c.Expected["sigma_pld"].(float64),
		)
	}
}

// Every parameter of every event: the answer keeps the guarantee by the
// sharpest method, and a thousandth less private one does not.
func TestAnswersAreSafeAndSharp(t *testing.T) {
	nativetest.Only(t)
	const adjacency = privacy.AddRemove
	objective := privacy.ObjectivePerturbation{
		Adjacency: adjacency, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 50, Sigma: 10,
	}
	mixed := privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{
		{Event: descent(0.01, 1, 500), Count: 1},
		{Event: privacy.Laplace{Adjacency: adjacency, Sensitivity: 1, Scale: 20}, Count: 3},
		{Event: objective, Count: 2},
	}}
	repeated := func(e privacy.Event) privacy.Composition {
		return privacy.Composition{
			Adjacency: adjacency,
			Parts:     []privacy.Part{{Event: e, Count: 30}},
		}
	}
	selection := privacy.NegativeBinomialSelection{
		Base:  privacy.Gaussian{Adjacency: adjacency, Sensitivity: 1, Sigma: 5},
		Eta:   1,
		Gamma: 0.1,
	}
	for _, c := range []struct {
		event     privacy.Event
		parameter string
		louder    float64 // a factor that makes the event less private
	}{
		{privacy.Gaussian{Adjacency: adjacency, Sensitivity: 2, Sigma: 1}, "sigma", 0.999},
		{privacy.Laplace{Adjacency: adjacency, Sensitivity: 2, Scale: 1}, "scale", 0.999},
		{repeated(privacy.Laplace{Adjacency: adjacency, Sensitivity: 2, Scale: 1}), "parts[0].event.scale", 0.999},
		{privacy.DiscreteGaussian{Adjacency: adjacency, Sensitivity: 2, Sigma: 1}, "sigma", 0.999},
		{privacy.DiscreteLaplace{Adjacency: adjacency, Sensitivity: 2, Scale: 1}, "scale", 0.999},
		{privacy.RandomisedResponse{Adjacency: adjacency, Categories: 3, Truth: 0.5}, "truth", 1.001},
		{repeated(privacy.PureDP{Adjacency: adjacency, Epsilon: 1}), "parts[0].event.epsilon", 1.001},
		{repeated(privacy.NoisyMin{Adjacency: adjacency, Epsilon: 1, Span: 1, Noise: privacy.GeometricNoise, Denominator: 64}), "parts[0].event.epsilon", 1.001},
		{privacy.NoisyMin{Adjacency: adjacency, Epsilon: 1, Span: 1, Noise: privacy.GeometricNoise, Denominator: 64}, "epsilon", 1.001},
		{privacy.ProximalCentre{Adjacency: adjacency, Epsilon: 1, Span: 1, Bound: 1, Dimension: 3, Denominator: 4}, "epsilon", 1.001},
		{repeated(privacy.ApproximateDP{Adjacency: adjacency, Epsilon: 1, Delta: 1e-8}), "parts[0].event.epsilon", 1.001},
		{repeated(privacy.ZeroConcentrated{Adjacency: adjacency, Rho: 1}), "parts[0].event.rho", 1.002},
		{objective, "sigma", 0.999},
		{objective, "lambda", 0.99},
		{repeated(objective), "parts[0].event.sigma", 0.999},
		{privacy.ApproximateMinima{Objective: objective, Tau: 1e-6, SigmaOut: 1e-3}, "sigma", 0.999},
		{descent(0.01, 1, 2000), "rate", 1.001},
		{descent(0.01, 1, 2000), "noise", 0.999},
		{privacy.GradientDescent{Adjacency: adjacency, Sensitivity: 1, Sigmas: []float64{3, 4, 5}}, "sigmas", 0.999},
		{mixed, "noise", 0.999},
		{mixed, "parts[0].event.noise_multiplier", 0.999},
		{mixed, "parts[0].event.rate", 1.001},
		{selection, "base.sigma", 0.999},
		{selection, "noise", 0.999},
		{privacy.PoissonSelection{Base: selection.Base, Mean: 3}, "mean", 1.001},
	} {
		guarantee := keep(1.5, 1e-6)
		answer := solved(
			t, calibrate.Request{Event: c.event, Parameter: c.parameter, Keep: guarantee},
		)
		again, err := account.Of(answer.Event, account.Auto, pld.Options{Accuracy: 1e-4})
		require.NoError(t, err)
		assert.LessOrEqual(t, again.LogDeltaUpper(1.5), math.Log(1e-6)+1e-3, c.parameter)
		require.LessOrEqual(t, answer.Delta, 1e-6)
		// of what is only known to be zCDP, the truth is not known
		if c.parameter != "parts[0].event.rho" {
			assert.LessOrEqual(t, answer.Excess, 1e-3, c.parameter)
		}

		// At the point next to it that is less private, even the lower end is above.
		less, err := calibrate.With(c.event, c.parameter, answer.Value*c.louder)
		require.NoError(t, err)
		worse, err := account.Of(less, account.Auto, pld.Options{Accuracy: 1e-4})
		require.NoError(t, err)
		assert.Greater(
			t, worse.LogDeltaUpper(1.5), math.Log(1e-6), "%s of %s", c.parameter,
			c.event.Mechanism(),
		)
	}
}

// Where the regularisers cost most of ε, certificates show in the answer, by no
// more than it says: a little below it, even the lower end is above δ.
func TestNearlyInfeasibleAnswersSayHowFar(t *testing.T) {
	for _, share := range []float64{0.5, 0.9, 0.99} {
		o := privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1,
			Smoothness: 0.25,
			Lambda:     0.25 / math.Expm1(1.5*share/30), Sigma: 10,
		}
		event := privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: o, Count: 30}},
		}
		answer := solved(
			t,
			calibrate.Request{
				Event:     event,
				Parameter: "parts[0].event.sigma",
				Keep:      keep(1.5, 1e-6),
			},
		)
		assert.LessOrEqual(t, answer.Excess, 2e-4/(1-share))
		less, err := calibrate.With(event, "parts[0].event.sigma", answer.Value*(1-2*answer.Excess))
		require.NoError(t, err)
		distribution, err := pld.Of(less, pld.Options{Accuracy: pld.BestAccuracy})
		require.NoError(t, err)
		interval, err := distribution.Delta(1.5)
		require.NoError(t, err)
		assert.Greater(t, interval.LogReached, math.Log(1e-6), "%v of ε", share)
	}
}

func TestWholeNumbersAreTheLargest(t *testing.T) {
	for _, c := range []struct {
		event     privacy.Event
		parameter string
		next      func(k int) privacy.Event
	}{
		{descent(0.01, 1, 1), "steps", func(k int) privacy.Event { return descent(0.01, 1, k) }},
		{descent(0.3, 2, 1), "steps", func(k int) privacy.Event { return descent(0.3, 2, k) }},
		{
			privacy.Composition{
				Adjacency: privacy.AddRemove,
				Parts: []privacy.Part{
					{Event: privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.05}},
				},
			},
			"parts[0].count",
			func(k int) privacy.Event {
				return privacy.Composition{
					Adjacency: privacy.AddRemove,
					Parts: []privacy.Part{
						{Event: privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.05}, Count: k},
					},
				}
			},
		},
	} {
		answer := solved(
			t, calibrate.Request{Event: c.event, Parameter: c.parameter, Keep: keep(2, 1e-5)},
		)
		k := int(answer.Value)
		assert.Equal(t, float64(k), answer.Value)
		assert.Equal(t, c.next(k), answer.Event)
		more, err := pld.Of(c.next(k+1+k/5000), pld.Options{Accuracy: 7e-5})
		require.NoError(t, err)
		interval, err := more.Delta(2)
		require.NoError(t, err)
		assert.Greater(t, interval.LogUpper, math.Log(1e-5))
	}
	// One step is too much; no steps at all are not.
	answer := solved(
		t, calibrate.Request{Event: descent(1, 0.1, 7), Parameter: "steps", Keep: keep(1, 1e-5)},
	)
	assert.Zero(t, answer.Value)
}

func TestWhatCannotBeIsSaid(t *testing.T) {
	loud := privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
		{
			Event: privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 0.5},
			Count: 1,
		},
		{Event: descent(0.01, 1, 10), Count: 1},
	}}
	bound := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 1, Lipschitz: 1,
		Smoothness: 1, Lambda: 0.01, Sigma: 1,
	}
	for _, c := range []struct {
		event     privacy.Event
		parameter string
	}{
		{loud, "parts[1].event.noise_multiplier"},
		{loud, "parts[1].event.rate"},
		{loud, "parts[1].event.steps"},
		{loud, "parts[1].count"},
		{bound, "sigma"},
	} {
		start := time.Now()
		_, err := calibrate.Solve(
			calibrate.Request{Event: c.event, Parameter: c.parameter, Keep: keep(1, 1e-6)},
		)
		var infeasible *calibrate.InfeasibleError
		require.ErrorAs(t, err, &infeasible, c.parameter)
		assert.Equal(t, c.parameter, infeasible.Parameter)
		assert.Contains(t, err.Error(), "even at ")
		assert.Greater(t, infeasible.LogDelta, math.Log(1e-6))
		t.Log(err, time.Since(start))
	}
}

func TestWrongRequestsNameTheField(t *testing.T) {
	good := calibrate.Request{Event: descent(0.01, 1, 10), Parameter: "rate", Keep: keep(1, 1e-6)}
	for field, spoil := range map[string]func(*calibrate.Request){
		"event":      func(r *calibrate.Request) { r.Event = nil },
		"event.rate": func(r *calibrate.Request) { r.Event = descent(2, 1, 10) },
		"parameter":  func(r *calibrate.Request) { r.Parameter = "sigma" },
		"epsilon":    func(r *calibrate.Request) { r.Keep.Epsilon = math.NaN() },
		"delta":      func(r *calibrate.Request) { r.Keep.Delta = 1 },
		"adjacency":  func(r *calibrate.Request) { r.Keep.Adjacency = privacy.ReplaceOne },
		"bound":      func(r *calibrate.Request) { r.Bound = "best" },
	} {
		request := good
		spoil(&request)
		_, err := calibrate.Solve(request)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
	mixed := privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts:     []privacy.Part{{Event: good.Event, Count: 1}},
	}
	for _, path := range []string{"parts", "parts[", "parts[0]", "parts[0].", "parts[1].count", "parts[].count", "parts[x].count", "parts[0].event.sigma", "parts[00000000000000000001].count"} {
		request := good
		request.Event, request.Parameter = mixed, path
		_, err := calibrate.Solve(request)
		assert.ErrorContains(t, err, "parameter", path)
	}
	for _, path := range []string{"", "parts", "parts[0]", "parts[3].count", "parts[x].count", "parts[].count", "parts[99999999999999999999].count", "base.sigma", "noise_multiplier.", "adjacency"} {
		request := good
		request.Parameter = path
		_, err := calibrate.Solve(request)
		assert.Error(t, err, path)
	}
	request := good
	request.Event = privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 1}
	request.Parameter = "noise"
	_, err := calibrate.Solve(request)
	assert.ErrorContains(t, err, "parameter")
}

// The Gaussian mechanism's own calibration is the closed form's.
func TestGaussianAgreesWithAccount(t *testing.T) {
	want, err := calibrate.Gaussian(0.7, 1e-9, 3)
	require.NoError(t, err)
	answer := solved(t, calibrate.Request{
		Event: privacy.Gaussian{
			Adjacency:   privacy.AddRemove,
			Sensitivity: 3,
			Sigma:       1,
		}, Parameter: "sigma", Keep: keep(0.7, 1e-9),
	})
	assert.InEpsilon(t, want, answer.Value, 2e-9)
	assert.GreaterOrEqual(t, answer.Value, want*(1-1e-11))
	assert.Equal(t, account.Closed, answer.Method)
}

func BenchmarkNoiseOfDescent(b *testing.B) {
	for range b.N {
		if _, err := calibrate.Solve(
			calibrate.Request{Event: descent(0.01, 1, 10_000), Parameter: "noise_multiplier", Keep: keep(2, 1e-5)},
		); err != nil {
			b.Fatal(err)
		}
	}
}
