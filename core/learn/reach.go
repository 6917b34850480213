package learn

import (
	"math"
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/privacy"
)

// verifyReach checks, where the mechanism solves for a minimiser, that its
// coefficients could be as long as they are. A regulariser so strong that one
// record moves nothing makes the noise cheap; with it no number of records moves
// anything, and the coefficients are those of something else.
//
// Theorem. Let J(θ) = Σ ℓ(θ; zᵢ) + (λ/2)‖θ‖² over at most N = calibrate.MostRecords
// records whose gradients have norm at most L, and ‖∇J(θ̃) + b‖ ≤ τ. What comes out
// when θ̃ is rounded to a lattice of spacing g and noise of σ_out is added has, but
// for a probability of 2e^-800, every coefficient within
//
//	(NL + σ(√d + 40) + τ)/λ + g√d/2 + σ_out(√d + 40)
//
// of 0, σ being that of b. For output perturbation b = 0, and τ/λ + g√d/2 is within
// the sensitivity that its event states.
//
// Proof. λθ̃ = (∇J(θ̃) + b) − Σ∇ℓ(θ̃; zᵢ) − b, and the triangle inequality. A vector
// v of d draws of parameter 1, from the normal distribution or the discrete one,
// which is subgaussian with the same parameter, has ‖v‖² > d + 2√(dt) + 2t with
// probability e^-t at most (Hsu, Kakade & Zhang 2012, Theorem 2.1), and for t = 800
// the root of that is below √d + 40. ∎
//
// Of a softmax of K classes the sum over the classes of what stands in one column is within
//
//	√K·(40σ + τ)/λ + √K·(K² + 1)g + 40√K·σ_out
//
// of 0, but for a probability of 4e^-800, however many records there are: in it they cancel (the
// theorem of verifyNoise), and what is left are K draws each of noise, residuals and rounding. For
// output perturbation it is √K times its sensitivity and 40 σ_out.
//
// What a mechanism of steps gives out is as long as the steps are, of which its event
// says nothing.
func (r *Release) verifyReach(found []privacy.Event, check checker) {
	if r.Model.Moments != nil {
		return // of which what was solved for is computed
	}
	norm := r.Schema.RowNorm()
	checked, within := false, true
	for k, event := range found {
		theta := r.Model.fitted(k)
		const far = 40
		draws, root := math.Sqrt(float64(len(theta)))+far, math.Sqrt(float64(r.Model.Vectors()))
		most, sums := 0.0, math.Inf(1)
		if r.Model.Told != nil {
			most = r.longestTold(draws)
		}
		switch e := event.(type) {
		case privacy.ApproximateMinima:
			o := e.Objective
			most = (calibrate.MostRecords*o.Lipschitz+o.Sigma*draws+e.Tau)/o.Lambda +
				(e.Grid+e.SigmaOut)*draws
			sums = (far*o.Sigma+e.Tau)/o.Lambda + (root*root*root*root+1)*e.Grid + far*e.SigmaOut
		case privacy.Gaussian:
			most = calibrate.MostRecords*r.Model.lipschitz(norm)/r.Model.Lambda + e.Sensitivity +
				e.Sigma*draws
			sums = e.Sensitivity + far*e.Sigma
		default:
			if r.Model.Told == nil {
				continue
			}
		}
		checked = true
		within = within && noneBeyond(theta, most)
		if r.Model.joint() {
			within = within && noneBeyond(r.Model.classSums(), sums*root)
		}
	}
	if checked {
		check(
			"reach", within, "The coefficients are no longer than such a regulariser lets them be.",
			"A coefficient is longer than a regulariser of this strength lets it be with as many records as can be read, so it is not what the mechanism gave out.",
		)
	}
}

func noneBeyond(numbers []float64, most float64) bool {
	most *= 1 + 0x1p-40
	return !slices.ContainsFunc(numbers, func(c float64) bool { return !(math.Abs(c) <= most) })
}
