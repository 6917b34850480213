package matrix

import (
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/report/goe"
	"cloister/core/solve"
)

// gridRatio is the least sigma/grid.
const gridRatio = 1 << 26

// A Mechanism releases a sum of symmetric matrices with noise of the Gaussian
// orthogonal ensemble: independent N(0, Sigma²) off the diagonal and
// N(0, 2·Sigma²) on it (thesis, Algorithm 11 and Theorem A.4.1; Dwork et al. 2014,
// "Analyze Gauss", has one variance for all).
//
// The diagonal divided by √2 together with the elements below it is a vector to
// which N(0, Sigma² I) is added, and its length is ‖M‖_F/√2. So with records of
// ‖Hₓ‖_F ≤ Norm it is the Gaussian mechanism with sensitivity Norm/√2 and noise
// Sigma. At one and the same price Analyze Gauss, whose sensitivity is Norm, has
// as much noise on the diagonal and twice the variance off it.
//
// The noise is discrete Gaussian on the lattice Grid·ℤ, drawn exactly, and
// priced as the continuous noise it is made of (learn.LatticeSensitivity).
type Mechanism struct {
	Dimension int     // order of the matrix
	Norm      float64 // bound on ‖Hₓ‖_F
	Sigma     float64
	Grid      float64 // a power of two, at most Sigma/2^26
	Adjacency privacy.Adjacency
}

// NewMechanism returns the mechanism with the coarsest lattice allowed, or a
// *privacy.ParameterError.
func NewMechanism(
	adjacency privacy.Adjacency, dimension int, norm, sigma float64,
) (Mechanism, error) {
	if err := privacy.CheckPositive("sigma", sigma); err != nil {
		return Mechanism{}, err
	}
	_, exponent := math.Frexp(sigma / gridRatio)
	m := Mechanism{
		Dimension: dimension,
		Norm:      norm,
		Sigma:     sigma,
		Grid:      math.Ldexp(0.5, exponent),
		Adjacency: adjacency,
	}
	return m, m.Validate()
}

// Validate returns a *privacy.ParameterError naming the first bad field, or nil.
func (m Mechanism) Validate() error {
	if err := privacy.CheckPositive("sigma", m.Sigma); err != nil {
		return err
	}
	if _, err := NewSum(m.Dimension, m.Norm, m.Grid); err != nil {
		return err
	}
	if !(m.Grid*gridRatio <= m.Sigma) {
		return &privacy.ParameterError{
			Field: "grid",
			Value: privacy.Number(m.Grid),
			Want:  "at most sigma / 2^26",
		}
	}
	_, err := m.Event()
	return err
}

// Event describes a release: a Gaussian mechanism with the sensitivity of
// Sum.Sensitivity and what the lattice costs. Under replace-one two records
// differ, and the sensitivity is twice that.
func (m Mechanism) Event() (privacy.Gaussian, error) {
	s, err := m.Sum()
	if err != nil {
		return privacy.Gaussian{}, err
	}
	sensitivity := s.Sensitivity()
	if m.Adjacency == privacy.ReplaceOne {
		sensitivity *= 2
	}
	e := privacy.Gaussian{
		Adjacency:   m.Adjacency,
		Sensitivity: learn.LatticeSensitivity(sensitivity, m.Sigma, m.Grid),
		Sigma:       m.Sigma,
	}
	return e, e.Validate()
}

// Sum returns an empty sum for the mechanism.
func (m Mechanism) Sum() (*Sum, error) { return NewSum(m.Dimension, m.Norm, m.Grid) }

// last is the largest lattice index released: elements beyond are moved to it.
const last = 1<<53 - 1

// Release draws the noise and returns the noisy sum, whose elements are lattice
// points. Elements beyond ±(2^53 − 1) steps, which take n·Norm/Sigma above 2^25,
// are moved there (Saturated tells). sum must be the mechanism's own.
//
// Errors: a *privacy.ParameterError, ErrRows for a sum that had too many
// records, or the source's.
func (m Mechanism) Release(sum *Sum, source random.Source) (*solve.Packed, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if sum.order != m.Dimension || sum.norm != m.Norm || sum.grid != m.Grid {
		return nil, &privacy.ParameterError{
			Field: "sum",
			Value: "another mechanism's",
			Want:  "of the same dimension, norm and grid",
		}
	}
	if sum.rows > MaxRows {
		return nil, ErrRows
	}
	off, err := random.NewDiscreteGaussian(m.Sigma, m.Grid)
	if err != nil {
		return nil, err
	}
	diagonal, err := random.NewDiscreteGaussian(m.diagonal(), m.Grid)
	if err != nil {
		return nil, err
	}
	return m.noisy(sum, off, diagonal, source)
}

// diagonal is √2·Sigma, rounded up.
func (m Mechanism) diagonal() float64 { return math.Sqrt2 * m.Sigma * (1 + 0x1p-50) }

func (m Mechanism) noisy(
	sum *Sum, off, diagonal *random.DiscreteGaussian, source random.Source,
) (*solve.Packed, error) {
	out := solve.NewPacked(sum.order)
	at := 0
	for i := range sum.order {
		for j := range i + 1 {
			law := off
			if i == j {
				law = diagonal
			}
			k, err := law.Sample(source)
			if err != nil {
				return nil, err
			}
			k = max(-1<<61, min(k, 1<<61)) + sum.total[at]
			out.At[at] = float64(max(-last, min(k, last))) * sum.grid
			at++
		}
	}
	return out, nil
}

// Saturated reports whether an element was moved to the lattice's end, so that
// what was released is not the sum with the noise.
func (m Mechanism) Saturated(released *solve.Packed) bool {
	for _, v := range released.At {
		if math.Abs(v) >= last*m.Grid {
			return true
		}
	}
	return false
}

const (
	// roundingSteps is how far the second step of the proof of
	// learn.LatticeSensitivity moves an element, in steps of the lattice.
	roundingSteps = 71

	// roundingTail bounds the probability that it moves any of MaxDimension²
	// elements by more.
	roundingTail = 1e-15
)

// SpectralBound returns τ with P[λ₁(noise) > τ] ≤ tail, and so
// H ⪰ Ĥ − τI with at least the probability 1 − tail for what is released, Ĥ.
// The noise is symmetric: −λ_d has the same law. tail is from 1e-12 to 1/2, or it
// is a *privacy.ParameterError.
//
// With s = Sigma/Grid, the noise has the law (to a factor e^{±ϑ}, ϑ < 2^-600) of
// s′·GOE, s′ < s, each element of which is then moved to a lattice point chosen by
// a Gaussian kernel of width 5, or 5√2 on the diagonal (proof of
// learn.LatticeSensitivity). A kernel moves by more than ten widths with
// probability below 2e^{−50}; so by 71 steps at most, but for a probability of
// 512²·2e^{−50} < roundingTail, and the matrix of these moves has a spectral norm
// of at most 71·d steps.
func (m Mechanism) SpectralBound(tail float64) (float64, error) {
	if !(tail >= 1e-12 && tail <= 0.5) {
		return 0, &privacy.ParameterError{
			Field: "tail",
			Value: privacy.Number(tail),
			Want:  "from 1e-12 to 0.5",
		}
	}
	q, err := goe.QuantileUpper(m.Dimension, tail-roundingTail)
	if err != nil {
		return 0, err
	}
	return (m.Sigma*q + roundingSteps*float64(m.Dimension)*m.Grid) * (1 + 0x1p-50), nil
}
