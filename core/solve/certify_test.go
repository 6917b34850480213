package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

// nasty gives points of several kinds: where margins are huge, tiny, cancel,
// or all sit on the kink of the clipped loss.
func nasty(d int) map[string][]float64 {
	source := seeded(77)
	points := map[string][]float64{"zero": make([]float64, d)}
	for name, size := range map[string]float64{"small": 1e-9, "ordinary": 3, "large": 100, "huge": 1500} {
		theta := make([]float64, d)
		for j := range theta {
			theta[j] = size * source.symmetric()
		}
		points[name] = theta
	}
	cancelling := make([]float64, d)
	for j := range cancelling {
		cancelling[j] = 1e6 * (1 - 2*float64(j%2)) * (1 + 1e-9*source.symmetric())
	}
	points["cancelling"] = cancelling
	mixed := make([]float64, d)
	for j := range mixed {
		mixed[j] = math.Pow(10, 6*source.symmetric())
	}
	points["mixed"] = mixed
	subnormal := make([]float64, d)
	for j := range subnormal {
		subnormal[j] = 0x1p-1060 * source.symmetric()
	}
	points["subnormal"] = subnormal
	return points
}

// The certificate against 320-bit arithmetic: the bound holds at every point,
// for the row sums alone and for the whole gradient.
func TestCertificateHolds(t *testing.T) {
	for name, loss := range map[string]glm.Clipped{
		"logistic": logistic(t),
		"clipped":  clip(t, glm.Logistic{}, 0.5),
	} {
		r := census(t, 60, loss)
		o := NewObjective(0.7, perturbation(3, 105, 30), r)
		for point, theta := range nasty(105) {
			sum := NewSum(105)
			bound := r.Certify(theta, sum)
			require.True(t, finite(bound), "%s %s", name, point)
			alone := &Objective{Parts: o.Parts, Lambda: 0}
			assert.LessOrEqual(
				t, preciseDistance(preciseGradient(alone, theta), sum), up(bound+sum.ErrorBound()),
				"%s %s", name, point,
			)

			certificate := o.Certify(theta)
			truth := preciseNorm(preciseGradient(o, theta))
			assert.LessOrEqual(t, truth, certificate.Upper(), "%s %s", name, point)
			assert.GreaterOrEqual(
				t, truth, certificate.GradientNorm*(1-1e-13)-certificate.RoundingBound, "%s %s",
				name, point,
			)
		}
	}
}

// The bound is of the size that a worst case over signs makes it, and not
// absurd: for 200 rows within a factor 10⁴ of the error (190 and 1800 here; it
// takes f” for its bound β, so it is loose where margins are huge), and for as
// many rows as Adult has below 1e-9 at an ordinary θ.
func TestCertificateIsNotLoose(t *testing.T) {
	r := census(t, 200, logistic(t))
	alone := &Objective{Parts: []Part{r}, Lambda: 0}
	for _, point := range []string{"ordinary", "large"} {
		theta := nasty(105)[point]
		sum := NewSum(105)
		bound := r.Certify(theta, sum)
		distance := preciseDistance(preciseGradient(alone, theta), sum)
		t.Logf("%s: error %.3g, bound %.3g, ratio %.0f", point, distance, bound, bound/distance)
		assert.Less(t, bound, 1e4*distance, point)
	}
	o := NewObjective(10, nil, census(t, 36177, logistic(t)))
	bound := o.Certify(nasty(105)["ordinary"]).RoundingBound
	t.Logf("36,177 rows: bound %.3g", bound)
	assert.Less(t, bound, 1e-9)
}

// What a certificate must notice: one float of θ moved far enough.
func TestCertificateSeesAWrongPoint(t *testing.T) {
	r := census(t, 200, logistic(t))
	o := NewObjective(1, perturbation(3, 105, 3), r)
	result, err := Newton(t.Context(), o, Options{Tolerance: 1e-9})
	require.NoError(t, err)
	require.LessOrEqual(t, result.Certificate.Upper(), 1e-9)
	theta := append([]float64(nil), result.Theta...)
	theta[50] += 2e-9
	assert.Greater(t, o.Certify(theta).Upper(), 1e-9)
}

func TestCertificateOfOverflowProvesNothing(t *testing.T) {
	r := rowsOf(logistic(t), 2, [][]float64{{1, 1}, {1, -1}}, []float64{1, -1})
	o := NewObjective(1, nil, r)
	for _, theta := range [][]float64{
		{math.MaxFloat64, math.MaxFloat64}, {math.Inf(1), 0}, {math.NaN(), 0}, {math.Inf(1), math.Inf(1)},
	} {
		assert.False(t, o.Certify(theta).Upper() <= 1e300, "%v", theta)
	}
}

func TestCertificateOfTinyRows(t *testing.T) {
	// The squares of these entries underflow; the bound must not.
	r := rowsOf(logistic(t), 1, [][]float64{{1e-200, 3e-200}, {2e-200, -1e-190}}, []float64{1, -1})
	theta := []float64{1e200, -2e180}
	sum := NewSum(2)
	bound := r.Certify(theta, sum)
	alone := &Objective{Parts: []Part{r}, Lambda: 0}
	assert.LessOrEqual(t, preciseDistance(preciseGradient(alone, theta), sum), bound)
	assert.Less(t, bound, 1e-200)
}

func TestThinnedRowsAreNotCertified(t *testing.T) {
	r := census(t, 100, logistic(t))
	assert.Panics(t, func() { r.Thin(2).Certify(make([]float64, 105), NewSum(105)) })
}
