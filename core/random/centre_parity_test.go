package random

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
)

// On {−1, 1}^d with a loss of 1 on the points of even parity, or on none, the claim of the proximal
// centre is tight: points there are 2 apart, a record shifts the weight by T/4, and the share of
// even outputs falls from 1/2 to e^(−ε)/2 (nonconvex §4). The draws are those that fits use.
func TestReferenceProximalCentreIsTightOnParity(t *testing.T) {
	runs := 60_000
	if testing.Short() {
		runs = 6_000
	}
	for i, c := range golden.OfKind[referenceO](t, "O", "proximal-centre-parity") {
		d, epsilon := c.Params.D, c.Params.Epsilon
		near(t, c.Expected.EvenNeighbour, math.Exp(-epsilon)/2, c.ID)
		const shift = 1 << 10
		centre, err := NewLatticeCentre(epsilon, shift, d, 1)
		require.NoError(t, err)
		source, y := randomtest.New(uint64(500+i)), make([]int64, d)
		even := [2]int{}
		for range runs {
			_, err := centre.Draw(source, y)
			require.NoError(t, err)
			// Without a loss w_j is the sign of y_j, −1 of 0, and to turn one costs 2|y_j|.
			parity, cheapest := true, int64(math.MaxInt64)
			for _, v := range y {
				if v <= 0 {
					parity = !parity
				}
				cheapest = min(cheapest, 2*max(v, -v))
			}
			for side, loss := range []int64{0, 4 * shift} {
				if parity && cheapest >= loss {
					even[side]++
				}
			}
		}
		for side, p := range []float64{c.Expected.Even, c.Expected.EvenNeighbour} {
			// A step of the lattice is 1/4096 of a record, and a tie counts for one side.
			error5 := 5*math.Sqrt(p*(1-p)/float64(runs)) + 2e-3
			assert.InDelta(t, p, float64(even[side])/float64(runs), error5, "%s %d", c.ID, side)
		}
	}
}
