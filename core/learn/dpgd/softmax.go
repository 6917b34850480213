package dpgd

import (
	"math"

	"cloister/core/glm"
	"cloister/core/solve"
)

// addClasses adds the softmax's gradients of the rows to part. A record's
// gradient is one vector of K·d numbers, (p − e_y) ⊗ x, whose norm is ‖p − e_y‖·‖x‖ ≤
// √2·‖x‖: part k, of class k, is (p_k − 1{y = k})·x. All parts are clipped together, to
// the norm C, so that a class more costs nothing but noise in more coordinates:
//
//	w = (p − e_y)·min(1, c/‖p − e_y‖),   c ≤ C/‖x‖,   and the gradient is w ⊗ x.
//
// # Sensitivity
//
// c is the float below C/N for the norm N of package glm's clipping, which leaves room for the
// rounding of w: each w_k is rounded to a multiple of h, so w moves by (h/2)√K at most, and N is
// such that C/N ≤ C/L − (h/2)√K (see [summer]). ‖p − e_y‖ is rounded upwards (solve.NormUpper),
// whatever the floats of p are, and two roundings more are made where w is clipped, for which N has
// room too. So the rounded w has ‖w‖·L ≤ C, and the record adds the whole numbers (w/h) ⊗ kᵢ, whose
// length is at most C in steps of the lattice. [Plan.Event] charges for K·d roundings besides; a
// record in the place of another changes the sum by twice as much.
func (s *summer) addClasses(rows *solve.Rows) {
	columns, magic := rows.Columns, 0x1.8p52*rows.SlopeUnit
	for i, label := range rows.Label {
		index := rows.Index[rows.Start[i]:rows.Start[i+1]]
		entry := rows.Entry[rows.Start[i]:rows.Start[i+1]]
		entry = entry[:len(index)]
		for k := range s.slopes {
			theta, m := s.theta[k*columns:], 0.0
			for at, j := range index {
				m += float64(entry[at] * theta[j])
			}
			s.slopes[k] = m
		}
		s.clipped(s.slopes, int(label), rows.Norm[i])
		for k, w := range s.slopes {
			w = (w + magic) - magic
			if w == 0 {
				continue
			}
			part := s.part[k*columns:]
			for at, j := range index {
				part[j] += float64(w * entry[at])
			}
		}
	}
}

// clipped turns a record's scores into w, its class and N given.
func (s *summer) clipped(scores []float64, class int, norm float64) {
	glm.Softmax{}.Scores(scores, class)
	most := math.Nextafter(s.loss.Threshold()/norm, 0)
	if length := solve.NormUpper(scores); length > most {
		for k := range scores {
			scores[k] *= most / length
		}
	}
}
