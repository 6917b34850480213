package privacy

import (
	"math"
	"strconv"
)

// LossClass says what is known about a loss ℓ(θ; x, y) = f(xᵀθ; y). Each class has the
// properties of the ones before it, and more, unless it says otherwise. A narrower class has
// sharper bounds.
type LossClass string

const (
	// LossSmooth: convex and Lipschitz with a β-Lipschitz gradient, not
	// necessarily a GLM. Smoothness then bounds the Hessian's eigenvalues
	// (not f'') and RowNorm is not used.
	LossSmooth LossClass = "smooth"

	// LossGLM: f convex, 0 ≤ f'' ≤ β.
	LossGLM LossClass = "glm"

	// LossSigned: a GLM loss for which the sign of f' is fixed by y, such as
	// the Huber SVM.
	LossSigned LossClass = "signed"

	// LossLogistic: f(m; y) = log(1 + e^{h−ym}), h a public number, 0 for the logistic loss
	// itself: signed, and f'' = |f'|(1 − |f'|). Or that times a public weight of y, at most 1,
	// with which f'' is no more than that.
	LossLogistic LossClass = "logistic"

	// LossHinge: the rounded hinge w − 1 + e^{−w}, w = h − ym > 0, else 0: signed, and
	// f'' = 1 − |f'| or 0. It is beside LossLogistic, not after it.
	LossHinge LossClass = "rounded-hinge"

	// LossSoftmax: ℓ(Θ; x, y) = log Σ_k e^{(θ_k − θ_y)ᵀx} of K classes, Θ the K vectors θ_k.
	// It is no GLM loss, but as smooth as [LossSmooth] asks: its Hessian is P ⊗ xxᵀ, P =
	// diag p − ppᵀ, with eigenvalues of at most R²/2, and its gradient (p − e_y) ⊗ x is no
	// longer than √2·R.
	LossSoftmax LossClass = "softmax"
)

// What the softmax loss implies: β, and L in units of R.
const (
	SoftmaxSmoothness = 0.5
	SoftmaxSlope      = math.Sqrt2
)

// ObjectivePerturbation is the release of argmin J(θ; Z) + bᵀθ with b ~ N(0, Sigma² I)
// and J(θ; Z) = Σ ℓ(θ; z) + (Lambda/2)‖θ‖², a sum over records and not a mean
// (Chaudhuri et al. 2011; Kifer et al. 2012; Redberg, Koskela & Wang 2023). The
// record's feature vector x includes the intercept. All numbers except Dimension lie
// from 1e-50 to 1e50. RowNorm is ignored for LossSmooth.
type ObjectivePerturbation struct {
	Adjacency  Adjacency // AddRemove; ReplaceOne is priced through it
	Loss       LossClass
	RowNorm    float64 // R ≥ ‖x‖₂, intercept included
	Lipschitz  float64 // L ≥ ‖∇ℓ‖₂; with gradient clipping, the threshold
	Smoothness float64 // β ≥ f'' (LossSmooth: of the Hessian); 1/4 for logistic
	Lambda     float64 // λ, strength of the quadratic regulariser, > 0
	Sigma      float64 // σ, standard deviation of each coordinate of b
	Dimension  int     // length of θ; needed for LossSmooth, else informative
	Classes    int     // K ≥ 2 of LossSoftmax, whose Dimension is K·d; 0 for all others
}

func (ObjectivePerturbation) Mechanism() string       { return "objective-perturbation" }
func (e ObjectivePerturbation) Neighbours() Adjacency { return e.Adjacency }

// Validate checks ranges, Dimension up to [LargestCount] and the others from
// [LeastScale] to [LargestScale], and that what the loss class implies holds:
// logistic needs β = 1/4, rounded-hinge β = 1, and both L ≤ R; softmax β = 1/2, L = √2·R and 2
// to [MostClasses] classes, by whose number Dimension can be divided.
func (e ObjectivePerturbation) Validate() error {
	if err := FirstError(
		CheckAdjacency(e.Adjacency), checkScale("lipschitz", e.Lipschitz),
		checkScale("smoothness", e.Smoothness), checkScale("lambda", e.Lambda),
		checkScale("sigma", e.Sigma),
	); err != nil {
		return err
	}
	if err := checkCount("dimension", e.Dimension, 0); err != nil {
		return err
	}
	if err := e.validateLoss(); err != nil {
		return err
	}
	if e.Classes != 0 && e.Loss != LossSoftmax {
		return &ParameterError{
			Field: "classes", Value: strconv.Itoa(e.Classes),
			Want: `left out unless loss is "softmax"`,
		}
	}
	return nil
}

// validateLoss checks that the loss class is known, and what it implies.
func (e ObjectivePerturbation) validateLoss() error {
	switch e.Loss {
	case LossSoftmax:
		return e.validateSoftmax()
	case LossSmooth:
		if e.Dimension < 1 {
			return &ParameterError{
				Field: "dimension",
				Value: strconv.Itoa(e.Dimension),
				Want:  `1 or more when loss is "smooth"`,
			}
		}
		return nil
	case LossGLM, LossSigned:
		return checkScale("row_norm", e.RowNorm)
	case LossLogistic:
		return e.validateBending(0.25, "the logistic loss")
	case LossHinge:
		return e.validateBending(1, "the rounded hinge")
	}
	return &ParameterError{
		Field: "loss",
		Value: quote(string(e.Loss)),
		Want:  `"logistic", "rounded-hinge", "softmax", "signed", "glm" or "smooth"`,
	}
}

