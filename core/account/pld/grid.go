package pld

import (
	"math"

	"cloister/core/special"
)

// A grid is a composition for estimates: tilted by e^{tω}, composed by the
// Fourier transform on a window of the losses k·step, with no certificate.
//
// Every run comes as nodes. The tilted weight of each goes to the six grid
// points around it in Lagrange's proportions, which keeps the first five moments
// about any point: the moment generating function near the window's tilt errs
// by the order of step⁶, also for what is far narrower than a step, such as the
// bulk of a step of DP-SGD at a small sampling rate. Only what varies near ε has
// to be wider than a step.
//
// The sum for δ(ε) over grid points is a trapezoid rule for the composition's
// density ρ, with a kink of its integrand at ε. By Euler and Maclaurin, for ε on
// the grid and f(x) = (1 − e^{ε−x})ρ(x),
//
//	∫ f = step·Σ f + step²/12·f′(ε) − step⁴/720·f‴(ε) + O(step⁶),
//	f′ = ρ,  f‴ = 3ρ″ − 3ρ′ + ρ.
type grid struct {
	tilt, step float64
	first      float64   // index of the window's first point
	scale      float64   // log of the composition's moment generating function at tilt
	mass       []float64 // of the tilted composition
	gain       []float64 // at n: Σ_{m>n} mass[m] e^{−td} (1 − e^{−d}), d = ωₘ − ωₙ
}

// share is one run's nodes: all of them, or those with a jump apart from those
// without (see plan.divided).
type share struct {
	jump, body nodes // body is empty where nothing is apart
}

// longestGrid is the most points of a grid: some 15 ms of work.
const longestGrid = 1 << 17

// newGrid composes shares tilted by t on a window from … to, a power of two of
// points long and at least 256. Where bodies are apart, outcomes without a jump
// are left out: Π Mᵢ^{kᵢ} − Π Aᵢ^{kᵢ}, as in convolve.
func newGrid(shares []share, apart bool, t, from, to, step float64) *grid {
	n := 256
	for float64(n)*step < to-from {
		n *= 2
	}
	from -= (float64(n)*step - (to - from)) / 2
	g := &grid{tilt: t, step: step, first: math.Floor(from / step)}
	f := transformOf(n)
	re, im := make([]float64, n), make([]float64, n)
	bodyRe, bodyIm := make([]float64, n), make([]float64, n)
	least := lost
	if apart {
		least -= 500 // jumps may be as rare as that
	}
	s := newSpectrum(n, least, apart)
	for i := range shares {
		jump, body := &shares[i].jump, &shares[i].body
		log := special.LogAddExp(jump.logMoment(t), body.logMoment(t))
		g.scale += jump.count * log
		// Apart, since a jump's weight may be nothing beside the rounding of a body's.
		jump.deposit(re, t, log, step)
		f.forward(re, im)
		if apart {
			body.deposit(bodyRe, t, log, step)
			f.forward(bodyRe, bodyIm)
		}
		at := 0
		for i := range re {
			if mirror(i) >= i {
				s.raise(at, re[i], im[i], bodyRe[i], bodyIm[i], jump.count)
				at++
			}
		}
		clear(re)
		clear(im)
		clear(bodyRe)
		clear(bodyIm)
	}
	at := 0
	for i := range re {
		if m := mirror(i); m >= i {
			x, y, _ := s.value(at)
			re[i], im[i] = x, y
			re[m], im[m] = x, -y
			at++
		}
	}
	f.inverse(re, im)
	g.mass, g.gain = make([]float64, n), make([]float64, n)
	start := int(int64(g.first) & int64(n-1))
	for i := range g.mass {
		g.mass[i] = re[(start+i)&(n-1)]
	}
	fall, fade, part := math.Exp(-t*step), math.Exp(-step), -math.Expm1(-step)
	rise, sink := 0.0, 0.0 // as in end.finish
	for i := n - 2; i >= 0; i-- {
		near := fall * (g.mass[i+1] + sink)
		rise = fall*rise + part*near
		sink = fade * near
		g.gain[i] = rise
	}
	return g
}

// deposit adds nodes, tilted by t and divided by e^log, to a cyclic array.
func (n *nodes) deposit(into []float64, t, log, step float64) {
	mask := len(into) - 1
	for i, x := range n.omega {
		y := t*x - log
		if y < forgotten {
			continue
		}
		mass := n.weight[i] * math.Exp(y)
		at := math.Floor(x / step)
		for k, part := range lagrange(x/step - at) {
			into[(int(at)+k-2)&mask] += mass * part
		}
	}
}

// lagrange returns the weights of the values at −2, −1, 0, 1, 2, 3 in the fifth
// degree polynomial through them, at x from 0 to 1.
func lagrange(x float64) (w [6]float64) {
	a, b, c, d, e := x+2, x+1, x-1, x-2, x-3
	w[0] = -b * x * c * d * e / 120
	w[1] = a * x * c * d * e / 24
	w[2] = -a * b * c * d * e / 12
	w[3] = a * b * x * d * e / 12
	w[4] = -a * b * x * c * e / 24
	w[5] = a * b * x * c * d / 120
	return w
}

// logAt returns log δ at the loss index·step, but for the mass at +∞: NaN off the
// window, and where there is nothing but rounding.
func (g *grid) logAt(index float64) float64 {
	n := int(index - g.first)
	if n < 1 || n > len(g.mass)-2 {
		return math.NaN()
	}
	h, up := g.step, math.Exp(g.tilt*g.step)
	below, here, above := g.mass[n-1]*up, g.mass[n], g.mass[n+1]/up // e^{tωₙ} times those untilted
	f3 := 3*(below-2*here+above) - 1.5*h*(above-below) + h*h*here
	return g.scale - g.tilt*index*h + math.Log(g.gain[n]+h/12*here-h/720*f3)
}

// logAll returns log δ(ε) for an ε below the window, but for the mass at +∞.
func (g *grid) logAll(epsilon float64) float64 {
	sum := 0.0
	for n, mass := range g.mass {
		omega := (g.first + float64(n)) * g.step
		sum += mass * -math.Expm1(epsilon-omega) * math.Exp(-g.tilt*(omega-epsilon))
	}
	return g.scale - g.tilt*epsilon + math.Log(sum)
}

// peak returns the index at which there is most tilted mass.
func (g *grid) peak() float64 {
	peak := 0
	for n, mass := range g.mass {
		if mass > g.mass[peak] {
			peak = n
		}
	}
	return g.first + float64(peak)
}
