package pld

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// A line of e^ε between two vertices is rounded up, however near they are.
func TestAllowanceOfEnvelopes(t *testing.T) {
	nativetest.Only(t)
	random := uint64(1)
	next := func() float64 {
		random = random*6364136223846793005 + 1442695040888963407
		return float64(random>>11) / (1 << 53)
	}
	least := math.Inf(1)
	for i := range 4000 {
		wide := math.Exp(-25 * next())
		a := vertex{2*next() - 1, next()}
		b := vertex{a.epsilon + wide, a.y * next()}
		if i%3 == 0 {
			b.y = a.y * (1 - 0x1p-40*next())
		}
		epsilon := a.epsilon + next()*(b.epsilon-a.epsilon)
		x, y, z := expOf(number(a.epsilon)), expOf(number(epsilon)), expOf(number(b.epsilon))
		exact := plus(number(b.y), over(
			times(minus(number(a.y), number(b.y)), minus(z, y)), minus(z, x),
		))
		above := float(over(minus(number(a.between(b, epsilon)), exact), exact))
		require.Greater(t, above, 0.0, "%v, %v at %v", a, b, epsilon)
		require.Less(t, above, 0x1p-47)
		least = math.Min(least, above)
	}
	assert.Less(t, least, 0x1p-49, "not all of it is room to spare")
}

// What is asked of a profile is rounded up, on both sides of 0.
func TestAllowanceOfVertices(t *testing.T) {
	like, err := objective.Of(
		privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 1}, objective.BoundAuto,
	)
	require.NoError(t, err)
	p := &promise{profile: like}
	seen := 0
	for _, v := range p.ask(3) {
		log := like.LogDeltaUpper(math.Abs(v.epsilon))
		exact := expOf(number(log))
		if v.epsilon < 0 {
			// 1 − e^ε + e^ε·δ(−ε)
			e := expOf(number(v.epsilon))
			exact = plus(minus(number(1), e), times(e, exact))
		}
		above := float(over(minus(number(v.y), exact), exact))
		require.Greater(t, above, 0.0, v.epsilon)
		require.Less(t, above, 0x1p-47, v.epsilon)
		seen++
	}
	assert.Greater(t, seen, mostPoints)
}

// No order of the ladder makes less of a Rényi curve than the best order does, and the
// ladder not much more: 1/1000 of δ.
func TestTheLadderIsAsGoodAsTheBestOrder(t *testing.T) {
	for _, mu := range []float64{1e-6, 0.03, 1, 7} {
		l := newLadder(func(alpha float64) float64 { return alpha * mu * mu / 2 })
		exact := concentratedProfile(mu * mu / 2)
		for _, units := range []float64{0.5, 2, 5, 20} {
			epsilon := units * (mu + mu*mu/2)
			best := exact.LogDeltaUpper(epsilon)
			got := l.LogDeltaUpper(epsilon)
			assert.GreaterOrEqual(
				t,
				got,
				best-1e-10*(1+math.Abs(best)),
				"μ = %v at %v",
				mu,
				epsilon,
			)
			assert.LessOrEqual(t, got, best*(1-1e-4)+1e-3, "μ = %v at %v", mu, epsilon)
		}
		assert.Less(t, len(l.known), 200)
		assert.Zero(t, l.LogDeltaUpper(math.NaN()))
	}
}
