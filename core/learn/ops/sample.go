package ops

import (
	"context"
	"math"

	"cloister/core/adaptive"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// rowsOf is the regression of the data on labels of one's own, in blocks of data.BlockRows:
// sums of sums of so many lose little.
func rowsOf(p learn.Problem, rowNorm float64, labels []float64) ([]solve.Part, error) {
	d := *p.Data
	d.Y, d.Ends = labels, nil
	rows, err := learn.Problem{Data: &d, Loss: glm.Squared{}}.Rows(math.Inf(1), rowNorm)
	if err != nil {
		return nil, err
	}
	n := len(labels)
	if n <= data.BlockRows {
		return []solve.Part{rows}, nil
	}
	return learn.EvenBlocks(rows, n), nil
}

// leastEigenvalue is λ_min(XᵀX), at least 0: right to 2^-9 of R² for 2^24 records.
func leastEigenvalue(p learn.Problem, rowNorm float64) (float64, error) {
	parts, err := rowsOf(p, rowNorm, p.Data.Y)
	if err != nil {
		return 0, err
	}
	d := p.Dimension()
	matrix := solve.NewPacked(d)
	solve.NewObjective(0, nil, parts...).Derivatives(
		make([]float64, d), make([]float64, d), matrix)
	eigen, err := solve.Decompose(matrix)
	if err != nil {
		return 0, err
	}
	return math.Max(0, eigen.Values[0]), nil
}

// solution returns θ with ‖H(θ − θ_λ)‖ ≤ tau, certified, H = XᵀX + λI, for these labels and
// linear term.
func solution(
	ctx context.Context, p learn.Problem, rowNorm, lambda, tau float64,
	labels, linear []float64,
) (*solve.Result, error) {
	parts, err := rowsOf(p, rowNorm, labels)
	if err != nil {
		return nil, err
	}
	if !(tau > 0) {
		return nil, &learn.Refusal{Cause: learn.CauseGradient}
	}
	objective := solve.NewObjective(lambda, linear, parts...)
	return learn.Certified(ctx, objective, solve.Newton, solve.Options{Tolerance: tau})
}

// logRadius is log(1 + R‖θ_λ‖), right to 2^-9 of Δ₂. The solver's point is within τ/λ of θ_λ,
// and τ = 2^-18 R(1 + R‖θ₀‖/2) for a θ₀ of a plain solver, which is no more than that with θ_λ
// for θ₀ and 2^-17.5; so the logarithm is off by 2^-17.4 R²/λ at most. With λ ≥ s_low/256
// and x ≤ ½, Δ₂ is 0.8 R²/(257λ) at least.
func logRadius(
	ctx context.Context, p learn.Problem, rowNorm, lambda float64,
) (float64, error) {
	parts, err := rowsOf(p, rowNorm, p.Data.Y)
	if err != nil {
		return 0, err
	}
	d := p.Dimension()
	matrix, vector := solve.NewPacked(d), make([]float64, d)
	solve.NewObjective(lambda, nil, parts...).Derivatives(make([]float64, d), vector, matrix)
	tau := 0x1p-18 * rowNorm
	if matrix.Factorize() {
		matrix.SolveFactorized(vector) // −θ₀
		tau *= 1 + rowNorm*length(vector)/2
	}
	solved, err := solution(ctx, p, rowNorm, lambda, tau, p.Data.Y, nil)
	if err != nil {
		return 0, err
	}
	defer clear(solved.Theta)
	radius := rowNorm * length(solved.Theta)
	if !(tau <= 0x1p-17*0.7*rowNorm*(1+radius)) {
		return 0, &learn.Refusal{Cause: learn.CauseGradient}
	}
	return math.Log1p(radius), nil
}

// draw is one sample of N(θ_λ, (γH)⁻¹), to within τ/λ, with noise on the lattice.
func draw(
	ctx context.Context, p learn.Problem, rowNorm, lambda, gamma float64, out adaptive.Precision,
	source random.Source,
) ([]float64, *solve.Result, error) {
	labels, linear := make([]float64, len(p.Data.Y)), make([]float64, p.Dimension())
	defer clear(labels)
	defer clear(linear)
	scale := 1 / math.Sqrt(gamma)
	if err := random.Gaussian(source, labels, scale); err != nil {
		return nil, nil, err
	}
	if err := random.Gaussian(source, linear, scale*math.Sqrt(lambda)); err != nil {
		return nil, nil, err
	}
	// What the draws (random.GaussianRelativeError), √, the quotient and the sum are off by.
	off := 0.0
	for i, y := range p.Data.Y {
		off += rowNorm * (0x1p-47*math.Abs(labels[i]) + 0x1p-52*(math.Abs(y)+math.Abs(labels[i])))
		labels[i] += y
	}
	for j := range linear {
		linear[j] = -linear[j]
	}
	off += 0x1p-47 * length(linear)
	solved, err := solution(
		ctx, p, rowNorm, lambda, (out.Tau-off*(1+0x1p-20))*(1-0x1p-40), labels, linear)
	if err != nil {
		return nil, nil, err
	}
	theta, err := learn.AddLatticeNoise(solved.Theta, out.Sigma, out.Grid, source)
	return theta, solved, err
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum = math.Hypot(sum, v)
	}
	return sum
}
