package pate

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

func plan(t testing.TB, votes [][]int, sigma, order, budget, testSigma, failure float64) Plan {
	t.Helper()
	shape, err := ShapeOf(votes)
	require.NoError(t, err)
	p, err := NewPlan(privacy.AddRemove, shape, sigma, order, budget, testSigma, failure)
	require.NoError(t, err)
	return p
}

func queriesOf(votes [][]int) []query {
	list := make([]query, len(votes))
	for i, row := range votes {
		list[i] = newQuery(row)
	}
	return list
}

// Golden values R, pate_distance, in 24 digits by independent code. The staircase rounds each
// chance up by 1/64 at most where a price counts, which may make the distance smaller by one.
func TestGoldenDistances(t *testing.T) {
	for _, c := range []struct {
		votes                [][]int
		sigma, alpha, budget float64
		at                   map[int]float64
		distance             int
	}{
		{
			[][]int{{220, 18, 12}, {216, 16, 18}, {219, 31, 0}, {240, 7, 3}}, 25, 12, 0.001,
			map[int]float64{
				0: 2.0687523240806183e-07, 1: 2.680404697067761e-07, 10: 2.579373016865441e-06,
			}, 40,
		},
		{
			[][]int{{180, 69, 1}, {166, 47, 37}, {227, 15, 8}, {230, 18, 2}}, 25, 8, 0.02,
			map[int]float64{
				0: 0.00034074119629391925, 1: 0.00039611474762212505, 10: 0.0013594254090628425,
			}, 46,
		},
		{
			[][]int{
				{375, 9, 3, 11, 1, 1, 0, 0, 0, 0}, {361, 25, 8, 2, 0, 1, 2, 1, 0, 0},
				{366, 16, 6, 0, 10, 1, 1, 0, 0, 0}, {379, 9, 10, 2, 0, 0, 0, 0, 0, 0},
			}, 40, 30, 0.001,
			map[int]float64{
				0: 6.604814370220645e-08, 1: 7.596326796514921e-08, 10: 2.8153730117415386e-07,
			}, 72,
		},
		{
			[][]int{{59, 41}, {51, 49}, {57, 43}}, 8, 6, 0.01,
			map[int]float64{0: 0.19012856252439925, 1: 0.2101361604637073, 10: 0.28125}, -1,
		},
	} {
		p := plan(t, c.votes, c.sigma, c.alpha, c.budget, 5, 1e-6)
		m := newMeter(p)
		queries := queriesOf(c.votes)
		for k, want := range c.at {
			got := m.spent(queries, k)
			assert.GreaterOrEqual(t, got, want*(1-1e-7))
			assert.LessOrEqual(t, got, want*1.15, "σ = %g, k = %d", c.sigma, k)
			// Without the staircase, it is the golden value.
			exact := 0.0
			for _, q := range queries {
				chance, ok := q.at(m.table, k)
				if ok {
					exact += TwoTails(chance.float(), p.Sigma, c.alpha)
				} else {
					exact += Independent(p.Sigma, c.alpha)
				}
			}
			assert.InEpsilon(t, want, exact, 2e-4)
		}
		d := p.Distance(c.votes)
		assert.LessOrEqual(t, d, c.distance)
		assert.GreaterOrEqual(t, d, c.distance-1)
		for _, row := range c.votes { // whatever the order of the classes
			slices.Reverse(row)
		}
		assert.Equal(t, d, p.Distance(c.votes))
	}
}

// One teacher changes D by one at most: 1e5 random changes of votes, each of one teacher on all
// queries.
func TestDistanceMovesByOne(t *testing.T) {
	nativetest.Only(t)
	random := newDice(3)
	moved := map[int]int{}
	for _, c := range []struct {
		classes, teachers    int
		sigma, alpha, budget float64
	}{
		{2, 30, 2, 6, 1}, {4, 40, 3, 4, 0.4}, {3, 60, 4, 12, 0.3}, {6, 25, 1.5, 3, 2},
		{3, 500, 20, 20, 0.01},
	} {
		const queries = 3
		shape := Shape{queries, c.classes, c.teachers}
		p, err := NewPlan(privacy.AddRemove, shape, c.sigma, c.alpha, c.budget, 5, 1e-6)
		require.NoError(t, err)
		m := newMeter(p)
		for range 1000 {
			votes := make([][]int, queries)
			for i := range votes {
				votes[i] = make([]int, c.classes)
				sure := random.Float64()
				for range c.teachers {
					class := 0
					if random.Float64() > sure {
						class = random.IntN(c.classes)
					}
					votes[i][class]++
				}
			}
			before := m.distance(votes)
			for range 20 {
				for _, row := range votes {
					from := random.IntN(c.classes)
					if row[from] > 0 && random.IntN(4) > 0 {
						row[from]--
						row[random.IntN(c.classes)]++
					}
				}
				after := m.distance(votes)
				require.LessOrEqual(t, after, before+1)
				require.GreaterOrEqual(t, after, before-1)
				moved[after-before]++
				before = after
			}
		}
	}
	assert.Greater(t, moved[1], 1000)
	assert.Greater(t, moved[-1], 1000)
}

