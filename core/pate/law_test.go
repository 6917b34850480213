package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// union is the sum of the probabilities that each other class is ahead of the plurality.
func union(counts []int, sigma float64) float64 {
	most, sum := 0, 0.0
	for j, n := range counts {
		if n > counts[most] {
			most = j
		}
	}
	for j, n := range counts {
		if j != most {
			sum += math.Erfc(float64(counts[most]-n)/(2*sigma)) / 2
		}
	}
	return sum
}

func TestGoldenVotes(t *testing.T) {
	for _, c := range votesGolden {
		for j, p := range Law(c.counts, c.sigma) {
			near(t, c.p[j], p, 1e-7)
		}
		q := union(c.counts, c.sigma)
		assert.InDelta(t, c.logUnion, math.Log(q), 1e-7)
		forward, backward := Divergences(c.counts, c.sigma, c.orders)
		for i, alpha := range c.orders {
			near(t, c.forward[i], forward[i], 1e-7)
			near(t, c.backward[i], backward[i], 1e-7)
			near(t, c.simple[i], Simple(q, c.sigma, alpha), 1e-7)
			above(t, c.twoTails[i], TwoTails(q, c.sigma, alpha))
			if papernot, ok := Papernot(math.Log(q), c.sigma, alpha); ok {
				near(t, c.papernot[i], papernot, 1e-7)
			} else {
				assert.True(t, math.IsNaN(c.papernot[i]), "%+v", c)
			}
		}
	}
}

// Two classes have a closed form.
func TestLawOfTwoClasses(t *testing.T) {
	for _, gap := range []int{0, 1, 5, 40, 200} {
		p := Law([]int{300 + gap, 300}, 20)
		assert.InEpsilon(t, math.Erfc(float64(gap)/40)/2, p[1], 1e-10)
	}
}

// ptr.md §9: forward divergence ≤ two tails ≤ simple, Papernot's where it applies, and α/σ²; on
// random votes of two to five classes.
func TestBoundsAreAboveTheTruth(t *testing.T) {
	random := newDice(1)
	orders := []float64{1.1, 2, 5, 12, 30}
	applies := 0
	for range 150 {
		counts := make([]int, 2+random.IntN(4))
		for j := range counts {
			counts[j] = random.IntN(60)
		}
		counts[0] += random.IntN(150)
		sigma := 2 + 40*random.Float64()
		q := union(counts, sigma)
		forward, _ := Divergences(counts, sigma, orders)
		for i, alpha := range orders {
			bound := TwoTails(q, sigma, alpha)
			assert.LessOrEqual(t, forward[i], bound*(1+1e-9)+1e-15, "%v σ = %g α = %g", counts, sigma, alpha)
			assert.LessOrEqual(t, bound, Simple(q, sigma, alpha)*(1+1e-4)+1e-15)
			assert.LessOrEqual(t, bound, Independent(sigma, alpha))
			if papernot, ok := Papernot(math.Log(q), sigma, alpha); ok {
				applies++
				assert.LessOrEqual(t, Simple(q, sigma, alpha), papernot*(1+1e-9)+1e-15)
			}
		}
	}
	assert.Greater(t, applies, 100)
}

// The bounds hold forward alone: votes of 90 to 10 have a larger divergence the other way, so
// that a theorem that asks for both is about nothing here (ptr.md §1.1).
func TestBoundsHoldForwardAlone(t *testing.T) {
	forward, backward := Divergences([]int{90, 10}, 10, []float64{8})
	bound := TwoTails(union([]int{90, 10}, 10), 10, 8)
	assert.InDelta(t, 3.71e-7, forward[0], 0.01e-7)
	assert.InDelta(t, 7.29e-7, backward[0], 0.01e-7)
	assert.Less(t, bound, backward[0])
	assert.Greater(t, bound, forward[0])
}

func BenchmarkDivergences(b *testing.B) {
	for range b.N {
		Divergences([]int{375, 9, 3, 11, 1, 1, 0, 0, 0, 0}, 40, []float64{20})
	}
}
