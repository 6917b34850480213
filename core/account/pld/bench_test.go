package pld

import (
	"math"
	"testing"

	"cloister/core/privacy"
)

// The figures of the issue: DP-SGD with q = 0.01, σ = 1, 10,000 steps.
var descent = privacy.SubsampledGaussian{
	Adjacency:       privacy.AddRemove,
	Rate:            0.01,
	NoiseMultiplier: 1,
	Steps:           10_000,
}

func answer(b *testing.B, d *Distribution, delta float64) EpsilonInterval {
	i, err := d.Epsilon(delta)
	if err != nil || math.IsInf(i.Upper, 1) {
		b.Fatal(i, err)
	}
	return i
}

func of(b *testing.B, event privacy.Event, accuracy float64) *Distribution {
	d, err := Of(event, Options{Accuracy: accuracy})
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// Nothing is kept between rounds, tables of the transform included.
func BenchmarkEpsilonCold(b *testing.B) {
	for _, c := range []struct {
		name     string
		accuracy float64
	}{{"default", 0}, {"0.05%", 5e-4}, {"0.01%", 1e-4}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				transforms.kept = nil
				answer(b, of(b, descent, c.accuracy), 1e-5)
			}
		})
	}
}

func BenchmarkEpsilonOfAnotherDelta(b *testing.B) {
	deltas := []float64{1e-4, 3e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12, 1e-5}
	for range b.N {
		b.StopTimer()
		d := of(b, descent, 0)
		answer(b, d, 1e-5)
		b.StartTimer()
		for _, delta := range deltas {
			answer(b, d, delta)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(deltas)), "ns/δ")
}

func BenchmarkCurveOf200Points(b *testing.B) {
	epsilons := make([]float64, 200)
	for i := range epsilons {
		epsilons[i] = 10 * float64(i) / 199
	}
	for range b.N {
		transforms.kept = nil
		if _, err := of(b, descent, 0).Curve(epsilons); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	for range b.N {
		e, err := EstimateOf(descent, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := e.Epsilon(1e-5); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkObjectivePerturbations(b *testing.B) {
	event := privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts: []privacy.Part{{Count: 100, Event: privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
			RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 5, Sigma: 20,
		}}},
	}
	for range b.N {
		transforms.kept = nil
		answer(b, of(b, event, 0), 1e-5)
	}
}
