package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/special"
)

// discreteGaussian returns Q(k) ∝ e^{−k²/(2s²)} for |k| ≤ reach, and how
// continuous noise of the same scale falls when rounded, P(k).
func discreteGaussian(s float64, reach int) (q, p []float64) {
	total := 0.0
	for k := -reach; k <= reach; k++ {
		x := float64(k)
		weight := math.Exp(-x * x / (2 * s * s))
		total += weight
		q = append(q, weight)
		p = append(p, special.NormalMass((x-0.5)/s, (x+0.5)/s))
	}
	for i := range q {
		q[i] /= total
	}
	return q, p
}

func TestLatticeRatios(t *testing.T) {
	for _, s := range []float64{3, 7, 30} {
		for _, k := range []float64{2, 3} { // K
			a, b, logT := Lattice{Dimension: 1, Ratio: s}.Correction(k*k, 1)
			reach := int(12 * s)
			q, p := discreteGaussian(s, reach)
			worst, tail := 0.0, 0.0
			for i := range q {
				ratio := math.Log(p[i] / q[i])
				assert.GreaterOrEqual(t, ratio, -a-1e-13, "s = %v, k = %v", s, i-reach)
				if math.Abs(float64(i-reach)) <= k*s {
					assert.LessOrEqual(t, ratio, b+1e-13, "s = %v, k = %v", s, i-reach)
					worst = math.Max(worst, ratio)
				} else {
					tail += p[i]
				}
			}
			assert.LessOrEqual(t, math.Log(tail), logT, "s = %v", s)
			assert.Greater(t, worst, 0.5*b, "s = %v: b is no more than what is needed", s)
		}
	}
}

// The discrete mechanism itself, in two dimensions, against what the correction
// makes of the continuous one's profile.
func TestLatticeCoversTheDiscreteMechanism(t *testing.T) {
	const s, reach = 6.0, 60
	q, _ := discreteGaussian(s, reach)
	lattice := Lattice{Dimension: 2, Ratio: s}
	for _, shift := range []int{1, 4, 9} {
		mu := float64(shift) * math.Sqrt2 / s
		for _, epsilon := range []float64{0, 0.5, 2} {
			exact := 0.0
			for i := shift; i < len(q); i++ {
				for j := shift; j < len(q); j++ {
					exact += math.Max(0, q[i-shift]*q[j-shift]-math.Exp(epsilon)*q[i]*q[j])
				}
			}
			best := 1.0
			for k := 2.0; k <= 6; k += 0.25 {
				a, b, logT := lattice.Correction(k*k, 1)
				bound := math.Exp(
					a,
				) * (math.Exp(logGaussianDelta(epsilon-a-b, mu)) + math.Exp(epsilon-a-b+logT))
				assert.LessOrEqual(t, exact, bound, "shift %d at ε = %v, K = %v", shift, epsilon, k)
				best = math.Min(best, bound)
			}
			assert.Less(
				t, best, math.Max(1.5*exact, exact+0.1),
				"shift %d at ε = %v: the bound says something", shift, epsilon,
			)
		}
	}
}

// At the ratios that events may have the correction is next to nothing, and it
// is never nothing or less.
func TestLatticeIsCheap(t *testing.T) {
	event := privacy.ApproximateMinima{
		Objective: logisticEvent(1, 1, 1, 3.7),
		Tau:       1e-8,
		SigmaOut:  0x1p-10,
		Grid:      0x1p-34,
	}
	event.Objective.Dimension = 105
	ideal := event
	ideal.Grid = 0
	// The grid's share of the sensitivity is charged as sensitivity.
	ideal.Tau += event.Grid * math.Sqrt(105) / 2 * event.Objective.Lambda
	for _, epsilon := range []float64{-0.5, 0.1, 1, 5} {
		onGrid, plain := curveOf(
			t, event, BoundAuto,
		).LogDeltaUpper(epsilon),
			curveOf(
				t, ideal, BoundAuto,
			).LogDeltaUpper(epsilon)
		assert.GreaterOrEqual(t, onGrid, plain)
		assert.Less(t, onGrid-plain, 1e-8)
	}
	far := curveOf(t, event, BoundAuto).LogDeltaUpper(60)
	assert.Greater(t, far, -820.0, "the tail beyond K is charged")
	assert.Less(
		t, far, math.Log(math.SmallestNonzeroFloat64), "and is below every δ that can be asked",
	)

	// Rényi bounds need no correction: that of the discrete Gaussian is smaller.
	withGrid, _, err := Renyi(event, BoundAuto)
	require.NoError(t, err)
	without, _, err := Renyi(ideal, BoundAuto)
	require.NoError(t, err)
	assert.InEpsilon(t, without(8), withGrid(8), 1e-12)
}
