package report

import (
	"math"

	"cloister/core/data"
	"cloister/core/learn"
)

// Report is what may be published beside a release, so that any person can bound
// what the release cost them.
type Report struct {
	// Release is the fingerprint of the release that the report belongs to
	// (Fingerprint).
	Release string

	// Rho is the probability of failure, and Scope for whom, that the publisher
	// proposes. Who reads may choose others: what was published stays the same.
	Rho   float64
	Scope Scope

	Published Published
}

// Kind is "data-independent", "data-dependent" or "adaptive".
func (r *Report) Kind() string {
	switch p := r.Published.Plan; {
	case p.Least > 0:
		return "adaptive"
	case p.Hessian > 0 || p.Gradient > 0:
		return "data-dependent"
	}
	return "data-independent"
}

// New returns the report of a release by objective perturbation or approximate
// minima, with what was published for it; the zero Published is the
// data-independent report.
func New(release *learn.Release, published Published, rho float64, scope Scope) (*Report, error) {
	m, err := MechanismOf(release)
	if err != nil {
		return nil, err
	}
	r := &Report{Rho: rho, Scope: scope, Published: published}
	if r.Release, err = Fingerprint(release); err != nil {
		return nil, err
	}
	_, err = NewReader(m, published, rho, scope)
	return r, err
}

// Reader bounds losses of records, from what is public. It is not safe for use by
// several goroutines.
type Reader struct {
	mechanism Mechanism
	published Published
	leverage  *leverage
	scope     Scope

	along    reach    // of b, or of b less what the released gradient tells
	weight   float64  // κ: bᵀx is −κ·gradientᵀx, within along
	slack    float64  // times ‖x‖₂, added to it
	margin   float64  // |xᵀ(Theta − θ*)| ≤ margin·‖x‖₂
	output   float64  // bound on the output step's loss
	overhead struct { // of the loss of the report's own releases
		// ratios: of a unit of ‖g‖, f″‖x‖² or ‖g‖², and of rounding
		gradient, hessian, least, scores [2]float64
		reach                            float64
	}
}

// NewReader prepares bounds that hold together with probability at least 1 − rho,
// over the noise of the release and of the report, for whom scope says. What rho
// is split among:
//
//	gradient term                     4   always
//	Hessian, and its least eigenvalue 2   where released
//	output step: margin, loss         1   where there is one, half each
//	the report's own loss             1   where something is released
//
// # The gradient term
//
// ∇J(θ*; D) = −b, and x was fixed before b was drawn: bᵀx ~ N(0, σ²‖x‖²)
// whatever f′ becomes (theory §4; the thesis' Theorem 2.3.4). Where the gradient
// was released, ĝ = −b + e with e ~ N(0, σ₂²I), b + κĝ for κ = σ²/(σ² + σ₂²) is
// Gaussian with variance s² = σ²σ₂²/(σ² + σ₂²) per coordinate: one statement,
// sharper than both of those between which Algorithm 2 chooses. (Its own, |gᴾ|
// with gᴾ = ĝᵀg + σ₂‖g‖Φ⁻¹(1 − ρ/2), is no bound where ĝᵀg is negative: at −10 ± 1
// it says 9. So in Algorithm 9.)
func NewReader(m Mechanism, p Published, rho float64, scope Scope) (*Reader, error) {
	if err := scope.validate(rho); err != nil {
		return nil, err
	}
	if err := p.check(m); err != nil {
		return nil, err
	}
	parts := 4.0
	released := p.Gradient != nil || p.Hessian != nil
	if p.Hessian != nil {
		parts += 2
	}
	if m.Output.Sigma > 0 {
		parts++
	}
	if released {
		parts++
	}
	part := rho / parts * (1 - 1e-9)
	d := len(m.Theta)
	r := &Reader{mechanism: m, published: p, scope: scope}
	var err error
	if r.leverage, err = p.leverage(m, 2*part); err != nil {
		return nil, err
	}

	r.along = scope.gaussian(4*part, d)
	sigma := m.Sigma
	if p.Gradient != nil && !p.gradientCutOff() {
		two := p.Plan.Gradient
		total := math.Hypot(sigma, two)
		r.weight = sigma / total * (sigma / total)
		sigma = sigma / total * two
		// The sampler's error, the lattice's rounding and that of its noise.
		root := math.Sqrt(float64(d))
		r.slack = r.weight * (m.samplerError() + (roundingSteps+0.5)*gridOf(two)*root)
		r.along = scope.gaussian(4*part-roundingTail, d)
	}
	r.along.byNorm2 *= sigma
	r.along.byNorm1 *= sigma

	if o := m.Output; o.Sigma > 0 {
		bound := scope.subgaussian(part/2, d)
		r.margin = o.Shift + o.Sigma*bound
		r.output = o.Ratio*o.Ratio/2 + o.Ratio*bound
	}
	if released {
		return r, r.prepareOverhead(part)
	}
	return r, nil
}

