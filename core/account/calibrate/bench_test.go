package calibrate

import (
	"math"
	"testing"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

var sink float64

func adult(b *testing.B, lambda float64, tau float64) privacy.ApproximateMinima {
	b.Helper()
	event, err := Minima(request(1, 1e-5, privacy.LossLogistic, objective.BoundAuto))
	if err != nil {
		b.Fatal(err)
	}
	if lambda > 0 {
		event.Objective.Lambda = lambda
	}
	if tau > 0 { // an output step that matters
		o := event.Objective
		event.Tau, event.Grid = tau, 0
		event.SigmaOut = 2 * tau / o.Lambda * o.Sigma / o.Lipschitz
	}
	return event
}

func benchmarkCurve(b *testing.B, event privacy.Event, bound objective.Bound, f func(curve.Curve)) {
	b.Helper()
	for b.Loop() {
		profile, err := objective.Of(event, bound)
		if err != nil {
			b.Fatal(err)
		}
		f(profile)
	}
}

func delta(c curve.Curve) { sink += c.LogDeltaUpper(1) }

func epsilon(c curve.Curve) {
	value, err := curve.EpsilonUpper(c, 1e-5)
	if err != nil || math.IsInf(value, 0) {
		panic("no ε")
	}
	sink += value
}

func points200(c curve.Curve) {
	for i := range 200 {
		sink += c.LogDeltaUpper(float64(i) / 50)
	}
}

func BenchmarkCurve(b *testing.B) {
	gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 3.73}
	replaced := adult(b, 0, 0)
	replaced.Objective.Adjacency = privacy.ReplaceOne
	for _, c := range []struct {
		name  string
		event privacy.Event
		bound objective.Bound
		ask   func(curve.Curve)
	}{
		{"gaussian delta", gaussian, objective.BoundAuto, delta},
		{"gaussian epsilon", gaussian, objective.BoundAuto, epsilon},
		{"logistic delta", adult(b, 0, 0), objective.BoundAuto, delta},
		{"logistic epsilon", adult(b, 0, 0), objective.BoundAuto, epsilon},
		{"logistic 200", adult(b, 0, 0), objective.BoundAuto, points200},
		{"small lambda delta", adult(b, 0.3, 0), objective.BoundAuto, delta},
		{"small lambda epsilon", adult(b, 0.3, 0), objective.BoundAuto, epsilon},
		{"coarse delta", adult(b, 0.3, 0.01), objective.BoundAuto, delta},
		{"coarse epsilon", adult(b, 0.3, 0.01), objective.BoundAuto, epsilon},
		{"coarse 200", adult(b, 0.3, 0.01), objective.BoundAuto, points200},
		{"profile epsilon", adult(b, 3, 0.01), objective.BoundProfile, epsilon},
		{"rdp epsilon", adult(b, 3, 0.01), objective.BoundRDP, epsilon},
		{"replace-one epsilon", replaced, objective.BoundAuto, epsilon},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkCurve(b, c.event, c.bound, c.ask) })
	}
}

func benchmarkCalibrate(b *testing.B, request MinimaRequest) {
	for b.Loop() {
		event, err := Minima(request)
		if err != nil {
			b.Fatal(err)
		}
		sink += event.Objective.Sigma
	}
}

func BenchmarkCalibrateLogistic(b *testing.B) {
	benchmarkCalibrate(b, request(1, 1e-5, privacy.LossLogistic, objective.BoundAuto))
}

func BenchmarkCalibrateProfile(b *testing.B) {
	benchmarkCalibrate(b, request(1, 1e-5, privacy.LossLogistic, objective.BoundProfile))
}

func BenchmarkCalibrateClipped(b *testing.B) {
	r := request(1, 1e-5, privacy.LossLogistic, objective.BoundAuto)
	r.Lipschitz = 1
	benchmarkCalibrate(b, r)
}

func BenchmarkLogisticRDP(b *testing.B) {
	event := adult(b, 0.3, 0)
	added, _, err := objective.Renyi(event, objective.BoundAuto)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sink += added(8)
	}
}

// BenchmarkControlEpsilon is the ε of a δ by the bound "control", of a fit and of the perturbation
// alone: asked for again (warm), and of an event that was not asked about before (new). In ms of a
// processor, before profiles guessed where a search begins, and since:
//
//	                   warm             new
//	fit                0.24    0.11     14      1.7
//	alone              2.5     0.99     2.5     0.98
//	replace-one        45      19       68      23
//	replace-one-alone  9.7     3.7      9.7     3.7
func BenchmarkControlEpsilon(b *testing.B) {
	fit := adult(b, 1, 0) // half of λ₀
	replaced, asked := fit, 0.0
	replaced.Objective.Adjacency = privacy.ReplaceOne
	for _, c := range []struct {
		name  string
		event privacy.Event
	}{
		{"fit", fit}, {"alone", fit.Objective}, {"replace-one", replaced},
		{"replace-one-alone", replaced.Objective},
	} {
		ask := func(delta float64, event privacy.Event) {
			profile, err := objective.Of(event, objective.BoundControl)
			if err != nil {
				b.Fatal(err)
			}
			value, err := curve.EpsilonUpper(profile, delta)
			if err != nil || math.IsInf(value, 0) {
				b.Fatal("no ε")
			}
			sink += value
		}
		b.Run(c.name+"/warm", func(b *testing.B) {
			for b.Loop() {
				ask(1e-5, c.event)
			}
		})
		b.Run(c.name+"/new", func(b *testing.B) {
			for b.Loop() { // of an event that was not asked about before
				asked++
				scale := 1 + asked*0x1p-30
				switch e := c.event.(type) {
				case privacy.ObjectivePerturbation:
					e.Sigma *= scale
					ask(1e-5, e)
				case privacy.ApproximateMinima:
					e.Objective.Sigma *= scale
					ask(1e-5, e)
				}
			}
		})
	}
}
