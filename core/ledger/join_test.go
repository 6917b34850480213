package ledger

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Two ledgers with a common past: each exported to the other, in either order,
// both have all charges of both, in their furthest state.
func TestTwoLedgersComeTogetherWithoutLoss(t *testing.T) {
	here, id := opened(t, budget)
	shared, err := here.Reserve(ctx, id, gaussian(40), "shared")
	require.NoError(t, err)
	past, err := here.Export(ctx)
	require.NoError(t, err)
	there := New(&Memory{}, nil)
	_, err = there.Import(ctx, past, false)
	require.NoError(t, err)

	require.NoError(t, there.Commit(ctx, shared.ID, "done there"))
	bought(t, here, id, gaussian(41), "here")
	bought(t, there, id, gaussian(42), "there")

	fileHere, err := here.Export(ctx)
	require.NoError(t, err)
	fileThere, err := there.Export(ctx)
	require.NoError(t, err)
	what, err := here.Import(ctx, fileThere, false)
	require.NoError(t, err)
	assert.Equal(t, Merged{Added: 1, Committed: 1, Changed: true}, what)
	what, err = there.Import(ctx, fileHere, false)
	require.NoError(t, err)
	assert.Equal(t, Merged{Added: 1, Changed: true}, what)

	var states []map[string]string
	var spent []float64
	for _, l := range []*Ledger{here, there} {
		d, err := l.Dataset(ctx, id)
		require.NoError(t, err)
		state := map[string]string{}
		for _, c := range d.Charges {
			state[c.ID] = string(c.State) + " " + c.Digest
			assert.False(t, c.Opening, "each side may have known what the other did not")
		}
		states = append(states, state)
		epsilon, _, err := d.Spent()
		require.NoError(t, err)
		spent = append(spent, epsilon)
	}
	assert.Len(t, states[0], 3)
	assert.Equal(t, states[0], states[1])
	assert.InDelta(t, spent[0], spent[1], 1e-12)
}

// Charges that two ledgers made without knowing of each other may be too much
// together: they all stand, nothing more is afforded, and it is said.
func TestTogetherTooMuch(t *testing.T) {
	here, id := opened(t, budget)
	past, err := here.Export(ctx)
	require.NoError(t, err)
	there := New(&Memory{}, nil)
	_, err = there.Import(ctx, past, false)
	require.NoError(t, err)
	bought(t, here, id, fit(t, 0.9, 1e-5), "here")
	bought(t, there, id, fit(t, 0.9, 1e-5), "there")
	file, err := there.Export(ctx)
	require.NoError(t, err)
	_, err = here.Import(ctx, file, false)
	require.NoError(t, err)
	d, err := here.Dataset(ctx, id)
	require.NoError(t, err)
	assert.Len(t, d.Charges, 2)
	spent, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Exceeded, condition)
	assert.Greater(t, spent, 1.0)
	_, err = here.Reserve(ctx, id, gaussian(1e6), "")
	var exceeded *ExceededError
	require.ErrorAs(t, err, &exceeded)
}

func TestBudgetsThatDiffer(t *testing.T) {
	other := func(g privacy.Guarantee) ([]byte, string, *Ledger) {
		here, id := opened(t, budget)
		file, err := here.Export(ctx)
		require.NoError(t, err)
		return signed(t, file, func(tree map[string]any) {
			tree["datasets"].([]any)[0].(map[string]any)["budget"] = budgetTree(g)
		}), id, here
	}
	file, id, l := other(privacy.Guarantee{Epsilon: 2, Delta: 1e-6, Adjacency: privacy.AddRemove})
	_, err := l.Import(ctx, file, false)
	var conflict *BudgetConflictError
	require.ErrorAs(t, err, &conflict)
	assert.Contains(t, err.Error(), "keep the smaller")
	what, err := l.Import(ctx, file, true)
	require.NoError(t, err)
	assert.Equal(t, Merged{Budgets: 1, Changed: true}, what)
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	assert.Equal(
		t, privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: privacy.AddRemove}, *d.Budget,
	)

	file, _, l = other(privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.ReplaceOne})
	_, err = l.Import(ctx, file, true)
	require.ErrorAs(t, err, &conflict)
	assert.Contains(t, err.Error(), "cannot be put together")
}

