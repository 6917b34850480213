package pld

import "math"

// laplaceLoss is the loss of the Laplace mechanism, ε0 = sensitivity/scale: at
// P = Laplace(0), Q = Laplace(Δ) an atom at either end and, for a noise between
// the two centres, ε0 − 2y/b.
func laplaceLoss(epsilon0 float64) *loss {
	return &loss{
		atoms: []atom{
			{loss: -epsilon0, mass: math.Exp(-epsilon0) / 2},
			{loss: epsilon0, mass: 0.5},
		},
		pieces:  []piece{exponential{epsilon0}},
		lattice: 2 * epsilon0,
	}
}

// exponential is the part between the atoms, its coordinate the loss itself:
// P has density e^{−(ε0−ℓ)/2}/4 and Q e^{−(ε0+ℓ)/2}/4.
type exponential struct{ epsilon0 float64 }

func (e exponential) trim(low, high float64) (from, to float64) { return -e.epsilon0, e.epsilon0 }
func (e exponential) at(x float64) float64                      { return x }
func (e exponential) position(level float64) float64 {
	return math.Max(-e.epsilon0, math.Min(e.epsilon0, level))
}

func (e exponential) bin(a, b float64) (mass, low, high float64) {
	// Under P and Q, e^{∓…}(1 − e^{−(b−a)/2})/2; their ratio is e^{(a+b)/2}.
	mass = -math.Exp(-(e.epsilon0-b)/2) * math.Expm1(-(b-a)/2) / 2
	middle := a + (b-a)/2
	slack := 0x1p-51 * (math.Abs(a) + math.Abs(b))
	return mass, middle - slack, middle + slack
}

func (e exponential) logMass(a, b float64) float64 {
	return -(e.epsilon0-b)/2 + math.Log(-math.Expm1(-(b-a)/2)/2)
}

func (e exponential) density(x float64) float64 { return math.Exp(-(e.epsilon0-x)/2) / 4 }

func (e exponential) panels(from, to, scale float64) []interval {
	return split(nil, from, to, math.Max((to-from)/64, math.Min(1, (to-from)/8))*scale)
}
func (e exponential) heavyHigh() bool { return false }
