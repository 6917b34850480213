package learntest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// ReleasedForItsPrice checks that a fit can be released with the guarantee of the event
// that was charged for it, and cannot be released with half a percent less ε.
func ReleasedForItsPrice(
	t *testing.T, event privacy.Event, guarantee privacy.Guarantee, model learn.Model,
) {
	t.Helper()
	release, err := learn.NewRelease(event, guarantee, objective.BoundAuto, model)
	require.NoError(t, err)
	_, failed := release.Verify().Failed()
	assert.False(t, failed)
	guarantee.Epsilon *= 0.995
	_, err = learn.NewRelease(event, guarantee, objective.BoundAuto, model)
	assert.Error(t, err)
}
