package glm

import (
	"math"
	"testing"
)

// rowsOf makes n deterministic rows with margins as a fitted model has them.
func rowsOf(n int) (margins, labels, norms []float64) {
	margins, labels, norms = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range margins {
		u := math.Mod(float64(i)*0.6180339887498949, 1)
		margins[i] = 6*u - 3 + math.Sin(float64(i))
		labels[i] = math.Copysign(1, math.Sin(float64(7*i+1)))
		norms[i] = 1 + u/4
	}
	return margins, labels, norms
}

// The rows of the Adult fit, evaluated once: what one Newton step asks of this
// package.
func BenchmarkRows36177(b *testing.B) {
	const n = 36_177
	margins, labels, norms := rowsOf(n)
	slopes, curvatures := make([]float64, n), make([]float64, n)
	huber, err := NewHuber(0.5)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		loss      Loss
		threshold float64
	}{
		{"logistic", Logistic{}, math.Inf(1)},
		{"logistic, clipped", Logistic{}, 0.7},
		{"huber", huber, math.Inf(1)},
		{"squared, clipped", Squared{}, 1},
	} {
		clipped, err := Clip(c.loss, c.threshold)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				clipped.Rows(margins, labels, norms, slopes, curvatures)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
	b.Run("logistic, row by row", func(b *testing.B) {
		var loss Loss = Logistic{}
		sum := 0.0
		for b.Loop() {
			for i, m := range margins {
				var v float64
				v, slopes[i], curvatures[i] = loss.At(m, labels[i])
				sum += v
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
}
