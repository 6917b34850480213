package dpgd

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// neighbours are two data sets and a direction: every gradient of the record
// in which they differ lies along it, whatever θ is.
type neighbours struct {
	first, second learn.Problem
	direction     []float64
}

// worstCase is a pair for which the price is exact. All gradients are clipped
// far below |f'| at any θ that is reached, so that each has length C whatever
// the steps before gave out: the second data set's sums are C, or 2C, apart from
// the first's in every step, and θ at the end is a sum of all of them.
func worstCase(adjacency privacy.Adjacency) neighbours {
	schema, row := learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}
	others := [][]float64{{0.2, 0.1, 0.5}, {0.7, 0, 0.5}}
	labels := []float64{1, -1}
	pair := neighbours{
		first:     learntest.Problem(schema, append(others, row), append(labels, 1)),
		second:    learntest.Problem(schema, others, labels),
		direction: row,
	}
	if adjacency == privacy.ReplaceOne {
		pair.second = learntest.Problem(schema, append(others[:2:2], row), append(labels[:2:2], -1))
	}
	return pair
}

// auditPlan has the price of a Gaussian mechanism with this μ. Rates are in
// proportion to 1/σ², which makes θ the statistic that tells the two apart best.
func auditPlan(t testing.TB, adjacency privacy.Adjacency, mu float64) Plan {
	const clip = 0.05
	plan := Plan{
		Adjacency: adjacency, Dimension: 3, RowNorm: learntest.Schema(2, 0.5).RowNorm(), Clip: clip,
		Sigmas: []float64{
			clip * 3,
			clip * 2,
			clip * 4,
		}, Rates: []float64{0.05 / 9, 0.05 / 4, 0.05 / 16},
	}
	event, err := plan.Event()
	require.NoError(t, err)
	total := 0.0
	for _, sigma := range event.Sigmas {
		total += event.Sensitivity * event.Sensitivity / (sigma * sigma)
	}
	for k := range plan.Sigmas {
		plan.Sigmas[k] *= math.Sqrt(total) / mu
	}
	return plan
}

// trial runs a plan, unchecked, and returns θ along the direction.
func (pair neighbours) trial(t *testing.T, problem learn.Problem, plan Plan) audittest.Trial {
	return func(source random.Source) (float64, error) {
		theta, err := run(t.Context(), problem, plan, source, nil)
		if err != nil {
			return 0, err
		}
		sum := 0.0
		for j, x := range pair.direction {
			sum += x * theta[j]
		}
		return sum, nil
	}
}

// spread are thresholds from −2 to 2 standard deviations of the statistic
// without the others, roughly: fixed by the plan alone.
func spread(plan Plan, direction []float64) []float64 {
	variance := 0.0
	for k, sigma := range plan.Sigmas {
		variance += plan.Rates[k] * plan.Rates[k] * sigma * sigma
	}
	length := learntest.Length(direction)
	var list []float64
	for k := -4; k <= 4; k++ {
		list = append(list, float64(k)/2*length*math.Sqrt(variance))
	}
	return list
}

// usual are the audits that every plan has: it holds, and caught are half its noise, a clip so
// large that it never clips, and the price of add/remove under replace-one.
func (pair neighbours) usual(t *testing.T, audit audittest.Audit, plan Plan, large float64) {
	t.Helper()
	pair.holds(t, audit, "honest", plan)
	halved := plan
	halved.Sigmas = nil
	for _, sigma := range plan.Sigmas {
		halved.Sigmas = append(halved.Sigmas, sigma/2)
	}
	pair.catches(t, audit, "noise halved", halved)
	never := plan
	never.Clip = large
	pair.catches(t, audit, "never clipped", never)
	if plan.Adjacency == privacy.ReplaceOne {
		other := plan
		other.Adjacency = privacy.AddRemove
		audit.Claim = claimOf(t, other)
		pair.catches(t, audit, "sensitivity of add/remove", plan)
	}
}

func (pair neighbours) holds(t *testing.T, audit audittest.Audit, what string, plan Plan) {
	t.Helper()
	audit.Holds(t, what, pair.trial(t, pair.first, plan), pair.trial(t, pair.second, plan))
}

func (pair neighbours) catches(t *testing.T, audit audittest.Audit, what string, plan Plan) {
	t.Helper()
	audit.Catches(t, what, pair.trial(t, pair.first, plan), pair.trial(t, pair.second, plan))
}

func claimOf(t testing.TB, plan Plan) func(float64) (float64, error) {
	event, err := plan.Event()
	require.NoError(t, err)
	profile, err := objective.Of(event, objective.BoundAuto)
	require.NoError(t, err)
	return func(epsilon float64) (float64, error) { return curve.DeltaUpper(profile, epsilon) }
}

func TestAudit(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, mu := range []float64{0.5, 2} {
			short := 2_500
			if mu < 1 {
				short = 6_000 // there is less to see
			}
			if audittest.Long() {
				short = 10_000
			}
			runs := audittest.Runs(short)
			if runtime.GOARCH == "wasm" && !audittest.Long() {
				if mu < 1 {
					continue // it takes more runs to see, and the code is the same
				}
				runs = 2_000
			}
			t.Run(adjacency.String()+" mu="+privacy.Number(mu), func(t *testing.T) {
				pair := worstCase(adjacency)
				plan := auditPlan(t, adjacency, mu)
				audit := audittest.Audit{
					Claim: claimOf(t, plan), Epsilons: audittest.Grid(4, 16),
					Thresholds: spread(plan, pair.direction), Runs: runs,
				}
				pair.usual(t, audit, plan, plan.RowNorm)
				if audittest.Long() {
					moved := plan
					moved.Momentum, moved.Lambda, moved.Radius = 0.9, 0.1, 0.4
					pair.holds(t, audit, "with momentum", moved)
				}
			})
		}
	}
}
