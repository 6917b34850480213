package dpgd

import (
	"context"
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Oracle is gradient descent with the noise that would be best if the norm of the
// gradient were known (Setting.Best; Fay et al., Proposition 1): σₜ = ‖∇F(θₜ)‖/√d and η
// = 1/(2M). It is not private: the noise itself reveals the gradient. Proposition 2
// bounds what it reaches,
//
//	(1/T) Σ E‖∇F(θₜ)‖² ≤ 4M(F(θ₀)−F*)/T             in general,
//	E[F(θ_T) − F*] ≤ 4MR²/T                         for convex F, ‖θₜ − θ*‖ ≤ R,
//	E[F(θ_T) − F*] ≤ (1 − μ/2M)^T (F(θ₀)−F*)        for μ-strongly convex F,
//
// which is what the private schedules are held against.
type Oracle struct {
	Request Request // Schedule, Gap and Distance are not used
	Rho     float64 // steps are taken until their costs would exceed it
	Steps   int     // or until there are so many
}

// unprotected is why an Oracle's model has no guarantee.
const unprotected = "the noise of each step was chosen by looking at the data's gradient"

// Run takes the steps and returns a fit that no release accepts. see may be nil.
func (o Oracle) Run(
	ctx context.Context, problem learn.Problem, source random.Source, see func(State),
) (learn.Unprotected, error) {
	r := o.Request
	r.Schedule, r.Steps = ScheduleConstant, max(1, o.Steps)
	setting, err := r.Setting()
	if err != nil {
		return learn.Unprotected{}, err
	}
	if err := privacy.CheckNonNegative("rho", o.Rho); err != nil {
		return learn.Unprotected{}, err
	}
	if r.Clip == 0 {
		r.Clip = learn.DefaultClip(r.Loss, r.RowNorm)
	}
	plan := Plan{
		Adjacency: r.Guarantee.Adjacency, Dimension: r.Dimension, Classes: r.Classes,
		RowNorm: r.RowNorm, Clip: r.Clip, Lambda: r.Lambda, Radius: r.Radius,
		Momentum: r.Momentum, Rates: make([]float64, r.Steps),
		Sigmas: make([]float64, r.Steps),
	}
	for t := range plan.Rates {
		// the noise is chosen on the way
		plan.Rates[t], plan.Sigmas[t] = setting.Rate()/r.Records, r.Clip
	}
	if err := plan.check(problem); err != nil {
		return learn.Unprotected{}, err
	}
	sum, err := newSummer(problem, plan)
	if err != nil {
		return learn.Unprotected{}, err
	}
	d := &descent{
		plan:     plan,
		theta:    make([]float64, plan.Dimension),
		velocity: make([]float64, plan.Dimension),
	}
	noisy := make([]float64, plan.Dimension)
	grid := gridOf(plan.Clip, plan.Clip)
	spent := 0.0
	for t := 0; ; t++ {
		if ctx.Err() != nil {
			return learn.Unprotected{}, context.Cause(ctx)
		}
		sum.sum(d.theta, grid)
		length := d.gradientNorm(sum.total, grid)
		if see != nil {
			see(State{Step: t, Theta: d.theta, GradientNorm: length})
		}
		sigma, _ := setting.Best(length / r.Records)
		spent += setting.Cost(sigma)
		if t == o.Steps || !(spent <= o.Rho) {
			return learn.NewUnprotected(unprotected, problem, d.theta), nil
		}
		if err := random.Gaussian(source, noisy, math.Max(sigma*r.Records, 0x1p-500)); err != nil {
			return learn.Unprotected{}, err
		}
		for j, k := range sum.total {
			noisy[j] += float64(k) * grid
		}
		if err := d.step(t, noisy); err != nil {
			return learn.Unprotected{}, err
		}
	}
}
