package report

import (
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report/matrix"
	"cloister/core/solve"
)

// farthest is how many standard deviations no draw of noise is from 0, nor a sum of
// them, but for a probability of 2e^-800: the noise is normal or subgaussian with the
// same parameter.
const farthest = 40

// possible returns a *privacy.ParameterError unless the releases of the plan can have
// given out these numbers. A Hessian longer than any number of records makes would
// bound every leverage by next to nothing, at no noise to speak of.
//
// Theorem. About at most N = matrix.MaxRows records, but for a probability below
// d²·e^-790, every number is a whole multiple of its lattice's spacing, less than 2^53
// times it, and
//
//	gradient          |ĝⱼ| ≤ 40(σ + σ₂) + g
//	a matrix          |Ĥᵢⱼ| ≤ S + 40√2·σ₃ and tr Ĥ ≤ S + 40√(2d)·σ₃, where
//	                  S = N(B + (d + 2)g), B the bound on one record's Frobenius norm;
//	                  and Ĥ ⪰ −w·I, w = σ₃·√(8·(40² + 2d·log 9)) + N(d + 2)g
//	                  no sum of learn.Products over Ĥ, of weights wₖ, is below 0 by more than
//	                  40σ₃·√(2Σwₖ²) + N(d + 2)g·Σ|wₖ|
//	least eigenvalue  |Λ̂ − λ| ≤ 40σ₄ + g + e where it is below λ, and, above it, as much
//	                  above λ + Ĥᵢᵢ + 40√2·σ₃ + (d + 2)Ng for every i;
//	                  and from λ + Ĥ's own, 0 at least, it is w more at most
//
// with g the spacing of each one's lattice and e that of the eigenvalue computed. What has w or wₖ
// is for a matrix of which no element was moved to its lattice's end.
//
// Proof. The lattices are those of learn.AddLatticeNoise and matrix.Mechanism. The
// gradient is −b with noise, b ~ N(0, σ²I) to a relative error far below 1 in 40. A
// matrix is a sum of N positive semidefinite ones of Frobenius norm B at most, whose
// elements and traces are then at most B, each element of which is rounded by half
// a step and lowered by d/2 + 1 at most; its trace has d draws of √2σ₃. What that rounding
// takes off is N(d + 1)g at most (Gershgorin). Along a unit vector v the noise is a sum of
// independent draws, subgaussian of √(2Σvᵢ⁴ + 4Σvᵢ²vⱼ²)·σ₃ = √2σ₃, and its norm is at most twice
// what it is along some v of 9^d fixed ones, a net of ¼ (Vershynin 2018, §4.4): 2√2σ₃s but for a
// chance of 2·9^d·e^(−s²/2); no eigenvalue moves by more (Weyl). Of a sum of
// elements it is subgaussian of √(2Σwₖ²)·σ₃ at most. And the least eigenvalue is at
// most every diagonal element, and counted no lower than 0. ∎
//
// Nor can they all be next to 0: every number of them has a draw of its own, which has a
// chance of at most (2r + g)/(σ√(2π)) to leave it within r of 0, whatever the data are. So a
// report is refused if for some k the k nearest have a chance below 2^-100
// (learn.TooShort): much noise costs little, and with it the numbers are not the data's.
//
// That the numbers are those which data and noise came to, only who released them can
// say: about this many records there is room for many others.
func (p Published) possible(m Mechanism) error {
	d := float64(len(m.Theta))
	impossible := func(field string, value float64) error {
		return &privacy.ParameterError{
			Field: field, Value: privacy.Number(value),
			Want: "a number that its noise and lattice can give out: the report was changed, or made by something else",
		}
	}
	for _, v := range p.Gradient {
		grid := gridOf(p.Plan.Gradient)
		if !onLattice(v, grid) ||
			!(math.Abs(v) <= (farthest*(m.Sigma+p.Plan.Gradient)+grid)*slightly) {
			return impossible("gradient", v)
		}
	}
	for _, one := range []struct {
		field  string
		values *solve.Packed
		of     func(Mechanism) (matrix.Mechanism, error)
	}{{"hessian", p.Hessian, p.Plan.matrix}, {"hessian.rest", p.Rest, p.Plan.matrix}, {"scores", p.Scores, p.Plan.scores}} {
		if one.values == nil {
			continue
		}
		by, err := one.of(m)
		if err != nil {
			return err
		}
		sum := matrix.MaxRows * (by.Norm + (d+2)*by.Grid)
		noise := farthest * math.Sqrt2 * by.Sigma
		trace, at := 0.0, 0
		for i := range len(m.Theta) {
			for range i + 1 {
				v := one.values.At[at]
				if !onLattice(v, by.Grid) || !(math.Abs(v) <= (sum+noise)*slightly) {
					return impossible(one.field, v)
				}
				at++
			}
			trace += one.values.At[at-1]
		}
		if !(trace <= (sum+noise*math.Sqrt(d))*slightly) {
			return impossible(one.field, trace)
		}
		if by.Saturated(one.values) {
			continue
		}
		if !one.values.AllAbove(-moves(by), true) {
			return impossible(one.field, trace)
		}
		products := learn.Products{
			Sigma: by.Sigma, Far: farthest * slightly,
			Rounding: matrix.MaxRows * (d + 2) * by.Grid, Last: math.Inf(1),
		}
		if m.Schema == nil {
			continue
		}
		if below := products.Below(m.Schema, one.values); below < 0 {
			return impossible(one.field, below)
		}
	}
	if p.Plan.Least > 0 {
		if err := p.possibleLeast(m, impossible); err != nil {
			return err
		}
	}
	return p.possiblyShort(m)
}

