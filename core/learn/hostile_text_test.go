package learn_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
)

// The version of a library is copied into programs and cards. Nothing can stand in its place
// that would end a comment or a text there.
func TestTheLibraryOfAReleaseIsAVersion(t *testing.T) {
	text, err := json.Marshal(named(t, "approximate minima"))
	require.NoError(t, err)
	tree := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &tree))
	for library, good := range map[string]bool{
		"0.1.0": true, "12.0.0-beta.3+linux-amd64": true, "1": true,
		"": false, "0.1\nimport os": false, "0.1\rx": false, "0.1\u2028x": false,
		"0.1\"\"\"": false, "0.1 */": false, "<script>": false, "0.1\u202e": false,
		"00000000001111111111222222222233333333334444444444555555555566666": false,
	} {
		tree["library"] = library
		forged, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = learn.ParseRelease(forged)
		if good {
			assert.NoError(t, err, library)
		} else {
			assert.ErrorContains(t, err, "library", library)
		}
	}
}
