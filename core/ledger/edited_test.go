package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// written is a store with a life behind it: charges, releases, one that was refused, one that is
// still out, contents put together and a file taken in.
func written(t *testing.T, random chance) *Memory {
	t.Helper()
	store := &Memory{}
	l := New(store, nil)
	there := New(&Memory{}, nil)
	shared, err := there.Create(ctx, content("one"), "one", &budget)
	require.NoError(t, err)
	ids := []string{}
	for _, name := range []string{"one", "two"} {
		d, err := l.Create(ctx, content(name), name, &budget)
		require.NoError(t, err)
		ids = append(ids, d.ID)
	}
	for range 2 + random.IntN(5) {
		event := gaussian([]float64{5, 20, 60}[random.IntN(3)])
		c, err := l.Reserve(ctx, ids[random.IntN(len(ids))], event, "fit")
		if err != nil {
			continue
		}
		switch random.IntN(5) {
		case 0:
		case 1:
			require.NoError(t, l.Commit(ctx, c.ID, ""))
		default:
			_, err := l.CommitRelease(ctx, c.ID, map[string]any{
				"event": privacy.EncodeEvent(event), "name": newID(),
			})
			require.NoError(t, err)
		}
		if random.IntN(4) == 0 {
			bought(t, there, shared.ID, gaussian(40), newID())
			file, err := there.Export(ctx)
			require.NoError(t, err)
			_, err = l.Import(ctx, file, true)
			require.NoError(t, err)
		}
		if random.IntN(6) == 0 {
			_, err := l.Same(ctx, content(newID()), ids[random.IntN(len(ids))], true)
			require.NoError(t, err)
		}
	}
	return store
}

// edit changes a list of entries by hand: whole entries, or several fields of one.
func edit(t *testing.T, random chance, entries []string) []string {
	t.Helper()
	entries = slices.Clone(entries)
	k := random.IntN(len(entries))
	switch random.IntN(6) {
	case 0:
		return slices.Delete(entries, k, k+1)
	case 1:
		return slices.Insert(entries, random.IntN(len(entries)+1), entries[k])
	case 2:
		other := random.IntN(len(entries))
		entries[k], entries[other] = entries[other], entries[k]
		return entries
	}
	var tree map[string]any
	require.NoError(t, json.Unmarshal([]byte(entries[k]), &tree))
	var other map[string]any
	require.NoError(t, json.Unmarshal([]byte(entries[random.IntN(len(entries))]), &other))
	for range 1 + random.IntN(3) {
		names := slices.Sorted(maps.Keys(tree))
		name := names[random.IntN(len(names))]
		switch random.IntN(6) {
		case 0:
			delete(tree, name)
		case 1:
			tree[name] = nil
		case 2, 3:
			if value, there := other[name]; there {
				tree[name] = value
			}
		case 4:
			tree[name] = []any{
				"", 0.0, -1.0, 1e308, true, []any{}, map[string]any{}, newID(),
			}[random.IntN(8)]
		default:
			if event, is := tree["event"].(map[string]any); is {
				event["sigma"] = []any{1e40, 1.0, 1e-300, "inf"}[random.IntN(4)]
			}
			if budget, is := tree["budget"].(map[string]any); is {
				budget["epsilon"] = []any{1e300, 1e-9, 3.0}[random.IntN(3)]
				budget["delta"] = []any{0.9, 1e-9, 1.0}[random.IntN(3)]
			}
		}
		if len(tree) == 0 {
			break
		}
	}
	text, err := json.Marshal(tree)
	require.NoError(t, err)
	entries[k] = string(text)
	return entries
}

// A store that somebody edited is refused, or what is said of it is what its entries come to: every
// charge is in one account, nothing is left that they cost, and what is handed out is a release
// that says the charge's event and has its digest. Nothing stops the program.
func TestAStoreEditedByHandIsNoBetter(t *testing.T) {
	trials := 1500
	if testing.Short() {
		trials = 80
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		trials = 10000
	}
	random := chance{randomtest.New(31)}
	read := 0
	for trial := range trials {
		entries := written(t, random).entries
		for range 1 + random.IntN(3) {
			if len(entries) > 0 {
				entries = edit(t, random, entries)
			}
		}
		l := New(&Memory{entries: entries}, nil)
		says := func() string { return fmt.Sprintf("trial %d: %q", trial, entries) }
		sets, err := l.Datasets(ctx)
		if err != nil {
			continue
		}
		read++
		places := map[string]int{}
		for _, d := range sets {
			for _, c := range d.Charges {
				places[c.ID]++
				if !c.Kept() {
					continue
				}
				release, charge, err := l.Kept(ctx, c.ID)
				if err != nil {
					continue
				}
				digest, err := Digest(release)
				require.NoError(t, err)
				require.Equal(t, charge.Digest, digest, says())
				stated := release.(map[string]any)["event"]
				require.Equal(
					t, canonical(privacy.EncodeEvent(charge.Event)), canonical(stated), says(),
				)
				paid, _, err := l.Paid(ctx, release)
				var found *DamageError
				if errors.As(err, &found) {
					continue // another charge was made to say that it paid for this
				}
				require.NoError(t, err, says())
				require.Equal(t, digest, paid.Digest, says())
			}
			if d.Budget == nil {
				continue
			}
			spent, condition, err := d.Spent()
			require.NoError(t, err, says())
			if d.Budget.Adjacency == privacy.AddRemove && len(d.Charges) > 0 {
				require.LessOrEqual(
					t, costsOf(squareOf(d.Charges), spent), d.Budget.Delta*(1+1e-9)+1e-15, says(),
				)
			}
			if condition != Exceeded {
				require.LessOrEqual(t, spent, d.Budget.Epsilon*(1+1e-12), says())
			}
		}
		for _, text := range entries {
			var tree map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &tree))
			if id, is := tree["charge"].(string); is {
				require.Equal(t, 1, places[id], says())
			}
		}
		for id, count := range places {
			require.Equal(t, 1, count, "%s: %s", id, says())
		}
	}
	t.Logf("%d of %d were read", read, trials)
	assert.Greater(t, read, trials/20)
	assert.Less(t, read, trials*9/10)
}
