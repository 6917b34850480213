package adaptive

import (
	"math"

	"cloister/core/account/posterior"
	"cloister/core/distance"
)

// What is chosen by what was released, without the data: public arithmetic.

// A Choice is λ and what follows from it and the lower bound of the eigenvalue.
type Choice struct {
	Lambda   float64
	Leverage float64 // x: bounds every leverage
	Shift    float64 // a
	Moves    float64 // Δ₂: what one record moves log(1 + R‖θ_λ‖) by
}

// Choose returns the choice at λ; false if no a above 0 has divergence r at order α.
func (p Sample) Choose(lambda, low float64) (Choice, bool) {
	square := p.RowNorm * p.RowNorm
	c := Choice{Lambda: lambda, Leverage: square / (lambda + low) * (1 + 0x1p-48)}
	if !(lambda > 0 && c.Leverage <= 0.5) {
		return c, false
	}
	c.Moves = math.Log1p(square/(lambda+math.Max(0, low-square))) * (1 + 0x1p-46)
	a, ok := posterior.ShiftAtOrder(p.Order, p.Renyi, c.Leverage)
	c.Shift = a
	return c, ok
}

// finest is the least λ for a lower bound of the eigenvalue: with less, the noise of the
// lattice would be seen beside that of the sample.
func (p Sample) finest(low float64) float64 {
	return math.Max(low/256, p.RowNorm*p.RowNorm*0x1p-6)
}

// best is the choice of λ by which a forecast of the squared error is least: d/γ for the
// sample's, with a residual of 1 + R·Reach and the margin of the radius, and, for that of the
// ridge, Reach²λ²e/(λ+e)², e the eigenvalue at which it is worst, λ or the lower bound.
func (p Sample) best(low, margins float64) Choice {
	least, found := math.Inf(1), Choice{}
	for k := range 120 {
		lambda := p.finest(low) * math.Exp(float64(k)*0.15)
		c, ok := p.Choose(lambda, low)
		if !ok {
			continue
		}
		residual := math.Log1p(p.RowNorm*p.Reach) + (margins+1)*c.Moves/p.RadiusRatio
		noise := float64(p.Dimension) * c.Leverage / (c.Shift * c.Shift) * math.Exp(2*residual)
		e := math.Max(low, lambda)
		ridge := p.Reach * p.Reach * lambda * lambda * e / ((lambda + e) * (lambda + e))
		if forecast := noise + ridge; forecast < least {
			least, found = forecast, c
		}
	}
	if found.Lambda == 0 { // at this order any leverage is too large but the least
		lambda := p.finest(low)
		for ok := false; !ok; lambda *= 2 {
			found, ok = p.Choose(lambda, low)
		}
	}
	return found
}

// After is what follows from s̃: λ and the test of the radius.
func (p Sample) After(eigenvalue float64) (Choice, *distance.Margin, error) {
	first, err := p.EigenvalueMargin()
	if err != nil {
		return Choice{}, nil, err
	}
	c := p.best(p.Low(first, eigenvalue), first.Width()/first.Sigma())
	second, err := p.RadiusMargin(c)
	return c, second, err
}

// high is the upper bound of the logarithm of the radius.
func (p Sample) high(c Choice, second *distance.Margin, noisy float64) float64 {
	return math.Max(0, second.Upper(noisy)+slack*c.Moves)
}

// Then is what follows from t̃: γ, and the output's precision.
func (p Sample) Then(c Choice, second *distance.Margin, noisy float64) (float64, Precision) {
	high := p.high(c, second, noisy)
	// a = √(γx)·e^{t_high}, rounded down.
	gamma := c.Shift * c.Shift / c.Leverage * math.Exp(-2*high) * (1 - 0x1p-44)
	return gamma, SamplePrecision(p.RowNorm, c.Lambda, gamma, math.Exp(high), p.OutputRatio)
}

// sampleBits is how fine the lattice of a sample is.
const sampleBits = 30

// SamplePrecision returns the precision for noise 1/√γ on labels and residuals up to residual: τ
// is 2^-19 of the longest gradient of one record, more than rounding comes to for 2^24 records
// (calibrate.SmallestTau), and σ_out such that 2τ/λ, and what rounding to the lattice moves, is
// ratio times it.
func SamplePrecision(rowNorm, lambda, gamma, residual, ratio float64) Precision {
	tau := 0x1p-19 * rowNorm * (2*residual + 8/math.Sqrt(gamma))
	sigma := 4 * tau / (lambda * ratio)
	return Precision{tau, sigma, gridOf(sigma, sampleBits)}
}
