package ledger

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// An account of a file is taken in in a time that grows with its length, whatever it says of
// releases and of its former names: here each release was paid for twice, by charges far from one
// another, and each account here is one of many.
func TestALongFileIsTakenInSoon(t *testing.T) {
	nativetest.Only(t)
	for name, prepare := range map[string]func(many int) (work func()){
		"charges": func(charges int) func() {
			d := &Dataset{ID: "long"}
			for i := range charges {
				d.Charges = append(d.Charges, Charge{
					ID: "charge " + strconv.Itoa(i), Event: gaussian(1e9), State: Committed,
					Digest: "release " + strconv.Itoa(i%(charges/2)), elsewhere: true,
				})
			}
			b := newBook()
			return func() {
				b.replace(&merged{set: d})
				require.Len(t, b.digests, charges/2)
			}
		},
		"former names": func(names int) func() {
			mine, theirs := &Dataset{ID: "mine"}, &Dataset{ID: "theirs"}
			for i := range names {
				mine.Also = append(mine.Also, "a "+strconv.Itoa(i))
				theirs.Also = append(theirs.Also, "b "+strconv.Itoa(i))
			}
			return func() {
				joined, _, err := join(mine, theirs, false)
				require.NoError(t, err)
				require.Len(t, joined.Also, 2*names+1)
			}
		},
		"accounts": func(accounts int) func() {
			b := newBook()
			var all, again []*merged
			for i := range accounts {
				d := &Dataset{ID: strconv.Itoa(i)}
				all = append(all, &merged{set: d})
				again = append(again, &merged{set: d.copy(), old: []*Dataset{d}})
			}
			b.replace(all...)
			return func() {
				b.replace(again...)
				require.Len(t, b.sets, accounts)
			}
		},
	} {
		nativetest.Linear(t, name, 40_000, prepare)
	}
}
