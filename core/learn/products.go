package learn

import (
	"math"

	"cloister/core/data"
	"cloister/core/solve"
)

// Products says how far what was released of M = Σ w·x xᵀ is from it: noise of Sigma, √2 as much
// on the diagonal, of which none is beyond Far times that, and Rounding of each element. What is
// Last or more from 0 was moved there, and may be more.
type Products struct{ Sigma, Far, Rounding, Last float64 }

// Below returns 0 if M may be of rows x of these columns and weights w ≥ 0, or else a number that
// noise does not leave so far below 0: a sum of elements that is never below 0.
//
// Theorem. Every entry of a row is from 0 to 1, but for the intercept's, which is κ. So Mᵢⱼ ≥ 0,
// and κMᵢⱼ ≤ Mᵢκ. A record is in one category of a feature, or in that of its missing values: the
// product of two of these columns is 0. A number that is missing is its column's middle: the entry
// there is half of that in the column of missing values, and both are divided by the same norm.
//
// Of a sum with weights wₖ the noise is subgaussian, its parameter Sigma·√(2Σwₖ²) at most. Of d
// columns there are 4(d+1)² sums at most.
func (p Products) Below(columns []data.Column, m *solve.Packed) (below float64) {
	last := len(columns) - 1
	kappa := 0.0
	if last >= 0 && columns[last].Intercept {
		kappa = columns[last].Scale
	}
	for i, a := range columns {
		for j, b := range columns[:i+1] {
			x := m.Row(i)[j]
			below = p.sum(below, x, 1, 0, 0)
			if kappa > 0 && i < last {
				below = p.sum(below, x, -kappa, m.Row(last)[i], 1)
				below = p.sum(below, x, -kappa, m.Row(last)[j], 1)
			}
			if i == j || a.Intercept || a.Feature != b.Feature {
				continue
			}
			if b.Category == "" && a.Missing {
				below = p.sum(below, x, 1, m.Row(i)[i], -0.5)
				below = p.sum(below, x, -1, m.Row(i)[i], 0.5)
			} else {
				below = p.sum(below, x, -1, 0, 0)
			}
		}
	}
	return below
}

// sum is v·x + w·y if that is further below 0 than noise leaves it, or below otherwise.
func (p Products) sum(below, x, v, y, w float64) float64 {
	for _, at := range [][2]float64{{v, x}, {w, y}} {
		if at[0]*at[1] > 0 && math.Abs(at[1]) >= p.Last {
			return below // it was as much at least
		}
	}
	value := v*x + w*y
	size := math.Abs(v*x) + math.Abs(w*y)
	reach := p.Far*p.Sigma*math.Sqrt2*math.Hypot(v, w) + p.Rounding*(math.Abs(v)+math.Abs(w))
	if value < -reach*(1+0x1p-20)-size*0x1p-40 {
		return value
	}
	return below
}

// productReach is how many standard deviations the noise of none of the sums of Products is
// from 0, nor that of two more for each column, but for a chance of 2^-100: each is subgaussian.
func productReach(columns int) float64 {
	d := float64(columns + 1)
	return math.Sqrt(2 * (math.Log(4*d*d) - math.Log(leastChance)))
}
