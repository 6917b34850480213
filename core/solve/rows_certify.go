package solve

import (
	"math"

	"cloister/core/glm"
)

// Certify adds Σ f'(xᵢᵀθ; yᵢ) xᵢ to sum and returns a bound on the Euclidean
// norm of the error of what it added. θ is theta, or, where that is twice as long
// as there are columns, the sum of its halves. It panics on a thinned part.
//
// Derivation. Let u = 2^-53 and γ_n = nu/(1 − nu); row i has k entries.
//
//  1. Margin. The inner product of k terms, with or without fused
//     multiply-adds, errs by at most γ_k Aᵢ, Aᵢ = Σⱼ |xᵢⱼ θⱼ| (Higham 2002, §3.1),
//     and f' is β-Lipschitz (clipping keeps that), so the slope is off by at most
//     Mᵢ = β γ_k Aᵢ. Where βkAᵢ is above 128 that could be more than all else, so
//     the margin is computed again, by a compensated inner product: [fineMargin]
//     says by how much it errs, ηᵢ, and Mᵢ = ηᵢ·f″ at most, f″ near that margin
//     (glm.Clipped.CurvatureNear). Long θ with margins that cancel need it.
//  2. Slope. What package glm computes from a float margin m is within Eᵢ of
//     f'(m): 2^-49 |sᵢ| for the logistic loss, sᵢ the computed slope (what glm
//     states, with an exponential of its own, the same on every platform); the
//     same, with room to spare, for the squared one, whose slope m − y is rounded
//     once; and 2^-49 |sᵢ| + 2^-50 for Huber's of any width h. That is
//     p = ((1 − z) + h)/(2h), kept within [0, 1], z = ym exact for y = ±1. Where
//     |1 − z| ≤ 2h, the rounding of 1 − z moves p by at most u, that of the sum and
//     of the quotient by 2u·p ≤ 3u and a little, together below 2^-50 = 8u. Where
//     1 − z is farther from 0, rounding is monotone and p is on the right side of
//     [0, 1], whose end is exact. The same 2^-50 is for the shifted logistic loss:
//     the rounding of z' = ym − h moves its slope s by at most u|z'|s(1 − s) < 0.28u.
//     That of w = h − ym moves the rounded hinge's, 1 − e^(−w), by u·we^(−w), which is
//     at most u times it.
//  3. Products and sums. The computed sᵢ xᵢⱼ, and up to B = 128 of them added
//     in plain floats, err in column j by at most γ_B Σᵢ |sᵢ xᵢⱼ|; by the triangle
//     inequality over rows that is at most γ_B Σᵢ |sᵢ| ‖xᵢ‖ in norm. The batches'
//     sums go into double-double totals, whose error [Sum] bounds.
//
// Altogether Σᵢ ‖xᵢ‖ (Mᵢ + Eᵢ + γ_B |sᵢ|). A, ‖x‖ and this sum are themselves
// computed in floats, with relative errors of at most (k + n + 8)u, and γ differs
// from nu by less than n²u²; the factor 1 + 2^-20 covers both for up to 2^30 rows
// and entries in a row. A product that underflows loses at most 2^-1074, which
// 2^-900 an entry covers. Overflow makes the bound +Inf or NaN, which proves
// nothing and is treated so.
//
// It is a worst case over signs: the errors of n rows add up like n here but
// like √n in practice, so that for many rows the bound is 10² to 10³ times the
// error. How large it can be, whatever the rows are, is calibrate.SmallestTau's to
// say, and follows from the terms above.
func (r *Rows) Certify(theta []float64, sum *Sum) float64 {
	if r.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its gradient cannot be certified")
	}
	n := r.shards()
	if n == 1 {
		return r.certify(0, r.Records(), theta, sum) * (1 + 0x1p-20)
	}
	return r.certifyShards(n, r.Columns, sum, func(first, end int, sum *Sum) float64 {
		return r.certify(first, end, theta, sum)
	})
}

// certifyShards is what Certify returns, and adds to a sum of so many numbers, by n shards.
func (r *Rows) certifyShards(
	n, dim int, sum *Sum, certify func(first, end int, sum *Sum) (bound float64),
) float64 {
	bounds := make([]float64, n)
	sums := make([]*Sum, n)
	each(n, func(k int) {
		sums[k] = NewSum(dim)
		first, end := r.shard(k, n)
		bounds[k] = certify(first, end, sums[k])
	})
	bound := 0.0
	for k, s := range sums {
		sum.AddSum(s)
		bound += bounds[k]
	}
	return bound * (1 + 0x1p-20)
}

