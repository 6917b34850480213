package pld

import (
	"math"

	"cloister/core/special"
)

// component is one event's loss, moved to the grid from above and from below,
// and how often it is composed.
type component struct {
	upper, lower divided
	count        int
}

// divided is a measure, or what is in it at losses up to some split (body) and
// above (jump). A sheet composes either whole measures, with body nil and jump
// all of it, or those outcomes of a composition that have at least one jump:
// all outcomes less those of bodies only.
type divided struct{ whole, body, jump *measure }

// cut divides a measure at a loss.
func (m *measure) cut(split float64) divided {
	n := int(math.Max(0, math.Min(float64(len(m.mass)), math.Floor((split-m.offset)/m.step)+1)))
	return divided{m, m.from(0, m.mass[:n]), m.from(n, m.mass[n:])}
}

// from is the part of a measure that has this mass from index n on.
func (m *measure) from(n int, mass []float64) *measure {
	return &measure{
		offset: m.offset + float64(n)*m.step,
		step:   m.step,
		mass:   mass,
		slip:   m.slip,
		start:  n,
	}
}

func undivided(m *measure) divided { return divided{whole: m, jump: m} }

// logMoment is that of the whole.
func (d *divided) logMoment(t float64) float64 {
	if d.body == nil {
		return d.jump.logMoment(t)
	}
	return special.LogAddExp(d.body.logMoment(t), d.jump.logMoment(t))
}

// side picks an end of a component.
type side func(*component) *divided

func upperSide(c *component) *divided { return &c.upper }
func lowerSide(c *component) *divided { return &c.lower }

var sides = [2]side{upperSide, lowerSide}

// composedMoment returns the logarithm of the moment generating function of what
// a sheet composes, with errors times sign added:
//
//	Π Mᵢ^{kᵢ} − Π Aᵢ^{kᵢ} = Π Mᵢ^{kᵢ}·(1 − e^{−gain}),  gain = Σ kᵢ log(1 + Bᵢ/Aᵢ),
//
// A that of the body and B = M − A that of the jump.
func composedMoment(parts []component, of side, t, sign float64) float64 {
	total, logGain := 0.0, math.Inf(-1)
	for i := range parts {
		k, d := float64(parts[i].count), of(&parts[i])
		log := d.logMoment(t)
		total += k*log + sign*(k+2)*(d.whole.momentError(t)+0x1p-50*math.Abs(log))
		if d.body == nil {
			logGain = math.Inf(1)
		} else {
			logGain = special.LogAddExp(
				logGain, logGainOf(k, d.jump.logMoment(t)-d.body.logMoment(t)),
			)
		}
	}
	return total + logJump(logGain)
}

// logGainOf is log of k·log(1 + e^x), which does not underflow.
func logGainOf(k, x float64) float64 {
	if x < -40 {
		return math.Log(k) + x
	}
	return math.Log(k * special.Log1pExp(x))
}

// logJump is log(1 − e^{−gain}).
func logJump(logGain float64) float64 {
	if logGain < -40 {
		return logGain
	}
	return special.Log1mExp(-math.Exp(logGain))
}

// window is where a sheet is to be good, as planned: losses from … to, the
// number of grid points (a power of two with length·step ≥ to − from), the
// exponent by which to tilt, and those at which the mass beyond either edge is
// bounded (below < tilt < above).
type window struct {
	from, to           float64
	length             int
	below, tilt, above float64

	// From planning: the tilted standard deviation, log of Chernoff's bound on
	// δ(ε) at tilt over δ(ε), −log of the tilted mass that may lie beyond an edge,
	// and a penalty for rounding.
	deviation, reach, edge, noise float64
}

func (w *window) exponents() [3]float64 { return [3]float64{w.below, w.tilt, w.above} }

// A sheet is a composition tilted by one exponent t: upper and lower end of one
// direction's privacy profile, sharp for those ε around which the tilted
// distribution has its mass, true for all. If it is one of outcomes with jumps,
// those without are on a sheet of their own, which has an exponent of its own.
type sheet struct {
	upper, lower *end
	body         *sheet
}

