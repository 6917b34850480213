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
	moved := map[[2]int]bool{} // classes of equal votes have equal neighbours, but for their names
	for from, n := range votes {
		for to, m := range votes {
			if from == to || n == 0 || moved[[2]int{n, m}] {
				continue
			}
			moved[[2]int{n, m}] = true
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
		sum += p[j]*math.Expm1((alpha-1)*logRatio(p[j], q[j])) - (alpha-1)*(p[j]-q[j])
	}
	return math.Log1p(sum) / (alpha - 1)
}

// logRatio is log(p/q), exact where p is near q.
func logRatio(p, q float64) float64 {
	if p > q/2 && p < 2*q {
		return math.Log1p((p - q) / q) // p − q is exact
	}
	return math.Log(p / q)
}

// laws are tables of log Φ and log φ at the points of the trapezoid rule, for the votes and for
// one vote more and less of each class.
type laws struct {
	step float64
	cdf  [3][][]float64 // by one vote less, as it is, one more; by class; by point
	bell [3][][]float64

	// Of the votes as they are: Σ_k log Φ by point, and the integrand of p_j by class and point.
	all       []float64
	integrand [][]float64
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
	type table struct{ cdf, bell []float64 }
	tables := map[int]table{} // by votes: several classes often have as many
	for change := range 3 {
		for _, n := range votes {
			n += change - 1
			of, known := tables[n]
			if !known {
				of = table{make([]float64, points), make([]float64, points)}
				for i := range points {
					x := start + float64(i)*step - float64(n)/sigma
					of.cdf[i], of.bell[i] = special.LogNormalCDF(x), special.LogNormalDensity(x)
				}
				tables[n] = of
			}
			l.cdf[change] = append(l.cdf[change], of.cdf)
			l.bell[change] = append(l.bell[change], of.bell)
		}
	}
	l.all = make([]float64, points)
	for _, column := range l.cdf[1] {
		for i, x := range column {
			l.all[i] += x
		}
	}
	for j, column := range l.cdf[1] {
		integrand := make([]float64, points)
		for i, x := range column {
			integrand[i] = math.Exp(l.all[i] - x + l.bell[1][j][i])
		}
		l.integrand = append(l.integrand, integrand)
	}
	return l
}

// law is that of the votes, with one moved from a class to another unless from is −1. A move
// changes two factors of each integrand, so the others are multiplied by what these change.
func (l *laws) law(from, to int) []float64 {
	p := make([]float64, len(l.integrand))
	if from < 0 {
		for j, integrand := range l.integrand {
			for _, x := range integrand {
				p[j] += x * l.step
			}
		}
		return p
	}
	less, more := l.cdf[0][from], l.cdf[2][to]
	factor := make([]float64, len(l.all))
	for i := range factor {
		// What the two were, and what they are.
		before, after := l.cdf[1][from][i]+l.cdf[1][to][i], less[i]+more[i]
		factor[i] = math.Exp(after - before)
		others := l.all[i] - before
		p[from] += math.Exp(others + more[i] + l.bell[0][from][i])
		p[to] += math.Exp(others + less[i] + l.bell[2][to][i])
	}
	for j, integrand := range l.integrand {
		if j == from || j == to {
			continue
		}
		for i, x := range integrand {
			p[j] += x * factor[i]
		}
	}
	for j := range p {
		p[j] *= l.step
	}
	return p
}
