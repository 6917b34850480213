package calibrate

import (
	"math"

	"cloister/core/privacy"
)

// KiferParameters returns the smallest λ and σ for which the theorem of Kifer,
// Smith & Thakurta 2012 gives (epsilon, delta)-DP to a GLM loss with ‖x‖ ≤ R,
// Lipschitz constant L and f” ≤ β, under add/remove of one record:
// λ = 2βR²/ε and σ = L·√(8 log(2/δ) + 4ε)/ε.
func KiferParameters(
	epsilon, delta, rowNorm, lipschitz, smoothness float64,
) (lambda, sigma float64, err error) {
	if err := privacy.FirstError(
		privacy.CheckEpsilon(epsilon), privacy.CheckDelta(delta),
		privacy.CheckPositive("row_norm", rowNorm),
		privacy.CheckPositive("lipschitz", lipschitz), privacy.CheckPositive("smoothness", smoothness),
	); err != nil {
		return 0, 0, err
	}
	lambda = 2 * smoothness * rowNorm * rowNorm / epsilon
	sigma = lipschitz * math.Sqrt(8*math.Log(2/delta)+4*epsilon) / epsilon
	return lambda * (1 + 0x1p-50), sigma * (1 + 0x1p-50), nil
}
