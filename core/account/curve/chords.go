package curve

import (
	"math"
	"sync"
)

// Chords bounds a convex function of s > 0 that is asked for at many places and takes long: it
// asks for a bound at places s_k = e^(k·step), each once, and joins them. A chord between two
// values that a convex function is not above is not below the function between them.
//
// (α − 1)D_α of one pair of data sets is convex in s = α − 1, as the logarithm of a moment
// generating function.
type Chords struct {
	bound func(s float64) float64
	step  float64

	mutex  sync.Mutex
	values map[int]float64
}

// NewChords joins what bound, which is not negative, says at places each of which is e^step
// times the one before. Of a function that is cs² they are up to step²/4 of it above it.
func NewChords(step float64, bound func(s float64) float64) *Chords {
	return &Chords{bound: bound, step: step, values: map[int]float64{}}
}

// At is the bound at s > 0: where a value beside s is not finite, that of the function itself.
// The factor covers the rounding of s's share of the way, of the sum, and of one operation more.
func (c *Chords) At(s float64) float64 {
	k := math.Floor(math.Log(s) / c.step)
	if !(math.Abs(k) < 1e6) { // 0, +Inf or NaN
		return c.bound(s)
	}
	at := func(k float64) float64 { return math.Exp(k * c.step) }
	if s < at(k) { // the logarithm may be a rounding off, and with it k
		k--
	} else if s >= at(k+1) {
		k++
	}
	left, right := at(k), at(k+1)
	if !(left < right) { // next to 0
		return c.bound(s)
	}
	a, b := c.value(int(k), left), c.value(int(k)+1, right)
	if math.IsNaN(a+b) || math.IsInf(a+b, 0) {
		return c.bound(s)
	}
	share := (s - left) / (right - left)
	return ((1-share)*a + share*b) * (1 + 0x1p-48)
}

func (c *Chords) value(k int, s float64) float64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	value, known := c.values[k]
	if !known {
		value = c.bound(s)
		c.values[k] = value
	}
	return value
}
