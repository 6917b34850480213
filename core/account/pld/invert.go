package pld

import (
	"math"

	"cloister/core/special"
)

// epsilon returns what the sheet knows of the smallest ε ≥ 0 with δ(ε) ≤ δ.
func (s *sheet) epsilon(forLower, forUpper float64) (lower, upper float64) {
	holds := func(epsilon float64) bool { return s.logDeltaUpper(epsilon) <= forUpper }
	if holds(0) {
		return 0, 0
	}
	upper = math.Max(s.upper.to, s.upper.step)
	for !holds(upper) {
		if upper *= 2; !(upper <= 1e300) { // NaN too
			upper = math.Inf(1)
			break
		}
	}
	start := s.upper.to
	if upper <= start {
		upper = refine(holds, 0, upper)
		start = upper
	} else if !math.IsInf(upper, 1) {
		upper = refine(holds, upper/2, upper)
	}
	// The lower end may be sharp in its middle only, so go down from above.
	above := func(epsilon float64) bool { return s.logDeltaLower(epsilon) > forLower }
	for stride := s.upper.step; start > 0 && stride > 0; stride *= 2 {
		before := start
		if start = math.Max(0, start-stride); above(start) {
			return refine(above, before, start), upper
		}
	}
	return 0, upper
}

// solve answers for a single run, of which the profile itself is known.
func solve(one interface {
	logDelta(epsilon float64) (lower, upper float64)
	logDeltaLower(epsilon float64) float64
}, forLower, forUpper float64) (lower, upper float64) {
	above := func(epsilon float64) float64 {
		_, log := one.logDelta(epsilon)
		return log - forUpper
	}
	below := func(epsilon float64) float64 { return forLower - one.logDeltaLower(epsilon) }
	if above(0) <= 0 {
		return 0, 0
	}
	upper = math.Inf(1)
	if k, ok := first(20, 343, func(k int) bool { return above(math.Ldexp(1e-9, 3*k)) <= 0 }); ok {
		low, high := 0.0, math.Ldexp(1e-9, 3*k) // below 1e301
		if k > 0 {
			low = high / 8
		}
		if root, err := special.ConservativeRoot(above, low, high, 1e-13*high); err == nil {
			upper = root
		}
	}
	if !(below(0) < 0) {
		return 0, upper
	}
	good := 0.0
	for bad := 1e-9; bad <= 1e300; good, bad = bad, bad*8 {
		if below(bad) > 0 {
			if root, err := special.ConservativeRoot(below, bad, good, 1e-13*bad); err == nil {
				return root, upper
			}
			return good, upper
		}
	}
	return math.Inf(1), upper
}

// first returns the least k from 0 to most at which holds, if it goes on holding once it does;
// false if it was found to hold at none. It asks one after the other up to near, and then by
// steps of a half: a profile may take a tenth of a second where its parameters are extreme.
// Not further apart, for beyond its answer a profile may fail, and be 1.
func first(near, most int, holds func(k int) bool) (k int, ok bool) {
	low := -1 // it does not hold there
	for k = 0; !holds(k); {
		if k == most {
			return 0, false
		}
		low = k
		if k++; k > near {
			k = min(most, k+k/2)
		}
	}
	for k-low > 1 {
		if middle := low + (k-low)/2; holds(middle) {
			k = middle
		} else {
			low = middle
		}
	}
	return k, true
}
