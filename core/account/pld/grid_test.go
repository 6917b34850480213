package pld

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// every loss that there is, by name.
func everyLoss(t *testing.T) map[string]source {
	t.Helper()
	added, removed := subsampledLosses(0.01, 0.8)
	rare, rarely := subsampledLosses(1e-4, 0.5)
	often, oftenless := subsampledLosses(0.9, 5)
	steep, _, err := objective.Losses(privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 0.1, Sigma: 4,
	}, objective.BoundLogistic)
	require.NoError(t, err)
	mild, _, err := objective.Losses(privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 0.7, Smoothness: 0.25, Lambda: 3, Sigma: 2,
	}, objective.BoundLogistic)
	require.NoError(t, err)
	return map[string]source{
		"Gaussian":                    gaussianLoss(0.4),
		"half-normal":                 halfNormalLoss(0.05, 0.3),
		"cut Gaussian":                cutGaussianLoss(0.1, 0.3),
		"logistic, curved":            convexLoss(steep, 0.25),
		"logistic, mild":              convexLoss(mild, 0.35),
		"Laplace":                     laplaceLoss(0.7),
		"subsampled, added":           added,
		"subsampled, removed":         removed,
		"subsampled rarely, added":    rare,
		"subsampled rarely, removed":  rarely,
		"subsampled often, added":     often,
		"subsampled often, removed":   oftenless,
		"randomised response":         responseLoss(0.6, 2),
		"randomised response among 5": responseLoss(0.4, 5),
		"pure":                        pureLoss(1.3),
		"approximate":                 approximateLoss(0.2, 1e-3),
		"discrete Laplace":            discreteLaplaceLoss(1, 2),
		"discrete Laplace, far":       discreteLaplaceLoss(40, 20),
		"discrete Laplace, grouped":   discreteLaplaceLoss(200_000, 1e5),
		"discrete Gaussian":           discreteGaussianLoss(1, 3),
		"discrete Gaussian, fine":     discreteGaussianLoss(3, 200),
		"discrete Gaussian, grouped":  discreteGaussianLoss(500, 20_000),
		"zCDP":                        concentrated(0.05, 0x1p-48),
	}
}

// profile is Σ [1 − e^{ε−ω}]₊ p of a measure.
func (m *measure) profile(epsilon float64) float64 {
	sum := m.infinite
	for j, mass := range m.mass {
		if gain := -math.Expm1(epsilon - m.offset - float64(j)*m.step); gain > 0 {
			sum += gain * mass
		}
	}
	return sum
}

// exact is a loss's own profile at many ε.
type exact struct{ epsilon, low, high []float64 }

func exactOf(s source) exact {
	var e exact
	for i := -40; i <= 80; i++ {
		epsilon := float64(i) * 0.0431
		low, high := s.logDelta(epsilon)
		e.epsilon = append(e.epsilon, epsilon)
		e.low, e.high = append(e.low, math.Exp(low)), append(e.high, math.Exp(high))
	}
	return e
}

// wrong returns how far a grid's profiles are on the wrong side of the exact
// one, relative to it; ≤ 0 if nowhere.
func (e exact) wrong(upper, lower *measure) float64 {
	worst := math.Inf(-1)
	for i, epsilon := range e.epsilon {
		// 1e-14 is what a grid cuts off.
		worst = math.Max(worst, (e.low[i]-upper.profile(epsilon+upper.slip))/(e.low[i]+1e-14))
		worst = math.Max(worst, (lower.profile(epsilon-lower.slip)-e.high[i])/(e.high[i]+1e-14))
	}
	return worst
}

func layoutOf(s source, step, tilt float64) *layout {
	omega, weight := s.table(1e-15, 1e-20, fine)
	loss := newNodes(omega, weight, 1)
	v := view{tilt: tilt, logMoment: loss.logMoment(tilt), most: math.Inf(1)}
	return &layout{step: step, low: 1e-15, high: 1e-20, runs: 1, views: [2]view{v, v}}
}

func TestGridsEncloseEveryProfile(t *testing.T) {
	nativetest.Only(t)
	for name, s := range everyLoss(t) {
		exact := exactOf(s)
		for _, step := range []float64{0.3, 0.041, 0.0071} {
			for _, tilt := range []float64{0, 1, 12} {
				if step < 0.01 && tilt != 1 && !long() {
					continue // long grids, tilted as the shorter ones are
				}
				g := layoutOf(s, step, tilt)
				upper, lower := s.upper(g), s.lower(g)
				assert.LessOrEqual(
					t, exact.wrong(upper, lower), 1e-10, "%s, step %v, tilt %v", name, step, tilt,
				)
			}
		}
	}
}

// Halving the step divides the distance of the ends by four, once steps are
// small beside the loss's own scale: nothing of first order is left.
func TestGridsAreOfSecondOrder(t *testing.T) {
	for name, s := range everyLoss(t) {
		if _, bound := s.(*promise); bound {
			continue // its ends are different mechanisms
		}
		// The mean distance over ε, which is not 0 at grid points by chance.
		distance := func(step float64) float64 {
			g := layoutOf(s, step, 2)
			upper, lower := s.upper(g), s.lower(g)
			sum := 0.0
			for i := range 50 {
				epsilon := 0.0117 * float64(i)
				sum += upper.profile(epsilon) - lower.profile(epsilon)
			}
			return sum
		}
		if l, ok := s.(*loss); ok && l.lattice > 0 && len(l.pieces) == 0 {
			continue // exact where the step fits, and of first order elsewhere
		}
		omega, weight := s.table(1e-15, 1e-20, fine)
		loss := newNodes(omega, weight, 1)
		_, _, variance := loss.at(0)
		scale := math.Sqrt(variance)
		if strings.Contains(name, "rarely") {
			continue // most of it varies so little that a fine grid is very long
		}
		assert.Less(t, distance(scale/32), distance(scale/8)/8, name)
	}
}

// The check above has power: a grid in which one thing is wrong does not pass.
func TestSabotagedGridsAreCaught(t *testing.T) {
	s := gaussianLoss(0.4)
	exact := exactOf(s)
	make := func() (upper, lower *measure) {
		g := layoutOf(s, 0.041, 1)
		return s.upper(g), s.lower(g)
	}
	upper, lower := make()
	require.LessOrEqual(t, exact.wrong(upper, lower), 1e-10)
	assert.Greater(t, exact.wrong(lower, upper), 1e-4, "ends exchanged")

	upper, lower = make()
	upper.offset -= upper.step / 2
	assert.Greater(
		t, exact.wrong(upper, lower), 1e-4, "losses rounded to nearest instead of upwards",
	)

	upper, lower = make()
	lower.offset += 1e-4
	assert.Greater(
		t, exact.wrong(upper, lower), 1e-5, "bins that are a little dearer than their mass",
	)

	upper, lower = make()
	for j := range upper.mass {
		upper.mass[j] *= 1 - 1e-6
	}
	assert.Greater(t, exact.wrong(upper, lower), 1e-7, "mass forgotten")

	added, removed := subsampledLosses(0.01, 0.8)
	g := layoutOf(removed, 0.0071, 1)
	assert.Greater(
		t, exactOf(added).wrong(removed.upper(g), removed.lower(g)), 1e-3, "the other direction",
	)
}
