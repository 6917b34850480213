package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/scripts/figures"
)

func TestTheVoteIsWrittenAndDrawn(t *testing.T) {
	folder := t.TempDir()
	r, err := figures.New(folder, "thesis.md", "The thesis’ figures, run again")
	require.NoError(t, err)
	require.NoError(t, votes(r, io.Discard))
	require.NoError(t, r.Write())
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		return string(text)
	}
	text := read("thesis.md")
	assert.Contains(t, text, "## Figure B.1")
	assert.Contains(t, text, "| 10⁻²⁵ | 0.603 |")
	assert.Contains(t, text, "(figure-b-1.svg)")
	assert.Equal(t, 23, strings.Count(read("figure-b-1.csv"), "\n"), "a line for each power, and a header")

	// Every element is closed, and no line leaves the picture.
	decoder := xml.NewDecoder(strings.NewReader(read("figure-b-1.svg")))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
}
