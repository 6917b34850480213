package ledger

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// counts is what a purchase of bounds does; parts what one of categories does.
func counts(scale float64, changes int) privacy.Event {
	return several(changes, privacy.DiscreteLaplace{
		Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: scale,
	})
}

func parts(epsilon, delta float64, columns int) privacy.Event {
	return several(columns, privacy.ApproximateDP{
		Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: delta,
	})
}

func several(count int, event privacy.Event) privacy.Event {
	return privacy.Composition{
		Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: event, Count: count}},
	}
}

// A schema from a file cannot say that what is in it was bought for less than the ledger knows.
func TestNothingWasBoughtForLessThanItsChargeCost(t *testing.T) {
	for name, c := range map[string]struct {
		event          privacy.Event
		epsilon, delta float64
	}{
		"bounds of one column":      {counts(10, 1), 0.1, 0},
		"bounds of three columns":   {counts(7, 3), 3.0 / 7, 0},
		"bounds of seven":           {counts(23, 7), 7.0 / 23, 0},
		"categories of one column":  {parts(0.25, 1e-7, 1), 0.25, 1e-7},
		"categories of two columns": {parts(0.125, 1e-8, 2), 0.25, 2e-8},
	} {
		l, id := opened(t, privacy.Guarantee{Epsilon: 4, Delta: 1e-4, Adjacency: privacy.AddRemove})
		charge := boughtFor(t, l, id, c.event, ForBounds)
		check := func(epsilon, delta float64) error {
			own, err := l.CheckBought(ctx, id, charge, epsilon, delta)
			assert.True(t, own, name)
			return err
		}
		require.NoError(t, check(c.epsilon, c.delta), name)
		require.NoError(t, check(2*c.epsilon, c.delta), name)
		var under *UnderpricedError
		require.ErrorAs(t, check(c.epsilon*0.999, c.delta), &under, name)
		assert.ErrorContains(t, under, "cost more", name)
		require.ErrorAs(t, check(1e-9, c.delta), &under, name)
		if c.delta > 0 {
			require.ErrorAs(t, check(c.epsilon, c.delta/2), &under, name)
			require.ErrorAs(t, check(c.epsilon, 0), &under, name)
		}
	}
}

// What was bought under other neighbours is not known to cost so little under these: where a record
// is replaced it may cost twice as much.
func TestNothingWasBoughtUnderOtherNeighbours(t *testing.T) {
	l, id := opened(t, privacy.Guarantee{Epsilon: 4, Delta: 1e-4, Adjacency: privacy.AddRemove})
	charge := boughtFor(t, l, id, counts(10, 1), ForBounds)
	budget := privacy.Guarantee{Epsilon: 4, Delta: 1e-4, Adjacency: privacy.ReplaceOne}
	replaced, err := l.Create(ctx, content("a,b\n5,6\n"), "replaced", &budget)
	require.NoError(t, err)
	own, err := l.CheckBought(ctx, replaced.ID, charge, 0.1, 0)
	assert.False(t, own)
	var other *OtherNeighboursError
	require.ErrorAs(t, err, &other)
	assert.Equal(t, privacy.AddRemove, other.Theirs)
	assert.Equal(t, privacy.ReplaceOne, other.Mine)
	assert.ErrorContains(t, err, "By this ledger, what that cost holds where a record is added or "+
		"removed, and the budget of this data set holds where a record is replaced. What both")
	_, err = l.CheckBought(ctx, id, charge, 0.1, 0)
	require.NoError(t, err)
}

// boughtFor reserves what a purchase costs, and returns the charge's name.
func boughtFor(t *testing.T, l *Ledger, id string, event privacy.Event, purpose string) string {
	t.Helper()
	c, err := l.Reserve(ctx, id, event, purpose)
	require.NoError(t, err)
	return c.ID
}

// Bounds come from no fit, however little that cost.
func TestBoundsAreBoughtByAPurchaseOfBounds(t *testing.T) {
	l, id := opened(t, privacy.Guarantee{Epsilon: 4, Delta: 1e-4, Adjacency: privacy.AddRemove})
	for purpose, fits := range map[string]bool{
		ForBounds: true, ForCategories: true, "fit": false, "": false, "scorecard": false,
	} {
		own, err := l.CheckBought(ctx, id, boughtFor(t, l, id, counts(20, 1), purpose), 1, 0)
		assert.True(t, own, purpose)
		var no *NoPurchaseError
		assert.Equal(t, !fits, errors.As(err, &no), purpose)
		if fits {
			assert.NoError(t, err)
		} else {
			assert.Equal(t, purpose, no.Purpose)
		}
	}
}

// A charge of other people is not the data set's own, until both are said to be the same people;
// and it is not cheaper than it was for being another's.
func TestACheckSaysWhetherTheAccountHasTheCharge(t *testing.T) {
	budget := privacy.Guarantee{Epsilon: 4, Delta: 1e-4, Adjacency: privacy.AddRemove}
	l, id := opened(t, budget)
	mine := boughtFor(t, l, id, counts(10, 1), ForBounds)
	other, err := l.Create(ctx, content("a,b\n3,4\n"), "other", &budget)
	require.NoError(t, err)
	theirs := boughtFor(t, l, other.ID, counts(10, 1), ForBounds)
	is := func(want bool, set, charge string) {
		t.Helper()
		own, err := l.CheckBought(ctx, set, charge, 0.1, 0)
		require.NoError(t, err)
		assert.Equal(t, want, own)
	}
	is(true, id, mine)
	is(true, other.ID, theirs)
	is(false, id, theirs)
	is(false, id, "of another ledger")
	var under *UnderpricedError
	_, err = l.CheckBought(ctx, id, theirs, 0.05, 0)
	require.ErrorAs(t, err, &under)
	_, err = l.CheckBought(ctx, "no data set", mine, 0.1, 0)
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)

	_, err = l.Same(ctx, content("a,b\n3,4\n"), id, false)
	require.NoError(t, err)
	for _, set := range []string{id, other.ID} {
		is(true, set, mine)
		is(true, set, theirs)
	}
}
