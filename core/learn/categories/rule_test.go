package categories

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closed is π(n) in closed form, the second half of the paper's Theorem 1: growth
// by e^ε up to n₁, then the mirror image down from 1.
func closed(n int, epsilon, delta float64) float64 {
	e := math.Exp(epsilon)
	first := 1 + math.Floor(math.Log((e+2*delta-1)/((e+1)*delta))/epsilon)
	rising := func(n float64) float64 { return math.Expm1(n*epsilon) / math.Expm1(epsilon) * delta }
	if float64(n) <= first {
		return rising(float64(n))
	}
	m := float64(n) - first
	at := rising(first)
	return min(1, -math.Expm1(-m*epsilon)*(1+delta/math.Expm1(epsilon))+math.Exp(-m*epsilon)*at)
}

var rules = []struct{ epsilon, delta float64 }{
	{
		1,
		1e-5,
	}, {0.3, 1e-7}, {0.1, 1e-6}, {0.02, 1e-9}, {3, 1e-8}, {8, 1e-5}, {30, 1e-6}, {0.5, 0.05},
	{1, 0.4}, {0.001, 1e-3},
}

func TestTheRuleIsTheClosedForm(t *testing.T) {
	for _, r := range rules {
		list := keep(r.epsilon, r.delta)
		require.NotNil(t, list, "%v", r)
		require.Zero(t, list[0])
		require.Equal(t, uint64(certain), list[len(list)-1])
		for n, p := range list {
			want := closed(n, r.epsilon, r.delta)
			got := float64(p) / certain
			// Roundings of 2^-32 in e^ε add up over the steps.
			require.InDelta(t, want, got, 1e-9+want*float64(n)*0x1p-30, "%v at %d", r, n)
		}
	}
}

// The inequalities of the theorem, for the whole numbers that are used, with
// exponentials of 300 bits, and how much of them is left unused.
func TestTheRuleHoldsWhatTheTheoremAsks(t *testing.T) {
	worst := 0.0
	for _, r := range rules {
		list := keep(r.epsilon, r.delta)
		growth := exponential(r.epsilon)
		delta := scaled(r.delta)
		for n := 1; n < len(list); n++ {
			p, q := whole(list[n-1]), whole(list[n])
			require.True(t, p.Cmp(q) < 0)
			for _, pair := range [][2]*big.Float{{p, q}, {less(q), less(p)}} {
				bound := new(big.Float).SetPrec(200).Mul(growth, pair[0])
				bound.Add(bound, delta)
				require.True(t, pair[1].Cmp(bound) <= 0, "%v at %d", r, n)
			}
			// How near the nearer of the two comes to its bound, relatively.
			first := new(big.Float).SetPrec(200).Mul(growth, p)
			first.Sub(first.Add(first, delta), q)
			second := new(big.Float).SetPrec(200).Mul(growth, less(q))
			second.Sub(second.Add(second, delta), less(p))
			if second.Cmp(first) < 0 {
				first = second
			}
			gap, _ := first.Quo(first, scaled(1)).Float64()
			if q.Cmp(whole(certain)) < 0 {
				worst = max(worst, gap*math.Exp(-r.epsilon))
			}
		}
	}
	assert.Less(t, worst, 1e-8, "the rule is all but optimal")
	assert.Positive(t, worst)
}

func whole(n uint64) *big.Float { return new(big.Float).SetPrec(200).SetUint64(n) }

func less(p *big.Float) *big.Float { return new(big.Float).SetPrec(200).Sub(whole(certain), p) }

func scaled(x float64) *big.Float {
	return new(big.Float).SetPrec(200).Mul(new(big.Float).SetFloat64(x), whole(certain))
}

// exponential is e^x from its series, of halves of x squared back.
func exponential(x float64) *big.Float {
	const halvings = 12
	small := new(big.Float).SetPrec(300).SetFloat64(x)
	small.SetMantExp(small, -halvings)
	sum, term := new(big.Float).SetPrec(300).SetInt64(1), new(big.Float).SetPrec(300).SetInt64(1)
	for k := int64(1); k < 80; k++ {
		term.Mul(term, small)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// A noisy histogram with a threshold is (ε, δ)-DP too, and keeps no category with a
// larger probability: P[n + noise ≥ T], discrete Laplace noise of scale 1/ε, T the
// least with P[1 + noise ≥ T] ≤ δ.
func TestNoThresholdKeepsMore(t *testing.T) {
	more := 0
	for _, r := range rules {
		q := math.Exp(-r.epsilon)
		above := func(m float64) float64 { // P[noise ≥ m]
			if m <= 0 {
				return 1 - math.Pow(q, 1-m)/(1+q)
			}
			return math.Pow(q, m) / (1 + q)
		}
		threshold := 2.0
		for above(threshold-1) > r.delta {
			threshold++
		}
		list := keep(r.epsilon, r.delta)
		for n := 1; n < len(list); n++ {
			other := above(threshold - float64(n))
			require.GreaterOrEqual(t, float64(list[n])/certain, other-1e-7, "%v at %d", r, n)
			if float64(list[n])/certain > other+1e-3 {
				more++
			}
		}
	}
	assert.Greater(t, more, 100, "and some with a larger one")
}

func TestRulesThatAreNone(t *testing.T) {
	assert.Nil(t, keep(1, 0x1p-63), "a δ below the unit")
	assert.Nil(t, keep(1e-9, 1e-12), "a rule that keeps nothing of a million records")
	assert.Equal(
		t, []uint64{0, certain / 2, certain}, keep(700, 0.5), "e^ε beyond the largest factor",
	)
}
