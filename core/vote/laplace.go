package vote

import (
	"math"

	"cloister/core/special"
)

// Laplace is the vote by noisy counts, for comparison: noise Lap(1/ε₀) on the votes of each of
// two classes, and the larger sum wins (Redberg's thesis, B.3.1). It is ε₀-DP for one voter
// more or less. [Rule] is better at every gap.
//
// With gap t ≥ 0 the minority wins with probability p(t) = (2 + ε₀t)e^{−ε₀t}/4, and
// p(−t) = 1 − p(t). So log p(t)/p(t+1) = ε₀ + log(1 − ε₀/(2 + ε₀(t+1))): the pure privacy loss
// at a data set rises to ε₀ with the gap, and does not fall. The thesis prints ε₀·log(…), which
// is below 0. What falls with the gap is [Laplace.LogDelta].
type Laplace struct{ Epsilon float64 } // ε₀ > 0

// LogWrong is log p(t) of a gap t, which may be below 0.
func (l Laplace) LogWrong(gap float64) float64 {
	if gap < 0 {
		return special.Log1mExp(l.LogWrong(-gap))
	}
	return math.Log(2+l.Epsilon*gap) - l.Epsilon*gap - math.Log(4)
}

// Loss is the largest privacy loss, of either answer and in either direction, against one
// voter more or less.
func (l Laplace) Loss(gap float64) float64 {
	most := 0.0
	for _, other := range []float64{gap - 1, gap + 1} {
		most = math.Max(most, math.Abs(l.LogWrong(gap)-l.LogWrong(other)))
		most = math.Max(most, math.Abs(l.LogWrong(-gap)-l.LogWrong(-other)))
	}
	return most
}

// LogDelta is log δ_X(ε) for ε ≥ 0, forward, at a data set X of this gap:
//
//	δ_X(ε) = max_{t′=t±1} [p − e^ε p′]₊ + [(1−p) − e^ε(1−p′)]₊.
//
// It is −Inf for 0. It is a number of the data: to publish it tells of them.
func (l Laplace) LogDelta(gap, epsilon float64) float64 {
	most := math.Inf(-1)
	for _, other := range []float64{gap - 1, gap + 1} {
		p, q := l.LogWrong(gap), l.LogWrong(other)
		most = math.Max(most, special.LogAddExp(exceeds(p, q, epsilon), rest(p, q, epsilon)))
	}
	return most
}

// exceeds is log [e^p − e^{ε+q}]₊.
func exceeds(p, q, epsilon float64) float64 {
	if p <= epsilon+q {
		return math.Inf(-1)
	}
	return special.LogDiffExp(p, epsilon+q)
}

// rest is log [(1 − e^p) − e^ε(1 − e^q)]₊ = log [e^{ε+q} − (e^p + e^ε − 1)]₊: no 1 cancels in it.
func rest(p, q, epsilon float64) float64 {
	taken := p
	if epsilon > 0 {
		taken = special.LogAddExp(p, special.LogExpm1(epsilon))
	}
	return exceeds(epsilon+q, taken, 0)
}
