package wire

import (
	"cloister/core/learn"
)

// A release: all of it may be published. It holds what a reader needs to check the guarantee, and
// nothing else that was computed from the data than the coefficients (and an evaluation, if one was
// bought). A release is written in the oldest version that can say it.
type Release[L AnyLabel] struct {
	Format  string  `json:"format" is:"cloister-release"`
	Version float64 `json:"version" is:"1|2|3|4|5|6"`
	// Version of the library that made it.
	Library string    `json:"library"`
	Schema  Schema[L] `json:"schema"`
	// Several classes: one fit a class, composed.
	Event     ByLabel[L, VectorEvent, CompositionEvent, VectorEvent] `json:"event"`
	Guarantee ReleaseGuarantee                                       `json:"guarantee"`
	Model     Model[L]                                               `json:"model"`
	// How the model does on held-out records, with noise; see [Client.evaluate].
	Evaluation Evaluation `json:"evaluation,omitempty"`
	// How the model was chosen (version 3); left out, it is not stated. See [Client.stateChoice].
	Choice Choice `json:"choice,omitempty"`
}

// How a model came to be the one that is published. But for `private-selection` it is the
// publisher's word, which no file can show.
//
//   - `only-model`: no other was fitted to these rows.
//   - `all-published`: all models fitted to the rows are published; there may be others.
//   - `paid-figures`: it was chosen from several by what had been paid for (the models themselves,
//     evaluations with noise), and by nothing else that came from the rows.
//   - `private-selection`: by a private selection, which the event has in it.
//
// A choice by figures that were not paid for, such as a model's accuracy on the rows that it was
// fitted to, is none of these, and no guarantee covers it.
type Choice = learn.Choice

// The event of a release of one vector of coefficients.
type VectorEvent interface{ isVectorEvent() }

func (ApproximateMinimaEvent) isVectorEvent()  {}
func (GaussianEvent) isVectorEvent()           {}
func (GradientDescentEvent) isVectorEvent()    {}
func (SubsampledGaussianEvent) isVectorEvent() {}
func (ProposeTestReleaseEvent) isVectorEvent() {}
func (CompositionEvent) isVectorEvent()        {}
func (PoissonSelectionEvent) isVectorEvent()   {}

type ReleaseGuarantee struct {
	Guarantee

	// How the event is priced; version 1: in closed form.
	Method Method `json:"method,omitempty" not:"auto"`
	// False if the schema holds unconfirmed suggestions, which the guarantee does not cover.
	Covers bool `json:"covers"`
	// Plain sentences: what the guarantee does not cover.
	Caveats []string `json:"caveats"`
}

type Loss string

type ModelFrame struct {
	Loss Loss `json:"loss"`
	// Half-width of the Huber loss.
	HuberWidth float64 `json:"huber_width,omitempty"`
	// h of the shifted logistic loss, or of the rounded hinge.
	Shift float64 `json:"shift,omitempty"`
	// Of the loss `weighted-logistic`: what a record of the positive class weighs, divided by what
	// one of the negative class does.
	PositiveWeight float64 `json:"positive_weight,omitempty"`
	// Norm to which each record's gradient was clipped; version 1: the event's `lipschitz`.
	Clip float64 `json:"clip,omitempty"`
	// λ of the regulariser, where the event does not say it.
	Lambda float64 `json:"lambda,omitempty"`
	// What the coefficients are computed from, if they are (version 4; method `suffstats`).
	Moments Moments `json:"moments,omitempty"`
	// What else the fit gave out, and what its noise follows from (version 5; methods `ops-ptr`,
	// `ops` and `outptr`).
	Told Told `json:"told,omitempty"`
	// Which candidate of a private selection made the coefficients (version 6).
	Selected Selected `json:"selected,omitempty"`
	// Names of the design matrix' columns; the intercept, if there is one, last.
	Columns []string `json:"columns"`
}

// Which candidate of a private selection made a model, and its score. The event pays for both.
type Selected struct {
	// Its place in the `events` of the event's `one-of`, from 0.
	Candidate float64 `json:"candidate"`
	// With noise, as the event says. The best of several is above the truth as a rule.
	Score float64 `json:"score"`
}

