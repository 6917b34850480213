package vote

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"cloister/core/account/golden"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func rule(t testing.TB, changes Changes, epsilon, delta float64) *Rule {
	r, err := NewRule(changes, privacy.AddRemove, epsilon, delta)
	require.NoError(t, err)
	return r
}

// Golden values P, vote_optimal: the recursion in 30 digits by independent code. To 1e-15, or
// a relative 1e-9.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta float64
		gap            int
		wrong          float64
		never          int
	}{
		{0.1, 1e-6, 1, 0.45241780418056177, 109},
		{0.1, 1e-6, 2, 0.40936365297081984, 109},
		{0.1, 1e-6, 20, 0.06765942009915842, 109},
		{0.5, 1e-6, 1, 0.303264723325657, 26},
		{0.5, 1e-6, 20, 2.1158540782428704e-05, 26},
		{1, 1e-10, 1, 0.1839397205489332, 23},
		{1, 1e-10, 2, 0.06766764156798487, 23},
		{1, 1e-10, 100, 0, 23},
		{0.01, 0.001, 2, 0.4881290881463217, 180},
		{0.01, 0.001, 100, 0.12104319821602526, 180},
		// In 30 digits it is never wrong from a gap of 36 on; in 64 bits, rounded up, it is one in
		// 2^64.
		{2, 1e-30, 1, 0.06766764161830635, 0},
		{2, 1e-30, 2, 0.00915781944436709, 0},
		{2, 1e-30, 100, 0, 0},
		{2, 1e-30, 5, 2.2699964881242427e-05, 0},
		{2, 1e-30, 20, 2.124177127645638e-18, 0},
		{0, 0.01, 1, 0.49, 50},
		{0, 0.01, 2, 0.48, 50},
		{0, 0.01, 5, 0.45, 50},
		{0, 0.01, 20, 0.3, 50},
		{0, 0.01, 100, 0, 50},
	} {
		r := rule(t, OneVoter, c.epsilon, c.delta)
		assert.InDelta(t, c.wrong, r.Wrong(c.gap), 1e-15+1e-9*c.wrong, "%+v", c)
		never, ok := r.Never(false)
		assert.Equal(t, c.never > 0, ok)
		assert.Equal(t, c.never, never, "%+v", c)
	}
}

// ptr.md §9: at ε = 0.11 and δ = 1e-6 the answer is never wrong at gap 100; nor is any of
// many draws.
func TestNeverWrongAtGap100(t *testing.T) {
	r := rule(t, OneVoter, 0.11, 1e-6)
	assert.Zero(t, r.wrong(100))
	assert.NotZero(t, r.wrong(99))
	votes := make([][]int, 10_000)
	for i := range votes {
		votes[i] = []int{150, 50}
	}
	labels, err := r.Labels(randomtest.New(1), votes)
	require.NoError(t, err)
	for _, label := range labels {
		require.Zero(t, label)
	}
}

// best is the least mean error at a gap, over all private ways to answer at the signed gaps
// −gap, …, gap: a linear program over the probabilities of the answer 1.
func best(t *testing.T, step, gap int, epsilon, delta float64) float64 {
	var gaps []int
	for at := -gap; at <= gap; at += step {
		gaps = append(gaps, at)
	}
	n, c := len(gaps), math.Exp(epsilon)
	var rows [][]float64
	var limits []float64
	atMost := func(limit float64, terms map[int]float64) {
		row := make([]float64, n)
		for i, x := range terms {
			row[i] = x
		}
		rows, limits = append(rows, row), append(limits, limit)
	}
	for i := range n {
		atMost(1, map[int]float64{i: 1})
		if i == 0 {
			continue
		}
		for _, pair := range [][2]int{{i - 1, i}, {i, i - 1}} {
			atMost(delta, map[int]float64{pair[0]: 1, pair[1]: -c})
			atMost(delta+c-1, map[int]float64{pair[0]: -1, pair[1]: c})
		}
	}
	// In standard form: a slack each.
	a := mat.NewDense(len(rows), n+len(rows), nil)
	for i, row := range rows {
		for j, x := range row {
			a.Set(i, j, x)
		}
		a.Set(i, n+i, 1)
	}
	cost := make([]float64, n+len(rows))
	cost[0] += 0.5
	cost[n-1] -= 0.5
	value, _, err := lp.Simplex(cost, a, limits, 1e-12, nil)
	require.NoError(t, err)
	return value + 0.5
}

