package ledger

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// An account of a file is taken in in a time that grows with its length, whatever it says of
// releases: here each was paid for twice, by charges far from one another.
func TestALongAccountIsTakenInSoon(t *testing.T) {
	nativetest.Only(t)
	took := func(charges int) float64 {
		d := &Dataset{ID: "long"}
		for i := range charges {
			d.Charges = append(d.Charges, Charge{
				ID: "charge " + strconv.Itoa(i), Event: gaussian(1e9), State: Committed,
				Digest: "release " + strconv.Itoa(i%(charges/2)), elsewhere: true,
			})
		}
		b := newBook()
		start := time.Now()
		b.replace(d)
		taken := time.Since(start).Seconds()
		require.Len(t, b.digests, charges/2)
		return taken
	}
	least := math.Inf(1)
	for range 4 {
		least = math.Min(least, took(40_000)/took(5_000))
	}
	require.Less(t, least, 25.0, "of 8 times as many charges")
}
