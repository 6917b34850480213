package calibrate

import (
	"math"
	"strconv"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
	"cloister/core/special"
)

// MinimaRequest asks for the parameters of one approximate-minima fit. Everything in
// it is public; no choice that Minima makes looks at data.
type MinimaRequest struct {
	Guarantee privacy.Guarantee
	Loss      privacy.LossClass
	RowNorm   float64 // R, intercept included; not used by "smooth"
	// L; 0 is DefaultClip·R, R for "signed" and "rounded-hinge", R/4 for "glm", √2·R for
	// "softmax", which has no other, and not for "smooth"
	Lipschitz  float64
	Smoothness float64         // β
	Dimension  int             // d, length of θ, intercept included, for all classes of "softmax"
	Classes    int             // K of "softmax", else 0
	Bound      objective.Bound // "" is BoundAuto

	// RadiusGuess is B, a guess of ‖θ*‖ made without the data; 0 is
	// DefaultRadius/R (DefaultRadius/L for a smooth loss), but 32·ε^0.3/R for
	// "signed", LongRadius/R for "rounded-hinge" and 4/R for "glm".
	RadiusGuess float64

	// Lambda fixes λ; 0 chooses it. None is below [SmallestRegularizer].
	Lambda float64

	// Tau fixes τ, the gradient norm that the solver must certify, rounding included. 0
	// stands for R/2^18 (L/2^18 for a smooth loss) plus σ(√d + 40)/2^45, or for
	// [SmallestTau] if that is larger. Usually it is three times SmallestTau and more;
	// SmallestTau can be larger only if L is above R, or if the noise is very long in
	// thousands of columns. τ is never below SmallestTau.
	Tau float64
}

// LargestDelta is the largest δ that calibration makes use of.
const LargestDelta = 0.1

// DefaultRadius is the guess of ‖θ*‖ in units of 1/R: margins up to 16.
const DefaultRadius = 16.0

const (
	// outputShare is how many times smaller the output noise's ratio μ_out is
	// than the objective's μ, so that it costs some 1e-5 of σ.
	outputShare = 256.0

	// gridRatio is σ_out/g: coarse enough that θ/g stays a whole number that a
	// float64 holds for |θ| < 2^29 σ_out, fine enough for Lattice's correction
	// to be below 5e-13·d in ε.
	gridRatio = 1 << 24

	// paperFactor is the rule of Redberg, Koskela & Wang 2023: σ = 1.3 σ_G.
	paperFactor = 1.3
)

// Minima chooses λ, σ, τ, σ_out and the lattice so that the event it
// returns has the guarantee under the bound (theory §5). This is checked by
// pricing the event before it is returned.
//
//   - "logistic", "signed", "glm", and "rdp" for a smooth loss: the λ that
//     minimises the excess-risk bound dσ²/(2λ) + λB²/2 of Redberg et al.'s
//     Theorem H.1, σ being the smallest for that λ. For the logistic loss with
//     L = R under add/remove that is λ = max(λ₀, σ√d/B), σ = σ_G, with λ₀ taken
//     at 31/32 of ε.
//
//   - "rounded-hinge": λ = max(R²/ε, σ√d/B), ε taken at 31/32, or at half of that under
//     replace-one, and the smallest σ for it: σ_G under add/remove with L = R.
//
//   - "control": the same λ, and the smallest σ for it.
//
//   - "profile" and "rdp": the paper's rule, σ = 1.3 σ_G and the smallest λ.
//
//   - "kifer": the smallest λ of the theorem for 63/64 of ε, and σ.
//
//   - "softmax": the larger of 1.5·R²K/(ε(K−1)) and σ√d/B, B = 15/R unless it is given, σ that
//     of one Gaussian mechanism; and the smallest σ for it, to a relative 1e-6.
//
// A fixed Lambda replaces all of these: then σ is the smallest for it. If L, B and λ
// are all left out, a logistic fit is clipped at DefaultClip·R and has the λ of
// [DefaultLambda].
//
// A δ above [LargestDelta] is treated as LargestDelta: if a mechanism may fail outright
// for every tenth person, a little too much noise does not matter.
func Minima(r MinimaRequest) (privacy.ApproximateMinima, error) {
	if r.Guarantee.Delta > LargestDelta && r.Guarantee.Delta < 1 {
		r.Guarantee.Delta = LargestDelta
	}
	event, err := r.calibrated()
	if err == curve.ErrNumerical {
		err = &privacy.ParameterError{
			Field: "epsilon", Value: privacy.Number(r.Guarantee.Epsilon) + " at delta " +
				privacy.Number(r.Guarantee.Delta),
			Want: "less extreme: no parameters could be certified to give that",
		}
	}
	return event, err
}

