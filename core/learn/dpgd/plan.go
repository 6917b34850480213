package dpgd

import (
	"math"
	"strconv"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Limits of a plan. MaxRecords keeps the sums of a step, in steps of the
// lattice, within 62 bits.
const (
	MaxSteps     = 1_000_000
	MaxDimension = 1 << 20
	MaxRecords   = 1 << 29
)

// gridBits is −log2 of the lattice's spacing in units of the clipping
// threshold (rounded down to a power of two).
const gridBits = 32

// Plan is all that gradient descent is told besides the data: nothing but
// public parameters, in the units of the sum over records
//
//	J(θ) = Σ ℓ_C(θ; zᵢ) + (λ/2)‖θ‖²,
//
// ℓ_C the loss with each record's gradient clipped at C (glm.Clipped). With
// θ₀ = 0 and v₀ = 0, step t is
//
//	gₜ = Σ ∇ℓ_C(θₜ; zᵢ) + N(0, Sigmas[t]² I)
//	vₜ₊₁ = Momentum·vₜ + gₜ + Lambda·θₜ
//	θₜ₊₁ = θₜ − Rates[t]·vₜ₊₁,   then moved to the ball of radius Radius.
//
// With a Centring, zᵢ are the centred rows, and θ is turned back into the coordinates of
// the rows as they are when it is released. What is released is the last θ, or the mean
// of the last Tail of θ₁ … θ_T. Everything but gₜ is arithmetic on what the steps before
// have given out, and costs nothing.
type Plan struct {
	Adjacency privacy.Adjacency
	Dimension int             // numbers in θ: the columns, times Classes if they are not 0
	Classes   int             // K of a softmax, whose θ is K vectors; 0 for one vector
	RowNorm   float64         // R ≥ ‖x‖₂, intercept included
	Clip      float64         // C > 0; above R·max|f'|, hardly anything is clipped (summer)
	Lambda    float64         // λ ≥ 0
	Sigmas    []float64       // standard deviation of each coordinate of each step's noise
	Rates     []float64       // as many as Sigmas; > 0
	Momentum  float64         // 0 ≤ Momentum < 1; 0 for plain gradient descent
	Radius    float64         // 0 for no projection
	Tail      int             // how many of the last θ the release is the mean of; 0 or 1: the last
	Centring  *learn.Centring // public; nil for rows as they are
}

// Event is what account prices. Its sensitivity is
//
//	C + (g/2)√d   with one record added or removed,
//	twice that    with one record replaced,
//
// for d numbers in θ and a lattice of spacing g, and a little more for the noise being discrete
// (learn.LatticeSensitivity). g is C/2^32 or a little less, unless noise is so
// large that it has to be coarser. The sum as it is computed is no more sensitive than C, or 2C
// (summer): the second term is for a sum whose gradients are rounded coordinate by coordinate.
// Errors are of type *privacy.ParameterError.
func (p Plan) Event() (privacy.GradientDescent, error) {
	if err := p.validate(); err != nil {
		return privacy.GradientDescent{}, err
	}
	event := privacy.GradientDescent{
		Adjacency:   p.Adjacency,
		Sensitivity: p.sensitivity(0),
		Sigmas:      p.Sigmas,
	}
	for t := range p.Sigmas {
		event.Sensitivity = math.Max(event.Sensitivity, p.sensitivity(t))
	}
	return event, event.Validate()
}

// sensitivity is that of step t.
func (p Plan) sensitivity(t int) float64 {
	sigma := p.Clip // for no steps at all
	if t < len(p.Sigmas) {
		sigma = p.Sigmas[t]
	}
	return Sensitivity(p.Adjacency, p.Clip, sigma, p.Dimension)
}

// Sensitivity is what [Plan.Event] charges for a step with noise sigma.
func Sensitivity(adjacency privacy.Adjacency, clip, sigma float64, dimension int) float64 {
	grid := gridOf(clip, sigma)
	one := clip*(1+0x1p-51) + grid/2*math.Sqrt(float64(dimension))*(1+0x1p-51)
	if adjacency == privacy.ReplaceOne {
		one *= 2
	}
	return learn.LatticeSensitivity(one, sigma, grid) * (1 + 0x1p-51)
}

// gridOf is the lattice's spacing g for noise sigma: 2^-32 of the power of two
// at or below C, or 2^-56 of the one at or below sigma if that is larger, so
// that the noise stays in reach of random.DiscreteGaussian.
func gridOf(clip, sigma float64) float64 {
	_, c := math.Frexp(clip)
	_, s := math.Frexp(sigma)
	return math.Ldexp(1, max(c-1-gridBits, s-1-56))
}

func (p Plan) validate() error {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return err
	}
	if p.Dimension < 1 || p.Dimension > MaxDimension {
		return bad("dimension", strconv.Itoa(p.Dimension), "from 1 to "+strconv.Itoa(MaxDimension))
	}
	if p.Classes != 0 && (p.Classes < 2 || p.Dimension%p.Classes != 0) {
		return bad("classes", strconv.Itoa(p.Classes), "0, or 2 and more that divide the dimension")
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", p.RowNorm, false), learn.CheckRange(
			"clip", p.Clip, false,
		), learn.CheckRange("lambda", p.Lambda, true), learn.CheckRange("radius", p.Radius, true),
	); err != nil {
		return err
	}
	if !(p.Momentum >= 0 && p.Momentum < 1) {
		return bad("momentum", privacy.Number(p.Momentum), "at least 0 and below 1")
	}
	if n := len(p.Sigmas); n > MaxSteps {
		return bad("sigmas", strconv.Itoa(n)+" numbers", "at most "+strconv.Itoa(MaxSteps))
	}
	if err := privacy.Within("centring", p.Centring.Check(p.columns())); err != nil {
		return err
	}
	if p.Tail < 0 || p.Tail > len(p.Sigmas) {
		return bad(
			"tail", strconv.Itoa(p.Tail),
			"from 0 to the number of steps, which is "+strconv.Itoa(len(p.Sigmas)),
		)
	}
	if len(p.Rates) != len(p.Sigmas) {
		return bad(
			"rates", strconv.Itoa(len(p.Rates))+" numbers",
			"as many as sigmas, which are "+strconv.Itoa(len(p.Sigmas)),
		)
	}
	for t, sigma := range p.Sigmas {
		if !(sigma >= math.Max(math.Ldexp(p.Clip, -12), 0x1p-300) && sigma <= 0x1p300) {
			return bad(
				"sigmas["+strconv.Itoa(t)+"]",
				privacy.Number(sigma),
				"at least clip/2^12 = "+privacy.Number(math.Ldexp(p.Clip, -12))+
					", and at most 2^300",
			)
		}
		if err := learn.CheckRange("rates["+strconv.Itoa(t)+"]", p.Rates[t], false); err != nil {
			return err
		}
	}
	return nil
}

// columns is the length of each vector in θ.
func (p Plan) columns() int { return p.Dimension / max(1, p.Classes) }

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// check returns an error unless the plan is one for this problem: first by
// public things, then that the rows keep what the schema promises of them.
func (p Plan) check(problem learn.Problem) error {
	if err := p.validate(); err != nil {
		return privacy.Within("plan", err)
	}
	if n := problem.Data.X.Rows(); n > MaxRecords {
		return bad("records", "too many", "at most "+strconv.Itoa(MaxRecords))
	}
	if err := problem.CheckPlan(p.columns(), p.RowNorm); err != nil {
		return err
	}
	classes := 0
	if _, softmax := problem.Loss.(glm.Softmax); softmax {
		classes = len(problem.Data.Schema.Label.Classes)
	}
	if p.Classes != classes {
		return bad(
			"plan.classes", strconv.Itoa(p.Classes),
			strconv.Itoa(classes)+", the number of a softmax's classes",
		)
	}
	if p.Centring != nil && problem.Data.Schema.Intercept == 0 {
		return bad("schema", "without an intercept", "one with it, for a plan with a centring")
	}
	return nil
}
