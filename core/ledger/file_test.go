package ledger

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exported is a file of two data sets, one with a charge in each state.
func exported(t testing.TB) (*Ledger, []byte) {
	t.Helper()
	l, id := opened(t, budget)
	bought(t, l, id, gaussian(20), "one")
	_, err := l.Reserve(ctx, id, fit(t, 0.1, 1e-6), "fit")
	require.NoError(t, err)
	_, err = l.Create(ctx, content("other"), "other", nil)
	require.NoError(t, err)
	file, err := l.Export(ctx)
	require.NoError(t, err)
	return l, file
}

// signed gives a changed tree the checksum that goes with it.
func signed(t testing.TB, file []byte, change func(tree map[string]any)) []byte {
	t.Helper()
	var tree map[string]any
	require.NoError(t, json.Unmarshal(file, &tree))
	change(tree)
	tree["checksum"] = checksum(tree)
	text, err := json.Marshal(tree)
	require.NoError(t, err)
	return text
}

func comparable(sets []*Dataset) string {
	return canonical(datasetsTree(sets))
}

func TestAFileIsTheWholeLedger(t *testing.T) {
	l, file := exported(t)
	before, err := l.Datasets(ctx)
	require.NoError(t, err)
	other := New(&Memory{}, nil)
	what, err := other.Import(ctx, file, false)
	require.NoError(t, err)
	assert.Equal(t, Merged{Datasets: 2, Added: 2, Changed: true}, what)
	after, err := other.Datasets(ctx)
	require.NoError(t, err)
	assert.Equal(t, comparable(before), comparable(after))
	spent, _, err := before[0].Spent()
	require.NoError(t, err)
	again, _, err := after[0].Spent()
	require.NoError(t, err)
	assert.Equal(t, spent, again)

	// Once more, and into the ledger that it is from, it changes nothing.
	for _, known := range []*Ledger{other, l} {
		length := known.book.length
		what, err := known.Import(ctx, file, false)
		require.NoError(t, err)
		assert.Equal(t, Merged{}, what)
		assert.Equal(t, length, known.book.length)
	}

	// The content is not known there until a person says which it is.
	d, err := other.Find(ctx, content("a,b\n1,2\n"))
	require.NoError(t, err)
	assert.Nil(t, d)
	_, err = other.Same(ctx, content("a,b\n1,2\n"), before[0].ID, false)
	require.NoError(t, err)
	d, err = other.Find(ctx, content("a,b\n1,2\n"))
	require.NoError(t, err)
	assert.Len(t, d.Charges, 2)

	// White space does not count.
	var tree any
	require.NoError(t, json.Unmarshal(file, &tree))
	tight, err := json.Marshal(tree)
	require.NoError(t, err)
	_, err = New(&Memory{}, nil).Import(ctx, tight, false)
	require.NoError(t, err)
}

// A file that was cut short anywhere is refused, and says so.
func TestACutFileIsRefused(t *testing.T) {
	_, file := exported(t)
	l := New(&Memory{}, nil)
	for n := range len(file) - 2 { // the last two bytes are "}" and a newline
		_, err := l.Import(ctx, file[:n], false)
		var damage *DamageError
		require.ErrorAs(t, err, &damage, "%d bytes", n)
		if n > 0 {
			require.Contains(t, err.Error(), "cut short after")
		}
	}
	sets, err := l.Datasets(ctx)
	require.NoError(t, err)
	assert.Empty(t, sets)
}

// Whatever single byte is changed, the file is refused or says the same.
func TestAChangedFileIsRefused(t *testing.T) {
	_, file := exported(t)
	want, err := readFile(file)
	require.NoError(t, err)
	for i := range file {
		changed := append([]byte(nil), file...)
		changed[i] ^= []byte{1, 4, 32}[i%3]
		got, err := readFile(changed)
		if err == nil {
			require.Equal(t, comparable(want), comparable(got), "byte %d", i)
		}
	}
}

