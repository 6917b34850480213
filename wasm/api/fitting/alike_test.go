package fitting

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever reads a release, a card or noisy cells is told where two of its names look the
// same and are not: which class is meant is not seen then. It is no untruth: files have such
// names by accident, too.
func TestWhoeverReadsIsToldThatNamesLookAlike(t *testing.T) {
	e := newEdge(t)
	for name, method := range map[string]string{
		"releases/v1-amp.json": "reprice", "releases/v2-dpsgd.json": "reprice",
		"cards/v1-gumbel.json": "scorecard.check", "cells/v1.json": "cells.check",
	} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", "files", name))
		require.NoError(t, err)
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		for _, alike := range []bool{false, true} {
			label := tree["schema"].(map[string]any)["label"].(map[string]any)
			if alike {
				label["positive"] = []any{label["negative"].([]any)[0].(string) + "\u200b"}
			}
			reply := e.ask(method, map[string]any{"release": tree})
			assert.Equal(t, true, reply["holds"], "%s: %v", name, reply["problems"])
			told := ""
			for _, finding := range reply["findings"].([]any) {
				if one := finding.(map[string]any); one["claim"] == "names" {
					told = one["text"].(string)
				}
			}
			if alike {
				assert.Regexp(t, `^Not checked: .*\\u200b`, told, name)
			} else {
				assert.Empty(t, told, name)
			}
		}
	}
}
