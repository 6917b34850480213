package audit

import "gonum.org/v1/gonum/mathext"

// Interval holds lower and upper confidence bounds of a probability.
type Interval struct{ Lower, Upper float64 }

// Complement is the Interval of the opposite event.
func (i Interval) Complement() Interval { return Interval{1 - i.Upper, 1 - i.Lower} }

// ClopperPearson returns the exact bounds of Clopper & Pearson 1934 for a
// binomial's probability after k successes in n trials: each is wrong with
// probability at most alpha, whatever the probability is. The lower one is the
// p at which k successes or more have probability alpha, 0 for k = 0; the upper
// one is that of the failures.
func ClopperPearson(k, n int, alpha float64) Interval {
	return Interval{clopperPearsonLower(k, n, alpha), 1 - clopperPearsonLower(n-k, n, alpha)}
}

func clopperPearsonLower(k, n int, alpha float64) float64 {
	if k == 0 {
		return 0
	}
	// P[X ≥ k] = I_p(k, n−k+1) grows with p; low stays where it is below alpha.
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if mathext.RegIncBeta(float64(k), float64(n-k+1), middle) < alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
