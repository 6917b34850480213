// Package report computes what one release by objective perturbation costs one person:
// the ex-post per-instance privacy loss (Redberg & Wang 2021; Redberg's thesis, chapter
// 2 and appendix A; theory §6).
//
// D is the data that the release was made from, and z = (x, y) is a person's record. D'
// is D without z if z is in D, and D with z if not. The loss is
//
//	log p_D(θ) − log p_D'(θ)
//
// at the released θ. It says how much likelier θ was than it would have been if the
// person had decided otherwise. It depends on all of D and is itself private. The
// package offers
//
//   - [Exact], the loss itself, for the eyes of the data holder;
//   - [Report], published bounds on it, which any person can evaluate for their own
//     record ([Report.Row]) from what is public. Each comes with the probability that
//     it holds. A data-independent report costs nothing; a data-dependent or adaptive
//     one is a release with its own event.
//
// The signs, with g = ∇ℓ(θ; z) and a = f″·xᵀH₀⁻¹x, H₀ the Hessian of J on the
// data without z:
//
//	z in D      log(1 + a) + ‖g‖²/(2σ²) − ∇J(θ; D)ᵀg/σ²
//	z not in D  −log(1 + a) + ‖g‖²/(2σ²) + ∇J(θ; D)ᵀg/σ²
//
// Releases by approximate minima (package amp) publish Theta, which is the minimiser θ*
// plus some noise. Their loss here is that of publishing both: the loss at θ* plus the
// loss of the Gaussian step from there. That is also what the release is priced for
// (theory §2). Somebody who sees only Theta sees a part of that. Suppose that a bound B
// fails with probability at most ρ and is the same for all outputs. Then the
// probability of every event with the record is at most e^B times that without it, plus
// ρ, and the other way round (thesis, Lemma A.7.4).
package report
