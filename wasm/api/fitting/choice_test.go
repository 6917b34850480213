package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/wasm/api"
)

func TestAReleaseIsToldHowItsModelWasChosen(t *testing.T) {
	e := newEdge(t)
	stated := e.ask("choice", map[string]any{"release": release(t), "choice": "only-model"})["release"].(map[string]any)
	assert.Equal(t, "only-model", stated["choice"])
	assert.Equal(t, 3.0, stated["version"])
	assert.Equal(t, true, e.ask("reprice", map[string]any{"release": stated})["holds"])
	// And takes it back: the file is what it was.
	assert.Equal(t, release(t), e.ask("choice", map[string]any{"release": stated})["release"])
}

func TestAChoiceThatCannotBeSoIsRefused(t *testing.T) {
	e := newEdge(t)
	for _, choice := range []any{"private-selection", "the-best", 7.0} {
		err := e.refused("choice", map[string]any{"release": release(t), "choice": choice})
		assert.Equal(t, api.CodeParameter, err.Code, "%v", choice)
		assert.Equal(t, "choice", err.Field, "%v", choice)
	}
	assert.Equal(
		t,
		api.CodeRelease,
		e.refused(
			"choice", map[string]any{"release": map[string]any{}, "choice": "only-model"},
		).Code,
	)
}
