package selection

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
)

func TestReferenceJ(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			Orders  []float64
			BaseRDP []float64 `json:"base_rdp"`
			Eta     float64
			Gamma   float64
			Mu      float64
			Sigma   float64
			Alpha   float64
		}
		Expected json.RawMessage
	}
	near := func(id string, want, got float64) {
		assert.LessOrEqual(
			t, math.Abs(want-got), 1e-12+1e-10*math.Abs(want), "%s: got %v, want %v", id, got, want,
		)
	}
	for _, c := range golden.Cases[one](t, "J") {
		p := c.Params
		switch c.Kind {
		case "tnb":
			var want struct {
				Mean float64
				RDP  []float64
			}
			require.NoError(t, json.Unmarshal(c.Expected, &want))
			near(c.ID, want.Mean, MeanNegativeBinomial(p.Eta, p.Gamma))
			smallest := math.Inf(1)
			for i, beta := range p.Orders {
				smallest = math.Min(smallest, hat(beta, p.BaseRDP[i], p.Gamma))
			}
			price := overheadNegativeBinomial(p.Eta, p.Gamma, smallest)
			for i, alpha := range p.Orders {
				near(c.ID, want.RDP[i], price(alpha, p.BaseRDP[i]))
			}
		case "poisson":
			var want struct {
				RDP      []float64
				DeltaHat []float64 `json:"delta_hat"`
			}
			require.NoError(t, json.Unmarshal(c.Expected, &want))
			for i, alpha := range p.Orders {
				near(
					c.ID, want.RDP[i],
					PublishedPoissonAtOrder(alpha, p.BaseRDP[i], p.Mu, want.DeltaHat[i]),
				)
				if p.Mu >= 1 {
					assert.LessOrEqual(
						t, poissonAtOrder(alpha, p.BaseRDP[i], p.Mu, want.DeltaHat[i]),
						want.RDP[i]*(1+1e-9),
					)
				}
			}
		case "tnb_gaussian_continuous":
			var want struct{ RDP float64 }
			require.NoError(t, json.Unmarshal(c.Expected, &want))
			base := gaussianCurve(p.Sigma)
			price, err := TruncatedNegativeBinomial(base, p.Eta, p.Gamma)
			require.NoError(t, err)
			assert.LessOrEqual(t, price(p.Alpha, base), want.RDP*(1+1e-9), c.ID)
		}
	}
}

// Golden values P, liu_talwar_base (mpmath, 30 digits): what one run may cost for the best of
// them to have (ε, δ).
func TestLiuTalwarOfReferenceP(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta, tau, cutoff float64
		runs                        float64
		base, baseDelta             float64
	}{
		{1, 1e-6, 0.05 / 30, 5e-7, 8706, 0.3333333332759017, 1.6491975743443753e-21},
		{1, 1e-6, 0.1, 5e-7, 146, 0.3333333299086758, 5.864139613435916e-18},
		{0.5, 1e-8, 0.1 / 30, 5e-9, 5735, 0.16666666666579483, 3.800521279498696e-25},
	} {
		assert.Equal(t, c.runs, math.Ceil(-math.Log(c.cutoff)/c.tau))
		got, err := LiuTalwar(privacy.Guarantee{
			Adjacency: privacy.AddRemove, Epsilon: c.base, Delta: c.baseDelta,
		}, c.tau, c.cutoff)
		require.NoError(t, err)
		assert.InEpsilon(t, c.epsilon, got.Epsilon, 1e-9)
		assert.InEpsilon(t, c.delta, got.Delta, 1e-9)
	}
}
