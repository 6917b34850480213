package random

import (
	"testing"

	"cloister/core/random/randomtest"
)

func BenchmarkSecureUint64(b *testing.B) {
	src := Secure()
	b.SetBytes(8)
	for b.Loop() {
		if _, err := src.Uint64(); err != nil {
			b.Fatal(err)
		}
	}
}

// The noise of one fit: 1000 coordinates from secure bits.
func BenchmarkGaussian1000(b *testing.B) {
	src, dst := Secure(), make([]float64, 1000)
	for b.Loop() {
		if err := Gaussian(src, dst, 3.5); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkDiscrete(b *testing.B, src Source, s float64) {
	g, err := NewDiscreteGaussian(s, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for range 1000 {
			if _, err := g.Sample(src); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDiscreteGaussian1000(b *testing.B) {
	b.Run("s=2^20", func(b *testing.B) { benchmarkDiscrete(b, Secure(), 0x1p20) })
	b.Run("s=1.1e9", func(b *testing.B) { benchmarkDiscrete(b, Secure(), 1.1e9) })
	b.Run("s=1.3e17", func(b *testing.B) { benchmarkDiscrete(b, Secure(), 1.3e17) })
	b.Run("s=0.7", func(b *testing.B) { benchmarkDiscrete(b, Secure(), 0.7) })
	b.Run("seeded,s=1.1e9", func(b *testing.B) { benchmarkDiscrete(b, randomtest.New(1), 1.1e9) })
}
