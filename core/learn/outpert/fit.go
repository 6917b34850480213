// Package outpert fits by output perturbation: it solves the problem, then adds noise
// to the solution (Chaudhuri, Monteleoni & Sarwate 2011, section 3.2, with Gaussian
// noise; Wu et al. 2017; Lowy & Razaviyayn 2021).
//
// # Sensitivity
//
// J(θ) = Σ ℓ_C(θ; zᵢ) + (λ/2)‖θ‖² is λ-strongly convex, so any θ and the minimiser θ*
// have ‖θ − θ*‖ ≤ ‖∇J(θ)‖/λ. Let θ* and θ*′ be the minimisers for two neighbours. One
// record z more: ∇J′(θ*) = ∇ℓ_C(θ*; z), of norm at most C, hence ‖θ* − θ*′‖ ≤ C/λ. One
// replaced: the gradients of two records, so 2C/λ. (Chaudhuri et al., Corollary 8:
// 2/(nΛ) for a mean, whose λ is nΛ here.) The number of records does not appear, so
// under add/remove there is nothing to hide.
//
// The solver certifies λ‖θ̃ − θ*‖ ≤ τ, by ‖∇J‖ and rounding errors included
// (solve.Certificate), so each of two neighbours' outputs is within τ/λ of its
// minimiser: 2τ/λ more. If it cannot certify that, nothing is released. θ̃ is rounded
// to the lattice gℤ^d, which moves each of the two by at most g√d/2: g√d more. Noise is
// drawn on the lattice exactly, and priced as the continuous noise that it is made of
// (learn.LatticeSensitivity).
//
// The release states λ too, because the guarantee depends on it.
package outpert

import (
	"context"
	"math"

	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem, with noise from source, and returns the model,
// which may be published, and diagnostics, which may not. progress may be nil; its
// arguments are private too.
//
// Errors: a *privacy.ParameterError if the plan is not one for this problem, a
// *learn.RowError if a row breaks what the schema promises (neither draws noise), the
// context's error, the source's, or a *learn.Refusal. Charge for the event before
// calling, and keep the charge whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	if err := plan.check(problem); err != nil {
		return learn.Model{}, nil, err
	}
	return fit(ctx, problem, plan, solve.Newton, source, progress)
}

// fit is Fit without the checks, by any solver: what it rests on is the
// certificate, which is computed here once more.
func fit(
	ctx context.Context, problem learn.Problem, plan Plan, solver solve.Solver,
	source random.Source, progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	solved, err := minimise(ctx, problem, plan, solver, progress)
	if err != nil {
		return learn.Model{}, nil, err
	}
	defer clear(solved.Theta)
	defer clear(solved.Low)
	theta, err := release(solved.Theta, plan, source)
	if err != nil {
		return learn.Model{}, nil, err
	}
	model := learn.NewModel(problem, plan.Clip, theta)
	model.Lambda = plan.Lambda
	return model, &learn.Diagnostics{
		Rows:        problem.Records(),
		Certificate: solved.Certificate,
		Iterations:  solved.Iterations,
		Hessians:    solved.Hessians,
	}, nil
}

// minimise returns a certified point.
func minimise(
	ctx context.Context, problem learn.Problem, plan Plan, solver solve.Solver,
	progress func(solve.Progress),
) (*solve.Result, error) {
	parts, err := problem.Parts(plan.Clip, plan.RowNorm)
	if err != nil {
		return nil, err
	}
	objective := solve.NewObjective(plan.Lambda, nil, parts...)
	return learn.Certified(
		ctx, objective, solver, solve.Options{Tolerance: plan.Tau, Progress: progress},
	)
}

// release adds the noise, and moves what comes out to the ball: arithmetic on
// what is released already.
func release(theta []float64, plan Plan, source random.Source) ([]float64, error) {
	out, err := learn.AddLatticeNoise(theta, plan.Sigma, plan.Grid, source)
	if err != nil {
		return nil, err
	}
	squares := 0.0
	for _, c := range out {
		squares += float64(c * c)
	}
	if length := math.Sqrt(squares); plan.Radius > 0 && length > plan.Radius {
		for j := range out {
			out[j] *= plan.Radius / length
		}
	}
	return out, nil
}
