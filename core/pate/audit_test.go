package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// trial runs a plan, unchecked, on the same votes again and again.
func trial(
	t testing.TB, p Plan, votes [][]int, statistic func(Answer) float64,
) audittest.Trial {
	t.Helper()
	l, err := p.labeller()
	require.NoError(t, err)
	return func(source random.Source) (float64, error) {
		answer, err := l.labels(source, votes)
		return statistic(answer), err
	}
}

func claim(t testing.TB, p Plan) func(float64) (float64, error) {
	t.Helper()
	price, err := account.Of(p.Event(), account.Auto, pld.Options{})
	require.NoError(t, err)
	return func(epsilon float64) (float64, error) { return curve.DeltaUpper(price, epsilon) }
}

// repeated are so many queries with the same votes.
func repeated(queries int, votes ...int) [][]int {
	list := make([][]int, queries)
	for i := range list {
		list[i] = votes
	}
	return list
}

// The noisy distance is released too, and sees most where D differs.
func TestAuditOfTheTest(t *testing.T) {
	first, second := repeated(1, 52, 8), repeated(1, 51, 9)
	p := plan(t, first, 2, 6, 0.01, 1.5, 1e-3)
	d := p.Distance(first)
	require.Equal(t, d-1, p.Distance(second))
	audit := audittest.Audit{
		Claim: claim(t, p), Epsilons: audittest.Grid(3, 12), Runs: audittest.Runs(20_000),
	}
	for k := -3; k <= 3; k++ {
		audit.Thresholds = append(audit.Thresholds, float64(d+k)-0.5)
	}
	noisy := func(a Answer) float64 { return float64(a.Distance) }
	audit.Holds(t, "honest", trial(t, p, first, noisy), trial(t, p, second, noisy))
	halved := p
	halved.TestSigma /= 2
	audit.Catches(
		t, "the test's noise halved", trial(t, halved, first, noisy), trial(t, halved, second, noisy),
	)
}

// sum is that of the labels.
func sum(a Answer) float64 {
	s := 0.0
	for _, label := range a.Labels {
		s += float64(label)
	}
	return s
}

// Votes that are close do not pass; what they get is the fallback, and its noise is needed. A
// vote moves on each of many queries: the sum of the labels sees most of it.
func TestAuditOfTheFallback(t *testing.T) {
	const queries = 64
	first, second := repeated(queries, 20, 20), repeated(queries, 19, 21)
	p := plan(t, first, 2, 2, 1, 6, 1e-3)
	require.Equal(t, -1, p.Distance(first))
	audit := audittest.Audit{
		Claim: claim(t, p), Epsilons: audittest.Grid(4, 16), Runs: audittest.Runs(6_000),
	}
	for k := range 9 {
		audit.Thresholds = append(audit.Thresholds, float64(queries/2+2*k)-5.5)
	}
	audit.Holds(t, "honest", trial(t, p, first, sum), trial(t, p, second, sum))

	halved := p
	halved.Fallback /= 2
	audit.Catches(
		t, "the fallback's noise halved", trial(t, halved, first, sum), trial(t, halved, second, sum),
	)
	// Unsound votes pass one time in two.
	careless := p
	careless.Failure = 0.5
	audit.Catches(t, "no margin", trial(t, careless, first, sum), trial(t, careless, second, sum))
}

// Where nothing is tested, the labels of many queries are close to the Gaussian mechanism.
func TestAuditWithoutATest(t *testing.T) {
	const queries = 64
	first, second := repeated(queries, 20, 20), repeated(queries, 19, 21)
	shape, err := ShapeOf(first)
	require.NoError(t, err)
	p := Plan{Adjacency: privacy.AddRemove, Shape: shape, Sigma: 12}
	audit := audittest.Audit{
		Claim: claim(t, p), Epsilons: audittest.Grid(2, 8), Runs: audittest.Runs(5_000),
	}
	spread := math.Sqrt(queries) / 2
	for k := -2; k <= 3; k++ {
		audit.Thresholds = append(audit.Thresholds, queries/2+float64(k)*spread-0.25)
	}
	audit.Holds(t, "honest", trial(t, p, first, sum), trial(t, p, second, sum))
	halved := p
	halved.Sigma /= 2
	audit.Catches(t, "noise halved", trial(t, halved, first, sum), trial(t, halved, second, sum))
}
