package report

import "math"

// Range bounds a loss from both sides, in nats.
type Range struct{ Low, High float64 }

// Largest is the bound on the absolute loss.
func (r Range) Largest() float64 { return math.Max(math.Abs(r.Low), math.Abs(r.High)) }

// Bound is a report's answer for one record.
type Bound struct {
	In  Range // bounds on the loss if the record was in the data
	Out Range // bounds on it if it was not

	// The parts of the bound, in nats.
	Leverage float64 // for log(1 + a): how far the record may pull the fit
	Surprise float64 // for the gradient: how badly the model predicts the record
	Output   float64 // for the output step of approximate minima

	// Report bounds the absolute loss of the report's own releases, which adds to the
	// model's; 0 for a report that released nothing.
	Report float64
}

// Largest bounds the absolute loss of the model's release, whether the record is in the
// data or not.
func (b Bound) Largest() float64 { return math.Max(b.In.Largest(), b.Out.Largest()) }

// assemble bounds the loss over a ≤ e^logIn − 1 (in) or ≤ e^logOut − 1 (out), f′
// within slope and bᵀx within t, where b = −∇J(θ*; D):
//
//	in   log(1 + a) + (f′²‖x‖²/2 + f′·bᵀx)/σ²
//	out  −log(1 + a) + (f′²‖x‖²/2 − f′·bᵀx)/σ²
//
// The quadratic is convex in f′ and linear in bᵀx, so it is largest at a corner.
// It is smallest, for either end of t, where f′ is nearest to ∓t/‖x‖².
func assemble(logIn, logOut float64, slope, t [2]float64, square, sigma, output float64) Bound {
	quadratic := func(s, t float64) float64 { return (s*s*square/2 + s*t) / (sigma * sigma) }
	extremes := func(sign float64) (low, high float64) {
		low, high = math.Inf(1), math.Inf(-1)
		for _, at := range t {
			at *= sign
			for _, s := range slope {
				high = math.Max(high, quadratic(s, at))
			}
			s := slope[0]
			if square > 0 {
				s = math.Max(slope[0], math.Min(-at/square, slope[1]))
			}
			low = math.Min(low, quadratic(s, at))
		}
		return low, high
	}
	b := Bound{Leverage: math.Max(logIn, logOut), Output: output}
	low, high := extremes(1)
	b.In = Range{low - output, logIn + high + output}
	b.Surprise = math.Max(math.Abs(low), high)
	low, high = extremes(-1)
	b.Out = Range{low - logOut - output, high + output}
	b.Surprise = math.Max(b.Surprise, math.Max(math.Abs(low), high))
	return b
}