// Second moments of the columns and of the label, from −1 to 1, with noise. All of it is released,
// so other models on the same columns, computed from it, cost nothing more.
type Moments struct {
	// A: the sum of x xᵀ, its lower triangle by rows.
	Matrix []float64 `json:"matrix"`
	// b: the sum of y x.
	Vector []float64 `json:"vector"`
	// The sum of y².
	Square float64 `json:"square"`
	// σ of the noise of the matrix off the diagonal (√2 σ on it), of the vector, and of the square.
	MatrixSigma float64 `json:"matrix_sigma"`
	VectorSigma float64 `json:"vector_sigma"`
	SquareSigma float64 `json:"square_sigma"`
	// Spacing of the lattice that all of them lie on.
	Grid float64 `json:"grid"`
	// λ: the coefficients are (A₊ + λI)⁻¹b, A₊ the matrix with its negative eigenvalues taken for
	// 0.
	Ridge float64 `json:"ridge"`
}

// What a fit gave out besides its coefficients, and what their noise follows from.
type Told interface{ isTold() }

func (TestedSample) isTold()    {}
func (FixedSample) isTold()     {}
func (TestedCurvature) isTold() {}

// A posterior sample whose noise two tests chose (method `ops-ptr`): N(θ_λ, (γH)⁻¹), H the columns'
// second moments with λ on the diagonal.
type TestedSample struct {
	Of string `json:"of" is:"tested-sample"`
	// The smallest eigenvalue of the columns' second moments, with noise.
	Eigenvalue float64 `json:"eigenvalue"`
	// log(1 + R‖θ_λ‖), with noise, R the length of the longest row.
	LogRadius float64 `json:"log_radius"`
	Lambda    float64 `json:"lambda"`
	Gamma     float64 `json:"gamma"`
	// σ of what was added to each coefficient besides, and the spacing of its lattice.
	Sigma float64 `json:"sigma"`
	Grid  float64 `json:"grid"`
}

// A posterior sample without a test (method `ops`).
type FixedSample struct {
	Of string `json:"of" is:"fixed-sample"`
	// The most records that any table has: public.
	Records float64 `json:"records"`
	Lambda  float64 `json:"lambda"`
	Gamma   float64 `json:"gamma"`
	Sigma   float64 `json:"sigma"`
	Grid    float64 `json:"grid"`
}

// Output perturbation whose noise a test chose (method `outptr`).
type TestedCurvature struct {
	Of string `json:"of" is:"tested-curvature"`
	// The smallest eigenvalue of the loss's Hessian at the solution, with noise.
	Eigenvalue float64 `json:"eigenvalue"`
	// λ of the regulariser.
	Lambda float64 `json:"lambda"`
	// σ of each coefficient's noise, and the spacing of its lattice.
	Sigma float64 `json:"sigma"`
	Grid  float64 `json:"grid"`
}

// One vector of coefficients, or for several classes one a class. A numeric label's margin m stands
// for min + (m + 1)/2·(max − min).
type Model[L AnyLabel] And[ModelFrame, ByLabel[L, Vector, ClassVectors, Vector]]

// One vector a class.
type ClassVectors struct {
	Classes []ClassVector `json:"classes"`
}

type ClassVector struct {
	Vector

	// Its name, as in the schema.
	Class string `json:"class"`
}

type Vector struct {
	// θ, one a column, intercept included.
	Coefficients []float64 `json:"coefficients"`
	// What the intercept's column adds to every margin; 0 without one.
	Intercept float64 `json:"intercept"`
	// The coefficients in the units of the file, without the intercept.
	Original []OriginalCoefficient `json:"original"`
	// The constant that goes with them: a record has margin (constant + Σ coefficient·x)/N +
	// intercept, N being what its row was divided by (`Model.Originals` in core/learn).
	OriginalConstant float64 `json:"original_constant"`
}

type OriginalCoefficient struct {
	Feature     string  `json:"feature"`
	Category    string  `json:"category,omitempty"`
	Coefficient float64 `json:"coefficient"`
	// What the coefficient multiplies: the value ("1"), whether it is the category ("category"),
	// whether it is missing ("missing"), or "log1p(x - offset)".
	Unit string `json:"unit" is:"1|category|missing|log1p(x - offset)"`
	// Of the logarithm.
	Offset float64 `json:"offset,omitempty"`
}

// How a model does on held-out records, in noisy numbers: `Assessment` in `core/learn` says what
// each is.
type Evaluation struct {
	Adjacency Adjacency `json:"adjacency"`
	// δ is 0.
	Epsilon   float64      `json:"epsilon"`
	Event     PrivacyEvent `json:"event"`
	LossBound float64      `json:"loss_bound,omitempty"`
	Cells     [][]float64  `json:"cells"`
	Sums      []float64    `json:"sums"`
}
