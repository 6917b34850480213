package distance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The noisy distance on neighbours, against the price of the discrete Gaussian; with half the
// noise; and of a distance that one record changes by two.
func TestAudit(t *testing.T) {
	trial := func(sigma float64, distance int64) audittest.Trial {
		test, err := New(sigma, 1e-3)
		require.NoError(t, err)
		return func(source random.Source) (float64, error) {
			noisy, _, err := test.Run(source, distance)
			return float64(noisy), err
		}
	}
	test, err := New(2, 1e-3)
	require.NoError(t, err)
	price, err := pld.Of(test.Event(privacy.AddRemove), pld.Options{})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			return curve.DeltaUpper(price, epsilon)
		},
		Epsilons: audittest.Grid(2, 16),
		Thresholds: []float64{
			6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5,
		},
		Runs: audittest.Runs(20_000),
	}
	audit.Holds(t, "honest", trial(2, 9), trial(2, 10))
	audit.Catches(t, "noise halved", trial(1, 9), trial(1, 10))
	audit.Catches(t, "a distance that moves by two", trial(2, 9), trial(2, 11))
}