func (r MinimaRequest) calibrated() (privacy.ApproximateMinima, error) {
	r, err := r.withDefaults()
	if err != nil {
		return privacy.ApproximateMinima{}, err
	}
	event, bound, err := r.template()
	if err != nil {
		return privacy.ApproximateMinima{}, err
	}
	if event, err = r.choose(event, bound); err != nil {
		return privacy.ApproximateMinima{}, err
	}
	if least := SmallestTau(event.Objective); !(event.Tau >= least) {
		return privacy.ApproximateMinima{}, &privacy.ParameterError{
			Field: "tau", Value: privacy.Number(event.Tau), Want: WantTau(least),
		}
	}
	profile, err := objective.Of(event, bound)
	if err != nil {
		return privacy.ApproximateMinima{}, err
	}
	// (Of the logarithm: a δ̂ near the smallest float64 is not rounded to.)
	if !(profile.LogDeltaUpper(r.Guarantee.Epsilon) <= curve.LogDown(r.Guarantee.Delta)) {
		return privacy.ApproximateMinima{}, curve.ErrNumerical
	}
	return event, nil
}

// Loudest is the objective perturbation of a request that names λ, with the noise that its δ asks
// of a Gaussian mechanism at ε = 0. Use it to see what a λ costs where the noise costs next to
// nothing. (Bounds "rdp" and "kifer" may ask for more noise at an ε.) Errors are those of [Minima].
func (r MinimaRequest) Loudest() (privacy.ObjectivePerturbation, objective.Bound, error) {
	r, err := r.withDefaults()
	if err != nil {
		return privacy.ObjectivePerturbation{}, "", err
	}
	event, bound, err := r.template()
	if err != nil {
		return event.Objective, bound, err
	}
	o, delta := event.Objective, r.Guarantee.Delta
	if o.Adjacency == privacy.ReplaceOne {
		delta /= 2 // of either of the two steps
	}
	o.Lambda = r.Lambda
	o.Sigma, err = Gaussian(0, delta, o.Lipschitz)
	return o, bound, err
}

// template checks the request and returns an event with all that is given.
func (r MinimaRequest) template() (privacy.ApproximateMinima, objective.Bound, error) {
	none := privacy.ApproximateMinima{}
	if err := privacy.FirstError(
		r.Guarantee.Validate(), privacy.CheckNonNegative("radius_guess", r.RadiusGuess),
		privacy.CheckNonNegative("lambda", r.Lambda), privacy.CheckNonNegative("tau", r.Tau),
	); err != nil {
		return none, "", err
	}
	if r.Dimension < 1 {
		return none, "", &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(r.Dimension),
			Want:  "1 or more",
		}
	}
	bound, err := objective.ParseBound(string(r.Bound))
	if err != nil {
		return none, "", err
	}
	event := privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: r.Guarantee.Adjacency, Loss: r.Loss, RowNorm: r.RowNorm,
			Lipschitz: r.Lipschitz, Smoothness: r.Smoothness, Dimension: r.Dimension,
			Classes: r.Classes, Lambda: 1, Sigma: 1,
		},
		SigmaOut: 1,
	}
	if err := event.Validate(); err != nil {
		return none, "", err
	}
	least := SmallestRegularizer(objective.Curvature(event.Objective))
	if r.Lambda > 0 && r.Lambda < least {
		return none, "", &privacy.ParameterError{
			Field: "lambda", Value: privacy.Number(r.Lambda), Want: WantRegularizer(least),
		}
	}
	bound, err = bound.Resolve(r.Loss)
	return event, bound, err
}

