package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

func losses(t *testing.T) map[string]glm.Clipped {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	return map[string]glm.Clipped{
		"logistic": logistic(t),
		"clipped":  clip(t, glm.Logistic{}, 0.9),
		"flat":     clip(t, glm.Logistic{}, 0.25), // no curvature at θ = 0
		"huber":    clip(t, huber, math.Inf(1)),
		"squared":  clip(t, glm.Squared{}, math.Inf(1)),
	}
}

// Values, gradients and Hessians of the fast loops against sums over
// records taken one at a time, densely.
func TestRowsAreTheSumOfTheirRecords(t *testing.T) {
	for name, loss := range losses(t) {
		for _, n := range []int{0, 1, batch - 1, batch, batch + 1, 3*batch + 7} {
			r := census(t, n, loss)
			r.Norm = make([]float64, n) // each record its own
			d := seeded(4)
			for i := range r.Norm {
				r.Norm[i] = 1 + d.uniform()
			}
			theta := perturbation(9, 105, 2)
			gradient, hessian := make([]float64, 105), NewPacked(105)
			value := r.Value(theta)
			r.Derivatives(theta, gradient, hessian)

			wantValue, wantGradient := 0.0, make([]float64, 105)
			wantHessian := make([]float64, 105*105)
			for i, y := range r.Label {
				x := make([]float64, 105)
				index, entry := r.row(i)
				for k, j := range index {
					x[j] = entry[k]
				}
				f, slope, curvature := loss.Row(r.Norm[i]).At(dot(x, theta), y)
				wantValue += f
				axpy(slope, x, wantGradient)
				for a := range x {
					axpy(curvature*x[a], x, wantHessian[105*a:105*(a+1)])
				}
			}
			require.InDelta(t, wantValue, value, 1e-12*(1+wantValue), "%s %d", name, n)
			require.InDeltaSlice(t, wantGradient, gradient, 1e-12*(1+float64(n)), "%s %d", name, n)
			for a := range 105 {
				require.InDeltaSlice(
					t, wantHessian[105*a:105*a+a+1], hessian.Row(a), 1e-12*(1+float64(n)), "%s %d",
					name, n,
				)
			}
			alone := make([]float64, 105)
			r.Derivatives(theta, alone, nil)
			assert.Equal(t, gradient, alone)
		}
	}
}

// Gradient and Hessian against central differences.
func TestRowsAgainstDifferences(t *testing.T) {
	for name, loss := range losses(t) {
		o := NewObjective(0.3, perturbation(2, 105, 1), census(t, 150, loss))
		theta := perturbation(10, 105, 1)
		gradient, hessian := make([]float64, 105), NewPacked(105)
		o.Derivatives(theta, gradient, hessian)
		const h = 1e-5
		for _, j := range []int{0, 3, 17, 50, 104} {
			above, below := append([]float64(nil), theta...), append([]float64(nil), theta...)
			above[j] += h
			below[j] -= h
			gradientAbove, gradientBelow := make([]float64, 105), make([]float64, 105)
			o.Derivatives(above, gradientAbove, nil)
			o.Derivatives(below, gradientBelow, nil)
			slope := (o.Value(above) - o.Value(below)) / (2 * h)
			require.InDelta(t, slope, gradient[j], 1e-6, "%s %d", name, j)
			if name == "huber" || name == "clipped" || name == "flat" {
				continue // kinks in the gradient
			}
			for i := range 105 {
				require.InDelta(
					t, (gradientAbove[i]-gradientBelow[i])/(2*h), hessian.Row(max(i, j))[min(i, j)],
					1e-6, "%s %d %d", name, i, j,
				)
			}
		}
	}
}

// A sum is a sum: rows in one part, in several, and in any order.
func TestPartsAddUp(t *testing.T) {
	whole := census(t, 1000, logistic(t))
	cut := func(lo, hi int) *Rows {
		p := *whole
		p.Start, p.Label = whole.Start[lo:hi+1], whole.Label[lo:hi]
		return &p
	}
	b := perturbation(2, 105, 1)
	one := NewObjective(2, b, whole)
	three := NewObjective(2, b, cut(400, 1000), cut(0, 1), cut(1, 400))
	theta := perturbation(3, 105, 3)
	g1, h1 := make([]float64, 105), NewPacked(105)
	g3, h3 := make([]float64, 105), NewPacked(105)
	one.Derivatives(theta, g1, h1)
	three.Derivatives(theta, g3, h3)
	assert.InDelta(t, one.Value(theta), three.Value(theta), 1e-9)
	assert.InDeltaSlice(t, g1, g3, 1e-11)
	assert.InDeltaSlice(t, h1.At, h3.At, 1e-11)
	assert.InDelta(t, one.Certify(theta).GradientNorm, three.Certify(theta).GradientNorm, 1e-11)

	assert.Panics(t, func() { NewObjective(1, nil) })
	assert.Panics(t, func() { NewObjective(1, []float64{1}, whole) })
	assert.Panics(
		t,
		func() {
			NewObjective(1, nil, whole, rowsOf(logistic(t), 1, [][]float64{{1}}, []float64{1}))
		},
	)
}

func TestThinCountsRecordsManyTimes(t *testing.T) {
	r := census(t, 1000, logistic(t))
	r.Norm = make([]float64, 1000)
	for i := range r.Norm {
		r.Norm[i] = 1.1
	}
	thin := r.Thin(7).(*Rows)
	assert.Equal(t, 143, thin.Records())
	assert.Equal(t, 21, thin.Thin(7).(*Rows).Records())
	want := &Rows{Columns: 105, Start: []int{0}, Loss: r.Loss, Norm: []float64{1.1}}
	for i := 0; i < 1000; i += 7 {
		index, entry := r.row(i)
		want.Index, want.Entry = append(want.Index, index...), append(want.Entry, entry...)
		want.Start, want.Label = append(want.Start, len(want.Index)), append(want.Label, r.Label[i])
	}
	theta := perturbation(3, 105, 3)
	g, h := make([]float64, 105), NewPacked(105)
	wantG, wantH := make([]float64, 105), NewPacked(105)
	want.Derivatives(theta, wantG, wantH)
	thin.Derivatives(theta, g, h)
	assert.InDelta(t, 7*want.Value(theta), thin.Value(theta), 1e-9)
	for j := range wantG {
		assert.InDelta(t, 7*wantG[j], g[j], 1e-10)
	}
	for k := range wantH.At {
		assert.InDelta(t, 7*wantH.At[k], h.At[k], 1e-10)
	}
}
