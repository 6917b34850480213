package pate

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
	"cloister/core/special"
)

type referenceR struct {
	ID, Kind string
	Params   struct {
		Counts, Orders         []float64
		Votes                  [][]int
		Q, Sigma, Alpha, Beta  float64
		Budget, Delta, Failure float64
		TestSigma              float64 `json:"sigma_test"`
		TestEpsilon            float64 `json:"epsilon_test"`
		Teachers, Plurality    int
	}
	Expected struct {
		P           []float64
		Q           float64    `json:"q_union"`
		LogQ        float64    `json:"log_q_union"`
		Forward     []float64  `json:"rdp_forward"`
		Backward    []float64  `json:"rdp_backward"`
		Independent any        `json:"rdp_independent"`
		Papernots   []*float64 `json:"rdp_papernot_theorem6"`
		Simples     []float64  `json:"rdp_simple"`
		Twos        []float64  `json:"rdp_two_tails"`
		Papernot    *float64   `json:"papernot_theorem6"`
		Simple      float64
		TwoTails    float64 `json:"two_tails"`
		Exact       float64
		Theorem23   float64            `json:"papernot_theorem23"`
		At          map[string]float64 `json:"rdp_at_distance"`
		Distance    int
		Epsilon     float64
		Alpha, Beta float64
		SigmaS      float64 `json:"sigma_s"`
		Published   float64 `json:"rdp_published"`
		RDP         float64 `json:"rdp_exact"`
		Curve       float64
		Local       float64            `json:"local_sensitivity"`
		LocalAt     map[string]float64 `json:"local_sensitivity_at"`
		Smooth      float64            `json:"smooth_sensitivity"`
		AtDistance  int                `json:"at_distance"`
	}
}

// Golden values R: every row and every number of the file, to its tolerance, a relative 1e-7
// and 1e-16; two tails may be a relative 1e-4 above. (The tables of the other tests here are of
// the same values, for where the file is absent.)
func TestReferenceR(t *testing.T) {
	seen := map[string]int{}
	for _, c := range golden.Cases[referenceR](t, "R") {
		seen[c.Kind]++
		check, ok := referenceChecks[c.Kind]
		require.True(t, ok, c.Kind)
		check(t, c)
	}
	assert.Equal(t, map[string]int{
		"vote": 7, "bound_of_q": 15, "gnss_rdp": 9, "pate_distance": 4, "pate_epsilon": 3,
		"published_pate_test": 3, "binary_smooth_sensitivity": 6,
	}, seen)
}

func nearPapernot(t *testing.T, want *float64, logQ, sigma, alpha float64) {
	t.Helper()
	got, ok := Papernot(logQ, sigma, alpha)
	require.Equal(t, want != nil, ok)
	if ok {
		near(t, *want, got, 1e-7)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

var referenceChecks = map[string]func(t *testing.T, c referenceR){
	"vote": func(t *testing.T, c referenceR) {
		p, e := c.Params, c.Expected
		counts := make([]int, len(p.Counts))
		for i, n := range p.Counts {
			counts[i] = int(n)
		}
		for j, chance := range Law(counts, p.Sigma) {
			near(t, e.P[j], chance, 1e-7)
		}
		q := union(counts, p.Sigma)
		near(t, e.Q, q, 1e-7)
		assert.InDelta(t, e.LogQ, math.Log(q), 1e-7)
		forward, backward := Divergences(counts, p.Sigma, p.Orders)
		independent := e.Independent.([]any)
		for i, alpha := range p.Orders {
			near(t, e.Forward[i], forward[i], 1e-7)
			near(t, e.Backward[i], backward[i], 1e-7)
			near(t, independent[i].(float64), Independent(p.Sigma, alpha), 1e-7)
			near(t, e.Simples[i], Simple(q, p.Sigma, alpha), 1e-7)
			above(t, e.Twos[i], TwoTails(q, p.Sigma, alpha))
			nearPapernot(t, e.Papernots[i], math.Log(q), p.Sigma, alpha)
		}
	},
	"bound_of_q": func(t *testing.T, c referenceR) {
		p, e := c.Params, c.Expected
		near(t, e.Simple, Simple(p.Q, p.Sigma, p.Alpha), 1e-7)
		above(t, e.TwoTails, TwoTails(p.Q, p.Sigma, p.Alpha))
		nearPapernot(t, e.Papernot, math.Log(p.Q), p.Sigma, p.Alpha)
	},
	"gnss_rdp": func(t *testing.T, c referenceR) {
		near(t, c.Expected.Exact, Smooth(c.Params.Alpha, c.Params.Beta, c.Params.Sigma), 1e-7)
		assert.Greater(t, c.Expected.Theorem23, c.Expected.Exact)
	},
	"pate_distance": func(t *testing.T, c referenceR) {
		p, e := c.Params, c.Expected
		made := plan(t, p.Votes, p.Sigma, p.Alpha, p.Budget, 5, 1e-6)
		near(t, e.Independent.(float64), float64(len(p.Votes))*Independent(p.Sigma, p.Alpha), 1e-7)
		m, queries := newMeter(made), queriesOf(p.Votes)
		for at, want := range e.At {
			exact := 0.0
			for _, q := range queries {
				if chance, ok := q.at(m.table, number(t, at)); ok {
					exact += TwoTails(chance.float(), made.Sigma, p.Alpha)
				} else {
					exact += Independent(made.Sigma, p.Alpha)
				}
			}
			assert.InEpsilon(t, want, exact, 2e-4, c.ID)
		}
		// The staircase may make it smaller by one (TestGoldenDistances).
		assert.Contains(t, []int{e.Distance, e.Distance - 1}, made.Distance(p.Votes), c.ID)
	},
	"pate_epsilon": func(t *testing.T, c referenceR) {
		p := c.Params
		made, err := NewPlan(privacy.AddRemove, Shape{1, 2, 5}, 1, p.Alpha, p.Budget, p.TestSigma,
			p.Failure)
		require.NoError(t, err)
		epsilon, err := made.Epsilon(p.Delta)
		require.NoError(t, err)
		near(t, c.Expected.Epsilon, epsilon, 1e-7)
	},
	"published_pate_test": func(t *testing.T, c referenceR) {
		p, e := c.Params, c.Expected
		alpha, sigma, beta := PublishedTest(p.TestEpsilon, p.Delta)
		near(t, e.Alpha, alpha, 1e-7)
		near(t, e.SigmaS, sigma, 1e-7)
		near(t, e.Beta, beta, 1e-7)
		near(t, e.RDP, Smooth(alpha, beta, sigma)+alpha/(2*sigma*sigma), 1e-7)
		near(t, e.Published, p.TestEpsilon/2, 1e-7)
	},
	"binary_smooth_sensitivity": func(t *testing.T, c referenceR) {
		p, e := c.Params, c.Expected
		smooth, distance, local := BinarySmooth(p.Teachers, p.Plurality, p.Sigma, p.Alpha, p.Beta)
		near(t, e.Smooth, smooth, 1e-7)
		assert.Equal(t, e.AtDistance, distance, c.ID)
		near(t, e.Local, local(0), 1e-7)
		for at, want := range e.LocalAt {
			near(t, want, local(number(t, at)), 1e-7)
		}
		gap := math.Abs(float64(2*p.Plurality - p.Teachers))
		q := special.NormalSurvival(gap / (math.Sqrt2 * p.Sigma))
		near(t, e.Curve, Simple(q, p.Sigma, p.Alpha), 1e-7)
	},
}
