package learn

import (
	"math"

	"cloister/core/adaptive"
	"cloister/core/privacy"
)

// Told is what a fit gave out besides its coefficients, and what their noise follows from: one of
// [TestedSample], [FixedSample] and [TestedCurvature]. All of it is public.
type Told interface {
	// of is its name in files.
	of() string

	// priced reports whether the event is that of such a fit.
	priced(event privacy.Event) bool

	// spacing is that of the lattice on which the coefficients lie.
	spacing() float64

	// follows reports whether the noise is what the event and the rest make it, and every
	// coefficient lies on the noise's lattice.
	follows(event privacy.Event, rowNorm float64, theta []float64) bool

	// possible reports whether the tests, if there are any, can have told this of some table of
	// at most so many records, of which no smallest eigenvalue of XᵀX is above most, but for a
	// probability of 8e^-800.
	possible(event privacy.Event, rowNorm float64, theta []float64, records, most float64) bool

	// longest bounds every coefficient, but for a probability of 2e^-800: the theorem of
	// verifyReach. draws is √d + 40, and records how many there may be.
	longest(rowNorm, draws, records float64) float64

	// near bounds the chance that a coefficient is within r of 0, whatever the others are: the
	// theorem of verifyNoise.
	near(r, rowNorm, draws, records float64) float64

	tree() map[string]any
}

// TestedSample is what package ops says of a posterior sample whose noise two tests chose.
type TestedSample struct{ adaptive.SampleTold }

// FixedSample is what package ops says of a posterior sample without a test.
type FixedSample struct{ adaptive.FixedTold }

// TestedCurvature is what package outptr says of output perturbation whose noise a test chose.
type TestedCurvature struct{ adaptive.CurvatureTold }

func (TestedSample) of() string    { return "tested-sample" }
func (FixedSample) of() string     { return "fixed-sample" }
func (TestedCurvature) of() string { return "tested-curvature" }

func (t TestedSample) spacing() float64    { return t.Grid }
func (t FixedSample) spacing() float64     { return t.Grid }
func (t TestedCurvature) spacing() float64 { return t.Grid }

func (TestedSample) priced(event privacy.Event) bool {
	_, ok := adaptive.SampleOf(event, 1, 1)
	return ok
}

func (FixedSample) priced(event privacy.Event) bool {
	_, ok := adaptive.FixedOf(event, 1, 1)
	return ok
}

func (t TestedCurvature) priced(event privacy.Event) bool {
	_, ok := adaptive.CurvatureOf(event, 1, 1, 1)
	return ok
}

func (t TestedSample) follows(event privacy.Event, rowNorm float64, theta []float64) bool {
	plan, ok := adaptive.SampleOf(event, len(theta), rowNorm)
	return ok && t.Check(plan, theta)
}

func (t FixedSample) follows(event privacy.Event, rowNorm float64, theta []float64) bool {
	plan, ok := adaptive.FixedOf(event, len(theta), rowNorm)
	return ok && t.Check(plan, theta)
}

func (t TestedCurvature) follows(event privacy.Event, rowNorm float64, theta []float64) bool {
	plan, ok := adaptive.CurvatureOf(event, len(theta), rowNorm, t.Lambda)
	return ok && t.Check(plan, theta)
}

func (t TestedSample) possible(
	event privacy.Event, rowNorm float64, theta []float64, records, most float64,
) bool {
	plan, ok := adaptive.SampleOf(event, len(theta), rowNorm)
	return ok && t.Possible(plan, theta, records, most)
}

func (FixedSample) possible(privacy.Event, float64, []float64, float64, float64) bool {
	return true
}

func (t TestedCurvature) possible(
	event privacy.Event, rowNorm float64, theta []float64, records, most float64,
) bool {
	plan, ok := adaptive.CurvatureOf(event, len(theta), rowNorm, t.Lambda)
	return ok && t.Possible(plan, records, most)
}

func (t TestedSample) longest(rowNorm, draws, records float64) float64 {
	return posteriorOf(t.Lambda, t.Gamma, t.SigmaOut, t.Grid).longest(rowNorm, draws, records)
}

// There are as many records as it says, and no more.
func (t FixedSample) longest(rowNorm, draws, records float64) float64 {
	records = math.Min(records, float64(t.Records))
	return posteriorOf(t.Lambda, t.Gamma, t.SigmaOut, t.Grid).longest(rowNorm, draws, records)
}

// One record pulls with a gradient of R at most: θ* is at most NR/λ long.
func (t TestedCurvature) longest(rowNorm, draws, records float64) float64 {
	return (records+1)*rowNorm/t.Lambda + (t.Grid+t.Sigma)*draws
}

func (t TestedSample) near(r, rowNorm, draws, records float64) float64 {
	return posteriorOf(t.Lambda, t.Gamma, t.SigmaOut, t.Grid).near(r, rowNorm, draws, records)
}

func (t FixedSample) near(r, rowNorm, draws, records float64) float64 {
	records = math.Min(records, float64(t.Records))
	return posteriorOf(t.Lambda, t.Gamma, t.SigmaOut, t.Grid).near(r, rowNorm, draws, records)
}

func (t TestedCurvature) near(r, _, _, _ float64) float64 {
	return (2*r + t.Grid) / (t.Sigma * math.Sqrt(2*math.Pi))
}

// posterior is N(θ_λ, (γH)⁻¹) with noise of σ on a lattice.
type posterior struct{ lambda, gamma, sigma, grid float64 }

func posteriorOf(lambda, gamma, sigma, grid float64) posterior {
	return posterior{lambda, gamma, sigma, grid}
}

// longest: the sample's own noise is at most draws/√(γλ) long. The solver's part, τ/λ, is
// below σ.
func (p posterior) longest(rowNorm, draws, records float64) float64 {
	return adaptive.LongestSolution(rowNorm, p.lambda, records) +
		draws/math.Sqrt(p.gamma*p.lambda) + (p.grid+2*p.sigma)*draws
}

// near: given the others a coefficient is normal with variance 1/(γH_jj) at least, and
// H_jj ≤ λ + NR². The lattice's noise alone has mass 1/(σ√(2π)) at most at each point, in
// units of its spacing.
func (p posterior) near(r, rowNorm, draws, records float64) float64 {
	out := (2*r + p.grid) / p.sigma
	in := 2 * (r + (p.grid+2*p.sigma)*draws) *
		math.Sqrt(p.gamma*(p.lambda+records*rowNorm*rowNorm))
	return math.Min(out, in) / math.Sqrt(2*math.Pi)
}
