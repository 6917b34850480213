package crosscheck

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// outcome is a privacy loss and its probability under the first of two neighbours.
type outcome struct{ loss, mass float64 }

// between draws log-uniformly.
func (d *draw) between(low, high float64) float64 { return low * math.Pow(high/low, d.next()) }

// few draws an event of finitely many outcomes, with their law, and the mass at +∞. Both
// directions have the same.
func (d *draw) few() (event privacy.Event, law []outcome, infinite float64) {
	const a = privacy.AddRemove
	pair := func(epsilon, mass float64) []outcome {
		high := 1 / (1 + math.Exp(-epsilon))
		return []outcome{{epsilon, mass * high}, {-epsilon, mass * (1 - high)}}
	}
	switch d.below(4) {
	case 0:
		k, truth := 2+d.below(6), 0.01+0.98*d.next()
		rest := (1 - truth) / float64(k-1)
		loss := math.Log(truth / rest)
		return privacy.RandomisedResponse{Adjacency: a, Categories: k, Truth: truth},
			[]outcome{{loss, truth}, {-loss, rest}, {0, 1 - truth - rest}}, 0
	case 1:
		epsilon := d.between(1e-3, 20)
		return privacy.PureDP{Adjacency: a, Epsilon: epsilon}, pair(epsilon, 1), 0
	case 2:
		epsilon, delta := d.between(1e-3, 10), d.between(1e-12, 0.3)
		return privacy.ApproximateDP{Adjacency: a, Epsilon: epsilon, Delta: delta},
			pair(epsilon, 1-delta), delta
	}
	shift, sigma, total := 1+float64(d.below(4)), d.between(0.3, 6), 0.0
	reach := math.Ceil(38 * sigma)
	for x := -reach; x <= reach; x++ {
		mass := math.Exp(-x * x / (2 * sigma * sigma))
		law, total = append(law, outcome{(shift*shift - 2*shift*x) / (2 * sigma * sigma), mass}),
			total+mass
	}
	for i := range law {
		law[i].mass /= total
	}
	return privacy.DiscreteGaussian{Adjacency: a, Sensitivity: int(shift), Sigma: sigma}, law, 0
}

// normal is Φ.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// smooth draws an event with a density, and the profiles of its two directions at every
// real ε. It is nil for none.
func (d *draw) smooth() (event privacy.Event, profiles [2]func(epsilon float64) float64) {
	const a = privacy.AddRemove
	both := func(f func(float64) float64) [2]func(float64) float64 {
		return [2]func(float64) float64{f, f}
	}
	nothing := func(epsilon float64) float64 { return math.Max(0, -math.Expm1(epsilon)) }
	switch d.below(4) {
	case 0:
		mu := d.between(1e-3, 20)
		profile := func(t float64) float64 {
			return math.Max(0, normal(mu/2-t/mu)-math.Exp(t)*normal(-mu/2-t/mu))
		}
		return privacy.Gaussian{Adjacency: a, Sensitivity: mu, Sigma: 1}, both(profile)
	case 1:
		r := d.between(1e-3, 20)
		profile := func(t float64) float64 {
			if t <= -r {
				return nothing(t)
			}
			return math.Max(0, -math.Expm1((t-r)/2))
		}
		return privacy.Laplace{Adjacency: a, Sensitivity: r, Scale: 1}, both(profile)
	case 2:
		q, s := d.between(1e-5, 0.99), d.between(0.2, 30)
		// where the ratio of the mixture to N(0, s²) is e^t
		at := func(t float64) float64 { return s*s*math.Log((math.Expm1(t)+q)/q) + 0.5 }
		mixed := func(x float64) float64 { // above x
			return q*normal((1-x)/s) + (1-q)*normal(-x/s)
		}
		return privacy.SubsampledGaussian{Adjacency: a, Rate: q, NoiseMultiplier: s, Steps: 1},
			[2]func(float64) float64{func(t float64) float64 {
				if t <= math.Log1p(-q) {
					return nothing(t)
				}
				return math.Max(0, mixed(at(t))-math.Exp(t)*normal(-at(t)/s))
			}, func(t float64) float64 {
				if -t <= math.Log1p(-q) {
					return 0
				}
				x := at(-t)
				return math.Max(0, normal(x/s)-math.Exp(t)*(1-mixed(x)))
			}}
	}
	return nil, both(nothing)
}

// A composition of events of few outcomes and one with a density has the exact profile
// E[δ(ε − ℓ)], ℓ the loss of the outcomes and δ the profile of the other. No method is below
// it, and no lower end above: alone, and inside a tested release, whose failure adds to it. (20
// compositions, 5 with -short; CLOISTER_AUDIT=long: 1000.)
func TestMixedCompositionsHoldTheirExactProfiles(t *testing.T) {
	events := 20
	if testing.Short() {
		events = 5
	}
	if long() {
		events = 1000
	}
	random, asked := draw(20), 0
	for range events {
		law, infinite := []outcome{{0, 1}}, 0.0
		var parts []privacy.Part
		for range 1 + random.below(2) {
			event, one, lost := random.few()
			var product []outcome
			for _, x := range law {
				for _, y := range one {
					product = append(product, outcome{x.loss + y.loss, x.mass * y.mass})
				}
			}
			law, infinite = product, infinite+lost-infinite*lost
			parts = append(parts, privacy.Part{Event: event, Count: 1})
		}
		density, profiles := random.smooth()
		if density != nil {
			parts = append(parts, privacy.Part{Event: density, Count: 1})
		}
		exact := func(epsilon float64) float64 {
			worst := 0.0
			for _, profile := range profiles {
				sum := 0.0
				for _, x := range law {
					sum += x.mass * profile(epsilon-x.loss)
				}
				worst = math.Max(worst, sum)
			}
			return worst + infinite
		}
		var event privacy.Event = privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts}
		failure := 0.0
		if random.below(3) == 0 {
			failure = random.between(1e-10, 0.1)
			event = privacy.ProposeTestRelease{
				Test: parts[0].Event, Failure: failure,
				Release: privacy.Composition{Adjacency: privacy.AddRemove, Parts: parts[1:]},
			}
		}
		for _, method := range []account.Method{account.Auto, account.Distribution, account.Renyi} {
			price, err := account.Of(event, method, pld.Options{})
			if err != nil {
				continue
			}
			near, far := random.between(0.01, 10), random.between(1e-6, 40)
			for _, epsilon := range []float64{0, near, far} {
				asked++
				want := math.Min(1, failure+exact(epsilon))
				got := math.Exp(price.LogDeltaUpper(epsilon))
				require.GreaterOrEqual(
					t, got, want*(1-1e-9)-1e-15, "%s at %v of %+v", method, epsilon, event,
				)
				if price.Certified != nil && failure == 0 {
					interval, err := price.Certified.Delta(epsilon)
					require.NoError(t, err)
					require.LessOrEqual(
						t, math.Exp(interval.LogLower), want*(1+1e-9)+1e-15, "%+v", event,
					)
				}
			}
			delta := random.between(1e-10, 0.5)
			epsilon, err := price.EpsilonUpper(delta)
			require.NoError(t, err)
			if !math.IsInf(epsilon, 1) {
				require.LessOrEqual(
					t, failure+exact(epsilon), delta*(1+1e-9)+1e-15, "%s of %+v", method, event,
				)
			}
		}
	}
	assert.Greater(t, asked, 4*events, "most are answered")
}
