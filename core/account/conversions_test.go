package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// A conversion of a Rényi curve has its rounding added.
func TestAllowanceOfConversions(t *testing.T) {
	price, err := account.Of(descent, account.Renyi, pld.Options{})
	require.NoError(t, err)
	profile, err := rdp.Of(descent)
	require.NoError(t, err)
	bare := curve.LogDeltaFromRenyi(profile.At, 2)
	assert.Greater(t, price.LogDeltaUpper(2)-bare, 0x1p-41)
	epsilon, err := price.EpsilonUpper(1e-5)
	require.NoError(t, err)
	assert.Greater(t, epsilon, curve.EpsilonFromRenyi(profile.At, -11.512925464970229)*(1+0x1p-42))

	failing := privacy.ApproximateDP{Adjacency: adjacency, Epsilon: 1, Delta: 1e-3}
	price, err = account.Of(failing, account.Renyi, pld.Options{})
	require.NoError(t, err)
	assert.Greater(t, price.LogDeltaUpper(50), -6.907755278982137, "the mass is part of δ")
}

// No ε is below the least that the conversion has at any real order, in 400 bits: here
// the best order is next to 1, and the terms cancel.
func TestAllowanceOfConversionsNextToOrderOne(t *testing.T) {
	for _, c := range []struct{ ratio, delta float64 }{
		{5.05, 0.999997}, {5.05, 0.9999967}, {5.2, 0.999997}, {0.5, 1e-5}, {3, 1e-300},
	} {
		event := privacy.Gaussian{Adjacency: adjacency, Sensitivity: c.ratio, Sigma: 1}
		price, err := account.Of(event, account.Renyi, pld.Options{})
		require.NoError(t, err)
		got, err := price.EpsilonUpper(c.delta)
		require.NoError(t, err)
		exact := golden.GaussianEpsilon(c.ratio, c.delta)
		above := golden.Float(golden.Minus(golden.Big(got), exact))
		assert.Positive(t, above, "ratio %v, δ = %v", c.ratio, c.delta)
		assert.Less(t, above, 1e-8*got, "ratio %v, δ = %v", c.ratio, c.delta)
	}
}