// validateBending checks what a loss has whose curvature follows from its slope.
func (e ObjectivePerturbation) validateBending(smoothness float64, loss string) error {
	if err := checkScale("row_norm", e.RowNorm); err != nil {
		return err
	}
	if e.Smoothness != smoothness {
		return &ParameterError{
			Field: "smoothness", Value: Number(e.Smoothness), Want: Number(smoothness) + " for " + loss,
		}
	}
	if e.Lipschitz > e.RowNorm {
		return &ParameterError{
			Field: "lipschitz", Value: Number(e.Lipschitz),
			Want: "at most row_norm for " + loss + ", whose |f'| is below 1",
		}
	}
	return nil
}

// MostClasses is the largest number of classes that a softmax may have.
const MostClasses = 1 << 12

// validateSoftmax checks what only the softmax has. L is √2·R as float64s have it, but for
// the rounding of another program's product.
func (e ObjectivePerturbation) validateSoftmax() error {
	if err := checkScale("row_norm", e.RowNorm); err != nil {
		return err
	}
	switch slope := e.Lipschitz / e.RowNorm; {
	case e.Classes < 2 || e.Classes > MostClasses:
		return &ParameterError{
			Field: "classes", Value: strconv.Itoa(e.Classes),
			Want: "from 2 to " + strconv.Itoa(MostClasses) + ` when loss is "softmax"`,
		}
	case e.Dimension%e.Classes != 0:
		return &ParameterError{
			Field: "dimension", Value: strconv.Itoa(e.Dimension),
			Want: "as many numbers for each of the " + strconv.Itoa(e.Classes) + " classes",
		}
	case e.Smoothness != SoftmaxSmoothness:
		return &ParameterError{
			Field: "smoothness", Value: Number(e.Smoothness), Want: "0.5 for the softmax loss",
		}
	case !(math.Abs(slope-SoftmaxSlope) <= 0x1p-40):
		return &ParameterError{
			Field: "lipschitz", Value: Number(e.Lipschitz),
			Want: "√2 times row_norm, " + Number(SoftmaxSlope*e.RowNorm) + ", for the softmax loss",
		}
	}
	return nil
}

// ApproximateMinima is Approximate Minima Perturbation (Algorithm 1 of Redberg, Koskela
// & Wang 2023): objective perturbation is solved until ‖∇J(θ̃; Z) + b‖ ≤ Tau, and θ̃ is
// released with noise SigmaOut per coordinate. It is the adaptive composition of
// Objective with a Gaussian mechanism of sensitivity 2·Tau/Lambda + Grid·√Dimension.
//
// Grid is the spacing g of the lattice gℤ^d on which θ̃ is rounded and the
// output noise is drawn, exactly, from the discrete Gaussian with parameter
// SigmaOut. Grid = 0 describes the idealised continuous mechanism of the paper.
// SigmaOut lies from 1e-50 to 1e50, and so do Tau and Grid, or are 0.
type ApproximateMinima struct {
	Objective ObjectivePerturbation
	// τ: certified bound on ‖∇J + b*‖, with rounding and the noise sampler's error included
	Tau      float64
	SigmaOut float64 // σ_out, in units of θ
	Grid     float64 // g, in units of θ; 0 or a power of two
}

func (ApproximateMinima) Mechanism() string       { return "approximate-minima-perturbation" }
func (e ApproximateMinima) Neighbours() Adjacency { return e.Objective.Adjacency }

// MinGridRatio is the smallest SigmaOut/Grid that is priced. Below it the discrete
// Gaussian is so far from the continuous one that the correction which account charges
// would matter.
const MinGridRatio = 1 << 20

// Validate checks Objective, that SigmaOut, and Tau and Grid where they are not 0, lie from
// [LeastScale] to [LargestScale], and that a Grid other than 0 is a power of two, at most
// SigmaOut/MinGridRatio, with the dimension given.
func (e ApproximateMinima) Validate() error {
	if err := e.Objective.Validate(); err != nil {
		return err
	}
	if err := FirstError(
		checkScaleOrZero("tau", e.Tau), checkScale("sigma_out", e.SigmaOut),
		checkScaleOrZero("grid", e.Grid),
	); err != nil {
		return err
	}
	if e.Grid == 0 {
		return nil
	}
	if frac, _ := math.Frexp(e.Grid); frac != 0.5 {
		return &ParameterError{Field: "grid", Value: Number(e.Grid), Want: "0 or a power of two"}
	}
	if e.Grid*MinGridRatio > e.SigmaOut {
		return &ParameterError{
			Field: "grid",
			Value: Number(e.Grid),
			Want:  "at most sigma_out / 2^20",
		}
	}
	if e.Objective.Dimension < 1 {
		return &ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(e.Objective.Dimension),
			Want:  "1 or more when a grid is given",
		}
	}
	return nil
}
