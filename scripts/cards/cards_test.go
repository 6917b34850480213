package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab/cards"
	"cloister/scripts/figures"
)

func TestFigure1IsWrittenAndDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("a search for each system: seconds")
	}
	file, err := os.Open(filepath.Join(cmp.Or(
		os.Getenv("CLOISTER_DATA"), filepath.Join("..", "..", "..", "shared", "data"),
	), "adult.train.csv"))
	if err != nil {
		t.Skipf("no Adult: %v", err)
	}
	defer file.Close()
	table, err := cards.Adult(file)
	require.NoError(t, err)
	folder := t.TempDir()
	r, err := figures.New(folder, "cards.md", "Scorecards on balanced Adult")
	require.NoError(t, err)
	require.NoError(t, figure1(context.Background(), r, table, []float64{1, 3}, 1, io.Discard))
	require.NoError(t, r.Write())
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		return string(text)
	}
	systems := cards.Systems()
	for _, s := range systems {
		assert.Equal(t, 2, strings.Count(read("cards.md"), "| "+s.Title+" |"), s.Title)
	}
	assert.Equal(t, 1+2*len(systems), strings.Count(read("figure-1.csv"), "\n"))
	assert.Equal(t, len(drawn), strings.Count(read("figure-1-accuracy.svg"), `class="line"`))
	assert.LessOrEqual(t, len(drawn), 8, "colours of a plot")
	assert.Contains(t, read("figure-1-times.svg"), "report noisy min")
}

func TestWithoutTheDataNothingIsWritten(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, run(
		context.Background(), []string{"-data", t.TempDir(), "-out", out}, io.Discard,
	))
	assert.NoDirExists(t, out)
}
