package audit

import "math"

// tail bounds the probability that a/n − c·b/m is at least d, for independent binomials
// a of n and b of m trials with any probabilities p and q in within for which
// p − cq ≤ delta, c > 0. It is an upper bound, 1 where it says nothing.
//
// For s ≥ 0 Markov's inequality bounds the logarithm of that probability by (Cramér 1938,
// Chernoff 1952)
//
//	g(s, q) = n log(1 + p(e^{s/n} − 1)) + m log(1 + q(e^{−cs/m} − 1)) − sd.
//
// g grows with p, so p = min(1, delta + cq) is the worst. For that p it is concave in q: a
// sum of logarithms of concave functions. So max_q g(s, q) is found by bisection of its
// slope. Any s gives a bound, so the search for the least, by golden section, need not be
// exact.
func tail(n, m int, c, d, delta float64, within Interval) float64 {
	worst := func(s float64) float64 {
		up, down := math.Expm1(s/float64(n)), math.Expm1(-c*s/float64(m))
		slope := func(q float64) float64 {
			p := delta + c*q
			return float64(n)*c*up/(1+p*up) + float64(m)*down/(1+q*down)
		}
		// Beyond q = (1 − delta)/c it is p = 1, and g falls.
		low := within.Lower
		high := math.Max(low, math.Min(within.Upper, (1-delta)/c))
		if slope(low) <= 0 {
			high = low
		} else if slope(high) < 0 {
			for range 80 {
				if middle := (low + high) / 2; slope(middle) > 0 {
					low = middle
				} else {
					high = middle
				}
			}
		}
		at := func(q float64) float64 {
			p := math.Min(1, delta+c*q)
			return float64(n)*math.Log1p(p*up) + float64(m)*math.Log1p(q*down) - s*d
		}
		return math.Max(at(low), at(high))
	}
	// The best s is about z/√(variance); from 0, where the bound is 1, to far beyond it.
	low, high := 0.0, 60*math.Sqrt(float64(n+m))*math.Max(1, 1/c)
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	atA, atB := worst(a), worst(b)
	best := math.Min(atA, atB)
	for range 60 {
		if atA < atB {
			high, b, atB = b, a, atA
			a = high - golden*(high-low)
			atA = worst(a)
		} else {
			low, a, atA = a, b, atB
			b = low + golden*(high-low)
			atB = worst(b)
		}
		best = math.Min(best, math.Min(atA, atB))
	}
	return math.Min(1, math.Exp(best)*(1+1e-9)) // for the roundings of the sums above
}

// nuisance is the share of the error of a bound for p − cq that goes to what is known of
// q beside it.
const nuisance = 1. / 8

// lowerDifference is a lower bound for p − cq, at least 0, after a of n and b of m
// successes: it is wrong with probability at most alpha, whatever p and q are. It is 0
// if there was no trial on one of the sides.
//
// How far chance takes the difference depends on q, which is not known. With probability
// alpha/8 at most, q lies outside of Clopper & Pearson's interval. Else the tail for the
// worst q in it is that for the true one or more, and it is below 7/8·alpha with that
// probability at most (Berger & Boos 1994).
func lowerDifference(a, n, b, m int, c, alpha float64) float64 {
	if n == 0 || m == 0 {
		return 0
	}
	within := ClopperPearson(b, m, alpha*nuisance/2)
	alpha *= 1 - nuisance
	d := float64(a)/float64(n) - c*float64(b)/float64(m)
	if !(d > 0) || tail(n, m, c, d, 0, within) > alpha {
		return 0
	}
	low, high := 0.0, d
	for range 50 {
		if middle := (low + high) / 2; tail(n, m, c, d, middle, within) <= alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
