package rdp

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// gaussian is D_α between N(0, σ²) and N(Δ, σ²): αμ²/2 with μ = Δ/σ (Mironov
// 2017, Proposition 7). The discrete Gaussian with the same σ has no more, in
// any dimension, for a shift on its lattice (Canonne, Kamath & Steinke 2020,
// Proposition 5).
func gaussian(mu float64) func(float64) float64 { return zeroConcentrated(halfSquare(mu)) }

// halfSquare is μ²/2, or the smallest normal float64 where that is less and so has
// lost its digits; 0 for 0.
func halfSquare(mu float64) float64 {
	if mu == 0 {
		return 0
	}
	return math.Max(mu*mu/2, 0x1p-1022) * (1 + 0x1p-50)
}

// zeroConcentrated is ρ-zCDP, which is ε(α) = ρα by definition.
func zeroConcentrated(rho float64) func(float64) float64 {
	return func(alpha float64) float64 { return productUp(rho, alpha) }
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
		return special.Log1pExp(
			special.LogAddExp(first, second)-math.Log(2*alpha-1),
		) / s * (1 + relativeSlack)
	}
}

// pure is the largest D_α of any ε-DP mechanism, met by randomised response
// between two values:
//
//	e^{(α−1)D} − 1 = (e^{(α−1)ε} − 1)(e^{αε} − 1) e^{−(α−1)ε} / (1 + e^ε).
func pure(epsilon float64) func(float64) float64 {
	worst := pureLogMoment(epsilon)
	return func(alpha float64) float64 {
		if epsilon == 0 {
			return 0
		}
		return math.Min(epsilon, special.Log1pExp(worst(alpha))/(alpha-1)) * (1 + relativeSlack)
	}
}

// boundedRange bounds D_α of an ε-DP mechanism whose privacy loss lies in an
// interval of length ε, by the least of two bounds: it is ε²/8-zCDP (Cesar & Rogers
// 2021, "Bounding, Concentrating, and Truncating": Hoeffding's lemma for a loss of
// that range), and no more than what any ε-DP mechanism has.
func boundedRange(epsilon float64) func(float64) float64 {
	rho, worst := halfSquare(epsilon/2), pure(epsilon)
	return func(alpha float64) float64 { return math.Min(productUp(rho, alpha), worst(alpha)) }
}

// pureLogMoment returns α ↦ log(e^{(α−1)D} − 1) of that worst case, rounded up:
// αε, (α−1)ε and ε cancel but for what D is, and next to α = 1 that is little.
func pureLogMoment(epsilon float64) func(float64) float64 {
	return func(alpha float64) float64 {
		s := alpha - 1
		log := special.LogExpm1(s*epsilon) +
			special.LogExpm1(alpha*epsilon) - s*epsilon - special.Log1pExp(epsilon)
		return log + logSlack(alpha*epsilon)
	}
}

// randomisedResponse is D_α of naming one of k categories, the true one with
// probability t: two of them trade places between neighbours and the rest, of
// probability (1−t)(k−2)/(k−1) together, tell nothing. With ε the absolute log
// odds, that is m = t + (1−t)/(k−1) times the moment of ε-DP's worst case.
func randomisedResponse(k int, truth float64) func(float64) float64 {
	odds := privacy.RandomisedResponse{Categories: k, Truth: truth}.LogOdds()
	worst := pureLogMoment(math.Abs(odds))
	share := math.Log(truth + (1-truth)/float64(k-1))
	return func(alpha float64) float64 {
		if odds == 0 {
			return 0
		}
		return math.Min(
			math.Abs(odds), special.Log1pExp(share+worst(alpha))/(alpha-1),
		) * (1 + relativeSlack)
	}
}

// discreteLaplace is D_α between the discrete Laplace law with mass
// ∝ e^{−a|x|} on ℤ and itself shifted by the whole number shift: the excess
// summed over the values that the privacy loss takes.
//
// A shift above largestShift, whose sum would be long, is priced as aΔ-DP.
func discreteLaplace(a float64, shift int) func(float64) float64 {
	if shift > largestShift {
		return pure(a * float64(shift))
	}
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
		// αaΔ and aΔ cancel but for what D is, and next to α = 1 that is little.
		total += logSlack(alpha * full)
		return math.Min(full, special.Log1pExp(total)/(alpha-1)) * (1 + relativeSlack)
	}
}

const largestShift = 10000

// logSlack bounds the rounding of a logarithm whose largest term is the given one.
func logSlack(largest float64) float64 { return 0x1p-49 * (1 + largest) }

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
