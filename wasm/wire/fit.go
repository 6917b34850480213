package wire

import (
	"cloister/core/lab/expect"
)

// What a fit is asked to promise, and the few choices beside it. All of it must be public.
type Budget struct {
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Delta     float64   `json:"delta"`
	// Default `auto`.
	Bound Bound `json:"bound,omitempty"`
	// C: threshold that gradients are clipped to. Default 9/16 of R (squared: R/4; Huber and
	// the losses with a shift: R). The
	// softmax takes none.
	// Without effect from R times the loss's steepest slope, which is 1 but for the squared loss,
	// which has none.
	Clip float64 `json:"clip,omitempty"`
	// λ. Default: chosen from ε, δ, R, d and `radius` alone. At least 2⁻¹²·βR², β the loss's
	// largest curvature: below, one record would decide whether a fit is refused.
	Lambda float64 `json:"lambda,omitempty"`
	// B: a public guess of ‖θ*‖, for choosing λ. Default: Huber 32·ε^0.3/R, squared 4/R, softmax
	// 15/R, for a λ of at least 1.5·R²K/(ε(K−1)), K the number of classes. Logistic:
	// with neither `clip`, `lambda` nor `radius` given, λ is the larger of R²/(ε + 6R²/σ²) and
	// σ√d·R/(60·ε^0.35), σ the Gaussian mechanism's noise for sensitivity R; with `clip` given, or
	// `bound` one that holds for other losses too, λ follows B = 16/R. The losses with a shift:
	// 60·ε^0.35/R, for a λ that costs no noise at least, R²/ε for the rounded hinge.
	Radius float64 `json:"radius,omitempty"`
	// τ: what the solver must certify. Default: R/2¹⁸ + σ(√d + 40)/2⁴⁵, σ the noise of the
	// objective.
	Tau float64 `json:"tau,omitempty"`
}

// A fit that is planned: by its schema, or, of the logistic loss and two classes, by R and d.
type CalibrateRequest interface{ isCalibrateRequest() }

func (PlanRequest) isCalibrateRequest()      {}
func (ObjectiveRequest) isCalibrateRequest() {}

// A fit of rows that a schema describes.
type SchemaFit struct {
	Budget
	MethodOptions

	Schema AnySchema `json:"schema"`
}

// A fit that is planned by its schema. Binaries that see data answer it.
type PlanRequest struct {
	SchemaFit
	PrivateChoice
}

// A fit of the logistic loss and two classes that is planned by R and d alone. Every binary that
// prices answers it.
type ObjectiveRequest struct {
	Budget

	// R: no row, intercept included, is longer.
	RowNorm float64 `json:"rowNorm"`
	// d: how many coefficients there are, the intercept's included.
	Dimension float64 `json:"dimension"`
}

// What a fit is charged for.
type FitEvent interface{ isFitEvent() }

func (ApproximateMinimaEvent) isFitEvent()  {}
func (GaussianEvent) isFitEvent()           {}
func (GradientDescentEvent) isFitEvent()    {}
func (SubsampledGaussianEvent) isFitEvent() {}
func (CompositionEvent) isFitEvent()        {}
func (ProposeTestReleaseEvent) isFitEvent() {}
func (PoissonSelectionEvent) isFitEvent()   {}

type Calibration struct {
	// What such a fit is charged for. Priced again by the same bound, it satisfies `guarantee`.
	// Several classes: one fit of all with `softmax`, else one fit a class, composed.
	Event     FitEvent  `json:"event"`
	Guarantee Guarantee `json:"guarantee"`
	// The ε that every candidate's fit has by itself, where the rows choose a setting.
	Each float64 `json:"each,omitempty"`
}

type LossOptions struct {
	// Default: `squared` for a numeric label, which takes no other, `softmax` for several classes,
	// else `logistic`. With another loss than `softmax` several classes are fitted one against
	// the rest.
	Loss Loss `json:"loss,omitempty"`
	// Half-width of the Huber loss, default 1.
	HuberWidth float64 `json:"huberWidth,omitempty"`
	// h of the losses `shifted-logistic` and `rounded-hinge`, the margin at which they bend:
	// above 0, at most 16, default 2.
	Shift float64 `json:"shift,omitempty"`
	// How many records of the negative class one of the positive class counts as, with the loss
	// `weighted-logistic`, which needs it: from 0.001 to 1000. It must be public: about the number
	// of negative records to a positive one in people at large, say, and never counted in these.
	PositiveWeight float64 `json:"positiveWeight,omitempty"`
}

