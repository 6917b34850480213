package amp

import (
	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Request is [Defaults] for the logistic loss.
//
// None of them looks at data, and one setting serves all ε:
//
//	rows        clipped to norm 1           the schema says; data.Suggest proposes it
//	intercept   κ = 1/2                     likewise (data.DefaultIntercept)
//	gradients   clipped at L = 9/16 R       account.DefaultClip
//	λ           R²/(ε + 12 R²/(2σ²))        account.DefaultLambda; σ here the Gaussian mechanism's
//	σ           the smallest for these      bound of theory §4.3
//	τ           R/2^18 + σ(√d + 40)/2^45    a hundred times the proved rounding bound of 10^6 rows like Adult's
//	σ_out       512 τσ/(λL), to a power of two: under 1 % of the noise that b makes
//
// They were chosen by the mean test accuracy in % over a hundred seeded 80/20
// splits, δ = 1e-5, as measured by
//
//	go run ./scripts/accuracy -splits 100
//
//	                              Adult                   breast cancer           synthetic
//	ε                             0.1     1       8       0.1     1       8       0.1     1       8
//	the defaults                  82.45   83.87   84.76   69.5    88.3    92.9    75.8    81.8    83.8
//	L = R, λ₀  -clip 1 -lambda 1  82.26   83.85   84.72   66.3    87.6    92.5    75.9    81.7    83.8
//	L = R      -clip 1            82.24   83.89   84.81   65.5    87.5    92.7    76.0    82.1    84.0
//	λ₀         -lambda 1          82.45   83.80   84.61   69.6    88.6    92.6    75.7    81.2    83.7
//	κ = 1/4    -kappa 0.25        82.43   83.88   84.77   71.2    87.8    93.4    73.7    79.9    83.6
//	κ = 1      -kappa 1           82.27   83.72   84.73   67.3    88.0    93.4    75.4    82.2    84.0
//	norm 1     -norm unit         82.40   83.84   84.76   67.7    88.0    93.3    71.4    73.5    76.8
//	Redberg et al. 2023           81.4    83.2    84.0
//
// Adult has 45,222 rows and 105 columns, breast cancer 569 and 31, the
// synthetic data 2,000 and 4. Standard errors are 0.03 to 0.04 on Adult, 0.2 to
// 1.3 on breast cancer and 0.15 to 0.4 on the synthetic data.
func Request(schema *data.Schema, guarantee privacy.Guarantee, bound account.Bound) account.Request {
	return Defaults(schema, glm.Logistic{}, guarantee, bound)
}

// Defaults asks account.CalibrateMinima for a fit with the defaults. None of
// them looks at data. Those of the logistic loss are described at [Request]; of
// the other losses:
//
//	            gradients clipped at   λ
//	Huber SVM   R, which is no clip    that of the least bound on the excess risk for ‖θ*‖ = B,
//	                                   B = 32·ε^0.3/R: longer for an ε that allows more
//	squared     R/4                    the same for B = 4/R
//
// The bound on the excess risk is that of Theorem H.1, and the rest is as for the
// logistic loss. A squared loss is of labels in [−1, 1], so that its gradient is
// clipped where a record of norm R is predicted wrong by a quarter of that.
func Defaults(schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee, bound account.Bound) account.Request {
	return account.Request{
		Guarantee:  guarantee,
		Loss:       loss.Class(),
		RowNorm:    schema.RowNorm(),
		Smoothness: loss.MaxCurvature(),
		Dimension:  schema.Dimension(),
		Bound:      bound,
	}
}
