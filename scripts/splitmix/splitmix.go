// Package splitmix makes up and shuffles public data, the same on every machine. It is
// never for noise.
package splitmix

// Source is SplitMix64 (Steele, Lea & Flood 2014) from a seed.
type Source uint64

// Next is the next word.
func (s *Source) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uniform is uniform on the multiples of 2^-53 in [0, 1).
func (s *Source) Uniform() float64 { return float64(s.Next()>>11) * 0x1p-53 }
