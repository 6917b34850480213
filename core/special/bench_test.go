package special

import "testing"

var sink float64

func BenchmarkMills(b *testing.B) {
	for i := range b.N {
		sink += Mills(float64(i%64) / 4)
	}
}

func BenchmarkMillsDropSmall(b *testing.B) {
	for i := range b.N {
		sink += MillsDrop(float64(i%64)/4, 1e-3)
	}
}

func BenchmarkLogNormalCDF(b *testing.B) {
	for i := range b.N {
		sink += LogNormalCDF(float64(i%64)/2 - 16)
	}
}

func BenchmarkNormalQuantileLog(b *testing.B) {
	for i := range b.N {
		sink += NormalQuantileLog(-float64(i%64) - 0.5)
	}
}
