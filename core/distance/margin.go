package distance

import (
	"errors"
	"math"

	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/special"
)

// ErrStatistic says that a number to be bounded is NaN.
var ErrStatistic = errors.New("distance: what is no number has no bound")

// Ranges of a margin's parameters.
const (
	LeastRatio   = 1e-6
	LargestRatio = 1e3
)

// Margin bounds a number s of the data, privately, from below or from above. Use it where what
// a release costs falls as s grows, as with the smallest eigenvalue of a matrix.
//
// # Theorem
//
// Let one record change s by Δ at most. On a lattice of step ω, release y = s, rounded, + N, N a
// discrete Gaussian of parameter σ, drawn exactly. That costs what a discrete Gaussian mechanism
// of sensitivity ⌈Δ/ω⌉ + 1 costs on whole numbers. With M = ⌈mσ/ω⌉ + 1 and Φ(−m) ≤ δ′,
//
//	P[s < y − Mω] ≤ δ′,   P[s > y + Mω] ≤ δ′.
//
// Proof. Rounding moves s by ω/2 at most, so that the first asks for N ≥ M steps, which has
// probability P[N(0, σ²) ≥ (M−1)ω] ≤ Φ(−m) at most (Canonne, Kamath & Steinke 2020,
// Proposition 25). The second likewise. ∎ (ptr.md §1.6: not 2Φ(−m), not e^{−m²/2}.)
type Margin struct {
	steps          int64   // Δ in steps of the lattice, and one
	sigma          float64 // in steps
	grid           float64 // ω, a power of two
	margin         int64   // M
	failure, ratio float64
	noise          *random.DiscreteGaussian
}

// fine is how fine the lattice is: σ is from 2^fine to 2^(fine+1) steps, and a little.
const fine = 24

// NewMargin prepares bounds on a number of sensitivity Δ > 0, with noise such that Δ over σ is
// at most ratio, from [LeastRatio] to [LargestRatio], each wrong with probability at most
// failure, from [LeastFailure] to ½. An error is a *privacy.ParameterError.
func NewMargin(sensitivity, ratio, failure float64) (*Margin, error) {
	if !(sensitivity >= 1e-100 && sensitivity <= 1e100) {
		return nil, &privacy.ParameterError{
			Field: "sensitivity", Value: privacy.Number(sensitivity),
			Want: "a number from 1e-100 to 1e100",
		}
	}
	if !(ratio >= LeastRatio && ratio <= LargestRatio) {
		return nil, &privacy.ParameterError{
			Field: "ratio", Value: privacy.Number(ratio), Want: "a number from 1e-6 to 1000",
		}
	}
	if !(failure >= LeastFailure && failure <= 0.5) {
		return nil, &privacy.ParameterError{
			Field: "failure", Value: privacy.Number(failure), Want: "a number from 1e-100 to 0.5",
		}
	}
	_, exponent := math.Frexp(sensitivity / ratio)
	grid := math.Ldexp(1, exponent-1-fine)
	steps := math.Ceil(sensitivity/grid) + 1
	sigma := steps / ratio * (1 + 0x1p-50)
	noise, err := random.NewDiscreteGaussian(sigma, 1)
	if err != nil {
		return nil, err
	}
	m := -special.NormalQuantile(failure*(1-0x1p-40)) * (1 + 0x1p-46)
	return &Margin{
		int64(steps), sigma, grid, int64(math.Ceil(m*sigma)) + 1, failure, ratio, noise,
	}, nil
}

// Event is what the noisy number costs, in steps of its lattice.
func (m *Margin) Event(adjacency privacy.Adjacency) privacy.DiscreteGaussian {
	return privacy.DiscreteGaussian{
		Adjacency: adjacency, Sensitivity: int(m.steps), Sigma: m.sigma,
	}
}

// Failure is the bound δ′ on the probability that one of the bounds is wrong.
func (m *Margin) Failure() float64 { return m.failure }

// Sigma is the noise's parameter, in the number's units.
func (m *Margin) Sigma() float64 { return m.sigma * m.grid }

// last is the largest index that is released: what lies beyond is moved to it, 2^27 σ from 0,
// before the noise and after it. A bound is given where a noisy number is within half of that,
// so that what was moved before the noise has none.
const last = 1 << 52

// Run returns the noisy number, which may be published. Errors: [ErrStatistic], or the
// source's.
func (m *Margin) Run(source random.Source, s float64) (noisy float64, err error) {
	if math.IsNaN(s) {
		return 0, ErrStatistic
	}
	at := int64(math.Max(-last, math.Min(last, math.RoundToEven(s/m.grid))))
	noise, err := m.noise.Sample(source)
	if err != nil {
		return 0, err
	}
	return float64(max(-last, min(last, at+max(-1<<61, min(1<<61, noise))))) * m.grid, nil
}

// beyond is more σ than noise is from 0, but for a probability of 2e^-800: the discrete Gaussian
// is subgaussian with the parameter σ.
const beyond = 40

// Possible reports whether a noisy number can be that of a number from least to most, but for a
// probability of 2e^-800. It lies on the lattice, or on one twice as fine, which another rounding
// of what was asked for may have made it: bits below have no noise.
func (m *Margin) Possible(noisy, least, most float64) bool {
	moved := func(s float64) float64 { return math.Max(-last*m.grid, math.Min(last*m.grid, s)) }
	reach := beyond*m.Sigma() + m.grid
	return math.Remainder(noisy, m.grid/2) == 0 &&
		noisy >= moved(least)-reach && noisy <= moved(most)+reach
}

// Surely is a bound below which the number is with a probability of e^-800 at most, whatever
// Failure is.
func (m *Margin) Surely(noisy float64) float64 { return noisy - beyond*m.Sigma() - m.grid }

// Lower is the bound below which the number is with probability at most Failure.
func (m *Margin) Lower(noisy float64) float64 {
	if !(noisy > -last/2*m.grid) {
		return math.Inf(-1)
	}
	return noisy - m.Width()
}

// Upper is the bound above which the number is with probability at most Failure.
func (m *Margin) Upper(noisy float64) float64 {
	if !(noisy < last/2*m.grid) {
		return math.Inf(1)
	}
	return noisy + m.Width()
}

// Width is how far the bounds are from the noisy number, in the number's units: Mω, and what
// adding it to a number rounds by.
func (m *Margin) Width() float64 { return float64(m.margin+1) * m.grid }