// points is how many grid points it has taken.
func (s *sheet) points() int {
	n := s.upper.length
	if s.body != nil {
		n += n + s.body.upper.length
	}
	return n
}

// logDeltaUpper and logDeltaLower bound log δ(ε).
func (s *sheet) logDeltaUpper(epsilon float64) float64 {
	log := s.upper.logDeltaUpper(epsilon)
	if s.body != nil {
		log = math.Min(0, special.LogAddExp(log, s.body.logDeltaUpper(epsilon))+massError)
	}
	return log
}

func (s *sheet) logDeltaLower(epsilon float64) float64 {
	log := s.lower.logDeltaLower(epsilon)
	if s.body != nil {
		log = special.LogAddExp(log, s.body.logDeltaLower(epsilon)) - massError
	}
	return log
}

// slope is −(log δ)' at ε, approximately.
func (s *sheet) slope(epsilon float64) float64 {
	h := s.upper.step
	return math.Max(0, (s.logDeltaUpper(epsilon-h)-s.logDeltaUpper(epsilon+h))/(2*h))
}

// blur is about what a finer grid, and a window that is made for this ε, would take off the upper
// end of log δ(ε). runs is how many runs there are (see target.step), infinite the log of the mass
// that is at +∞ in any case. It is +∞ where the window has nothing.
func (s *sheet) blur(runs int, epsilon, infinite float64) float64 {
	slope, step := s.slope(epsilon), s.upper.step
	grid := float64(runs) * math.Min(step*step/4*(slope+1), 2*step)
	sharp := special.LogAddExp(s.upper.logSharp(epsilon), infinite)
	if s.body != nil {
		sharp = special.LogAddExp(sharp, s.body.upper.logSharp(epsilon))
	}
	return s.logDeltaUpper(epsilon) - sharp + grid*slope
}

// lost is the log-modulus below which a coefficient of the composition is taken
// as 0; entries of interest are above e^{−25}.
const lost = -70.0

