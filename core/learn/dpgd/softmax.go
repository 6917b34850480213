package dpgd

import (
	"math"

	"cloister/core/glm"
	"cloister/core/solve"
)

// addClasses adds the softmax's gradients of rows first to end−1 to part. A record's
// gradient is one vector of K·d numbers, (p − e_y) ⊗ x, whose norm is ‖p − e_y‖·‖x‖ ≤
// √2·‖x‖: block k, of class k, is (p_k − 1{y = k})·x. All blocks are clipped together, to
// the norm C, so that a class more costs nothing but noise in more coordinates:
//
//	w = (p − e_y)·min(1, c/‖p − e_y‖),   c = C/‖x‖,   and the gradient is w ⊗ x.
//
// # Sensitivity
//
// w is computed from the record and θ alone. Let u = 2^-53. c is the float below C/‖x‖ for
// an upper bound of ‖x‖, and ‖p − e_y‖ is rounded upwards (solve.NormUpper), whatever the
// floats of p are. So ‖w‖ ≤ c with two roundings more where it is clipped, and each product
// w_k·x_j is rounded once: before it is rounded to the lattice the gradient has norm at most
// C(1 + u)³ < C(1 + 4u). Rounding moves each of its K·d coordinates by g/2 at most, and all
// of them by (g/2)√(K·d). That is the sum's sensitivity of [Plan.Event], with K·d for d; a
// record in the place of another changes the sum by twice as much.
func (s *summer) addClasses(first, end int, theta []float64, magic float64) {
	columns := len(theta) / s.classes
	for i := first; i < end; i++ {
		row := s.x.Row(i)
		slopes := s.slopes[:s.classes]
		for k := range slopes {
			slopes[k] = s.dot(row, theta[k*columns:], k)
		}
		norm := s.norms[0]
		if len(s.norms) > 1 {
			norm = s.norms[i]
		}
		s.clipped(slopes, int(s.y[i]), norm)
		for k, w := range slopes {
			if w != 0 {
				s.addTo(s.part[k*columns:], w, row, magic)
			}
		}
	}
}

// clipped turns a record's scores into w, its class and an upper bound of ‖x‖ given.
func (s *summer) clipped(scores []float64, class int, norm float64) {
	glm.Softmax{}.Scores(scores, class)
	most := math.Nextafter(s.loss.Threshold()/norm, 0)
	if length := solve.NormUpper(scores); length > most {
		for k := range scores {
			scores[k] *= most / length
		}
	}
}
