package pld

import (
	"math"

	"cloister/core/special"
)

// A step of the Poisson-subsampled Gaussian mechanism with sampling rate q and
// noise multiplier σ. In units of σ, and along the record's direction,
//
//	added:    P = (1−q) N(0, 1) + q N(1/σ, 1),  Q = N(0, 1)
//	removed:  P = N(0, 1),  Q = (1−q) N(0, 1) + q N(1/σ, 1)
//
// dominate any step (Koskela, Jälkö & Honkela 2020; Zhu, Dong & Wang 2022), and log(p/q) = ±log(1 −
// q + q e^{y/σ − 1/(2σ²)}). The losses are unbounded on one side each: added above, removed below,
// where 0 < q < 1.
func subsampledLosses(q, sigma float64) (added, removed *loss) {
	s := &subsampled{q: q, shift: 1 / sigma}
	return &loss{pieces: []piece{s}}, &loss{pieces: []piece{mirrored{s}}}
}

// subsampled is the added direction; its coordinate is y.
type subsampled struct{ q, shift float64 }

// ratio is log(1 − q + q e^{t}), t the log-ratio of the Gaussians. Where q e^t − q
// may come close to −1 it is a sum of positive terms: 1 − q is exact from q = ½.
func (s *subsampled) ratio(t float64) float64 {
	if t < -0.5 && s.q > 0.5 {
		return math.Log((1 - s.q) + s.q*math.Exp(t))
	}
	if t > 700 {
		return t + math.Log(s.q) + math.Log1p((1-s.q)/s.q*math.Exp(-t))
	}
	return math.Log1p(s.q * math.Expm1(t))
}

func (s *subsampled) trim(low, high float64) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	if low > 0 {
		from = special.NormalQuantile(math.Min(0.5, low))
	}
	if high > 0 {
		// Half of what may be lost from either Gaussian.
		plain := -special.NormalQuantile(math.Min(0.5, high/2))
		moved := s.shift - special.NormalQuantile(math.Min(0.5, high/2/s.q))
		to = math.Max(plain, moved)
	}
	return from, to
}

func (s *subsampled) at(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Log1p(-s.q)
	}
	return s.ratio(x*s.shift - s.shift*s.shift/2)
}

// position inverts at: y = σ log((e^ℓ − 1 + q)/q) + 1/(2σ), for a ℓ lowered by
// what rounding may add.
func (s *subsampled) position(level float64) float64 {
	level -= 0x1p-50 * (math.Abs(level) + s.q)
	var t float64
	if level > 700 {
		t = level - math.Log(s.q) + math.Log1p(-(1-s.q)*math.Exp(-level))
	} else if level < -0.5 && s.q > 0.5 {
		grown := (math.Exp(level) - (1 - s.q)) / s.q
		if !(grown > 0) {
			return math.Inf(-1)
		}
		t = math.Log(grown)
	} else {
		grown := math.Expm1(level) / s.q
		if !(grown > -1) {
			return math.Inf(-1)
		}
		t = math.Log1p(grown)
	}
	x := t/s.shift + s.shift/2
	return x - 0x1p-51*(math.Abs(x)+s.shift)
}

// split returns the mass of (a, b) under N(0, 1) and bounds of the bin's
// log(mixture/N(0, 1)), which is log(1 − q + q e^t) at t = log(N(1/σ, 1)/N(0, 1)),
// and as accurate as it is small: its derivative is q e^t/(1 − q + q e^t).
func (s *subsampled) split(a, b float64) (plain, low, high float64) {
	plain, t, slack := normalBin(a, b, -s.shift)
	omega := s.ratio(-t)
	part := math.Min(1, s.q*math.Exp(-t-omega))
	slack = 2*slack*part + 0x1p-46*math.Abs(omega) // the latter also for the shift itself
	return plain, omega - slack, omega + slack
}

// bin: the mixture's mass is N(0, 1)'s times e^ω, or the sum of its parts where
// N(0, 1)'s underflows.
func (s *subsampled) bin(a, b float64) (mass, low, high float64) {
	plain, low, high := s.split(a, b)
	if plain > 1e-290 {
		return plain * math.Exp((low+high)/2), low, high
	}
	return (1-s.q)*plain + s.q*shiftedMass(a, b, -s.shift), low, high
}

func (s *subsampled) logMass(a, b float64) float64 {
	return special.LogAddExp(
		math.Log1p(-s.q)+logShiftedMass(a, b, 0), math.Log(s.q)+logShiftedMass(a, b, -s.shift),
	)
}

func (s *subsampled) density(x float64) float64 {
	return (1-s.q)*special.NormalDensity(x) + s.q*special.NormalDensity(x-s.shift)
}

// panels follows both Gaussians; between them, where they are far apart, there
// is nothing.
func (s *subsampled) panels(from, to, scale float64) []interval {
	if s.shift < 2*normalReach {
		return split(nil, from, to, normalPanel*scale)
	}
	list := split(nil, from, math.Min(to, normalReach), normalPanel*scale)
	return split(
		list, math.Max(from, s.shift-normalReach), math.Min(to, s.shift+normalReach),
		normalPanel*scale,
	)
}

func (s *subsampled) heavyHigh() bool { return false }

// mirrored is the removed direction; its coordinate is −y, in which
// −log(1 − q + q e^t) increases.
type mirrored struct{ s *subsampled }

func (m mirrored) trim(low, high float64) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	if low > 0 {
		from = special.NormalQuantile(math.Min(0.5, low))
	}
	if high > 0 {
		to = -special.NormalQuantile(math.Min(0.5, high))
	}
	return from, to
}

func (m mirrored) at(x float64) float64 { return -m.s.at(-x) }

func (m mirrored) position(level float64) float64 {
	// The largest x = −y with −ratio(y) ≤ ℓ is the smallest y with ratio(y) ≥ −ℓ;
	// the mirror's position errs to the other side, so ask for a little more.
	ask := -level + 0x1p-48*(math.Abs(level)+m.s.q)
	y := m.s.position(ask)
	if math.IsInf(y, -1) {
		return math.Inf(1)
	}
	return -(y + 0x1p-49*(math.Abs(y)+m.s.shift))
}

func (m mirrored) bin(a, b float64) (mass, low, high float64) {
	plain, low, high := m.s.split(-b, -a)
	return plain, -high, -low
}

func (m mirrored) logMass(a, b float64) float64 { return logShiftedMass(-b, -a, 0) }

func (m mirrored) density(x float64) float64 { return special.NormalDensity(x) }

func (m mirrored) panels(from, to, scale float64) []interval {
	return split(nil, from, to, normalPanel*scale)
}

func (m mirrored) heavyHigh() bool { return true }
