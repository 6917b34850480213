package crosscheck

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// gaussianDelta is the exact δ of two Gaussians whose means are so many deviations apart, at any
// real ε (Balle & Wang 2018, Theorem 8).
func gaussianDelta(mu, epsilon float64) float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	if mu == 0 {
		return math.Max(0, -math.Expm1(epsilon))
	}
	second := normal(-mu/2 - epsilon/mu)
	if second > 0 {
		second *= math.Exp(epsilon)
	}
	return math.Max(0, normal(mu/2-epsilon/mu)-second)
}

// sums are steps of noisy gradient descent in a tiny universe: the first two sums of gradients,
// each with Gaussian noise, from θ = 0 on. A step goes Rate along the noisy sum. The gradient of a
// record at θ is written down here, and clipped here.
type sums struct {
	universe
	classes int     // 0 for one vector; else the softmax of so many, whose θ is a number each
	clip    float64 // C
	rate    float64
	sigmas  []float64
}

// dimension of θ.
func (s sums) dimension() int { return max(1, s.classes) }

// gradient of a table's clipped losses at θ.
func (s sums) gradient(table []int, theta []float64) []float64 {
	total := make([]float64, s.dimension())
	for i, x := range s.records {
		one := make([]float64, s.dimension())
		if s.classes == 0 {
			slope, _ := s.slope(x[0]*theta[0], math.Abs(x[0]))
			one[0] = slope * x[0]
		} else { // of class 0: (p − e₀)·x
			sum := 0.0
			for k, t := range theta {
				one[k] = math.Exp(t * x[0])
				sum += one[k]
			}
			for k := range one {
				one[k] /= sum
			}
			one[0]--
			for k := range one {
				one[k] *= x[0]
			}
		}
		square := 0.0
		for _, g := range one {
			square += g * g
		}
		share := math.Min(1, s.clip/math.Max(1e-300, math.Sqrt(square)))
		for k, g := range one {
			total[k] += float64(table[i]) * share * g
		}
	}
	return total
}

// distance of two vectors.
func distance(a, b []float64) float64 {
	square := 0.0
	for k := range a {
		square += (a[k] - b[k]) * (a[k] - b[k])
	}
	return math.Sqrt(square)
}

// delta is the exact δ(ε) of two tables, of one step or two. Given the first noisy sum s, with
// log-likelihood ratio ℓ(s), the second is a Gaussian at one of two places: so
//
//	δ(ε) = ∫ p(s)·δ_G(ε − ℓ(s); ‖∇(θ(s)) − ∇'(θ(s))‖/σ₂) ds,   θ(s) = −Rate·s,
//
// summed over a grid of s around the first table's sum.
func (s sums) delta(a, b []int, noise, epsilon float64) float64 {
	start := make([]float64, s.dimension())
	here, there := s.gradient(a, start), s.gradient(b, start)
	first := noise * s.sigmas[0]
	if len(s.sigmas) == 1 {
		return gaussianDelta(distance(here, there)/first, epsilon)
	}
	const reach = 8.0
	cells := s.cells
	h := 2 * reach / float64(cells)
	points := int(math.Pow(float64(cells), float64(s.dimension())) + 0.5)
	at, theta, total := make([]float64, s.dimension()), make([]float64, s.dimension()), 0.0
	for point := range points {
		square := 0.0
		for k, rest := 0, point; k < len(at); k++ {
			z := -reach + h*(float64(rest%cells)+0.5)
			rest /= cells
			square += z * z
			at[k] = here[k] + first*z
			theta[k] = -s.rate * at[k]
		}
		other := distance(at, there) / first
		mass := math.Exp(-square/2) * math.Pow(h/math.Sqrt(2*math.Pi), float64(len(at)))
		mu := distance(s.gradient(a, theta), s.gradient(b, theta)) / (noise * s.sigmas[1])
		total += mass * gaussianDelta(mu, epsilon-(other*other-square)/2)
	}
	return total
}

// steps is what they are charged as.
func (s sums) steps() privacy.GradientDescent {
	sensitivity := s.clip
	if s.event.Adjacency == privacy.ReplaceOne {
		sensitivity *= 2
	}
	return privacy.GradientDescent{
		Adjacency: s.event.Adjacency, Sensitivity: sensitivity, Sigmas: s.sigmas,
	}
}

// pairsOf calls with every two neighbours, in either order.
func (u universe) pairsOf(visit func(a, b []int)) {
	tables := u.tables()
	for _, a := range tables {
		for _, b := range tables {
			if neighbours(a, b, u.event.Adjacency) {
				visit(a, b)
				visit(b, a)
			}
		}
	}
}

// furthest is the largest δ of any two neighbours, at each ε of the universe.
func (s sums) furthest(noise float64) []float64 {
	worst := make([]float64, len(universeEpsilons))
	s.pairsOf(func(a, b []int) {
		for k, epsilon := range universeEpsilons {
			worst[k] = math.Max(worst[k], s.delta(a, b, noise, epsilon))
		}
	})
	return worst
}

// pricesOf is what every method says of an event.
func pricesOf(t *testing.T, event privacy.Event) map[account.Method]account.Price {
	t.Helper()
	found := map[account.Method]account.Price{}
	for _, method := range []account.Method{account.Closed, account.Distribution, account.Renyi} {
		price, err := account.Of(event, method, pld.Options{})
		require.NoError(t, err, method)
		found[method] = price
	}
	return found
}

