package objective

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/special"
)

// Every formula a second way: the closed forms and the branch-wise integrals
// against a plain quadrature of the privacy loss over v, which knows nothing
// but LossFunction.

type named struct {
	name      string
	direction direction
	loss      LossFunction
}

func everyDirection() []named {
	list := []named{
		{"gaussian 0.27", gaussianDirection{0.27}, gaussianLoss{0.27}},
		{"gaussian 3", gaussianDirection{3}, gaussianLoss{3}},
		{"half 0.1, 0.4", halfNormalDirection{0.1, 0.4}, halfNormalLoss{0.1, 0.4}},
		{"half 0, 2", halfNormalDirection{0, 2}, halfNormalLoss{0, 2}},
		{"cut 0, 0.27", cutDirection(0, 0.27), cutLoss(0, 0.27)},
		{"cut 0.3, 2", cutDirection(0.3, 2), cutLoss(0.3, 2)},
	}
	for _, s := range settings {
		d := logisticDirection(s[0], s[1], s[2], s[3], math.Log1p(s[0]*s[0]/4/s[2]))
		list = append(list, named{"logistic", d, d.envelopeLoss})
		h := hingeLoss(s[0], s[1], s[2], s[3])
		list = append(list, named{"rounded hinge", &envelopeDirection{envelopeLoss: h}, h})
	}
	return list
}

// overNormal integrates φ(v)·f(v) with panels that end at the places.
func overNormal(t *testing.T, f func(v float64) float64, places ...float64) float64 {
	t.Helper()
	var knots []float64
	for v := -13.0; v <= 15; v++ {
		knots = append(knots, v)
	}
	for _, v := range places {
		for _, h := range []float64{-0.03, -0.003, 0, 0.003, 0.03} {
			if v+h > -13 && v+h < 15 {
				knots = append(knots, v+h)
			}
		}
	}
	slices.Sort(knots)
	value, _, err := special.Adaptive(
		func(v float64) float64 { return special.NormalDensity(v) * f(v) }, knots, 1e-10, 0,
	)
	require.NoError(t, err)
	return value
}

// kinks lists where a loss changes its formula.
func kinks(loss LossFunction) []float64 {
	e, ok := loss.(*envelopeLoss)
	if !ok {
		return nil
	}
	places := []float64{e.flatEnd, e.linearStart}
	for _, b := range e.branches {
		places = append(places, b.vLow, b.vHigh)
	}
	return places
}

func TestProfilesAreTheIntegralOfTheirLoss(t *testing.T) {
	for _, d := range everyDirection() {
		for _, epsilon := range []float64{-2, -0.2, 0, 0.05, 0.7, 3} {
			want := overNormal(t, func(v float64) float64 {
				return math.Max(0, -math.Expm1(epsilon-d.loss.Loss(v)))
			}, append(kinks(d.loss), d.loss.Level(epsilon))...)
			if want < 1e-25 {
				continue // beyond the reach of this quadrature
			}
			assert.InEpsilon(
				t, want, math.Exp(d.direction.logDelta(epsilon)), 1e-9, "%s %+v at ε = %v", d.name,
				d.loss, epsilon,
			)
		}
	}
}

func TestCompositionWithGaussianIsTheMeanOverIt(t *testing.T) {
	var directions []named
	for i, d := range everyDirection() {
		// each value of these profiles is an integral itself
		if i < 6 || i%4 == 1 {
			directions = append(directions, d)
		}
	}
	directions = append(directions,
		named{"kifer", kiferDirection{0.3, 0.2}, nil}, named{"kifer", kiferDirection{5, 0.2}, nil},
		named{"twice", withGaussian{halfNormalDirection{0.1, 0.4}, 0.3}, nil})
	for _, d := range directions {
		for _, muOut := range []float64{0.01, 0.5} {
			for _, epsilon := range []float64{-0.3, 1} {
				// δ(ε − w) has kinks where ε − w passes a kink of the profile.
				var places []float64
				at := func(x float64) { places = append(places, (epsilon-x-muOut*muOut/2)/muOut) }
				at(0)
				switch loss := d.loss.(type) {
				case halfNormalLoss:
					at(loss.c + loss.mu*loss.mu/2)
				case *envelopeLoss:
					at(loss.base)
					for _, v := range kinks(loss) {
						at(loss.Loss(v))
					}
				}
				if k, ok := d.direction.(kiferDirection); ok {
					at(k.turning())
				}
				want := overNormal(t, func(u float64) float64 {
					return math.Exp(d.direction.logDelta(epsilon - muOut*muOut/2 - muOut*u))
				}, places...)
				if want < 1e-25 {
					continue
				}
				got := math.Exp(d.direction.logDeltaWithGaussian(epsilon, muOut))
				assert.InEpsilon(
					t, want, got, 1e-8, "%s %+v, μ_out = %v at ε = %v", d.name, d.loss, muOut,
					epsilon,
				)
			}
		}
	}
}

func TestRenyiIsTheMomentOfTheLoss(t *testing.T) {
	for _, d := range everyDirection() {
		r, ok := d.direction.(interface{ renyi(float64) float64 })
		if !ok {
			continue // the Gaussian's αμ²/2
		}
		for _, alpha := range []float64{1 + 1e-9, 1.01, 1.7, 4} {
			s := alpha - 1
			top := d.loss.Loss(15)
			if s*top > 60 {
				continue // the tilted mass leaves the window
			}
			moment := overNormal(
				t,
				func(v float64) float64 { return math.Expm1(s * d.loss.Loss(v)) },
				kinks(d.loss)...)
			assert.InEpsilon(
				t, math.Log1p(moment)/s, r.renyi(alpha), 1e-8, "%s %+v at α = %v", d.name, d.loss,
				alpha,
			)
		}
	}
}

// For χ₂ and χ₃ the moment is elementary.
func TestChiMoment(t *testing.T) {
	for _, s := range []float64{1e-6, 1e-3, 0.3, 0.99, 1.01, 3, 12} {
		mass := math.Exp(s*s/2) * special.NormalCDF(s)
		two := math.Log1p(s * math.Sqrt(2*math.Pi) * mass)
		assert.InEpsilon(t, two, newChiMoment(2).log(s), 1e-11, "χ₂ at %v", s)
		if s > 0.1 {
			three := math.Log(math.Sqrt(2/math.Pi)*s + 2*(1+s*s)*mass)
			assert.InEpsilon(t, three, newChiMoment(3).log(s), 1e-12, "χ₃ at %v", s)
		}
	}
	// In many dimensions Z is near √d and nearly normal: E e^{sZ} ≈ e^{s·E[Z] + s²/4}.
	d := 1_000_000
	mean := math.Sqrt2 * special.GammaHalfStep(float64(d)/2)
	for _, s := range []float64{1e-4, 0.5, 2} {
		assert.InEpsilon(t, s*mean+s*s/4, newChiMoment(d).log(s), 1e-6)
	}
}
