package dpgd

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/audit"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// worstOfClasses is a pair for which the price is exact, and the direction in which it shows.
// Steps are so short that all classes stay as likely: the record's gradient is then C long
// and points from class 0 to all others alike, in every step; its opposite's the other way.
func worstOfClasses(adjacency privacy.Adjacency) neighbours {
	schema, row := learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}
	others := [][]float64{{0.2, 0.1, 0.5}, {0.7, 0, 0.5}}
	of := func(x [][]float64, y []float64) learn.Problem {
		p := learntest.Problem(schema, x, nil)
		several := learntest.Several(p.Data)
		several.Y = y
		return learn.Problem{Data: several, Loss: glm.Softmax{}}
	}
	pair := neighbours{
		first:  of(append(others[:2:2], row), []float64{1, 2, 0}),
		second: of(others, []float64{1, 2}),
	}
	if adjacency == privacy.ReplaceOne {
		opposite := []float64{-0.59, -0.8, -0.5}
		pair.second = of(append(others[:2:2], opposite), []float64{1, 2, 0})
	}
	for k := range 3 {
		weight := []float64{1, -0.5, -0.5}[k] / math.Sqrt(1.5)
		for _, x := range row {
			pair.direction = append(pair.direction, weight*x)
		}
	}
	return pair
}

// twin is the mechanism with another way to clip a record's slopes, or to draw the noise of
// one class from another's; of plain steps.
func (pair neighbours) twin(
	t *testing.T, problem learn.Problem, plan Plan, clip func(slopes []float64, norm float64),
	shared bool,
) audittest.Trial {
	columns := plan.columns()
	return func(source random.Source) (float64, error) {
		theta := make([]float64, plan.Dimension)
		for step, sigma := range plan.Sigmas {
			sum := make([]float64, plan.Dimension)
			for i := range problem.Data.X.Rows() {
				row, slopes := problem.Data.X.Row(i), make([]float64, plan.Classes)
				for k := range slopes {
					slopes[k] = row.Dot(theta[k*columns : (k+1)*columns])
				}
				glm.Softmax{}.Scores(slopes, int(problem.Data.Y[i]))
				clip(slopes, learntest.Length(row.Value))
				for k, w := range slopes {
					for at, j := range row.Index {
						sum[k*columns+int(j)] += w * row.Value[at]
					}
				}
			}
			noise := make([]float64, plan.Dimension)
			if err := random.Gaussian(source, noise, sigma); err != nil {
				return 0, err
			}
			for j := range theta {
				from := j
				if shared {
					from %= columns
				}
				theta[j] -= plan.Rates[step] * (sum[j] + noise[from])
			}
		}
		return learntest.Dot(pair.direction, theta), nil
	}
}

// The mechanism of several classes at the worst pair, against twins that it must not be: one
// that clips each class by itself, one whose clip forgets the other classes' share of the
// row's gradient, one noise for all classes, half of the noise, and none clipped.
func TestAuditOfSoftmaxSteps(t *testing.T) {
	runs := audittest.Runs(2_500)
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		runs = 2_000
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		pair := worstOfClasses(adjacency)
		plan := auditPlan(t, adjacency, 2)
		plan.Classes, plan.Dimension = 3, 9
		a := audittest.Audit{
			Claim: claimOf(t, plan), Epsilons: audittest.Grid(4, 16),
			Thresholds: spread(plan, pair.direction), Runs: runs,
		}
		pair.usual(t, a, plan, plan.RowNorm)
		together := func(slopes []float64, norm float64) {
			share := math.Min(1, plan.Clip/norm/learntest.Length(slopes))
			for k := range slopes {
				slopes[k] *= share
			}
		}
		each := func(slopes []float64, norm float64) {
			most := plan.Clip / norm
			for k, w := range slopes {
				slopes[k] = math.Max(-most, math.Min(w, most))
			}
		}
		a.Holds(
			t, "clipped together", pair.twin(t, pair.first, plan, together, false),
			pair.twin(t, pair.second, plan, together, false),
		)
		a.Catches(
			t, "each class clipped by itself", pair.twin(t, pair.first, plan, each, false),
			pair.twin(t, pair.second, plan, each, false),
		)
		a.Catches(
			t, "one noise for all classes", pair.twin(t, pair.first, plan, together, true),
			pair.twin(t, pair.second, plan, together, true),
		)
	}
}

// The attack on the fit that MeanDefaults asks for shows a quarter of its noise, and does not
// accuse the fit as it is. The long form has half of the noise, and replaced records.
func TestAttackOnSoftmaxSteps(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("audited natively")
	}
	problem, _ := severalOf(learntest.Clinic(), privacy.AddRemove)
	schema, suspected := problem.Data.Schema, 0.25
	adjacencies := []privacy.Adjacency{privacy.AddRemove}
	if audittest.Long() {
		suspected, adjacencies = 0.5, learn.AllAdjacencies
	}
	for _, adjacency := range adjacencies {
		g := privacy.Guarantee{Epsilon: 6, Delta: 1e-5, Adjacency: adjacency}
		plan, err := MeanDefaults(schema, problem.Loss, g, 10_000).Plan()
		require.NoError(t, err)
		promise := learn.Remembered(claimOf(t, plan))
		attack, err := Attack(schema, problem.Loss, plan, learn.Suspect{
			Noise: suspected, Promise: promise, Epsilons: audit.Grid(6, 20),
		})
		require.NoError(t, err)
		require.NoError(t, learn.CheckRowsOf(attack.With.Data, plan.RowNorm))
		rounds := attack.Test.Aim.Rounds
		t.Logf("%s: %d rounds on %d records", adjacency, rounds, attack.With.Data.X.Rows())
		for noise, broken := range map[float64]bool{1: false, suspected: true} {
			pair, err := attack.Pair(t.Context(), noise)
			require.NoError(t, err)
			source := randomtest.New(3)
			test, err := audit.Place(t.Context(), pair, attack.Test.Aim, 200, source)
			require.NoError(t, err)
			counts, err := audit.Play(t.Context(), pair, test, rounds, source, nil)
			require.NoError(t, err)
			points, err := counts.Measure().Against(promise, audit.Grid(6, 20))
			require.NoError(t, err)
			found := false
			for _, point := range points {
				found = found || point.Broken()
			}
			assert.Equal(t, broken, found, "%s, noise × %g", adjacency, noise)
		}
	}
}
