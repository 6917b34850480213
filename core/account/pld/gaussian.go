package pld

import (
	"math"

	"cloister/core/special"
)

// gaussianLoss is the loss of Gaussian mechanisms with Σ (Δ/σ)² = μ²: N(μ²/2, μ²).
func gaussianLoss(mu float64) *loss {
	return &loss{pieces: []piece{&linear{base: mu * mu / 2, mu: mu, weight: 1, from: math.Inf(-1)}}}
}

// halfNormalLoss is least + |N(0, μ²)|: theory §3.2 with least = c + μ²/2, and
// with other c §4.1.
func halfNormalLoss(least, mu float64) *loss {
	return &loss{pieces: []piece{&linear{base: least, mu: mu, weight: 2, from: 0}}}
}

// cutGaussianLoss is least + max(0, N(μ²/2, μ²)): theory §4.2, least = c.
func cutGaussianLoss(least, mu float64) *loss {
	return &loss{
		atoms:  []atom{{loss: least, mass: special.NormalCDF(-mu / 2)}},
		pieces: []piece{&linear{base: least + mu*mu/2, mu: mu, weight: 1, from: -mu / 2}},
	}
}

// linear is the loss base + μv, v ~ N(0, 1) under P, for v > from, its density
// multiplied by weight.
type linear struct {
	base, mu, weight, from float64
}

func (p *linear) trim(low, high float64) (from, to float64) {
	from, to = p.from, math.Inf(1)
	if math.IsInf(from, -1) && low > 0 {
		from = special.NormalQuantile(low / p.weight)
	}
	if high > 0 {
		to = math.Max(p.from, -special.NormalQuantile(math.Min(1, high/p.weight)))
	}
	return from, to
}

func (p *linear) at(x float64) float64 { return p.base + p.mu*x }

func (p *linear) position(level float64) float64 {
	x := (level - p.base) / p.mu
	x -= 0x1p-51 * (math.Abs(x) + (math.Abs(level)+math.Abs(p.base))/p.mu)
	if !(x > p.from) {
		return p.from
	}
	return x
}

// bin: Q's density is φ(v)e^{−base−μv} = e^{μ²/2−base} φ(v+μ).
func (p *linear) bin(a, b float64) (mass, low, high float64) {
	mass, ratio, slack := normalBin(a, b, p.mu)
	half := p.mu * p.mu / 2
	omega := p.base - half + ratio
	slack += 0x1p-51 * (math.Abs(p.base) + half + math.Abs(ratio))
	return p.weight * mass, omega - slack, omega + slack
}

func (p *linear) logMass(a, b float64) float64 {
	return math.Log(p.weight) + logShiftedMass(a, b, 0)
}

func (p *linear) density(x float64) float64 { return p.weight * special.NormalDensity(x) }

func (p *linear) panels(from, to, scale float64) []interval {
	return split(nil, from, to, normalPanel*scale)
}
func (p *linear) heavyHigh() bool { return false }
