package pate

import (
	"math"

	"cloister/core/special"
)

// TwoTails is an upper bound on the Rényi divergence of order alpha > 1, in nats, of one
// query's label from what it would be with one vote moved, given that it is not the
// plurality's with probability q at most, 0 ≤ q ≤ ½: with m = √2/σ,
//
//	min{α/σ², log M/(α−1)},   M = max over q₁ + q₂ = q of
//	(1−q)^α (1−r)^(1−α) + e^(α(α−1)m²/2) [Φ(Φ⁻¹(q₁)+(α−1)m) + Φ(Φ⁻¹(q₂)−(α−1)m)],
//	r = Φ(Φ⁻¹(q₁)−m) + Φ(Φ⁻¹(q₂)+m).
//
// It holds from the data with the votes, against each neighbour; in the other direction it
// need not. No condition on σ and α is needed.
//
// Proof. The label is a function of one coordinate v of a Gaussian mechanism with μ = m, and
// of what the record does not touch; let g(v) be the probability, given v, of another label
// than the plurality's. By data processing on "the plurality's" and on each other outcome,
// e^((α−1)D) ≤ (1−q)^α (1−r)^(1−α) + ∫g e^((α−1)ℓ)φ with q = ∫gφ, r = ∫g e^(−ℓ)φ. For given q
// and r that is linear in g, and largest for the indicator of where e^((α−1)ℓ) + a e^(−ℓ) + b
// is above 0, which is convex in e^(−ℓ) with two ends: two tails. ∎
//
// M rises with q: a larger g leaves less of the line in one outcome, and a finer partition has
// no smaller divergence. So an upper bound on q will do.
//
// The maximum is certified: see [tails.peak]. It is above the maximum by a relative 1e-4 at
// most, unless 200 cells are not enough for that, and by what roundings may be.
func TwoTails(q, sigma, alpha float64) float64 { return twoTails(q, sigma, alpha, 5e-5, 200) }

// twoTails has a maximum to a relative accuracy, or in so many cells.
func twoTails(q, sigma, alpha, accuracy float64, cells int) float64 {
	return notAbove(q, sigma, alpha, func(t tails) float64 {
		return math.Log1p(t.peak(accuracy, cells)) / t.s * (1 + 0x1p-45)
	})
}

// Simple is a bound that is larger, and needs no maximisation: q₁ = q in the sum, and r =
// Φ(Φ⁻¹(q)+m).
func Simple(q, sigma, alpha float64) float64 {
	return notAbove(q, sigma, alpha, func(t tails) float64 {
		z := special.NormalQuantile(q)
		r := special.NormalCDF(z + t.m)
		return math.Log1p(t.rest(r)+t.upper(z)) / t.s
	})
}

// notAbove is a bound for 0 < q ≤ ½ where it is below the independent one, and 0 at q = 0.
func notAbove(q, sigma, alpha float64, bound func(tails) float64) float64 {
	independent := Independent(sigma, alpha)
	if q <= 0 {
		return 0
	}
	if !(q <= 0.5) {
		return independent
	}
	return math.Min(
		independent, bound(tails{q: q, m: math.Sqrt2 / sigma, alpha: alpha, s: alpha - 1}),
	)
}

// Independent is the bound that holds for all votes, α/σ².
func Independent(sigma, alpha float64) float64 { return alpha / (sigma * sigma) }

// tails are the functions of q₁ for given q, σ and α.
type tails struct{ q, m, alpha, s float64 }

// rest is (1−q)^α (1−r)^(1−α) − 1.
func (t tails) rest(r float64) float64 {
	return math.Expm1(t.alpha*math.Log1p(-t.q) - t.s*math.Log1p(-r))
}

// upper is e^(α(α−1)m²/2) Φ(z+(α−1)m), and lower the same with −m.
func (t tails) upper(z float64) float64 {
	return math.Exp(t.alpha*t.s*t.m*t.m/2 + special.LogNormalCDF(z+t.s*t.m))
}

