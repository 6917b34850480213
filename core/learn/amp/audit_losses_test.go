package amp

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// posed is the pair for another loss, every record with the label y if it is
// not 0.
func (pair neighbours) posed(loss glm.Loss, y float64) neighbours {
	pose := func(p learn.Problem) learn.Problem {
		p = posed(p, loss)
		for i := range p.Data.Y {
			if y != 0 {
				p.Data.Y[i] = y
			}
		}
		return p
	}
	return neighbours{without: pose(pair.without), with: pose(pair.with), direction: pair.direction}
}

// alone is one record against none, under λ = 100 βR²: then every margin is
// near 0.
func alone(
	t *testing.T, schema *data.Schema, loss glm.Loss, extra []float64, y, clip, epsilon float64,
) (neighbours, privacy.ApproximateMinima) {
	pair := pairOf(schema, 0, extra, extra).posed(loss, y)
	request := Defaults(pair.with.Data.Schema, loss, guaranteed(epsilon), objective.BoundAuto)
	request.Lipschitz = clip * request.RowNorm
	request.Lambda = 100 * request.Smoothness * request.RowNorm * request.RowNorm
	event, err := calibrate.Minima(request)
	require.NoError(t, err)
	return pair, event
}

// notUnderWasm leaves a short audit to the native run: the code is the same, as
// golden values make sure, and three times as slow.
func notUnderWasm(t *testing.T) {
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		t.Skip("audited natively")
	}
}

// spaces are those of the records, with one record in each that is as long as it may be.
var spaces = []struct {
	name   string
	schema *data.Schema
	extra  []float64
}{
	{"R=1", learntest.Schema(1, 0), []float64{1}},
	{"d=3", learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}},
}

// The Huber loss of a margin near 0 has slope −y, no less, so that each record's
// gradient is as long as it may be and of one sign: the bound of theory §4.2 is
// then that of the Gaussian mechanism but for log(1 + 1/100), and half the noise
// is caught as it is for the logistic loss.
func TestAuditOfHuber(t *testing.T) {
	notUnderWasm(t)
	loss := learntest.Huber(t, 0.5)
	for _, space := range spaces {
		for _, epsilon := range []float64{0.5, 2} {
			for _, clip := range []float64{1, 0.25} {
				if !audittest.Long() && (space.name != "R=1" || (clip < 1) != (epsilon > 1)) {
					continue
				}
				t.Run(
					fmt.Sprintf("%s epsilon=%g clip=%g", space.name, epsilon, clip),
					func(t *testing.T) {
						pair, event := alone(t, space.schema, loss, space.extra, 0, clip, epsilon)
						pair.broken(t, pair.usual(t, event, epsilon), event, clip < 1)
					},
				)
			}
		}
	}
}

// The clipped squared loss has slopes of either sign, so that its bound (theory
// §4.1) is of a half-normal loss, twice what a record of one sign can show. Half
// the noise is therefore within the claim for a record whose label is far off, a
// third of it is not, nor is a gradient that is not clipped. The record whose
// label is where the margin is has slopes of both signs; for it the honest
// mechanism has to hold as well.
func TestAuditOfClippedSquared(t *testing.T) {
	notUnderWasm(t)
	third := unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 3 })
	for _, space := range spaces {
		for _, epsilon := range []float64{0.5, 2} {
			if !audittest.Long() && (space.name != "R=1" || epsilon < 1) {
				continue
			}
			t.Run(fmt.Sprintf("%s epsilon=%g", space.name, epsilon), func(t *testing.T) {
				pair, event := alone(t, space.schema, glm.Squared{}, space.extra, 1, 0.25, epsilon)
				audit := pair.audit(t, event, epsilon)
				without, with := pair.trials(event, honest)
				audit.Holds(t, "honest", without, with)
				without, with = pair.trials(event, third)
				audit.Catches(t, "a third of the noise", without, with)
				without, with = pair.trials(event, neverClipped)
				audit.Catches(t, "never clipped", without, with)

				// log(1 + βR²/λ) = ε/2, for margins to go beyond the threshold on either side.
				pair = pair.posed(glm.Squared{}, 1e-9)
				request := Defaults(
					pair.with.Data.Schema, glm.Squared{}, guaranteed(epsilon), objective.BoundAuto,
				)
				request.Lambda = request.RowNorm * request.RowNorm / math.Expm1(epsilon/2)
				event, err := calibrate.Minima(request)
				require.NoError(t, err)
				without, with = pair.trials(event, honest)
				pair.audit(t, event, epsilon).Holds(t, "both signs", without, with)
			})
		}
	}
}

// The mechanism is the same whoever solves it: the audit of the logistic loss,
// solved by the other solvers.
func TestAuditOfSolvers(t *testing.T) {
	if !audittest.Long() {
		t.Skip("part of the long audit: a solver has no bearing on the guarantee")
	}
	for name, solver := range everySolver {
		if name == "Newton" {
			continue // TestAudit
		}
		pair, event := worstCase(t, learntest.Schema(1, 0), []float64{1}, 2, true)
		solved := func(
			problem learn.Problem, event privacy.ApproximateMinima, source random.Source,
		) ([]float64, error) {
			theta, _, err := run(t.Context(), problem, event, source, nil, Solver(solver))
			return theta, err
		}
		audit := pair.audit(t, event, 2)
		without, with := pair.trials(event, solved)
		audit.Holds(t, name, without, with)
		loud := event
		loud.Objective.Sigma /= 2
		without, with = pair.trials(loud, solved)
		audit.Catches(t, name+", noise halved", without, with)
	}
}
