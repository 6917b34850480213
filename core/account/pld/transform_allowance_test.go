package pld

import (
	"math"
	"math/big"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// circleOf returns cos and sin of 2πk/n in 400 bits, n a power of two: half angles of
// the quarter turn, and their products.
func circleOf(n int) (cos, sin []*big.Float) {
	root := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sqrt(x) }
	c, s := number(0), number(1)
	for m := 4; m < n; m *= 2 {
		c, s = root(over(plus(number(1), c), number(2))), root(over(minus(number(1), c), number(2)))
	}
	cos, sin = []*big.Float{number(1)}, []*big.Float{number(0)}
	for k := 1; k < n; k++ {
		x, y := cos[k-1], sin[k-1]
		cos = append(cos, minus(times(x, c), times(y, s)))
		sin = append(sin, plus(times(x, s), times(y, c)))
	}
	return cos, sin
}

// Every output of the transform is within γ times the 1-norm of the exact one, and γ is
// not all room to spare: of impulses, it is 21 times what is seen.
func TestAllowanceOfTheFourierTransform(t *testing.T) {
	worst := math.Inf(1)
	for _, n := range []int{128, 256} {
		cos, sin := circleOf(n)
		tr := newTransform(n)
		gamma := tr.relativeError()
		for _, impulses := range []bool{true, false} {
			x, y := pseudo(n, uint64(n)), pseudo(n, uint64(n+1))
			if impulses {
				clear(x)
				clear(y)
				x[n/2-3], y[n/4+5] = 0.7, 0.3
			}
			norm := 0.0
			for i := range x {
				norm += math.Hypot(x[i], y[i])
			}
			re, im := append([]float64(nil), x...), append([]float64(nil), y...)
			tr.forward(re, im)
			seen := 0.0
			for k := range n {
				wantRe, wantIm := number(0), number(0)
				for i := range n {
					if x[i] == 0 && y[i] == 0 {
						continue
					}
					c, s := cos[i*k%n], sin[i*k%n]
					a, b := number(x[i]), number(y[i])
					wantRe = plus(wantRe, plus(times(a, c), times(b, s)))
					wantIm = plus(wantIm, minus(times(b, c), times(a, s)))
				}
				r := reversed(k, n)
				off := math.Hypot(
					float(minus(number(re[r]), wantRe)), float(minus(number(im[r]), wantIm)),
				)
				require.LessOrEqual(t, off, gamma*norm, "length %d, frequency %d", n, k)
				seen = math.Max(seen, off)
			}
			worst = math.Min(worst, gamma*norm/seen)
		}
	}
	t.Logf("γ is at least %.0f times what is seen", worst)
	assert.Less(t, worst, 50.0)
}

// The error of a sheet's entries is that of convolve's comment, from the definition of
// the discrete Fourier transform: nothing of it is left out.
func TestAllowanceOfEntries(t *testing.T) {
	const u = 0x1p-53
	one, two := gaussianLoss(0.4), responseLoss(0.6, 3)
	grid := &layout{
		step: 1.0 / 16, low: 1e-9, high: 1e-9, runs: 3, views: [2]view{{most: math.Inf(1)}},
	}
	w := &window{from: -4, to: 4, length: 128, tilt: 0.5, below: -1, above: 2}
	for _, split := range []float64{math.Inf(1), 1.25} {
		cut := func(m *measure) divided {
			if math.IsInf(split, 1) {
				return undivided(m)
			}
			return m.cut(split)
		}
		parts := []component{
			{cut(one.upper(grid)), cut(one.lower(grid)), 1},
			{cut(two.upper(grid)), cut(two.lower(grid)), 2},
		}
		runs, jumps, moduli, errors := 3.0, 0.0, 0.0, 0.0
		for i := range parts {
			for _, of := range sides {
				d := of(&parts[i])
				share := math.Exp(d.jump.logMoment(w.tilt) - d.logMoment(w.tilt))
				jumps += float64(parts[i].count) * share
			}
		}
		gamma := 10.5 * u * 4 // of three stages and one of length 2
		e := 2.1*gamma + 8*u
		for k := range w.length {
			bound := 0.0
			for _, of := range sides {
				whole, bodies, ceiling := complex(1, 0), complex(1, 0), 1.0
				for i := range parts {
					x, a := coefficient(&parts[i], of, w, k)
					for range parts[i].count {
						whole, bodies = whole*x, bodies*a
						ceiling *= math.Max(0.5, math.Max(cmplx.Abs(x), cmplx.Abs(a)))
					}
				}
				bound += ceiling
				if parts[0].upper.body == nil {
					moduli += cmplx.Abs(whole)
				} else {
					moduli += cmplx.Abs(whole - bodies)
				}
			}
			if parts[0].upper.body != nil {
				bound = math.Min(2*bound, (runs+1)/(2*runs)*jumps)
			}
			errors += 2 * runs * e * bound
		}
		want := (errors + ((16*runs+200)*u+gamma)*moduli) / float64(w.length)
		got := convolve(parts, w).entry
		assert.Greater(t, got, want*(1+0x1p-21), "split at %v", split)
		if math.IsInf(split, 1) {
			assert.Less(t, got, want*(1+0x1p-19))
		}
	}
}

// coefficient is that of frequency k of a component's tilted measure, and of its body,
// by the definition.
func coefficient(part *component, of side, w *window, k int) (whole, body complex128) {
	d := of(part)
	log := d.logMoment(w.tilt)
	sum := func(m *measure) (total complex128) {
		if m == nil {
			return 0
		}
		for j, mass := range m.mass {
			tilted := mass * math.Exp(w.tilt*(m.offset+float64(j)*m.step)-log)
			turns := math.Mod(float64((m.start+j)*k), float64(w.length)) / float64(w.length)
			total += cmplx.Rect(tilted, -2*math.Pi*turns)
		}
		return total
	}
	body = sum(d.body)
	return body + sum(d.jump), body
}