// How a model is fitted. All give the same guarantee; `fitMethods` says what each can. One that
// takes no `bound`, `clip`, `lambda`, `radius` and `tau` chooses them itself, and refuses them.
type FitMethod string

type MethodOptions struct {
	LossOptions

	// Default `amp`. Where `records` is given, `steps` if `records` times ε is below 10,000 of two
	// classes, or 100,000 of several or of a number; it is `amp` all the same with another loss
	// than the usual one, or if one of `bound` (but `auto`), `clip`, `lambda`, `radius` and `tau`
	// is given.
	Method FitMethod `json:"method,omitempty"`
	// About how many records there are; one digit will do. Some methods need it: they set the
	// regulariser, the step or the samples by it. Where no method is named, it helps to choose a
	// better one. It must be public knowledge: do not count the
	// file for it, unless neighbours are `replace-one`, where the number is public. A wrong one
	// costs accuracy, never privacy.
	Records float64 `json:"records,omitempty"`
}

// A setting that is chosen by the rows, and paid for: at most one of the two. Each candidate is
// fitted with noise several times, by chance, and the model with the best noisy score on the rows
// is released. `epsilon` and `delta` are of all of it, so each fit has about half of ε. The
// usual default costs nothing to choose.
type PrivateChoice struct {
	// λ of objective perturbation, 2 to 16 to choose from; none: three by default.
	ChooseLambda []float64 `json:"chooseLambda,omitempty" ts:"readonly"`
	// The method, 2 to 16 to choose from; none: those of `amp`, `steps` and `suffstats` for such a
	// label. `method` is left out then. Methods with a test cannot be chosen from.
	ChooseMethod []FitMethod `json:"chooseMethod,omitempty" ts:"readonly"`
}

// How a fit went; private like [ExactFigures], which are asked for by themselves. Nothing was paid
// for it, so no guarantee covers what is decided by it: which of several models is published,
// whether one is, or what is fitted next. Who looks publishes every model of these rows, or none;
// say which before.
type Diagnostics struct {
	// How many it was made of.
	Rows       float64 `json:"rows"`
	Iterations float64 `json:"iterations"`
	// Certified bound on the (perturbed) gradient's norm, and the τ it had to stay below. Gradient
	// descent certifies none.
	GradientNorm float64 `json:"gradientNorm,omitempty"`
	Tau          float64 `json:"tau,omitempty"`
	// Wall-clock time of calibrating, solving and releasing.
	Milliseconds float64 `json:"milliseconds"`
}

// How much the columns tell of the label: of two classes, who knows all is right for 67, 78 or 87 %
// of the records.
type Signal = expect.Signal

// One trial. All of it is public, and the same is answered the same.
type ExpectationRequest struct {
	Budget
	MethodOptions
	PrivateChoice

	Schema AnySchema `json:"schema"`
	// About how many there will be. It is also what the fit is told: where no method is named, the
	// trials are of the one that such a fit takes at each ε.
	Records float64 `json:"records"`
	// About what share of them is in the rarer of two classes, at most 0.5, if that is public
	// knowledge: do not count the file for it. Left out, made-up records have about as many of
	// either.
	Rarer  float64 `json:"rarer,omitempty"`
	Signal Signal  `json:"signal"`
	// 1, 2, …: another population that the schema allows, other records, other noise.
	Trial float64 `json:"trial"`
	// At most 32; the budget's own `epsilon` counts only if it is among them.
	Epsilons []float64 `json:"epsilons" ts:"readonly"`
}

// Share of fresh records predicted right; of a numeric label, share of its variance explained.
type Expectation struct {
	// Of a fit without noise.
	Plain float64 `json:"plain"`
	// Of naming the largest class of every record; 0 for a number, of naming the mean.
	Known float64 `json:"known"`
	// Of a private one, for each of `epsilons`; null where no noise gives that ε.
	Private []*float64 `json:"private"`
}
