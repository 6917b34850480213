package objective

import (
	"math"

	"cloister/core/special"
)

// place is a level and its x(a).
type place struct{ a, x float64 }

func (s *search) place(a float64) place {
	return place{a, s.m * s.rate.travel(a)}
}

// at returns u and v of a place at an offset.
func (s *search) at(p place, c float64) (u, v float64) {
	u = c - p.x - s.m*p.a
	return u, s.epsilon - s.m*p.a*(u+s.m*p.a/2)
}

// level is a place with the offset where W is largest.
type level struct {
	place
	best, u float64
	// Left of β₀: −w is the slope of log(1 − (e^v − 1)/κ), t = log(1 + 1/w), and falls whether
	// the offset falls as a rises.
	inside bool
	w, t   float64
	falls  bool
}

// level finds the offset where W is largest. Left of β₀ it is where u = wma and log(w/(1+w)) +
// log(1+κ) + m²a²(w + 1/2) = ε, which Newton's steps reach from the left. It falls where
// g·y > ma·m/κ, g = uβ/(1+uβ), y = m(u − 1/u) + κ'/(1+κ).
func (s *search) level(a float64) level {
	s.looked++
	kappa, slope := s.rate.at(a)
	ma, rise := s.m*a, math.Log1p(kappa)
	at := level{place: s.place(a)}
	steep := s.epsilon/ma/ma - 0.5
	if !(steep*kappa > 1) {
		at.u = steep * ma
		at.best = at.u + ma + at.x
		return at
	}
	w := s.tangent(ma, kappa, rise)
	// Where the steps have not ended, w is smaller, and t still its own.
	at.inside, at.w, at.t, at.u = true, w, math.Log1p(1/w), w*ma
	at.best = at.u + ma + at.x
	y := s.m*(at.u-1/at.u) + slope/(1+kappa)
	product := at.u * (at.u + ma)
	at.falls = y*product/(1+product) > s.m*ma/kappa
	return at
}

// tangent is the w of a level left of β₀. A step that is a share r of w leaves an error of r² of it
// at most: what is to be 0 is concave, and −w times its second derivative at most twice its first.
func (s *search) tangent(ma, kappa, rise float64) float64 {
	w := math.Max(1/kappa, (s.epsilon-rise)/ma/ma-0.5)
	for range 40 {
		step := (s.epsilon - rise - ma*ma*(w+0.5) + math.Log1p(1/w)) / (1/(w*(1+w)) + ma*ma)
		if !(math.Abs(step) > 0) { // NaN too
			break
		}
		if w += step; math.Abs(step) < 0x1p-15*w {
			break
		}
	}
	return w
}

// logMost is log of the largest W of a level.
func (s *search) logMost(at level) float64 {
	value := math.Log(s.m) - at.u*at.u/2 - logSqrt2Pi
	if at.inside {
		kappa, _ := s.rate.at(at.a)
		value += math.Log1p(kappa) - math.Log1p(at.w) - math.Log(kappa)
	}
	return value
}

// valley brackets the level whose best offset is least: those of levels from first to lower
// fall, and beyond upper, which may be the top, they rise and are no less than lower's.
func (s *search) valley(first float64) (lower, upper level) {
	lower = s.level(first)
	if !lower.falls {
		return lower, lower
	}
	high := s.top
	for high > lower.a*(1+0x1p-12) {
		if middle := s.level(between(lower.a, high)); middle.falls {
			lower = middle
		} else {
			high = middle.a
		}
	}
	for {
		if upper = s.level(high); upper.best >= lower.best || high >= s.top {
			return lower, upper
		}
		high = math.Min(s.top, high+(high-lower.a))
	}
}

// between is the middle of two levels, or of their logarithms where these are far apart.
func between(low, high float64) float64 {
	if high > 4*low {
		return math.Sqrt(low) * math.Sqrt(high)
	}
	return low + (high-low)/2
}

// density is φ(u).
func (s *search) density(u float64) float64 {
	return math.Exp(-u*u/2-s.reference) / sqrt2Pi
}

