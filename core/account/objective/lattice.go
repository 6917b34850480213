package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// Lattice is what the release of θ̃ on a grid costs beyond the Gaussian
// mechanism of the analysis: there the noise is continuous, here it is the
// discrete Gaussian on gℤ^d with parameter σ_out, drawn exactly.
//
// Let s = σ_out/g, Q(k) ∝ e^{−k²/(2s²)} on ℤ the noise that is drawn, and P(k)
// the mass that N(0, s²) has in [k − ½, k + ½]. θ̃ lies on the lattice, so
// continuous noise rounded to it is P-noise: post-processing of the Gaussian
// mechanism, and no dearer. From
//
//	P(k)/φ_s(k) = ∫_{−½}^{½} e^{−ku/s² − u²/(2s²)} du,   φ_s(k) = e^{−k²/(2s²)}/(s√(2π)),
//
// Jensen's inequality gives P(k) ≥ φ_s(k)·e^{−1/(24s²)}, and sinh(x)/x ≤ e^{x²/6}
// gives P(k) ≤ φ_s(k)·e^{k²/(24s⁴)}; and Q(k) is φ_s(k) but for a factor within
// 1 ± 3e^{−2π²s²}. With d coordinates, for every event S,
//
//	Q(S) ≤ e^a P(S)                      a = d/(24s²),
//	P(S) ≤ e^b Q(S) + t                  b = dK²/(24s²),  t = d·e^{−(K²−1)/2},
//
// where t bounds the chance that a coordinate exceeds Ks (2Φ(−x) ≤ e^{−x²/2} at
// x = K − 1/(2s), K ≤ s). If the mechanism with P-noise is (ε, δ)-DP, then
//
//	Q(S) ≤ e^a(e^ε P'(S) + δ) ≤ e^{ε+a+b} Q'(S) + e^a(δ + e^ε t):
//
// the released mechanism is (ε + a + b, e^a(δ + e^ε t))-DP.
type Lattice struct {
	Dimension int
	Ratio     float64 // s = σ_out/g; 0 for no lattice
}

// Correction returns a, b and log t for the truncation K = √kSquared, after
// count adaptive uses (a, b and t then add up). kSquared is capped at s².
func (l Lattice) Correction(kSquared float64, count int) (a, b, logT float64) {
	if l.Ratio == 0 || count == 0 {
		return 0, 0, math.Inf(-1)
	}
	d := float64(l.Dimension) * float64(count)
	square := l.Ratio * l.Ratio
	kSquared = math.Min(kSquared, square)
	unit := d / (24 * square) * (1 + 0x1p-40)
	return unit, unit * kSquared, math.Log(d) - (kSquared-1)/2
}

// tailBudget is log e^ε·t without the dimension, chosen so low that the tail
// matters to no δ that a float64 can hold: e^−800 ≈ 1e-347.
const tailBudget = 800.0

// onLattice is a profile with the correction applied.
type onLattice struct {
	inner   direction
	lattice Lattice
}

func (o onLattice) LogDeltaUpper(epsilon float64) float64 {
	a, b, logT := o.lattice.Correction(2*(tailBudget+math.Max(0, epsilon))+1, 1)
	before := curve.Lowered(epsilon, a+b)
	delta := o.inner.logDelta(before)
	tail := before + logT
	return curve.RoundUp(a + special.LogAddExp(delta, tail))
}
