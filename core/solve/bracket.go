package solve

import "math"

// bracket is an interval (low, high) at whose lower end φ' is negative and at
// whose upper end it is positive, or not a number.
type bracket struct {
	low, high           float64
	slopeLow, slopeHigh float64
	bisect              bool // the last point left more than half of it
}

// narrow takes in that φ' is slope at t and returns where to look next: where
// the secant meets zero, less a twentieth of the way because a φ' below zero is
// what is wanted, or in the middle if that did badly the last time.
func (b *bracket) narrow(t, slope float64) float64 {
	width := b.high - b.low
	if slope < 0 {
		b.low, b.slopeLow = t, slope
	} else {
		b.high, b.slopeHigh = t, slope
	}
	if math.IsInf(b.high, 1) {
		return 2 * b.low
	}
	b.bisect = !b.bisect && b.high-b.low > width/2
	part := 0.95 * b.slopeLow / (b.slopeLow - b.slopeHigh)
	if b.bisect || !(part > 0.05) {
		part = 0.5
	}
	return b.low + math.Min(part, 0.95)*(b.high-b.low)
}