// Where jumps are rare, Π X^k − Π A^k has an error relative to 2.7 times Π|A|^k Σ k|log(1 +
// B/A)|: as much again of e^G − 1 as it may be, and one for the rounding of G.
func TestAllowanceOfRareJumps(t *testing.T) {
	random := draw(23)
	for i := range 2000 {
		a := cmplx.Rect(random.between(0.1, 1), 6.28*random.next())
		ratio := cmplx.Rect(random.between(1e-9, 0.49), 6.28*random.next())
		if i == 0 {
			ratio = complex(-0.499, 0)
		}
		b := a * ratio
		k := 1 + float64(i%3)
		s := newSpectrum(2, -500, true)
		s.raise(0, real(b), imag(b), real(a), imag(a), k)
		size := k * cmplx.Abs(cmplx.Log(1+ratio))
		assert.GreaterOrEqual(t, s.apart[0].size, size, "%v", ratio)
		if s.apart[0].size >= 1 {
			continue
		}
		re, im, modulus := s.value(0)
		body := math.Pow(cmplx.Abs(a), k)
		assert.GreaterOrEqual(t, modulus, (math.E-1+1)*body*s.apart[0].size)
		want := cmplx.Pow(a+b, complex(k, 0)) - cmplx.Pow(a, complex(k, 0))
		assert.InDelta(t, 0, cmplx.Abs(complex(re, im)-want), 1e-13)
	}
	// And where they are not, the two products are taken apart.
	s := newSpectrum(2, -500, true)
	s.raise(0, 0.6, 0, 0.3, 0, 1)
	assert.GreaterOrEqual(t, s.apart[0].size, 1.0)
	_, _, modulus := s.value(0)
	assert.GreaterOrEqual(t, modulus, (0.9+0.3)*(1-1e-15), "each has its own rounding")
}

// The error of a moment is that of the masses, and as much again as is seen of
// exponents and sums in 400 bits, where each of them is the largest.
func TestAllowanceOfMoments(t *testing.T) {
	for _, c := range []struct {
		name         string
		n            int
		offset, step float64
		mass         func(j int) float64
		tilts        []float64
	}{
		{"small masses", 40, 0, 0, func(j int) float64 { return math.Exp(-700 - float64(j)/8) },
			[]float64{1}},
		{"large exponents", 3, 997, 0.7, func(j int) float64 { return 1.0 / 3 },
			[]float64{901.3, 1711.7, 3001.9}},
	} {
		m := &measure{offset: c.offset, step: c.step}
		for j := range c.n {
			m.mass = append(m.mass, c.mass(j))
		}
		for _, tilt := range c.tilts {
			exact := number(0)
			for j, mass := range m.mass {
				at := plus(number(c.offset), times(number(float64(j)), number(c.step)))
				exact = plus(exact, times(number(mass), expOf(times(number(tilt), at))))
			}
			off := math.Abs(float(minus(number(m.logMoment(tilt)), logOf(exact))))
			t.Logf("%s: %.3g of %.3g", c.name, off, m.momentError(tilt)-massError)
			assert.Positive(t, off)
			assert.Greater(t, m.momentError(tilt), massError+2*off, c.name)
		}
	}
	// A million equal masses, whose sum is rounded down at most steps.
	m := &measure{}
	for range 1 << 20 {
		m.mass = append(m.mass, 1e-7)
	}
	m.mass[0] = 1.7e-7
	sum := plus(times(number(1<<20-1), number(1e-7)), number(1.7e-7))
	off := math.Abs(float(minus(number(m.logMoment(0)), logOf(sum))))
	t.Logf("many masses: %.3g of %.3g", off, m.momentError(0)-massError)
	assert.Greater(t, m.momentError(0), massError+0x1p-50*800+off)
	assert.Greater(t, off, 0x1p-45)
}

// Each part of a composed moment is charged what logMoment errs, and the sum of them
// what a product with their number does.
func TestAllowanceOfComposedMoments(t *testing.T) {
	m := gaussianLoss(1).upper(&layout{
		step: 0.01, low: 1e-9, high: 1e-9, runs: 5, views: [2]view{{most: math.Inf(1)}},
	})
	parts := []component{{undivided(m), undivided(m), 5}}
	for _, tilt := range []float64{0.5, 40} {
		log := m.logMoment(tilt)
		each := m.momentError(tilt) + 0x1p-51*math.Abs(log)
		exactly := composedMoment(parts, upperSide, tilt, 0)
		assert.Greater(t, composedMoment(parts, upperSide, tilt, 1)-exactly, 6*each)
		assert.Greater(t, exactly-composedMoment(parts, upperSide, tilt, -1), 6*each)
	}
}

// The last term of an upper end covers the rounding of its sum with what is at +∞, also
// where that is all.
func TestAllowanceOfWhatIsAtInfinity(t *testing.T) {
	m := gaussianLoss(1).upper(&layout{
		step: 0.01, low: 1e-9, high: 1e-9, runs: 5, views: [2]view{{most: math.Inf(1)}},
	})
	parts := []component{{undivided(m), undivided(m), 5}}
	e := newEnd(&window{tilt: 1, below: -1, above: 2}, parts, upperSide)
	for _, infinite := range []float64{1e-3, 1e-9, 0.4} {
		e.finite = math.Log1p(-infinite)
		exact := float(logOf(number(infinite)))
		got := e.logDeltaUpper(1e6)
		assert.Greater(t, got, exact+massError/2, infinite)
		assert.Less(t, got, exact+2*massError, infinite)
	}
}