// convolve composes the components by the Fourier transform of their tilted
// measures: the upper ones are the real, the lower ones the imaginary part of
// what is transformed.
//
// Error of the entries. Let e bound the error of every computed coefficient of
// every tilted measure: transform's γ times the 1-norm of what was transformed,
// which is 2, and the rounding of taking the two ends apart. True coefficients
// have modulus at most 1. With R = |X̂| + e and K = Σ kᵢ, for one frequency
//
//	|Π X̂ᵢ^{kᵢ} − Π Xᵢ^{kᵢ}| ≤ Σᵢ kᵢ e Rᵢ^{kᵢ−1} Π_{l≠i} R_l^{k_l} ≤ 2Ke Π max(Rᵢ, ½)^{kᵢ},
//
// and max(R, ½) ≤ max(|X̂|, ½)(1 + 2e). The product is taken in polar form,
// with a relative error of (16K + 200)u at most: K times the rounding of one
// logarithm and one angle, and that of a total angle of at most Kπ. The inverse
// transform carries the mean over all frequencies of these errors into every
// entry, and adds γ times the mean modulus of what it transforms.
//
// With bodies A and jumps B = X − A, what is wanted is Π Xᵢ^{kᵢ} − Π Aᵢ^{kᵢ}. Twice
// the bound above, with max(|X̂|, |Â|, ½), holds for it. So does another: B and A
// are transformed apart, with errors of at most e‖B‖ and e, and in the
// derivatives by Aᵢ, which are polynomials with positive coefficients, the
// moduli may be replaced by the 1-norms,
//
//	kᵢ|Xᵢ^{kᵢ−1}Π_{l≠i} X_l^{k_l} − Aᵢ^{kᵢ−1}Π_{l≠i} A_l^{k_l}| ≤ kᵢ(1 − Π ‖A_l‖^{k_l}) ≤ kᵢb,  b = Σ k_l‖B_l‖,
//
// which makes (K + 1)eb in all: rounding is small beside what is wanted, however
// rare jumps are. (1 + e)^K covers both for what is between true and computed.
func convolve(parts []component, w *window) *convolution {
	t := transformOf(w.length)
	re, im := make([]float64, t.n), make([]float64, t.n)
	c := &convolution{newEnd(w, parts, upperSide), newEnd(w, parts, lowerSide), re, im, 0}
	fill := func(re, im []float64, upper, lower *measure, part *component) {
		clear(re)
		clear(im)
		upper.fill(re, w.tilt, part.upper.logMoment(w.tilt))
		lower.fill(im, w.tilt, part.lower.logMoment(w.tilt))
		t.forward(re, im)
	}
	runs, jumps := 0.0, 0.0
	for i := range parts {
		k := float64(parts[i].count)
		runs += k
		for _, of := range sides {
			d := of(&parts[i])
			// not NaN
			if share := math.Exp(d.jump.logMoment(w.tilt) - d.logMoment(w.tilt)); share > 0 {
				jumps += k * share
			}
		}
	}
	apart := parts[0].upper.body != nil
	least := lost
	var bodyRe, bodyIm []float64
	if apart {
		bodyRe, bodyIm = make([]float64, t.n), make([]float64, t.n)
		least += math.Max(-500, math.Min(0, math.Log(jumps)))
	}
	high, low := newSpectrum(t.n, least, apart), newSpectrum(t.n, least, apart)
	for i := range parts {
		part := &parts[i]
		fill(re, im, part.upper.jump, part.lower.jump, part)
		if apart {
			fill(bodyRe, bodyIm, part.upper.body, part.lower.body, part)
		}
		k := float64(part.count)
		at := 0
		for i := range re {
			m := mirror(i)
			if m < i {
				continue
			}
			// Z = U + iL, with U and L transforms of real sequences.
			a, b, c, d := re[i], im[i], re[m], im[m]
			var f, g, p, q float64
			if apart {
				f, g, p, q = bodyRe[i], bodyIm[i], bodyRe[m], bodyIm[m]
			}
			high.raise(at, (a+c)/2, (b-d)/2, (f+p)/2, (g-q)/2, k)
			low.raise(at, (b+d)/2, (c-a)/2, (g+q)/2, (p-f)/2, k)
			at++
		}
	}

	gamma := t.relativeError()
	grown, power := powerError(runs, gamma)
	moduli, errors := 0.0, 0.0
	vanished := math.Exp(least)
	at := 0
	for i := range re {
		m := mirror(i)
		if m < i {
			continue
		}
		weight := 2.0
		if m == i {
			weight = 1
		}
		ur, ui, umod := high.value(at)
		lr, li, lmod := low.value(at)
		re[i], im[i] = ur-li, ui+lr
		re[m], im[m] = ur+li, lr-ui
		moduli += weight * (umod + lmod)
		off := high.bound(at, umod) + low.bound(at, lmod)
		if apart {
			off = 2 * math.Min(off, jumps)
		}
		errors += weight * (grown*off + 2*vanished)
		at++
	}
	t.inverse(re, im)
	c.entry = (errors+(power+gamma)*moduli)/float64(t.n)*(1+0x1p-20) + 1e-300
	return c
}

// powerError returns what convolve's comment says of runs factors, γ being the
// transform's error: 2Ke with what (1 + 2e)^K adds, and the error of the polar form.
func powerError(runs, gamma float64) (grown, power float64) {
	const u = 0x1p-53
	e := 2.1*gamma + 8*u
	return 2 * runs * e * math.Exp(runs*(2*e+0x1p-32)), (16*runs + 200) * u
}

// convolution is a composition before its tails are summed: the entries of
// either end, each within entry of what it would be without rounding.
type convolution struct {
	upper, lower    *end
	highest, lowest []float64
	entry           float64
}

// compose makes a sheet: entries are raised or lowered by their error. Where the
// window has no length, there is nothing but Chernoff's bounds.
func compose(parts []component, w *window) *sheet {
	if w.length == 0 {
		return &sheet{upper: newEnd(w, parts, upperSide), lower: newEnd(w, parts, lowerSide)}
	}
	c := convolve(parts, w)
	c.upper.finish(c.highest, c.entry, c.entry)
	c.lower.finish(c.lowest, -c.entry, 0)
	return &sheet{upper: c.upper, lower: c.lower}
}

