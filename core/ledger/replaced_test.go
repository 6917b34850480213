package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tab that has read a list may find another one in its place, as long or longer: somebody
// cleared the site's data in another tab, took in an export, and went on. What was charged there
// counts here.
func TestAListInThePlaceOfAnotherIsReadFromItsBeginning(t *testing.T) {
	for _, more := range []int{0, 1, 5} {
		store := &Memory{}
		here := New(store, nil)
		d, err := here.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		file, err := here.Export(ctx)
		require.NoError(t, err)
		for range 2 {
			bought(t, here, d.ID, gaussian(400), newID())
		}
		length := len(store.entries)

		store.entries = nil
		there := New(store, nil)
		_, err = there.Import(ctx, file, false)
		require.NoError(t, err)
		bought(t, there, d.ID, gaussian(5), newID())
		for len(store.entries) < length+more {
			_, err = there.Reserve(ctx, d.ID, gaussian(400), "test")
			require.NoError(t, err)
		}

		want, err := there.Dataset(ctx, d.ID)
		require.NoError(t, err)
		got, err := here.Dataset(ctx, d.ID)
		require.NoError(t, err)
		assert.Equal(t, want.Charges, got.Charges, "%d more", more)
		_, err = here.Reserve(ctx, d.ID, gaussian(5), "test")
		assert.IsType(t, &ExceededError{}, err, "%d more", more)
		_, err = New(store, nil).Datasets(ctx)
		assert.NoError(t, err)
	}
}
