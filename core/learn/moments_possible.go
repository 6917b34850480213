package learn

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/solve"
)

// possible reports whether some records, at most N = calibrate.MostRecords, and such noise give
// these moments. Coefficients worked out of others would be those of no records, and their errors
// too. rowNorm is R.
//
// Theorem. Let Ŝ be the matrix of A and c beside each other, with b between them, its rows and
// columns times α = 1/√(√2σ₁) but for the last ones, times β = 1/√σ₃; let s² = max(1,
// √2σ₂²/(σ₁σ₃)), and κ the intercept. But for a chance of 2^-99
//
//	Ŝ ⪰ −w·I,   w = 2s·√(2(D·log 9 + 101·log 2)) + N·D·max(α², β²)·g/2,   D = d + 1,
//
// and, each but for the noise of its numbers at 12 standard deviations and N·d·g/2,
// of n = A_dd/κ² records, and N if that is less or κ = 0,
//
//	the trace of A but for κ ≤ n(R² − κ²),   c ≤ n,   n ≤ N.
//
// All of it is for moments of which none was moved to its lattice's end.
//
// Proof. Without noise Ŝ is a sum of squares. Along a unit vector the noise is a sum of
// independent draws, subgaussian with a parameter of s at most; along all at once, 2s·u but for a
// chance of 2·9^D·e^(−u²/2), by a net of ¼ (Vershynin 2018, §4.4). Each number of a record is
// rounded by half a step at most (Gershgorin). An intercept adds κ² of each record to A_dd, and
// the other columns R² − κ² to the trace at most; and y² ≤ 1. Four sums of noise are beyond 12
// standard deviations with a chance of 8·e^-72. ∎
func (m *Moments) possible(rowNorm float64) bool {
	last := (exactIntegers - 1) * m.Grid
	if !m.each(func(x float64) bool { return math.Abs(x) < last }) {
		return true
	}
	d, grid := m.Columns(), m.Grid
	size := float64(d + 1)
	alpha := 1 / math.Sqrt(math.Sqrt2*m.MatrixSigma)
	beta := 1 / math.Sqrt(m.SquareSigma)
	all := solve.NewPacked(d + 1)
	for i := range d {
		for j, x := range m.Matrix.Row(i) {
			all.Row(i)[j] = alpha * x * alpha
		}
		all.Row(d)[i] = alpha * m.Vector[i] * beta
	}
	all.Row(d)[d] = beta * m.Square * beta
	noise := math.Max(1, math.Sqrt2*(m.VectorSigma/m.MatrixSigma)*(m.VectorSigma/m.SquareSigma))
	reach := 2 * math.Sqrt(noise*2*(size*math.Log(9)+math.Ln2-math.Log(leastChance)))
	rounded := calibrate.MostRecords * size * math.Max(alpha*alpha, beta*beta) * grid / 2
	if !all.AllAbove(-(reach+rounded)*(1+0x1p-20), true) {
		return false
	}
	return m.possibleRecords(rowNorm)
}

// possibleRecords is what possible says of how many records there are.
func (m *Moments) possibleRecords(rowNorm float64) bool {
	const far = 12
	d := m.Columns()
	square := float64(m.Intercept * m.Intercept)
	noise := math.Sqrt2 * m.MatrixSigma * far
	rounded := calibrate.MostRecords * float64(d) * m.Grid / 2
	records, unsure := float64(calibrate.MostRecords), 0.0
	features := d
	if m.Intercept > 0 {
		features--
		if counted := m.Matrix.Row(d - 1)[d-1] / square; counted < records {
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
