package ledger

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The contents that testdata/entries-v2.txt knows by their whole digests: an account of a table
// and of its rows in another order, and an account of a table in two parts. A program of before
// version 3 of entries wrote it, and ledger-v1.json is its export.
var (
	clinic    = []string{"age,ill\n61,yes\n47,no\n"}
	reordered = []string{"age,ill\n47,no\n61,yes\n"}
	ward      = []string{"age,ill\n30,no\n", strings.Repeat("31,yes\n", 200_000)}
)

const (
	clinicID = "8fa7a69b9b8ceafa5341085e313a0eb9"
	wardID   = "156474b9de836d0520ddc47a2cb32983"
)

// listOnly is what is known of a content whose whole digest was not taken.
func listOnly(parts ...string) Identity { return Identity{List: ofParts(parts...).List} }

// earlier is a store as an earlier program left it.
func earlier(t testing.TB) *Memory {
	t.Helper()
	text, err := os.ReadFile("testdata/entries-v2.txt")
	require.NoError(t, err)
	return &Memory{entries: strings.Split(strings.TrimSpace(string(text)), "\n")}
}

// finds asserts that a content has the account with this ID and so many charges.
func finds(t testing.TB, l *Ledger, of Identity, id string, charges int) {
	t.Helper()
	d, err := l.Find(ctx, of)
	require.NoError(t, err)
	require.NotNil(t, d)
	assert.Equal(t, id, d.ID)
	assert.Len(t, d.Charges, charges)
}

func needsWhole(t testing.TB, l *Ledger) bool {
	t.Helper()
	needs, err := l.NeedsWhole(ctx)
	require.NoError(t, err)
	return needs
}

// Each file of an earlier ledger is found, with what was spent; by its list digest alone only once
// it was found by the other. Until all of them were, nobody is told that the ledger does not know a
// file whose whole digest was not taken.
func TestFilesOfAnEarlierLedgerAreFound(t *testing.T) {
	store := earlier(t)
	before := append([]string(nil), store.entries...)
	l := New(store, nil)
	other := ofParts("a,b\n1,2\n")
	var untaken *UntakenError
	blind := func(parts ...string) {
		t.Helper()
		length := len(store.entries)
		_, err := l.Find(ctx, listOnly(parts...))
		require.ErrorAs(t, err, &untaken)
		_, err = l.Create(ctx, listOnly(parts...), "again", &budget)
		require.ErrorAs(t, err, &untaken)
		_, err = l.Same(ctx, listOnly(parts...), wardID, false)
		require.ErrorAs(t, err, &untaken)
		assert.Len(t, store.entries, length)
	}
	require.True(t, needsWhole(t, l))
	blind(clinic...)
	blind("a,b\n1,2\n")

	finds(t, l, ofParts(clinic...), clinicID, 1)
	finds(t, l, listOnly(clinic...), clinicID, 1)
	assert.Len(t, store.entries, len(before)+1, "one entry, once")
	assert.True(t, needsWhole(t, l))
	blind(reordered...)
	blind(ward...)
	d, err := l.Find(ctx, other)
	require.NoError(t, err)
	assert.Nil(t, d)
	var known *KnownError
	_, err = l.Create(ctx, ofParts(ward...), "again", &budget)
	require.ErrorAs(t, err, &known)
	assert.Equal(t, wardID, known.ID)

	finds(t, l, ofParts(reordered...), clinicID, 1)
	finds(t, l, ofParts(ward...), wardID, 1)
	assert.False(t, needsWhole(t, l))
	assert.Equal(t, before, store.entries[:len(before)], "nothing is rewritten")
	for _, l := range []*Ledger{l, New(store, nil)} { // as it is read again, too
		assert.False(t, needsWhole(t, l))
		finds(t, l, listOnly(clinic...), clinicID, 1)
		finds(t, l, listOnly(reordered...), clinicID, 1)
		finds(t, l, listOnly(ward...), wardID, 1)
		d, err = l.Find(ctx, listOnly("a,b\n1,2\n"))
		require.NoError(t, err)
		assert.Nil(t, d, "and now it is known that it is not known")
	}
	bought(t, l, clinicID, gaussian(30), "more")
	finds(t, l, ofParts(reordered...), clinicID, 2)
}

