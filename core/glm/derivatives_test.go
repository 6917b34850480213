package glm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDerivativesAgreeWithOneByOne(t *testing.T) {
	random := seeded(22)
	for _, loss := range everyLoss(t) {
		for _, threshold := range []float64{0.2, 1, 2, math.Inf(1)} {
			c := mustClip(t, loss, threshold)
			for _, n := range []int{0, 1, 2, 256, 257, 1000} {
				margins, labels, norms := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range margins {
					margins[i] = 30 * random.NormFloat64()
					labels[i] = math.Copysign(1, random.Float64()-0.5)
					norms[i] = 2 * random.Float64()
					if i%10 == 0 {
						norms[i] = 0
					}
				}
				for _, norms := range [][]float64{norms, {1.1}} {
					_, wantSlopes, wantCurvatures := onebyone(c, margins, labels, norms)
					slopes, curvatures := make([]float64, n), make([]float64, n)
					c.Derivatives(margins, labels, norms, slopes, curvatures)
					for i := range slopes {
						require.InDelta(
							t, wantSlopes[i], slopes[i], 0x1p-49*math.Abs(wantSlopes[i]),
						)
						require.InDelta(
							t, wantCurvatures[i], curvatures[i], 0x1p-49*wantCurvatures[i],
						)
						norm := norms[0]
						if len(norms) > 1 {
							norm = norms[i]
						}
						require.LessOrEqual(t, math.Abs(slopes[i]), c.Row(norm).MaxSlope())
					}
					only := make([]float64, n)
					c.Derivatives(margins, labels, norms, only, nil)
					assert.Equal(t, slopes, only)
				}
			}
		}
	}
	c := mustClip(t, Logistic{}, 1)
	assert.Panics(t, func() { c.Derivatives([]float64{1}, []float64{1}, []float64{1}, nil, nil) })
	assert.Panics(
		t,
		func() {
			c.Derivatives([]float64{1, 2}, []float64{1, 1}, []float64{1}, make([]float64, 1), nil)
		},
	)
}

func BenchmarkDerivatives36177(b *testing.B) {
	const n = 36_177
	margins, labels, norms := rowsOf(n)
	slopes, curvatures := make([]float64, n), make([]float64, n)
	for name, threshold := range map[string]float64{"logistic": math.Inf(1), "clipped": 0.7} {
		c, err := Clip(Logistic{}, threshold)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.Derivatives(margins, labels, norms, slopes, curvatures)
			}
		})
	}
}