// hockey is Ψ = Φ(−u) − e^ε Φ(−u − ma) of a place at an offset, and δ_G(ε; ma) right of β₀, with
// more than it may err by.
func (s *search) hockey(p place, c float64) (value, slack float64) {
	s.looked++
	ma := s.m * p.a
	u, v := s.at(p, c)
	size := math.Abs(c) + math.Abs(p.x) + ma
	if v <= 0 {
		v, u, size = 0, s.epsilon/ma-ma/2, s.epsilon/ma+ma
	}
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

// psi is hockey's answer.
type psi struct{ value, slack float64 }

func (s *search) psi(p place, c float64) psi {
	value, slack := s.hockey(p, c)
	return psi{value, slack}
}

// strip is at least ∫ W da at an offset, for levels of which each is charged: Ψ(high) − Ψ(low).
// Where the two are much larger than what is between them, the same is
// ν[u(high), u(low)] − e^ε ν[β(high), β(low)], of which neither is.
func (s *search) strip(low, high place, c float64) float64 {
	return s.difference(low, high, c, s.psi(low, c), s.psi(high, c))
}

// difference is strip for whoever knows Ψ of both.
func (s *search) difference(low, high place, c float64, less, more psi) float64 {
	if !(high.a > low.a) {
		return 0
	}
	value, slack := more.value-less.value, more.slack+less.slack
	_, v := s.at(high, c)
	_, other := s.at(low, c)
	if slack < 1e-6*value || !(v > 0 && other > 0) {
		return value + slack
	}
	u, _ := s.at(high, c)
	width := high.x - low.x
	beta, wide := c-high.x, width+s.m*(high.a-low.a)
	unit, growth := math.Exp(-s.reference), math.Exp(s.epsilon)
	gain := unit * special.NormalMassFrom(u, wide)
	loss := unit * growth * special.NormalMassFrom(beta, width)
	turns := 1 + s.epsilon + (1+math.Abs(c)+math.Abs(high.x))*(1+math.Abs(u)+wide+math.Abs(beta))
	turns += (math.Abs(high.x) + math.Abs(low.x)) / width
	if other := gain - loss + 0x1p-48*turns*(gain+loss); other < value+slack {
		return math.Max(0, other)
	}
	return value + slack
}

// end brackets the highest level that is charged at an offset: low is charged, and high, unless
// both are the top, is not. tail is at least what the levels between the two are charged.
type end struct {
	low, high place
	tail      float64
}

// none is the offset up to which nothing is charged at a, its derivative in x, and how far beyond
// it W rises, roughly.
func (s *search) none(a float64) (offset, x, derivative, reach float64) {
	s.looked++
	kappa, slope := s.rate.at(a)
	ma, rise := s.m*a, math.Log1p(kappa)
	x = s.m * s.rate.travel(a)
	u := (s.epsilon-rise)/ma - ma/2
	derivative = 1 + kappa*(0.5-(s.epsilon-rise)/(ma*ma)-slope/((1+kappa)*s.m*ma))
	return u + ma + x, x, derivative, math.Min(rise/ma, 1/(1+math.Abs(u)))
}

// endAt looks for the end at an offset c, between a level that is charged there and one above which
// nothing is, or the last.
func (s *search) endAt(c float64, low, high place) end {
	if s.arrival <= c {
		return end{low: s.last, high: s.last}
	}
	a, from, to := between(low.a, high.a), math.Inf(-1), math.Inf(1)
	for range 80 {
		offset, x, derivative, reach := s.none(a)
		if offset <= c {
			low, from = place{a, x}, offset
		} else {
			high, to = place{a, x}, offset
		}
		near := endLoss * reach
		if to-from <= near || !(high.a-low.a > 0x1p-50*high.a) {
			break
		}
		// Newton's steps in x, in which this is almost linear, to either side of c.
		aim := c + near/4
		if c-from > near/2 {
			aim = c - near/4
		}
		next := x + (aim-offset)/derivative
		if !(derivative > 0 && next > low.x && next < high.x) {
			next = (low.x + high.x) / 2
		}
		if next = s.rate.level(next / s.m); next > low.a && next < high.a {
			a = next
		} else {
			a = low.a + (high.a-low.a)/2
		}
	}
	return end{low, high, s.most(c, low, high)}
}

// endLoss is how near the end is looked for, as a share of how far W rises.
const endLoss = 1e-3

// most is at least ∫ W da between two levels at an offset, by the least |u| and v of any. Its
// share, which is next to 0 at an end, has room for what v rounds.
func (s *search) most(c float64, low, high place) float64 {
	ma, size := s.m*high.a, math.Abs(c)+math.Abs(low.x)+math.Abs(high.x)
	u := math.Max(0, math.Min(c-high.x, s.epsilon/ma+ma/2)-ma)
	v := s.epsilon - ma*(math.Max(0, c-low.x-s.m*low.a)+ma/2)
	kappa := s.rate.most(low.a, high.a)
	share := 1 - math.Expm1(v)/kappa + s.round(0, ma*size)*(1+1/kappa)
	share = math.Max(0, math.Min(1, share))
	return (high.a - low.a) * s.m * s.density(u) * share * (1 + s.round(u, (1+u)*size))
}

// round is more than the rounding of what is computed from φ(u), or from a v, relative to it:
// rest is what u, or v, rounds like, times what that is multiplied by.
func (s *search) round(u, rest float64) float64 {
	return roundSlope * (8 + s.epsilon + u*u + math.Abs(s.reference) + rest)
}

// bend is at least −D” between two offsets, D being Ψ(c, end) − Ψ(c, low) with the end between two
// places. With v > 0
//
//	−Ψ” = φ(u)·(u(e^v − 1) + ma·e^v) = e^ε g(β) − g(u),  g(z) = zφ(z),
//
// and 0 right of β₀. What D” has besides, because the end moves, is ∂W/∂c times its speed, and
// positive. At the end e^v − 1 is κ, or less if it is the last level. Where the two parts nearly
// cancel, the second form is the smaller: g(β(end)) − g(β(low)) = ∫ (z² − 1)φ(z) dz from β(end) to
// β(low).
func (s *search) bend(low, end, last place, from, to float64) float64 {
	growth := s.rate.most(end.a, last.a)
	u, v := s.at(last, from)
	uTo, _ := s.at(end, to)
	if end.a == last.a {
		growth = math.Min(growth, math.Expm1(math.Max(0, v)))
	}
	ma := s.m * last.a
	size := math.Abs(from) + math.Abs(to) + math.Abs(low.x) + math.Abs(last.x) + ma
	most := 0.0
	if growth > 0 {
		far := math.Abs(u) + math.Abs(uTo)
		most = s.density(farther(u, uTo)) * (math.Max(0, uTo)*growth + ma*(1+growth) +
			s.round(far, (1+far)*size)*(1+far+ma)*(1+growth))
	}
	bound := most - s.leastBend(low, from, to, size)
	uLow, vLow := s.at(low, to)
	if _, right := s.at(last, to); vLow > 0 && (right > 0 || s.arrival >= to) {
		width, near := last.x-low.x, farther(u, uLow)
		beta := farther(from-last.x, to-low.x)
		far := math.Max(math.Abs(from-last.x), math.Abs(to-low.x))
		room := s.round(far, (1+far+near)*size)
		loss := math.Exp(s.epsilon) * s.density(beta) *
			(width*math.Max(0, far*far-1) + room*(1+far*far)*(width+size))
		gain := s.density(near) *
			((width+s.m*(last.a-low.a))*math.Max(0, 1-near*near) + room*(width+size))
		bound = math.Min(bound, loss+gain)
	}
	return math.Max(0, bound)
}

// leastBend is at most −Ψ” of a place between two offsets; size is what they and x come to.
func (s *search) leastBend(p place, from, to, size float64) float64 {
	u, v := s.at(p, from) // u rises from here, and v falls
	uTo, vTo := s.at(p, to)
	ma, far := s.m*p.a, math.Abs(u)+math.Abs(uTo)
	room := s.round(far, (1+far)*size) * (1 + far + ma)
	if u < 0 {
		most := math.Exp(math.Max(0, v))
		return s.density(farther(u, uTo)) * (u*math.Expm1(math.Max(0, v)) - room*most)
	}
	if vTo > 0 {
		return s.density(uTo) * (u*math.Expm1(vTo) + ma*math.Exp(vTo) - room*math.Exp(vTo))
	}
	return -room * s.density(u)
}

// fall is at least −D' from an offset on, D being what levels above a place are charged: D' is
// Ψ' at the end, which is not below 0, less Ψ' = φ(u)(e^v − 1) of the place, which is 0 right of β₀
// and falls where u > 0. It is +Inf where u < 0.
func (s *search) fall(p place, from float64) float64 {
	u, v := s.at(p, from)
	if u < 0 {
		return math.Inf(1)
	}
	growth := math.Expm1(math.Max(0, v))
	size, ma := math.Abs(from)+math.Abs(p.x), s.m*p.a
	return s.density(u) * (growth + s.round(u, (1+u+ma)*(size+ma))*(1+growth))
}

// farther is how far from 0 all of what is between low and high is.
func farther(low, high float64) float64 {
	return math.Max(0, math.Max(low, -high))
}

// roundSlope is more than the rounding of a slope, relative to what it is made of.
const roundSlope = 0x1p-48

const logSqrt2Pi = 0.918938533204672741780329736405617639861397473637783412817