func TestWhatIsWrongWithAFile(t *testing.T) {
	_, file := exported(t)
	first := func(tree map[string]any) map[string]any {
		return tree["datasets"].([]any)[0].(map[string]any)
	}
	charge := func(tree map[string]any) map[string]any {
		return first(tree)["charges"].([]any)[0].(map[string]any)
	}
	edit := func(change func(tree map[string]any)) []byte { return signed(t, file, change) }
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":         {nil, "the file is empty"},
		"not JSON":      {[]byte("hello"), "the file is not JSON"},
		"another":       {[]byte(`{"format":"cloister-release","version":1}`), `its format must be "cloister-ledger"`},
		"a list":        {[]byte(`[]`), `its format must be "cloister-ledger"`},
		"no version":    {[]byte(`{"format":"cloister-ledger"}`), "does not say which version it is"},
		"half version":  {[]byte(`{"format":"cloister-ledger","version":0.5}`), "does not say which version it is"},
		"newer":         {[]byte(`{"format":"cloister-ledger","version":2,"future":true}`), "a ledger of version 2, and this page knows versions up to 1: it was written by a newer version"},
		"no checksum":   {[]byte(`{"format":"cloister-ledger","version":1}`), "has no checksum"},
		"changed":       {[]byte(strings.Replace(string(file), `"sigma": 20`, `"sigma": 200`, 1)), "does not have the checksum that it names"},
		"unknown field": {edit(func(tree map[string]any) { first(tree)["extra"] = 1.0 }), "datasets[0].extra is not known here"},
		"budget":        {edit(func(tree map[string]any) { first(tree)["budget"].(map[string]any)["delta"] = 1.0 }), "datasets[0].budget.delta is 1"},
		"adjacency":     {edit(func(tree map[string]any) { delete(first(tree)["budget"].(map[string]any), "adjacency") }), "datasets[0].budget.adjacency is missing"},
		"state":         {edit(func(tree map[string]any) { charge(tree)["state"] = "void" }), `datasets[0].charges[0].state is "void"`},
		"event":         {edit(func(tree map[string]any) { charge(tree)["event"].(map[string]any)["sigma"] = -1.0 }), "datasets[0].charges[0].event.sigma is -1"},
		"other neighbours": {edit(func(tree map[string]any) { charge(tree)["event"].(map[string]any)["adjacency"] = "replace-one" }),
			"datasets[0].charges[0].event.adjacency is replace-one"},
		"time": {edit(func(tree map[string]any) { charge(tree)["time"] = "yesterday" }), `datasets[0].charges[0].time is "yesterday"`},
		"charge twice": {edit(func(tree map[string]any) {
			first(tree)["charges"].([]any)[1].(map[string]any)["id"] = charge(tree)["id"]
		}), "two different data sets"},
		"data set twice": {edit(func(tree map[string]any) { tree["datasets"].([]any)[1].(map[string]any)["id"] = first(tree)["id"] }), `two accounts of the data set "other"`},
		"no id":          {edit(func(tree map[string]any) { first(tree)["id"] = "" }), "datasets[0].id"},
		"unpaid digest":  {edit(func(tree map[string]any) { charge(tree)["state"] = "reserved" }), "datasets[0].charges[0].digest"},
	} {
		l := New(&Memory{}, nil)
		_, err := l.Import(ctx, c.file, false)
		if assert.ErrorContains(t, err, c.want, name) && name == "newer" {
			var newer *NewerError
			assert.ErrorAs(t, err, &newer)
		}
		sets, err := l.Datasets(ctx)
		require.NoError(t, err)
		assert.Empty(t, sets, name)
	}
}

