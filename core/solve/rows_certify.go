package solve

import (
	"math"

	"cloister/core/privacy"
)

// Certify adds Σ f'(xᵢᵀθ; yᵢ) xᵢ to sum and returns a bound on the Euclidean
// norm of the error of what it added. It panics on a thinned part.
//
// Derivation. Let u = 2^-53 and γ_n = nu/(1 − nu); row i has k entries.
//
//  1. Margin. The inner product of k terms, with or without fused
//     multiply-adds, errs by at most γ_k Aᵢ, Aᵢ = Σⱼ |xᵢⱼ θⱼ| (Higham 2002, §3.1).
//  2. Slope. f' is β-Lipschitz (clipping keeps that), so a margin off by η
//     moves it by at most βη. The slope sᵢ that package glm computes from a
//     float margin m is within Eᵢ = 2^-49 |sᵢ| of f'(m) for the logistic loss
//     (what glm states, with an exponential of its own, the same on every
//     platform),
//     and within Eᵢ = 2^-49 |sᵢ| + 2^-50 β (1 + |m|) for losses that are rational
//     functions of m. So the row's contribution to the gradient is off by at
//     most (β γ_k Aᵢ + Eᵢ) ‖xᵢ‖.
//  3. Products and sums. The computed sᵢ xᵢⱼ, and up to B = 128 of them added
//     in plain floats, err in column j by at most γ_B Σᵢ |sᵢ xᵢⱼ|; by the triangle
//     inequality over rows that is at most γ_B Σᵢ |sᵢ| ‖xᵢ‖ in norm. The batches'
//     sums go into double-double totals, whose error [Sum] bounds.
//
// Altogether Σᵢ ‖xᵢ‖ (β γ_k Aᵢ + Eᵢ + γ_B |sᵢ|). A, ‖x‖ and this sum are themselves
// computed in floats, with relative errors of at most (k + n + 8)u, and γ differs
// from nu by less than n²u²; the factor 1 + 2^-20 covers both for up to 2^30 rows
// and entries in a row. A product that underflows loses at most 2^-1074, which
// 2^-900 an entry covers. Overflow makes the bound +Inf or NaN, which proves
// nothing and is treated so.
//
// It is a worst case over signs: the errors of n rows add up like n here but
// like √n in practice, so that for many rows the bound is 10² to 10³ times the
// error.
func (r *Rows) Certify(theta []float64, sum *Sum) float64 {
	if r.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its gradient cannot be certified")
	}
	n := r.shards()
	if n == 1 {
		return r.certify(0, r.Records(), theta, sum) * (1 + 0x1p-20)
	}
	bounds := make([]float64, n)
	sums := make([]*Sum, n)
	each(n, func(k int) {
		sums[k] = NewSum(r.Columns)
		first, end := r.shard(k, n)
		bounds[k] = r.certify(first, end, theta, sums[k])
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
	beta := r.Loss.MaxCurvature()
	marginError := 0x1p-50 * beta
	if r.Loss.Class() == privacy.LossLogistic {
		marginError = 0
	}
	p := pass{first: first, end: end}
	plain := make([]float64, r.Columns)
	for r.next(&p, theta) {
		r.differentiate(&p, false)
		for i := range p.n {
			var entry []float64
			var magnitude, squares float64
			slope := p.slope[i]
			if r.dense() {
				entry = p.x[i][:len(plain)]
				theta := theta[:len(plain)]
				for j, x := range entry {
					plain[j] += slope * x
					squares += x * x
					magnitude += math.Abs(x * theta[j])
				}
			} else {
				var index []int32
				index, entry = r.row(p.first + i)
				for k, j := range index {
					x := entry[k]
					plain[j] += slope * x
					squares += x * x
					magnitude += math.Abs(x * theta[j])
				}
			}
			length := math.Sqrt(squares)
			if squares < 0x1p-900 {
				length = sumOfMagnitudes(entry) // ≥ ‖x‖, where squares underflow
			}
			bound += length*rowError(float64(len(entry)), beta, magnitude, marginError, p.margin[i], slope) + float64(len(entry))*0x1p-900
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

// The terms of the bound, by the numbers of [Rows.Certify]'s derivation.
const (
	unitRoundoff = 0x1p-53              // u
	slopeError   = 0x1p-49              // of 2: relative to the slope
	gammaBatch   = batch * unitRoundoff // of 3: γ_B
)

// rowError is what one row of k entries can add to the bound, in units of ‖x‖:
// 1, 2 and 3.
func rowError(k, beta, magnitude, marginError, margin, slope float64) float64 {
	return beta*(k*unitRoundoff*magnitude) + // 1
		(marginError*(1+math.Abs(margin)) + slopeError*math.Abs(slope)) + // 2
		gammaBatch*math.Abs(slope) // 3
}

func sumOfMagnitudes(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += math.Abs(v)
	}
	return total
}
