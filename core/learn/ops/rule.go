package ops

import (
	"math"

	"cloister/core/account/posterior"
)

// What is chosen by what was released, without the data: public arithmetic.

// A choice is λ and what follows from it and the lower bound of the eigenvalue.
type choice struct {
	lambda   float64
	leverage float64 // x: bounds every leverage
	shift    float64 // a
	moves    float64 // Δ₂: what one record moves log(1 + R‖θ_λ‖) by
}

// slack is by how much what is computed of the data may be off, relative to what one record
// moves it by: eigenvalues (2^-38 of a Frobenius norm below 2^24 R², and the rounding of sums
// in blocks), and the radius of a solution that is certified (radius).
const slack = 0x1p-8

// choose returns the choice at λ; false if no a above 0 has divergence r at order α.
func (p Plan) choose(lambda, low float64) (choice, bool) {
	square := p.RowNorm * p.RowNorm
	c := choice{lambda: lambda, leverage: square / (lambda + low) * (1 + 0x1p-48)}
	if !(c.leverage <= 0.5) {
		return c, false
	}
	c.moves = math.Log1p(square/(lambda+math.Max(0, low-square))) * (1 + 0x1p-46)
	a, ok := posterior.ShiftAtOrder(p.Order, p.Renyi, c.leverage)
	c.shift = a
	return c, ok
}

// finest is the least λ for a lower bound of the eigenvalue: with less, the noise of the
// lattice would be seen beside that of the sample.
func (p Plan) finest(low float64) float64 {
	return math.Max(low/256, p.RowNorm*p.RowNorm*0x1p-6)
}

// best is the choice of λ by which a forecast of the squared error is least: d/γ for the
// sample's, with a residual of 1 + R·Reach and the margin of the radius, and, for that of the
// ridge, Reach²λ²e/(λ+e)², e the eigenvalue at which it is worst, λ or the lower bound.
func (p Plan) best(low, margins float64) choice {
	least, found := math.Inf(1), choice{}
	for k := range 120 {
		lambda := p.finest(low) * math.Exp(float64(k)*0.15)
		c, ok := p.choose(lambda, low)
		if !ok {
			continue
		}
		residual := math.Log1p(p.RowNorm*p.Reach) + (margins+1)*c.moves/p.RadiusRatio
		noise := float64(p.Dimension) * c.leverage / (c.shift * c.shift) * math.Exp(2*residual)
		e := math.Max(low, lambda)
		ridge := p.Reach * p.Reach * lambda * lambda * e / ((lambda + e) * (lambda + e))
		if forecast := noise + ridge; forecast < least {
			least, found = forecast, c
		}
	}
	if found.lambda == 0 { // at this order any leverage is too large but the least
		lambda := p.finest(low)
		for ok := false; !ok; lambda *= 2 {
			found, ok = p.choose(lambda, low)
		}
	}
	return found
}

// precision are the certificate and the lattice of the output: τ of H·(θ̂ − θ), σ_out and ω.
type precision struct{ tau, sigma, grid float64 }

// precisionOf returns them for noise 1/√γ on labels and residuals up to residual: τ is 2^-19
// of the longest gradient of one record, more than rounding comes to for 2^24 records
// (calibrate.SmallestTau), and σ_out such that 2τ/λ, and what rounding to the lattice moves, is
// ratio times it.
func precisionOf(rowNorm, lambda, gamma, residual, ratio float64) precision {
	tau := 0x1p-19 * rowNorm * (2*residual + 8/math.Sqrt(gamma))
	sigma := 4 * tau / (lambda * ratio)
	_, exponent := math.Frexp(sigma)
	return precision{tau, sigma, math.Ldexp(1, exponent-1-30)}
}
