package special

import "math"

// GammaHalfStep returns Γ(x + 1/2)/Γ(x) for x > 0, with a relative error below
// 1e-14 also where the two logarithms would cancel.
func GammaHalfStep(x float64) float64 {
	factor := 1.0
	for ; x < 40; x++ {
		factor *= x / (x + 0.5)
	}
	u := 1 / x
	series := 1 + u*(-1.0/8+u*(1.0/128+u*(5.0/1024+u*(-21.0/32768+
		u*(-399.0/262144+u*(869.0/4194304+u*39325.0/33554432))))))
	return factor * math.Sqrt(x) * series
}
