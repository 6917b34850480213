package calibrate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

// Each event has a parameter that can be solved for, and a common factor of its noise
// where there is noise in it: of what answers yes with a rate, or promises an ε, none.
func TestEveryEventHasAParameterToSolveFor(t *testing.T) {
	for _, example := range privacytest.Examples() {
		event, name := example.Event, privacytest.Name(example.Event)
		changed, err := calibrate.With(event, example.Parameter, 0.375) // of steps: none
		require.NoError(t, err, name)
		assert.NotEqual(t, privacy.EncodeEvent(event), privacy.EncodeEvent(changed), name)
		assert.IsType(t, event, changed)

		louder, err := calibrate.With(event, "noise", 8)
		if example.Noiseless {
			assert.Error(t, err, name)
			continue
		}
		require.NoError(t, err, name)
		quiet, err := account.Of(event, account.Renyi, pld.Options{})
		require.NoError(t, err, name)
		loud, err := account.Of(louder, account.Renyi, pld.Options{})
		require.NoError(t, err, name)
		if name == "propose-test-release" { // which has none, for its failure
			less, err := loud.EpsilonUpper(1e-3)
			require.NoError(t, err)
			more, err := quiet.EpsilonUpper(1e-3)
			require.NoError(t, err)
			assert.Less(t, less, more)
			continue
		}
		assert.Less(t, loud.Renyi.At(2), quiet.Renyi.At(2), name)
	}
}
