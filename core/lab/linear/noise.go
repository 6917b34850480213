package linear

import (
	"math"

	"cloister/core/random"
)

// Law is the density of η.
type Law int

const (
	Gaussian Law = iota // independent N(0, Scale²)
	Ball                // ∝ e^(−‖η‖₂/Scale)
	Box                 // ∝ e^(−‖η‖_∞/Scale)
)

// Noise is a law and its scale, in records.
type Noise struct {
	Law   Law
	Scale float64
}

// Draw fills eta. It is float arithmetic, for experiments.
//
// The density e^(−‖η‖/b) in k dimensions has ‖η‖ ~ Gamma(k, b), for the volume of a ball of
// radius r is ∝ r^k, and η uniform on the sphere of that norm, given ‖η‖. For the box a uniform
// point of the whole cube of half-side Gamma(k+1, b) has the same law.
func (n Noise) Draw(source random.Source, eta []float64) error {
	k := len(eta)
	switch n.Law {
	case Gaussian:
		return random.Gaussian(source, eta, n.Scale)
	case Ball:
		if err := random.Gaussian(source, eta, 1); err != nil {
			return err
		}
		size := 0.0
		for _, v := range eta {
			size = math.Hypot(size, v)
		}
		radius, err := gamma(source, k, n.Scale)
		if err != nil {
			return err
		}
		for i := range eta {
			eta[i] *= radius / size
		}
		return nil
	}
	side, err := gamma(source, k+1, n.Scale)
	if err != nil {
		return err
	}
	for i := range eta {
		u, err := uniform(source)
		if err != nil {
			return err
		}
		eta[i] = side * (2*u - 1)
	}
	return nil
}

// gamma is a sum of k exponential numbers of this mean.
func gamma(source random.Source, k int, mean float64) (sum float64, err error) {
	for range k {
		u, err := uniform(source)
		if err != nil {
			return 0, err
		}
		sum -= mean * math.Log1p(-u)
	}
	return sum, nil
}

// uniform is from [0, 1).
func uniform(source random.Source) (float64, error) {
	word, err := source.Uint64()
	return float64(word>>11) * 0x1p-53, err
}
