package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/ledger"
	"cloister/core/ledger/folder"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// charged is a fit with a ledger: its release and what the holder was told.
func charged(ctx context.Context, args arguments) (release, told string, err error) {
	var out, says bytes.Buffer
	err = run(ctx, args, randomtest.New(1), &out, &says)
	return out.String(), says.String(), err
}

// A budget is given once; fits of the table are charged to it until it is spent, and those of an
// edited table too, if its holder says so.
func TestFitsAreChargedToTheirPeople(t *testing.T) {
	for _, size := range []int{1 << 14, data.Large} {
		args := files(t, size)
		path := filepath.Join(t.TempDir(), "ledger")
		_, _, err := charged(t.Context(), asking(t, args, "-ledger", path))
		require.ErrorContains(t, err, "has no account for this table")
		first := asking(
			t, args, "-ledger", path, "-budget-epsilon", "2", "-budget-delta", "1e-5",
		)
		release, told, err := charged(t.Context(), first)
		require.NoError(t, err)
		found := regexp.MustCompile(`charged to account (\w+) \(table\.csv\)`).FindStringSubmatch(told)
		require.NotNil(t, found, told)

		book := ledger.New(folder.New(path), nil)
		var tree any
		require.NoError(t, json.Unmarshal([]byte(release), &tree))
		paid, set, err := book.Paid(t.Context(), tree)
		require.NoError(t, err)
		assert.Equal(t, found[1], set.ID)
		assert.Equal(t, ledger.Committed, paid.State)
		kept, _, err := book.Kept(t.Context(), paid.ID)
		require.NoError(t, err)
		assert.Equal(t, tree, kept)

		table, err := os.ReadFile(args.line.Data)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(args.line.Data, append(table, "b,60,,3,no\n"...), 0o600))
		_, _, err = charged(t.Context(), asking(t, args, "-ledger", path))
		require.ErrorContains(t, err, "has no account for this table")
		_, _, err = charged(t.Context(), asking(t, args, "-ledger", path, "-account", found[1]))
		require.NoError(t, err)
		_, _, err = charged(t.Context(), asking(t, args, "-ledger", path))
		var exceeded *ledger.ExceededError
		require.ErrorAs(t, err, &exceeded)
		set, err = book.Dataset(t.Context(), set.ID)
		require.NoError(t, err)
		assert.Len(t, set.Charges, 2)
	}
}

// Of a purchase that the schema names and the ledger does not have for this table, the schema is
// all that is known: that is said, and the fit goes on.
func TestAChargeThatTheLedgerDoesNotHaveIsPointedOut(t *testing.T) {
	args := files(t, 1<<14)
	naming := func(charge string) {
		t.Helper()
		text := strings.Replace(strings.Replace(testSchema, `"version":1`, `"version":3`, 1),
			`"max":90,"provenance":"public"`,
			`"max":90,"provenance":"bought","purchase":{"charge":"`+charge+`","epsilon":0.5}`, 1)
		require.NoError(t, os.WriteFile(schemaOf(args), []byte(text), 0o600))
	}
	const word = "is the word of whoever wrote the schema"
	naming("made-up")
	_, told, err := charged(t.Context(), asking(t, args))
	require.NoError(t, err)
	assert.Contains(t, told, "no ledger is named, so that nothing is known of charge made-up")
	assert.Contains(t, told, word)

	path := filepath.Join(t.TempDir(), "ledger")
	_, told, err = charged(t.Context(), asking(
		t, args, "-ledger", path, "-budget-epsilon", "4", "-budget-delta", "1e-4",
	))
	require.NoError(t, err)
	assert.Contains(t, told, "the ledger's account of this table has no charge made-up")
	assert.Contains(t, told, word)

	book := ledger.New(folder.New(path), nil)
	sets, err := book.Datasets(t.Context())
	require.NoError(t, err)
	counts := privacy.DiscreteLaplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 2}
	for purpose, fits := range map[string]bool{ledger.ForBounds: true, "fit": false} {
		charge, err := book.Reserve(t.Context(), sets[0].ID, counts, purpose)
		require.NoError(t, err)
		naming(charge.ID)
		_, told, err = charged(t.Context(), asking(t, args, "-ledger", path))
		if fits {
			require.NoError(t, err)
			assert.NotContains(t, told, word)
		} else {
			var no *ledger.NoPurchaseError
			require.ErrorAs(t, err, &no)
		}
	}
}