// certify is Certify for rows first to end−1, without the last factor.
func (r *Rows) certify(first, end int, theta []float64, sum *Sum) (bound float64) {
	plain := make([]float64, r.Columns)
	if len(theta) == r.Columns {
		if p := r.lend(theta, plain, nil); p != nil {
			p.lendSum(r, sum)
			p.take(first, end, kernel.Certify, func(first, end int) {
				p.bound = r.certifyHere(first, end, theta, plain, sum, p.bound)
			})
			return p.bound
		}
	}
	return r.certifyHere(first, end, theta, plain, sum, 0)
}

// certifyHere is certify by the loops of this package. It adds to bound, and returns it. What plain
// holds is 0 before and after.
func (r *Rows) certifyHere(
	first, end int, theta, plain []float64, sum *Sum, bound float64,
) float64 {
	beta, slopeFloor := r.Loss.MaxCurvature(), r.slopeFloor()
	theta, low := theta[:r.Columns], theta[r.Columns:]
	p := pass{first: first, end: end}
	var lengths, marginErrors [batch]float64
	for r.next(&p, theta) {
		norms := r.norms(&p)
		for i := range p.n {
			index, entry := r.entriesOf(&p, i)
			magnitude, squares := magnitudes(index, entry, theta)
			lengths[i] = math.Sqrt(squares)
			if squares < 0x1p-900 {
				lengths[i] = sumOfMagnitudes(entry) // ≥ ‖x‖, where squares underflow
			}
			k := float64(len(entry))
			marginErrors[i] = beta * (k * unitRoundoff * magnitude) // 1
			if len(low) > 0 || !(marginErrors[i] <= coarsestMargin) {
				norm := norms[0]
				if len(norms) > 1 {
					norm = norms[i]
				}
				var eta float64
				p.margin[i], eta = fineMargin(index, entry, theta, low)
				marginErrors[i] = eta * r.Loss.CurvatureNear(p.margin[i], eta, p.label[i], norm)
			}
		}
		r.differentiate(&p, false)
		for i := range p.n {
			index, entry := r.entriesOf(&p, i)
			slope := p.slope[i]
			if index == nil {
				for j, x := range entry {
					plain[j] += slope * x
				}
			} else {
				for k, j := range index {
					plain[j] += slope * entry[k]
				}
			}
			// 1, 2 and 3
			wrong := marginErrors[i] + slopeFloor + (slopeError+gammaBatch)*math.Abs(slope)
			bound += lengths[i]*wrong + float64(len(entry))*0x1p-900
		}
		for j, x := range plain {
			if x != 0 {
				sum.Add(j, x)
				plain[j] = 0
			}
		}
	}
	return bound
}

// slopeFloor is what the error of a slope is besides a part of the slope: 2 of the derivation.
func (r *Rows) slopeFloor() float64 {
	switch r.Loss.Loss().(type) {
	case glm.Huber, glm.ShiftedLogistic:
		return huberError
	}
	return 0
}

// entriesOf returns the columns (nil: all) and the entries of the batch's row i.
func (r *Rows) entriesOf(p *pass, i int) ([]int32, []float64) {
	if r.dense() {
		return nil, p.x[i][:r.Columns]
	}
	return r.row(p.first + i)
}

// magnitudes returns Σ |xⱼθⱼ| and Σ xⱼ².
func magnitudes(index []int32, entry, theta []float64) (magnitude, squares float64) {
	if index == nil {
		theta = theta[:len(entry)]
		for j, x := range entry {
			squares += x * x
			magnitude += math.Abs(x * theta[j])
		}
		return magnitude, squares
	}
	for k, j := range index {
		x := entry[k]
		squares += x * x
		magnitude += math.Abs(x * theta[j])
	}
	return magnitude, squares
}

// The terms of the bound, by the numbers of [Rows.Certify]'s derivation.
const (
	unitRoundoff   = 0x1p-53              // u
	coarsestMargin = 128 * unitRoundoff   // of 1: above it a margin is computed again
	slopeError     = 0x1p-49              // of 2: relative to the slope
	huberError     = 0x1p-50              // of 2: of a Huber slope besides, or a shifted one
	gammaBatch     = batch * unitRoundoff // of 3: γ_B
)

func sumOfMagnitudes(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += math.Abs(v)
	}
	return total
}