// The fingerprints that the fixture has, and those that its files are given, as Python has them:
// hmac.new(key, tag + digest, sha256), the digests as in TestContentAgainstPython.
func TestFingerprintsAgainstPython(t *testing.T) {
	store := earlier(t)
	l := New(store, nil)
	for k, c := range []struct {
		parts       []string
		whole, list string
	}{
		{
			clinic,
			"8571e740f2660f1dc007621474deffe0e5b758290e4f8c4f6414e70f1f0df45b",
			"b2f861d8812f98942b10da082f92d6294f66e29416141ec0551cae662bd16ef8",
		},
		{
			reordered,
			"57acbeacb28e501ee07f4ee09b499132736fffcfc42bebb6e188ddb59d3d93e0",
			"44a2d9527f91e2d1eda0275523016600502c9d1cf0fa7cf803fb93729855f6f4",
		},
		{
			ward,
			"41af4f62dcae22e1bbdabed8e73687123e6608f429b0bf0c136385a44fccd884",
			"1f764a6f49610a9e734ac7145cb3154dcaaf5fcaeee11e90041d522e1edc956e",
		},
	} {
		_, err := l.Find(ctx, ofParts(c.parts...))
		require.NoError(t, err)
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(store.entries[7+k]), &entry))
		delete(entry, "time")
		assert.Equal(t, map[string]any{
			"version": 3.0, "kind": "seen", "content": c.list, "whole": c.whole,
		}, entry)
	}
}

// A file of an earlier ledger that is said to be another account's takes its charges along, though
// its list digest was not known.
func TestAnEarlierFileIsPutToAnotherAccount(t *testing.T) {
	store := earlier(t)
	l := New(store, nil)
	d, err := l.Same(ctx, ofParts(ward...), clinicID, false)
	require.NoError(t, err)
	assert.Len(t, d.Charges, 2)
	assert.Equal(t, []string{wardID}, d.Also)
	for _, l := range []*Ledger{l, New(store, nil)} {
		finds(t, l, listOnly(ward...), clinicID, 2)
		finds(t, l, ofParts(ward...), clinicID, 2)
		finds(t, l, ofParts(clinic...), clinicID, 2)
	}
	// To say what is known learns the list digest, and nothing else.
	length := len(store.entries)
	_, err = l.Same(ctx, ofParts(reordered...), clinicID, false)
	require.NoError(t, err)
	assert.Len(t, store.entries, length+1)
	assert.False(t, needsWhole(t, l))
	// A new file beside them is known by its list digest.
	edited := listOnly("age,ill\n61,yes\n47,yes\n")
	_, err = l.Same(ctx, edited, wardID, false)
	require.NoError(t, err)
	finds(t, New(store, nil), edited, clinicID, 2)
}

// Files of before are taken in after the change as before it, and the other way round: they have
// no digests, and what was spent stays with the files that the ledger knows.
func TestExportsFromBeforeTheChange(t *testing.T) {
	old, err := os.ReadFile("testdata/ledger-v1.json")
	require.NoError(t, err)
	store := earlier(t)
	l := New(store, nil)
	finds(t, l, ofParts(clinic...), clinicID, 1)
	bought(t, l, clinicID, gaussian(30), "more")
	what, err := l.Import(ctx, old, false)
	require.NoError(t, err)
	assert.False(t, what.Changed)
	finds(t, l, listOnly(clinic...), clinicID, 2)
	finds(t, l, ofParts(ward...), wardID, 1)

	file, err := l.Export(ctx)
	require.NoError(t, err)
	var head struct{ Version int }
	require.NoError(t, json.Unmarshal(file, &head))
	assert.Equal(t, 1, head.Version, "its format is as before: an earlier program takes it in")
	for name, from := range map[string][]byte{"old": old, "new": file} {
		// A ledger that knows no file asks once which is which.
		there := New(&Memory{}, nil)
		_, err = there.Import(ctx, from, false)
		require.NoError(t, err, name)
		assert.False(t, needsWhole(t, there), name)
		d, err := there.Find(ctx, listOnly(clinic...))
		require.NoError(t, err, name)
		assert.Nil(t, d, name)
		_, err = there.Same(ctx, listOnly(clinic...), clinicID, false)
		require.NoError(t, err, name)
		finds(t, there, listOnly(clinic...), clinicID, map[string]int{"old": 1, "new": 2}[name])

		// One that was left by an earlier program finds its files as before.
		left := New(earlier(t), nil)
		_, err = left.Import(ctx, from, false)
		require.NoError(t, err, name)
		finds(t, left, ofParts(ward...), wardID, 1)
	}
}

// noRoom is a store that cannot take more.
type noRoom struct{ *Memory }

func (noRoom) Append(ctx context.Context, after int, entries ...string) error {
	return &StorageError{Kind: Full}
}

// Where nothing can be noted, a file is found all the same.
func TestAnEarlierFileIsFoundWithoutRoom(t *testing.T) {
	store := earlier(t)
	l := New(noRoom{store}, nil)
	finds(t, l, ofParts(clinic...), clinicID, 1)
	finds(t, l, ofParts(clinic...), clinicID, 1)
	assert.Len(t, store.entries, 7)
	assert.True(t, needsWhole(t, l))
}

// An earlier program may write until the first entry of a later one, and what it writes is found.
type intruded struct {
	*Memory
	late []string // written by an earlier program just before the next Append
}

func (s *intruded) Append(ctx context.Context, after int, entries ...string) error {
	late := s.late
	s.late = nil
	s.entries = append(s.entries, late...)
	return s.Memory.Append(ctx, after, entries...)
}

