package fitting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever a file is read for, what is said of its layout is taken, and how it was read is
// answered where there is somebody to see it.
func TestLayoutsAreSaidAndTaken(t *testing.T) {
	text := strings.ReplaceAll(sickRows(300), ",", " ")
	for _, told := range []map[string]any{{}, {"delimiter": " "}, {"delimiter": " ", "header": "first"}} {
		e := newEdge(t)
		found, err := e.read(both(map[string]any{"purpose": "suggest"}, told), text)
		require.Nil(t, err, "%v", err)
		want := map[string]any{"delimiter": " ", "quoted": false, "columns": 3, "header": true}
		assert.Equal(t, want, found["layout"])
		opened, err := e.read(
			both(map[string]any{"purpose": "dataset", "schema": ageSchema()}, told), text,
		)
		require.Nil(t, err, "%v", err)
		assert.Equal(t, 300, opened["rows"])
		assert.Equal(t, want, opened["layout"])
		for _, purpose := range []string{"bounds", "categories"} {
			_, err = e.read(
				both(map[string]any{"purpose": purpose, "columns": []any{"age"}}, told), text,
			)
			require.Nil(t, err, "%v", err)
		}
	}
	e := newEdge(t)
	_, err := e.read(map[string]any{"purpose": "suggest", "delimiter": ";"}, text)
	require.NotNil(t, err)
	for _, wrong := range []any{";;", "“", "a", 7.0} {
		open := map[string]any{"purpose": "suggest", "delimiter": wrong}
		refused := e.refused("read.open", open)
		assert.NotEmpty(t, refused.Message)
	}
}
