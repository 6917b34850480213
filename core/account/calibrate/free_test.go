package calibrate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

// An event whose noise has a name in files can be solved for it, and be made louder as
// a part of others. A new one that fails here has a case to come in simple or freeOf,
// and one in louder.
func TestTheNoiseOfEveryEventIsFree(t *testing.T) {
	noises := []string{"sigma", "scale", "noise_multiplier", "sigmas"}
	seen := 0
	for _, event := range privacytest.Events() {
		tree := privacy.EncodeEvent(event)
		for _, name := range noises {
			if _, has := tree[name]; !has {
				continue
			}
			seen++
			assert.NotNil(
				t, freeOf(event, name), "%s cannot be solved for %q", event.Mechanism(), name,
			)
			_, can := louder(event, 2)
			assert.True(t, can, "louder knows no noise of %s", event.Mechanism())
		}
	}
	assert.GreaterOrEqual(t, seen, 8)
}
