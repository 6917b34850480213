package lab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What no other test says is taken as well.
func TestEachOptionThatIsDeclaredIsTaken(t *testing.T) {
	more := map[string]any{"delta": 1e-6, "seed": 3.0, "trials": 1.0, "epsilons": []any{1.0}}
	for _, on := range []map[string]any{{}, {"sets": nil, "dataset": 7.0}} {
		for name, value := range more {
			on[name] = value
		}
		_, failed := service(t).Answer("lab.run", request(on), nil)
		require.Nil(t, failed, "%v", failed)
	}
}
