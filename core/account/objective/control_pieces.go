package objective

import "math"

// A piece bounds ∫ W da over levels from low to high, by duality.
//
// log(1 − (e^v − 1)/κ) is concave in v, so below each of its tangents: with w > 0 the
// slope is −w,
//
//	log W ≤ log m + log φ(u) − w·v + K(w),
//	K(w) = w·log(1+κ) − w·log(1 + 1/w) − log(1+w) + log(1 + 1/κ);
//
// and K may be 0 for all w ≤ 1/κ, because v ≥ 0. With η ≥ 0, η(c − x − ma − u) is added
// where offsets are at most c, and with η ≤ 0 where they are at least c: it is ≥ 0 there.
// The largest of the sum over all u is at u = wma − η,
//
//	p(a) = log m/√2π + (wma − η)²/2 + η(c − x − ma) + w(m²a²/2 − ε) + K,
//
// an explicit function of a, with p” ≤ B = (w² + w)m² + (−log κ)” − ηx”, the terms
// −2ρ-like of log(1+κ) left out where κ is concave. So p lies below its tangent at the
// middle plus B·t²/2, and e^{Bt²/2}, which is convex in t², below its chord (logParabola).
// In c it is e^{ηc}: convex, so that a sum of pieces is largest at an end of a box.
//
// Any w and η make a bound; those for the middle of the piece lose what is of second order
// in its length.
type piece struct {
	low, high float64
	middle    float64
	x         float64 // at the middle
	kappa     float64
	slope     float64 // κ'
	rise      float64 // log(1 + κ)
	logKappa  float64

	best    float64 // the offset at which W is largest at the middle
	free    float64 // bound for all offsets
	plateau float64 // bound for offsets beyond where standing costs something
	// Offsets up to first are left of β₀ for all of the piece, and those from last right of it.
	first, last float64
	// Up to none nothing is charged on all of the piece.
	none float64

	halves []*piece // two, if they were looked at
}

// newPiece bounds the piece for all offsets; e^−reference is taken out of every bound.
func (p control) newPiece(low, high, epsilon, reference float64) *piece {
	s := &piece{low: low, high: high, middle: low + (high-low)/2}
	a, m := s.middle, p.m
	s.kappa, s.slope = p.rate.at(a)
	s.rise, s.logKappa = math.Log1p(s.kappa), math.Log(s.kappa)
	s.x = m * p.rate.travel(a)
	steep := epsilon/(m*a)/(m*a) - 0.5 // u₀/(ma), u₀ = β₀ − ma
	most := p.rate.most(low, high)
	s.plateau = p.standing(s, steep, epsilon, reference)
	s.first = epsilon/(m*high) + m*low/2
	s.last = math.Max(epsilon/(m*low)+m*low/2, epsilon/(m*high)+m*high/2)
	start, end := m*p.rate.travel(low), m*p.rate.travel(high)
	s.first += start - roundPiece*(s.first+math.Abs(start))
	s.last += end + roundPiece*(s.last+math.Abs(end))
	s.none = math.Inf(-1)
	if left := epsilon - math.Log1p(most); left > 0 {
		s.none = left/(m*high) + m*low/2
		s.none += start - roundPiece*(s.none+epsilon/(m*high)+math.Abs(start))
	}
	s.best = epsilon/(m*a) + m*a/2 + s.x
	s.free = p.standing(s, math.Min(steep, 1/most), epsilon, reference)
	if steep*s.kappa > 1 {
		w := p.bestSlope(s, epsilon)
		s.best = (w+1)*m*a + s.x
		s.free = math.Min(s.free, p.dual(s, w, 0, 0, epsilon, reference))
	}
	return s
}

// bestSlope solves log(w/(1+w)) + log(1+κ) + m²a²(w + 1/2) = ε, where u = wma touches its
// own tangent, from the left, where Newton's steps of a concave function stay.
func (p control) bestSlope(s *piece, epsilon float64) float64 {
	square := p.m * p.m * s.middle * s.middle
	w := math.Max(1/s.kappa, (epsilon-s.rise)/square-0.5)
	for range 30 {
		short := epsilon - s.rise - square*(w+0.5) + math.Log1p(1/w)
		step := short / (1/(w*(1+w)) + square)
		w += step
		if !(math.Abs(step) > 1e-9*w) {
			break
		}
	}
	return w
}

