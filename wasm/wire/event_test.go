package wire

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy/privacytest"
)

// Every event is declared: a caller in TypeScript cannot name another.
func TestEveryEventIsDeclared(t *testing.T) {
	source, err := os.ReadFile("event.go")
	require.NoError(t, err)
	declared := map[string]bool{}
	for _, found := range regexp.MustCompile(`Mechanism +string .* is:"([\w-]+)"`).FindAllSubmatch(source, -1) {
		declared[string(found[1])] = true
	}
	for _, event := range privacytest.Events() {
		name := event.Mechanism()
		assert.True(t, declared[name], "declare %s in event.go, then: make wire", name)
	}
}
