package dpgd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func TestAPlanThatATrialDoesNotKnowIsRefused(t *testing.T) {
	for field, plan := range map[string]Plan{"lambda": {Lambda: 1}, "radius": {Radius: 1}} {
		_, err := plan.Trial()
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
}
