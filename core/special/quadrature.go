package special

import "math"

// Rule is a quadrature rule on [0, 1].
type Rule struct {
	Nodes   []float64
	Weights []float64
}

var gauss6 = GaussLegendre(6)

// GaussLegendre returns the n-point Gauss–Legendre rule on [0, 1], exact for
// polynomials of degree 2n − 1 but for rounding. It panics unless n ≥ 1.
func GaussLegendre(n int) Rule {
	if n < 1 {
		panic("special: a quadrature rule needs at least one node")
	}
	rule := Rule{Nodes: make([]float64, n), Weights: make([]float64, n)}
	for i := range n {
		// Newton's method on the Legendre polynomial from Tricomi's estimate.
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
		var slope, step float64
		for range 100 {
			value, before := x, 1.0
			slope = 1
			for k := 2; k <= n; k++ {
				kf := float64(k)
				slope = x*slope + kf*value
				value, before = ((2*kf-1)*x*value-(kf-1)*before)/kf, value
			}
			step = value / slope
			if math.Abs(step) < 3e-16 {
				break
			}
			x -= step
		}
		rule.Nodes[n-1-i] = (1 + x) / 2
		// The weight at the node itself, not at its rounding x.
		square := (1 - x) * (1 + x)
		rule.Weights[n-1-i] = (1 + 2*x*step/square) / (square * slope * slope)
	}
	total := 0.0
	for _, w := range rule.Weights {
		total += w
	}
	for i := range rule.Weights {
		rule.Weights[i] /= total
	}
	return rule
}

// Integrate approximates ∫ₐᵇ f.
func (r Rule) Integrate(f func(float64) float64, a, b float64) float64 {
	return r.IntegrateFrom(f, a, b-a)
}

// IntegrateFrom approximates ∫ f from a to a + h, where h may be too small to
// change a when added to it.
func (r Rule) IntegrateFrom(f func(float64) float64, a, h float64) float64 {
	sum := 0.0
	for i, u := range r.Nodes {
		sum += r.Weights[i] * f(a+h*u)
	}
	return h * sum
}