// choose sets λ, σ and the output step.
func (r MinimaRequest) choose(
	event privacy.ApproximateMinima, bound objective.Bound,
) (privacy.ApproximateMinima, error) {
	o := event.Objective
	paper := r.Lambda == 0 && o.Loss != privacy.LossSmooth &&
		(bound == objective.BoundProfile || bound == objective.BoundRDP)
	if paper {
		return r.paperRule(event, bound)
	}
	var err error
	if o.Lambda, err = r.chooseLambda(o, simpler(bound, o.Loss)); err != nil {
		return event, err
	}
	o.Lambda = math.Max(o.Lambda, SmallestRegularizer(objective.Curvature(o)))
	keep, accuracy := r.Guarantee, solverAccuracy
	if bound == objective.BoundSoftmax || bound == objective.BoundControl {
		// Their profiles take up to milliseconds. Priced again on another machine, δ may differ in
		// its last digits.
		keep.Delta *= 1 - 0x1p-30
		accuracy = 1e-6
	}
	if o.Sigma, err = smallestSigma(o, keep, bound, accuracy); err != nil {
		return event, err
	}
	event = r.outputStep(o)
	event.Objective.Sigma, err = smallestSigma(event, keep, bound, accuracy)
	return event, err
}

// simpler is the bound by which λ is chosen: for "control" the next sharpest, which a search
// can ask often.
func simpler(bound objective.Bound, loss privacy.LossClass) objective.Bound {
	if bound != objective.BoundControl {
		return bound
	}
	other, err := objective.BoundAuto.Quick(loss)
	if err != nil {
		return bound
	}
	return other
}

// chooseLambda returns λ for the bounds that leave it free.
func (r MinimaRequest) chooseLambda(
	o privacy.ObjectivePerturbation, bound objective.Bound,
) (float64, error) {
	epsilon := r.Guarantee.Epsilon
	switch {
	case r.Lambda > 0:
		return r.Lambda, nil
	case bound == objective.BoundSoftmax:
		return r.softmaxLambda(o)
	case bound == objective.BoundKifer:
		lambda, _, err := KiferParameters(
			epsilon*63/64, r.Guarantee.Delta, o.RowNorm, o.Lipschitz, o.Smoothness,
		)
		return lambda, err
	case bound == objective.BoundHinge:
		return r.hingeLambda(o)
	case bound == objective.BoundLogistic && o.Lipschitz == o.RowNorm &&
		o.Adjacency == privacy.AddRemove:
		sigma, err := Gaussian(epsilon, r.Guarantee.Delta, o.RowNorm)
		if err != nil {
			return 0, err
		}
		// The output step asks for the profile at ε − w too, w up to some 40
		// μ_out = 40μ/256: with λ₀ for a little less than ε that is still the
		// Gaussian one, sharp and in closed form.
		return math.Max(
			objective.ZeroOverheadLambda(epsilon*31/32, o.RowNorm, sigma),
			sigma*math.Sqrt(float64(o.Dimension))/r.radius(),
		), nil
	}
	return r.leastRisk(o, bound)
}

// hingeLambda is max(R²/ε, σ√d/B), σ the noise of one Gaussian mechanism: without overhead
// (theory §4.8), at 31/32 of ε for the output step's sake as in chooseLambda. Under
// replace-one each of two steps has about half of ε.
func (r MinimaRequest) hingeLambda(o privacy.ObjectivePerturbation) (float64, error) {
	epsilon := r.Guarantee.Epsilon
	if o.Adjacency == privacy.ReplaceOne {
		epsilon /= 2
	}
	sigma, err := Gaussian(epsilon, r.Guarantee.Delta, o.Lipschitz)
	return math.Max(
		o.RowNorm*o.RowNorm/(epsilon*31/32), sigma*math.Sqrt(float64(o.Dimension))/r.radius(),
	), err
}

