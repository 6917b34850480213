package crosscheck

import (
	"math"

	"cloister/core/privacy"
)

// draw is a fixed stream of numbers in [0, 1).
type draw uint64

func (d *draw) next() float64 {
	*d = *d*6364136223846793005 + 1442695040888963407
	return float64(uint64(*d)>>11) / (1 << 53)
}

func (d *draw) below(n int) int { return int(d.next() * float64(n)) }

// number draws log-uniformly: from all positive float64, from what events may
// have, or from what people use.
func (d *draw) number() float64 {
	low, high := -6.0, 6.0
	switch d.below(3) {
	case 0:
		low, high = -323.3, 308.25
	case 1:
		low, high = -50, 50
	}
	x := math.Pow(10, low+(high-low)*d.next())
	return math.Min(math.MaxFloat64, math.Max(math.SmallestNonzeroFloat64, x))
}

// part draws from (0, 1), with both ends equally far away.
func (d *draw) part() float64 {
	x := math.Min(0.5, d.number())
	if x == 0.5 || d.below(4) == 0 {
		return math.Min(1-0x1p-53, 1-x+0x1p-53)
	}
	return x
}

func (d *draw) count() int { return int(math.Min(1<<53, math.Max(0, d.number()))) }

// anything draws an event of any kind.
func (d *draw) anything(a privacy.Adjacency, depth int) privacy.Event {
	kinds := 12
	if depth > 0 {
		kinds = 16
	}
	if d.below(8) == 0 {
		epsilon, span := d.number(), privacy.SpanOf(a)
		return []privacy.Event{
			privacy.NoisyMin{
				Adjacency: a, Epsilon: epsilon, Span: span, Noise: privacy.GeometricNoise,
				Denominator: 64,
			},
			privacy.NoisyMin{
				Adjacency: a, Epsilon: epsilon, Span: span, Noise: privacy.GumbelNoise,
			},
			privacy.ProximalCentre{
				Adjacency: a, Epsilon: epsilon, Span: span, Bound: 1, Dimension: 5, Denominator: 8,
			},
		}[d.below(3)]
	}
	switch d.below(kinds) {
	case 0:
		return privacy.Gaussian{Adjacency: a, Sensitivity: d.number(), Sigma: d.number()}
	case 1:
		return privacy.Laplace{Adjacency: a, Sensitivity: d.number(), Scale: d.number()}
	case 2:
		return privacy.DiscreteLaplace{Adjacency: a, Sensitivity: 1 + d.count(), Scale: d.number()}
	case 3:
		return privacy.DiscreteGaussian{Adjacency: a, Sensitivity: 1 + d.count(), Sigma: d.number()}
	case 4:
		return privacy.RandomisedResponse{Adjacency: a, Categories: 2 + d.count(), Truth: d.part()}
	case 5:
		return privacy.PureDP{Adjacency: a, Epsilon: d.number()}
	case 6:
		return privacy.ApproximateDP{Adjacency: a, Epsilon: d.number(), Delta: d.part()}
	case 7:
		return privacy.ZeroConcentrated{Adjacency: a, Rho: d.number()}
	case 8:
		return privacy.GradientDescent{
			Adjacency:   a,
			Sensitivity: d.number(),
			Sigmas:      []float64{d.number(), d.number()},
		}
	case 9:
		return privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            d.part(),
			NoiseMultiplier: d.number(),
			Steps:           d.count(),
		}
	case 10:
		return d.objective(a)
	case 11:
		o := d.objective(a)
		e := privacy.ApproximateMinima{Objective: o, Tau: d.number(), SigmaOut: d.number()}
		if d.below(2) == 0 {
			e.Grid = math.Exp2(math.Floor(math.Log2(e.SigmaOut)) - 24)
		}
		return e
	case 12:
		base := d.anything(a, depth-1)
		return privacy.NegativeBinomialSelection{
			Base:  base,
			Eta:   d.number() - d.part(),
			Gamma: d.part(),
		}
	case 13:
		return privacy.PoissonSelection{Base: d.anything(a, depth-1), Mean: d.number()}
	case 14:
		base := privacy.ApproximateDP{Adjacency: a, Epsilon: d.number(), Delta: d.part()}
		return privacy.LiuTalwarSelection{Base: base, Tau: d.part(), Cutoff: d.part()}
	}
	c := privacy.Composition{Adjacency: a}
	for range 1 + d.below(3) {
		count := 1
		if d.below(2) == 0 {
			count = d.count()
		}
		c.Parts = append(c.Parts, privacy.Part{Event: d.anything(a, depth-1), Count: count})
	}
	return c
}

// tested draws a release after a test, alone, in a composition or selected, or one Rényi
// divergence.
func (d *draw) tested(a privacy.Adjacency) privacy.Event {
	renyi := privacy.RenyiDP{Adjacency: a, Order: 1 + d.number(), Epsilon: d.number()}
	if d.below(4) == 0 {
		return renyi
	}
	e := privacy.ProposeTestRelease{Test: d.anything(a, 1), Release: renyi}
	if d.below(2) == 0 {
		e.Release = d.anything(a, 1)
	}
	if d.below(4) > 0 {
		e.Failure = d.part()
	}
	if d.below(2) == 0 {
		e.Neighbour = d.part()
	}
	switch d.below(6) {
	case 0:
		return privacy.NegativeBinomialSelection{
			Base: e, Eta: d.number() - d.part(), Gamma: d.part(),
		}
	case 1:
		return privacy.PoissonSelection{Base: e, Mean: d.number()}
	case 2:
		return privacy.Composition{Adjacency: a, Parts: []privacy.Part{
			{Event: e, Count: 1 + d.count()}, {Event: d.anything(a, 1), Count: 1},
		}}
	case 3:
		e.Test = privacy.ProposeTestRelease{Test: e.Test, Release: renyi, Failure: d.part()}
	}
	return e
}

func (d *draw) objective(a privacy.Adjacency) privacy.ObjectivePerturbation {
	o := privacy.ObjectivePerturbation{
		Adjacency: a, RowNorm: d.number(), Lipschitz: d.number(), Smoothness: d.number(),
		Lambda: d.number(), Sigma: d.number(), Dimension: 1 + d.count(),
	}
	o.Loss = []privacy.LossClass{
		privacy.LossLogistic, privacy.LossSigned, privacy.LossGLM, privacy.LossSmooth,
		privacy.LossHinge,
	}[d.below(5)]
	switch o.Loss {
	case privacy.LossLogistic:
		o.Smoothness, o.Lipschitz = 0.25, math.Min(o.RowNorm, o.Lipschitz)
	case privacy.LossHinge:
		o.Smoothness, o.Lipschitz = 1, math.Min(o.RowNorm, o.Lipschitz)
	}
	return o
}