// prepareOverhead sets what the report's own loss is computed from.
func (r *Reader) prepareOverhead(rho float64) error {
	events, err := r.published.Plan.Events(r.mechanism)
	if err != nil {
		return err
	}
	at := 0
	// unit is √2 for a matrix, whose noise is isotropic in the norm ‖·‖_F/√2.
	ratios := func(sigma, most, unit float64) (r [2]float64) {
		if sigma > 0 {
			r = [2]float64{
				1 / (unit * sigma),
				math.Max(0, events[at].Sensitivity-most/unit) / sigma,
			}
			at++
		}
		return r
	}
	p, m, o := r.published.Plan, r.mechanism, &r.overhead
	length := m.lipschitz()
	o.gradient = ratios(p.Gradient, length, 1)
	o.hessian = ratios(p.Hessian, m.hessianNorm(), math.Sqrt2)
	o.least = ratios(p.Least, m.hessianNorm(), 1)
	o.scores = ratios(p.Scores, length*length*(1+0x1p-50), math.Sqrt2)
	d := len(m.Theta)
	o.reach = r.scope.subgaussian(rho, d+3*d*(d+1)/2+1)
	return nil
}

// Row bounds the losses of the record (row, y): row as the schema encodes it,
// intercept included, and y its label as the design matrix has it. A *RowError
// says that no data set of the schema has such a record.
//
// The interval for the slope and the curvature at θ* takes in that Theta is not
// θ*. With μ̄ ≥ xᵀ(∇²J(θ*; D))⁻¹x,
//
//	in   log(1 + a) = −log(1 − f″μ) ≤ min(log(1 + f″‖x‖²/λ), −log(1 − f″μ̄))
//	out  log(1 + a) ≤ log(1 + f″·min(μ̄, ‖x‖²/λ))
//
// the first because a = f″·xᵀH₀⁻¹x with H₀ ⪰ λI, the Hessian without z. (Theorem
// 2.3.3 has −log(1 − f″‖x‖²/λ) for both, which needs λ > f″‖x‖².)
func (r *Reader) Row(row data.Row, y float64) (Bound, error) {
	m := r.mechanism
	if err := m.check(row, y); err != nil {
		return Bound{}, err
	}
	length := norm2(row)
	square := length * length
	w := windowOf(m.Loss, length, row.Dot(m.Theta), r.margin*length, y)
	curvature := w.curvature[1]

	free := math.Log1p(curvature * square / m.Lambda)
	mu := curvature * r.leverage.of(row)
	logIn, logOut := free, math.Min(free, math.Log1p(mu))
	if mu < 1 {
		logIn = math.Min(free, -math.Log1p(-mu))
	}

	middle := 0.0
	if g := r.published.Gradient; g != nil {
		middle = -r.weight * row.Dot(g)
	}
	half := r.along.of(row) + r.slack*length
	b := assemble(
		logIn, logOut, w.slope, [2]float64{middle - half, middle + half}, square, m.Sigma, r.output,
	)

	if o := r.overhead; o.reach > 0 {
		steepest := math.Max(math.Abs(w.slope[0]), math.Abs(w.slope[1])) * length
		moved := func(ratios [2]float64, by float64) float64 { return ratios[0]*by + ratios[1] }
		ratio := math.Hypot(
			moved(o.gradient, steepest),
			math.Hypot(
				math.Hypot(moved(o.hessian, curvature*square), moved(o.least, curvature*square)),
				moved(o.scores, steepest*steepest),
			),
		)
		b.Report = ratio*ratio/2 + ratio*o.reach
	}
	return b, nil
}
