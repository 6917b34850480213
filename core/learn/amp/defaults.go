package amp

import (
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Request is [Defaults] for the logistic loss. One setting serves all ε:
//
//	rows        clipped to norm 1           the schema says; data.Suggest proposes it
//	intercept   κ = 1/2                     likewise (data.DefaultIntercept)
//	gradients   clipped at L = 9/16 R       calibrate.DefaultClip
//	price       the bound "control"         objective.BoundAuto
//	λ           R²/(ε + 12 R²/(2σ²)), or    calibrate.DefaultLambda; σ here the Gaussian mechanism's. The
//	            σ√d·R/(60·ε^0.35) if more   second is more in a hundred dimensions and above
//	σ           the smallest for these      bound of theory §4.3
//	τ           R/2^18 + σ(√d + 40)/2^45    three times calibrate.SmallestTau, which does for 2^24 rows of any kind
//	σ_out       512 τσ/(λL), to a power of two: under 1 % of the noise that b makes
//
// All but the price were chosen by the mean test accuracy on public tables, which
// core/learn/measured.md has, beside other choices.
func Request(
	schema *data.Schema, guarantee privacy.Guarantee, bound objective.Bound,
) calibrate.MinimaRequest {
	return Defaults(schema, glm.Logistic{}, guarantee, bound)
}

// Defaults asks calibrate.Minima for a fit with the defaults, none of
// which looks at data. Those of the logistic loss are described at [Request]; of
// the others, whose rows, intercept, σ and output step are chosen as there:
//
//	           width   gradients clipped at    λ
//	Huber SVM  h = 1   R, which is no clip     that of the least bound on the excess risk (Theorem H.1)
//	                                           for ‖θ*‖ = B = 32·ε^0.3/R: longer for an ε that allows more
//	squared            R/4                     the same for B = 4/R
//	shifted  h = 2     R, which is no clip     that for B = 60·ε^0.35/R; λ₀ (theory §4.3) at least
//	hinge    h = 2     likewise                the same; R²/ε at least
//	softmax            likewise                max(1.5·R²K/(ε(K−1)), σ√(Kd)·R/15)
//
// A squared loss is of labels in [−1, 1], so that the gradient of a record of norm R is clipped
// where it is predicted wrong by a quarter. core/learn/measured.md has what they were chosen by,
// and why neither the shifted loss nor the rounded hinge is the default.
func Defaults(
	schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee, bound objective.Bound,
) calibrate.MinimaRequest {
	request := calibrate.MinimaRequest{
		Guarantee:  guarantee,
		Loss:       loss.Class(),
		RowNorm:    schema.RowNorm(),
		Smoothness: loss.MaxCurvature(),
		Dimension:  schema.Dimension(),
		Bound:      bound,
	}
	if _, shifted := loss.(glm.ShiftedLogistic); shifted {
		request.Lipschitz = request.RowNorm
		request.RadiusGuess = calibrate.LongRadius(guarantee.Epsilon) / request.RowNorm
	}
	if request.Loss == privacy.LossSoftmax {
		request.Classes = len(schema.Label.Classes)
		request.Dimension *= request.Classes
	}
	return request
}
