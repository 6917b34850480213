package crosscheck_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/golden"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// Golden values P of propose-test-release and of selections with failures: every row.
func TestReferenceP(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			Epsilon, Delta, Failure float64
			Test                    float64 `json:"mu_test"`
			E                       float64 `json:"epsilon_release"`
			D                       float64 `json:"delta_release"`
			M                       float64 `json:"mu_release"`
			Base                    float64 `json:"mu_base"`
			Neighbour               float64 `json:"failure_neighbour"`
			Eta, Gamma              float64
		}
		Expected struct {
			LogDelta float64 `json:"log_delta"`
			Epsilon  float64
			Sum      float64 `json:"epsilon_sum"`
			Mean     float64 `json:"mean_runs"`
			Delta    float64
			Selected float64 `json:"delta_selection"`
		}
	}
	seen := map[string]int{}
	for _, c := range golden.Cases[one](t, "P") {
		p := c.Params
		event := tested(ofRatio(p.Test), promise(p.E, p.D), p.Failure)
		seen[c.Kind]++
		switch c.Kind {
		case "ptr_gauss_delta":
			event.Release = ofRatio(p.M)
			fallthrough
		case "ptr_delta":
			price, err := account.Of(event, account.Closed, pld.Options{})
			require.NoError(t, err)
			assert.InDelta(t, c.Expected.LogDelta, price.LogDeltaUpper(p.Epsilon), 1e-8, c.ID)
		case "ptr_epsilon":
			for _, method := range []account.Method{account.Closed, account.Distribution} {
				price, err := account.Of(event, method, pld.Options{Accuracy: 1e-5})
				require.NoError(t, err)
				epsilon, err := price.EpsilonUpper(p.Delta)
				require.NoError(t, err)
				assert.GreaterOrEqual(t, epsilon, c.Expected.Epsilon*(1-1e-12), c.ID)
				near := map[account.Method]float64{account.Closed: 1e-9, account.Distribution: 2e-5}
				assert.InEpsilon(t, c.Expected.Epsilon, epsilon, near[method], "%s by %s", c.ID, method)
			}
			// What adding up the two ε and the three δ gives is no less.
			alone := objective.GaussianLogDeltaUpper(c.Expected.Sum-p.E, p.Test)
			assert.InEpsilon(t, p.Delta-p.D-p.Failure, math.Exp(alone), 1e-8, c.ID)
			assert.Greater(t, c.Expected.Sum, c.Expected.Epsilon, c.ID)
		case "selection_with_failure":
			selected := privacy.NegativeBinomialSelection{
				Base: privacy.ProposeTestRelease{
					Test: ofRatio(p.Base), Release: promise(0, 0), Failure: p.Failure,
					Neighbour: p.Neighbour,
				}, Eta: p.Eta, Gamma: p.Gamma,
			}
			failures, rest := selection.WithoutFailures(selected)
			assert.InEpsilon(t, c.Expected.Mean*p.Failure, failures.Here, 1e-9, c.ID)
			assert.InEpsilon(t, c.Expected.Mean*p.Neighbour, failures.There, 1e-9, c.ID)
			assert.InDelta(t, c.Expected.Delta-c.Expected.Selected,
				failures.Here+math.Exp(p.Epsilon)*failures.There, 1e-15, c.ID)
			// The file has 1 for what a selection without failures costs, in all of its rows.
			assert.Equal(t, 1.0, c.Expected.Selected, c.ID)
			clean, err := account.Of(rest, account.Auto, pld.Options{})
			require.NoError(t, err)
			price, err := account.Of(selected, account.Auto, pld.Options{})
			require.NoError(t, err)
			all := price.LogDeltaUpper(p.Epsilon)
			assert.Less(t, all, 0.0, c.ID)
			assert.InEpsilon(t, math.Exp(clean.LogDeltaUpper(p.Epsilon))+failures.Here+
				math.Exp(p.Epsilon)*failures.There, math.Exp(all), 1e-9, c.ID)
		}
	}
	for kind, n := range map[string]int{
		"ptr_delta": 13, "ptr_gauss_delta": 11, "ptr_epsilon": 4, "selection_with_failure": 4,
	} {
		assert.Equal(t, n, seen[kind], kind)
	}
}