func TestAChargeIsOneThing(t *testing.T) {
	l, id := opened(t, budget)
	bought(t, l, id, gaussian(20), "one")
	file, err := l.Export(ctx)
	require.NoError(t, err)
	charge := func(tree map[string]any) map[string]any {
		return tree["datasets"].([]any)[0].(map[string]any)["charges"].([]any)[0].(map[string]any)
	}
	var conflict *ChargeConflictError
	_, err = l.Import(
		ctx,
		signed(
			t, file,
			func(tree map[string]any) { charge(tree)["event"].(map[string]any)["sigma"] = 21.0 },
		),
		true,
	)
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, "events", conflict.What)
	_, err = l.Import(
		ctx, signed(t, file, func(tree map[string]any) { charge(tree)["digest"] = "two" }), true,
	)
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, "releases", conflict.What)
	_, err = l.Import(ctx, signed(t, file, func(tree map[string]any) {
		tree["datasets"].([]any)[0].(map[string]any)["id"] = "elsewhere"
	}), true)
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, "data sets", conflict.What)
}

// Accounts that were put together in one ledger come together in another that
// still has them apart.
func TestPuttingTogetherTravels(t *testing.T) {
	here, first := opened(t, budget)
	second, err := here.Create(ctx, content("second"), "second", &budget)
	require.NoError(t, err)
	bought(t, here, first, gaussian(30), "a")
	bought(t, here, second.ID, gaussian(31), "b")
	apart, err := here.Export(ctx)
	require.NoError(t, err)
	there := New(&Memory{}, nil)
	_, err = there.Import(ctx, apart, false)
	require.NoError(t, err)
	_, err = here.Same(ctx, content("second"), first, false)
	require.NoError(t, err)
	together, err := here.Export(ctx)
	require.NoError(t, err)
	what, err := there.Import(ctx, together, false)
	require.NoError(t, err)
	assert.True(t, what.Changed)
	sets, err := there.Datasets(ctx)
	require.NoError(t, err)
	require.Len(t, sets, 1)
	assert.Len(t, sets[0].Charges, 2)
	// And a file from before takes nothing apart.
	what, err = here.Import(ctx, apart, false)
	require.NoError(t, err)
	assert.Equal(t, Merged{}, what)
}

// join loses nothing, changes nothing when repeated, and gives the same charges
// in the same states whichever way round and however grouped.
func TestJoinIsAUnion(t *testing.T) {
	make := func(choices []byte) *Dataset {
		d := &Dataset{ID: "d", Name: "d"}
		for i, choice := range choices {
			if choice&1 == 0 {
				continue
			}
			c := Charge{
				ID:      string(rune('a' + i)),
				Event:   gaussian(20 + float64(i)),
				State:   Reserved,
				Opening: choice&4 != 0,
			}
			if choice&2 != 0 {
				c.State, c.Digest = Committed, c.ID
			}
			d.Charges = append(d.Charges, c)
		}
		return d
	}
	states := func(d *Dataset) map[string]State {
		out := map[string]State{}
		for _, c := range d.Charges {
			out[c.ID] = c.State
		}
		return out
	}
	together := func(a, b *Dataset) *Dataset {
		out, _, err := join(a, b, false)
		require.NoError(t, err)
		return out
	}
	for seed := range 300 {
		text := script(int64(seed), 24)
		a, b, c := make(text[:8]), make(text[8:16]), make(text[16:])
		want := states(a)
		for _, d := range []*Dataset{b, c} {
			for id, state := range states(d) {
				if want[id] != Committed {
					want[id] = state
				}
			}
		}
		left, right := together(together(a, b), c), together(a, together(b, c))
		require.True(t, maps.Equal(want, states(left)))
		require.True(t, maps.Equal(want, states(right)))
		require.True(t, maps.Equal(want, states(together(together(c, b), a))))
		for _, d := range []*Dataset{a, b, c} {
			require.Equal(
				t, comparable([]*Dataset{left}), comparable([]*Dataset{together(left, d)}),
			)
		}
		// A charge counts as opening only if one of the two is all there is.
		ab := together(a, b)
		whole := maps.Equal(states(ab), states(a)) || maps.Equal(states(ab), states(b))
		for _, c := range ab.Charges {
			require.False(t, c.Opening && !whole)
		}
	}
}