// The table is what a linear program finds that knows no recursion and no symmetry.
func TestNothingPrivateIsBetter(t *testing.T) {
	for _, c := range []struct{ epsilon, delta float64 }{
		{0.1, 1e-3}, {0.5, 1e-2}, {1, 1e-6}, {0.3, 0.05}, {2, 0.1},
	} {
		largest := 12
		if testing.Short() {
			largest = 6
		}
		for gap := 1; gap <= largest; gap++ {
			for _, changes := range []Changes{OneVoter, OneVote} {
				r := rule(t, changes, c.epsilon, c.delta)
				assert.InDelta(
					t, best(t, r.step(), gap, c.epsilon, c.delta), r.Wrong(gap), 1e-9,
					"%v %s gap %d", c, changes, gap,
				)
			}
		}
	}
}

// The probabilities that are drawn with satisfy the definition, in 400 bits; and they are no
// more than 64 units of 2^-64 and a relative 1e-12 above the bound at each step.
func TestAllowanceDefinition(t *testing.T) {
	unit := func(w uint64) *big.Float {
		x := new(big.Float).SetPrec(golden.Bits).SetUint64(w)
		return x.SetMantExp(x, -64)
	}
	one := golden.Big(1)
	for _, c := range []struct{ epsilon, delta float64 }{
		{0, 0}, {0, 0.01}, {1e-50, 1e-6}, {1e-17, 0}, {0.1, 1e-6}, {0.11, 1e-6}, {0.5, 1e-300},
		{0.7, 0.123}, {1, 1e-10}, {3, 0}, {44, 1e-5}, {800, 0}, {1e50, 0}, {0.2, 0.999},
		{math.Ln2, 0}, {1.0986122886681098, 1e-12},
	} {
		factor := golden.Exp(golden.Big(math.Min(c.epsilon, 1e4)))
		private := func(p, q *big.Float) bool { // p ≤ e^ε q + δ
			return p.Cmp(golden.Plus(golden.Times(factor, q), golden.Big(c.delta))) <= 0
		}
		for _, changes := range []Changes{OneVoter, OneVote} {
			r := rule(t, changes, c.epsilon, c.delta)
			signed := func(gap int) *big.Float { // P[answer 1], where 1 leads by gap
				if gap < 0 {
					return unit(r.wrong(-gap))
				}
				return golden.Minus(one, unit(r.wrong(gap)))
			}
			for gap := -2; gap < 60; gap++ {
				p, q := signed(gap), signed(gap+r.step())
				for _, pair := range [][2]*big.Float{{p, q}, {q, p}} {
					require.True(t, private(pair[0], pair[1]), "%v %s gap %d", c, changes, gap)
					require.True(
						t, private(golden.Minus(one, pair[0]), golden.Minus(one, pair[1])),
						"%v %s gap %d", c, changes, gap,
					)
				}
				if gap < 0 {
					continue
				}
				from, to := unit(r.wrong(gap)), unit(r.wrong(gap+r.step()))
				least := golden.Over(golden.Minus(from, golden.Big(c.delta)), factor)
				room := golden.Times(golden.Big(1e-12), from)
				room = golden.Plus(room, unit(64))
				assert.True(
					t, to.Cmp(golden.Plus(room, least)) <= 0 || r.wrong(gap+r.step()) == 0,
					"%v %s gap %d is wasteful", c, changes, gap,
				)
			}
		}
	}
}

func TestWrongFallsWithEpsilonDeltaAndGap(t *testing.T) {
	for gap := range 40 {
		a := rule(t, OneVote, 0.3, 1e-3)
		assert.GreaterOrEqual(t, a.wrong(gap), rule(t, OneVote, 0.4, 1e-3).wrong(gap))
		assert.GreaterOrEqual(t, a.wrong(gap), rule(t, OneVote, 0.3, 1e-2).wrong(gap))
		assert.GreaterOrEqual(t, a.wrong(gap), a.wrong(gap+2))
		assert.GreaterOrEqual(t, a.wrong(gap), rule(t, OneVoter, 0.3, 1e-3).wrong(gap))
	}
}

