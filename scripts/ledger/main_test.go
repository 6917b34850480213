package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
	"cloister/core/ledger/folder"
	"cloister/core/privacy"
)

// table is what the ledgers of these tests know a table by.
var table = ledger.Identity{List: sha256.Sum256([]byte("x"))}

// What one folder has spent, another knows once its file was taken in.
func TestAFileTakesALedgerElsewhere(t *testing.T) {
	here, there := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "there")
	said := func(line ...string) string {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), line, &out), line)
		return out.String()
	}
	assert.Equal(t, "no accounts\n", said("-ledger", here, "show"))
	book := ledger.New(folder.New(here), nil)
	budget := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1.00002, Delta: 1.00002e-5}
	set, err := book.Create(t.Context(), table, "table.csv", &budget)
	require.NoError(t, err)
	charge, err := book.Reserve(
		t.Context(), set.ID, privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.6}, "fit",
	)
	require.NoError(t, err)
	_, err = book.CommitRelease(t.Context(), charge.ID, map[string]any{"format": "test"})
	require.NoError(t, err)
	shown := said("-ledger", here, "show")
	assert.Regexp(t, `account \w+  table\.csv\nε = 0\.7\d* of 1\.00002 is spent, at δ = 1\.00002e-05 `, shown)
	assert.Regexp(t, "charge "+charge.ID+" +fit +committed +release kept", shown)
	assert.Equal(t, "{\n  \"format\": \"test\"\n}\n", said("-ledger", here, "release", charge.ID))

	file := filepath.Join(t.TempDir(), "ledger.json")
	require.NoError(t, os.WriteFile(file, []byte(said("-ledger", here, "export")), 0o600))
	imported := said("-ledger", there, "import", file)
	assert.Equal(t, "1 new accounts, 1 new charges, 0 budgets changed\n", imported)
	_, err = ledger.New(folder.New(there), nil).Reserve(
		t.Context(), set.ID, privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.6}, "fit",
	)
	var exceeded *ledger.ExceededError
	assert.ErrorAs(t, err, &exceeded)
}

// A file that was imported writes no line of the table, and wipes none.
func TestNamesInAFileWriteNoLines(t *testing.T) {
	forger, here := filepath.Join(t.TempDir(), "forger"), filepath.Join(t.TempDir(), "here")
	book := ledger.New(folder.New(forger), nil)
	budget := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	name := "table.csv\nε = 0.001 of 9 is spent\x1b[8m\u202e"
	set, err := book.Create(t.Context(), table, name, &budget)
	require.NoError(t, err)
	event := privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.6}
	_, err = book.Reserve(t.Context(), set.ID, event, "fit\n  charge 5  nothing\x1b[2J")
	require.NoError(t, err)
	file, err := book.Export(t.Context())
	require.NoError(t, err)
	_, err = ledger.New(folder.New(here), nil).Import(t.Context(), file, false)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-ledger", here, "show"}, &out))
	assert.Equal(t, 3, strings.Count(out.String(), "\n"), out.String())
	assert.NotRegexp(t, "[^\\P{C}\n]", out.String())
}

func TestLinesThatAreWrong(t *testing.T) {
	for _, line := range [][]string{
		{}, {"show"}, {"-ledger", "x"}, {"-ledger", "x", "spend"}, {"-ledger", "x", "show", "y"},
		{"-ledger", "x", "import"}, {"-what"},
	} {
		assert.ErrorIs(t, run(t.Context(), line, &bytes.Buffer{}), errUsage, line)
	}
}
