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
// releases and of its former names: here each release was paid for twice, by charges far from one
// another, and each account here is one of many.
func TestALongFileIsTakenInSoon(t *testing.T) {
	nativetest.Only(t)
	for name, take := range map[string]func(many int) (seconds float64){
		"charges": func(charges int) float64 {
			d := &Dataset{ID: "long"}
			for i := range charges {
				d.Charges = append(d.Charges, Charge{
					ID: "charge " + strconv.Itoa(i), Event: gaussian(1e9), State: Committed,
					Digest: "release " + strconv.Itoa(i%(charges/2)), elsewhere: true,
				})
			}
			b := newBook()
			start := time.Now()
			b.replace(&merged{set: d})
			taken := time.Since(start).Seconds()
			require.Len(t, b.digests, charges/2)
			return taken
		},
		"former names": func(names int) float64 {
			mine, theirs := &Dataset{ID: "mine"}, &Dataset{ID: "theirs"}
			for i := range names {
				mine.Also = append(mine.Also, "a "+strconv.Itoa(i))
				theirs.Also = append(theirs.Also, "b "+strconv.Itoa(i))
			}
			start := time.Now()
			joined, _, err := join(mine, theirs, false)
			taken := time.Since(start).Seconds()
			require.NoError(t, err)
			require.Len(t, joined.Also, 2*names+1)
			return taken
		},
		"accounts": func(accounts int) float64 {
			b := newBook()
			var all, again []*merged
			for i := range accounts {
				d := &Dataset{ID: strconv.Itoa(i)}
				all = append(all, &merged{set: d})
				again = append(again, &merged{set: d.copy(), old: []*Dataset{d}})
			}
			b.replace(all...)
			start := time.Now()
			b.replace(again...)
			taken := time.Since(start).Seconds()
			require.Len(t, b.sets, accounts)
			return taken
		},
	} {
		least := math.Inf(1)
		for range 4 {
			least = math.Min(least, take(40_000)/take(5_000))
		}
		require.Less(t, least, 25.0, "8 times as many %s", name)
	}
}
