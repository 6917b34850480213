// Package report says what one release by objective perturbation costs one
// person: the ex-post per-instance privacy loss (Redberg & Wang 2021; Redberg's
// thesis, chapter 2 and appendix A; theory §6).
//
// D is the data that the release was made from, z = (x, y) a person's record,
// and D' the data without z if z is among D, with z if not. The loss is
//
//	log p_D(θ) − log p_D'(θ)
//
// at the θ that came out: how much likelier θ was than it would have been had
// the person decided otherwise. It depends on all of D and is itself private.
// Of it there is
//
//   - [Exact], the loss itself, for the eyes of the data holder;
//   - [Report], published bounds that any person can evaluate for a record of
//     their own ([Report.Row]) from what is public, each with the probability
//     that it holds. A data-independent one costs nothing, a data-dependent and
//     an adaptive one are releases with an event of their own.
//
// The signs, with g = ∇ℓ(θ; z) and a = f″·xᵀH₀⁻¹x, H₀ the Hessian of J on the
// data without z:
//
//	z in D      log(1 + a) + ‖g‖²/(2σ²) − ∇J(θ; D)ᵀg/σ²
//	z not in D  −log(1 + a) + ‖g‖²/(2σ²) + ∇J(θ; D)ᵀg/σ²
//
// Releases by approximate minima (package amp) publish not θ*, the minimiser, but
// Theta, some noise away. Their loss here is that of publishing both: the loss at
// θ* and that of the Gaussian step from there, which adds up to what the release is
// priced for (theory §2). Who sees Theta alone sees a part
// of that: where a bound B fails with probability ρ at most and is the same for all
// outputs, no event is likelier with the record than e^B times what it is without,
// plus ρ, nor the other way round (thesis, Lemma A.7.4).
package report
