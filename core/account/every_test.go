//go:build !js

package account_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

// Of has a price, and a finite ε, for every event that there is, and for two runs of it
// together. One that fails here has a case to come in rdp (of.go), and, to be priced
// sharply, in pld (events.go) or objective (closed.go).
func TestEveryEventHasAPrice(t *testing.T) {
	for _, event := range privacytest.Events() {
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err, event.Mechanism())
		assert.Equal(t, event.Neighbours(), price.Adjacency(), event.Mechanism())
		epsilon, err := price.EpsilonUpper(1e-3)
		require.NoError(t, err, event.Mechanism())
		assert.True(
			t, epsilon > 0 && !math.IsInf(epsilon, 1), "%s: ε = %v", event.Mechanism(), epsilon,
		)
		assert.LessOrEqual(t, price.LogDeltaUpper(epsilon), math.Log(1e-3)+1e-3, event.Mechanism())

		_, err = account.Of(event, account.Renyi, pld.Options{})
		assert.NoError(
			t, err, "%s has no Rényi curve, by which a budget is kept: rdp/of.go",
			event.Mechanism(),
		)
		twice := privacy.Composition{
			Adjacency: event.Neighbours(), Parts: []privacy.Part{{Event: event, Count: 2}},
		}
		price, err = account.Of(twice, account.Auto, pld.Options{})
		require.NoError(t, err, "two of %s: a ledger could not take them", event.Mechanism())
		both, err := price.EpsilonUpper(1e-3)
		require.NoError(t, err, event.Mechanism())
		assert.True(
			t, both >= epsilon && !math.IsInf(both, 1), "%s: ε = %v", event.Mechanism(), both,
		)
	}
}

// Every method prices an event, or refuses it for its kind: a switch that an event
// was forgotten in refuses what its example says it prices.
func TestEveryMethodHasAnAnswerForEveryEvent(t *testing.T) {
	for _, example := range privacytest.Examples() {
		name := privacytest.Name(example.Event)
		var by []string
		for _, method := range []account.Method{
			account.Closed, account.Distribution, account.Renyi,
		} {
			_, err := account.Of(example.Event, method, pld.Options{})
			var parameter *privacy.ParameterError
			var none *pld.NoDistributionError
			switch {
			case err == nil:
				by = append(by, string(method))
			case errors.As(err, &none):
			case errors.As(err, &parameter):
				assert.Equal(t, "mechanism", parameter.Field, "%s by %s", name, method)
			default:
				t.Errorf("%s by %s: %v", name, method, err)
			}
		}
		assert.Equal(t, example.Priced, by, name)
	}
}

// The bound "rdp" is taken for exactly the events that Bounded names.
func TestBoundedAreTheEventsThatABoundIsTakenFor(t *testing.T) {
	for _, event := range privacytest.Events() {
		_, err := account.Of(event, account.Renyi, pld.Options{Bound: objective.BoundRDP})
		var wrong *privacy.ParameterError
		refused := errors.As(err, &wrong) && wrong.Field == "bound"
		assert.Equal(t, account.Bounded(event), !refused, event.Mechanism())
	}
}
