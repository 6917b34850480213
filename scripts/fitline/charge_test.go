package fitline

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesMoveNoCursor(t *testing.T) {
	for name, text := range map[string]string{
		"table-1_é.csv": "table-1_é.csv", "": `""`, "a b": `"a b"`, "a\nε": `"a\nε"`,
		"\x1b[2J": `"\x1b[2J"`, "a\u202eb": `"a\u202eb"`, "\u009b8m": `"\u009b8m"`,
	} {
		assert.Equal(t, text, Shown(name))
	}
}
