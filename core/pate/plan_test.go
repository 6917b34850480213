package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/distance"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// simulated are the votes of 400 teachers for ten classes: on each query the share of one class
// is drawn evenly, and what is left over goes to the others by exponential weights.
func simulated(queries int, least, most float64) [][]int {
	random := newDice(5)
	votes := make([][]int, queries)
	for i := range votes {
		votes[i] = make([]int, 10)
		share := least + (most-least)*random.Float64()
		var weights [10]float64
		total := 0.0
		for j := 1; j < 10; j++ {
			weights[j] = random.ExpFloat64()
			total += weights[j]
		}
		for range 400 {
			class := 0
			if random.Float64() >= share {
				u := random.Float64() * total
				for class = 1; class < 9 && u > weights[class]; class++ {
					u -= weights[class]
				}
			}
			votes[i][class]++
		}
	}
	return votes
}

// Golden values R, pate_epsilon: the end-to-end price, in 24 digits by independent code.
func TestGoldenEpsilon(t *testing.T) {
	for _, c := range []struct{ alpha, budget, testSigma, epsilon, failure float64 }{
		{25, 0.05, 10, 0.4841534286364054, 1e-6},
		{15, 0.3, 5, 1.175865615311779, 2e-6},
		{8, 1, 3, 2.67360511452681, 1e-6},
	} {
		p := plan(t, [][]int{{5, 1}}, 1, c.alpha, c.budget, c.testSigma, c.failure)
		epsilon, err := p.Epsilon(1e-5)
		require.NoError(t, err)
		assert.InEpsilon(t, c.epsilon, epsilon, 1e-7)
	}
}

// ptr.md §9: where teachers agree, labels with σ = 40 for ε = 0.45, passing with probability
// 0.999; noise that costs 1.99 without a test. The plan's numbers are for votes of this size,
// and were chosen once.
func TestAgreementIsCheap(t *testing.T) {
	votes := simulated(200, 0.9, 0.98)
	p := plan(t, votes, 40, 29.4, 0.0507, 10.26, 2e-6)
	epsilon, err := p.Epsilon(1e-5)
	require.NoError(t, err)
	assert.LessOrEqual(t, epsilon, 0.45)
	test, err := distance.New(p.TestSigma, p.Failure)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, test.Passes(int64(p.Distance(votes))), 0.999)

	plain, err := Untested(privacy.AddRemove, p.Shape, 40)
	require.NoError(t, err)
	independent, err := plain.Epsilon(1e-5)
	require.NoError(t, err)
	assert.InDelta(t, 1.993, independent, 0.001)

	// Chosen from a guess of the gap, it passes as well, for a little more.
	chosen, err := Choose(Request{
		Adjacency: privacy.AddRemove, Shape: p.Shape, Epsilon: 0.47, Delta: 1e-5, Sigma: 40,
		Gap: 300,
	})
	require.NoError(t, err)
	require.True(t, chosen.Tested)
	test, err = distance.New(chosen.TestSigma, chosen.Failure)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, test.Passes(int64(chosen.Distance(votes))), 0.99)
	answer, err := chosen.Labels(randomtest.New(1), votes)
	require.NoError(t, err)
	assert.True(t, answer.Passed)
	assert.Equal(t, make([]int, 200), answer.Labels)
}

// ptr.md §9: where they agree less, labels with σ = 40 for 2.17 at most; and never for more than
// without a test, because none is made where the noise asked for is affordable anyway.
func TestDisagreementIsNoDearer(t *testing.T) {
	votes := simulated(200, 0.35, 0.72)
	shape, err := ShapeOf(votes)
	require.NoError(t, err)
	for _, c := range []struct{ sigma, epsilon float64 }{{20, 4.377}, {40, 1.993}, {100, 0.726}} {
		plain, err := Untested(privacy.AddRemove, shape, c.sigma)
		require.NoError(t, err)
		epsilon, err := plain.Epsilon(1e-5)
		require.NoError(t, err)
		assert.InDelta(t, c.epsilon, epsilon, 0.001)
		p, err := Choose(Request{privacy.AddRemove, shape, epsilon, 1e-5, c.sigma, 100})
		require.NoError(t, err)
		assert.Equal(t, plain, p)
	}
	// The test alone, with as large a budget as labels have on any votes: it always passes.
	p := plan(t, votes, 40, 9.5, 200*9.5/1600.*(1+1e-6), 60, 1e-7)
	epsilon, err := p.Epsilon(1e-5)
	require.NoError(t, err)
	assert.LessOrEqual(t, epsilon, 2.17)
	assert.Equal(t, 400, p.Distance(votes))
}