func TestEventIsOneEpsilonDeltaARow(t *testing.T) {
	event := rule(t, OneVote, 0.3, 1e-6).Event(7)
	require.NoError(t, event.Validate())
	part := event.(privacy.Composition).Parts[0]
	assert.Equal(t, 7, part.Count)
	assert.Equal(
		t, privacy.ApproximateDP{
			Adjacency: privacy.AddRemove, Epsilon: 0.3, Delta: 1e-6,
		}, part.Event,
	)
}

func TestVotesThatAreNoCounts(t *testing.T) {
	voter, vote := rule(t, OneVoter, 1, 0), rule(t, OneVote, 1, 0)
	for _, c := range []struct {
		rule        *Rule
		votes       [][]int
		field, says string
	}{
		{voter, nil, "votes", "for each row"},
		{voter, [][]int{{1, 2}, {1, 2, 3}}, "votes[1]", "two counts"},
		{voter, [][]int{{1, -2}}, "votes[0][1]", "from 0"},
		{voter, [][]int{{1 << 20, 1}}, "votes[0]", "2^20"},
		{voter, [][]int{{math.MaxInt, math.MaxInt}}, "votes[0][0]", "2^20"},
		{vote, [][]int{{5, 6}, {5, 5}}, "votes[1]", "11 votes, as on the first row"},
	} {
		source := &randomtest.Script{}
		labels, err := c.rule.Labels(source, c.votes)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, c.votes)
		assert.Equal(t, c.field, bad.Field)
		assert.Contains(t, err.Error(), c.says)
		assert.Nil(t, labels)
		assert.Zero(t, source.Read, "no randomness is drawn")
	}
	assert.NoError(t, voter.Check([][]int{{5, 6}, {5, 5}, {0, 0}}), "a voter may abstain")
}

func TestRulesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		changes        Changes
		adjacency      privacy.Adjacency
		epsilon, delta float64
		field          string
	}{
		{"", privacy.AddRemove, 1, 0, "changes"},
		{OneVoter, privacy.ReplaceOne, 1, 0, "adjacency"},
		{OneVote, 0, 1, 0, "adjacency"},
		{OneVote, privacy.ReplaceOne, -1, 0, "epsilon"},
		{OneVote, privacy.ReplaceOne, math.NaN(), 0, "epsilon"},
		{OneVote, privacy.ReplaceOne, 1, 1, "delta"},
		{OneVote, privacy.ReplaceOne, 1, math.NaN(), "delta"},
	} {
		_, err := NewRule(c.changes, c.adjacency, c.epsilon, c.delta)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%+v", c)
		assert.Equal(t, c.field, bad.Field)
	}
}

func TestAFailingSourceNamesNobody(t *testing.T) {
	r := rule(t, OneVoter, 1, 0)
	labels, err := r.Labels(&randomtest.Script{Words: []uint64{1}}, [][]int{{1, 0}, {1, 0}})
	require.ErrorIs(t, err, randomtest.ErrExhausted)
	assert.Nil(t, labels)
	assert.True(t, strings.HasPrefix(err.Error(), "randomtest"))
}

// The table that labels are drawn by is the recursion at every gap, and rows share it: four
// thousand rows with the largest gap at a tiny ε take little longer than one.
func TestRowsShareOneTable(t *testing.T) {
	for _, changes := range []Changes{OneVoter, OneVote} {
		for _, c := range [][2]float64{
			{0.4, 1e-3}, {1e-15, 0}, {0, 0.01}, {30, 1e-300}, {1e-50, 1e-300},
		} {
			r := rule(t, changes, c[0], c[1])
			table := r.wrongs(301)
			require.Len(t, table, 302)
			for gap, w := range table {
				require.Equal(t, r.wrong(gap), w, "%v, gap %d", c, gap)
			}
			assert.Equal(t, table[:1], r.wrongs(0))
		}
	}
	r := rule(t, OneVoter, 1e-15, 0)
	seconds := func(rows int) float64 {
		votes := make([][]int, rows)
		for i := range votes {
			votes[i] = []int{0, MostVoters}
		}
		least := math.Inf(1)
		for range 3 {
			start := time.Now()
			_, err := r.Labels(randomtest.New(1), votes)
			require.NoError(t, err)
			least = min(least, time.Since(start).Seconds())
		}
		return least
	}
	one, many := seconds(1), seconds(4000)
	t.Logf("%.2g s, %.2g s", one, many)
	assert.Less(t, many, 100*one)
}
