package posterior

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/special"
)

// Pair is N(0, 1) against N(a/(1+κ), 1/(1+κ)): what one record costs. It is a curve.Profile
// of this one direction.
type Pair struct {
	Leverage float64 // κ > −1: h of a record that is not in the sample's data, −h of one that is
	Shift    float64 // a ≥ 0
}

// LogDeltaUpper implements curve.Profile. With t = 2ε + log(1+κ), D = a²/(1+κ) + κt,
// r₁ = (a²/(1+κ) − t)/(a + √D), r₂ = (a + √D)/κ, c = a/(1+κ) and s = √(1+κ), the loss exceeds
// ε below r₁ and above r₂ (κ > 0), or between r₂ and r₁ (κ < 0), and
//
//	κ > 0:  δ = Φ(r₁) + Φ(−r₂) − e^ε[Φ(s(r₁−c)) + Φ(−s(r₂−c))],  1 − e^ε if D ≤ 0
//	κ < 0:  δ = Φ(r₁) − Φ(r₂) − e^ε[Φ(s(r₁−c)) − Φ(s(r₂−c))],    0 if D ≤ 0.
//
// At both ends φ(r) = e^ε s φ(s(r−c)), so that with Mills' ratio M the terms of one end are
// φ(r)·[M(−r) − M(−s(r−c))/s]: nothing there under- or overflows. What cancels between terms is
// allowed for by 2^-46 of them, and of r² and (1+|r|)c/8 times them, for the rounding of r:
// both roots are of sums of a² and 2ε, of which r₁ is the difference over 2a. A shift above
// 2^16 has δ = 1.
func (p Pair) LogDeltaUpper(epsilon float64) float64 {
	kappa, a := p.Leverage, p.Shift
	switch {
	case !(kappa > -1 && a >= 0) || math.IsNaN(epsilon) || math.IsInf(kappa, 1) || math.IsInf(a, 1):
		return 0
	case math.IsInf(epsilon, 1):
		return -math.MaxFloat64
	case a > mostShift:
		return 0
	case kappa == 0:
		return objective.GaussianLogDeltaUpper(epsilon, a)
	}
	near, far, some := p.ends(epsilon)
	if !some && kappa < 0 {
		return -math.MaxFloat64
	}
	if !some {
		return curve.RoundUp(special.Log1mExp(epsilon)) // ε < 0
	}
	reference := math.Max(near.log, far.log)
	if math.IsInf(reference, -1) {
		return -math.MaxFloat64
	}
	u, v := math.Exp(near.log-reference), math.Exp(far.log-reference)
	sum := u*near.value + v*far.value + u*near.slack + v*far.slack
	if kappa > 0 && epsilon < 0 { // no less than what it is of any pair
		sum = math.Max(sum, -math.Expm1(epsilon)*math.Exp(-reference))
	}
	if math.IsNaN(sum) {
		return 0
	}
	if sum <= 0 {
		sum = u*near.slack + v*far.slack
	}
	return curve.RoundUp(math.Min(0, reference+math.Log(sum)))
}

// ends are the two ends of the region; none if D ≤ 0.
func (p Pair) ends(epsilon float64) (near, far end, some bool) {
	kappa, a := p.Leverage, p.Shift
	log1p := math.Log1p(kappa)
	t := 2*epsilon + log1p
	c, s := a/(1+kappa), math.Sqrt(1+kappa)
	square := a * c
	d := square + kappa*t + 0x1p-49*(square+math.Abs(kappa)*(2*math.Abs(epsilon)+math.Abs(log1p)))
	if d <= 0 {
		return near, far, false
	}
	root := math.Sqrt(d)
	r1, r2 := (square-t)/(a+root), (a+root)/kappa
	near = below(r1, epsilon, c, s, kappa)
	far = below(r2, epsilon, c, s, kappa)
	far.value = -far.value // κ < 0: what lies below r₂ is taken off
	if kappa > 0 {
		far = above(r2, c, s, kappa)
	}
	return near, far, true
}

// mostShift is the largest a of which the allowance for rounding was measured: beyond, nothing
// is promised.
const mostShift = 0x1p16

// An end is what lies beyond one end of the region, e^log times value, right to within
// e^log times slack.
type end struct{ log, value, slack float64 }

// rounding is the relative allowance of a term, for each of 1, r² and (1+|r|)c/8.
const rounding = 0x1p-46

// below is Φ(r) − e^ε Φ(s(r−c)) at an end r of the region.
func below(r, epsilon, c, s, kappa float64) end {
	if r > 1 { // not small: 1 − e^ε is most of it, or a is above 1
		other := math.Exp(epsilon) * special.NormalCDF(s*(r-c))
		if r < c { // e^ε may be +∞, and Φ 0
			other = math.Exp(special.LogNormalDensity(r)) * special.Mills(s*(c-r)) / s
		}
		return end{0, special.NormalCDF(r) - other, rounding * (1 + other) * (1 + c/8)}
	}
	return tail(-r, -c, s, kappa)
}

// above is Φ(−r) − e^ε Φ(−s(r−c)) at an end r > c of the region.
func above(r, c, s, kappa float64) end { return tail(r, c, s, kappa) }

// tail is φ(z)[M(z) − M(s(z−c))/s]: M(z) − M(z+h) for h = s(z−c) − z, and M(z+h)(1 − 1/s).
func tail(z, c, s, kappa float64) end {
	log := special.LogNormalDensity(z)
	if math.IsInf(log, -1) || z > 1e150 {
		return end{log: math.Inf(-1)}
	}
	grows := kappa / (1 + s) // s − 1
	h := z*grows - s*c
	next := special.Mills(z + h)
	drop := 0.0
	if h >= 0 {
		drop = special.MillsDrop(z, h)
	} else {
		drop = -special.MillsDrop(z+h, -h)
	}
	rest := next * grows / s
	length, least := math.Abs(z*grows)+math.Abs(s*c), math.Min(z, z+h)
	most := length / (1 + least*least) // |M′(z)| = 1 − zM(z) ≤ 1/(1 + z²) for z ≥ 0
	if least < 0 {
		most = special.MillsDrop(least, length)
	}
	most += math.Abs(rest)
	return end{log, drop + rest, most * rounding * (1 + z*z + (1+math.Abs(z))*math.Abs(c)/8)}
}

// Renyi returns an upper bound on the Rényi divergence of order alpha > 1,
//
//	D_α = −½log(1+κ) − log(1−(α−1)κ)/(2(α−1)) + αa²/(2(1+κ)(1−(α−1)κ)),
//
// +Inf where (α−1)κ ≥ 1.
func (p Pair) Renyi(alpha float64) float64 {
	kappa, a := p.Leverage, p.Shift
	left := 1 - (alpha-1)*kappa
	if !(alpha > 1 && kappa > -1 && a >= 0 && left > 0x1p-40) {
		return math.Inf(1) // next to the pole, too
	}
	own, other := math.Log1p(kappa)/2, math.Log1p(-(alpha-1)*kappa)/(2*(alpha-1))
	moved := alpha * a * a / (2 * (1 + kappa) * left)
	// 1 − (α−1)κ is right to 2^-51·|(α−1)κ| of itself over left.
	slack := (1 + math.Abs(alpha-1)*math.Abs(kappa)) / left
	allowance := 0x1p-48 * (math.Abs(own) + math.Abs(other)*slack + moved*slack +
		math.Abs(kappa)*slack)
	return curve.RenyiUp(math.Max(0, moved-own-other) + allowance)
}
