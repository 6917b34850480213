package calibrate

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

func addRemove(epsilon, delta float64) privacy.Guarantee {
	return privacy.Guarantee{Epsilon: epsilon, Delta: delta, Adjacency: privacy.AddRemove}
}

func TestReferenceCalibration(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "K") {
		p := c.Params
		g := addRemove(p.Epsilon, p.Delta)
		if c.Kind == "gauss_sigma" {
			got, err := Gaussian(p.Epsilon, p.Delta, p.Sensitivity)
			require.NoError(t, err)
			want := c.number(t, "sigma")
			assert.LessOrEqual(t, got/want-1, 1e-10, c.ID)
			assert.GreaterOrEqual(t, got/want-1, -4e-16, "%s is safe", c.ID)
			continue
		}
		if c.Kind == "dpsgd_sigma" {
			continue // priced by composition of subsampled Gaussians
		}
		event := c.glm()
		var bound objective.Bound
		var trial privacy.Event
		event.Sigma = c.number(t, "sigma")
		event.Lambda = 1
		switch c.Kind {
		case "objpert_lambda":
			bound, trial = objective.BoundProfile, event
			gaussian, err := Gaussian(p.Epsilon, p.Delta, p.L)
			require.NoError(t, err)
			assert.InEpsilon(t, c.number(t, "sigma_gaussian"), gaussian, 1e-9, c.ID)
		case "amp_pld_lambda":
			bound, trial = objective.BoundProfile, privacy.ApproximateMinima{
				Objective: event,
				Tau:       p.Tau,
				SigmaOut:  p.SigmaOut,
			}
		case "amp_rdp_lambda":
			bound, trial = objective.BoundRDP, privacy.ApproximateMinima{
				Objective: event,
				Tau:       p.Tau,
				SigmaOut:  p.SigmaOut,
			}
		default:
			t.Fatalf("%s: kind %s", c.ID, c.Kind)
		}
		got, err := SmallestLambda(trial, g, bound)
		if feasible, _ := c.Expected["feasible"].(bool); !feasible {
			var infeasible *UnattainableError
			assert.True(t, errors.As(err, &infeasible), "%s: %v", c.ID, err)
			continue
		}
		require.NoError(t, err, c.ID)
		want := c.number(t, "lambda_")
		assert.LessOrEqual(t, got/want-1, 1e-7, "%s: want %v, got %v", c.ID, want, got)
		assert.GreaterOrEqual(t, got/want-1, -1e-12, "%s is safe: want %v, got %v", c.ID, want, got)
	}
}

func request(epsilon, delta float64, loss privacy.LossClass, bound objective.Bound) MinimaRequest {
	return MinimaRequest{
		Guarantee: addRemove(epsilon, delta), Loss: loss, Bound: bound,
		RowNorm: math.Sqrt2, Lipschitz: math.Sqrt2, Smoothness: 0.25, Dimension: 105,
	}
}

