package calibrate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

func defaultRequest(epsilon float64, bound objective.Bound) MinimaRequest {
	r := request(epsilon, 1e-5, privacy.LossLogistic, bound)
	r.Lipschitz = 0
	return r
}

func TestDefaultsKeepTheirPromise(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.1, 1, 8, 100} {
		for _, bound := range []objective.Bound{
			"", objective.BoundAuto, objective.BoundLogistic, objective.BoundSigned,
			objective.BoundProfile, objective.BoundKifer,
		} {
			event, err := Minima(defaultRequest(epsilon, bound))
			require.NoError(t, err, "%v %v", epsilon, bound)
			assert.InEpsilon(t, DefaultClip*math.Sqrt2, event.Objective.Lipschitz, 1e-15)
			if bound == "" {
				bound = objective.BoundAuto
			}
			delta, err := curve.DeltaUpper(curveOf(t, event, bound), epsilon)
			require.NoError(t, err)
			assert.LessOrEqual(t, delta, 1e-5)
			if bound == objective.BoundAuto {
				lambda, err := DefaultLambda(epsilon, 1e-5, math.Sqrt2, 105)
				require.NoError(t, err)
				assert.Equal(t, lambda, event.Objective.Lambda)
			}
		}
	}
}

// What the default λ costs in noise against λ₀, and that clipping is worth it.
func TestDefaultsInNoise(t *testing.T) {
	for epsilon, most := range map[float64]float64{0.1: 1.02, 1: 1.10, 8: 1.11} {
		event, err := Minima(defaultRequest(epsilon, objective.BoundAuto))
		require.NoError(t, err)
		gaussian, err := Gaussian(epsilon, 1e-5, math.Sqrt2)
		require.NoError(t, err)
		r := defaultRequest(epsilon, objective.BoundAuto)
		r.Lambda = objective.ZeroOverheadLambda(epsilon, math.Sqrt2, gaussian)
		other, err := Minima(r)
		require.NoError(t, err)
		t.Logf(
			"ε = %g: σ/σ_G = %.4f, %.4f with λ₀", epsilon, event.Objective.Sigma/gaussian,
			other.Objective.Sigma/gaussian,
		)
		assert.Less(t, event.Objective.Sigma, most*other.Objective.Sigma)
		assert.Less(t, event.Objective.Sigma, 0.79*gaussian)
	}
}

func TestDefaultsLeaveWhatIsGiven(t *testing.T) {
	for name, change := range map[string]func(*MinimaRequest){
		"lipschitz": func(r *MinimaRequest) { r.Lipschitz = 1 },
		"lambda":    func(r *MinimaRequest) { r.Lambda = 3 },
		"radius":    func(r *MinimaRequest) { r.RadiusGuess = 5 },
	} {
		r := defaultRequest(1, objective.BoundAuto)
		change(&r)
		event, err := Minima(r)
		require.NoError(t, err, name)
		lambda, err := DefaultLambda(1, 1e-5, math.Sqrt2, 105)
		require.NoError(t, err)
		assert.NotEqual(t, lambda, event.Objective.Lambda, name)
	}
	r := defaultRequest(1, "sharp")
	_, err := Minima(r)
	var bad *privacy.ParameterError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "bound", bad.Field)
	_, err = Minima(
		MinimaRequest{
			Guarantee:  addRemove(1, 1e-5),
			Loss:       privacy.LossLogistic,
			Smoothness: 0.25,
			Dimension:  3,
		},
	)
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "row_norm", bad.Field)
}

// The other classes have defaults of their own: L, and λ by a guess of ‖θ*‖.
func TestDefaultsOfOtherLosses(t *testing.T) {
	for _, c := range []struct {
		loss             privacy.LossClass
		epsilon          float64
		lipschitz, guess float64 // in units of R and 1/R
	}{
		{privacy.LossSigned, 1, 1, 32}, {privacy.LossSigned, 0.1, 1, 32 * math.Pow(0.1, 0.3)},
		{privacy.LossGLM, 0.1, 0.25, 4}, {privacy.LossGLM, 8, 0.25, 4},
	} {
		r := request(c.epsilon, 1e-5, c.loss, objective.BoundAuto)
		r.Lipschitz = 0
		event, err := Minima(r)
		require.NoError(t, err)
		assert.Equal(t, c.lipschitz*r.RowNorm, event.Objective.Lipschitz)
		r.Lipschitz, r.RadiusGuess = c.lipschitz*r.RowNorm, c.guess/r.RowNorm
		same, err := Minima(r)
		require.NoError(t, err)
		assert.InEpsilon(t, same.Objective.Lambda, event.Objective.Lambda, 1e-6)
		delta, err := curve.DeltaUpper(curveOf(t, event, objective.BoundAuto), c.epsilon)
		require.NoError(t, err)
		assert.LessOrEqual(t, delta, 1e-5)
		r.RadiusGuess = 0 // and the guess does not hang on L
		same, err = Minima(r)
		require.NoError(t, err)
		assert.InEpsilon(t, same.Objective.Lambda, event.Objective.Lambda, 1e-6)
		r.RadiusGuess = c.guess / r.RowNorm / 3
		other, err := Minima(r)
		require.NoError(t, err)
		assert.Greater(t, other.Objective.Lambda, event.Objective.Lambda)
	}
	r := request(-1, 1e-5, privacy.LossSigned, objective.BoundAuto)
	r.Lipschitz = 0
	_, err := Minima(r)
	assert.ErrorContains(t, err, "epsilon")
}

// In few dimensions the default λ is R²/(ε + 12 R²/(2σ²)), in many it grows with
// √d; it does not fall with d, nor grow with ε.
func TestDefaultLambdaByDimension(t *testing.T) {
	for _, epsilon := range []float64{0.01, 0.1, 1, 8} {
		sigma, err := Gaussian(epsilon, 1e-5, 2)
		require.NoError(t, err)
		last := 0.0
		for _, d := range []int{1, 5, 31, 105, 301, 4096} {
			lambda, err := DefaultLambda(epsilon, 1e-5, 2, d)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, lambda, last)
			more, err := DefaultLambda(epsilon*1.1, 1e-5, 2, d)
			require.NoError(t, err)
			assert.Less(t, more, lambda)
			last = lambda
		}
		few, err := DefaultLambda(epsilon, 1e-5, 2, 5)
		require.NoError(t, err)
		assert.InEpsilon(t, 4/(epsilon+24/(sigma*sigma)), few, 1e-12)
		many, err := DefaultLambda(epsilon, 1e-5, 2, 4096)
		require.NoError(t, err)
		assert.InEpsilon(t, sigma*64*2/(60*math.Pow(epsilon, 0.35)), many, 1e-12)
	}
	_, err := DefaultLambda(-1, 1e-5, 2, 5)
	assert.Error(t, err)
}
