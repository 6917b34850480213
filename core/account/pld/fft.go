package pld

import (
	"math"
	"math/bits"
	"sync"
)

// A transform is the discrete Fourier transform of one power-of-two length N,
// in place, on separate real and imaginary parts.
//
//	forward: X[r(k)] = Σ_n x[n] e^{−2πikn/N}       (natural order in, bit-reversed out)
//	inverse: x[n] = (1/N) Σ_k X[r(k)] e^{+2πikn/N}  (bit-reversed in, natural out)
//
// with r(k) the reversal of k's log₂N bits. Between the two, only pointwise
// work is done, which any order suits; what pairs k with −k is mirror.
//
// Rounding. Every output is a sum over inputs, each multiplied along its path
// by one computed twiddle and passed through two complex additions a radix-4
// stage. A complex product of floats errs by a relative √5·u at most (Brent,
// Percival & Zimmermann 2007; 2u with a fused multiply-add), a complex sum by
// u, u = 2⁻⁵³, and a twiddle is within 6u (see twiddles). So a path through S
// stages has the factor (1+θ), |θ| ≤ (1+10.3u)^S − 1, and
//
//	|X̂[k] − X[k]| ≤ γ Σ_n |x[n]|,   γ = 10.5·u·S,
//
// for every k on its own: an entrywise bound, which the 2-norm would not give.
// relativeError is γ.
type transform struct {
	n      int
	stages []stage // forward order, n = N, N/4, …
	odd    bool    // a last radix-2 stage of length 2
}

// stage holds, for i < n/4, the twiddles w^i, w^2i, w^3i with w = e^{−2πi/n}.
type stage struct {
	n       int
	twiddle [][6]float64
}

func newTransform(n int) *transform {
	levels := bits.TrailingZeros(uint(n))
	if n < 1 || 1<<levels != n {
		panic("pld: the length of a transform is a power of two")
	}
	t := &transform{n: n, odd: levels%2 == 1}
	circle := newCircle(n)
	for m := n; m >= 4; m /= 4 {
		s := stage{n: m, twiddle: make([][6]float64, m/4)}
		for i := range s.twiddle {
			w := &s.twiddle[i]
			for p := range 3 {
				w[2*p], w[2*p+1] = circle.at((p + 1) * i * (n / m))
			}
		}
		t.stages = append(t.stages, s)
	}
	return t
}

// relativeError is γ of the type's comment.
func (t *transform) relativeError() float64 {
	return 10.5 * 0x1p-53 * float64(len(t.stages)+1)
}

// circle tabulates cos and sin of 2πi/N on the first octant. The angle errs by
// a relative 2u, so at most 1.6u absolute, and Sincos by less than an ulp: each
// component is within 3u, a twiddle within 6u.
type circle struct {
	n        int
	cos, sin []float64
}

func newCircle(n int) circle {
	c := circle{n: n, cos: make([]float64, n/8+1), sin: make([]float64, n/8+1)}
	unit := 2 * math.Pi / float64(n)
	for i := range c.cos {
		c.sin[i], c.cos[i] = math.Sincos(float64(i) * unit)
	}
	return c
}

// at returns e^{−2πik/N} for 0 ≤ k < N.
func (c circle) at(k int) (re, im float64) {
	if c.n < 8 { // 1, 2 or 4: multiples of a quarter turn
		quarter := k * (4 / c.n)
		return [4]float64{1, 0, -1, 0}[quarter], [4]float64{0, -1, 0, 1}[quarter]
	}
	eighth := c.n / 8
	octant, rest := k/eighth, k%eighth
	if octant&1 == 1 {
		rest = eighth - rest
	}
	cos, sin := c.cos[rest], c.sin[rest]
	switch octant {
	case 0:
		return cos, -sin
	case 1:
		return sin, -cos
	case 2:
		return -sin, -cos
	case 3:
		return -cos, -sin
	case 4:
		return -cos, sin
	case 5:
		return -sin, cos
	case 6:
		return sin, cos
	}
	return cos, sin
}