// A fit that is stopped and goes on is charged once; without its ledger it does not go on.
func TestAFitThatGoesOnIsChargedOnce(t *testing.T) {
	args := files(t, data.Large)
	path := filepath.Join(t.TempDir(), "ledger")
	journal := filepath.Join(t.TempDir(), "journal")
	args = asking(t, args, "-ledger", path, "-budget-epsilon", "3", "-budget-delta", "1e-4",
		"-journal", journal)
	ctx, stop := context.WithCancel(t.Context())
	told := &stopping{after: 60, stop: stop}
	err := run(ctx, args, randomtest.New(1), &bytes.Buffer{}, told)
	require.ErrorIs(t, err, context.Canceled)
	require.FileExists(t, journal)

	without := asking(t, args, "-journal", journal)
	_, _, err = charged(t.Context(), without)
	require.ErrorContains(t, err, "was charged to a ledger")
	elsewhere := asking(t, args, "-journal", journal, "-ledger", t.TempDir())
	_, _, err = charged(t.Context(), elsewhere)
	require.ErrorContains(t, err, "does not have the charge")

	again := asking(t, args, "-ledger", path, "-journal", journal)
	release, says, err := charged(t.Context(), again)
	require.NoError(t, err)
	assert.NotEmpty(t, release)
	assert.NotContains(t, says, "charged to account")
	sets, err := ledger.New(folder.New(path), nil).Datasets(t.Context())
	require.NoError(t, err)
	require.Len(t, sets, 1)
	require.Len(t, sets[0].Charges, 1)
	assert.True(t, sets[0].Charges[0].Kept())
}

// A fit whose kept rows are damaged goes on once they are deleted, and is charged once.
func TestDamagedRowsCostNothing(t *testing.T) {
	args := files(t, data.Large)
	place := t.TempDir()
	path, rows := filepath.Join(place, "ledger"), filepath.Join(place, "rows")
	args = asking(t, args, "-ledger", path, "-budget-epsilon", "3", "-budget-delta", "1e-4",
		"-journal", filepath.Join(place, "journal"), "-rows", rows)
	ctx, stop := context.WithCancel(t.Context())
	err := run(ctx, args, randomtest.New(1), &bytes.Buffer{}, &stopping{after: 48, stop: stop})
	require.ErrorIs(t, err, context.Canceled)
	block := filepath.Join(rows, "cloister-rows-05")
	text, err := os.ReadFile(block)
	require.NoError(t, err)
	text[len(text)/2] ^= 1
	require.NoError(t, os.WriteFile(block, text, 0o600))

	args = asking(t, args, "-ledger", path, "-journal", args.line.Journal, "-rows", rows)
	_, _, err = charged(t.Context(), args)
	require.ErrorIs(t, err, data.ErrRows)
	require.NoError(t, os.Remove(block))
	_, _, err = charged(t.Context(), args)
	require.NoError(t, err)
	assert.NoDirExists(t, rows)
	sets, err := ledger.New(folder.New(path), nil).Datasets(t.Context())
	require.NoError(t, err)
	require.Len(t, sets[0].Charges, 1)
	assert.True(t, sets[0].Charges[0].Kept())
}

// A fit goes on under a charge of its own people that its ledger made, and under no other; what it
// refuses to go on with stays as it was.
func TestAFitGoesOnUnderItsOwnChargeAlone(t *testing.T) {
	args := files(t, data.Large)
	path := filepath.Join(t.TempDir(), "ledger")
	journal := filepath.Join(t.TempDir(), "journal")
	first := asking(t, args, "-ledger", path, "-budget-epsilon", "3", "-budget-delta", "1e-4",
		"-journal", journal)
	ctx, stop := context.WithCancel(t.Context())
	err := run(ctx, first, randomtest.New(1), &bytes.Buffer{}, &stopping{after: 60, stop: stop})
	require.ErrorIs(t, err, context.Canceled)
	book := ledger.New(folder.New(path), nil)
	sets, err := book.Datasets(t.Context())
	require.NoError(t, err)
	own := sets[0].Charges[0]

	// another ledger knows of the charge from a file: both could release for it
	copied := filepath.Join(t.TempDir(), "copied")
	elsewhere := ledger.New(folder.New(copied), nil)
	file, err := book.Export(t.Context())
	require.NoError(t, err)
	_, err = elsewhere.Import(t.Context(), file, false)
	require.NoError(t, err)
	var content ledger.Content
	table, err := os.ReadFile(args.line.Data)
	require.NoError(t, err)
	content.Write(table)
	_, err = elsewhere.Same(t.Context(), content.Sum(), sets[0].ID, false)
	require.NoError(t, err)
	_, _, err = charged(t.Context(), asking(t, args, "-ledger", copied, "-journal", journal))
	require.ErrorContains(t, err, "another ledger made the charge")
	set, err := elsewhere.Dataset(t.Context(), sets[0].ID)
	require.NoError(t, err)
	assert.Equal(t, ledger.Reserved, set.Charges[0].State)

	// a receipt that somebody made that of a charge of other people, for the same event
	others, err := book.Create(t.Context(), ledger.Identity{List: [32]byte{1}}, "others", sets[0].Budget)
	require.NoError(t, err)
	theirs, err := book.Reserve(t.Context(), others.ID, own.Event, "fit")
	require.NoError(t, err)
	text, err := os.ReadFile(journal)
	require.NoError(t, err)
	at := bytes.Index(text, []byte(own.ID))
	require.Positive(t, at)
	copy(text[at:], theirs.ID)
	sum := crc32.ChecksumIEEE([]byte(theirs.ID))
	binary.LittleEndian.PutUint32(text[at-4:], sum)
	require.NoError(t, os.WriteFile(journal, text, 0o600))
	_, _, err = charged(t.Context(), asking(t, args, "-ledger", path, "-journal", journal))
	require.ErrorContains(t, err, "does not have the charge")
	set, err = book.Dataset(t.Context(), others.ID)
	require.NoError(t, err)
	assert.Equal(t, ledger.Reserved, set.Charges[0].State)
}

