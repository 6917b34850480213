package special

import (
	"errors"
	"math"
)

// ErrQuadrature reports an integral that did not converge: the integrand was not finite
// somewhere, or the requested accuracy was not reached.
var ErrQuadrature = errors.New("special: the integral did not converge")

const (
	// maxPanels bounds the work of Adaptive: 15 evaluations each.
	maxPanels = 600

	// mostStalled is how many bisections may be of no use before what is left of a bound counts as
	// the noise of f, as in QUADPACK (Piessens et al. 1983, QAG): those that take less than a
	// hundredth off a panel's bound, once the whole bound is no more than noisy of the integral.
	mostStalled = 6
	noisy       = 1e-9

	// byChance is what a bound of noise is multiplied by: of so few panels the two rules may agree
	// by chance. Of 120,000 integrands with independent noise at each point (between 1e-13 and
	// 3e-10 of them) the error was 14.4 times the sum of the panels' estimates at most, 8 times in
	// three of 10,000, and more than it in a fifth.
	byChance = 32
)

type panel struct {
	a, b, value, bound float64
}

// Adaptive integrates f over [knots[0], knots[last]], starting from the panels
// between the knots (increasing), and bisecting the worst one until the sum of
// the panels' error estimates is at most relative·|integral| or absolute,
// whichever is larger. A panel's value is
// the 15-point Kronrod rule's, its error estimate the distance from the 7-point
// Gauss rule, which for a function that is smooth at the panel's scale exceeds
// the actual error by many orders of magnitude.
//
// The result is within bound of the integral, provided that no feature of f is
// so narrow that all nodes miss it, and that f is exact: that the knots resolve f
// is the caller's duty. A value of f that is not finite gives ErrQuadrature and an
// infinite bound; an accuracy that is not reached gives ErrQuadrature with the
// bound that was reached.
//
// Rounding makes f noisy. An accuracy below its noise is given up soon, with
// ErrQuadrature (mostStalled) and a bound that is an estimate: twice what was
// ever seen of an error (byChance), but not proved. Where the noise is about as
// large as the accuracy, the bound may be met by chance, and the error be as large as
// the noise. A caller whose result has to be a bound adds what the noise is known
// to be at most.
func Adaptive(
	f func(float64) float64, knots []float64, relative, absolute float64,
) (value, bound float64, err error) {
	panels := make([]panel, 0, 2*len(knots))
	for i := 1; i < len(knots); i++ {
		if knots[i] > knots[i-1] {
			panels = append(panels, kronrod(f, knots[i-1], knots[i]))
		}
	}
	for stalled := 0; ; {
		value, bound = 0, 0
		worst := 0
		for i, p := range panels {
			value += p.value
			bound += p.bound
			if p.bound > panels[worst].bound {
				worst = i
			}
		}
		if math.IsNaN(value) || math.IsInf(value, 0) || math.IsNaN(bound) {
			return value, math.Inf(1), ErrQuadrature
		}
		if bound <= math.Max(relative*math.Abs(value), absolute) {
			return value, bound, nil
		}
		p := panels[worst]
		middle := p.a + (p.b-p.a)/2
		if stalled == mostStalled {
			return value, byChance * bound, ErrQuadrature
		}
		if len(panels) >= maxPanels || !(p.a < middle && middle < p.b) {
			return value, bound, ErrQuadrature
		}
		left, right := kronrod(f, p.a, middle), kronrod(f, middle, p.b)
		if left.bound+right.bound >= 0.99*p.bound && bound <= noisy*math.Abs(value) {
			stalled++
		}
		panels[worst] = left
		panels = append(panels, right)
	}
}

// kronrod applies the pair of rules to one panel.
func kronrod(f func(float64) float64, a, b float64) panel {
	center, half := a+(b-a)/2, (b-a)/2
	middle := f(center)
	fine, coarse := kronrodWeights[7]*middle, gauss7Weights[3]*middle
	for i, x := range kronrodNodes {
		pair := f(center-half*x) + f(center+half*x)
		fine += kronrodWeights[i] * pair
		if i%2 == 1 {
			coarse += gauss7Weights[i/2] * pair
		}
	}
	return panel{a: a, b: b, value: half * fine, bound: half * math.Abs(fine-coarse)}
}