func TestCalibrateMinimaKeepsItsPromise(t *testing.T) {
	type ask struct {
		loss  privacy.LossClass
		bound objective.Bound
	}
	var asks []ask
	for _, loss := range []privacy.LossClass{
		privacy.LossLogistic, privacy.LossHinge, privacy.LossSigned, privacy.LossGLM,
	} {
		for _, bound := range append(objective.Applicable(loss), objective.BoundAuto, "") {
			asks = append(asks, ask{loss, bound})
		}
	}
	for _, epsilon := range []float64{0.1, 1, 8} {
		for _, a := range asks {
			for _, lambda := range []float64{0, 2} {
				r := request(epsilon, 1e-5, a.loss, a.bound)
				if r.Lambda = lambda; a.loss == privacy.LossHinge {
					r.Smoothness = 1
				}
				name := []any{epsilon, a.loss, a.bound, lambda}
				event, err := Minima(r)
				var tooSmall *privacy.ParameterError
				var infeasible *UnattainableError
				if lambda > 0 && (errors.As(err, &tooSmall) || errors.As(err, &infeasible)) {
					// c' alone exceeds ε, or the bound has a smallest λ of its own.
					published := a.bound == objective.BoundProfile ||
						a.bound == objective.BoundRDP ||
						a.bound == objective.BoundKifer
					assert.True(
						t, published || math.Log1p(0.5/lambda) > epsilon, "%v: %v", name, err,
					)
					continue
				}
				require.NoError(t, err, "%v", name)
				require.NoError(t, event.Validate())
				if lambda > 0 {
					assert.Equal(t, lambda, event.Objective.Lambda)
				}
				bound := a.bound
				if bound == "" {
					bound = objective.BoundAuto
				}
				profile := curveOf(t, event, bound)
				got, err := curve.EpsilonUpper(profile, 1e-5)
				require.NoError(t, err)
				assert.LessOrEqual(t, got, epsilon*(1+1e-11), "%v", name)
				assert.GreaterOrEqual(t, got, epsilon*(1-1e-6), "%v: nothing is wasted", name)
				// Less noise would not do.
				event.Objective.Sigma *= 1 - 1e-6
				delta, err := curve.DeltaUpper(curveOf(t, event, bound), epsilon)
				require.NoError(t, err)
				assert.Greater(t, delta, 1e-5, "%v", name)
			}
		}
	}
}

// The zero-overhead theorem: the logistic bound asks for no more noise than a
// Gaussian mechanism, but for the output step's 1e-5.
func TestCalibrateMinimaLogisticCostsOneGaussian(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 8} {
		event, err := Minima(request(epsilon, 1e-5, privacy.LossLogistic, objective.BoundAuto))
		require.NoError(t, err)
		sigma, err := Gaussian(epsilon, 1e-5, math.Sqrt2)
		require.NoError(t, err)
		assert.Greater(t, event.Objective.Sigma, sigma)
		assert.Less(t, event.Objective.Sigma, sigma*(1+3e-5))
		assert.GreaterOrEqual(
			t, event.Objective.Lambda, objective.ZeroOverheadLambda(epsilon, math.Sqrt2, sigma),
		)
		_, muOut, _ := objective.Decompose(event)
		assert.LessOrEqual(t, muOut, math.Sqrt2/sigma/outputShare*1.01)
	}
}

// So does that of the rounded hinge.
func TestCalibrateMinimaHingeCostsOneGaussian(t *testing.T) {
	for _, epsilon := range []float64{0.05, 0.5, 1, 8, 30} {
		r := request(epsilon, 1e-5, privacy.LossHinge, objective.BoundAuto)
		r.Smoothness, r.Lipschitz = 1, 0
		event, err := Minima(r)
		require.NoError(t, err)
		assert.Equal(t, math.Sqrt2, event.Objective.Lipschitz)
		sigma, err := Gaussian(epsilon, 1e-5, math.Sqrt2)
		require.NoError(t, err)
		assert.Greater(t, event.Objective.Sigma, sigma)
		assert.Less(t, event.Objective.Sigma, sigma*(1+3e-5), "ε = %v", epsilon)
		assert.GreaterOrEqual(t, event.Objective.Lambda, 2/epsilon)
		r.Guarantee.Adjacency = privacy.ReplaceOne
		event, err = Minima(r)
		require.NoError(t, err)
		half, err := Gaussian(epsilon, 1e-5, 2*math.Sqrt2)
		require.NoError(t, err)
		assert.Less(t, event.Objective.Sigma, 1.3*half, "ε = %v", epsilon)
	}
}

func TestCalibrateMinimaSmooth(t *testing.T) {
	r := MinimaRequest{
		Guarantee: addRemove(
			2, 1e-6,
		), Loss: privacy.LossSmooth, Lipschitz: 1, Smoothness: 0.25, Dimension: 5, RadiusGuess: 10,
	}
	event, err := Minima(r)
	require.NoError(t, err)
	delta, err := curve.DeltaUpper(curveOf(t, event, objective.BoundAuto), 2)
	require.NoError(t, err)
	assert.LessOrEqual(t, delta, 1e-6)
	assert.Greater(t, delta, 0.99e-6)
}

