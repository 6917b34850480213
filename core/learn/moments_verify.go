package learn

import (
	"math"

	"cloister/core/data"
	"cloister/core/privacy"
)

// verifyMoments checks that the moments are what the event pays for, and that the
// coefficients are computed from them.
func (r *Release) verifyMoments(e privacy.Gaussian, check checker) {
	m := r.Model.Moments
	ratio := m.Ratio(e.Adjacency, r.Schema.RowNorm())
	check(
		"sensitivity", e.Sensitivity/e.Sigma >= ratio,
		"The mechanism's sensitivity, in units of its noise, is not below what one record can change in the moments.",
		"What one record can change in the moments is "+short(ratio)+" times their noise, more than the "+
			short(e.Sensitivity/e.Sigma)+" that the mechanism assumes.",
	)
	check(
		"moments", r.Model.followsFromMoments(),
		"Released were the second moments of the columns and the label, with noise; the coefficients are computed from them, and so is whatever else you compute from them, at no further cost.",
		"The coefficients are not what the released moments and the ridge make them.",
	)
	m.verifyNoise(r.Schema, r.Schema.RowNorm(), check)
}

// verifyNoise checks that the moments are not so near 0 that no such noise gives them
// out: much noise costs little, and with it the moments are not those of the records.
//
// Theorem. Every number has a draw of its own, independent of the others and of the data. That
// k of n numbers that are fixed beforehand are within r of 0, each in units of its own σ, has a
// chance of at most p^k,
//
//	p = (2r + g/σ)/√(2π),   g/σ that of the least σ,
//
// whatever the data are: a draw has mass at most 1/Σe^{−j²/(2s²)} ≤ 1/(s√(2π)) at each point,
// s = σ/g (Poisson's summation formula), and within r of 0 are no more than 2rs + 1 points.
// The chance that some k of n are is at most C(n, k) times that. What was moved to the
// lattice's end is 2^13 σ from 0 and more, where p is above 1. ∎
//
// Below a chance of 2^-100 at some k a release is called untrue (verifyNoise).
func (m *Moments) verifyNoise(schema *data.Schema, rowNorm float64, check checker) {
	least := math.Min(m.MatrixSigma, math.Min(m.VectorSigma, m.SquareSigma))
	bad := "Noise of this strength leaves no moments as small as these, so they are not what the mechanism gave out."
	small := TooShort(m.inNoise(), func(r float64) float64 {
		return (2*r + m.Grid/least) / math.Sqrt(2*math.Pi)
	})
	possible := small || m.possible(schema, rowNorm)
	if !possible {
		bad = "No records, as many as can be read, and no noise of this strength come to such moments, so they are not what the mechanism gave out."
	}
	check(
		"noise", !small && possible,
		"The moments are such as some records come to, and no smaller than noise of this strength leaves them.",
		bad,
	)
}

// inNoise is every number that was released, in units of its noise.
func (m *Moments) inNoise() []float64 {
	var out []float64
	for i := range m.Columns() {
		for j, x := range m.Matrix.Row(i) {
			sigma := m.MatrixSigma
			if i == j {
				sigma *= math.Sqrt2
			}
			out = append(out, x/sigma)
		}
		out = append(out, m.Vector[i]/m.VectorSigma)
	}
	return append(out, m.Square/m.SquareSigma)
}

// momentsTolerance is how far coefficients may be from those computed again, relative to
// their length: the rounding errors of another machine, with room.
const momentsTolerance = 0x1p-20

func (m Model) followsFromMoments() bool {
	spectrum, err := m.Moments.Spectrum()
	if err != nil {
		return false
	}
	theta := spectrum.Coefficients(m.Moments.Ridge)
	size, off := 0.0, 0.0
	for j, c := range theta {
		size = math.Hypot(size, c)
		off = math.Hypot(off, c-m.Coefficients[j])
	}
	return off <= momentsTolerance*size
}