// moves is more than noise and rounding move an eigenvalue by: see possible.
func moves(by matrix.Mechanism) float64 {
	d := float64(by.Dimension)
	return (by.Sigma*math.Sqrt(8*(farthest*farthest+2*d*math.Log(9))) +
		matrix.MaxRows*(d+2)*by.Grid) * slightly
}

// possiblyShort is possible for numbers that are all next to 0.
func (p Published) possiblyShort(m Mechanism) error {
	var inNoise []float64
	coarsest := 0.0
	add := func(x, sigma, grid float64) {
		inNoise = append(inNoise, x/sigma)
		coarsest = math.Max(coarsest, grid/sigma)
	}
	for _, v := range p.Gradient {
		add(v, p.Plan.Gradient, gridOf(p.Plan.Gradient))
	}
	for _, one := range []struct {
		values *solve.Packed
		of     func(Mechanism) (matrix.Mechanism, error)
	}{{p.Hessian, p.Plan.matrix}, {p.Rest, p.Plan.matrix}, {p.Scores, p.Plan.scores}} {
		if one.values == nil {
			continue
		}
		by, err := one.of(m)
		if err != nil {
			return err
		}
		at := 0
		for i := range len(m.Theta) {
			for j := range i + 1 {
				sigma := by.Sigma
				if i == j {
					sigma *= math.Sqrt2
				}
				add(one.values.At[at], sigma, by.Grid)
				at++
			}
		}
	}
	if p.Plan.Least > 0 {
		add(p.Least, p.Plan.Least, gridOf(p.Plan.Least))
	}
	if learn.TooShort(inNoise, func(r float64) float64 {
		return (2*r + coarsest) / math.Sqrt(2*math.Pi)
	}) {
		return &privacy.ParameterError{
			Field: "published", Value: "next to 0, all of it",
			Want: "as large as noise of this strength leaves it: the report was changed, or made by something else",
		}
	}
	return nil
}

func (p Published) possibleLeast(m Mechanism, impossible func(string, float64) error) error {
	by, err := p.Plan.matrix(m)
	if err != nil {
		return err
	}
	grid, d := gridOf(p.Plan.Least), len(m.Theta)
	noise := (farthest*p.Plan.Least + grid + p.Plan.eigenError(m)) * slightly
	smallest := math.Inf(1)
	for i := range d {
		smallest = math.Min(smallest, p.Hessian.At[i*(i+1)/2+i])
	}
	hidden := (farthest*math.Sqrt2*by.Sigma + float64(d+2)*matrix.MaxRows*by.Grid) * slightly
	last := (1<<53 - 1) * grid // to which λ itself may have been moved
	low := math.Min(m.Lambda, last) - noise
	high := m.Lambda*slightly + math.Max(0, smallest+hidden) + noise
	if !onLattice(p.Least, grid) || !(p.Least >= low && p.Least <= high) {
		return impossible("least", p.Least)
	}
	if by.Saturated(p.Hessian) {
		return nil
	}
	// Of the Hessian without λ and noise it is from least to most.
	least, most := p.Least-m.Lambda*slightly-noise, p.Least-low
	if least > 0 && !p.Hessian.AllAbove(least-moves(by), true) ||
		p.Least+noise < last && p.Hessian.AllAbove(most+moves(by), false) {
		return impossible("least", p.Least)
	}
	return nil
}

// slightly is for the rounding of sums and products of a few numbers.
const slightly = 1 + 0x1p-20

// onLattice reports whether v is a whole multiple of grid, less than 2^53 times it.
func onLattice(v, grid float64) bool {
	steps := v / grid
	return steps == math.Trunc(steps) && math.Abs(steps) < 1<<53
}