// Of all votes that k moves make of given ones, those that [query.at] says have the largest sum.
func TestTheWorstVotesWithinReach(t *testing.T) {
	noise := newSpread(1.7)
	table := behind(noise, 20)
	for _, start := range [][]int{{12, 3, 1}, {10, 5, 5}, {9, 4, 2}, {14, 0, 0}} {
		reached := map[[3]int]bool{{start[0], start[1], start[2]}: true}
		for k := range 6 {
			worst, ok := chance(0), true
			for votes := range reached {
				sum, fine := newQuery(votes[:]).at(table, 0)
				worst, ok = max(worst, sum), ok && fine
			}
			got, fine := newQuery(start).at(table, k)
			assert.Equal(t, ok, fine, "%v k = %d", start, k)
			if ok {
				assert.Equal(t, worst, got, "%v k = %d", start, k)
			}
			next := map[[3]int]bool{}
			for votes := range reached {
				next[votes] = true
				for from := range votes {
					for to := range votes {
						if votes[from] > 0 {
							moved := votes
							moved[from]--
							moved[to]++
							next[moved] = true
						}
					}
				}
			}
			reached = next
		}
	}
}

// Where D is 0 or more, the exact divergence of all labels is the budget at most.
func TestSoundVotesCostNoMoreThanTheBudget(t *testing.T) {
	random := newDice(5)
	for range 30 {
		votes := make([][]int, 4)
		for i := range votes {
			a := 5 + random.IntN(20)
			votes[i] = []int{60 - a, a / 2, a - a/2}
		}
		const sigma, alpha = 5, 6
		exact := 0.0
		for _, row := range votes {
			forward, _ := Divergences(row, sigma, []float64{alpha})
			exact += forward[0]
		}
		if exact < 1e-7 {
			continue
		}
		p := plan(t, votes, sigma, alpha, exact*0.99, 5, 1e-6)
		assert.Negative(t, p.Distance(votes))
	}
}

// The tables are above what they stand for, and rise, fall and bend as the proof of D needs it.
func TestAllowanceOfTables(t *testing.T) {
	sigmas := []float64{3.7, 1e4, 1, 40}
	if testing.Short() {
		sigmas = sigmas[:2]
	}
	for _, sigma := range sigmas {
		noise := newSpread(sigma)
		assert.GreaterOrEqual(t, noise.sigma(), sigma*(1-0x1p-53))
		table := behind(noise, 3000)
		for gap := 1; gap < len(table); gap++ {
			exact := math.Erfc(float64(gap)/(2*noise.sigma())) / 2
			require.GreaterOrEqual(t, table[gap].float(), exact)
			require.LessOrEqual(t, table[gap].float(), exact*(1+1e-6)+0x1p-44)
			require.LessOrEqual(t, table[gap], table[gap-1])
			require.Positive(t, table[gap])
			if gap+1 < len(table) {
				require.GreaterOrEqual(t, table[gap-1]-table[gap], table[gap]-table[gap+1])
			}
		}
		e := newEnvelope(noise, 12)
		before, last := -1, chance(0)
		for c := chance(1); c <= half; c += 1 + c/50 {
			index, end := step(c)
			require.GreaterOrEqual(t, index, before)
			require.GreaterOrEqual(t, end, c)
			if index == before {
				require.Equal(t, last, end)
			}
			before, last = index, end
			require.GreaterOrEqual(t, e.at(c), TwoTails(c.float(), noise.sigma(), 12)*(1-1e-4))
			require.LessOrEqual(t, e.at(c), e.independent)
		}
		assert.True(t, slices.IsSorted(e.steps))
		assert.GreaterOrEqual(t, e.at(half), e.independent*0.5)
	}
}

func BenchmarkDistance(b *testing.B) {
	votes := simulated(200, 0.9, 0.98)
	p := plan(b, votes, 40, 30, 0.05, 10, 2e-6)
	for range b.N {
		p.Distance(votes)
	}
}
