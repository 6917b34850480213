package learn

import (
	"errors"
	"math"

	"cloister/core/random"
)

// ErrLattice says that a value to be put on a lattice is NaN.
var ErrLattice = errors.New("learn: what is no number has no place on the lattice")

// exactIntegers bounds the lattice indices whose every value is a float64.
const exactIntegers = 1 << 53

// AddLatticeNoise rounds x to the lattice grid·ℤ^d, moves what is 2^53 steps
// or more from 0 to the last point below that, adds exact discrete Gaussian
// noise with parameter sigma on the lattice, moves the sums likewise, and
// returns the lattice points as floats, exactly. No bit of x below the lattice
// reaches the result, and whether there is a result does not depend on how
// large x is.
//
// grid is a power of two, so x/grid is exact unless it overflows, which is then
// moved, or underflows; an underflow is below half a step and rounds to 0 all
// the same. Rounding moves each of two neighbours' x by at most grid√d/2, which
// adds grid√d to the sensitivity. Moving a coordinate to the nearest point of an
// interval is 1-Lipschitz, so it adds nothing, and what is done after the noise
// is post-processing.
//
// Errors: ErrLattice for a NaN, a *random.ParameterError, or the source's.
func AddLatticeNoise(x []float64, sigma, grid float64, source random.Source) ([]float64, error) {
	noise, err := random.NewDiscreteGaussian(sigma, grid)
	if err != nil {
		return nil, err
	}
	const last = exactIntegers - 1
	out := make([]float64, len(x))
	for j, t := range x {
		if math.IsNaN(t) {
			return nil, ErrLattice
		}
		nearest := math.Max(-last, math.Min(math.RoundToEven(t/grid), last))
		k, err := noise.Sample(source)
		if err != nil {
			return nil, err
		}
		// A draw beyond 2^62 decides where the sum is moved to, whatever nearest is.
		k = max(-1<<62, min(k, 1<<62)) + int64(nearest)
		out[j] = float64(max(-last, min(k, last))) * grid
	}
	return out, nil
}

// MaxLatticeRatio is the largest sigma/grid that learners use. With it the lattice ends
// at 2^13 times the noise.
const MaxLatticeRatio = 1 << 40

// MinLatticeRatio is the least sigma/grid for which LatticeSensitivity has an
// answer.
const MinLatticeRatio = 1 << 10

// smoothing is w in the proof of LatticeSensitivity, in steps of the lattice.
const smoothing = 5

// LatticeSensitivity returns the sensitivity at which the Gaussian mechanism
// with continuous noise N(0, sigma² I) costs no less than discrete Gaussian
// noise with parameter sigma on the lattice grid·ℤ^d does for a vector on that
// lattice of this sensitivity: sensitivity/√(1 − 25(grid/sigma)²), rounded up.
// So a mechanism with lattice noise can be described by an event whose noise is
// continuous. It is +Inf unless sigma ≥ 2^10·grid.
//
// Theorem. Let s = sigma/grid > w > 0, s'² = s² − w² and
// ϑ = 2Σ_{j≥1} e^{−2π²w²j²}. Add N(0, s'²) to a vector of ℤ^d, then replace each
// coordinate x by a whole number k drawn with probability
// ρ(k − x)/Σ_j ρ(j − x), ρ(u) = e^{−u²/(2w²)}. What comes out has, point by
// point, e^{±2dϑ'} times the probability of the same vector with discrete
// Gaussian noise of parameter s, ϑ' = ϑ/(1 − ϑ).
//
// Proof. Poisson summation gives Σ_j ρ(j − x) = w√(2π)·(1 + 2Σ_{j≥1}
// e^{−2π²w²j²} cos 2πjx), which is w√(2π) to a factor 1 ± ϑ for every x. So k − m,
// m the coordinate, has probability ∫ φ_{s'}(x) ρ(k−m−x)/Σ_j ρ(j−x) dx, which is
// (φ_{s'} ∗ φ_w)(k−m) = φ_s(k−m) to a factor within 1/(1 ± ϑ). The discrete
// Gaussian is φ_s(k−m)/Σ_j φ_s(j), and the sum is 1 to a factor 1 ± ϑ because
// s > w. ∎
//
// The second step looks at no data: the pair of them is the Gaussian mechanism
// with noise s' followed by post-processing. So if that is (ε, δ)-DP, lattice
// noise is (ε + 4dϑ', e^{2dϑ'}δ)-DP. With w = 5, ϑ < 2^-709: for all vectors and
// numbers of uses that can be written down, the difference is far below the
// last digit of ε and δ, and below the 1e-13 by which account rounds them up.
// What is left is s' in the place of s.
//
// (The kernel is the randomised rounding of lattice cryptography; see Genise,
// Micciancio, Peikert & Walter 2020, "Improved Discrete Gaussian and
// Subgaussian Analysis".)
func LatticeSensitivity(sensitivity, sigma, grid float64) float64 {
	ratio := sigma / grid
	if !(ratio >= MinLatticeRatio) {
		return math.Inf(1)
	}
	return sensitivity / math.Sqrt(1-smoothing*smoothing/(ratio*ratio)) * (1 + 0x1p-50)
}
