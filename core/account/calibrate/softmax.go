package calibrate

import (
	"math"

	"cloister/core/privacy"
)

const (
	softmaxShare  = 1.5 // how many times R²K/(ε(K−1)) the λ of a softmax is at least
	softmaxRadius = 15  // its B, in units of 1/R
)

// softmaxLambda is the λ of a softmax of K classes and d columns,
//
//	λ = max(1.5·R²K/(ε(K−1)), σ√(Kd)·R/15),
//
// σ the noise of one Gaussian mechanism with the guarantee and sensitivity √2·R, and 15/R
// the guess of ‖Θ‖, or RadiusGuess. The first is where the price begins to rise; the second
// has the least bound on the excess risk (theory §5), and is the larger from some thirty
// coefficients on. core/learn/measured.md has what both were chosen by. Under
// replace-one ε counts half: a record is taken out and one put in.
func (r MinimaRequest) softmaxLambda(o privacy.ObjectivePerturbation) (float64, error) {
	epsilon, radius := r.Guarantee.Epsilon, r.RadiusGuess
	if r.Guarantee.Adjacency == privacy.ReplaceOne {
		epsilon /= 2
	}
	if radius == 0 {
		radius = softmaxRadius / o.RowNorm
	}
	sigma, err := Gaussian(epsilon, r.Guarantee.Delta, o.Lipschitz)
	k := float64(o.Classes)
	return math.Max(
		softmaxShare*o.RowNorm*o.RowNorm*k/(epsilon*(k-1)),
		sigma*math.Sqrt(float64(o.Dimension))/radius,
	), err
}
