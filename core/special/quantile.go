package special

import "math"

// NormalQuantile returns x with Φ(x) = p, for 0 ≤ p ≤ 1 (±Inf at the ends, NaN
// outside), to a few units in the last place. It is accurate for p near 0; for
// probabilities near 1 give their complement, and negate the answer.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p > 0.5:
		return -NormalQuantile(1 - p) // exact: p ≥ 1/2
	case p > 0.1:
		x := math.Sqrt2 * math.Erfinv(2*p-1)
		// One step of Newton's method on erf, whose value is small here.
		return x - (math.Erf(x/math.Sqrt2)-(2*p-1))/2/NormalDensity(x)
	}
	return NormalQuantileLog(math.Log(p))
}

// NormalQuantileLog returns x with log Φ(x) = logp, for −∞ ≤ logp ≤ 0, also
// where e^logp underflows: NormalQuantileLog(−5e15) ≈ −1e8.
func NormalQuantileLog(logp float64) float64 {
	switch {
	case !(logp <= 0):
		return math.NaN()
	case logp == 0:
		return math.Inf(1)
	case math.IsInf(logp, -1):
		return logp
	case logp > -math.Ln2:
		return -NormalQuantileLog(Log1mExp(logp))
	}
	// log Φ is concave and increasing, so Newton's method from a point on the
	// left of the root stays on its left; −√(−2·logp) is one since Φ(−t) ≤ e^{−t²/2}/2.
	x := -math.Sqrt(2 * math.Max(0, -logp-math.Ln2))
	for range 50 {
		step := (LogNormalCDF(x) - logp) * Mills(-x)
		x -= step
		if math.Abs(step) <= 1e-15*math.Abs(x) || math.Abs(step) < 1e-17 {
			break
		}
	}
	return x
}
