// Package selection prices private selection. Use it to tune hyperparameters honestly.
// A base mechanism is run a random number K of times, and only its best output is
// released. The score that decides which is best is part of the output.
//
// Papernot & Steinke 2022 ("Hyperparameter Tuning with Rényi Differential Privacy")
// price it in RDP. K follows a truncated negative binomial law
// ([TruncatedNegativeBinomial], which includes the geometric and the logarithmic law)
// or a Poisson law ([Poisson], with a sharper bound of our own). Liu & Talwar 2019
// price it in (ε, δ), for a geometric K cut off at T ([LiuTalwar]).
package selection

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// MeanNegativeBinomial returns E[K] for K from the truncated negative binomial
// law D_{η,γ}: η(1−γ)/(γ(1−γ^η)), and (1/γ − 1)/log(1/γ) at η = 0.
func MeanNegativeBinomial(eta, gamma float64) float64 {
	log := -math.Log(gamma)
	odds := (1 - gamma) / gamma
	if x := eta * log; math.Abs(x) < 1e-9 {
		// η/(1 − e^{−x}) = (1 + x/2 + …)/log(1/γ), which next to η = 0 would be 0/0.
		return odds / log * (1 + x/2)
	}
	return odds * eta / -math.Expm1(-eta*log)
}

// Price turns a base mechanism's bound on D_α in one direction (as a function
// of the order) into that of the selection, in nats.
type Price func(alpha float64, base func(alpha float64) float64) float64

// TruncatedNegativeBinomial returns the price of selecting the best of K runs,
// K ~ D_{η,γ} with η > −1 and 0 < γ < 1 (η = 1: geometric; η = 0: logarithmic).
// K is at least 1. worst bounds the base mechanism's D_α in both directions. By
// Theorem 2 of Papernot & Steinke, for any order β > 1,
//
//	ε'(α) = ε(α) + (1+η)[(1−1/β) ε(β) + log(1/γ)/β] + log(E K)/(α−1);
//
// β is chosen once, over all real orders; and since D_α does not decrease in
// α, orders below the one where ε' is smallest get that smallest value.
func TruncatedNegativeBinomial(
	worst func(alpha float64) float64, eta, gamma float64,
) (Price, error) {
	if !(eta > -1) || math.IsInf(eta, 1) {
		return nil, &privacy.ParameterError{
			Field: "eta",
			Value: privacy.Number(eta),
			Want:  "a finite number above -1",
		}
	}
	if !(gamma > 0 && gamma < 1) {
		return nil, &privacy.ParameterError{
			Field: "gamma",
			Value: privacy.Number(gamma),
			Want:  "above 0 and below 1",
		}
	}
	price := overheadNegativeBinomial(eta, gamma, curve.BestOrder(func(beta float64) float64 {
		return hat(beta, worst(beta), gamma)
	}))
	return monotone(worst, price), nil
}

// hat is the part of Theorem 2 that depends on the free order β.
func hat(beta, r, gamma float64) float64 { return (1-1/beta)*r - math.Log(gamma)/beta }

// overheadNegativeBinomial returns r ↦ ε'(α) given the smallest hat; the last
// term and factor cover rounding. K ≥ 1, so that log(E K) is not below 0.
func overheadNegativeBinomial(eta, gamma, hat float64) func(alpha, r float64) float64 {
	logMean := math.Max(0, math.Log(MeanNegativeBinomial(eta, gamma))) + 1e-14
	return func(alpha, r float64) float64 {
		return (r + (1+eta)*hat + logMean/(alpha-1)) * (1 + 1e-14)
	}
}

// monotone makes price use the fact that a Rényi divergence does not decrease
// in its order: below the order at which the price is smallest, that price
// holds too.
func monotone(worst func(float64) float64, price func(alpha, r float64) float64) Price {
	certified := func(alpha, r float64) float64 {
		return curve.CertifiedRenyi(price(alpha, curve.CertifiedRenyi(r)))
	}
	smallest, where := math.Inf(1), 1.0
	curve.BestOrder(func(alpha float64) float64 {
		value := certified(alpha, worst(alpha))
		if value < smallest {
			smallest, where = value, alpha
		}
		return value
	})
	return func(alpha float64, base func(float64) float64) float64 {
		if alpha < where {
			return math.Min(certified(alpha, base(alpha)), certified(where, base(where)))
		}
		return certified(alpha, base(alpha))
	}
}
