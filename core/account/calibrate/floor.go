package calibrate

import (
	"math"

	"cloister/core/privacy"
)

// A fit that cannot certify what its event promises, that θ̃ is within τ/λ of the
// minimiser, is refused. Whether it is must not tell what the records are, nor how
// many. So here are the least τ and λ, and the largest curvature, of a plan; they
// follow from public numbers alone, and a plan below them is refused before a row
// is read. (The event of a release that was made with less is priced as ever: the
// price does not depend on these.)

// MostRecords is N = 2^24, the number of records that the floors below are derived for.
// Packages data and learn refuse a file of more, as they refuse one of too many bytes:
// by a public rule that is known beforehand.
const MostRecords = 1 << 24

// LargestCurvature is the largest β for which the floors are derived: that of the Huber
// loss of half-width 1/(2β) = 1/128. Every other loss here has at most 1.
const LargestCurvature = 64.0

// SmallestTau is the least τ that a fit is made with,
//
//	τ₀ = 2^-21·(5/4)(R + L) + σ(√d + 40)·(2^-46 + d²·2^-66),
//
// R the longest row (L in its place for a smooth loss), L the bound on a record's
// gradient, d the number of columns, σ the noise (0 where none is added to the
// objective).
//
// # Theorem
//
// Let λ ≥ [SmallestRegularizer], β ≤ [LargestCurvature], d ≤ 2^12 and τ ≥ τ₀. For
// any N or fewer records, at any θ, or sum of two halves, with ‖∇J(θ) + b‖ ≤ τ and
// ‖b‖ ≤ σ(√d + 40), solve.Objective's certificate has a rounding bound and an offset
// of at most (τ − η)/2 together, η = 2^-47·σ(√d + 40) being the error of the noise
// itself (package amp). So a point at which the computed gradient is at most
// (τ − η)/2 is always certified.
//
// Proof. Let u = 2^-53. By solve.Rows.Certify the bound is the sum over records of
// ‖x‖(M + E + γ|s|), and small change. Term by term, with ‖x‖ ≤ R, |s|·‖x‖ ≤ L:
//
//   - γ|s|·‖x‖, products and plain sums: 128u·L = 2^-46·L.
//   - E·‖x‖, slopes: 2^-49·L, and for Huber's and the shifted logistic loss 2^-50·R besides.
//   - M·‖x‖, margins: 2^-46·R while βkA is up to 128. Else the margin is computed
//     with an error of at most u|m| and (2du)²·R‖θ‖, and moves the slope by what
//     the curvature there makes of that. The first part: for the logistic loss
//     |m|·f″ ≤ max |m|/(1 + |m| + m²/2) < 0.42, so 0.42u; for Huber's |m| ≤ 1 + h where
//     f″ is not 0, so u(1 + h)/(2h) ≤ 64.5u for h ≥ 1/128; for the logistic loss shifted
//     by h ≤ 16, |m| ≤ h + |m − yh| and so (h/4 + 0.42)u; for the rounded hinge with
//     h ≤ 16, |m| ≤ h where ym ≥ 0 and |m|e^(−|m|) < 1 else, 16u; for the squared loss, whose
//     slope is not clipped where f″ is not 0, |m|·‖x‖ ≤ L + R, so u(L + R) in all. Each
//     is below what is charged while βkA is up to 128, but for u·L.
//   - The second part, for all records: NβR²·(2du)²·‖θ‖. θᵀ(∇J + b) =
//     Σ f'(m)m + λ‖θ‖² + bᵀθ, and −f'(m)m ≤ q: 0.28 for the logistic loss, 1/4 for
//     the squared one, and for Huber's 1 − h where h ≤ 1/3 (at m = 1 − h, its slope
//     is −1 up to there) and (1 + h)²/(8h) where h is more; for the shifted logistic loss
//     and the rounded hinge h + 0.28 ≤ 17, by ym = h + (ym − h) and by f' = 0 beyond h. Hence
//     ‖θ‖ ≤ √(qN/λ) + (‖b‖ + τ)/λ. With βR²/λ ≤ 2^12 and √(qβ) ≤ 8 that is at most
//     d²·2^-104·(2^24·2^12·2^6·8·R + 2^36(‖b‖ + τ)), of which the first is below
//     2^-35·R and the second d²·2^-68·(‖b‖ + τ).
//   - Offset: λ‖low‖ ≤ uλ‖θ‖ ≤ u(NL + ‖b‖ + τ), so 2^-29·L.
//   - Small change: the double-double sums and factors like 1 + 2^-20.
//
// N times the first three is 2^-22·((1 + 2^-4)R + (1 + 2^-3)L); with the rest it is
// below 2^-22·(5/4)(R + L) + d²·2^-68·(‖b‖ + τ)·(1 + 2^-10). Twice that, and η, is at
// most τ₀. ∎
//
// Softmax. The same holds with K·d numbers in d's place and 2^-28·(4K + 40)·R more: by
// solve.Scores.Certify the terms are the same but for the slopes' (4K + 40)·u each, twice, and
// for scores that are computed again, whose first part that takes in. In the second part β
// is 1/2, and q, the most that Σ_k p_k(z_y − z_k) can be, is at most log K ≤ 9.
//
// The other half of τ is for the solver, which works with the gradient of the
// certificate where plain floats do not do (solve.Newton). That Newton's method gets
// there is tested, not proved: the condition number of the Hessian is at most N·2^12 =
// 2^36, which times d·u is at most 2^-5.
func SmallestTau(o privacy.ObjectivePerturbation) float64 {
	row, d := o.RowNorm, float64(o.Dimension)
	if o.Loss == privacy.LossSmooth {
		row = o.Lipschitz
	}
	noise := longestNoise(o)
	least := 0x1p-21*1.25*(row+o.Lipschitz) + noise*(0x1p-46+d*d*0x1p-66)
	if o.Loss == privacy.LossSoftmax {
		least += 0x1p-28 * (4*float64(o.Classes) + 40) * row
	}
	return least
}

// WantTau says what is wrong with a τ below the least.
func WantTau(least float64) string {
	return "at least " + privacy.Number(least) + ", or rounding errors would refuse large data sets"
}

// SmallestRegularizer is the least λ that a fit is made with, 2^-12·βR² (2^-12·β for
// a smooth loss), given the curvature βR² that one record can add.
//
// If λ is too small, whether a fit is refused depends on the records: θ can be as long
// as √(N/λ) or ‖b‖/λ, and the rounding error of its product with a row grows with its
// length. The least λ keeps that error, the second part of the third term in
// [SmallestTau]'s proof, below a thousandth of the whole in 4096 columns. It also keeps
// the condition number of N records' Hessian at 2^36. It costs nothing: log(1 + 2^12) =
// 8.3 of ε would go to the curvature alone, and the defaults are above it up to ε =
// 1000 or so.
func SmallestRegularizer(curvature float64) float64 { return curvature * 0x1p-12 }

// WantRegularizer says what is wrong with a λ below the least.
func WantRegularizer(least float64) string {
	return "at least " + privacy.Number(least) +
		", or one record would decide whether a fit is refused"
}

// longestNoise is σ(√d + 40), which ‖b‖ exceeds with probability e^-800 at most.
func longestNoise(o privacy.ObjectivePerturbation) float64 {
	return o.Sigma * (math.Sqrt(float64(o.Dimension)) + 40)
}
