// Package rdp accounts in Rényi differential privacy (Mironov 2017). Use it for events
// that have no closed form and no privacy loss distribution, or to compare. For every
// order α > 1 it bounds the Rényi divergence D_α between the outputs on neighbouring
// data sets by ε(α), in nats. Bounds at one order add up under adaptive composition.
//
// A [Curve] keeps the two directions of add/remove apart, because each composes only
// with itself (theory §4.4). "Added" is D_α(M(Z ∪ {z}) ‖ M(Z)); "removed" is the
// opposite order. Every value is an upper bound, or +Inf where there is none. No order
// is dropped, and no failure gives a small number.
package rdp

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Curve is a pair of upper bounds α ↦ ε(α), one a direction. The zero Curve is
// not valid; Of makes one from an event.
type Curve struct {
	adjacency privacy.Adjacency
	added     func(alpha float64) float64
	removed   func(alpha float64) float64 // nil: the same as added
	quick     bool                        // see Quick
}

// FromBounds makes a curve of two functions that bound D_α, in nats, at every
// real α > 1; removed may be nil if added bounds both directions.
func FromBounds(adjacency privacy.Adjacency, added, removed func(alpha float64) float64) Curve {
	return Curve{adjacency: adjacency, added: added, removed: removed}
}

// Quick reports whether objective.BoundAuto was taken by objective.Bound.Quick: in compositions
// of more than thirty fits that are listed apart.
func (c Curve) Quick() bool { return c.quick }

// Adjacency returns the neighbouring relation of the curve.
func (c Curve) Adjacency() privacy.Adjacency { return c.adjacency }

// Added returns an upper bound on D_α(M(Z ∪ {z}) ‖ M(Z)) in nats, for real
// α > 1 (α = 1 gives the limit, the Kullback–Leibler divergence). It is ≥ 0,
// +Inf where no finite bound is known, and +Inf for α < 1 or NaN.
func (c Curve) Added(alpha float64) float64 { return safe(c.added, alpha) }

// Removed is Added for D_α(M(Z) ‖ M(Z ∪ {z})).
func (c Curve) Removed(alpha float64) float64 {
	if c.removed == nil {
		return safe(c.added, alpha)
	}
	return safe(c.removed, alpha)
}

// At returns the larger of Added and Removed.
func (c Curve) At(alpha float64) float64 {
	if c.removed == nil {
		return c.Added(alpha)
	}
	return math.Max(c.Added(alpha), c.Removed(alpha))
}

// justAboveOne stands for the limit α → 1: D_α does not decrease in α, so the
// value there bounds the limit.
const justAboveOne = 1 + 1e-9

func safe(f func(float64) float64, alpha float64) float64 {
	if !(alpha >= 1) || math.IsInf(alpha, 1) {
		return math.Inf(1)
	}
	if alpha < justAboveOne {
		alpha = justAboveOne
	}
	return curve.CertifiedRenyi(f(alpha))
}

// scaled returns k times f, with 0 copies costing nothing even of +Inf.
func scaled(f func(float64) float64, k float64) func(float64) float64 {
	if k == 1 || f == nil {
		return f
	}
	return func(alpha float64) float64 {
		if k == 0 {
			return 0
		}
		return productUp(k, f(alpha))
	}
}

// Repeat returns the curve of k-fold adaptive composition, k ≥ 0.
func (c Curve) Repeat(k int) Curve {
	return FromBounds(c.adjacency, scaled(c.added, float64(k)), scaled(c.removed, float64(k)))
}

// Map returns the curve whose directions are α ↦ f(α, ε), where ε is the direction's
// own bound. Use it for theorems that turn the curve of a base mechanism into the curve
// of a mechanism built on it.
func (c Curve) Map(f func(alpha float64, base func(float64) float64) float64) Curve {
	mapped := Curve{adjacency: c.adjacency}
	mapped.added = func(alpha float64) float64 { return f(alpha, c.Added) }
	if c.removed != nil {
		mapped.removed = func(alpha float64) float64 { return f(alpha, c.Removed) }
	}
	return mapped
}

// Chords returns a curve that is quick at many orders, as a drawing asks for them: it asks c at
// orders whose α − 1 grow by step in their logarithm, each once, and joins what is said there
// (curve.Chords). It is dearer than c by a share of about step²/4 at most.
func (c Curve) Chords(step float64) Curve {
	joined := func(direction func(alpha float64) float64) func(alpha float64) float64 {
		chords := curve.NewChords(step, func(s float64) float64 {
			alpha := 1 + s
			if alpha-1 < s { // D_α does not decrease in α
				alpha = math.Nextafter(alpha, 2*alpha)
			}
			return productUp(s, direction(alpha))
		})
		// α − 1 is exact, and the rounding of the quotient is a part of what At adds.
		return func(alpha float64) float64 { return chords.At(alpha-1) / (alpha - 1) }
	}
	quick := Curve{adjacency: c.adjacency, added: joined(c.Added), quick: c.quick}
	if c.removed != nil {
		quick.removed = joined(c.Removed)
	}
	return quick
}

// Compose returns the curve of the adaptive composition of all curves, which
// must share one adjacency.
func Compose(curves ...Curve) (Curve, error) {
	if len(curves) == 0 {
		return Curve{}, &privacy.ParameterError{
			Field: "events",
			Value: "empty",
			Want:  "a list of one event or more",
		}
	}
	for _, c := range curves[1:] {
		if c.adjacency != curves[0].adjacency {
			return Curve{}, &privacy.ParameterError{
				Field: "adjacency", Value: "mixed",
				Want: "the same for all events that are composed",
			}
		}
	}
	total := func(direction func(Curve, float64) float64) func(float64) float64 {
		return func(alpha float64) float64 {
			sum := 0.0
			for _, c := range curves {
				sum = SumUp(sum, direction(c, alpha))
			}
			return sum
		}
	}
	return FromBounds(curves[0].adjacency, total(Curve.Added), total(Curve.Removed)), nil
}
