package adaptive

import (
	"math"

	"cloister/core/account/posterior"
	"cloister/core/distance"
	"cloister/core/privacy"
)

// Sample is all that the tested sample is told besides the data, one record added or removed:
// public parameters only.
type Sample struct {
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖, intercept included

	EigenvalueRatio float64 // μ₁: what one record moves the eigenvalue by, over its noise
	RadiusRatio     float64 // μ₂, of the logarithm of the radius
	OutputRatio     float64 // μ_out
	Failure         float64 // δ′: that one of the two bounds is wrong; half of it each
	Order           float64 // α at which the sample is priced
	Renyi           float64 // r: its divergence

	// Reach is a public guess of ‖θ‖, by which λ is chosen; it bears on accuracy alone.
	Reach float64
}

// Event is what account prices. Its Gaussian mechanisms stand for noise on lattices, which has
// no more Rényi divergence of any order (Canonne, Kamath & Steinke 2020), and Rényi divergence
// is all that it can be priced by. Errors are of type *privacy.ParameterError.
func (p Sample) Event() (privacy.ProposeTestRelease, error) {
	if err := p.Validate(); err != nil {
		return privacy.ProposeTestRelease{}, err
	}
	e := privacy.ProposeTestRelease{
		Test: addRemove(unit(p.EigenvalueRatio), unit(p.RadiusRatio)),
		Release: addRemove(privacy.RenyiDP{
			Adjacency: privacy.AddRemove, Order: p.Order, Epsilon: p.Renyi,
		}, unit(p.OutputRatio)),
		Failure: p.Failure,
	}
	return e, e.Validate()
}

// unit is a Gaussian mechanism of that ratio, one record added or removed.
func unit(ratio float64) privacy.Event {
	return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: ratio, Sigma: 1}
}

func addRemove(events ...privacy.Event) privacy.Composition {
	c := privacy.Composition{Adjacency: privacy.AddRemove}
	for _, event := range events {
		c.Parts = append(c.Parts, privacy.Part{Count: 1, Event: event})
	}
	return c
}

// two are the parts of a composition of two events, each run once.
func two(event privacy.Event) (first, second privacy.Event, ok bool) {
	c, ok := event.(privacy.Composition)
	if !ok || len(c.Parts) != 2 || c.Parts[0].Count != 1 || c.Parts[1].Count != 1 {
		return nil, nil, false
	}
	return c.Parts[0].Event, c.Parts[1].Event, true
}

// SampleOf is the plan whose Event this is, but for Reach; false if it is no such event. A
// Gaussian mechanism's sensitivity and σ count by their ratio. An event that states Neighbour is
// none: no plan proves it, and in a selection it sets the price.
func SampleOf(event privacy.Event, dimension int, rowNorm float64) (Sample, bool) {
	e, ok := event.(privacy.ProposeTestRelease)
	if !ok || e.Neighbours() != privacy.AddRemove || e.Neighbour != 0 {
		return Sample{}, false
	}
	first, second, ok := two(e.Test)
	sample, out, also := two(e.Release)
	if !ok || !also {
		return Sample{}, false
	}
	eigenvalue, a := first.(privacy.Gaussian)
	radius, b := second.(privacy.Gaussian)
	renyi, c := sample.(privacy.RenyiDP)
	output, d := out.(privacy.Gaussian)
	p := Sample{
		Dimension: dimension, RowNorm: rowNorm,
		EigenvalueRatio: eigenvalue.Sensitivity / eigenvalue.Sigma,
		RadiusRatio:     radius.Sensitivity / radius.Sigma,
		OutputRatio:     output.Sensitivity / output.Sigma,
		Failure:         e.Failure, Order: renyi.Order, Renyi: renyi.Epsilon,
		Reach: 1 / rowNorm,
	}
	return p, a && b && c && d && p.Validate() == nil
}

