package account

import (
	"math"
	"testing"

	"cloister/core/privacy"
)

var sink float64

func adult(b *testing.B, lambda float64, tau float64) privacy.ApproximateMinima {
	b.Helper()
	event, err := CalibrateMinima(request(1, 1e-5, privacy.LossLogistic, BoundAuto))
	if err != nil {
		b.Fatal(err)
	}
	if lambda > 0 {
		event.Objective.Lambda = lambda
	}
	if tau > 0 { // an output step that matters
		event.Tau, event.Grid = tau, 0
		event.SigmaOut = 2 * tau / event.Objective.Lambda * event.Objective.Sigma / event.Objective.Lipschitz
	}
	return event
}

func benchmarkCurve(b *testing.B, event privacy.Event, bound Bound, f func(Curve)) {
	b.Helper()
	for b.Loop() {
		curve, err := Of(event, bound)
		if err != nil {
			b.Fatal(err)
		}
		f(curve)
	}
}

func delta(c Curve) { sink += c.LogDeltaUpper(1) }

func epsilon(c Curve) {
	value, err := EpsilonUpper(c, 1e-5)
	if err != nil || math.IsInf(value, 0) {
		panic("no ε")
	}
	sink += value
}

func points200(c Curve) {
	for i := range 200 {
		sink += c.LogDeltaUpper(float64(i) / 50)
	}
}

func BenchmarkGaussianDelta(b *testing.B) {
	benchmarkCurve(b, privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 3.73}, BoundAuto, delta)
}

func BenchmarkGaussianEpsilon(b *testing.B) {
	benchmarkCurve(b, privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 3.73}, BoundAuto, epsilon)
}

func BenchmarkMinimaLogisticDelta(b *testing.B) { benchmarkCurve(b, adult(b, 0, 0), BoundAuto, delta) }
func BenchmarkMinimaLogisticEpsilon(b *testing.B) {
	benchmarkCurve(b, adult(b, 0, 0), BoundAuto, epsilon)
}
func BenchmarkMinimaLogistic200(b *testing.B) {
	benchmarkCurve(b, adult(b, 0, 0), BoundAuto, points200)
}

func BenchmarkMinimaLogisticSmallLambdaDelta(b *testing.B) {
	benchmarkCurve(b, adult(b, 0.3, 0), BoundAuto, delta)
}

func BenchmarkMinimaLogisticSmallLambdaEpsilon(b *testing.B) {
	benchmarkCurve(b, adult(b, 0.3, 0), BoundAuto, epsilon)
}

func BenchmarkMinimaLogisticCoarseDelta(b *testing.B) {
	benchmarkCurve(b, adult(b, 0.3, 0.01), BoundAuto, delta)
}

func BenchmarkMinimaLogisticCoarseEpsilon(b *testing.B) {
	benchmarkCurve(b, adult(b, 0.3, 0.01), BoundAuto, epsilon)
}

func BenchmarkMinimaLogisticCoarse200(b *testing.B) {
	benchmarkCurve(b, adult(b, 0.3, 0.01), BoundAuto, points200)
}

func BenchmarkMinimaProfileEpsilon(b *testing.B) {
	benchmarkCurve(b, adult(b, 3, 0.01), BoundProfile, epsilon)
}

func BenchmarkMinimaRDPEpsilon(b *testing.B) {
	benchmarkCurve(b, adult(b, 3, 0.01), BoundRDP, epsilon)
}

func BenchmarkReplaceOneEpsilon(b *testing.B) {
	event := adult(b, 0, 0)
	event.Objective.Adjacency = privacy.ReplaceOne
	benchmarkCurve(b, event, BoundAuto, epsilon)
}

func BenchmarkCalibrateLogistic(b *testing.B) {
	for b.Loop() {
		event, err := CalibrateMinima(request(1, 1e-5, privacy.LossLogistic, BoundAuto))
		if err != nil {
			b.Fatal(err)
		}
		sink += event.Objective.Sigma
	}
}

func BenchmarkCalibrateProfile(b *testing.B) {
	for b.Loop() {
		event, err := CalibrateMinima(request(1, 1e-5, privacy.LossLogistic, BoundProfile))
		if err != nil {
			b.Fatal(err)
		}
		sink += event.Objective.Sigma
	}
}

func BenchmarkCalibrateClipped(b *testing.B) {
	r := request(1, 1e-5, privacy.LossLogistic, BoundAuto)
	r.Lipschitz = 1
	for b.Loop() {
		event, err := CalibrateMinima(r)
		if err != nil {
			b.Fatal(err)
		}
		sink += event.Objective.Sigma
	}
}

func BenchmarkLogisticRDP(b *testing.B) {
	event := adult(b, 0.3, 0)
	added, _, err := Renyi(event, BoundAuto)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sink += added(8)
	}
}
