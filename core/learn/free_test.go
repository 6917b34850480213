package learn

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy/privacytest"
)

// An event tells nothing just where its example says so.
func TestEveryEventIsOrIsNotFree(t *testing.T) {
	for _, example := range privacytest.Examples() {
		name := example.Event.Mechanism()
		assert.False(t, free(example.Event), "%s tells something", name)
		for _, none := range example.Nothing {
			require.NoError(t, none.Validate(), name)
			require.Equal(t, name, none.Mechanism())
			assert.True(t, free(none), "%+v", none)
		}
	}
}
