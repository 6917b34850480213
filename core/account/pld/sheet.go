package pld

import "math"

// component is one event's loss, moved to the grid from above and from below,
// and how often it is composed.
type component struct {
	upper, lower *measure
	count        int
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

// A sheet is a composition tilted by one exponent t: upper and lower end of one
// direction's privacy profile, sharp for those ε around which the tilted
// distribution has its mass, true for all.
type sheet struct {
	window
	upper, lower *end
}

// lost is the log-modulus below which a coefficient of the composition is taken
// as 0; entries of interest are above e^{−25}.
const lost = -70.0

var vanished = math.Exp(lost)

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
func convolve(parts []component, w window) *convolution {
	t := transformOf(w.length)
	re, im := make([]float64, t.n), make([]float64, t.n)
	high, low := newSpectrum(t.n), newSpectrum(t.n)
	upper, lower := newEnd(w), newEnd(w)
	runs := 0.0
	for _, part := range parts {
		clear(re)
		clear(im)
		upper.add(re, part.upper, part.count)
		lower.add(im, part.lower, part.count)
		t.forward(re, im)
		k := float64(part.count)
		runs += k
		at := 0
		for i := range re {
			m := mirror(i)
			if m < i {
				continue
			}
			// Z = U + iL, with U and L transforms of real sequences.
			a, b, c, d := re[i], im[i], re[m], im[m]
			high.raise(at, (a+c)/2, (b-d)/2, k)
			low.raise(at, (b+d)/2, (c-a)/2, k)
			at++
		}
	}

	const u = 0x1p-53
	gamma := t.relativeError()
	e := 2.1*gamma + 8*u
	grown := 2 * runs * e * math.Exp(runs*(2*e+0x1p-32))
	power := (16*runs + 200) * u
	moduli, errors := 0.0, 0.0
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
		errors += weight * (grown*(high.bound(at, umod)+low.bound(at, lmod)) + 2*vanished)
		at++
	}
	t.inverse(re, im)
	entry := (errors+(power+gamma)*moduli)/float64(t.n)*(1+0x1p-20) + 1e-300

	return &convolution{w, upper, lower, re, im, entry}
}

// convolution is a composition before its tails are summed: the entries of
// either end, each within entry of what it would be without rounding.
type convolution struct {
	window
	upper, lower    *end
	highest, lowest []float64
	entry           float64
}

// compose makes a sheet: entries are raised or lowered by their error.
func compose(parts []component, w window) *sheet {
	c := convolve(parts, w)
	c.upper.finish(c.highest, c.entry, c.entry)
	c.lower.finish(c.lowest, -c.entry, 0)
	return &sheet{window: w, upper: c.upper, lower: c.lower}
}

// spectrum is a product of powers of coefficients, as log-modulus and angle,
// over the half of the frequencies that decides a real sequence.
type spectrum struct {
	log, angle []float64
	ceiling    []float64 // Σ k·log max(|X|, ½)
}

func newSpectrum(n int) *spectrum {
	return &spectrum{make([]float64, n/2+1), make([]float64, n/2+1), make([]float64, n/2+1)}
}

// raise multiplies by the k-th power of re + i·im.
func (s *spectrum) raise(at int, re, im, k float64) {
	if s.ceiling[at] < lost {
		return
	}
	square := re*re + im*im
	log := k / 2 * math.Log(square)
	s.log[at] += log
	if square >= 0.25 {
		s.ceiling[at] += log
	} else {
		s.ceiling[at] -= k * math.Ln2
	}
	if s.log[at] > lost {
		s.angle[at] += k * math.Atan2(im, re)
	}
}

// value returns the product and its modulus, 0 where it is lost.
func (s *spectrum) value(at int) (re, im, modulus float64) {
	if !(s.log[at] > lost) {
		return 0, 0, 0
	}
	modulus = math.Exp(s.log[at])
	sin, cos := math.Sincos(s.angle[at])
	return modulus * cos, modulus * sin, modulus
}

// bound returns Π max(|X|, ½)^k, or a little more; modulus is value's.
func (s *spectrum) bound(at int, modulus float64) float64 {
	switch ceiling := s.ceiling[at]; {
	case ceiling < lost:
		return vanished
	case ceiling == s.log[at]:
		return modulus
	default:
		return math.Exp(ceiling)
	}
}