// spectrum is a product of powers of coefficients, over the half of the
// frequencies that decides a real sequence.
type spectrum struct {
	least   float64 // log-modulus below which a coefficient is lost
	entries []entry
	apart   []portion // of measures with jumps only
}

// entry is one coefficient, as log-modulus and angle.
type entry struct {
	log, angle float64
	ceiling    float64 // Σ k·log max(|X|, |A|, ½)
}

// portion is the product of the bodies' powers, and what jumps add.
type portion struct {
	bodyLog, bodyAngle float64 // of Π A^k
	gain, turn         float64 // Σ k·log(1 + B/A), real and imaginary part
	size               float64 // bounds Σ k·|log(1 + B/A)|
}

func newSpectrum(n int, least float64, apart bool) *spectrum {
	s := &spectrum{least: least, entries: make([]entry, n/2+1)}
	if apart {
		s.apart = make([]portion, n/2+1)
	}
	return s
}

// raise multiplies by the k-th power of X = A + B, B = br + i·bi; A = ar + i·ai
// is 0 but for measures with jumps.
func (s *spectrum) raise(at int, br, bi, ar, ai, k float64) {
	e := &s.entries[at]
	if e.ceiling < s.least {
		return
	}
	xr, xi := ar+br, ai+bi
	whole := xr*xr + xi*xi
	log, largest := k/2*math.Log(whole), whole
	e.log += log
	if s.apart != nil {
		f := &s.apart[at]
		body := ar*ar + ai*ai
		if body > largest {
			largest = body
		}
		f.bodyLog += k / 2 * math.Log(body)
		f.bodyAngle += k * math.Atan2(ai, ar)
		x, y := (br*ar+bi*ai)/body, (bi*ar-br*ai)/body // B/A
		if square := x*x + y*y; square < 0.25 {
			f.gain += k / 2 * math.Log1p(2*x+square)
			f.turn += k * math.Atan2(y, 1+x)
			f.size += 1.5 * k * math.Sqrt(square)
		} else {
			f.size += 2 * k
		}
	}
	switch {
	case !(largest >= 0.25):
		e.ceiling -= k * math.Ln2
	case largest == whole:
		e.ceiling += log
	default:
		e.ceiling += k / 2 * math.Log(largest)
	}
	if e.log > s.least {
		e.angle += k * math.Atan2(xi, xr)
	}
}

// value returns the product, 0 where it is lost, and its modulus; of measures
// with jumps Π X^k − Π A^k, and a bound on what its relative errors are of.
func (s *spectrum) value(at int) (re, im, modulus float64) {
	e := &s.entries[at]
	if s.apart == nil {
		return polar(e.log, e.angle, s.least)
	}
	f := &s.apart[at]
	br, bi, body := polar(f.bodyLog, f.bodyAngle, s.least)
	if f.size < 1 {
		// Π A^k·(e^G − 1)
		sin, cos := math.Sincos(f.turn)
		half, _ := math.Sincos(f.turn / 2)
		grown := math.Expm1(f.gain)
		gr, gi := grown*cos-2*half*half, (1+grown)*sin
		return br*gr - bi*gi, br*gi + bi*gr, 3 * body * f.size
	}
	re, im, modulus = polar(e.log, e.angle, s.least)
	return re - br, im - bi, modulus + body
}

func polar(log, angle, least float64) (re, im, modulus float64) {
	if !(log > least) {
		return 0, 0, 0
	}
	modulus = math.Exp(log)
	sin, cos := math.Sincos(angle)
	return modulus * cos, modulus * sin, modulus
}

// bound returns Π max(|X|, |A|, ½)^k, or a little more; modulus is value's.
func (s *spectrum) bound(at int, modulus float64) float64 {
	e := &s.entries[at]
	if e.ceiling == e.log && e.ceiling >= s.least && s.apart == nil {
		return modulus
	}
	return math.Exp(math.Max(e.ceiling, s.least))
}