func TestAnOlderFileIsBroughtUpToDate(t *testing.T) {
	text, err := os.ReadFile("testdata/ledger-v0.json")
	require.NoError(t, err)
	l := New(&Memory{}, nil)
	what, err := l.Import(ctx, text, false)
	require.NoError(t, err)
	assert.Equal(t, Merged{Datasets: 1, Added: 2, Changed: true}, what)
	d, err := l.Dataset(ctx, "5f1d0c6e2b7a4f3c9d8e7f6a5b4c3d2e")
	require.NoError(t, err)
	requireVersion0(t, d)

	// What is written from it is of this version, and the same again.
	file, err := l.Export(ctx)
	require.NoError(t, err)
	assert.Contains(t, string(file), `"version": 1`)
	other := New(&Memory{}, nil)
	_, err = other.Import(ctx, file, false)
	require.NoError(t, err)
	d, err = other.Dataset(ctx, d.ID)
	require.NoError(t, err)
	requireVersion0(t, d)

	// Its checksum is checked as it stands.
	_, err = New(
		&Memory{}, nil,
	).Import(ctx, []byte(strings.Replace(string(text), "25", "26", 1)), false)
	assert.ErrorContains(t, err, "checksum")
}

func requireVersion0(t *testing.T, d *Dataset) {
	t.Helper()
	assert.Equal(t, "clinic 2024", d.Name)
	assert.Equal(t, budget, *d.Budget)
	require.Len(t, d.Charges, 2)
	assert.Equal(t, gaussian(20), d.Charges[0].Event)
	assert.Equal(t, Committed, d.Charges[0].State)
	assert.Equal(t, "d1", d.Charges[0].Digest)
	assert.Equal(t, "2025-02-01T09:00:00Z", timeText(d.Charges[0].Time))
	assert.Equal(t, gaussian(25), d.Charges[1].Event)
	assert.Equal(t, Reserved, d.Charges[1].State)
}

