package glm

import (
	"math"

	"cloister/core/privacy"
)

// Softmax is the log loss of K classes on K scores z_k = θ_kᵀx,
//
//	ℓ(z; y) = log Σ_k e^{z_k − z_y},   p_k = e^{z_k}/Σ_j e^{z_j},
//
// in nats: the negative log likelihood of class y when class k has probability p_k. Its
// gradient by the scores is p − e_y, no longer than √2, and its Hessian P = diag p − ppᵀ,
// whose eigenvalues are in [0, 1/2]. Use [Softmax.Scores].
//
// It is a [Loss], so that whatever holds a loss can hold this one: as such it is the loss of
// two classes on m = the difference of their scores, the logistic one. But MaxSlope, √2, and
// MaxCurvature, 1/2, are the bounds of the K scores, and Class is privacy.LossSoftmax.
type Softmax struct{ Logistic }

// Class is privacy.LossSoftmax.
func (Softmax) Class() privacy.LossClass { return privacy.LossSoftmax }

// MaxSlope is √2: in units of ‖x‖ no record's gradient is longer.
func (Softmax) MaxSlope() float64 { return privacy.SoftmaxSlope }

// MaxCurvature is 1/2.
func (Softmax) MaxCurvature() float64 { return privacy.SoftmaxSmoothness }

// Scores overwrites the scores with p − e_y and returns ℓ. Component y is minus the sum of
// the others, so that it does not cancel where p_y is nearly 1.
//
// Error. Let u = 2^-53. Component k ≠ y is within (K + 16 + d_k)·u·p_k of what it is for
// these floats, d_k = max z − z_k ≤ 746 (beyond, p_k counts as 0, and is less than 2^-1074):
// the difference is rounded once, an exponential errs by less than 4u, K numbers are added,
// and one division is made. So the vector is within [Softmax.Error] in norm. NaN or
// infinite scores make it NaN.
func (Softmax) Scores(z []float64, y int) (value float64) {
	own, sum := z[y], 0.0
	largest := largestOf(z)
	for k, x := range z {
		z[k] = math.Exp(x - largest)
		sum += z[k]
	}
	rest := 0.0
	for k := range z {
		z[k] /= sum
		if k != y {
			rest += z[k]
		}
	}
	z[y] = -rest
	return math.Log(sum) + (largest - own)
}

// Error bounds the rounding error of Scores in Euclidean norm. Over k ≠ y, Σ (K + 16 +
// d_k)·u·p_k is at most (K + 16 + K/e)·u, because p_k ≤ e^{−d_k} and d·e^{−d} ≤ 1/e.
// Component y is off by as much, and K roundings. The sum of both is below (4K + 40)·u.
func (Softmax) Error(classes int) float64 { return (4*float64(classes) + 40) * 0x1p-53 }

// Probabilities overwrites the scores with p.
func (Softmax) Probabilities(z []float64) {
	largest, sum := largestOf(z), 0.0
	for k, x := range z {
		z[k] = math.Exp(x - largest)
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
}

// largestOf is the largest of the scores, NaN if one is.
func largestOf(z []float64) float64 {
	largest := math.Inf(-1)
	for _, x := range z {
		largest = math.Max(largest, x)
	}
	return largest
}
