package dpsgd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func TestAPlanThatATrialDoesNotKnowIsRefused(t *testing.T) {
	for field, plan := range map[string]Plan{
		"optimiser.method": {Optimiser: NewAdam(0.1)},
		"average":          {Optimiser: NewMomentum(0.1), Average: 10},
	} {
		_, err := plan.Trial(5)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
}
