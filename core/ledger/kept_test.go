package ledger

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// What was bought and never shown is there for whoever opens the ledger next: a
// charge is committed if and only if its release is kept.
func TestAReleaseIsKeptWithItsCharge(t *testing.T) {
	store, l, d, c := reserved(t, gaussian(20))
	var unknown *UnknownError
	_, _, err := l.Kept(ctx, c.ID)
	require.ErrorAs(t, err, &unknown, "nothing came out yet")
	release := map[string]any{"format": "x", "values": []any{1.5, "a\"b", true}}
	before := len(store.entries)
	digest, err := l.CommitRelease(ctx, c.ID, release)
	require.NoError(t, err)
	assert.Len(t, store.entries, before+1, "one entry, so both or neither")
	want, err := Digest(release)
	require.NoError(t, err)
	assert.Equal(t, want, digest)
	_, err = l.CommitRelease(ctx, c.ID, release)
	require.NoError(t, err, "again the same")
	assert.Len(t, store.entries, before+1)
	var conflict *ChargeConflictError
	_, err = l.CommitRelease(ctx, c.ID, map[string]any{})
	require.ErrorAs(t, err, &conflict)

	for _, ledger := range []*Ledger{l, New(store, nil)} {
		again, charge, err := ledger.Kept(ctx, c.ID)
		require.NoError(t, err)
		assert.Equal(t, release, again)
		assert.Equal(t, Committed, charge.State)
		assert.Equal(t, digest, charge.Digest)
		d, err = ledger.Dataset(ctx, d.ID)
		require.NoError(t, err)
		assert.True(t, d.Charges[0].Kept())
	}

	// It stays where the account goes, and is in no file.
	other, err := l.Create(ctx, content("y"), "y", &budget)
	require.NoError(t, err)
	_, err = l.Same(ctx, content("x"), other.ID, false)
	require.NoError(t, err)
	again, _, err := l.Kept(ctx, c.ID)
	require.NoError(t, err)
	assert.Equal(t, release, again)
	file, err := l.Export(ctx)
	require.NoError(t, err)
	assert.NotContains(t, string(file), "values")
	assert.Contains(t, string(file), c.ID)
}

func TestAReleaseThatIsNotKept(t *testing.T) {
	l, id := opened(t, budget)
	c, err := l.Reserve(ctx, id, gaussian(20), "test")
	require.NoError(t, err)
	_, err = l.CommitRelease(ctx, c.ID, func() {})
	require.Error(t, err)
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, Reserved, d.Charges[0].State)
	digest, err := l.CommitRelease(ctx, c.ID, strings.Repeat("x", MaxKept))
	require.NoError(t, err)
	_, _, err = l.Kept(ctx, c.ID)
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)
	paid, _, err := l.PaidBy(ctx, digest)
	require.NoError(t, err)
	assert.Equal(t, c.ID, paid.ID)
}

// A release that was changed where it is kept is not handed out.
func TestAKeptReleaseIsTheOneThatWasCommitted(t *testing.T) {
	store, l, _, c := reserved(t, gaussian(20))
	_, err := l.CommitRelease(ctx, c.ID, map[string]any{"max": 90.0})
	require.NoError(t, err)
	last := &store.entries[len(store.entries)-1]
	whole := *last
	for _, damage := range []string{`{\"max\":91}`, `{\"max\":`} {
		*last = strings.Replace(whole, `{\"max\":90}`, damage, 1)
		require.NotEqual(t, whole, *last)
		release, _, err := New(store, nil).Kept(ctx, c.ID)
		var damaged *DamageError
		require.ErrorAs(t, err, &damaged)
		assert.Nil(t, release)
	}
}

