package learn

import (
	"math"
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/privacy"
)

// verifyNoise checks, where a mechanism's noise is known, that its coefficients are not
// so short that no such noise gives them out: much noise costs little, and with it the
// coefficients are not those of a model.
//
// Theorem. Let θ come from objective perturbation with noise σ and output noise σ_out
// on a lattice of spacing g. For k coordinates that are fixed beforehand, the chance
// that all of them are within r of 0 is at most p_out^k, and at most p_in^k + 2e^-800,
//
//	p_out = (2r + g)/(σ_out√(2π)),   p_in = 2r'(λ + NβR²)/(σ√(2π)),
//
// with r' = r + τ/λ + (g + σ_out)(√d + 40), N the number of records. So the chance that
// some k of d are is at most C(d, k) times that.
//
// Proof. Each coordinate's output noise is drawn on its own, and has mass at most
// 1/Σe^{−j²/(2s²)} ≤ 1/(s√(2π)) at each point, s = σ_out/g (Poisson's summation formula);
// within r of 0 are no more than 2r/g + 1 points. For p_in, let θ* be the exact minimiser
// and S the k coordinates. Given the other coordinates of b, b_S ↦ θ*_S has the inverse
// −∇ of J minimised over the others, a convex function of θ_S. Its gradient is Lipschitz
// with the constant of J's, λ + NβR² (a Schur complement of the Hessian is no larger),
// so that no volume grows by more than the k-th power of that: the density of θ*_S is at
// most ((λ + NβR²)/(σ√(2π)))^k. And θ is within (r' − r) of θ* but for 2e^-800 (verifyReach). ∎
//
// Of a softmax of K classes the same holds of the d sums S_j = Σ_c θ_cj over the classes, with
//
//	p = 2(r + √K·τ/λ + K²g)·λ/(σ√(2πK)),
//
// however many records there are: in them the records cancel, and what is left is noise.
//
// Proof. A record's gradient (p − e_y) ⊗ x adds up to 0 over the classes, so that λΣθ̃_cj is
// −Σ b_cj, normal with variance Kσ², but for √K·τ. Rounding moves the sum by Kg/2, and that
// of float64s is off by as much as K roundings below K·2^53·g. The output noise is
// independent of b, and makes no density larger. ∎
//
// Below a chance of 2^-100 at some k, for any of them, a release is called untrue. For an
// honest one that happens with probability d·2^-99 at most, and for the best of K
// candidates with K times that.
//
// Output perturbation has the same p_out, with its σ and g ≤ σ/2^20 (package outpert). But what it
// gives out may have been moved to a ball, which makes no coefficient longer, and the file does not
// say so: coefficients that are too short are not called untrue, but said to be next to nothing
// but noise if the claim is true. What steps give out is as long as the steps are, of which their
// events say nothing: that so much noise was drawn is not checked.
func (r *Release) verifyNoise(found []privacy.Event, check checker) {
	if r.Model.Told != nil {
		noiseClaim(!r.tooShortTold(), check)
		return
	}
	norm := r.Schema.RowNorm()
	records := calibrate.MostRecords * r.Model.Loss.MaxCurvature() * norm * norm
	checked, likely := false, true
	for k, event := range found {
		if r.verifyNoiseAlone(event, r.Model.fitted(k), check) {
			return
		}
		_, output := event.(privacy.Gaussian)
		checked = checked || output && r.Model.Moments == nil
		e, ok := event.(privacy.ApproximateMinima)
		if !ok {
			continue
		}
		checked = true
		theta := r.Model.fitted(k)
		o, draws := e.Objective, math.Sqrt(float64(len(theta)))+40
		moved := (e.Grid+e.SigmaOut)*draws + e.Tau/o.Lambda
		likely = likely && !TooShort(theta, func(r float64) float64 {
			out := (2*r + e.Grid) / e.SigmaOut
			in := 2 * (r + moved) * (o.Lambda + records) / o.Sigma
			return math.Min(out, in) / math.Sqrt(2*math.Pi)
		})
		if classes := float64(r.Model.Vectors()); r.Model.joint() {
			moved := math.Sqrt(classes)*e.Tau/o.Lambda + classes*classes*e.Grid
			likely = likely && !TooShort(r.Model.classSums(), func(r float64) float64 {
				return 2 * (r + moved) * o.Lambda / (o.Sigma * math.Sqrt(2*math.Pi*classes))
			})
		}
	}
	if checked {
		noiseClaim(likely, check)
	}
}

// verifyNoiseAlone is verifyNoise where the noise is too little known to call anything untrue. It
// reports whether it said so of all mechanisms at once.
func (r *Release) verifyNoiseAlone(event privacy.Event, theta []float64, check checker) bool {
	switch e := event.(type) {
	case privacy.GradientDescent, privacy.SubsampledGaussian:
		check(
			"noise", true,
			"Not checked: how much noise is in the coefficients. It was added to what each step is made of, and the file does not say how long the steps are. That so much was drawn is the word of whoever made the release.",
			"",
		)
		return true
	case privacy.Gaussian:
		if r.Model.Moments == nil && TooShort(theta, func(r float64) float64 {
			return (2*r/e.Sigma + 0x1p-20) / math.Sqrt(2*math.Pi)
		}) {
			check(
				"noise", true,
				"Not checked: that so much noise was drawn. It leaves coefficients as short as these only if they were moved to a ball afterwards, of which the file says nothing, and then there is next to nothing in them but noise. If they predict well, less was drawn.",
				"",
			)
			return true
		}
	}
	return false
}

// classSums is the sum of the classes' vectors.
func (m Model) classSums() []float64 {
	sums := make([]float64, len(m.Columns))
	for i, c := range m.Coefficients {
		sums[i%len(sums)] += c
	}
	return sums
}

func noiseClaim(likely bool, check checker) {
	check(
		"noise", likely,
		"The coefficients are no shorter than noise of this strength leaves them.",
		"Noise of this strength leaves no coefficients as short as these, so they are not what the mechanism gave out.",
	)
}

// leastChance is that below which what a file says is called untrue.
const leastChance = 0x1p-100

// TooShort reports whether for some k the chance that k of these numbers are as near 0
// as the k nearest are is below 2^-100: chance(r) bounds that of one within r, whatever
// the others are.
func TooShort(numbers []float64, chance func(r float64) float64) bool {
	lengths := make([]float64, len(numbers))
	for i, x := range numbers {
		lengths[i] = math.Abs(x)
	}
	slices.Sort(lengths)
	logs := 0.0 // log C(d, k)
	for i, r := range lengths {
		k := float64(i + 1)
		logs += math.Log((float64(len(lengths)) - k + 1) / k)
		if logs+k*math.Log(chance(r)) < math.Log(leastChance) {
			return true
		}
	}
	return false
}
