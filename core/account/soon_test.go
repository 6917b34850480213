//go:build unix

package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// A fit whose regulariser is next to nothing has an ε far from any that people ask for, or
// none. A file may say so of several fits, and of how they are priced: whoever checks it is
// not kept waiting for minutes. One fit took 9 s, and sixteen different ones 107 s, which now
// take 13 s.
func TestFitsWithNextToNoRegulariserAreAnsweredSoon(t *testing.T) {
	fit := func(scale float64) privacy.Event {
		return privacy.ApproximateMinima{
			Objective: privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: privacy.LossLogistic, RowNorm: 1,
				Lipschitz: 1, Smoothness: 0.25, Lambda: 1e-31 * scale, Sigma: scale / 2,
				Dimension: 10,
			},
			Tau: 1e-6, SigmaOut: 1e-3, Grid: 0x1p-40,
		}
	}
	for _, event := range []privacy.Event{fit(10), many(4, false, fit)} {
		start := processorTime(t)
		price, err := account.Of(
			event, account.Distribution, pld.Options{Bound: objective.BoundLogistic},
		)
		require.NoError(t, err)
		_, err = price.EpsilonUpper(1e-6)
		require.NoError(t, err)
		assert.Zero(t, price.LogDeltaUpper(1), "next to nothing is hidden")
		took := processorTime(t) - start
		t.Logf("%s: %.2f s", event.Mechanism(), took)
		assert.Less(t, took, 15.0, event.Mechanism()) // the first 1 s, the second 3
	}
}
