package solve

import (
	"math"

	"cloister/core/glm"
)

// Certify adds Σ (p − e_y) ⊗ xᵢ to sum and returns a bound on the Euclidean norm of the
// error of what it added; see [Rows.Certify], whose derivation it follows.
//
//  1. Scores. Score k of row i, an inner product of m terms, errs by at most γ_m A_ik, A_ik =
//     Σⱼ |xᵢⱼ θ_kj|; p has derivative P by the scores, whose eigenvalues are at most 1/2. So
//     p is off by at most γ_m ‖Aᵢ‖/2. Where that is above 128u the scores are computed again
//     by compensated inner products, each as an unevaluated sum of two floats, and only their
//     differences from the largest are rounded: relative to themselves, which point 2 has.
//     What is left is γ_m² ‖Aᵢ‖/2.
//  2. Slopes. What package glm computes from float scores is within glm.Softmax.Error,
//     which takes in one rounding of each difference of two scores; as much again is for
//     the rounding of differences that were computed again.
//  3. Products and sums: γ_B Σᵢ ‖sᵢ‖ ‖xᵢ‖, as there.
func (s *Scores) Certify(theta []float64, sum *Sum) float64 {
	r := s.Rows
	if r.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its gradient cannot be certified")
	}
	return r.certifyShards(r.shards(), s.Dim(), sum, func(first, end int, sum *Sum) float64 {
		return s.certify(first, end, theta, sum)
	})
}

// certify is Certify for rows first to end−1, without the last factor.
func (s *Scores) certify(first, end int, theta []float64, sum *Sum) (bound float64) {
	d, dim := s.Rows.Columns, s.Dim()
	theta, low := theta[:dim], theta[dim:]
	slopeFloor := 2 * glm.Softmax{}.Error(s.Classes)
	plain := make([]float64, dim)
	b := s.begin(first, end)
	for s.next(b, theta) {
		for i := range b.n {
			index, entry := s.Rows.entriesOf(&b.pass, i)
			magnitudes2, squares := 0.0, 0.0
			for k := range s.Classes {
				var magnitude float64
				magnitude, squares = magnitudes(index, entry, theta[k*d:(k+1)*d])
				magnitudes2 = math.Hypot(magnitudes2, magnitude)
				b.z[k] = b.score[k][i]
			}
			length := math.Sqrt(squares)
			if squares < 0x1p-900 {
				length = sumOfMagnitudes(entry)
			}
			wrong := float64(len(entry)) * unitRoundoff * magnitudes2 / 2 // 1
			if len(low) > 0 || !(wrong <= coarsestMargin) {
				wrong = s.fineScores(b.z, index, entry, theta, low)
			}
			glm.Softmax{}.Scores(b.z, int(b.label[i]))
			square := 0.0
			for k, slope := range b.z {
				square += slope * slope
				own := plain[k*d : (k+1)*d]
				if index == nil {
					axpy(slope, entry, own)
					continue
				}
				for at, j := range index {
					own[j] += slope * entry[at]
				}
			}
			// 1, 2 and 3
			bound += length*(wrong+slopeFloor+gammaBatch*math.Sqrt(square)) +
				float64(len(entry)*s.Classes)*0x1p-900
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

// fineScores overwrites z with the differences of a row's scores from the largest, as if they
// had been computed in twice the precision and then rounded, and returns how far the slopes
// can be off by what went wrong before: half the norm of what [fineScore] says of the scores.
func (s *Scores) fineScores(z []float64, index []int32, entry, theta, low []float64) float64 {
	d := s.Rows.Columns
	lost := make([]float64, len(z))
	largest, wrong := 0, 0.0
	for k := range z {
		var part []float64
		if len(low) > 0 {
			part = low[k*d : (k+1)*d]
		}
		var eta float64
		z[k], lost[k], eta = fineScore(index, entry, theta[k*d:(k+1)*d], part)
		wrong = math.Hypot(wrong, eta)
		if z[k] > z[largest] {
			largest = k
		}
	}
	high, rest := z[largest], lost[largest]
	for k := range z {
		difference, err := twoSum(z[k], -high)
		z[k] = difference + (err + (lost[k] - rest))
	}
	return wrong / 2 * (1 + 0x1p-40)
}
