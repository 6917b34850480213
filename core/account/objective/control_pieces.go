package objective

import "math"

// A piece bounds ∫ max W da over levels from low to high, by duality.
//
// log(1 − (e^v − 1)/κ) is concave in v, so below each of its tangents: with w > 0 the
// slope is −w,
//
//	log W ≤ log m + log φ(u) − w·v + K(w),
//	K(w) = w·log(1+κ) − w·log(1 + 1/w) − log(1+w) + log(1 + 1/κ);
//
// and K may be 0 for all w ≤ 1/κ, because v ≥ 0. The largest over all u is at u = wma,
//
//	p(a) = log m/√2π + (w² + w)m²a²/2 − wε + K,
//
// an explicit function of a, with p” ≤ B = (w² + w)m² + (−log κ)”, the terms of log(1+κ) left
// out, where κ is concave. So p lies below its tangent at the middle plus B·t²/2, and
// e^{Bt²/2}, which is convex in t², below its chord (parabola).
//
// Any w makes a bound; that for the middle of the piece loses what is of second order in its
// length.
type piece struct {
	low, high, middle float64
	free              float64 // the bound
	near              float64 // what it would be if all levels were charged as the middle
	loss              float64 // what halves could gain, roughly
}

// newPiece bounds the piece.
func (s *search) newPiece(low, high float64) piece {
	one := piece{low: low, high: high, middle: low + (high-low)/2}
	s.looked++
	kappa, _ := s.rate.at(one.middle)
	a := s.m * one.middle
	inside := (s.epsilon/a/a-0.5)*kappa > 1
	if inside {
		w := s.tangent(a, kappa, math.Log1p(kappa))
		one = s.dual(one, w, math.Log1p(1/w))
	}
	if !inside || !(one.free <= math.MaxFloat64) {
		one = s.standing(one, math.Min(s.epsilon/a/a-0.5, 1/s.rate.most(low, high)))
	}
	one.loss = one.free
	return one
}

// halve returns the two halves of a piece.
func (s *search) halve(one piece) (low, high piece) {
	low, high = s.newPiece(one.low, one.middle), s.newPiece(one.middle, one.high)
	// The halves of a long piece may be the larger, and the same by accident.
	loss := math.Max(math.Abs(one.free-low.free-high.free)/4, one.loss/16)
	if !math.IsNaN(loss) {
		low.loss, high.loss = math.Min(low.free, loss), math.Min(high.free, loss)
	}
	return low, high
}

// reach is how far from its middle, which is rounded, a piece extends to either side.
func (one piece) reach() float64 { return math.Max(one.high-one.middle, one.middle-one.low) }

// standing is the bound with K = 0, for w ≤ 1/κ on the whole piece.
func (s *search) standing(one piece, w float64) piece {
	square := s.m * s.m * one.middle * one.middle
	value := (w*w+w)*square/2 - w*s.epsilon - s.reference
	round := roundPiece * (8 + (w*w+math.Abs(w))*square + math.Abs(w)*s.epsilon +
		math.Abs(s.reference))
	bend := (w*w + w) * s.m * s.m
	exponent, factor := parabola(bend*one.middle, bend, one.reach())
	one.near = s.m / sqrt2Pi * (one.high - one.low) * math.Exp(value)
	one.free = s.m / sqrt2Pi * factor * math.Exp(value+round+exponent)
	return one
}

// dual is the bound for a slope −w, and t = log(1 + 1/w).
func (s *search) dual(one piece, w, t float64) piece {
	a, m := one.middle, s.m
	kappa, slope := s.rate.at(a)
	rise, square := math.Log1p(kappa), m*m*a*a
	value := w*w*square/2 + w*(square/2-s.epsilon+rise-t) - s.reference
	round := roundPiece * (8 + w*w*square + w*(square+s.epsilon+rise+1/w) + math.Abs(s.reference))
	half := one.reach()
	steep := (w*w+w)*m*m*a + (1+w)*slope/(1+kappa) - slope/kappa
	round += roundPiece * half *
		((w*w+w)*m*m*a + math.Abs(slope)*((1+w)/(1+kappa)+1/kappa))
	bend := (w*w+w)*m*m + s.rate.bend(one.low, one.high)
	exponent, factor := parabola(steep, bend, half)
	scale := m / sqrt2Pi * (1 + kappa) / ((1 + w) * kappa)
	one.near = scale * (one.high - one.low) * math.Exp(value)
	one.free = scale * factor * math.Exp(value+round+exponent)
	return one
}

// roundPiece is more than the rounding of an exponent, relative to the sum of its terms: at most 16
// operations make one of them, those of m and κ among them. A factor of its own has at most 60.
const roundPiece = 0x1p-48

// parabola returns a bound on ∫ e^{st + Bt²/2} dt from −h to h as e^exponent·factor. With
// E = e^{Bh²/2} − 1 the chord in t² gives ∫ e^{st}(1 + E·t²/h²) dt, which is, with y = |s|h,
//
//	2h·[sinh(y)/y + E·((y² + 2)·sinh y − 2y·cosh y)/y³].
func parabola(s, bend, h float64) (exponent, factor float64) {
	y := math.Abs(s * h)
	rise := bend * h * h / 2
	e, round := math.Expm1(rise), roundPiece*(1+math.Abs(rise))
	if y < 0.3 {
		z := y * y
		// All terms are positive; the next ones are below 2^-50 of the sum.
		flat := 1 + z/6*(1+z/20*(1+z/42*(1+z/72*(1+z/110))))
		square := 1.0/3 + z/10*(1+z*5/84*(1+z*7/270*(1+z*9/616*(1+z*11/1170))))
		return round, 2 * h * (flat + e*square)
	}
	t := math.Exp(-2 * y)
	flat := (1 - t) / (2 * y)
	square := ((y*y+2)*(1-t)/2 - y*(1+t)) / (y * y * y)
	return y + round + roundPiece*(y+4/(y*y)), 2 * h * (flat + e*square)
}