// An earlier program opens an account for a file while this one is about to, or about to say whose
// it is: the file is known, and put to another account its charges go along.
func TestAnEarlierProgramWritesMeanwhile(t *testing.T) {
	all := earlier(t).entries
	begin := func(known int) *Ledger {
		store := &intruded{&Memory{entries: all[:known:known]}, all[known:]}
		l := New(store, nil)
		needsWhole(t, l) // it has read what there was
		return l
	}
	l := begin(1)
	_, err := l.Create(ctx, ofParts(ward...), "ward", &budget)
	var known *KnownError
	require.ErrorAs(t, err, &known)
	finds(t, l, ofParts(ward...), wardID, 1)

	l = begin(1)
	_, err = l.Create(ctx, listOnly(ward...), "ward", &budget)
	var untaken *UntakenError
	require.ErrorAs(t, err, &untaken)
	finds(t, l, ofParts(ward...), wardID, 1)

	l = begin(5)
	d, err := l.Same(ctx, ofParts(ward...), clinicID, false)
	require.NoError(t, err)
	assert.Len(t, d.Charges, 2)
	finds(t, l, listOnly(ward...), clinicID, 2)
}

// What a program of before refuses: any ledger with an entry of version 3, and every entry that is
// written has it.
func TestEveryEntryIsOfTheVersion(t *testing.T) {
	store := earlier(t)
	l := New(store, nil)
	finds(t, l, ofParts(clinic...), clinicID, 1)
	bought(t, l, clinicID, gaussian(30), "more")
	_, err := l.Create(ctx, ofParts("x"), "x", nil)
	require.NoError(t, err)
	_, err = l.Same(ctx, ofParts("y"), clinicID, false)
	require.NoError(t, err)
	for _, text := range store.entries[7:] {
		assert.Contains(t, text, `"version":3`)
		assert.NotContains(t, text, `"whole":""`)
	}
}

// Entries whose digests come in as no program writes them are damage: by them a content could be
// there twice, and what was spent on it be hidden.
func TestDigestsThatDoNotFollow(t *testing.T) {
	of := earlier(t)
	l := New(of, nil)
	finds(t, l, ofParts(clinic...), clinicID, 1)
	seen := of.entries[7]
	_, err := l.Same(ctx, ofParts(ward...), clinicID, false)
	require.NoError(t, err)
	same := of.entries[8]
	old := earlier(t).entries
	begin, clinicV2, wardV2, chargeV2 := old[0], old[1], old[5], old[6]
	raised := func(text string) string {
		return strings.NewReplacer(
			`"version":2`, `"version":3`,
			`"content":`, `"whole":`,
		).Replace(text)
	}

	listed := &Memory{entries: old[:1:1]}
	_, err = New(listed, nil).Create(ctx, listOnly(ward...), "ward", &budget)
	require.NoError(t, err)
	require.Len(t, listed.entries, 2)
	opened := listed.entries[1]
	var both map[string]any
	require.NoError(t, json.Unmarshal([]byte(opened), &both))
	both["whole"] = strings.Repeat("0", 64)
	openedByBoth, err := json.Marshal(both)
	require.NoError(t, err)

	var one, two map[string]any
	require.NoError(t, json.Unmarshal([]byte(seen), &one))
	require.NoError(t, json.Unmarshal([]byte(same), &two))
	clinicList, clinicWhole := one["content"].(string), one["whole"].(string)
	wardList, wardWhole := two["content"].(string), two["whole"].(string)
	secondSame := strings.Replace(same, wardWhole, clinicWhole, 1)
	strayed := strings.Replace(same, wardList, clinicList, 1)

	// Each of them is damaged by its last entry alone.
	for name, entries := range map[string][]string{
		"seen twice":            append(old[:7:7], seen, seen),
		"seen, of no content":   {begin, seen},
		"same, of no content":   append(old[:5:5], same),
		"same, of a seen one":   append(old[:7:7], seen, secondSame),
		"same, of a listed one": append(old[:7:7], seen, strayed),
		"opened by both":        {begin, string(openedByBoth)},
		"opened by the whole":   {begin, raised(clinicV2)},
		"same by the whole":     {begin, clinicV2, raised(old[4])},
		"an account after":      {begin, opened, wardV2},
		"another of a content":  append(old[:5:5], seen, wardV2),
		"a charge after":        append(old[:6:6], seen, chargeV2),
		"begun later":           {raised(begin), clinicV2},
	} {
		var damaged *DamageError
		_, err := New(&Memory{entries: entries}, nil).Datasets(ctx)
		require.ErrorAs(t, err, &damaged, name)
		assert.Regexp(t, "second digest|earlier program", damaged.What, name)
		_, err = New(&Memory{entries: entries[:len(entries)-1]}, nil).Datasets(ctx)
		require.NoError(t, err, name)
	}
}
