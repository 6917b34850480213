package distance

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/random"
)

// Ranges of a test's parameters.
const (
	LeastSigma   = 1e-3
	LargestSigma = 1e4
	LeastFailure = 1e-100
)

// Test passes data that are far enough from those that are unsound.
type Test struct {
	sigma, failure float64
	threshold      int64 // k
	noise          *random.DiscreteGaussian
}

// New prepares a test with noise of parameter sigma, from [LeastSigma] to [LargestSigma], that
// unsound data pass with probability failure at most, from [LeastFailure] to ½. An error is a
// *privacy.ParameterError.
func New(sigma, failure float64) (*Test, error) {
	if !(sigma >= LeastSigma && sigma <= LargestSigma) {
		return nil, &privacy.ParameterError{
			Field: "testSigma", Value: privacy.Number(sigma), Want: "a number from 0.001 to 10000",
		}
	}
	if !(failure >= LeastFailure && failure <= 0.5) {
		return nil, &privacy.ParameterError{
			Field: "failure", Value: privacy.Number(failure), Want: "a number from 1e-100 to 0.5",
		}
	}
	noise, err := random.NewDiscreteGaussian(sigma, 1)
	if err != nil {
		return nil, err
	}
	return &Test{sigma, failure, threshold(sigma, failure), noise}, nil
}

// Failure is the bound δ′ on the probability that unsound data pass.
func (t *Test) Failure() float64 { return t.failure }

// Event is what the noisy distance costs.
func (t *Test) Event(adjacency privacy.Adjacency) privacy.DiscreteGaussian {
	return privacy.DiscreteGaussian{Adjacency: adjacency, Sensitivity: 1, Sigma: t.sigma}
}

// Threshold is k.
func (t *Test) Threshold() int64 { return t.threshold }

// Needs is the least noisy distance that passes, k − 1.
func (t *Test) Needs() int64 { return t.threshold - 1 }

// Run returns the noisy distance, which may be published, and whether it passes.
func (t *Test) Run(source random.Source, distance int64) (noisy int64, passes bool, err error) {
	noise, err := t.noise.Sample(source)
	if err != nil {
		return 0, false, err
	}
	noisy = distance + noise
	return noisy, noisy >= t.Needs(), nil
}

// Passes estimates the probability that a distance passes; no promise rests on it.
func (t *Test) Passes(distance int64) float64 {
	above := tail(t.sigma, t.Needs()-distance)
	return math.Min(1, above)
}

// weight is e^(−j²/(2σ²)).
func weight(sigma float64, j int64) float64 {
	x := float64(j) / sigma
	return math.Exp(-x * x / 2)
}

// reach is how far weights are added up: beyond, by Mills' ratio, all of them together are
// below e^-400 of the first.
func reach(sigma float64) int64 { return int64(math.Ceil(30 * sigma)) }

// total is the sum of all weights.
func total(sigma float64) float64 {
	sum := 0.0
	for j := reach(sigma); j > 0; j-- {
		sum += weight(sigma, j)
	}
	return 1 + 2*sum
}

// tail is P[N ≥ k], but for rounding.
func tail(sigma float64, k int64) float64 {
	all := total(sigma)
	if k <= 0 {
		return 1 - tail(sigma, 1-k)
	}
	sum := 0.0
	for j := max(k, reach(sigma)); j >= k; j-- {
		sum += weight(sigma, j)
	}
	return sum / all
}

// threshold is the least k ≥ 1 whose tail is failure at most: all of it is added up from the
// far end, and taken for more than it is by far more than the roundings of 30σ+1 positive
// terms, each right to a relative 450·2^-52 (the exponent is below 450), and what lies beyond.
func threshold(sigma, failure float64) int64 {
	most := failure * total(sigma) * (1 - 0x1p-32)
	sum, k := weight(sigma, reach(sigma)), reach(sigma)+1
	for k > 1 {
		next := sum + weight(sigma, k-1)
		if next > most {
			break
		}
		sum, k = next, k-1
	}
	return k
}
