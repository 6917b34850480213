package calibrate

import (
	"math"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// DefaultClip is the default clipping norm: L in units of R. It takes a quarter off the
// noise (σ = 0.71 to 0.78 σ_G). A logistic loss with slopes clipped at 0.56 classifies
// as well as an unclipped one: clipping only weakens the pull of records on the wrong
// side.
const DefaultClip = 0.5625

// What is the default for the losses that are not logistic, in units of R and
// 1/R. core/learn/measured.md has what they were chosen by.
const (
	signedClip   = 1    // a Huber loss is not clipped
	signedRadius = 32   // B at ε = 1, to be multiplied by ε^signedPower:
	signedPower  = 0.3  // a larger ε allows a longer θ
	glmClip      = 0.25 // a squared loss of labels in [−1, 1]
	glmRadius    = 4
)

const (
	lambdaShare  = 12   // k of DefaultLambda
	lambdaRadius = 60   // its B at ε = 1, to be multiplied by
	lambdaPower  = 0.35 // ε to this power
)

// LongRadius is 60·ε^0.35, a guess of ‖θ*‖ in units of 1/R.
func LongRadius(epsilon float64) float64 {
	return lambdaRadius * math.Exp(lambdaPower*math.Log(epsilon))
}

// DefaultLambda is the larger of R²/(ε + k·R²/(2σ²)) with k = 12 and σ√d·R/B with B =
// 60·ε^0.35, σ the noise of a Gaussian mechanism with the guarantee and sensitivity R,
// d the dimension of θ. At k = 1 the first is λ₀ of theory §4.3. A larger k gives a
// smaller λ. That needs more noise (with the default clipping, by 2 % at ε = 0.1 and 10
// % at ε = 1 and 8), but gains more by pulling θ less towards 0. The second term is the
// larger one from a hundred dimensions or so. It is the λ with the least bound on the
// excess risk for a θ of norm B/R (theory §5): in many dimensions a strong regulariser
// suppresses more noise than signal. core/learn/measured.md has the measurements
// by which both were chosen.
func DefaultLambda(epsilon, delta, rowNorm float64, dimension int) (float64, error) {
	sigma, err := Gaussian(epsilon, delta, rowNorm)
	if err != nil {
		return 0, err
	}
	square := rowNorm * rowNorm
	return math.Max(
		square/(epsilon+lambdaShare*square/(2*sigma*sigma)),
		sigma*math.Sqrt(float64(dimension))*rowNorm/LongRadius(epsilon),
	), nil
}

// withDefaults fills in what depends on the request's other fields: L, and B or
// λ for the loss class.
func (r MinimaRequest) withDefaults() (MinimaRequest, error) {
	if r.Loss == privacy.LossSmooth {
		return r, nil
	}
	if r.Loss == privacy.LossSoftmax {
		if r.Lipschitz == 0 {
			r.Lipschitz = privacy.SoftmaxSlope * r.RowNorm
		}
		return r, nil
	}
	clip, radius := DefaultClip, 0.0
	switch r.Loss {
	case privacy.LossSigned:
		clip, radius = signedClip, signedRadius*math.Exp(signedPower*math.Log(r.Guarantee.Epsilon))
	case privacy.LossHinge:
		clip, radius = 1, LongRadius(r.Guarantee.Epsilon)
	case privacy.LossGLM:
		clip, radius = glmClip, glmRadius
	}
	given := r.Lipschitz != 0
	if !given {
		r.Lipschitz = clip * r.RowNorm
	}
	if r.Lambda != 0 || r.RadiusGuess != 0 {
		return r, nil
	}
	if radius > 0 && r.RowNorm > 0 {
		r.RadiusGuess = radius / r.RowNorm
	}
	if given || radius > 0 {
		return r, nil
	}
	bound, err := objective.ParseBound(string(r.Bound))
	if err != nil {
		return r, err
	}
	if bound, err = bound.Resolve(r.Loss); err != nil ||
		simpler(bound, r.Loss) != objective.BoundLogistic {
		return r, err
	}
	if err := privacy.FirstError(
		r.Guarantee.Validate(), privacy.CheckPositive("row_norm", r.RowNorm),
		privacy.CheckPositive("smoothness", r.Smoothness),
	); err != nil {
		return r, err
	}
	r.Lambda, err = DefaultLambda(r.Guarantee.Epsilon, r.Guarantee.Delta, r.RowNorm, r.Dimension)
	r.Lambda = math.Max(r.Lambda, SmallestRegularizer(r.Smoothness*r.RowNorm*r.RowNorm)*(1+0x1p-50))
	return r, err
}
