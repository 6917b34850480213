package rdp

import (
	"math"

	"cloister/core/special"
)

// gaussian is D_α between N(0, σ²) and N(Δ, σ²): αμ²/2 with μ = Δ/σ (Mironov
// 2017, Proposition 7). The discrete Gaussian with the same σ has no more, in
// any dimension, for a shift on its lattice (Canonne, Kamath & Steinke 2020,
// Proposition 5).
func gaussian(mu float64) func(float64) float64 {
	return func(alpha float64) float64 { return alpha * mu * mu / 2 }
}

// zeroConcentrated is ρ-zCDP, which is ε(α) = ρα by definition.
func zeroConcentrated(rho float64) func(float64) float64 {
	return func(alpha float64) float64 { return rho * alpha }
}

// laplace is D_α between Laplace densities of scale b shifted by Δ, with
// ε = Δ/b (Mironov 2017, Proposition 6), written with p(y) = e^y − 1 − y ≥ 0 so
// that nothing cancels for small ε:
//
//	e^{(α−1)D} − 1 = [α p((α−1)ε) + (α−1) p(−αε)] / (2α − 1).
func laplace(epsilon float64) func(float64) float64 {
	return func(alpha float64) float64 {
		s := alpha - 1
		// log of the bracket's two terms; the first leads when ε is large.
		first := math.Log(alpha) + logExpm1MinusY(s*epsilon)
		second := math.Log(s) + logExpm1MinusY(-alpha*epsilon)
		return special.Log1pExp(special.LogAddExp(first, second)-math.Log(2*alpha-1)) / s * (1 + relativeSlack)
	}
}

// pure is the largest D_α of any ε-DP mechanism, met by randomised response
// between two values:
//
//	e^{(α−1)D} − 1 = (e^{(α−1)ε} − 1)(e^{αε} − 1) e^{−(α−1)ε} / (1 + e^ε).
func pure(epsilon float64) func(float64) float64 {
	return func(alpha float64) float64 {
		if epsilon == 0 {
			return 0
		}
		s := alpha - 1
		logMoment := special.LogExpm1(s*epsilon) + special.LogExpm1(alpha*epsilon) - s*epsilon - special.Log1pExp(epsilon)
		return math.Min(epsilon, special.Log1pExp(logMoment)/s*(1+relativeSlack))
	}
}

// discreteLaplace is D_α between the discrete Laplace law with mass
// ∝ e^{−a|x|} on ℤ and itself shifted by the whole number shift: the excess
// summed over the values that the privacy loss takes.
func discreteLaplace(a float64, shift int) func(float64) float64 {
	return func(alpha float64) float64 {
		// Under Q (centred at shift): x ≤ 0 has loss +aΔ and mass
		// e^{−aΔ}/(1+e^{−a}); x ≥ Δ has loss −aΔ and mass 1/(1+e^{−a});
		// 0 < x < Δ has loss a(Δ−2x) and mass tanh(a/2) e^{−a(Δ−x)}.
		full := a * float64(shift)
		ends := -special.Log1pExp(-a)
		total := special.LogAddExp(ends-full+logExcess(alpha, full), ends+logExcess(alpha, -full))
		height := math.Log(math.Tanh(a / 2))
		for x := 1; x < shift; x++ {
			inside := height - a*float64(shift-x)
			total = special.LogAddExp(total, inside+logExcess(alpha, a*float64(shift-2*x)))
		}
		return math.Min(full, special.Log1pExp(total)/(alpha-1)*(1+relativeSlack))
	}
}

// logExpm1MinusY returns log(e^y − 1 − y).
func logExpm1MinusY(y float64) float64 {
	switch {
	case y == 0:
		return math.Inf(-1)
	case y > 40:
		return y + math.Log1p(-(1+y)*math.Exp(-y))
	case math.Abs(y) < 0.5:
		sum, term := 0.0, y
		for k := 2; k <= 20; k++ {
			term *= y / float64(k)
			sum += term
		}
		return math.Log(sum)
	}
	return math.Log(math.Expm1(y) - y)
}
