package account

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// failed is Here + e^ε·There in 400-bit arithmetic.
func failed(f selection.Failures, epsilon float64) *big.Float {
	there := golden.Times(golden.Big(f.There), golden.Exp(golden.Big(epsilon)))
	return golden.Plus(golden.Big(f.Here), there)
}

// uniform is a number between two.
func uniform(source *randomtest.Seeded, low, high float64) float64 {
	word, _ := source.Uint64() // the seeded source does not fail
	return low + (high-low)*float64(word>>11)*0x1p-53
}

// What failures add to a δ is rounded up, where log There and ε cancel too: there all of what is
// left may be the rounding of a logarithm of −690.
func TestAllowanceOfFailuresInADelta(t *testing.T) {
	source := randomtest.New(5)
	nearest := math.Inf(1)
	trials := 3000
	if testing.Short() {
		trials = 700 // as many natively
	}
	for range trials {
		f := selection.Failures{There: math.Exp(uniform(source, -690, -1))}
		if uniform(source, 0, 1) < 0.5 {
			f.Here = math.Exp(uniform(source, -690, -1))
		}
		epsilon := -math.Log(f.There) - uniform(source, 1e-9, 3)
		if uniform(source, 0, 1) < 0.3 {
			epsilon *= uniform(source, 0, 1)
		}
		before := uniform(source, -700, -1e-9)
		exact := golden.Plus(golden.Exp(golden.Big(before)), failed(f, epsilon))
		got := withFailures(before, epsilon, f)
		room := golden.Float(golden.Minus(golden.Big(got), golden.Log(exact)))
		if got == 0 && exact.Cmp(golden.Big(1)) >= 0 {
			continue // δ = 1, which is all there is
		}
		require.GreaterOrEqual(t, room, 0.0, "%v at %v beside %v", f, epsilon, before)
		nearest = math.Min(nearest, room)
	}
	t.Logf("least room %v", nearest)
	assert.Less(t, nearest, 1e-12)
}

// An ε that is found for a δ next to what failures take of it leaves the rest what it needs:
// here a rest that tells nothing, so that the whole of its δ is the conversion's.
func TestAllowanceOfFailuresNextToDelta(t *testing.T) {
	nothing := rdp.FromBounds(privacy.AddRemove, func(float64) float64 { return 0 }, nil)
	source := randomtest.New(6)
	answers := 0
	for range 100 {
		here := math.Exp(uniform(source, -30, -1))
		// Less than half a unit in the last place of Here, so that a sum to nearest leaves it out.
		ulp := math.Nextafter(here, 1) - here
		f := selection.Failures{Here: here, There: ulp * uniform(source, 0.3, 0.49)}
		p := Price{Curve: converted{Curve: nothing, failures: f}, Method: Renyi}
		for _, steps := range []float64{1, 2, 3, 30, 40, 100, 1e6} {
			delta := here + steps*ulp
			epsilon, err := p.EpsilonUpper(delta)
			require.NoError(t, err)
			if math.IsInf(epsilon, 1) {
				continue
			}
			answers++
			left := golden.Minus(golden.Big(delta), failed(f, epsilon))
			require.Positive(t, left.Sign())
			needs := curve.LogDeltaFromRenyi(nothing.Added, epsilon)
			require.LessOrEqual(
				t, needs, golden.Float(golden.Log(left))+1e-6, "%v steps from %v", steps, f,
			)
		}
	}
	assert.Greater(t, answers, 100)
}
