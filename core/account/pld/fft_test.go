package pld

import (
	"math"
	"math/bits"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/dsp/fourier"
)

// pseudo returns n numbers in [−1, 1) from a fixed linear congruence.
func pseudo(n int, seed uint64) []float64 {
	out := make([]float64, n)
	for i := range out {
		seed = seed*6364136223846793005 + 1442695040888963407
		out[i] = float64(int64(seed)>>11) / (1 << 52)
	}
	return out
}

func reversed(i, n int) int {
	if n == 1 {
		return 0
	}
	return int(bits.Reverse64(uint64(i)) >> (64 - bits.TrailingZeros(uint(n))))
}

// The definition, term by term, with angles reduced exactly.
func TestTransformIsTheDefinition(t *testing.T) {
	for n := 1; n <= 256; n *= 2 {
		tr := newTransform(n)
		x, y := pseudo(n, 1), pseudo(n, 2)
		sum := 0.0
		for i := range x {
			sum += math.Hypot(x[i], y[i])
		}
		re, im := append([]float64(nil), x...), append([]float64(nil), y...)
		tr.forward(re, im)
		for k := range n {
			var want complex128
			for i := range n {
				want += complex(x[i], y[i]) * cmplx.Rect(1, -2*math.Pi*float64(i*k%n)/float64(n))
			}
			r := reversed(k, n)
			assert.InDelta(
				t, 0, cmplx.Abs(complex(re[r], im[r])-want), 4e-15*sum, "n=%d k=%d", n, k,
			)
			assert.Equal(t, reversed((n-k)%n, n), mirror(r))
		}
		tr.inverse(re, im)
		for i := range n {
			assert.InDelta(t, x[i], re[i], 2*tr.relativeError()*sum)
			assert.InDelta(t, y[i], im[i], 2*tr.relativeError()*sum)
		}
	}
}

// Against gonum's mixed-radix transform at lengths that are used, and there
// and back: the error is far inside the proved bound.
func TestTransformAgainstGonum(t *testing.T) {
	for _, n := range []int{1 << 13, 1 << 14} {
		tr := newTransform(n)
		x, y := pseudo(n, 3), pseudo(n, 4)
		z := make([]complex128, n)
		sum := 0.0
		for i := range z {
			z[i] = complex(x[i], y[i])
			sum += cmplx.Abs(z[i])
		}
		want := fourier.NewCmplxFFT(n).Coefficients(nil, z)
		re, im := append([]float64(nil), x...), append([]float64(nil), y...)
		tr.forward(re, im)
		worst := 0.0
		for k := range n {
			r := reversed(k, n)
			worst = math.Max(worst, cmplx.Abs(complex(re[r], im[r])-want[k]))
		}
		assert.Less(t, worst, tr.relativeError()*sum)
		tr.inverse(re, im)
		for i := range n {
			assert.InDelta(t, x[i], re[i], 1e-14)
			assert.InDelta(t, y[i], im[i], 1e-14)
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	for _, log := range []int{13, 14, 16} {
		n := 1 << log
		x, y := pseudo(n, 3), pseudo(n, 4)
		b.Run("ours/2^"+string(rune('0'+log/10))+string(rune('0'+log%10)), func(b *testing.B) {
			tr := newTransform(n)
			for range b.N {
				tr.forward(x, y)
				tr.inverse(x, y)
			}
		})
		b.Run("gonum/2^"+string(rune('0'+log/10))+string(rune('0'+log%10)), func(b *testing.B) {
			f := fourier.NewCmplxFFT(n)
			z := make([]complex128, n)
			for i := range z {
				z[i] = complex(x[i], y[i])
			}
			for range b.N {
				f.Coefficients(z, z)
				f.Sequence(z, z)
				for i := range z {
					z[i] /= complex(float64(n), 0)
				}
			}
		})
		b.Run("tables/2^"+string(rune('0'+log/10))+string(rune('0'+log%10)), func(b *testing.B) {
			for range b.N {
				newTransform(n)
			}
		})
	}
}
