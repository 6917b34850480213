package objective

import (
	"math"

	"cloister/core/special"
)

// level is a level a at an offset c = β + x(a).
type level struct {
	a, x, c, u, v float64
	// Where W is largest: −w is the slope of log(1 − (e^v − 1)/κ), t = log(1 + 1/w), and
	// falls whether the offset falls as a rises.
	w, t  float64
	falls bool
}

// level is the level at the offset where W is largest; inside is whether that is left of β₀.
// There u = wma and log(w/(1+w)) + log(1+κ) + m²a²(w + 1/2) = ε, which Newton's steps reach from
// the left. It falls where g·y > ma·m/κ, g = uβ/(1+uβ), y = m(u − 1/u) + κ'/(1+κ).
func (s *search) level(a float64) (at level, inside bool) {
	s.looks++
	kappa, slope := s.rate.at(a)
	ma, rise := s.m*a, math.Log1p(kappa)
	at = level{a: a, x: s.m * s.rate.travel(a)}
	steep := s.epsilon/ma/ma - 0.5
	if !(steep*kappa > 1) {
		at.u = steep * ma
		at.c = at.u + ma + at.x
		return at, false
	}
	w, t := math.Max(1/kappa, (s.epsilon-rise)/ma/ma-0.5), 0.0
	for range 40 {
		t = math.Log1p(1 / w)
		step := (s.epsilon - rise - ma*ma*(w+0.5) + t) / (1/(w*(1+w)) + ma*ma)
		if !(math.Abs(step) > 1e-9*w) {
			break
		}
		w += step
	}
	at.w, at.t, at.u = w, t, w*ma
	at.v = rise - t
	at.c = at.u + ma + at.x
	y := s.m*(at.u-1/at.u) + slope/(1+kappa)
	product := at.u * (at.u + ma)
	at.falls = y*product/(1+product) > s.m*ma/kappa
	return at, true
}

// at is the level at an offset c.
func (s *search) at(a, c float64) level {
	at := level{a: a, c: c, x: s.m * s.rate.travel(a)}
	at.u = c - at.x - s.m*a
	at.v = s.epsilon - s.m*a*(at.u+s.m*a/2)
	return at
}

// valley brackets the level whose best offset is least: those of levels from first to lower
// fall, and beyond upper, which may be the top, they are no less than lower's.
func (s *search) valley(first float64) (lower, upper level) {
	lower, _ = s.level(first)
	if !lower.falls {
		return lower, lower
	}
	high := s.top
	for range 16 {
		if middle, _ := s.level(lower.a + (high-lower.a)/2); middle.falls {
			lower = middle
		} else {
			high = middle.a
		}
	}
	for {
		if upper, _ = s.level(high); upper.c >= lower.c || high >= s.top {
			return lower, upper
		}
		high = math.Min(s.top, high+(high-lower.a))
	}
}

// density is φ(u).
func (s *search) density(u float64) float64 {
	return math.Exp(-u*u/2-s.reference) / sqrt2Pi
}

// slope is B(c, a) = φ(u)(e^v − 1), the derivative of Ψ in c.
func (s *search) slope(u, v float64) float64 {
	return s.density(u) * math.Expm1(math.Max(0, v))
}

// hockey is Ψ = Φ(−u) − e^ε Φ(−u − ma) of a level, and more than it may err by.
func (s *search) hockey(at level) (value, slack float64) {
	s.looks++
	u, ma := at.u, s.m*at.a
	v := s.epsilon - ma*(u+ma/2)
	size := math.Abs(at.c) + math.Abs(at.x) + ma
	if u > -1 {
		density, growth := s.density(u), math.Expm1(v)
		drop, other := special.MillsDrop(u, ma), special.Mills(u+ma)
		slack = (1+u*u)*(drop+math.Abs(growth)*other) +
			(1+growth)*(s.epsilon+ma*(math.Abs(u)+ma))*other + size*math.Abs(growth)
		return density * (drop - growth*other), 0x1p-46 * density * slack
	}
	unit := math.Exp(-s.reference)
	mass, other := special.NormalMass(u, u+ma), special.NormalSurvival(u+ma)
	slack = mass + (1+s.epsilon)*math.Exp(s.epsilon)*other + size
	return unit * (mass - math.Expm1(s.epsilon)*other), 0x1p-46 * unit * slack
}

// end is the highest level that is charged at an offset c.
type end struct {
	hockey    float64 // at least Ψ(c, end)
	low, high float64 // it is between these levels
	// Whether it is the top, and then the top's place.
	top bool
	at  level
}

// none is the offset up to which nothing is charged at a, its derivative in x, and how far below
// β₀ that is.
func (s *search) none(a float64) (offset, x, derivative, below float64) {
	s.looks++
	kappa, slope := s.rate.at(a)
	ma, rise := s.m*a, math.Log1p(kappa)
	x = s.m * s.rate.travel(a)
	offset = (s.epsilon-rise)/ma + ma/2 + x
	derivative = 1 + kappa*(0.5-(s.epsilon-rise)/(ma*ma)-slope/((1+kappa)*s.m*ma))
	return offset, x, derivative, rise / ma
}