func TestCalibrateMinimaReplaceOne(t *testing.T) {
	for _, bound := range []objective.Bound{objective.BoundLogistic, objective.BoundProfile} {
		r := request(1, 1e-5, privacy.LossLogistic, bound)
		one, err := Minima(r)
		require.NoError(t, err)
		r.Guarantee.Adjacency = privacy.ReplaceOne
		two, err := Minima(r)
		require.NoError(t, err)
		assert.Equal(t, privacy.ReplaceOne, two.Neighbours())
		assert.Greater(t, two.Objective.Sigma, one.Objective.Sigma)
		assert.Less(t, two.Objective.Sigma, 3*one.Objective.Sigma)
		delta, err := curve.DeltaUpper(curveOf(t, two, bound), 1)
		require.NoError(t, err)
		assert.LessOrEqual(t, delta, 1e-5)
	}
}

func TestCalibrateRefusals(t *testing.T) {
	good := request(1, 1e-5, privacy.LossLogistic, objective.BoundAuto)
	for field, change := range map[string]func(*MinimaRequest){
		"epsilon":      func(r *MinimaRequest) { r.Guarantee.Epsilon = 0 },
		"delta":        func(r *MinimaRequest) { r.Guarantee.Delta = 1 },
		"adjacency":    func(r *MinimaRequest) { r.Guarantee.Adjacency = 0 },
		"row_norm":     func(r *MinimaRequest) { r.RowNorm = math.NaN() },
		"lipschitz":    func(r *MinimaRequest) { r.Lipschitz = 3 },
		"smoothness":   func(r *MinimaRequest) { r.Smoothness = 1 },
		"dimension":    func(r *MinimaRequest) { r.Dimension = 0 },
		"radius_guess": func(r *MinimaRequest) { r.RadiusGuess = math.Inf(1) },
		"lambda":       func(r *MinimaRequest) { r.Lambda = -1 },
		"tau":          func(r *MinimaRequest) { r.Tau = math.NaN() },
		"loss":         func(r *MinimaRequest) { r.Loss = "cubic" },
		"bound":        func(r *MinimaRequest) { r.Bound = "sharpest" },
	} {
		r := good
		change(&r)
		_, err := Minima(r)
		var parameter *privacy.ParameterError
		require.True(t, errors.As(err, &parameter), "%s: %v", field, err)
		assert.Equal(t, field, parameter.Field)
	}
	r := good
	r.Loss, r.Bound = privacy.LossGLM, objective.BoundLogistic
	_, err := Minima(r)
	var inapplicable *objective.InapplicableError
	require.True(t, errors.As(err, &inapplicable))
	assert.Equal(
		t,
		[]objective.Bound{
			objective.BoundGLM,
			objective.BoundProfile,
			objective.BoundRDP,
			objective.BoundKifer,
		},
		inapplicable.Instead,
	)

	_, err = Gaussian(1, 1e-5, -1)
	assert.ErrorContains(t, err, "sensitivity")
	_, err = SmallestSigma(nil, addRemove(1, 1e-5), objective.BoundAuto)
	assert.ErrorContains(t, err, "event")
	_, err = SmallestSigma(
		privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1}, addRemove(1, 1e-5),
		objective.BoundAuto,
	)
	assert.ErrorContains(t, err, "adjacency")
	_, err = SmallestLambda(
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1}, addRemove(1, 1e-5),
		objective.BoundAuto,
	)
	assert.ErrorContains(t, err, "mechanism")
}

func TestCalibrationValues(t *testing.T) {
	for _, c := range []struct{ epsilon, delta, sigma float64 }{
		{0.1, 1e-5, 30.749566131977448472},
		{1, 1e-5, 3.7306316348159418139},
		{8, 1e-10, 0.83398922953798898938},
	} {
		sigma, err := Gaussian(c.epsilon, c.delta, 2)
		require.NoError(t, err)
		assert.InEpsilon(t, 2*c.sigma, sigma, 1e-11)
		assert.GreaterOrEqual(t, sigma, 2*c.sigma)
	}
}