// standing is the bound with K = 0 and η = 0. It holds at v = 0 for any w, and for all v
// where w ≤ 1/κ on the whole piece.
func (p control) standing(s *piece, w, epsilon, reference float64) float64 {
	a, m := s.middle, p.m
	square := m * m * a * a
	value := math.Log(m) - logSqrt2Pi + (w*w+w)*square/2 - w*epsilon - reference
	round := roundPiece * ((w*w+math.Abs(w))*square + math.Abs(w)*epsilon + math.Abs(reference))
	return math.Exp(value + round + logParabola(
		(w*w+w)*m*m*a, (w*w+w)*m*m, (s.high-s.low)/2,
	))
}

// dual is the bound for a slope −w and a multiplier η of the offset c.
func (p control) dual(s *piece, w, eta, c, epsilon, reference float64) float64 {
	a, m := s.middle, p.m
	u := w*m*a - eta
	tangent, level := s.rise-math.Log1p(1/w), math.Log1p(w)
	value := math.Log(m) - logSqrt2Pi + u*u/2 + eta*(c-s.x-m*a) +
		w*(m*m*a*a/2-epsilon+tangent) - level + s.rise - s.logKappa - reference
	round := roundPiece * (u*u + math.Abs(eta)*(math.Abs(c)+math.Abs(s.x)+m*a+m/s.kappa) +
		w*(m*m*a*a+epsilon+s.rise+1/w) + math.Abs(reference) +
		s.rise + math.Abs(s.logKappa) + level)
	slope := u*w*m - eta*m*(1/s.kappa+1) + w*m*m*a +
		(1+w)*s.slope/(1+s.kappa) - s.slope/s.kappa
	half := (s.high - s.low) / 2
	round += roundPiece * half * (math.Abs(u)*w*m + math.Abs(eta)*m*(1/s.kappa+1) + w*m*m*a +
		math.Abs(s.slope)*((1+w)/(1+s.kappa)+1/s.kappa))
	value += round + logParabola(slope, p.curvature(s, w, eta), half)
	return math.Exp(value) + underflow // a bound that grows with c is not 0
}

// curvature is at least p” on the piece.
func (p control) curvature(s *piece, w, eta float64) float64 {
	return (w*w+w)*p.m*p.m + p.rate.bend(s.low, s.high, eta*p.m)
}

// roundPiece is more than the rounding of an exponent, relative to the sum of its terms.
const roundPiece = 0x1p-48

// underflow is more than what math.Exp makes 0 of.
const underflow = 1e-300

const logSqrt2Pi = 0.918938533204672741780329736405617639861397473637783412817

// logParabola is log of a bound on ∫ e^{st + Bt²/2} dt from −h to h. With E = e^{Bh²/2} − 1
// the chord in t² gives ∫ e^{st}(1 + E·t²/h²) dt, which is, with y = sh,
//
//	2h·[sinh(y)/y + E·((y² + 2)·sinh y − 2y·cosh y)/y³].
func logParabola(s, bend, h float64) float64 {
	y := math.Abs(s * h)
	e := math.Expm1(bend * h * h / 2)
	if y < 0.3 {
		z := y * y
		// All terms are positive; the next ones are below 2^-50 of the sum.
		flat := 1 + z/6*(1+z/20*(1+z/42*(1+z/72)))
		square := 1.0/3 + z/10*(1+z*5/84*(1+z*7/270*(1+z*9/616)))
		return math.Log(2*h*(flat+e*square)) + roundPiece
	}
	t := math.Exp(-2 * y)
	flat := (1 - t) / (2 * y)
	square := ((y*y+2)*(1-t)/2 - y*(1+t)) / (y * y * y)
	return y + math.Log(2*h*(flat+e*square)) + roundPiece*(1+y+1/(y*y))
}
