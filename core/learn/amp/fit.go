// Package amp fits by Approximate Minima Perturbation (Algorithm 1 of Redberg, Koskela
// & Wang 2023; Iyengar et al. 2019). It accounts for everything that floating-point
// arithmetic does to the mechanism.
//
// The ideal mechanism draws b* ~ N(0, σ²I_d), finds a θ̃ with
//
//	‖∇J(θ̃; Z) + b*‖ ≤ τ,   J(θ; Z) = Σ ℓ(θ; z) + (λ/2)‖θ‖²,
//
// and releases θ̃ + N(0, σ_out² I). In this package real numbers are floats. τ or the
// lattice pays for each difference (theory §2):
//
//   - b is the float vector drawn by random.Gaussian, within a relative 2^-48
//     of an ideal b*. With ‖b‖ ≤ σ(√d + 40), which is checked, ‖b − b*‖ is below
//     η = 2^-47 σ(√d + 40).
//   - J is the exact function of the float rows, λ and θ̃; the solver certifies
//     an upper bound on λ‖θ̃ − θ*‖, θ* the minimiser of J(θ) + bᵀθ, that takes in
//     all rounding errors (solve.Certificate): ‖∇J(θ̃) + b‖ nearly always. Together
//     with η it must be at most τ, or nothing is released. (The second step of the
//     mechanism needs of θ̃ that it is within τ/λ of the minimiser for b*, which is
//     within η/λ of that for b.)
//   - θ̃ is rounded to the lattice gℤ^d and the noise is drawn on it exactly
//     (random.DiscreteGaussian), so what comes out are whole multiples of g:
//     no float bit pattern of the solver is published. The event's price
//     includes g√d for the rounding and the difference between discrete and
//     continuous noise.
//
// Each record's gradient is clipped at the event's L; with L ≥ R·max|f'| that
// never happens.
package amp

import (
	"context"
	"errors"
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the mechanism that event describes on the problem, with noise from source,
// and returns the model, which may be published, and diagnostics, which may not.
// progress may be nil; its arguments are private too.
//
// Errors: a *privacy.ParameterError if the event does not describe this problem, a
// *learn.RowError if a row breaks what the schema promises (neither draws noise), the
// context's error, the source's, or a *learn.Refusal. Charge for the event before
// calling, and keep the charge whatever comes back. The time of a fit depends on the
// data too: do not publish it, as you do not publish the diagnostics.
func Fit(
	ctx context.Context, problem learn.Problem, event privacy.ApproximateMinima,
	source random.Source, progress func(solve.Progress), options ...Option,
) (learn.Model, *learn.Diagnostics, error) {
	if err := check(problem, event); err != nil {
		return learn.Model{}, nil, err
	}
	theta, diagnostics, err := run(ctx, problem, event, source, progress, options...)
	if err != nil {
		return learn.Model{}, nil, err
	}
	clip := event.Objective.Lipschitz
	if event.Objective.Loss == privacy.LossSoftmax {
		clip = math.Inf(1) // its gradients are no longer than L as they are
	}
	return learn.NewModel(problem, clip, theta), diagnostics, nil
}

// Option is a choice that does not affect the guarantee.
type Option func(*choices)

type choices struct {
	solver solve.Solver
	given  bool
	noise  func(b []float64)
}

// Solver replaces solve.Newton (solve.Blockwise for a softmax of more than [mostWhole]
// coefficients) by solver. The mechanism depends only on the
// certificate, which is computed here once more; the solver's own is not trusted.
func Solver(solver solve.Solver) Option {
	return func(c *choices) { c.solver, c.given = solver, true }
}

// Noise calls keep with b at the end of a fit. b is −∇J at the exact minimiser. A
// privacy report releases it with noise of its own (package report); without that noise
// it is as private as the data. keep must copy what it keeps.
func Noise(keep func(b []float64)) Option {
	return func(c *choices) { c.noise = keep }
}

// run is the mechanism itself, without the checks.
func run(
	ctx context.Context, problem learn.Problem, event privacy.ApproximateMinima,
	source random.Source, progress func(solve.Progress), options ...Option,
) ([]float64, *learn.Diagnostics, error) {
	chosen := choices{solver: solve.Newton}
	if event.Objective.Loss == privacy.LossSoftmax && event.Objective.Dimension > mostWhole {
		chosen.solver = solve.Blockwise
	}
	for _, option := range options {
		option(&chosen)
	}
	o := event.Objective
	parts, err := chosen.parts(problem, o)
	if err != nil {
		return nil, nil, err
	}
	eta := samplerError(o.Sigma, o.Dimension)
	// above 0, as Check has seen: calibrate.SmallestTau is more than η
	tolerance := math.Nextafter(event.Tau-eta, 0)

	b := make([]float64, o.Dimension)
	defer clear(b)
	if err := random.Gaussian(source, b, o.Sigma); err != nil {
		return nil, nil, err
	}
	if !(length(b) <= longestNoise(o.Sigma, o.Dimension)) {
		return nil, nil, &learn.Refusal{Cause: learn.CauseNoise}
	}

	objective := solve.NewObjective(o.Lambda, b, parts...)
	result, err := chosen.solver(
		ctx, objective, solve.Options{Tolerance: tolerance, Progress: progress},
	)
	if err != nil {
		var failed *solve.NotConvergedError
		if errors.As(err, &failed) {
			return nil, nil, &learn.Refusal{Cause: learn.CauseGradient, Solver: failed}
		}
		return nil, nil, err
	}
	defer clear(result.Theta)
	defer clear(result.Low)
	if chosen.given {
		result.Certificate = objective.Certify(result.Point())
	}
	if !(result.Certificate.Upper() <= tolerance) { // whatever the solver thinks of it
		return nil, nil, &learn.Refusal{Cause: learn.CauseGradient}
	}
	theta, err := release(result.Theta, event.SigmaOut, event.Grid, source)
	if err != nil {
		return nil, nil, err
	}
	if chosen.noise != nil {
		chosen.noise(b)
	}
	return theta, &learn.Diagnostics{
		Rows:         problem.Records(),
		Certificate:  result.Certificate,
		SamplerError: eta,
		Iterations:   result.Iterations,
		Hessians:     result.Hessians,
	}, nil
}

// parts are the problem's records as the solver takes them: one that was asked
// for may look at single rows.
func (c choices) parts(
	problem learn.Problem, o privacy.ObjectivePerturbation,
) ([]solve.Part, error) {
	if o.Loss == privacy.LossSoftmax {
		return problem.ScoreParts(), nil
	}
	if !c.given {
		return problem.Parts(o.Lipschitz, o.RowNorm)
	}
	rows, err := problem.Rows(o.Lipschitz, o.RowNorm)
	return []solve.Part{rows}, err
}

// mostWhole is how many coefficients of a softmax are solved for by whole Hessians.
const mostWhole = 256

// longestNoise is σ(√d + 40): ‖b‖ is 1-Lipschitz in b/σ and at most √d on
// average, so it exceeds this with probability at most e^{−40²/2} = e^-800.
func longestNoise(sigma float64, dimension int) float64 {
	return sigma * (math.Sqrt(float64(dimension)) + 40)
}

// samplerError is η = 2^-47 σ(√d + 40): twice random.GaussianRelativeError of
// the longest noise, so that rounding here, and b having been measured in the
// place of b*, cannot matter.
func samplerError(sigma float64, dimension int) float64 {
	return 2 * random.GaussianRelativeError * longestNoise(sigma, dimension)
}

func length(b []float64) float64 {
	sum := 0.0
	for _, x := range b {
		sum += x * x
	}
	return math.Sqrt(sum)
}