// Validate returns a *privacy.ParameterError for the first field that is out of range.
func (p Sample) Validate() error {
	if err := checkDimension(p.Dimension); err != nil {
		return err
	}
	if err := privacy.FirstError(
		checkRange("row_norm", p.RowNorm), checkRange("reach", p.Reach),
		checkRatio("eigenvalue_ratio", p.EigenvalueRatio, 1e-6),
		checkRatio("radius_ratio", p.RadiusRatio, 1e-6),
		checkRatio("output_ratio", p.OutputRatio, 1e-6),
	); err != nil {
		return err
	}
	switch {
	case !(p.Failure > 0 && p.Failure < 1):
		return bad("failure", privacy.Number(p.Failure), "above 0, below 1")
	case !(p.Order > 1 && p.Order <= 1e9):
		return bad("order", privacy.Number(p.Order), "above 1, up to 1e9")
	case !(p.Renyi > 0 && p.Renyi <= 1e9):
		return bad("renyi", privacy.Number(p.Renyi), "above 0, up to 1e9")
	}
	return nil
}

// SampleTold is what the tested sample gives out besides the coefficients. All of it may be
// published. Everything but the two noisy numbers and λ follows from them and the plan (Check).
type SampleTold struct {
	Eigenvalue float64 // s̃
	LogRadius  float64 // t̃
	Lambda     float64 // λ
	Gamma      float64 // γ
	SigmaOut   float64 // of each coefficient's own noise, on the lattice of spacing Grid
	Grid       float64
}

// Check reports whether γ and the lattice are what the plan makes of the noisy numbers and λ,
// and every coefficient lies on it: what anybody can compute again. λ may be any that the
// plan's order allows: it was chosen by what was released.
func (t SampleTold) Check(plan Sample, theta []float64) bool {
	if plan.Validate() != nil || len(theta) != plan.Dimension {
		return false
	}
	first, err := plan.EigenvalueMargin()
	if err != nil || t.Eigenvalue != t.Eigenvalue || t.LogRadius != t.LogRadius {
		return false
	}
	low := plan.Low(first, t.Eigenvalue)
	c, ok := plan.Choose(t.Lambda, low)
	if !ok || !(t.Lambda >= plan.finest(low)*(1-1e-9)) {
		return false
	}
	second, err := plan.RadiusMargin(c)
	if err != nil {
		return false
	}
	gamma, out := plan.Then(c, second, t.LogRadius)
	if !near(t.Gamma, gamma) || !near(t.SigmaOut, out.Sigma) ||
		t.Grid != gridOf(t.SigmaOut, sampleBits) || !OnLattice(theta, t.Grid) {
		return false
	}
	// What the plan pays for is the divergence of this γ: the last digits cost, too. Then leaves
	// room for those of another machine.
	shift := math.Sqrt(t.Gamma*c.Leverage) * math.Exp(plan.high(c, second, t.LogRadius))
	bound := posterior.Bound{Leverage: c.Leverage, Shift: shift * (1 + 0x1p-48)}
	return bound.Renyi(plan.Order) <= plan.Renyi
}

// EigenvalueMargin is the test of the smallest eigenvalue.
func (p Sample) EigenvalueMargin() (*distance.Margin, error) {
	return distance.NewMargin(
		p.RowNorm*p.RowNorm*(1+slack), p.EigenvalueRatio, p.Failure/2)
}

// Low is the lower bound on the eigenvalue that follows from s̃. The eigenvalue that is computed
// may be off by a little of what one record moves it by, which this gives away.
func (p Sample) Low(first *distance.Margin, eigenvalue float64) float64 {
	return math.Max(0, first.Lower(eigenvalue)-slack*p.RowNorm*p.RowNorm)
}

// RadiusMargin is the test of the logarithm of the radius.
func (p Sample) RadiusMargin(c Choice) (*distance.Margin, error) {
	return distance.NewMargin(c.Moves*(1+slack), p.RadiusRatio, p.Failure/2)
}