func (t tails) lower(z float64) float64 {
	return math.Exp(t.alpha*t.s*t.m*t.m/2 + special.LogNormalCDF(z-t.s*t.m))
}

// point is where q₁ has one value.
type point struct {
	x, z1, z2, r float64
	up, down     float64 // the two tails
	value        float64 // M − 1
}

func (t tails) at(x float64) point {
	p := point{
		x: x, z1: special.NormalQuantile(x), z2: special.NormalQuantile(math.Max(0, t.q-x)),
	}
	p.r = special.NormalCDF(p.z1-t.m) + special.NormalCDF(p.z2+t.m)
	p.up, p.down = t.upper(p.z1), t.lower(p.z2)
	p.value = t.rest(p.r) + p.up + p.down
	return p
}

// ceiling is an upper bound of M − 1 between two points, but for rounding. r falls with q₁;
// so each term at the end where it is largest is a bound. And so is a line from either end
// whose slope is the steepest in between:
//
//	(M−1)′ = (α−1)(1−q)^α (1−r)^(−α) r′ + e^((α−1)(m²/2 − m z₁)) − e^((α−1)(m²/2 + m z₂)),
//	r′ = e^(m z₁ − m²/2) − e^(−m z₂ − m²/2) ≤ 0,
//
// in which every exponential, and r, is monotone in q₁.
func (t tails) ceiling(a, b point) float64 {
	best := t.rest(a.r) + b.up + a.down
	half := t.m * t.m / 2
	loss := func(x float64) float64 { return math.Exp(t.s * x) }
	weight := func(r float64) float64 { return t.s * (1 + t.rest(r)) / (1 - r) }
	steepest := weight(b.r)*math.Min(0, math.Exp(t.m*b.z1-half)-math.Exp(-t.m*a.z2-half)) +
		loss(half-t.m*a.z1) - loss(half+t.m*b.z2)
	if up := a.value + (b.x-a.x)*math.Max(0, steepest); up < best {
		best = up
	}
	flattest := weight(a.r)*(math.Exp(t.m*a.z1-half)-math.Exp(-t.m*b.z2-half)) +
		loss(half-t.m*b.z1) - loss(half+t.m*a.z2)
	if down := b.value + (b.x-a.x)*math.Max(0, -flattest); down < best {
		best = down
	}
	return math.Max(best, math.Max(a.value, b.value))
}

// cell is what lies between two points.
type cell struct {
	from, to point
	most     float64
}

// peak is an upper bound of the largest M − 1, by branch and bound: the cell with the largest
// ceiling is split until that is the largest value found, but for a relative accuracy, or there
// are so many cells. The allowance is for rounding: of z², below 80, times a few units in
// the last place of each probability, which M − 1 has α times at most.
func (t tails) peak(accuracy float64, most int) float64 {
	first, last := t.at(0), t.at(t.q)
	best := math.Max(first.value, last.value)
	cells := []cell{{first, last, t.ceiling(first, last)}}
	for {
		top := 0
		for i, c := range cells {
			if c.most > cells[top].most {
				top = i
			}
		}
		c := cells[top]
		if c.most <= best*(1+accuracy) || len(cells) >= most || math.IsInf(best, 1) {
			slack := t.alpha*t.q + t.s*math.Max(first.r, last.r) + first.down + last.up
			return c.most + 0x1p-36*slack
		}
		// Next to the ends slopes have no bound: cells there shrink faster.
		share := 0.5
		if c.from.x == 0 && c.to.x < t.q {
			share = 1. / 16
		} else if c.to.x == t.q && c.from.x > 0 {
			share = 15. / 16
		}
		x := c.from.x + share*(c.to.x-c.from.x)
		if !(x > c.from.x && x < c.to.x) {
			best = math.Inf(1) // nothing is left to split
			continue
		}
		middle := t.at(x)
		best = math.Max(best, middle.value)
		cells[top] = cell{c.from, middle, t.ceiling(c.from, middle)}
		cells = append(cells, cell{middle, c.to, t.ceiling(middle, c.to)})
	}
}