// Every request is answered: a plan keeps its ε, and what it cannot afford it does with more
// noise.
func TestChosenPlansKeepTheirPrice(t *testing.T) {
	nativetest.Only(t)
	for _, shape := range []Shape{{1, 2, 5}, {40, 3, 20}, {200, 10, 400}, {1000, 2, 5000}} {
		for _, epsilon := range []float64{0.05, 0.5, 3} {
			for _, sigma := range []float64{1, 30} {
				for _, gap := range []int{0, shape.Teachers / 3, shape.Teachers} {
					p, err := Choose(Request{privacy.ReplaceOne, shape, epsilon, 1e-6, sigma, gap})
					require.NoError(t, err)
					cost, err := p.Epsilon(1e-6)
					require.NoError(t, err)
					assert.LessOrEqual(t, cost, epsilon)
					assert.GreaterOrEqual(t, p.Sigma, sigma)
					if p.Tested {
						price := float64(shape.Queries) * Independent(p.Fallback, p.Order)
						assert.LessOrEqual(t, price, p.Budget)
					}
				}
			}
		}
	}
}

func TestVotesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		votes       [][]int
		field, says string
	}{
		{nil, "votes", "for each query"},
		{[][]int{{4}}, "votes[0]", "two classes"},
		{[][]int{{4, 1}, {4, 1, 0}}, "votes[1]", "2 counts"},
		{[][]int{{4, -1}}, "votes[0][1]", "from 0"},
		{[][]int{{4, 1}, {4, 2}}, "votes[1]", "6 votes: it must be 5 votes, as of the first query"},
		{[][]int{{0, 0}}, "teachers", "from 1"},
		{[][]int{{math.MaxInt, math.MaxInt}}, "votes[0][0]", "2^17"},
		{[][]int{make([]int, 1001)}, "classes", "1000"},
	} {
		if len(c.votes) == 1 && len(c.votes[0]) > 1000 {
			c.votes[0][0] = 1
		}
		_, err := ShapeOf(c.votes)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, c.votes)
		assert.Equal(t, c.field, bad.Field)
		assert.Contains(t, err.Error(), c.says)
	}
	p := plan(t, [][]int{{4, 1}}, 2, 5, 0.1, 3, 1e-3)
	source := &randomtest.Script{}
	for _, votes := range [][][]int{{{4, 1}, {4, 1}}, {{4, 2}}, {{4, 1, 0}}, {{4, -1}}} {
		answer, err := p.Labels(source, votes)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Zero(t, answer)
	}
	assert.Zero(t, source.Read, "no randomness is drawn")
	_, err := p.Labels(randomtest.NewFailAfter(1, 8, randomtest.ErrExhausted), [][]int{{4, 1}})
	assert.ErrorIs(t, err, randomtest.ErrExhausted)
}

func TestPlansThatAreNone(t *testing.T) {
	shape := Shape{1, 2, 5}
	nan := math.NaN()
	for _, c := range []struct {
		sigma, order, budget, testSigma, failure float64
		field                                    string
	}{
		{0.5, 5, 0.1, 3, 1e-3, "sigma"}, {nan, 5, 0.1, 3, 1e-3, "sigma"},
		{2, 1, 0.1, 3, 1e-3, "order"}, {2, nan, 0.1, 3, 1e-3, "order"},
		{2, 5, 0, 3, 1e-3, "budget"}, {2, 5, math.Inf(1), 3, 1e-3, "budget"},
		{2, 5, 0.1, 0, 1e-3, "testSigma"}, {2, 5, 0.1, 3, 0, "failure"}, {2, 5, 0.1, 3, nan, "failure"},
	} {
		_, err := NewPlan(
			privacy.AddRemove, shape, c.sigma, c.order, c.budget, c.testSigma, c.failure,
		)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%+v", c)
		assert.Equal(t, c.field, bad.Field)
	}
	_, err := NewPlan(0, shape, 2, 5, 0.1, 3, 1e-3)
	assert.Error(t, err, "adjacency has no default")
	for _, c := range []struct {
		epsilon, delta, sigma float64
		gap                   int
		field                 string
	}{
		{0, 1e-6, 2, 0, "epsilon"}, {nan, 1e-6, 2, 0, "epsilon"}, {1, 0, 2, 0, "delta"},
		{1, nan, 2, 0, "delta"}, {1, 1e-6, 0, 0, "sigma"}, {1, 1e-6, 2, 6, "gap"},
		{1, 1e-6, 2, -1, "gap"},
	} {
		_, err := Choose(Request{privacy.AddRemove, shape, c.epsilon, c.delta, c.sigma, c.gap})
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%+v", c)
		assert.Equal(t, c.field, bad.Field)
	}
}

// A plan is a value with fields that anybody may set. One whose fallback has less noise than
// its price is for hands nothing out.
func TestAPlanMadeByHandHasTheNoiseOfItsPrice(t *testing.T) {
	votes := [][]int{{3, 2}}
	made, err := NewPlan(privacy.AddRemove, Shape{1, 2, 5}, 2, 5, 0.1, 3, 1e-3)
	require.NoError(t, err)
	_, err = made.Labels(randomtest.New(1), votes)
	require.NoError(t, err)
	for _, forged := range []float64{
		0, made.Fallback / 2, made.Fallback * 0.999, math.NaN(), 1e30,
	} {
		p := made
		p.Fallback = forged
		_, err := p.Labels(randomtest.New(1), votes)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%v", forged)
		assert.Equal(t, "fallback", bad.Field)
	}
}
