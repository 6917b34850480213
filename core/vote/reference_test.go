package vote

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
)

// Golden values P, vote_laplace and vote_optimal: every row and every number of the file, to
// its tolerances, a relative 1e-9 and 1e-15, and 1e-8 of a logarithm. What TestGolden and
// TestGoldenLaplace say of four of them holds here too.
func TestReferenceP(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct {
			Epsilon, Delta float64
			Size           float64 `json:"epsilon0"`
			Gap            int
		}
		Expected struct {
			P         float64
			LogP      float64  `json:"log_p"`
			Loss      float64  `json:"pure_loss"`
			Corrected float64  `json:"bound_corrected"`
			Zero      float64  `json:"log_delta_at_0"`
			Half      float64  `json:"log_delta_at_half"`
			Wrong     float64  `json:"wrong"`
			LogWrong  *float64 `json:"log_wrong"`
			Never     int      `json:"first_gap_never_wrong"`
		}
	}
	seen := map[string]int{}
	for _, c := range golden.Cases[one](t, "P") {
		p, e := c.Params, c.Expected
		near := func(want, got float64) {
			t.Helper()
			assert.InDelta(t, want, got, 1e-15+1e-9*math.Abs(want), c.ID)
		}
		switch c.Kind {
		case "vote_laplace":
			l, gap := Laplace{p.Size}, float64(p.Gap)
			near(e.P, math.Exp(l.LogWrong(gap)))
			near(e.Loss, l.Loss(gap))
			near(e.Corrected, l.LogWrong(gap)-l.LogWrong(gap+1))
			assert.InDelta(t, e.LogP, l.LogWrong(gap), 1e-8, c.ID)
			assert.InDelta(t, e.Half, l.LogDelta(gap, p.Size/2), 1e-8, c.ID)
			if p.Size < 10 || p.Gap < 10 {
				assert.InDelta(t, e.Zero, l.LogDelta(gap, 0), 1e-8, c.ID)
			} else { // the file lacks p(t−1) − p(t), which is more
				assert.Greater(t, l.LogDelta(gap, 0), e.Zero, c.ID)
			}
		case "vote_optimal":
			r, err := NewRule(OneVoter, privacy.AddRemove, p.Epsilon, p.Delta)
			require.NoError(t, err)
			near(e.Wrong, r.Wrong(p.Gap))
			if e.LogWrong != nil && e.Wrong > 1e-6 {
				assert.InDelta(t, *e.LogWrong, math.Log(r.Wrong(p.Gap)), 1e-8, c.ID)
			}
			if never, ok := r.Never(false); p.Delta > 0x1p-64 {
				assert.True(t, ok, c.ID)
				assert.Equal(t, e.Never, never, c.ID)
			} else {
				assert.False(t, ok, c.ID)
			}
		default:
			continue
		}
		seen[c.Kind]++
	}
	assert.Equal(t, map[string]int{"vote_laplace": 13, "vote_optimal": 20}, seen)
}
