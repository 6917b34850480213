package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

var (
	ctx    = context.Background()
	budget = privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
)

func content(text string) Identity {
	var c Content
	c.Begin()
	c.Write([]byte(text))
	return c.Sum()
}

func gaussian(sigma float64) privacy.Event {
	return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
}

// fit is the event of a logistic fit calibrated to (epsilon, delta).
func fit(t testing.TB, epsilon, delta float64) privacy.Event {
	t.Helper()
	event, err := calibrate.Minima(calibrate.MinimaRequest{
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: delta, Adjacency: privacy.AddRemove},
		Loss:      privacy.LossLogistic, RowNorm: 1, Smoothness: 0.25, Dimension: 10,
		Bound: objective.BoundAuto,
	})
	require.NoError(t, err)
	return event
}

// opened is a ledger with one data set.
func opened(t testing.TB, budget privacy.Guarantee) (*Ledger, string) {
	t.Helper()
	l := New(&Memory{}, nil)
	d, err := l.Create(ctx, content("a,b\n1,2\n"), "table", &budget)
	require.NoError(t, err)
	return l, d.ID
}

// bought reserves and commits.
func bought(t testing.TB, l *Ledger, id string, event privacy.Event, digest string) Charge {
	t.Helper()
	c, err := l.Reserve(ctx, id, event, "test")
	require.NoError(t, err)
	require.NoError(t, l.Commit(ctx, c.ID, digest))
	return c
}

// reserved is a ledger with one charge in it whose release is not there yet, and where it is
// kept.
func reserved(t testing.TB, event privacy.Event) (*Memory, *Ledger, *Dataset, Charge) {
	t.Helper()
	store := &Memory{}
	l := New(store, nil)
	d, err := l.Create(ctx, content("x"), "x", &budget)
	require.NoError(t, err)
	c, err := l.Reserve(ctx, d.ID, event, "test")
	require.NoError(t, err)
	return store, l, d, c
}

// openAccount asserts that an account is open, and returns its price as a whole and what is
// spent of it one by one.
func openAccount(t testing.TB, l *Ledger, id string) (total Price, spent float64) {
	t.Helper()
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	spent, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Open, condition)
	total, err = d.Total()
	require.NoError(t, err)
	return total, spent
}
