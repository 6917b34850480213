package amp

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// steep are the shifted logistic loss and the rounded hinge with a slope of 0.98 at margin 0.
func steep(t *testing.T) map[string]glm.Loss {
	shifted, err := glm.NewShiftedLogistic(4)
	require.NoError(t, err)
	hinge, err := glm.NewRoundedHinge(4)
	require.NoError(t, err)
	return map[string]glm.Loss{learn.ShiftedLoss: shifted, learn.HingeLoss: hinge}
}

// At margins near 0 each record's gradient is nearly as long as it may be: half the noise is
// caught as it is for the Huber loss, and so are gradients that are not clipped, and a record that
// is too long.
func TestAuditOfShiftedLosses(t *testing.T) {
	notUnderWasm(t)
	for name, loss := range steep(t) {
		for _, space := range spaces {
			for _, epsilon := range []float64{0.5, 2} {
				for _, clip := range []float64{1, 0.25} {
					if !audittest.Long() && (space.name != "R=1" || (clip < 1) != (epsilon > 1)) {
						continue
					}
					t.Run(
						fmt.Sprintf("%s %s epsilon=%g clip=%g", name, space.name, epsilon, clip),
						func(t *testing.T) {
							pair, event := alone(
								t, space.schema, loss, space.extra, 0, clip, epsilon,
							)
							assert.Equal(t, loss.Class(), event.Objective.Loss)
							pair.broken(t, pair.usual(t, event, epsilon), event, clip < 1)
						},
					)
				}
			}
		}
	}
}

// Where the rounded hinge bends, a record pulls densities together: that is what its λ pays for.
// The defaults hold there, at R²/ε and no overhead, and a mechanism whose λ is a tenth of that is
// caught, although its slopes are no steeper and its noise no less.
func TestAuditOfTheHingesBend(t *testing.T) {
	notUnderWasm(t)
	loss := steep(t)[learn.HingeLoss]
	for _, space := range spaces {
		for _, epsilon := range []float64{0.5, 2} {
			if !audittest.Long() && (space.name != "R=1" || epsilon > 1) {
				continue
			}
			t.Run(fmt.Sprintf("%s epsilon=%g", space.name, epsilon), func(t *testing.T) {
				pair := pairOf(space.schema, 0, space.extra, space.extra).posed(loss, 0)
				request := Defaults(
					pair.with.Data.Schema, loss, guaranteed(epsilon), objective.BoundAuto,
				)
				event, err := calibrate.Minima(request)
				require.NoError(t, err)
				audit := pair.audit(t, event, epsilon)
				audit.Thresholds = []float64{-2, -1.5, -1, -0.5}
				bent := func(lambda float64) (without, with audittest.Trial) {
					run := unchecked(func(e *privacy.ApproximateMinima) {
						e.Objective.Lambda *= lambda
					})
					without, with = pair.trials(event, run)
					return inBend(without), inBend(with)
				}
				without, with := bent(1)
				audit.Holds(t, "honest", without, with)
				without, with = bent(0.1)
				audit.Catches(t, "a tenth of λ", without, with)
			})
		}
	}
}

// inBend is a statistic that is large where the margin is 1.5 before the hinge's end.
func inBend(trial audittest.Trial) audittest.Trial { return near(trial, 2.5) }

// near is a statistic that is large where the margin is near this one.
func near(trial audittest.Trial, at float64) audittest.Trial {
	return func(source random.Source) (float64, error) {
		margin, err := trial(source)
		return -math.Abs(margin - at), err
	}
}
