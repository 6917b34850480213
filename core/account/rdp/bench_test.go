package rdp

import "testing"

// A curve at 100 orders, as a page draws it: the target is 10 ms in Chromium.
func BenchmarkSubsampledGaussian100Orders(b *testing.B) {
	for range b.N {
		s := newSubsampledGaussian(0.01, 1)
		for i := range 100 {
			sink += s.at(1.1 + 0.6*float64(i))
		}
	}
}

var sink float64
