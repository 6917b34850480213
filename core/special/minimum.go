package special

import "math"

// Minimum returns a point of [a, b] where f is smallest, and the value there,
// by Brent's method (1973): parabolic steps where they help, golden sections
// where not, until the point is known to within tolerance. For an f with
// several minima it returns one of them; NaN counts as +Inf. The value is one
// that f had at the returned point.
func Minimum(f func(float64) float64, a, b, tolerance float64) (x, value float64) {
	const golden = 0.3819660112501051
	at := func(x float64) float64 {
		if y := f(x); !math.IsNaN(y) {
			return y
		}
		return math.Inf(1)
	}
	x = a + golden*(b-a)
	value = at(x)
	w, v, fw, fv := x, x, value, value // second best, and the one before
	var step, before float64
	for range 200 {
		middle := a + (b-a)/2
		small := tolerance/4 + 0x1p-50*math.Abs(x)
		if math.Abs(x-middle) <= 2*small-(b-a)/2 {
			break
		}
		parabolic := false
		if math.Abs(before) > small && !math.IsInf(fw, 1) && !math.IsInf(fv, 1) &&
			!math.IsInf(value, 1) {
			r := (x - w) * (value - fv)
			q := (x - v) * (value - fw)
			p := (x-v)*q - (x-w)*r
			q = 2 * (q - r)
			if q > 0 {
				p = -p
			} else {
				q = -q
			}
			if math.Abs(p) < math.Abs(q*before/2) && p > q*(a-x) && p < q*(b-x) {
				before, step = step, p/q
				if u := x + step; u-a < 2*small || b-u < 2*small {
					step = math.Copysign(small, middle-x)
				}
				parabolic = true
			}
		}
		if !parabolic {
			if x < middle {
				before = b - x
			} else {
				before = a - x
			}
			step = golden * before
		}
		u := x + step
		if math.Abs(step) < small {
			u = x + math.Copysign(small, step)
		}
		fu := at(u)
		if fu <= value {
			if u < x {
				b = x
			} else {
				a = x
			}
			v, fv, w, fw, x, value = w, fw, x, value, u, fu
			continue
		}
		if u < x {
			a = u
		} else {
			b = u
		}
		switch {
		case fu <= fw || w == x:
			v, fv, w, fw = w, fw, u, fu
		case fu <= fv || v == x || v == w:
			v, fv = u, fu
		}
	}
	return x, value
}
