package pld

import (
	"math"
	"testing"

	"cloister/core/account/objective"
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

// BenchmarkControlledComposition is fits by the bound "control" beside others: warm, and with the
// first question for each fit's chords. Promised by a profile alone they took 145, 77 and 220 ms.
func BenchmarkControlledComposition(b *testing.B) {
	one, other := halfPerturbed(4.3), halfPerturbed(5.3)
	noise := privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: 10}
	for _, c := range []struct {
		name  string
		parts []privacy.Part
	}{
		{"ten", []privacy.Part{{Event: one, Count: 10}}},
		{"with-laplace", []privacy.Part{{Event: halfPerturbed(4.7), Count: 1}, {Event: noise, Count: 1}}},
		{"two", []privacy.Part{{Event: halfPerturbed(4.9), Count: 1}, {Event: other, Count: 1}}},
	} {
		event := privacy.Composition{Adjacency: addRemove, Parts: c.parts}
		ask := func() {
			d, err := Of(event, Options{Bound: objective.BoundControl})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := d.Epsilon(1e-5); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(c.name+"/warm", func(b *testing.B) {
			for range b.N {
				ask()
			}
		})
		b.Run(c.name+"/cold", func(b *testing.B) {
			for range b.N {
				for i := range c.parts { // events that were not asked about before
					if e, ok := c.parts[i].Event.(privacy.ObjectivePerturbation); ok {
						e.Sigma *= 1 + 0x1p-30
						c.parts[i].Event = e
					}
				}
				ask()
			}
		})
	}
}
