package amp

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// The parameters that Redberg, Koskela & Wang 2023, section 5, fix for all their
// data sets.
const (
	paperTau      = 0.01
	paperSigmaOut = 0.15
	paperFactor   = 1.3 // σ/σ_G
	paperClip     = math.Sqrt2

	// paperGrid is below σ_out/2^23: as fine as what is released by default.
	paperGrid = 0x1p-26
)

// Paper returns the mechanism exactly as Redberg, Koskela & Wang 2023 set it in their
// experiments (section 5): τ = 0.01, σ_out = 0.15, gradients clipped at C = √2, σ = 1.3
// σ_G with σ_G the analytic Gaussian mechanism's for sensitivity C, and the smallest λ
// for which their Theorem 4.1, converted from Rényi divergences, gives the guarantee.
// Use it for comparison; [Defaults] are better at every ε.
//
// Rows are theirs for a schema with rows of norm "unit" and intercept 1: then
// R = √2, and C clips nothing of a logistic fit. For a shorter R the clipping
// threshold is R·max|f'| where that is less than √2, which is the same mechanism.
//
// What differs from theirs: the output is on a lattice, as all outputs are here;
// the gradient's norm is certified; and the conversion is the best over all real
// orders, not over a list of whole ones.
//
// Errors are those of calibrate.SmallestLambda: at ε so small that 1.3 σ_G is not
// enough for any λ, a *calibrate.UnattainableError.
func Paper(
	schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee,
) (privacy.ApproximateMinima, error) {
	none := privacy.ApproximateMinima{}
	if err := guarantee.Validate(); err != nil {
		return none, err
	}
	norm := schema.RowNorm()
	lipschitz := math.Min(paperClip, norm*loss.MaxSlope())
	gaussian, err := calibrate.Gaussian(guarantee.Epsilon, guarantee.Delta, lipschitz)
	if err != nil {
		return none, err
	}
	event := privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: guarantee.Adjacency, Loss: loss.Class(), RowNorm: norm,
			Lipschitz: lipschitz, Smoothness: loss.MaxCurvature(), Dimension: schema.Dimension(),
			Lambda: 1, Sigma: paperFactor * gaussian,
		},
		Tau: paperTau, SigmaOut: paperSigmaOut, Grid: paperGrid,
	}
	event.Objective.Lambda, err = calibrate.SmallestLambda(event, guarantee, objective.BoundRDP)
	return event, err
}
