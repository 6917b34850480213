package pate

import (
	"math"

	"cloister/core/special"
)

// Law is the exact law of a query's label with ideal noise N(0, σ²),
//
//	p_j = ∫ φ(t) Π_{k≠j} Φ(t + (n_j − n_k)/σ) dt,
//
// to about 1e-12 of each, but 0 for classes more than 60σ behind. It is private: it serves
// whoever holds the votes, and tests. votes has at least one class.
func Law(votes []int, sigma float64) []float64 { return newLaws(votes, sigma).law(-1, -1) }

// Divergences are the exact Rényi divergences of the given orders of a query's label: the
// largest over all neighbours' votes, from these to theirs (forward) and back. Private.
func Divergences(votes []int, sigma float64, orders []float64) (forward, backward []float64) {
	l := newLaws(votes, sigma)
	here := l.law(-1, -1)
	forward, backward = make([]float64, len(orders)), make([]float64, len(orders))
	for from, n := range votes {
		for to := range votes {
			if from == to || n == 0 {
				continue
			}
			there := l.law(from, to)
			for i, alpha := range orders {
				forward[i] = math.Max(forward[i], divergence(here, there, alpha))
				backward[i] = math.Max(backward[i], divergence(there, here, alpha))
			}
		}
	}
	return forward, backward
}

// divergence is D_α(p‖q), exact where it is near 0 too: log Σ p (p/q)^(α−1) is log1p of
// Σ [p((p/q)^(α−1) − 1) − (α−1)(p − q)], whose terms are 0 or more.
func divergence(p, q []float64, alpha float64) float64 {
	sum := 0.0
	for j := range p {
		if p[j] == 0 {
			sum += (alpha - 1) * q[j]
			continue
		}
		ratio := math.Log(p[j] / q[j])
		sum += p[j]*math.Expm1((alpha-1)*ratio) - (alpha-1)*(p[j]-q[j])
	}
	return math.Log1p(sum) / (alpha - 1)
}

// laws are tables of log Φ and φ at the points of the trapezoid rule, for the votes and for one
// vote more and less of each class.
type laws struct {
	step float64
	cdf  [3][][]float64 // by one vote less, as it is, one more; by class; by point
	bell [3][][]float64
}

func newLaws(votes []int, sigma float64) *laws {
	least, most := votes[0], votes[0]
	for _, n := range votes {
		least, most = min(least, n), max(most, n)
	}
	start := math.Max(float64(least)/sigma, float64(most)/sigma-60) - 12
	end := float64(most)/sigma + 12
	// The integrand is entire, and its transform at 2π/step, with as many factors as there are
	// classes, below e^-79.
	step := 0.5 / math.Sqrt(float64(len(votes)))
	points := int(math.Ceil((end - start) / step))
	l := &laws{step: step}
	for change := range 3 {
		l.cdf[change], l.bell[change] = make([][]float64, len(votes)), make([][]float64, len(votes))
		for j, n := range votes {
			cdf, bell := make([]float64, points), make([]float64, points)
			for i := range points {
				x := start + float64(i)*step - float64(n+change-1)/sigma
				cdf[i], bell[i] = special.LogNormalCDF(x), special.LogNormalDensity(x)
			}
			l.cdf[change][j], l.bell[change][j] = cdf, bell
		}
	}
	return l
}

// law is that of the votes, with one moved from a class to another unless from is −1.
func (l *laws) law(from, to int) []float64 {
	classes := len(l.cdf[1])
	cdf, bell := make([][]float64, classes), make([][]float64, classes)
	for j := range classes {
		change := 1
		switch j {
		case from:
			change = 0
		case to:
			change = 2
		}
		cdf[j], bell[j] = l.cdf[change][j], l.bell[change][j]
	}
	p := make([]float64, classes)
	for i := range cdf[0] {
		all := 0.0
		for _, column := range cdf {
			all += column[i]
		}
		for j := range p {
			p[j] += math.Exp(all - cdf[j][i] + bell[j][i])
		}
	}
	for j := range p {
		p[j] *= l.step
	}
	return p
}