func TestOlderEntriesAreRead(t *testing.T) {
	text, err := os.ReadFile("testdata/entries-v0.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	store := &Memory{entries: lines}
	l := New(store, nil)
	d, err := l.Dataset(ctx, "s1")
	require.NoError(t, err)
	requireVersion0(t, d)
	assert.Equal(t, "2025-02-01T08:30:00Z", timeText(d.Created))
	// New entries go behind them.
	bought(t, l, "s1", gaussian(30), "d3")
	d, err = New(store, nil).Dataset(ctx, "s1")
	require.NoError(t, err)
	assert.Len(t, d.Charges, 3)
	assert.Equal(t, lines, store.entries[:len(lines)], "nothing is rewritten")
}

// A store that holds something damaged, or something from a later version, is
// refused as a whole: what is left cannot be known.
func TestADamagedStoreIsRefused(t *testing.T) {
	good := func() *Memory {
		store := &Memory{}
		l := New(store, nil)
		d, err := l.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		bought(t, l, d.ID, gaussian(20), "one")
		return store
	}
	for name, c := range map[string]struct {
		damage func(s *Memory)
		want   string
	}{
		"cut":   {func(s *Memory) { s.entries[2] = s.entries[2][:40] }, "entry 3 is damaged"},
		"kind":  {func(s *Memory) { s.entries[2] = strings.Replace(s.entries[2], `"reserve"`, `"free"`, 1) }, `entry 3 is damaged: kind is "free"`},
		"event": {func(s *Memory) { s.entries[2] = strings.Replace(s.entries[2], `"sigma":20`, `"sigma":0`, 1) }, "event.sigma is 0"},
		"lost":  {func(s *Memory) { s.entries = append(s.entries[:2:2], s.entries[3]) }, "does not follow"},
		"neighbours of a charge": {func(s *Memory) {
			s.entries[2] = strings.Replace(s.entries[2], "add-remove", "replace-one", 1)
		}, "does not follow"},
		"neighbours of a budget": {func(s *Memory) {
			s.entries[1] = strings.Replace(s.entries[1], "add-remove", "replace-one", 1)
		}, "does not follow"},
		"beginning": {func(s *Memory) { s.entries = s.entries[1:] }, "out of place"},
		"newer":     {func(s *Memory) { s.entries[3] = strings.Replace(s.entries[3], `"version":3`, `"version":7`, 1) }, "a ledger of version 7"},
		"key": {func(s *Memory) {
			s.entries[0] = `{"version":1,"kind":"begin","time":"2025-02-01T08:30:00Z","key":"00"}`
		}, "32 bytes"},
	} {
		store := good()
		c.damage(store)
		length := len(store.entries)
		l := New(store, nil)
		for range 2 { // not only the first time
			_, err := l.Datasets(ctx)
			require.ErrorContains(t, err, c.want, name)
			_, err = l.Create(ctx, content("y"), "y", nil)
			require.ErrorContains(t, err, c.want, name)
		}
		assert.Len(t, store.entries, length, name)
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add(
		[]byte(
			`{"format":"cloister-ledger","version":1,"time":"2025-02-01T08:30:00Z","library":"1","datasets":[{"id":"a","also":["b"],"name":"n","created":"2025-02-01T08:30:00Z","budget":{"adjacency":"add-remove","epsilon":1,"delta":1e-5},"charges":[{"id":"c","event":{"mechanism":"pure-dp","adjacency":"add-remove","epsilon":0.1},"purpose":"","time":"2025-02-01T08:30:00Z","state":"committed","digest":"x","opening":true}]}]}`,
		),
	)
	old, err := os.ReadFile("testdata/ledger-v0.json")
	require.NoError(f, err)
	f.Add(old)
	f.Add(
		[]byte(
			`{"format":"cloister-ledger","version":1,"datasets":[],"time":"2025-02-01T08:30:00Z","library":"1","checksum":"x"}`,
		),
	)
	f.Fuzz(func(t *testing.T, text []byte) {
		// Most of what a fuzzer makes has no right checksum: put it right.
		var tree any
		if json.Unmarshal(text, &tree) == nil {
			if document, ok := tree.(map[string]any); ok {
				document["checksum"] = checksum(document)
				text = []byte(canonical(tree))
			}
		}
		sets, err := readFile(text)
		if err != nil {
			return
		}
		l := New(&Memory{}, nil)
		if _, err := l.Import(ctx, text, true); err != nil {
			return
		}
		kept, err := l.Datasets(ctx)
		require.NoError(t, err)
		require.Equal(t, comparable(sets), comparable(kept), "nothing is lost")
		out, err := l.Export(ctx)
		require.NoError(t, err)
		back, err := readFile(out)
		require.NoError(t, err)
		require.Equal(t, comparable(sets), comparable(back))
	})
}

// A file may hold a charge that no method prices. The account that it becomes part of can be looked
// at all the same: its total is infinite, and it affords nothing.
func TestAChargeThatNothingPricesLeavesAnAccountReadable(t *testing.T) {
	l, file := exported(t)
	unpriced := signed(t, file, func(tree map[string]any) {
		set := tree["datasets"].([]any)[0].(map[string]any)
		charges := set["charges"].([]any)
		set["charges"] = append(charges, map[string]any{
			"id": "made up", "purpose": "fit", "state": "committed", "opening": false,
			"time": "2026-01-02T15:04:05Z", "digest": "d", "event": map[string]any{
				"mechanism": "liu-talwar-selection", "adjacency": "add-remove", "tau": 0.1,
				"cutoff": 1e-6, "base": map[string]any{
					"mechanism": "approximate-dp", "adjacency": "add-remove",
					"epsilon": 0.1, "delta": 0.1,
				},
			},
		})
	})
	_, err := l.Import(ctx, unpriced, false)
	require.NoError(t, err)
	sets, err := l.Datasets(ctx)
	require.NoError(t, err)
	d := sets[0]
	require.Len(t, d.Charges, 3)
	total, err := d.Total()
	require.NoError(t, err)
	assert.Equal(t, Price{Upper: math.Inf(1)}, total, "no method is named that priced nothing")
	spent, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Exceeded, condition)
	assert.Equal(t, math.Inf(1), spent)
	_, err = d.Affords(gaussian(1e6))
	assert.Error(t, err)
}
