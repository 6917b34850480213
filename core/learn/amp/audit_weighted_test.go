package amp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
)

// doubled weighs each record twice what it says, and goes on claiming slopes of at most 1.
type doubled struct{ glm.WeightedLogistic }

func (l doubled) At(m, y float64) (value, slope, curvature float64) {
	value, slope, curvature = l.WeightedLogistic.At(m, y)
	return 2 * value, 2 * slope, 2 * curvature
}

func (l doubled) Slope(m, y float64) float64 { return 2 * l.WeightedLogistic.Slope(m, y) }
func (l doubled) Value(m, y float64) float64 { return 2 * l.WeightedLogistic.Value(m, y) }
func (l doubled) MaxCurvature() float64      { return 0.5 }

// Many records of the lighter class hold the margin where one of the heavier class pulls with
// nearly all of its weight. The price without weights holds there, whichever class is the heavier
// one; half the noise is caught, and so is a weight of 2 that is priced as one of 1.
func TestAuditOfWeights(t *testing.T) {
	notUnderWasm(t)
	for _, space := range spaces {
		for _, ratio := range []float64{4, 0.25} {
			for _, epsilon := range []float64{0.5, 2} {
				if !audittest.Long() && (space.name != "R=1" || epsilon < 1) {
					continue
				}
				name := fmt.Sprintf("%s ratio=%g epsilon=%g", space.name, ratio, epsilon)
				t.Run(name, func(t *testing.T) {
					loss := learntest.Weighted(t, ratio)
					pair := pairOf(space.schema, 300, space.extra, space.extra)
					if ratio < 1 { // the labels the other way round
						pair = pair.turned()
					}
					pair = pair.posed(loss, 0)
					request := Defaults(
						pair.with.Data.Schema, loss, guaranteed(epsilon), objective.BoundAuto,
					)
					request.Lipschitz = request.RowNorm
					event, err := calibrate.Minima(request)
					require.NoError(t, err)
					assert.Equal(t, privacy.LossLogistic, event.Objective.Loss)
					audit := pair.usual(t, event, epsilon)
					without, with := pair.posed(doubled{loss}, 0).trials(event, rowsAsTheyAre)
					audit.Catches(t, "weight of 2", without, with)
				})
			}
		}
	}
}

// turned is the pair with all labels the other way round.
func (pair neighbours) turned() neighbours {
	out := neighbours{without: pair.without, with: pair.with}
	for _, x := range pair.direction {
		out.direction = append(out.direction, -x)
	}
	for _, labels := range [][]float64{out.without.Data.Y, out.with.Data.Y} {
		for i := range labels {
			labels[i] = -labels[i]
		}
	}
	return out
}
