package amp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// telltale is a solver that goes as far from the minimiser as τ allows it, to tell
// whether there is a record: the first coordinate is moved, by at most half a
// pitch, to a multiple of the pitch if there is none, and to halfway between two
// if there is one. No solver that is certified can say more plainly what data it
// has seen, and b does not hide it: σ_out alone does.
func telltale(records int, pitch float64, keep func(theta []float64)) solve.Solver {
	return func(
		ctx context.Context, o *solve.Objective, options solve.Options,
	) (*solve.Result, error) {
		result, err := solve.Newton(ctx, o, solve.Options{Tolerance: options.Tolerance / 1000})
		if err != nil {
			return nil, err
		}
		shift := 0.5 * float64(records%2)
		result.Theta[0] = (math.RoundToEven(result.Theta[0]/pitch-shift) + shift) * pitch
		keep(result.Theta)
		return result, nil
	}
}

// TestAuditOfTheOutputStep audits σ_out with that solver, whose answers all pass
// for certified. The statistic says how near to halfway the first coordinate is.
// The twin releases what the solver found, without the noise of the output step.
func TestAuditOfTheOutputStep(t *testing.T) {
	notUnderWasm(t)
	const epsilon = 2
	pair, event := worstCase(t, learntest.Schema(1, 0), []float64{1}, epsilon, true)
	schema := paperSchema(learntest.Schema(1, 1))
	paper, err := Paper(schema, glm.Logistic{}, guaranteed(epsilon))
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		pair  neighbours
		event privacy.ApproximateMinima
	}{
		{"defaults", pair, event},
		{"paper", pairOf(schema, 0, []float64{1, 1}, []float64{1, 1}), paper},
	} {
		o := c.event.Objective
		pitch := 1.9 * c.event.Tau / (o.Lambda + o.Smoothness*o.RowNorm*o.RowNorm)
		trial := func(problem learn.Problem, noisy bool) audittest.Trial {
			return func(source random.Source) (float64, error) {
				var found []float64
				solver := telltale(
					problem.Data.X.Rows(), pitch,
					func(theta []float64) { found = slices.Clone(theta) },
				)
				model, _, err := Fit(
					context.Background(), problem, c.event, source, nil, Solver(solver),
				)
				if err != nil {
					return 0, err
				}
				theta := found
				if noisy {
					theta = model.Coefficients
				}
				steps := theta[0] / pitch
				return 2 * math.Abs(steps-math.RoundToEven(steps)), nil
			}
		}
		claim, err := objective.Of(c.event, objective.BoundAuto)
		require.NoError(t, err)
		audit := audittest.Audit{
			Claim:      func(at float64) (float64, error) { return curve.DeltaUpper(claim, at) },
			Epsilons:   audittest.Grid(epsilon, 20),
			Thresholds: []float64{0.25, 0.5, 0.75},
			Runs:       audittest.Runs(4_000),
		}
		audit.Holds(t, c.name+", honest", trial(c.pair.without, true), trial(c.pair.with, true))
		audit.Catches(
			t, c.name+", without σ_out", trial(c.pair.without, false), trial(c.pair.with, false),
		)
	}
}

// The published mechanism as Paper sets it, on records that make a model so sure
// of −1 that the one more pulls with nearly all its length. Its bound, converted
// from Rényi divergences, is less sharp than the one it is held against here, so
// it is a quarter of the noise that shows.
func TestAuditOfPaper(t *testing.T) {
	notUnderWasm(t)
	quarter := unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 4 })
	schema := paperSchema(learntest.Schema(1, 1))
	for _, epsilon := range []float64{0.5, 2} {
		event, err := Paper(schema, glm.Logistic{}, guaranteed(epsilon))
		require.NoError(t, err)
		pair := pairOf(schema, 30, []float64{1, 1}, []float64{1, 1})
		audit := pair.audit(t, event, epsilon)
		without, with := pair.trials(event, honest)
		audit.Holds(t, fmt.Sprintf("ε = %g, honest", epsilon), without, with)
		without, with = pair.trials(event, quarter)
		audit.Catches(t, fmt.Sprintf("ε = %g, a quarter of the noise", epsilon), without, with)
	}
}