// radius is B.
func (r MinimaRequest) radius() float64 {
	if r.RadiusGuess > 0 {
		return r.RadiusGuess
	}
	return DefaultRadius / r.scale()
}

// scale is R, or L where there is no R.
func (r MinimaRequest) scale() float64 {
	if r.Loss == privacy.LossSmooth {
		return r.Lipschitz
	}
	return r.RowNorm
}

// leastRisk minimises log(dσ(λ)²/(2λ) + λB²/2) over log λ. σ(λ) falls to its
// value without curvature, and the sum grows with λ from where it has come
// near it; that place is where the search starts.
func (r MinimaRequest) leastRisk(
	o privacy.ObjectivePerturbation, bound objective.Bound,
) (float64, error) {
	d, radius := float64(o.Dimension), r.radius()
	smooth := objective.Curvature(o)
	if o.Loss == privacy.LossSmooth {
		smooth *= d
	}
	free := o
	free.Lambda = math.Max(smooth, 1/(radius*radius)) * 1e9 / math.Min(1, r.Guarantee.Epsilon)
	sigma, err := smallestSigma(free, r.Guarantee, bound, 1e-2)
	if err != nil {
		return 0, err
	}
	risk := func(logLambda float64) float64 {
		trial := o
		trial.Lambda = math.Exp(logLambda)
		// of no more use to a search as rough as this
		s, err := smallestSigma(trial, r.Guarantee, bound, 1e-4)
		if err != nil {
			return math.Inf(1)
		}
		return math.Log(d*s*s/(2*trial.Lambda) + trial.Lambda*radius*radius/2)
	}
	center := math.Log(math.Max(sigma*math.Sqrt(d)/radius, smooth/r.Guarantee.Epsilon))
	best, value := special.Minimum(risk, center-6, center+6, 1e-2)
	if math.IsInf(value, 1) {
		return 0, &UnattainableError{Parameter: "lambda", Guarantee: r.Guarantee, Bound: bound}
	}
	return math.Exp(best), nil
}

// paperRule sets σ = 1.3 σ_G, or as little more as has a λ at all, and the
// smallest λ.
func (r MinimaRequest) paperRule(
	event privacy.ApproximateMinima, bound objective.Bound,
) (privacy.ApproximateMinima, error) {
	o := event.Objective
	gaussian, err := Gaussian(r.Guarantee.Epsilon, r.Guarantee.Delta, o.Lipschitz)
	if err != nil {
		return event, err
	}
	for factor := paperFactor; ; factor *= paperFactor {
		o.Sigma = factor * gaussian
		if o.Lambda, err = SmallestLambda(o, r.Guarantee, bound); err == nil {
			event = r.outputStep(o)
			event.Objective.Lambda, err = SmallestLambda(event, r.Guarantee, bound)
		}
		event.Objective.Lambda = math.Max(
			event.Objective.Lambda, SmallestRegularizer(objective.Curvature(o)),
		)
		if _, infeasible := err.(*UnattainableError); !infeasible || factor > 100 {
			return event, err
		}
	}
}

// outputStep sets τ, σ_out and the grid for an objective whose λ and σ are
// settled up to what the output step itself will cost: powers of two, with
// μ_out at most μ/256.
func (r MinimaRequest) outputStep(o privacy.ObjectivePerturbation) privacy.ApproximateMinima {
	tau := r.Tau
	if tau == 0 {
		tau = math.Max(r.scale()*0x1p-18+longestNoise(o)*0x1p-45, SmallestTau(o)*(1+0x1p-40))
	}
	least := 2 * tau / o.Lambda * outputShare * o.Sigma / o.Lipschitz
	sigmaOut := math.Exp2(math.Ceil(math.Log2(least)))
	return privacy.ApproximateMinima{
		Objective: o,
		Tau:       tau,
		SigmaOut:  sigmaOut,
		Grid:      sigmaOut / gridRatio,
	}
}
