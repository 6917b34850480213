package dpgd

import (
	"math"

	"cloister/core/privacy"
)

// Setting is what a schedule knows: constants of the mean objective
//
//	F(θ) = J(θ)/N = (1/N) Σ ℓ_C(θ; zᵢ) + (λ/2N)‖θ‖²,
//
// all of them public. Noise is in the units of F's gradient.
//
// The schedules are data-independent: they put a bound in the place of what
// would be best, σₜ = ‖∇F(θₜ)‖/√d ([Best], Proposition 1 of Fay et al.). With
// step size 1/(2M) each has a bound on F of its own.
type Setting struct {
	Records     float64 // N
	Dimension   int     // d
	Sensitivity float64 // Δ of N·∇F: L or 2L
	Smoothness  float64 // M: ∇F is M-Lipschitz
	Convexity   float64 // μ: F is μ-strongly convex; 0 if it is only convex
	Gap         float64 // F(θ₀) − F*, or more
	Distance    float64 // R ≥ ‖θₜ − θ*‖
}

// Best returns the noise and the step size that minimise the price of a step
// over the improvement it is sure to make, at a θ whose gradient has this norm
// (Fay et al., Proposition 1, equation 6):
//
//	σ = ‖∇F(θ)‖/√d,   η = 1/(2M).
//
// The price is 1/σ up to a constant (equation 4) and the improvement
// U = (η − Mη²/2)‖∇F(θ)‖² − (M/2)η²dσ² (Lemma 1, equation 5).
func (s Setting) Best(gradientNorm float64) (sigma, rate float64) {
	return gradientNorm / math.Sqrt(float64(s.Dimension)), s.Rate()
}

// Rate is η = 1/(2M), the step size of all schedules.
func (s Setting) Rate() float64 { return 1 / (2 * s.Smoothness) }

// NonConvex is σₜ = 4M√(F(θ₀)−F*)/(√d·t), t = 1, 2, … (Fay et al., Proposition
// 3a; the page's "√(dt)" is √d·t in its proof, B.5, and in that of Proposition
// 4). Then
//
//	E[(1/T) Σ ‖∇F(θₜ)‖²] ≤ 8M(π²M/3 + 1)(F(θ₀)−F*)/(3T);
//
// the proposition leaves out the first M, which the last line of its proof
// loses.
func (s Setting) NonConvex(t int) float64 {
	return 4 * s.Smoothness * math.Sqrt(s.Gap) / (math.Sqrt(float64(s.Dimension)) * float64(t))
}

// Convex is σₜ = 4MR/(√d·t), t = 1, 2, … (Proposition 3b). If ‖θₜ − θ*‖ ≤ R,
//
//	E[F(θ_T) − F*] ≤ 16MR²/(3T).
func (s Setting) Convex(t int) float64 {
	return 4 * s.Smoothness * s.Distance / (math.Sqrt(float64(s.Dimension)) * float64(t))
}

// StronglyConvex is σₜ = √(2μ(F(θ₀)−F*)(1 − μ/2M)^(t−1)/d), t = 1, 2, …
// (Proposition 3c, where steps are counted from 0). Then
//
//	E[F(θ_T) − F*] ≤ (1 − μ/2M)^T (F(θ₀)−F*).
func (s Setting) StronglyConvex(t int) float64 {
	decay := math.Exp(float64(t-1) * math.Log1p(-s.Convexity/(2*s.Smoothness)))
	return math.Sqrt(2 * s.Convexity * s.Gap * decay / float64(s.Dimension))
}

// Cost is Δ²/(2N²σ²), the ρ of a step under zero-concentrated differential
// privacy (Bun & Steinke 2016; the summand of Fay et al., equation 21, with
// Δ = 2L). It is the same number for the exact price: μ² = 2ρ.
func (s Setting) Cost(sigma float64) float64 {
	ratio := s.Sensitivity / (s.Records * sigma)
	return ratio * ratio / 2
}

// Steps returns σ₁, …, σ_T for the largest T ≤ MaxSteps whose costs add up to
// at most rho: of all T the one with the least bound, since the bounds of the
// schedules fall with T. A list of none means that rho does not pay for one
// step.
func (s Setting) Steps(schedule func(t int) float64, rho float64) []float64 {
	var sigmas []float64
	spent := 0.0
	for t := 1; t <= MaxSteps; t++ {
		sigma := schedule(t)
		spent += s.Cost(sigma)
		if !(spent <= rho) {
			break
		}
		sigmas = append(sigmas, sigma)
	}
	return sigmas
}

// Spent is the sum of the steps' costs.
func (s Setting) Spent(sigmas []float64) float64 {
	spent := 0.0
	for _, sigma := range sigmas {
		spent += s.Cost(sigma)
	}
	return spent
}

