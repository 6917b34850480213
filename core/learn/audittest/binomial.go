package audittest

import "gonum.org/v1/gonum/mathext"

// interval holds lower and upper confidence bounds of a probability.
type interval struct{ lower, upper float64 }

// complement is the interval of the opposite event.
func (i interval) complement() interval { return interval{1 - i.upper, 1 - i.lower} }

// clopperPearson returns the exact bounds of Clopper & Pearson 1934 for a
// binomial's probability after k successes in n trials: each is wrong with
// probability at most alpha, whatever the probability is. The lower one is the
// p at which k successes or more have probability alpha, 0 for k = 0; the upper
// one is that of the failures.
func clopperPearson(k, n int, alpha float64) interval {
	return interval{clopperPearsonLower(k, n, alpha), 1 - clopperPearsonLower(n-k, n, alpha)}
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
