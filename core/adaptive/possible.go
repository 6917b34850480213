package adaptive

import "math"

// What a file says of tests is held against what tests can tell of any table. Noise that a test
// chose follows from its noisy numbers: who makes them up chooses the noise.

// draws is more than the length of a vector of d standard normal draws, or of as many draws of a
// discrete Gaussian of parameter 1, but for a probability of e^-800 (Hsu, Kakade & Zhang 2012,
// Theorem 2.1).
func draws(d int) float64 { return math.Sqrt(float64(d)) + 40 }

// LongestSolution bounds ‖θ_λ‖ for as many records: λ‖θ_λ‖ ≤ ‖Xᵀy‖ ≤ nR, and each singular
// value s of X contributes with s/(s² + λ) ≤ 1/(2√λ), so that ‖θ_λ‖ ≤ ‖y‖/(2√λ).
func LongestSolution(rowNorm, lambda, records float64) float64 {
	return math.Min(records*rowNorm/lambda, math.Sqrt(records/lambda)/2)
}

// Possible reports whether tests can have told this of some table of at most so many records,
// of which no smallest eigenvalue is above most, from which theta was then drawn, but for a
// probability of 8e^-800. Use it after Check.
//
// # Theorem
//
// λ_min(XᵀX) is from 0 to nR²/d, its trace being nR² at most, or to most. With s the least that
// it is by s̃, theta is within e = (√d + 40)(1/√(γ(λ + s)) + ω + 2σ_out) of θ_λ, and t̃ is
// noise about log(1 + R‖θ_λ‖).
//
// Proof. θ − θ_λ is normal with the covariance (γH)⁻¹, H ⪰ (λ + s)I; the lattice moves it by
// (ω + σ_out)(√d + 40) at most, and the solver by τ/λ < σ_out. ∎
func (t SampleTold) Possible(plan Sample, theta []float64, records, most float64) bool {
	first, err := plan.EigenvalueMargin()
	if err != nil {
		return false
	}
	d, square := len(theta), plan.RowNorm*plan.RowNorm
	off := slack * square
	if !first.Possible(t.Eigenvalue, -off, math.Min(most, records*square/float64(d))+off) {
		return false
	}
	c, ok := plan.Choose(t.Lambda, plan.Low(first, t.Eigenvalue))
	if !ok {
		return false
	}
	second, err := plan.RadiusMargin(c)
	if err != nil {
		return false
	}
	least := math.Max(0, first.Surely(t.Eigenvalue)-off)
	noise := draws(d) * (1/math.Sqrt(t.Gamma*(t.Lambda+least)) + t.Grid + 2*t.SigmaOut)
	length := 0.0
	for _, x := range theta {
		length = math.Hypot(length, x)
	}
	longest := math.Min(length+noise, LongestSolution(plan.RowNorm, t.Lambda, records))
	return second.Possible(
		t.LogRadius,
		math.Log1p(plan.RowNorm*math.Max(0, length-noise))-slack*c.Moves,
		math.Log1p(plan.RowNorm*longest)+slack*c.Moves,
	)
}

// Possible reports whether a test can have told this of some table of at most so many records,
// of which no smallest eigenvalue of XᵀX is above most, but for a probability of 2e^-800: that of
// the curvature is told up to [CurvatureReach] times λ, and is nR²/(4d) and a quarter of most at
// most. Use it after Check.
func (t CurvatureTold) Possible(plan Curvature, records, most float64) bool {
	margin, err := plan.Margin()
	if err != nil {
		return false
	}
	square := plan.RowNorm * plan.RowNorm
	most = math.Min(most, records*square/float64(plan.Dimension)) / 4
	most = math.Min(CurvatureReach*t.Lambda, most)
	return margin.Possible(t.Curvature, -slack*square, most+slack*square)
}
