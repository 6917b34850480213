package outpert

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func requestFor(problem learn.Problem, adjacency privacy.Adjacency, epsilon float64) Request {
	return Request{
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: adjacency},
		Loss:      problem.Loss, Dimension: problem.Dimension(),
		RowNorm: problem.Data.Schema.RowNorm(), Records: 100,
	}
}

func TestRequestsBuyWhatTheyAskFor(t *testing.T) {
	for _, loss := range learntest.Losses(t) {
		problem := learntest.Five()
		problem.Loss = loss
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			for _, epsilon := range []float64{0.05, 1, 8} {
				r := requestFor(problem, adjacency, epsilon)
				deltas := map[Calibration]float64{}
				for _, r.Calibration = range []Calibration{
					CalibrationExact, CalibrationLowyRazaviyayn,
				} {
					plan, err := r.Plan()
					require.NoError(t, err)
					event, err := plan.Event()
					require.NoError(t, err)
					profile, err := objective.Of(event, objective.BoundAuto)
					require.NoError(t, err)
					deltas[r.Calibration], err = curve.DeltaUpper(profile, epsilon)
					require.NoError(t, err)
					_, _, err = Fit(t.Context(), problem, plan, randomtest.New(1), nil)
					require.NoError(t, err)
				}
				assert.LessOrEqual(t, deltas[CalibrationExact], 1e-5)
				assert.Greater(t, deltas[CalibrationExact], 0.9999e-5)
				assert.Less(t, deltas[CalibrationLowyRazaviyayn], 1e-5)
			}
		}
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	for field, change := range map[string]func(*Request){
		"adjacency":   func(r *Request) { r.Guarantee.Adjacency = 0 },
		"epsilon":     func(r *Request) { r.Guarantee.Epsilon = 0 },
		"calibration": func(r *Request) { r.Calibration = "best" },
		"loss":        func(r *Request) { r.Loss = nil },
		"dimension":   func(r *Request) { r.Dimension = -1 },
		"row_norm":    func(r *Request) { r.RowNorm = 0 },
		"clip":        func(r *Request) { r.Clip = math.NaN() },
		"lambda":      func(r *Request) { r.Lambda = -1 },
		"records":     func(r *Request) { r.Records = 0 },
		"reach":       func(r *Request) { r.Reach = math.Inf(1) },
		"radius":      func(r *Request) { r.Radius = -1 },
		"delta": func(r *Request) {
			r.Guarantee.Delta, r.Calibration = 0.6, CalibrationLowyRazaviyayn
		},
	} {
		r := requestFor(learntest.Five(), privacy.AddRemove, 1)
		change(&r)
		_, err := r.Plan()
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
}

// The published calibration is a valid one, and wasteful, wherever it claims to
// be valid.
func TestLowyRazaviyaynSigma(t *testing.T) {
	// c and σ by hand at δ = 1/16: √2 − 1 below the logarithm.
	c := math.Sqrt(math.Log(2 / (math.Sqrt2 - 1)))
	sigma, err := LowyRazaviyaynSigma(3, 2, 1.0/16)
	require.NoError(t, err)
	assert.InEpsilon(t, 3*(c+math.Sqrt(c*c+2))/(2*math.Sqrt2), sigma, 1e-12)
	for _, epsilon := range []float64{1e-3, 0.1, 1, 10, 100} {
		for _, delta := range []float64{1e-12, 1e-5, 0.01, 0.4} {
			published, err := LowyRazaviyaynSigma(1, epsilon, delta)
			require.NoError(t, err)
			exact, err := calibrate.Gaussian(epsilon, delta, 1)
			require.NoError(t, err)
			assert.Greater(t, published, exact, "ε = %g, δ = %g", epsilon, delta)
		}
	}
	for _, bad := range [][3]float64{
		{0, 1, 0.1}, {1, 0, 0.1}, {1, 1, 0}, {1, 1, 0.5}, {math.NaN(), 1, 0.1},
	} {
		_, err := LowyRazaviyaynSigma(bad[0], bad[1], bad[2])
		var parameter *privacy.ParameterError
		assert.ErrorAs(t, err, &parameter)
	}
}

// Balance is where its bound is least: none of a fine grid does better.
func TestBalanceMinimisesItsBound(t *testing.T) {
	for _, c := range []struct {
		unit, curvature, reach float64
		d                      int
	}{{3, 1000, 4, 10}, {0.01, 1e6, 30, 1}, {100, 0, 1, 400}, {1e-9, 1e-9, 1e9, 4096}} {
		bound := func(l float64) float64 {
			return c.curvature*c.unit*c.unit/(2*l*l) + float64(
				c.d,
			)*c.unit*c.unit/(2*l) + l*c.reach*c.reach/2
		}
		lambda := Balance(c.unit, c.curvature, c.d, c.reach)
		for k := -200; k <= 200; k++ {
			assert.GreaterOrEqual(t, bound(lambda*math.Exp(float64(k)/20)), bound(lambda)*(1-1e-12))
		}
	}
	// Without curvature it is σ√d/B, theory §5.
	assert.InEpsilon(t, 100*math.Sqrt(400), Balance(100, 0, 400, 1), 1e-9)
}
