package learn

import (
	"math"
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/data"
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
// And where columns are dependent, Σ vⱼxⱼ = 0 in every row (dependent), Σ vⱼθⱼ/‖v‖ is within the
// same for N = 0: no record's gradient, a multiple of its row, has a part along v.
//
// What a mechanism of steps gives out is as long as the steps are, of which its event
// says nothing.
//
// λ of output perturbation is the word of whoever made the release, as σ is. Claimed λ' times too
// large, it makes the sensitivity 2L/λ, and with the same noise about ε, λ' times smaller. This
// check bounds the λ that can be claimed by about NL over the longest coefficient: N, 2^24, times L
// for coefficients of 1. No check of a file can do much better. Take N records of the logistic
// loss with xᵀθ = 1.278 and y = 1, all along θ: if λ‖θ‖² = 0.278·N, θ is their minimiser, and what
// the mechanism with that λ gives out for them is θ and its noise. So a file with such a λ can be
// an honest one, and its ε is then true. What would bind λ further is the number of records,
// which is private and in no release. To claim the λ that was used, however large, gains nothing:
// the theorem holds for it, and the coefficients are as short as it makes them.
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
		sums := math.Inf(1)
		var most func(records float64) float64
		if r.Model.Told != nil {
			most = func(records float64) float64 {
				return r.Model.Told.longest(norm, draws, records)
			}
		}
		switch e := event.(type) {
		case privacy.ApproximateMinima:
			o := e.Objective
			most = func(records float64) float64 {
				return (records*o.Lipschitz+o.Sigma*draws+e.Tau)/o.Lambda +
					(e.Grid+e.SigmaOut)*draws
			}
			sums = (far*o.Sigma+e.Tau)/o.Lambda + (root*root*root*root+1)*e.Grid + far*e.SigmaOut
		case privacy.Gaussian:
			most = func(records float64) float64 {
				return records*r.Model.lipschitz(norm)/r.Model.Lambda + e.Sensitivity +
					e.Sigma*draws
			}
			sums = e.Sensitivity + far*e.Sigma
		default:
			if r.Model.Told == nil {
				continue
			}
		}
		checked = true
		within = within && noneBeyond(theta, most(calibrate.MostRecords)) &&
			noneBeyond(dependent(r.Schema, theta), most(0))
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

// dependent is Σ vⱼθⱼ/‖v‖ for each v of which Σ vⱼxⱼ = 0 in every row, of one vector θ or one a
// class: the columns of two features that always have a category add up to the same; and the
// intercept times a number is that too, if all rows are divided by the same (data.Scale) or there
// is no other feature.
func dependent(s *data.Schema, theta []float64) (sums []float64) {
	columns := s.Dimension()
	for ; len(theta) > 0; theta = theta[columns:] {
		times, sum, square, at := 1.0, 0.0, 0.0, 0 // the latter those of the feature before
		if s.Intercept > 0 && (s.Rows.Norm == data.Scale || len(s.Features) == 1) {
			times, sum, square = s.Intercept, theta[columns-1], 1
			if s.Rows.Norm == data.Scale {
				times /= s.RowScale()
			}
		}
		for k := range s.Features {
			f := &s.Features[k]
			from := at
			at += f.Width()
			if !f.Certain() {
				continue
			}
			own, width := 0.0, float64(at-from)
			for _, c := range theta[from:at] {
				own += c
			}
			if square > 0 {
				sums = append(sums, (times*own-sum)/math.Sqrt(times*times*width+square))
			}
			times, sum, square = 1, own, width
		}
	}
	return sums
}

func noneBeyond(numbers []float64, most float64) bool {
	most *= 1 + 0x1p-40
	return !slices.ContainsFunc(numbers, func(c float64) bool { return !(math.Abs(c) <= most) })
}
