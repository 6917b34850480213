package report

import (
	"math"
	"strconv"

	"cloister/core/glm"
	"cloister/core/privacy"
	"cloister/core/report/matrix"
	"cloister/core/special"
)

// Interval is what was released tells of one coefficient of the population's
// model.
type Interval struct {
	Estimate      float64 // the coefficient without the regulariser's pull
	StandardError float64
	Low, High     float64
}

// Intervals returns approximate confidence intervals for the coefficients θ₀ of a
// logistic model that is true of the population, from what is public: Theta, the
// Hessian that a report released, and the noise's parameters. confidence is, say,
// 0.95, for each coefficient on its own.
//
// θ* is where Σ∇ℓ(θ*) + λθ* + b = 0. With u = θ₀ − θ*, H = Σf″x xᵀ at θ* and the
// score S = Σ∇ℓ(θ₀), to first order Hu = S + λθ* + b. What is known is Ĥ = H + σ₃G:
//
//	Ĥu − λθ* = S + b + σ₃Gu,   covariance M ≈ Ĥ + σ²I + σ₃²(‖u‖²I + uuᵀ)
//
// (of the score, its information; of b, what the mechanism drew; of Gu, from
// G's variances 1 and 2). So θ* + Ĥ⁻¹λθ* estimates θ₀ with covariance Ĥ⁻¹MĤ⁻¹. ‖u‖²
// is taken as that of the estimate of u plus its variance. A released gradient
// ĝ = −b + e narrows b to variance σ²σ₂²/(σ² + σ₂²) around −κĝ (NewReader).
//
// The approximations are those of large samples: u small enough for H to stand for
// the curvature between θ* and θ₀, the noise of Ĥ small beside it. Measured, 1,000
// fits each (TestCoverage): 93 to 97 % of 95 % intervals hold θ₀.
//
// Errors, *privacy.ParameterError: "loss" where it is not the logistic loss
// without clipping, under which a score's covariance is the Hessian; "hessian"
// where none was released or its noise hides its smallest eigenvalue;
// "confidence".
func (m Mechanism) Intervals(p Published, confidence float64) ([]Interval, error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, &privacy.ParameterError{Field: "confidence", Value: privacy.Number(confidence), Want: "above 0 and below 1"}
	}
	if _, ok := m.Loss.Loss().(glm.Logistic); !ok || m.Loss.Active(m.RowNorm) {
		return nil, &privacy.ParameterError{Field: "loss", Value: "clipped, or not logistic", Want: "the logistic loss without clipping"}
	}
	if err := p.check(m); err != nil {
		return nil, err
	}
	if p.Hessian == nil {
		return nil, &privacy.ParameterError{Field: "hessian", Value: "missing", Want: "one that was released for the report"}
	}
	mechanism, err := p.Plan.matrix(m)
	if err != nil {
		return nil, err
	}
	typical, err := mechanism.SpectralBound(0.05)
	if err != nil {
		return nil, err
	}
	e, err := matrix.Decompose(p.Hessian)
	if err != nil {
		return nil, err
	}
	if !(e.Values[0] > typical) || mechanism.Saturated(p.Hessian) {
		return nil, &privacy.ParameterError{Field: "hessian", Value: "of smallest eigenvalue " + strconv.FormatFloat(e.Values[0], 'g', 3, 64), Want: "above " + strconv.FormatFloat(typical, 'g', 3, 64) + ", which its noise alone may reach: there is too little data, or too much noise"}
	}
	d := len(m.Theta)
	right, variance := make([]float64, d), m.Sigma*m.Sigma
	weight := 0.0
	if p.Gradient != nil {
		two := p.Plan.Gradient * p.Plan.Gradient
		weight = variance / (variance + two)
		variance *= two / (variance + two)
	}
	for j, v := range m.Theta {
		right[j] = m.Lambda * v
		if p.Gradient != nil {
			right[j] -= weight * p.Gradient[j]
		}
	}
	shift := e.Solve(right)
	three, length := p.Plan.Hessian*p.Plan.Hessian, inner(shift, shift)
	for _, h := range e.Values {
		length += 1/h + variance/(h*h)
	}
	around := e.Solve(shift)
	quantile := special.NormalQuantile((1 + confidence) / 2)
	out := make([]Interval, d)
	for j := range d {
		v := m.Output.Sigma*m.Output.Sigma + three*around[j]*around[j]
		for k, h := range e.Values {
			c := e.Vectors[k][j] * e.Vectors[k][j]
			v += c/h + c*(variance+three*length)/(h*h)
		}
		estimate, se := m.Theta[j]+shift[j], math.Sqrt(v)
		out[j] = Interval{Estimate: estimate, StandardError: se, Low: estimate - quantile*se, High: estimate + quantile*se}
	}
	return out, nil
}
