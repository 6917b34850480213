package special

import "math"

// LogAddExp returns log(e^a + e^b).
func LogAddExp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		if math.IsNaN(b) {
			return b
		}
		return a // +Inf, or both are −Inf
	}
	return a + math.Log1p(math.Exp(b-a))
}

// LogSumExp returns log Σ e^{x}, which is −Inf for no terms.
func LogSumExp(terms ...float64) float64 {
	largest := math.Inf(-1)
	for _, x := range terms {
		if math.IsNaN(x) {
			return x
		}
		largest = math.Max(largest, x)
	}
	if math.IsInf(largest, 0) {
		return largest
	}
	rest := 0.0
	skipped := false
	for _, x := range terms {
		if x == largest && !skipped {
			skipped = true
			continue
		}
		rest += math.Exp(x - largest)
	}
	return largest + math.Log1p(rest)
}

// Log1mExp returns log(1 − e^x) for x ≤ 0: −Inf at 0, NaN above it.
func Log1mExp(x float64) float64 {
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// Log1pExp returns log(1 + e^x).
func Log1pExp(x float64) float64 {
	switch {
	case x > 37:
		return x + math.Exp(-x)
	case x < -37:
		return math.Exp(x)
	}
	return math.Log1p(math.Exp(x))
}

// LogExpm1 returns log(e^x − 1) for x ≥ 0: −Inf at 0, NaN below it.
func LogExpm1(x float64) float64 {
	if x > 1 {
		return x + math.Log1p(-math.Exp(-x))
	}
	return math.Log(math.Expm1(x))
}

// LogDiffExp returns log(e^a − e^b) for a ≥ b: −Inf when they are equal, NaN
// when a < b.
func LogDiffExp(a, b float64) float64 {
	switch {
	case math.IsInf(b, -1):
		return a
	case math.IsInf(a, 1) && !math.IsInf(b, 1):
		return a
	case a == b:
		return math.Inf(-1)
	}
	return a + Log1mExp(b-a)
}
