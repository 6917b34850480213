package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cell may be off by what rounding to whole per cents hides, and by what
// processors with a fused multiply-add compute otherwise.
const cellError = 0.51

func TestTheDocumentationsTableIsWhatTheTrialsSay(t *testing.T) {
	text, err := os.ReadFile("../../site/docs/choosing.md")
	require.NoError(t, err)
	for _, records := range expectedRows {
		means, _, err := expectedScores(records, expectedTrials)
		require.NoError(t, err)
		label, _, _ := strings.Cut(expectedRow(records, means)[2:], " |")
		found := regexp.MustCompile(`(?m)^\| ` + label + ` \|(.*)\|$`).FindSubmatch(text)
		require.NotNil(t, found, "the row for %s records", label)
		cells := strings.Split(string(found[1]), "|")
		require.Len(t, cells, len(means))
		for i, cell := range cells {
			shown, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(cell), " %"), 64)
			require.NoError(t, err, cell)
			assert.InDelta(t, 100*means[i], shown, cellError, "%s records, cell %d", label, i)
		}
	}
	assert.Contains(t, string(text), "means of "+strconv.Itoa(expectedTrials)+" trials")
}
