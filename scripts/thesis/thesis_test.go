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
)

func TestTheVoteIsWrittenAndDrawn(t *testing.T) {
	r := &report{folder: t.TempDir()}
	require.NoError(t, votes(r, io.Discard))
	require.NoError(t, r.write())
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(r.folder, name))
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

func TestNamesDoNotCoverEachOther(t *testing.T) {
	same := []point{{1, 1}, {2, 1}}
	p := plot{lines: []line{{"a", same}, {"b", same}, {"c", nil}, {"d", same}}}
	ends := p.ends(newScale(same, func(q point) float64 {
		return q.y
	}, plotHeight-plotBottom, plotTop))
	assert.GreaterOrEqual(t, ends[1]-ends[0], labelGap)
	assert.GreaterOrEqual(t, ends[3]-ends[1], labelGap)
	assert.LessOrEqual(t, ends[3], plotHeight)
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		ticks       []float64
	}{
		{0.1, 10, []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}},
		{1, 3, []float64{1, 2}},
	} {
		s := newScale([]point{{c.least, 0}, {c.most, 0}}, func(q point) float64 {
			return q.x
		}, 0, 1)
		assert.InDeltaSlice(t, c.ticks, s.ticks(), 1e-12)
	}
}