// A charge that was changed by hand, so that it costs less than what is kept with it says, is found
// out: where the ledger is read, and, where a file says it of a release that somebody has, when it
// is asked who paid.
func TestAChargeIsForTheEventThatItsReleaseSays(t *testing.T) {
	cheap := privacy.EncodeEvent(gaussian(1e40))
	noise := func(scale float64) privacy.Event {
		return privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{{
			Count: 2, Event: privacy.DiscreteLaplace{
				Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: scale,
			},
		}}}
	}
	for name, of := range map[string]func(size float64) privacy.Event{
		"a release": gaussian, "an evaluation": noise,
	} {
		event := privacy.EncodeEvent(of(20))
		release := map[string]any{"event": event, "values": []any{1.0}}
		if name == "an evaluation" {
			release = map[string]any{"event": cheap, "evaluation": map[string]any{"event": event}}
		}
		store, l, _, c := reserved(t, of(20))
		file, err := l.Export(ctx)
		require.NoError(t, err)
		digest, err := l.CommitRelease(ctx, c.ID, release)
		require.NoError(t, err, name)
		_, _, err = l.Paid(ctx, release)
		require.NoError(t, err, name)

		edited := &Memory{entries: slices.Clone(store.entries)}
		for k, entry := range edited.entries {
			if strings.Contains(entry, `"kind":"reserve"`) {
				edited.entries[k] = strings.NewReplacer(
					`"sigma":20`, `"sigma":1000000`, `"scale":20`, `"scale":1000000`,
				).Replace(entry)
				require.NotEqual(t, entry, edited.entries[k])
			}
		}
		var damaged *DamageError
		_, err = New(edited, nil).Datasets(ctx)
		require.ErrorAs(t, err, &damaged, name)

		forged := signed(t, file, func(tree map[string]any) {
			charge := member(tree, "datasets", "charges")
			charge["state"], charge["digest"] = "committed", digest
			charge["event"] = privacy.EncodeEvent(of(1e6))
		})
		there := New(&Memory{}, nil)
		_, err = there.Import(ctx, forged, false)
		require.NoError(t, err, name)
		_, _, err = there.Paid(ctx, release)
		require.ErrorAs(t, err, &damaged, name)
	}
	_, l, _, c := reserved(t, gaussian(20))
	_, err := l.CommitRelease(ctx, c.ID, map[string]any{"event": cheap})
	var damaged *DamageError
	require.ErrorAs(t, err, &damaged)
	_, err = l.CommitRelease(ctx, c.ID, map[string]any{"event": "what was done, in words"})
	require.ErrorAs(t, err, &damaged)
}

// Entries of the version before this are read, and new ones go behind them.
func TestEntriesThatKeptNoReleases(t *testing.T) {
	text, err := os.ReadFile("testdata/entries-v1.txt")
	require.NoError(t, err)
	store := &Memory{entries: strings.Split(strings.TrimSpace(string(text)), "\n")}
	l := New(store, nil)
	sets, err := l.Datasets(ctx)
	require.NoError(t, err)
	require.Len(t, sets, 1)
	require.Len(t, sets[0].Charges, 1)
	assert.Equal(t, Committed, sets[0].Charges[0].State)
	c, err := l.Reserve(ctx, sets[0].ID, gaussian(20), "test")
	require.NoError(t, err)
	_, err = l.CommitRelease(ctx, c.ID, map[string]any{"max": 90.0})
	require.NoError(t, err)
	d, err := New(store, nil).Dataset(ctx, sets[0].ID)
	require.NoError(t, err)
	assert.False(t, d.Charges[0].Kept())
	assert.True(t, d.Charges[1].Kept())
}

// A charge for one part of what a release did, such as one class of several, costs less than all
// of it: it is not the release's. The parts' events stand in the release too.
func TestAPartOfAnEventPaysForNoRelease(t *testing.T) {
	part := privacy.EncodeEvent(gaussian(20))
	whole := map[string]any{
		"mechanism": "composition", "adjacency": "add-remove",
		"parts": []any{map[string]any{"event": part, "count": 3.0}},
	}
	for name, c := range map[string]struct {
		release map[string]any
		paid    bool
	}{
		"its own":     {map[string]any{"event": part, "z": "\\\"}{"}, true},
		"after texts": {map[string]any{"a": "{[\"", "b": []any{"\\"}, "event": part}, true},
		"in an evaluation's place": {
			map[string]any{"event": whole, "evaluation": map[string]any{"event": part}}, false,
		},
		"one of the parts": {map[string]any{"event": whole}, false},
		"of something else": {
			map[string]any{"event": whole, "a": map[string]any{"event": part}}, false,
		},
		"by a name that ends so": {map[string]any{"event": whole, `a"event`: part}, false},
	} {
		_, l, _, charge := reserved(t, gaussian(20))
		_, err := l.CommitRelease(ctx, charge.ID, c.release)
		if c.paid {
			require.NoError(t, err, name)
			continue
		}
		var damage *DamageError
		require.ErrorAs(t, err, &damage, name)
	}
}