// endAt looks for the end at an offset c, between two levels.
func (s *search) endAt(c, low, high float64) end {
	if s.arrival <= c {
		e := end{low: s.top, high: s.top, top: true, at: s.at(s.top, c), hockey: s.floor}
		if e.at.v > 0 {
			value, slack := s.hockey(e.at)
			e.hockey = math.Min(s.floor, value+slack)
		}
		return e
	}
	xLow, xHigh := s.m*s.rate.travel(low), s.m*s.rate.travel(high)
	a := low + (high-low)/2
	for range 60 {
		offset, x, derivative, below := s.none(a)
		if offset <= c {
			low, xLow = a, x
		} else {
			high, xHigh = a, x
		}
		// Newton's steps in x, in which this is almost linear, each a little too long.
		tolerance := math.Min(1e-3, 0.02*below)
		if xHigh-xLow <= tolerance || !(high-low > 0x1p-50*high) {
			break
		}
		next := x + (c-offset)/derivative
		next += math.Copysign(tolerance/3, next-x)
		if !(derivative > 0 && next > xLow && next < xHigh) {
			next = (xLow + xHigh) / 2
		}
		if next = s.rate.level(next / s.m); next > low && next < high {
			a = next
		} else {
			a = low + (high-low)/2
		}
	}
	e := end{low: low, high: high, hockey: s.floor}
	value, slack := s.hockey(s.at(low, c))
	if value += slack + (high-low)*s.most(c, low, high, xLow, xHigh); value < s.floor {
		e.hockey = value
	}
	return e
}

// most is at least W(c, a) for levels from low to high.
func (s *search) most(c, low, high, xLow, xHigh float64) float64 {
	u := math.Max(0, c-xHigh-s.m*high)
	v := s.epsilon - s.m*high*(math.Max(0, c-xLow-s.m*low)+s.m*high/2)
	share := 1 - math.Expm1(v)/s.rate.most(low, high)
	return s.m * s.density(u) * math.Max(0, math.Min(1, share)) * (1 + roundSlope)
}

// gain bounds P(c), the derivative of Ψ(c, end) in c, between the offsets of two ends.
func (s *search) gain(low, high end) (least, most float64) {
	if !high.top {
		return s.edges(low.low, high.high)
	}
	from := low.at
	if !low.top { // the end arrived at the top in between
		from = s.at(s.top, s.arrival)
	}
	// u rises and v falls.
	near, far := math.Max(0, math.Max(from.u, -high.at.u)), math.Max(-from.u, high.at.u)
	least = s.slope(far, high.at.v) * (1 - roundSlope)
	most = s.slope(near, from.v) * (1 + roundSlope)
	if !low.top {
		edgeLeast, edgeMost := s.edges(low.low, high.high)
		least, most = math.Min(least, edgeLeast), math.Max(most, edgeMost)
	}
	return least, most
}

// edges bounds κφ(u) at the ends of what is charged, v = log(1+κ), for levels between two. Its
// logarithm has the derivative κ'/κ − uu', −u' = (ε − log(1+κ))/(ma²) + κ'/((1+κ)ma) + m/2: where
// that has one sign, the bounds are the values at the two levels.
func (s *search) edges(low, high float64) (least, most float64) {
	kappaLow, slopeLow := s.rate.at(low)
	kappaHigh, slopeHigh := s.rate.at(high)
	small, large := math.Min(kappaLow, kappaHigh), s.rate.most(low, high)
	m, rest, more := s.m, s.epsilon-math.Log1p(large), s.epsilon-math.Log1p(small)
	if rest > 0 {
		near, far := rest/(m*high)-m*high/2, more/(m*low)-m*low/2
		turnLeast := rest/(m*high*high) + math.Min(0, slopeHigh)/((1+small)*m*low) + m/2
		turnMost := more/(m*low*low) + math.Max(0, slopeLow)/((1+small)*m*low) + m/2
		falls := slopeLow/kappaLow+far*math.Max(0, turnMost) < 0
		rises := turnLeast > 0 && slopeHigh/kappaHigh+near*turnLeast > 0
		if near > 0 && (falls || rises) {
			edge := func(a, kappa float64) float64 {
				return kappa * s.density((s.epsilon-math.Log1p(kappa))/(m*a)-m*a/2)
			}
			one, other := edge(low, kappaLow), edge(high, kappaHigh)
			return math.Min(one, other) * (1 - roundSlope), math.Max(one, other) * (1 + roundSlope)
		}
	}
	near := math.Min(rest/(m*low), rest/(m*high)) - m*high/2
	far := math.Max(-near, math.Max(more/(m*low), more/(m*high))-m*low/2)
	least, most = small*s.density(far), large*s.density(math.Max(0, near))
	return least * (1 - roundSlope), most * (1 + roundSlope)
}

// roundSlope is more than the rounding of a slope.
const roundSlope = 0x1p-36
