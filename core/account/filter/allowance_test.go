package filter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/privacy"
)

// A filter's limits are below what its theorem has, by their rounding; each spent to
// the last bit is the budget.
func TestAllowanceOfLimits(t *testing.T) {
	budget := privacy.Guarantee{Epsilon: 1.3, Delta: 1e-6, Adjacency: privacy.AddRemove}
	f, err := New(budget, 0)
	require.NoError(t, err)
	one := f.spentOf[0]
	require.NotEmpty(t, one.orders)
	best := one.orders[0] // and others that have room at all, at other distances from 1
	for k, alpha := range one.orders {
		weight := 1.0
		if alpha == best {
			weight = 12
		}
		log := curve.LogDeltaAtOrder(alpha, one.limits[k], budget.Epsilon)
		short := math.Log(budget.Delta*weight/16) - log
		assert.Greater(t, short, 2e-13*(alpha-1)*one.limits[k], "order %v", alpha)
	}
	o, err := NewOdometer(privacy.AddRemove, 1e-6)
	require.NoError(t, err)
	for k, alpha := range o.spentOf[0].orders {
		log := curve.ClassicLogDeltaAtOrder(alpha, o.spentOf[0].limits[k], o.epsilons[k])
		short := math.Log(1e-6/float64(len(o.epsilons))) - log
		assert.Greater(t, short, 2e-13*(alpha-1)*o.spentOf[0].limits[k], "rung %v", o.epsilons[k])
	}
	assert.True(t, math.IsInf(curve.CertifiedRenyi(math.NaN()), 1))
	next, room := one.with(func(float64) float64 { return math.NaN() })
	assert.False(t, room, "%v", next)
}

// A limit that is next to nothing is below what its theorem has too, though its terms
// are not: they cancel at some budget.
func TestAllowanceOfALimitNextToNothing(t *testing.T) {
	at := func(epsilon float64) *Filter {
		f, err := New(
			privacy.Guarantee{Epsilon: epsilon, Delta: 1e-6, Adjacency: privacy.AddRemove}, 0,
		)
		require.NoError(t, err)
		return f
	}
	low, high := 0.1, 30.0 // the least distance from 1 has room at high alone
	count := len(at(high).spentOf[0].orders)
	require.Less(t, len(at(low).spentOf[0].orders), count)
	for range 100 {
		if middle := (low + high) / 2; len(at(middle).spentOf[0].orders) < count {
			low = middle
		} else {
			high = middle
		}
	}
	f := at(high)
	one := f.spentOf[0]
	least := 0
	for k := range one.limits {
		if one.limits[k] < one.limits[least] {
			least = k
		}
	}
	alpha := one.orders[least]
	require.Less(t, one.limits[least], 1e-9*high)
	short := math.Log(1e-6/16) - curve.LogDeltaAtOrder(alpha, one.limits[least], high)
	assert.Greater(t, short, 0x1p-50*(alpha-1)*high)
}

// A limit is below what its theorem has, in 400 bits, where its order is next to 1 too.
func TestAllowanceOfLimitsNextToOrderOne(t *testing.T) {
	for _, delta := range []float64{1e-6, 0.5, 0.999, 0.999997, 1 - 1e-9} {
		for _, epsilon := range []float64{1e-3, 1, 30, 1e4, 1e6, 1e8} {
			f, err := New(
				privacy.Guarantee{Epsilon: epsilon, Delta: delta, Adjacency: privacy.AddRemove}, 0,
			)
			require.NoError(t, err)
			one := f.spentOf[0]
			for k, alpha := range one.orders {
				share := golden.Over(golden.Big(delta), golden.Big(16))
				if k == 0 {
					share = golden.Times(share, golden.Big(12))
				}
				at := golden.EpsilonAtOrder(
					golden.Big(alpha), golden.Big(one.limits[k]), golden.Log(share),
				)
				assert.Negative(
					t, at.Cmp(golden.Big(epsilon)), "ε %v, δ %v, α %v", epsilon, delta, alpha,
				)
			}
		}
	}
}
