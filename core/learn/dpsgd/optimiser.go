package dpsgd

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// Method names an optimiser.
type Method string

const (
	// SGD: θ ← θ − η ĝ.
	SGD Method = "sgd"

	// Momentum (Polyak's heavy ball): v ← μv + ĝ, θ ← θ − ηv.
	Momentum Method = "momentum"

	// Adam (Kingma & Ba 2015, Algorithm 1), coordinate by coordinate:
	// m ← β₁m + (1−β₁)ĝ, v ← β₂v + (1−β₂)ĝ²,
	// θ ← θ − η (m/(1−β₁ᵗ))/(√(v/(1−β₂ᵗ)) + ε).
	Adam Method = "adam"
)

// Optimiser turns noisy gradients into steps; it sees nothing else.
type Optimiser struct {
	Method       Method
	LearningRate float64 // η
	Momentum     float64 // μ, for Momentum: 0 ≤ μ < 1
	Beta1, Beta2 float64 // β₁, β₂, for Adam: 0 ≤ β < 1
	Epsilon      float64 // ε, for Adam: > 0, in units of ĝ
}

// NewSGD is plain descent.
func NewSGD(learningRate float64) Optimiser {
	return Optimiser{Method: SGD, LearningRate: learningRate}
}

// NewMomentum is descent with momentum 0.9.
func NewMomentum(learningRate float64) Optimiser {
	return Optimiser{Method: Momentum, LearningRate: learningRate, Momentum: 0.9}
}

// NewAdam has the constants of Kingma & Ba, 0.9, 0.999 and 1e-8.
func NewAdam(learningRate float64) Optimiser {
	return Optimiser{
		Method:       Adam,
		LearningRate: learningRate,
		Beta1:        0.9,
		Beta2:        0.999,
		Epsilon:      1e-8,
	}
}

func (o Optimiser) validate() error {
	below1 := func(field string, x float64) error {
		if x >= 0 && x < 1 {
			return nil
		}
		return &privacy.ParameterError{
			Field: "optimiser." + field,
			Value: privacy.Number(x),
			Want:  "from 0 to below 1",
		}
	}
	errs := []error{privacy.CheckPositive("optimiser.learning_rate", o.LearningRate)}
	switch o.Method {
	case SGD:
	case Momentum:
		errs = append(errs, below1("momentum", o.Momentum))
	case Adam:
		errs = append(
			errs, below1("beta1", o.Beta1), below1("beta2", o.Beta2),
			privacy.CheckPositive("optimiser.epsilon", o.Epsilon),
		)
	default:
		return &privacy.ParameterError{
			Field: "optimiser.method",
			Value: strconv.Quote(string(o.Method)),
			Want:  `"sgd", "momentum" or "adam"`,
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// descent is an optimiser at work.
type descent struct {
	Optimiser
	theta, first, second []float64
	power1, power2       float64 // β₁ᵗ, β₂ᵗ
}

func newDescent(o Optimiser, dimension int) *descent {
	d := &descent{Optimiser: o, theta: make([]float64, dimension), power1: 1, power2: 1}
	if o.Method != SGD {
		d.first = make([]float64, dimension)
	}
	if o.Method == Adam {
		d.second = make([]float64, dimension)
	}
	return d
}

// step moves theta against the noisy gradient g. Products are rounded before
// they are added, so that no processor fuses the two.
func (d *descent) step(g []float64) {
	theta := d.theta[:len(g)]
	switch d.Method {
	case SGD:
		for j, x := range g {
			theta[j] -= float64(d.LearningRate * x)
		}
	case Momentum:
		first := d.first[:len(g)]
		for j, x := range g {
			first[j] = float64(d.Momentum*first[j]) + x
			theta[j] -= float64(d.LearningRate * first[j])
		}
	case Adam:
		d.power1 *= d.Beta1
		d.power2 *= d.Beta2
		rate := d.LearningRate / (1 - d.power1)
		scale := 1 / (1 - d.power2)
		first, second := d.first[:len(g)], d.second[:len(g)]
		for j, x := range g {
			first[j] = float64(d.Beta1*first[j]) + float64((1-d.Beta1)*x)
			second[j] = float64(d.Beta2*second[j]) + float64((1-d.Beta2)*x*x)
			theta[j] -= float64(rate*first[j]) / (math.Sqrt(float64(second[j]*scale)) + d.Epsilon)
		}
	}
}
