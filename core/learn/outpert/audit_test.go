package outpert

import (
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
	"cloister/core/solve"
)

// A pair for which the price is exact: λ so large that every margin is near 0,
// where the slope is near 1/2 and every gradient is clipped, so that the record
// in which the two differ moves the minimiser by C/λ, or 2C/λ.
func worstCase(adjacency privacy.Adjacency) (first, second learn.Problem, direction []float64) {
	schema, row := learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}
	others, labels := [][]float64{{0.2, 0.1, 0.5}, {0.7, 0, 0.5}}, []float64{1, -1}
	first = learntest.Problem(schema, append(others[:2:2], row), append(labels[:2:2], 1))
	second = learntest.Problem(schema, others, labels)
	if adjacency == privacy.ReplaceOne {
		second = learntest.Problem(schema, append(others[:2:2], row), append(labels[:2:2], -1))
	}
	return first, second, row
}

func TestAudit(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, epsilon := range []float64{0.5, 4} {
			runs := audittest.Runs(20_000)
			if runtime.GOARCH == "wasm" && !audittest.Long() {
				if epsilon < 1 {
					continue // it takes more runs to see, and the code is the same
				}
				runs = 4_000
			}
			t.Run(adjacency.String()+" epsilon="+privacy.Number(epsilon), func(t *testing.T) {
				first, second, direction := worstCase(adjacency)
				r := requestFor(first, adjacency, epsilon)
				r.Clip, r.Lambda, r.Guarantee.Delta = r.RowNorm/8, 40, 0.01
				plan, err := r.Plan()
				require.NoError(t, err)
				claimOf := func(plan Plan) func(float64) (float64, error) {
					event, err := plan.Event()
					require.NoError(t, err)
					profile, err := objective.Of(event, objective.BoundAuto)
					require.NoError(t, err)
					return func(epsilon float64) (float64, error) {
						return curve.DeltaUpper(profile, epsilon)
					}
				}
				audit := audittest.Audit{
					Claim:    claimOf(plan),
					Epsilons: audittest.Grid(epsilon, 16),
					Runs:     runs,
				}
				length := plan.RowNorm * plan.Sigma
				for k := -4; k <= 4; k++ {
					audit.Thresholds = append(audit.Thresholds, float64(k)/2*length)
				}
				// The solver is deterministic: each data set is solved once a plan.
				trial := func(problem learn.Problem, plan Plan) audittest.Trial {
					solved, err := minimise(t.Context(), problem, plan, solve.Newton, nil)
					require.NoError(t, err)
					return func(source random.Source) (float64, error) {
						theta, err := release(solved.Theta, plan, source)
						if err != nil {
							return 0, err
						}
						sum := 0.0
						for j, x := range direction {
							sum += x * theta[j]
						}
						return sum, nil
					}
				}
				audit.Holds(t, "honest", trial(first, plan), trial(second, plan))

				halved := plan
				halved.Sigma /= 2
				audit.Catches(t, "noise halved", trial(first, halved), trial(second, halved))

				unclipped := plan
				unclipped.Clip = plan.RowNorm
				audit.Catches(t, "never clipped", trial(first, unclipped), trial(second, unclipped))

				weaker := plan
				weaker.Lambda /= 2
				audit.Catches(t, "half of lambda", trial(first, weaker), trial(second, weaker))

				if adjacency == privacy.ReplaceOne {
					other := plan
					other.Adjacency = privacy.AddRemove
					wrong := audit
					wrong.Claim = claimOf(other)
					wrong.Catches(
						t, "sensitivity of add/remove", trial(first, plan), trial(second, plan),
					)
				}
			})
		}
	}
}
