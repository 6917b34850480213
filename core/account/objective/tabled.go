package objective

import (
	"math"
	"sort"
	"sync"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Tabled returns a bound on the profile of an event, as Of does, for whoever asks it at
// hundreds of ε. Only BoundControl under replace-one differs, where Of searches at each ε: both
// steps go by chords of the added direction, between some 200 ε that are asked once. In the tests
// that is above Of by 1 % of δ at most (2 % for the rounded hinge, whose profile has a sharp bend),
// and below it at small and negative ε.
func Tabled(event privacy.Event, bound Bound) (curve.Curve, error) {
	c, err := Of(event, bound)
	r, ok := c.(replaceOne)
	if !ok {
		return c, err
	}
	perturbation, muOut, lattice := privacy.ObjectivePerturbation{}, 0.0, Lattice{}
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		perturbation = e
	case privacy.ApproximateMinima:
		perturbation, muOut, lattice = Decompose(e)
	}
	added, _, err := objectiveDirections(perturbation, bound)
	control, ok := added.(controlDirection)
	if !ok {
		return c, err
	}
	table := &table{control: control.asked(), muOut: muOut, lattice: lattice}
	r.pair = curve.Pair{
		Added:   mirrored{table, r.pair.Removed},
		Removed: mirrored{r.pair.Removed, table},
	}
	r.guide, r.other = r.pair, false
	return r, nil
}

// mirrored is the profile of a pair (P, Q) at ε ≥ 0, and at ε < 0 what follows from that of
// (Q, P): H_{e^ε}(P‖Q) = 1 − e^ε + e^ε·H_{e^−ε}(Q‖P).
type mirrored struct{ forth, back curve.Profile }

// LogDeltaUpper implements curve.Profile.
func (m mirrored) LogDeltaUpper(epsilon float64) float64 {
	if !(epsilon < 0) { // NaN too
		return m.forth.LogDeltaUpper(epsilon)
	}
	delta := math.Exp(epsilon + m.back.LogDeltaUpper(-epsilon))
	return curve.RoundUp(math.Min(0, math.Log(delta-math.Expm1(epsilon))))
}

// table is a profile at ε ≥ 0 by its chords in e^ε, which it lies below: the largest divergence
// of any pairs is convex in e^ε. Beyond the last chord the profile does not rise.
type table struct {
	control controlDirection
	muOut   float64 // of an output step, on a lattice
	lattice Lattice

	once              sync.Once
	epsilon, logDelta []float64
}

// LogDeltaUpper implements curve.Profile.
func (t *table) LogDeltaUpper(epsilon float64) float64 {
	t.once.Do(func() {
		profile := onGrid(compose(t.control, t.muOut), t.lattice)
		t.epsilon, _ = t.control.chords()
		for _, x := range t.epsilon {
			t.logDelta = append(t.logDelta, profile.LogDeltaUpper(x))
		}
	})
	if math.IsNaN(epsilon) {
		return 0
	}
	k := sort.SearchFloat64s(t.epsilon, epsilon)
	if k == len(t.epsilon) {
		return t.logDelta[k-1]
	}
	if t.epsilon[k] == epsilon {
		return t.logDelta[k]
	}
	low, high := t.epsilon[k-1], t.epsilon[k]
	// Part errs by 2⁻⁵¹ of itself, and the sum of two terms by no more of itself.
	part := math.Expm1(epsilon-high) / math.Expm1(low-high)
	fall := math.Min(1, math.Exp(t.logDelta[k]-t.logDelta[k-1]))
	return curve.RoundUp(t.logDelta[k-1] + math.Log(fall+(1-fall)*math.Min(1, part)))
}
