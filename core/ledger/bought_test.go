package ledger

import (
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
		charge := bought(t, l, id, c.event, "").ID
		check := func(epsilon, delta float64) error {
			return l.CheckBought(ctx, charge, epsilon, delta)
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
		assert.NoError(t, l.CheckBought(ctx, "of another ledger", 1e-9, 0), name)
	}
}
