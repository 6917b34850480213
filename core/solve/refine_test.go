package solve

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

// opposed are n rows of norm about 1 that are nearly opposite to each other, but
// labelled alike: what parts them is a small feature, for which θ has to be long,
// of about √(n/4λ), while margins in the other direction cancel to 1 or so.
func opposed(n int, lambda float64, loss glm.Clipped) *Objective {
	small := math.Sqrt(2 * lambda / float64(n))
	rows, labels := make([][]float64, n), make([]float64, n)
	for i := range rows {
		rows[i], labels[i] = []float64{0.7 + small, small - 0.7}, 1
		if i%3 == 0 {
			rows[i] = []float64{small - 0.7, 0.7 + small}
		}
	}
	return NewObjective(lambda, []float64{0.3, -0.3}, rowsOf(loss, 1, rows, labels))
}

// Where no float is near enough to the minimiser, a point between floats is
// certified: whether a fit is refused does not depend on how the records lie, or on
// how many they are. Without refine, Newton's method is stalled here.
func TestNewtonGoesBelowTheLastBitOfTheta(t *testing.T) {
	narrow, err := glm.NewHuber(1.0 / 128)
	require.NoError(t, err)
	for name, loss := range map[string]glm.Clipped{
		"logistic": logistic(t), "clipped": clip(
			t, glm.Logistic{}, 0.4,
		), "squared": clip(t, glm.Squared{}, 0.9), "huber": clip(t, narrow, 1),
	} {
		for _, lambda := range []float64{1e-9, 1e-10, 1e-12} {
			o := opposed(999, lambda, loss)
			const tolerance = 1e-10
			result, err := Newton(t.Context(), o, Options{Tolerance: tolerance})
			require.NoError(t, err, "%s, λ = %g", name, lambda)
			c := result.Certificate
			assert.LessOrEqual(t, c.Upper(), tolerance)
			assert.Equal(
				t, c, o.Certify(result.Point()), "it is the certificate of what is returned",
			)
			if result.Low == nil {
				continue
			}
			assert.GreaterOrEqual(t, c.Offset, lambda*math.Hypot(result.Low[0], result.Low[1]))
			assert.Greater(
				t, o.Certify(result.Theta).Upper(), tolerance, "%s, λ = %g: floats would have done",
				name, lambda,
			)
			for j, low := range result.Low {
				assert.LessOrEqual(t, math.Abs(low), math.Abs(result.Theta[j])*0x1p-53)
			}
			if loss.Loss() == (glm.Logistic{}) {
				truth := preciseNorm(preciseGradient(o, result.Point()))
				assert.LessOrEqual(t, truth, up(c.GradientNorm+c.RoundingBound))
				assert.LessOrEqual(t, truth, tolerance)
			}
		}
	}
	// Where floats do, nothing is lower.
	result, err := Newton(t.Context(), opposed(999, 1e-3, logistic(t)), Options{Tolerance: 1e-9})
	require.NoError(t, err)
	assert.Nil(t, result.Low)
	assert.Zero(t, result.Certificate.Offset)
	assert.Equal(t, result.Theta, result.Point())
}

// The gradient can be a rounding error whose steps pass for progress until the iterations are
// over. Without refine after them, Newton's method certifies nothing there.
func TestNewtonOutlivesStepsThatRoundingErrorsTake(t *testing.T) {
	over := 0
	for trial := range 40 {
		o := opposed(300, 1e-6, logistic(t))
		o.Linear[0], o.Linear[1] = 0.3+float64(trial)/64, 0
		const tolerance = 1e-10
		result, err := Newton(t.Context(), o, Options{Tolerance: tolerance})
		require.NoError(t, err, trial)
		assert.LessOrEqual(t, result.Certificate.Upper(), tolerance)
		assert.LessOrEqual(t, preciseNorm(preciseGradient(o, result.Point())), tolerance)
		if result.Iterations == DefaultIterations {
			over++
		}
		// Where the certificate's own rounding leaves no room, there is no point to find.
		var failed *NotConvergedError
		_, err = Newton(t.Context(), o, Options{Tolerance: 1e-13})
		require.ErrorAs(t, err, &failed)
		assert.NotEqual(t, ReasonIterations, failed.Reason)

		_, err = Newton(t.Context(), o, Options{Tolerance: tolerance, Iterations: 3})
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, ReasonIterations, failed.Reason, "what is asked for is kept to")
	}
	t.Logf("%d of 40 had all iterations", over)
}

// What is certified of the sum of two halves holds against 320-bit arithmetic,
// sparse and dense, also where margins cancel and the compensated ones are needed.
func TestCertificateOfASumOfHalvesHolds(t *testing.T) {
	dense, sparse := denseRows(t, 40, 12, 64)
	o := NewObjective(0.7, perturbation(3, 12, 30), sparse)
	source := seeded(9)
	for name, theta := range nasty(12) {
		point := append([]float64(nil), theta...)
		for _, x := range theta {
			point = append(point, x*0x1p-53*source.symmetric())
		}
		c, alike := o.Certify(point), NewObjective(0.7, o.Linear, dense).Certify(point)
		truth := preciseNorm(preciseGradient(o, point))
		for _, c := range []Certificate{c, alike} {
			assert.LessOrEqual(t, truth, up(c.GradientNorm+c.RoundingBound), name)
			assert.GreaterOrEqual(t, truth, c.GradientNorm*(1-1e-13)-c.RoundingBound, name)
		}
		assert.GreaterOrEqual(t, c.Offset, 0.7*norm(point[12:]), name)
		assert.LessOrEqual(
			t, c.RoundingBound, 40*0x1p-45+norm(theta)*0x1p-90,
			"%s: the bound is no matter of how long θ is", name,
		)
	}
}

// A compensated margin is within its bound of the exact one, and the bound is
// hardly more than a last bit of it.
func TestFineMarginIsWithinItsBound(t *testing.T) {
	source := seeded(10)
	for trial := range 2000 {
		k := 1 + trial%40
		entry, theta, low := make([]float64, k), make([]float64, k), make([]float64, k)
		exact, magnitude := precise(0), 0.0
		for j := range entry {
			entry[j], theta[j] = source.symmetric(), math.Pow(10, 9*source.symmetric())
			if j%2 == 1 { // nearly what takes away the one before it
				entry[j], theta[j] = entry[j-1]*(1+1e-9*source.symmetric()), -theta[j-1]
			}
			low[j] = theta[j] * 0x1p-53 * source.symmetric()
			magnitude += math.Abs(entry[j] * theta[j])
			for _, x := range []float64{theta[j], low[j]} {
				exact.Add(
					exact, new(big.Float).SetPrec(precision).Mul(precise(entry[j]), precise(x)),
				)
			}
		}
		margin, eta := fineMargin(nil, entry, theta, low)
		apart, _ := new(big.Float).Sub(exact, precise(margin)).Float64()
		require.LessOrEqual(t, math.Abs(apart), eta)
		require.LessOrEqual(t, eta, 0x1.1p-53*math.Abs(margin)+0x1p-92*magnitude)

		p, e := twoProduct(theta[0], entry[0])
		require.Equal(t, math.FMA(theta[0], entry[0], -p), e)
		require.Equal(t, theta[0]*entry[0], p)
	}
	_, eta := fineMargin(nil, []float64{1, 1}, []float64{1e308, 1e308}, nil)
	assert.False(t, eta <= math.MaxFloat64, "what overflows has no bound")
}

func TestRefineIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result := Result{Theta: []float64{1, 1}}
	assert.Equal(t, interrupted, refine(ctx, opposed(99, 1e-9, logistic(t)), 1e-12, &result))
}