// NonConvexSteps is the T of Proposition 4a, ∛(8ρN²M²(F(θ₀)−F*)/(L²d)), L = Δ/2:
// a lower bound for the T of Steps, from Σ t² ≤ T³.
func (s Setting) NonConvexSteps(rho float64) float64 { return s.cubicSteps(rho, s.Gap) }

// ConvexSteps is the T of Proposition 4b, ∛(8ρN²M²R²/(L²d)).
func (s Setting) ConvexSteps(rho float64) float64 {
	return s.cubicSteps(rho, s.Distance*s.Distance)
}

func (s Setting) cubicSteps(rho, square float64) float64 {
	l := s.Sensitivity / 2
	return math.Cbrt(
		8 * rho * math.Pow(s.Records*s.Smoothness/l, 2) * square / float64(s.Dimension),
	)
}

// StronglyConvexSteps is the T of Proposition 4c as it should be: with
// κ = M/μ and r = 2κ/(2κ−1),
//
//	T = log(1 + ρμ(F(θ₀)−F*)N²/((κ − 1/2)·2dL²)) / log r,
//
// for which the schedule costs exactly ρ. The proposition has
// log(ρμ(F(θ₀)−F*)N²/(2dL²)) / log r: its proof (B.6) sums the geometric series to
// 2aκr^T and then writes it without the κ. A run of that many steps costs nearly
// κ times the ρ that it is said to.
func (s Setting) StronglyConvexSteps(rho float64) float64 {
	kappa := s.Smoothness / s.Convexity
	return math.Log1p(s.steepness(rho)/(kappa-0.5)) / -math.Log1p(-1/(2*kappa))
}

// steepness is ρμ(F(θ₀)−F*)N²/(2dL²).
func (s Setting) steepness(rho float64) float64 {
	l := s.Sensitivity / 2
	return rho * s.Convexity * s.Gap * s.Records * s.Records / (2 * float64(s.Dimension) * l * l)
}

// Allocated returns the σ₁, …, σ_T that make the bound on E[F(θ_T) − F*] for a
// μ-strongly convex F the least that a budget of rho allows, T included. With
// η = 1/(2M), Lemma 1 and ‖∇F‖² ≥ 2μ(F − F*) give
//
//	V_T ≤ q^T·(F(θ₀)−F*) + (d/8M) Σ_{t=1}^{T} q^{T−t} σₜ²,   q = 1 − 3μ/(4M).
//
// For a given T, Σ q^{T−t}σₜ² is least under Σ 1/σₜ² = S = 2ρN²/Δ² where
// σₜ² = q^{−(T−t)/2}·Σ_u q^{(T−u)/2}/S (Cauchy & Schwarz), which leaves
//
//	V_T ≤ x²·(F(θ₀)−F*) + A(1 − x)²,   x = q^{T/2},  A = d/(8MS(1−√q)²),
//
// least at x = A/(F(θ₀)−F* + A). T is the better of the two whole numbers around
// that, and at least 1. The noise falls half as fast, in the exponent, as in
// StronglyConvex: a step's noise is forgotten by the steps after it at the rate
// at which they converge, and it is the geometric mean of that and of its price
// that counts. (Hong, Wang & Zhou 2022 derive such a schedule under the
// Polyak–Łojasiewicz condition.)
func (s Setting) Allocated(rho float64) []float64 {
	root := math.Sqrt(1 - 3*s.Convexity/(4*s.Smoothness)) // √q
	total := 2 * rho * math.Pow(s.Records/s.Sensitivity, 2)
	a := float64(s.Dimension) / (8 * s.Smoothness * total * (1 - root) * (1 - root))
	bound := func(steps float64) float64 {
		x := math.Pow(root, steps)
		return x*x*s.Gap + a*(1-x)*(1-x)
	}
	ideal := math.Floor(math.Log(a/(s.Gap+a)) / math.Log(root))
	ideal = math.Min(math.Max(ideal, 1), MaxSteps)
	if ideal < MaxSteps && bound(ideal+1) < bound(ideal) {
		ideal++
	}
	if math.IsNaN(ideal) {
		return nil
	}
	sigmas := make([]float64, int(ideal))
	weights := 0.0
	for t := range sigmas {
		weights += math.Pow(root, float64(t))
	}
	for t := range sigmas {
		sigmas[t] = math.Sqrt(weights / total / math.Pow(root, float64(len(sigmas)-1-t)))
	}
	return sigmas
}

// RhoOf is the largest ρ for which ε = ρ + 2√(ρ log 1/δ) (Bun & Steinke 2016,
// Proposition 1.3): (√(ε + log 1/δ) − √(log 1/δ))². It is how Fay et al. account.
func RhoOf(g privacy.Guarantee) float64 {
	l := math.Log(1 / g.Delta)
	root := g.Epsilon / (math.Sqrt(g.Epsilon+l) + math.Sqrt(l))
	return root * root
}
