package search

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
)

// What is said in nonconvex §6.1 of an oracle that is only within α of the least: the price
// of a tolerance is a δ that is not small, which is why there is none here.
func TestReferenceOracleTolerance(t *testing.T) {
	for _, c := range golden.OfKind[caseO](t, "O", "oracle-tolerance") {
		var params struct {
			Epsilon float64
			Gap     float64 `json:"absolute_gap"`
			Span    float64
		}
		var want struct {
			Variation float64 `json:"total_variation"`
			Delta     float64
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		variation := -math.Expm1(-params.Epsilon * params.Gap / params.Span)
		assert.InEpsilon(t, want.Variation, variation, 1e-9)
		assert.InEpsilon(t, want.Delta, (1+math.Exp(params.Epsilon))*variation, 1e-9)
	}
}
