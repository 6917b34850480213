package objective

import (
	"math"
	"sort"
	"sync"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Drawn returns a bound on the profile of an event, as Of does, for whoever asks it at hundreds of
// ε from 0 on, as a curve is drawn. Only BoundControl under replace-one differs, where Of searches
// at each ε, for either way. Here the added direction goes by chords in e^ε between ε that are
// asked once, as far as the curve goes, and the split of ε is sought by these chords, where Of
// seeks it by a rougher bound. So the answer is below that of Of at some ε. In the tests it is
// above it by 2 % of δ at most where δ is above 1e-15, and by 5 % where δ is above 1e-20.
func Drawn(event privacy.Event, bound Bound) (curve.Curve, error) {
	c, err := Of(event, bound)
	r, ok := c.(replaceOne)
	if err != nil || !ok {
		return c, err
	}
	perturbation, _ := privacy.ObjectiveOf(event)
	if bound, err = bound.Resolve(perturbation.Loss); err != nil || bound != BoundControl {
		return c, err
	}
	mu, _ := Floor(event)
	added := &polyline{profile: r.pair.Added, length: mu / 4}
	r.pair = curve.Pair{
		Added:   mirrored{added, r.pair.Removed},
		Removed: mirrored{r.pair.Removed, added},
	}
	r.guide, r.other = r.pair, false
	return r, nil
}

const (
	// A chord of length h along which log δ falls by f is above e^−sx by f(f + h)/8 of it, where
	// that is small. Down to drawnFar each has an excess of about drawnExcess, and of no more than
	// twice that; farther out it grows with log δ.
	drawnExcess = 1.0 / 128
	drawnFar    = -52.0

	drawnGrowth = 1.5     // of a chord to the next one
	drawnLeast  = 0x1p-30 // the shortest chord, of 1 + ε
	drawnEnds   = 2000    // beyond so many, or chordLeast, the profile itself is asked
)

// polyline is a profile at ε ≥ 0 by its chords in e^ε, which it lies below: the largest divergence
// of any pairs is convex in e^ε. Where chords end follows from the profile alone.
type polyline struct {
	profile curve.Profile

	lock              sync.Mutex
	epsilon, logDelta []float64
	length            float64 // of the next chord
}

// LogDeltaUpper implements curve.Profile.
func (c *polyline) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	ends, logDelta := c.upTo(epsilon)
	k := sort.SearchFloat64s(ends, epsilon)
	if k == len(ends) {
		return c.profile.LogDeltaUpper(epsilon)
	}
	if ends[k] == epsilon {
		return logDelta[k]
	}
	// Part errs by 2⁻⁵¹ of itself, and the sum of two terms by no more of itself.
	part := math.Expm1(epsilon-ends[k]) / math.Expm1(ends[k-1]-ends[k])
	fall := math.Min(1, math.Exp(logDelta[k]-logDelta[k-1]))
	return curve.RoundUp(logDelta[k-1] + math.Log(fall+(1-fall)*math.Min(1, part)))
}

// upTo returns the ends of chords up to the first at or beyond ε, or all where there are fewer.
func (c *polyline) upTo(epsilon float64) (ends, logDelta []float64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(c.epsilon) == 0 {
		c.append(0)
	}
	enough := func() bool {
		last := len(c.epsilon) - 1
		return c.epsilon[last] >= epsilon || c.logDelta[last] < chordLeast || last >= drawnEnds
	}
	for !enough() {
		c.more()
	}
	return c.epsilon, c.logDelta
}

// more adds a chord.
func (c *polyline) more() {
	last := len(c.epsilon) - 1
	from, before := c.epsilon[last], c.logDelta[last]
	least := drawnLeast * (1 + from)
	c.length = math.Max(least, c.length)
	wanted := drawnExcess * math.Max(1, 1+drawnFar-before)
	value := c.profile.LogDeltaUpper(from + c.length)
	excess := func() float64 { return (before - value) * (before - value + c.length) / 8 }
	for excess() > 2*wanted && c.length > least {
		c.length /= 2
		value = c.profile.LogDeltaUpper(from + c.length)
	}
	c.epsilon = append(c.epsilon, from+c.length)
	c.logDelta = append(c.logDelta, value)
	growth := drawnGrowth
	if above := excess(); above > 0 {
		growth = math.Min(growth, math.Sqrt(wanted/above))
	}
	c.length *= growth
}

func (c *polyline) append(epsilon float64) {
	c.epsilon = append(c.epsilon, epsilon)
	c.logDelta = append(c.logDelta, c.profile.LogDeltaUpper(epsilon))
}
