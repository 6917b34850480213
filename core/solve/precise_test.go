package solve

import (
	"math"
	"math/big"
)

const precision = 320 // bits

func precise(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// preciseExp is e^x for |x| < 2^11 or so, to about 2^-290 relative: the Taylor
// series of x/2^40, squared forty times.
func preciseExp(x *big.Float) *big.Float {
	reduced := new(big.Float).SetMantExp(new(big.Float).SetPrec(precision).Set(x), -40)
	sum, term := precise(1), precise(1)
	for n := 1; n < 30; n++ {
		term.Mul(term, reduced)
		term.Quo(term, precise(float64(n)))
		sum.Add(sum, term)
	}
	for range 40 {
		sum.Mul(sum, sum)
	}
	return sum
}

// preciseGradient is ∇F(θ) of an objective whose parts are all Rows with the
// logistic loss, clipped or not. θ is theta, or the sum of its two halves.
func preciseGradient(o *Objective, theta []float64) []*big.Float {
	d := o.Parts[0].Dim()
	gradient, point := make([]*big.Float, d), make([]*big.Float, d)
	for j := range gradient {
		point[j] = precise(theta[j])
		if len(theta) > d {
			point[j].Add(point[j], precise(theta[d+j]))
		}
		gradient[j] = new(big.Float).SetPrec(precision).Mul(precise(o.Lambda), point[j])
		if o.Linear != nil {
			gradient[j].Add(gradient[j], precise(o.Linear[j]))
		}
	}
	product := new(big.Float).SetPrec(precision)
	for _, part := range o.Parts {
		r := part.(*Rows)
		for i, y := range r.Label {
			index, entry := r.row(i)
			margin := precise(0)
			for k, j := range index {
				margin.Add(margin, product.Mul(precise(entry[k]), point[j]))
			}
			p := preciseExp(product.Mul(precise(y), margin))
			p.Add(p, precise(1))
			p.Quo(precise(1), p) // |f'|
			if most := precise(r.Loss.Row(r.normOf(i)).MaxSlope()); p.Cmp(most) > 0 {
				p = most
			}
			p.Mul(p, precise(-y))
			for k, j := range index {
				gradient[j].Add(gradient[j], product.Mul(precise(entry[k]), p))
			}
		}
	}
	return gradient
}

func (r *Rows) normOf(i int) float64 {
	if len(r.Norm) == 1 {
		return r.Norm[0]
	}
	return r.Norm[i]
}

func preciseNorm(x []*big.Float) float64 {
	total := precise(0)
	for _, v := range x {
		total.Add(total, new(big.Float).SetPrec(precision).Mul(v, v))
	}
	length, _ := total.Sqrt(total).Float64()
	return length
}

// preciseDistance is ‖x − y‖ for float totals y = hi + lo.
func preciseDistance(x []*big.Float, s *Sum) float64 {
	apart := make([]*big.Float, len(x))
	for j := range x {
		apart[j] = new(big.Float).SetPrec(precision).Sub(x[j], precise(s.hi[j]))
		apart[j].Sub(apart[j], precise(s.lo[j]))
	}
	return preciseNorm(apart)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
