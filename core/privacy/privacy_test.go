package privacy_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func TestAdjacencyHasNoDefault(t *testing.T) {
	var zero privacy.Adjacency
	assert.False(t, zero.Valid())
	assert.Equal(t, "missing", zero.String())

	for _, a := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		got, err := privacy.ParseAdjacency(a.String())
		require.NoError(t, err)
		assert.Equal(t, a, got)
	}
	for _, name := range []string{"", "missing", "Add-Remove", "addremove"} {
		_, err := privacy.ParseAdjacency(name)
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, name)
		assert.Equal(t, "adjacency", p.Field)
	}
}

func TestGuaranteeValidate(t *testing.T) {
	good := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	require.NoError(t, good.Validate())

	for name, bad := range map[string]privacy.Guarantee{
		"epsilon":   {Epsilon: 0, Delta: 1e-5, Adjacency: privacy.AddRemove},
		"delta":     {Epsilon: 1, Delta: 1, Adjacency: privacy.AddRemove},
		"adjacency": {Epsilon: 1, Delta: 1e-5},
	} {
		var p *privacy.ParameterError
		require.ErrorAs(t, bad.Validate(), &p, name)
		assert.Equal(t, name, p.Field)
	}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1)} {
		assert.Error(t, privacy.CheckEpsilon(x))
		assert.Error(t, privacy.CheckDelta(x))
	}
}

func objective() privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 2, Sigma: 4, Dimension: 3,
	}
}

func TestObjectiveValidateNamesTheField(t *testing.T) {
	require.NoError(t, objective().Validate())

	for field, spoil := range map[string]func(*privacy.ObjectivePerturbation){
		"adjacency":  func(e *privacy.ObjectivePerturbation) { e.Adjacency = 0 },
		"loss":       func(e *privacy.ObjectivePerturbation) { e.Loss = "hinge" },
		"row_norm":   func(e *privacy.ObjectivePerturbation) { e.RowNorm = math.Inf(1) },
		"lipschitz":  func(e *privacy.ObjectivePerturbation) { e.Lipschitz = 1.5 },
		"smoothness": func(e *privacy.ObjectivePerturbation) { e.Smoothness = 0.2 },
		"lambda":     func(e *privacy.ObjectivePerturbation) { e.Lambda = 0 },
		"sigma":      func(e *privacy.ObjectivePerturbation) { e.Sigma = math.NaN() },
		"dimension":  func(e *privacy.ObjectivePerturbation) { e.Loss, e.Dimension = privacy.LossSmooth, 0 },
	} {
		e := objective()
		spoil(&e)
		var p *privacy.ParameterError
		require.ErrorAs(t, e.Validate(), &p, field)
		assert.Equal(t, field, p.Field)
	}
}

func TestMinimaGridMustBeFinePowerOfTwo(t *testing.T) {
	e := privacy.ApproximateMinima{Objective: objective(), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40}
	require.NoError(t, e.Validate())

	for _, grid := range []float64{0x1.8p-40, 1e-12, 0x1p-20, -1, math.NaN()} {
		e.Grid = grid
		var p *privacy.ParameterError
		require.ErrorAs(t, e.Validate(), &p)
		assert.Equal(t, "grid", p.Field)
	}
}

// Events survive the road through JSON text, field by field, and every field
// they write is one they read.
func TestEventsRoundTripThroughJSON(t *testing.T) {
	events := []privacy.Event{
		privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1.5, Sigma: 0.1},
		objective(),
		privacy.ApproximateMinima{Objective: objective(), Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40},
	}
	for _, event := range events {
		assert.Equal(t, event, readAgain(t, event))
	}
}

func TestDecodeEventRefuses(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{`3`, `event is 3: it must be an object`},
		{`{}`, `event.mechanism is missing: it must be given`},
		{`{"mechanism":"magic"}`, `event.mechanism is "magic": it must be the name of a mechanism that this library prices`},
		{`{"mechanism":"gaussian","sensitivity":1,"sigma":1}`, `event.adjacency is missing: it must be given`},
		{`{"mechanism":"gaussian","adjacency":"both","sensitivity":1,"sigma":1}`, `event.adjacency is "both": it must be "add-remove" or "replace-one"; it has no default`},
		{`{"mechanism":"gaussian","adjacency":"add-remove","sensitivity":1}`, `event.sigma is missing: it must be given`},
		{`{"mechanism":"gaussian","adjacency":"add-remove","sensitivity":1,"sigma":"big"}`, `event.sigma is "big": it must be a number`},
		{`{"mechanism":"gaussian","adjacency":"add-remove","sensitivity":1,"sigma":-1}`, `event.sigma is -1: it must be a number from 1e-50 to 1e+50`},
		{`{"mechanism":"gaussian","adjacency":"add-remove","sensitivity":1,"sigma":1,"Sigma":2}`, `event.Sigma is not known here: it must be left out (or spelt as the documentation has it)`},
	} {
		var tree any
		require.NoError(t, json.Unmarshal([]byte(c.text), &tree))
		_, err := privacy.DecodeEvent("event", tree)
		require.EqualError(t, err, c.message)
	}
}
