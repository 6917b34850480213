package pld

import "math"

// A contour is the moment generating function M(z) of a composition along the
// vertical line Re z = s, from which follows, for any ε (theory §8),
//
//	δ(ε) = (2πi)⁻¹ ∫ e^{−zε} M(z)/(z(z+1)) dz,   −δ'(ε) = (2πi)⁻¹ ∫ e^{−zε} M(z)/(z+1) dz,
//
// by the trapezoid rule with spacing Δ. Its error is what Poisson's summation
// formula says: δ(ε + 2πm/Δ)·e^{2πms/Δ} for m ≠ 0, tails of the distribution
// tilted by s at a distance of 2π/Δ and more. Everything else about it, the
// quadrature of M and where the sum may end, is judged and not proved.
type contour struct {
	s, spacing float64
	scale      float64   // log M(s)
	re, im     []float64 // M(s + ijΔ)/M(s), j = 0, 1, …
	infinite   float64   // log of the mass at +∞
	gap        float64   // largest distance of neighbouring nodes that matter
}

// resolved reports whether the quadrature still followed the oscillation of
// e^{zω} at the line's end: Gauss–Legendre rules of 12 nodes do up to about 12
// radians a panel.
func (l *contour) resolved() bool {
	return l.spacing*float64(len(l.re))*l.gap < 0.9
}

const (
	mostWork = 1_000_000 // nodes times frequencies: some 2 ms

	// mostTerms is how long a sum may be. It bounds time and no error: of 2,450 questions
	// about DP-SGD that settled along contours with up to 20,000 terms, none was wrong.
	// 2,300 took at most 100 terms, and under 3 ms; beyond 200, four of ten did not settle,
	// and those that did took 12 to 40 ms, as pictures do, which settle more often.
	mostTerms   = 200
	smallEnough = 1e-12
)

// heaviest is the largest weight·e^{tω}, over e^top.
func (n nodes) heaviest(t float64) float64 {
	top, most := n.top(t), 0.0
	for i, x := range n.omega {
		most = math.Max(most, n.weight[i]*math.Exp(t*x-top))
	}
	return most
}

// along sums M along a contour at spacing Δ until its terms are negligible;
// false if they are not within mostWork. reach is log of Chernoff's bound on
// δ(ε) at s over δ(ε): by so much more than its part of M may a node matter.
func (c cumulant) along(s, spacing, reach float64) (*contour, bool) {
	line := &contour{s: s, spacing: spacing}
	type table struct {
		re, im, cos, sin []float64 // e^{zω}·weight, and how it turns from one z to the next
		sum, count       float64
	}
	var tables []table
	size := 0
	for _, n := range c {
		t := table{count: n.count}
		top := n.top(s)
		before, heavy := math.NaN(), n.heaviest(s)
		matters := math.Min(1e-10, 1e-9*math.Exp(-reach)/n.count) * heavy
		for i, x := range n.omega {
			w := n.weight[i] * math.Exp(s*x-top)
			if w < 1e-8*matters {
				continue
			}
			if gap := math.Abs(x - before); w > matters && gap > line.gap {
				line.gap = gap
			}
			before = x
			sin, cos := math.Sincos(spacing * x)
			t.re, t.im = append(t.re, w), append(t.im, 0)
			t.cos, t.sin = append(t.cos, cos), append(t.sin, sin)
			t.sum += w
		}
		line.scale += n.count * (top + math.Log(t.sum))
		tables = append(tables, t)
		size += len(t.re)
	}
	if size == 0 || !(spacing > 0) || math.IsInf(spacing, 1) {
		return nil, false
	}
	total, quiet := 0.0, 0
	for j := 0; j < mostTerms && j*size < mostWork; j++ {
		var log, angle float64
		for i := range tables {
			t := &tables[i]
			var re, im float64
			cos, sin := t.cos, t.sin
			tre, tim := t.re[:len(cos)], t.im[:len(cos)]
			for k := range cos {
				x, y := tre[k], tim[k]
				re += x
				im += y
				tre[k], tim[k] = x*cos[k]-y*sin[k], x*sin[k]+y*cos[k]
			}
			re, im = re/t.sum, im/t.sum
			log += t.count / 2 * math.Log(re*re+im*im)
			angle += t.count * math.Atan2(im, re)
		}
		modulus := math.Exp(log)
		sin, cos := math.Sincos(angle)
		line.re, line.im = append(line.re, modulus*cos), append(line.im, modulus*sin)

		u := spacing * float64(j)
		term := modulus / math.Sqrt((s*s+u*u)*((s+1)*(s+1)+u*u))
		total += term
		// What is to come, if terms fall off at least like 1/j².
		if term*float64(j+1) < smallEnough*total {
			if quiet++; quiet == 4 {
				return line, true
			}
		} else {
			quiet = 0
		}
	}
	return nil, false
}

// logDelta returns log δ(ε) and its derivative.
func (l *contour) logDelta(epsilon float64) (log, slope float64) {
	// e^{−zε} turns by Δε from one z to the next.
	var value, derivative float64
	turnSin, turnCos := math.Sincos(l.spacing * epsilon)
	cos, sin := 1.0, 0.0 // of −uε
	for j := range l.re {
		u := l.spacing * float64(j)
		re, im := l.re[j]*cos-l.im[j]*sin, l.re[j]*sin+l.im[j]*cos
		if j == 0 {
			re, im = re/2, im/2
		}
		// Divide by z + 1, then by z.
		a, b := l.s+1, u
		norm := a*a + b*b
		re, im = (re*a+im*b)/norm, (im*a-re*b)/norm
		derivative += re
		norm = l.s*l.s + u*u
		value += (re*l.s + im*u) / norm
		cos, sin = cos*turnCos+sin*turnSin, sin*turnCos-cos*turnSin
	}
	log = l.scale - l.s*epsilon + math.Log(l.spacing/math.Pi) + math.Log(value)
	return log, -derivative / value
}