func stepUniverses() map[string]sums {
	all := map[string]sums{}
	add := func(name string, change func(*sums)) {
		u := universes()["logistic"]
		u.event.Lipschitz, u.cells = 1, 400 // clipped at C instead
		s := sums{universe: u, clip: 0.4, rate: 0.3, sigmas: []float64{0.8, 0.6}}
		if long() {
			s.most, s.cells = 3, 1000
		}
		change(&s)
		all[name] = s
	}
	add("one step", func(s *sums) { s.sigmas = s.sigmas[:1] })
	add("two steps", func(*sums) {})
	add("two steps, one replaced", func(s *sums) { s.event.Adjacency = privacy.ReplaceOne })
	add("two long steps", func(s *sums) { s.rate, s.clip = 4, 1 })
	add("two steps of the hinge", func(s *sums) { s.event.Loss, s.clip = privacy.LossHinge, 0.6 })
	for _, classes := range []int{2, 3} {
		add(fmt.Sprintf("one step of the softmax of %d", classes), func(s *sums) {
			s.classes, s.sigmas, s.clip = classes, s.sigmas[:1], 1
		})
	}
	add("two steps of the softmax", func(s *sums) {
		s.classes, s.clip, s.cells, s.records = 2, 0.6, 40, s.records[:3]
		if long() {
			s.cells = 80
		}
	})
	return all
}

// No two neighbouring tables of a tiny universe are told apart by noisy steps better than any
// method certifies.
func TestStepsOnEveryTableOfATinyUniverseAreWithinTheClaim(t *testing.T) {
	for name, s := range stepUniverses() {
		t.Run(name, func(t *testing.T) {
			worst := s.furthest(1)
			for by, price := range pricesOf(t, s.steps()) {
				assert.Zero(t, exceeded(worst, price.LogDeltaUpper), "%s: %v", by, worst)
			}
		})
	}
}

// Noise that is 3 % too small, steps that are not clipped and a step that is not charged are above
// the claim.
func TestBrokenStepsInATinyUniverseAreAboveTheClaim(t *testing.T) {
	s := stepUniverses()["two steps"]
	price, err := account.Of(s.steps(), account.Auto, pld.Options{})
	require.NoError(t, err)
	assert.Positive(t, exceeded(s.furthest(0.97), price.LogDeltaUpper))

	free := s
	free.clip = 1
	assert.Positive(t, exceeded(free.furthest(1), price.LogDeltaUpper))

	short := s.steps()
	short.Sigmas = short.Sigmas[:1]
	price, err = account.Of(short, account.Auto, pld.Options{})
	require.NoError(t, err)
	assert.Positive(t, exceeded(s.furthest(1), price.LogDeltaUpper))
}

// minimum is where the gradient of a table's objective is 0, which rises with θ: by halving.
func (u universe) minimum(table []int) float64 {
	reach := (float64(u.most)*u.event.Lipschitz + 1) / u.event.Lambda
	low, high := -reach, reach
	for range 100 {
		theta := (low + high) / 2
		sum := u.event.Lambda * theta
		for i, x := range u.records {
			slope, _ := u.slope(x[0]*theta, math.Abs(x[0]))
			sum += float64(table[i]) * slope * x[0]
		}
		if sum > 0 {
			high = theta
		} else {
			low = theta
		}
	}
	return low
}

// The minima of neighbouring tables with noise on them, output perturbation, are within what is
// charged: one Gaussian of sensitivity L/λ, or 2L/λ where a record is replaced (Chaudhuri,
// Monteleoni & Sarwate 2011, Corollary 8, for sums).
func TestMinimaOfEveryTableOfATinyUniverseAreWithinTheClaim(t *testing.T) {
	for name, u := range universes() {
		if u.event.Dimension > 1 {
			continue
		}
		for _, lipschitz := range []float64{u.event.Lipschitz, 0.1} {
			u.event.Lipschitz = lipschitz
			t.Run(fmt.Sprintf("%s, L = %g", name, lipschitz), func(t *testing.T) {
				sensitivity := lipschitz / u.event.Lambda
				if u.event.Adjacency == privacy.ReplaceOne {
					sensitivity *= 2
				}
				event := privacy.Gaussian{
					Adjacency: u.event.Adjacency, Sensitivity: sensitivity,
					Sigma: sensitivity / 1.3,
				}
				furthest := 0.0
				u.pairsOf(func(a, b []int) {
					furthest = math.Max(furthest, math.Abs(u.minimum(a)-u.minimum(b)))
				})
				worst := func(noise float64) (all []float64) {
					for _, epsilon := range universeEpsilons {
						all = append(all, gaussianDelta(furthest/(noise*event.Sigma), epsilon))
					}
					return all
				}
				for by, price := range pricesOf(t, event) {
					assert.Zero(t, exceeded(worst(1), price.LogDeltaUpper), by)
					if lipschitz == 0.1 && by != account.Renyi { // gradients that are all clipped
						assert.Positive(t, exceeded(worst(0.97), price.LogDeltaUpper), by)
					}
				}
			})
		}
	}
}
