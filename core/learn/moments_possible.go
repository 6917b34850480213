package learn

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/solve"
)

// possible reports whether some records, at most N = calibrate.MostRecords, and such noise give
// these moments. Coefficients worked out of others would be those of no records, and their errors
// too. rowNorm is R.
//
// Theorem. Let Ŝ be the matrix of A and c beside each other, with b between them, its rows and
// columns times α = 1/√(√2σ₁) but for the last ones, times β = 1/√σ₃; let s² = max(1,
// √2σ₂²/(σ₁σ₃)), and κ the intercept. But for a chance of 2^-98
//
//	Ŝ ⪰ −w·I,   w = 2s·√(2(D·log 9 + 101·log 2)) + N·D·max(α², β²)·g/2,   D = d + 1,
//
// A is one of Products, with b and c for its labels, each sum but for the noise of its numbers at
// productReach standard deviations and half a step for each of N records; and, each
// but for noise at 12 standard deviations and N·d·g/2, of n = A_dd/κ² records, and N if that is
// less or κ = 0,
//
//	the trace of A but for κ ≤ n(R² − κ²),   c ≤ n,   n ≤ N.
//
// What was moved to the lattice's end is as far from 0 as that at least, by N records and noise.
// It says nothing more: the first holds for the other columns alone.
//
// Proof. Without noise Ŝ is a sum of squares. Along a unit vector the noise is a sum of
// independent draws, subgaussian with a parameter of s at most; along all at once, 2s·u but for a
// chance of 2·9^D·e^(−u²/2), by a net of ¼ (Vershynin 2018, §4.4). Each number of a record is
// rounded by half a step at most (Gershgorin). An intercept adds κ² of each record
// to A_dd, and the other columns R² − κ² to the trace at most; and y² ≤ 1. Four sums of noise are
// beyond 12 standard deviations with a chance of 8·e^-72. ∎
func (m *Moments) possible(schema *data.Schema, rowNorm float64) bool {
	d, grid, last := m.Columns(), m.Grid, (exactIntegers-1)*m.Grid
	far := productReach(d)
	if last <= far*math.Max(math.Sqrt2*m.MatrixSigma, math.Max(m.VectorSigma, m.SquareSigma)) {
		return true // noise alone comes to the lattice's end
	}
	size := float64(d + 1)
	alpha := 1 / math.Sqrt(math.Sqrt2*m.MatrixSigma)
	beta := 1 / math.Sqrt(m.SquareSigma)
	all := solve.NewPacked(d + 1)
	ends := make([]bool, d+1) // rows of Ŝ with a number that was moved to the lattice's end
	reached := true
	put := func(i, j int, x, sigma, most, scale float64) {
		if math.Abs(x) < last {
			all.Row(i)[j] = x * scale
			return
		}
		ends[i] = true
		reached = reached && calibrate.MostRecords*(most*(1+0x1p-40)+grid/2)+far*sigma >= last
	}
	for i := range d {
		for j, x := range m.Matrix.Row(i) {
			put(i, j, x, math.Sqrt2*m.MatrixSigma, rowNorm*rowNorm, alpha*alpha)
			reached = reached && x > -last
		}
		put(d, i, m.Vector[i], m.VectorSigma, rowNorm, alpha*beta)
	}
	put(d, d, m.Square, m.SquareSigma, 1, beta*beta)
	if !reached || m.Square <= -last {
		return false
	}
	for i, moved := range ends {
		for j := 0; moved && j <= d; j++ {
			all.Row(max(i, j))[min(i, j)] = 0
		}
	}
	noise := math.Max(1, math.Sqrt2*(m.VectorSigma/m.MatrixSigma)*(m.VectorSigma/m.SquareSigma))
	reach := 2 * math.Sqrt(noise*2*(size*math.Log(9)+math.Ln2-math.Log(leastChance)))
	rounded := calibrate.MostRecords * size * math.Max(alpha*alpha, beta*beta) * grid / 2
	return all.AllAbove(-(reach+rounded)*(1+0x1p-20), true) && m.possibleProducts(schema, far) &&
		m.possibleRecords(rowNorm, ends[d-1])
}

// possibleProducts is what possible says of single numbers and of few: noise is far standard
// deviations from 0 at most.
func (m *Moments) possibleProducts(schema *data.Schema, far float64) bool {
	return Products{
		Sigma: m.MatrixSigma, Far: far, Rounding: calibrate.MostRecords * m.Grid / 2,
		Last: (exactIntegers - 1) * m.Grid, Labels: m.Vector, LabelSigma: m.VectorSigma,
		Square: m.Square, SquareSigma: m.SquareSigma,
	}.Below(schema, m.Matrix) == 0
}

// possibleRecords is what possible says of how many records there are. // moved says that the
// number of them was moved to the lattice's end, and so is larger.
func (m *Moments) possibleRecords(rowNorm float64, moved bool) bool {
	const far = 12
	d := m.Columns()
	square := float64(m.Intercept * m.Intercept)
	noise := math.Sqrt2 * m.MatrixSigma * far
	rounded := calibrate.MostRecords * float64(d) * m.Grid / 2
	records, unsure := float64(calibrate.MostRecords), 0.0
	features := d
	if m.Intercept > 0 {
		features--
		if counted := m.Matrix.Row(d - 1)[d-1] / square; counted < records && !moved {
			records, unsure = counted, (noise+rounded)/square
		} else if counted > records+(noise+rounded)/square {
			return false
		}
	}
	trace := 0.0
	for i := range features {
		trace += m.Matrix.Row(i)[i]
	}
	within := func(x, most, noise float64) bool {
		return x <= (most+noise+rounded)+math.Abs(most)*0x1p-20
	}
	longest := math.Max(0, rowNorm*rowNorm-square)
	return within(trace, (records+unsure)*longest, noise*math.Sqrt(float64(features))) &&
		within(m.Square, records+unsure, m.SquareSigma*far)
}
