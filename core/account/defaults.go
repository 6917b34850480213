package account

import (
	"math"

	"cloister/core/privacy"
)

// DefaultClip is where gradients are clipped unless the caller says: L in units
// of R. It takes a quarter off the noise (σ = 0.71 to 0.78 σ_G), and a logistic
// loss whose slope is cut off at 0.56 classifies as well as one that is not: all
// that is cut off is some of the pull of records on the wrong side.
const DefaultClip = 0.5625

// What is the default for the losses that are not logistic, in units of R and
// 1/R. Package amp has what they were chosen by.
const (
	signedClip   = 1    // a Huber loss is not clipped
	signedRadius = 32   // B at ε = 1, to be multiplied by ε^signedPower:
	signedPower  = 0.3  // a larger ε allows a longer θ
	glmClip      = 0.25 // a squared loss of labels in [−1, 1]
	glmRadius    = 4
)

// lambdaShare is k of DefaultLambda.
const lambdaShare = 12

// DefaultLambda is λ = R²/(ε + k·R²/(2σ²)) with k = 12, σ the noise of a Gaussian
// mechanism with the guarantee and sensitivity R. At k = 1 it is λ₀ of theory
// §4.3. The smaller value asks for more noise (with the default clipping, by 2 %
// at ε = 0.1 and 10 % at ε = 1 and 8) and gives more back by pulling θ less
// towards 0. Package amp has what it was chosen by.
func DefaultLambda(epsilon, delta, rowNorm float64) (float64, error) {
	sigma, err := CalibrateGaussian(epsilon, delta, rowNorm)
	if err != nil {
		return 0, err
	}
	square := rowNorm * rowNorm
	return square / (epsilon + lambdaShare*square/(2*sigma*sigma)), nil
}

// withDefaults fills in what depends on the request's other fields: L, and B or
// λ for the loss class.
func (r Request) withDefaults() (Request, error) {
	if r.Lipschitz != 0 || r.Loss == privacy.LossSmooth {
		return r, nil
	}
	clip, radius := DefaultClip, 0.0
	switch r.Loss {
	case privacy.LossSigned:
		clip, radius = signedClip, signedRadius*math.Exp(signedPower*math.Log(r.Guarantee.Epsilon))
	case privacy.LossGLM:
		clip, radius = glmClip, glmRadius
	}
	r.Lipschitz = clip * r.RowNorm
	if r.Lambda != 0 || r.RadiusGuess != 0 {
		return r, nil
	}
	if radius > 0 && r.RowNorm > 0 {
		r.RadiusGuess = radius / r.RowNorm
		return r, nil
	}
	bound, err := ParseBound(string(r.Bound))
	if err != nil {
		return r, err
	}
	if bound, err = bound.Resolve(r.Loss); err != nil || bound != BoundLogistic {
		return r, err
	}
	if err := firstError(r.Guarantee.Validate(), privacy.CheckPositive("row_norm", r.RowNorm)); err != nil {
		return r, err
	}
	r.Lambda, err = DefaultLambda(r.Guarantee.Epsilon, r.Guarantee.Delta, r.RowNorm)
	return r, err
}