func (t *transform) forward(re, im []float64) {
	re, im = re[:t.n], im[:t.n]
	for _, s := range t.stages {
		q := s.n / 4
		for base := 0; base < t.n; base += s.n {
			r0, r1, r2, r3 := re[base:base+q], re[base+q:base+2*q], re[base+2*q:base+3*q],
				re[base+3*q:base+4*q]
			i0, i1, i2, i3 := im[base:base+q], im[base+q:base+2*q], im[base+2*q:base+3*q],
				im[base+3*q:base+4*q]
			tw := s.twiddle[:len(r0)]
			for i := range tw {
				w := &tw[i]
				er, ei := r0[i]+r2[i], i0[i]+i2[i]
				dr, di := r0[i]-r2[i], i0[i]-i2[i]
				or, oi := r1[i]+r3[i], i1[i]+i3[i]
				fr, fi := r1[i]-r3[i], i1[i]-i3[i]
				r0[i], i0[i] = er+or, ei+oi
				ar, ai := er-or, ei-oi
				r1[i], i1[i] = ar*w[2]-ai*w[3], ar*w[3]+ai*w[2]
				ar, ai = dr+fi, di-fr
				r2[i], i2[i] = ar*w[0]-ai*w[1], ar*w[1]+ai*w[0]
				ar, ai = dr-fi, di+fr
				r3[i], i3[i] = ar*w[4]-ai*w[5], ar*w[5]+ai*w[4]
			}
		}
	}
	if t.odd {
		pairs(re, im)
	}
}

func (t *transform) inverse(re, im []float64) {
	re, im = re[:t.n], im[:t.n]
	if t.odd {
		pairs(re, im)
	}
	for k := len(t.stages) - 1; k >= 0; k-- {
		s := t.stages[k]
		q := s.n / 4
		for base := 0; base < t.n; base += s.n {
			r0, r1, r2, r3 := re[base:base+q], re[base+q:base+2*q], re[base+2*q:base+3*q],
				re[base+3*q:base+4*q]
			i0, i1, i2, i3 := im[base:base+q], im[base+q:base+2*q], im[base+2*q:base+3*q],
				im[base+3*q:base+4*q]
			tw := s.twiddle[:len(r0)]
			for i := range tw {
				w := &tw[i]
				// Products with the conjugate twiddles.
				br, bi := r1[i]*w[2]+i1[i]*w[3], i1[i]*w[2]-r1[i]*w[3]
				cr, ci := r2[i]*w[0]+i2[i]*w[1], i2[i]*w[0]-r2[i]*w[1]
				dr, di := r3[i]*w[4]+i3[i]*w[5], i3[i]*w[4]-r3[i]*w[5]
				er, ei := r0[i]+br, i0[i]+bi
				or, oi := r0[i]-br, i0[i]-bi
				sr, si := cr+dr, ci+di
				fr, fi := di-ci, cr-dr // i(c − d)
				r0[i], i0[i] = er+sr, ei+si
				r2[i], i2[i] = er-sr, ei-si
				r1[i], i1[i] = or+fr, oi+fi
				r3[i], i3[i] = or-fr, oi-fi
			}
		}
	}
	scale := 1 / float64(t.n) // a power of two: exact
	for i := range re {
		re[i] *= scale
		im[i] *= scale
	}
}

// pairs is the radix-2 stage of length 2.
func pairs(re, im []float64) {
	for i := 0; i+1 < len(re); i += 2 {
		re[i], re[i+1] = re[i]+re[i+1], re[i]-re[i+1]
		im[i], im[i+1] = im[i]+im[i+1], im[i]-im[i+1]
	}
}

// mirror returns where the coefficient of frequency −k stands if that of k
// stands at i. Negation flips the bits of k above its lowest set bit; reversed,
// these are the bits of i below its highest one.
func mirror(i int) int {
	if i == 0 {
		return 0
	}
	return i ^ (1<<(bits.Len(uint(i))-1) - 1)
}

var transforms struct {
	sync.Mutex
	kept map[int]*transform
}

// transformOf returns the transform of length n, kept for the next caller.
func transformOf(n int) *transform {
	transforms.Lock()
	defer transforms.Unlock()
	if transforms.kept == nil {
		transforms.kept = map[int]*transform{}
	}
	t := transforms.kept[n]
	if t == nil {
		t = newTransform(n)
		transforms.kept[n] = t
	}
	return t
}
