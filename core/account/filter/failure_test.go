package filter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// Failures under a neighbour are charged e^ε times, ε that of the budget, and are afforded only
// within the mass that was set aside: to the last bit of it, by 400-bit arithmetic.
func TestAllowanceOfFailuresOfAFilter(t *testing.T) {
	afforded := 0
	trials := 60
	if testing.Short() {
		trials = 15 // as many natively
	}
	for k := range trials {
		promised := privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 1e-6}
		event := privacy.NegativeBinomialSelection{
			Base: privacy.ProposeTestRelease{
				Test: promised, Release: promised,
				Failure:   1e-9 / float64(3+k),
				Neighbour: 1e-9 / float64(7+k),
			}, Eta: 1, Gamma: 0.5,
		}
		failures, _ := selection.WithoutFailures(event)
		require.Positive(t, failures.There)
		total := budget
		total.Epsilon = 1 + float64(k)/7
		exact := golden.Plus(golden.Big(failures.Here), golden.Times(
			golden.Big(failures.There), golden.Exp(golden.Big(total.Epsilon)),
		))
		mass := golden.Float(exact)
		for range 3 {
			mass = math.Nextafter(mass, 0)
		}
		for range 40 {
			f, err := New(total, mass)
			require.NoError(t, err)
			if f.Affords(event) == nil {
				afforded++
				require.LessOrEqual(t, exact.Cmp(golden.Big(mass)), 0, "%v", event)
			}
			mass = math.Nextafter(mass, 1)
		}
		f, err := New(total, mass*(1+1e-12))
		require.NoError(t, err)
		require.NoError(t, f.Affords(event))
	}
	t.Logf("%d afforded next to the mass", afforded)
	assert.Less(t, afforded, 60*40)
}
