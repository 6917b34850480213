package linear

import (
	"math"
	"math/cmplx"

	"cloister/core/special"
)

// SeparatorsDelta is E[1 − e^(ε−ω)]₊ with ω = Σ (μ|z_i| + μ²/2) over m standard normal z, which
// bounds δ(ε) of RSPM with Gaussian noise and m separators, μ = Δ/σ. It is right to a part in
// 10^9, and not rounded up.
//
// With M(s) = E[e^(sω)] = (2e^(sμ²/2+s²μ²/2)Φ(sμ))^m it is (2πi)⁻¹∫ M(z)e^(−zε)/(z(z+1)) dz along
// a vertical line (theory §8), summed by the trapezoid rule; one separator is an integral
// over its z.
func SeparatorsDelta(separators int, mu, epsilon float64) (float64, error) {
	if separators == 1 {
		return oneSeparator(mu, epsilon)
	}
	m := float64(separators)
	logM := func(s float64) float64 {
		return m * (s*mu*mu/2 + s*s*mu*mu/2 + math.Ln2 + special.LogNormalCDF(s*mu))
	}
	exponent := func(logS float64) float64 {
		s := math.Exp(logS)
		return logM(s) - s*epsilon - math.Log(s) - math.Log1p(s)
	}
	at, top := special.Minimum(exponent, math.Log(1e-6), math.Log(1e4/mu), 1e-3)
	s := math.Exp(at)
	// Copies of δ at distances of 2π/step, tilted by s, are what the sum is wrong by: with 30 − top
	// in the exponent, 10^-11 of it and less, since δ is e^top within a factor of ten or so.
	step := 2 * math.Pi * s / (30 - math.Min(0, top))
	sum, quiet := 0.5/(s*(s+1)), 0
	whole := halfNormal(s*mu, 0)
	for j := 1; quiet < 40; j++ {
		if j > 400_000 {
			return 0, special.ErrQuadrature
		}
		t := float64(j) * step
		z := complex(s, t)
		one := halfNormal(s*mu, t*mu) / whole * cmplx.Exp(complex(0, t*mu*mu/2))
		term := cmplx.Exp(complex(m, 0)*cmplx.Log(one)-complex(0, t*epsilon)) / (z * (z + 1))
		sum += real(term)
		if cmplx.Abs(term) < 1e-13*math.Abs(sum) {
			quiet++
		} else {
			quiet = 0
		}
	}
	return math.Exp(logM(s)-s*epsilon) * sum * step / math.Pi, nil
}

var gauss16 = special.GaussLegendre(16)

// halfNormal is 2∫₀^∞ φ(x)e^((a+ib)x) dx·√(2π)/2 over e^(a²/2): the constants fall out of a ratio.
func halfNormal(a, b float64) complex128 {
	high := math.Max(a, 0) + 9.5
	panels := max(8, int(math.Ceil(high*math.Abs(b)/6)))
	width := high / float64(panels)
	re, im := 0.0, 0.0
	for p := range panels {
		for i, node := range gauss16.Nodes {
			x := (float64(p) + node) * width
			weight := gauss16.Weights[i] * math.Exp(-(x-a)*(x-a)/2)
			sin, cos := math.Sincos(b * x)
			re += weight * cos
			im += weight * sin
		}
	}
	return complex(re*width, im*width)
}

func oneSeparator(mu, epsilon float64) (float64, error) {
	excess := epsilon - mu*mu/2
	low := math.Max(0, excess/mu)
	knots := []float64{low}
	for i := range 12 {
		knots = append(knots, low+float64(i+1))
	}
	return integral(func(x float64) float64 {
		return 2 * special.NormalDensity(x) * -math.Expm1(excess-mu*x)
	}, knots, 1e-12)
}
