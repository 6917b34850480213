package special

// GoldenSection returns a point of [a, b] where a unimodal f is smallest, and the value there, by
// golden section: each round asks f once, and leaves 0.618 of the interval. Use it where f is cheap
// to ask or a digit or two are enough; [Minimum] asks a smooth f less often for more digits.
func GoldenSection(f func(float64) float64, a, b float64, rounds int) (at, value float64) {
	const golden = 0.6180339887498949
	x, y := b-golden*(b-a), a+golden*(b-a)
	fx, fy := f(x), f(y)
	for range rounds {
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = f(x)
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = f(y)
		}
	}
	if fx <= fy {
		return x, fx
	}
	return y, fy
}