// A fit of a table that an earlier program opened an account for, in a ledger that knows it by its
// whole digest alone, is charged to that account; so is one that goes on from a journal.
func TestAnEarlierLedgerKnowsItsTable(t *testing.T) {
	args := files(t, data.Large)
	table, err := os.ReadFile(args.line.Data)
	require.NoError(t, err)
	// As earlier programs had it: of all bytes that count, their number and the number of parts.
	counts := bytes.TrimRight(table, "\n")
	counts = binary.BigEndian.AppendUint64(counts[:len(counts):len(counts)], uint64(len(counts)))
	digest := sha256.Sum256(binary.BigEndian.AppendUint64(counts, 1))
	mac := hmac.New(sha256.New, make([]byte, 32))
	mac.Write([]byte("cloister content 1\n"))
	mac.Write(digest[:])
	path := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, folder.New(path).Append(t.Context(), 0,
		fmt.Sprintf(`{"version":2,"kind":"begin","time":"2026-11-22T01:53:07Z","key":"%064d"}`, 0),
		fmt.Sprintf(`{"version":2,"kind":"dataset","time":"2026-11-22T01:53:07Z","dataset":"early",`+
			`"name":"table","content":"%x","budget":{"adjacency":"add-remove","epsilon":3,"delta":1e-4}}`,
			mac.Sum(nil)),
	))
	book := ledger.New(folder.New(path), nil)

	_, _, err = charged(t.Context(), asking(t, files(t, 1<<14), "-ledger", path))
	require.ErrorContains(t, err, "has no account for this table")
	needs, err := book.NeedsWhole(t.Context())
	require.NoError(t, err)
	assert.True(t, needs)

	journal := filepath.Join(t.TempDir(), "journal")
	ctx, stop := context.WithCancel(t.Context())
	first := asking(t, args, "-ledger", path, "-journal", journal)
	err = run(ctx, first, randomtest.New(1), &bytes.Buffer{}, &stopping{after: 60, stop: stop})
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = charged(t.Context(), asking(t, args, "-ledger", path, "-journal", journal))
	require.NoError(t, err)
	_, told, err := charged(t.Context(), asking(t, args, "-ledger", path))
	require.NoError(t, err)
	assert.Contains(t, told, "charged to account early")
	set, err := book.Dataset(t.Context(), "early")
	require.NoError(t, err)
	assert.Len(t, set.Charges, 2)
	needs, err = book.NeedsWhole(t.Context())
	require.NoError(t, err)
	assert.False(t, needs, "it is known by both digests")
}

// A release that could not be written is kept with its charge: it goes out again for nothing.
func TestAReleaseThatCouldNotBeWrittenIsKept(t *testing.T) {
	args := files(t, data.Large)
	path := filepath.Join(t.TempDir(), "ledger")
	journal := filepath.Join(t.TempDir(), "journal")
	more := []string{"-ledger", path, "-budget-epsilon", "3", "-budget-delta", "1e-4",
		"-journal", journal}
	nowhere := filepath.Join(t.TempDir(), "no", "such", "folder", "release.json")
	_, _, err := charged(t.Context(), asking(t, args, append(more, "-output", nowhere)...))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = charged(t.Context(), asking(t, args, "-ledger", path, "-journal", journal))
	require.ErrorContains(t, err, "was released")
	id := regexp.MustCompile(`release (\w+) prints`).FindStringSubmatch(err.Error())[1]
	kept, _, err := ledger.New(folder.New(path), nil).Kept(t.Context(), id)
	require.NoError(t, err)
	text, err := json.Marshal(kept)
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(text), `"coefficients"`))
}

func TestAccountsThatAreNotSaidWell(t *testing.T) {
	args := files(t, 1<<14)
	for _, more := range [][]string{
		{"-account", "x"}, {"-budget-epsilon", "1"},
		{"-ledger", "x", "-budget-epsilon", "1"},
		{"-ledger", "x", "-account", "y", "-budget-epsilon", "1", "-budget-delta", "1e-5"},
	} {
		_, err := parse(append([]string{
			"-data", args.line.Data, "-schema", schemaOf(args), "-epsilon", "1", "-delta", "1e-5",
		}, more...), &bytes.Buffer{})
		assert.Error(t, err, more)
	}
}
