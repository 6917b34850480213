package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// δ_G(0; μ) = 2Φ(μ/2) − 1 = μ/√(2π) to a relative μ²/24, down to where μ² and then
// μ underflow.
func TestGaussianRatiosWhoseSquareUnderflows(t *testing.T) {
	for _, mu := range []float64{1e-20, 1e-150, 1e-160, 1e-170, 1e-300} {
		gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: mu, Sigma: 1}
		for name, c := range map[string]struct {
			event privacy.Event
			times float64
		}{
			"alone":    {gaussian, 1},
			"composed": {privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: gaussian, Count: 3}, {Event: gaussian, Count: 1}}}, 2},
			"descent":  {privacy.GradientDescent{Adjacency: privacy.AddRemove, Sensitivity: mu, Sigmas: []float64{1, 1, 1, 1}}, 2},
		} {
			// (Events of such ratios are refused; the arithmetic has room to spare.)
			profile, ok := closedForm(c.event)
			require.True(t, ok)
			delta, err := curve.DeltaUpper(profile, 0)
			require.NoError(t, err)
			truth := c.times * mu / math.Sqrt(2*math.Pi)
			assert.GreaterOrEqual(t, delta, truth*(1-1e-15), "%s, μ = %v", name, mu)
			assert.InEpsilon(t, truth, delta, 1e-9, "%s, μ = %v", name, mu)
		}
	}
}

// A composition of nothing releases nothing.
func TestAnEmptyCompositionIsFree(t *testing.T) {
	profile, err := Of(privacy.Composition{Adjacency: privacy.AddRemove}, BoundAuto)
	require.NoError(t, err)
	assert.Less(t, profile.LogDeltaUpper(0), -1e308)
	epsilon, err := curve.EpsilonUpper(profile, 1e-300)
	require.NoError(t, err)
	assert.Zero(t, epsilon)
}

// Whatever overflows, an answer comes, and it is a number.
func TestProfilesAtTheEndsOfTheRange(t *testing.T) {
	ends := []float64{privacy.LeastScale, 1e-30, 1, 1e30, privacy.LargestScale}
	if testing.Short() {
		ends = []float64{privacy.LeastScale, 1, privacy.LargestScale}
	}
	for _, rowNorm := range ends {
		for _, lambda := range ends {
			for _, sigma := range ends {
				for _, share := range []float64{1, 1e-16} {
					o := privacy.ObjectivePerturbation{
						Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: rowNorm,
						Lipschitz: rowNorm * share, Smoothness: 0.25, Lambda: lambda, Sigma: sigma,
						Dimension: 3,
					}
					if o.Validate() != nil {
						continue
					}
					for _, bound := range Applicable(o.Loss) {
						for _, event := range []privacy.Event{
							privacy.Gaussian{
								Adjacency: privacy.AddRemove, Sensitivity: rowNorm, Sigma: sigma,
							},
							o, privacy.ApproximateMinima{
								Objective: o, Tau: sigma, SigmaOut: rowNorm,
							},
						} {
							curve, err := Of(event, bound)
							if err != nil {
								continue
							}
							for _, epsilon := range append(
								ends, 5e-324, 1e-200, 1e200, math.MaxFloat64,
							) {
								value := curve.LogDeltaUpper(epsilon)
								require.True(
									t, value <= 0 && value >= -math.MaxFloat64, "%s %+v at %v: %v",
									bound, event, epsilon, value,
								)
							}
						}
					}
				}
			}
		}
	}
}

// The sharper bound is never above the one that it refines, also where only the
// latter is in closed form: parameters of all sizes, alone and with an output step.
func TestLogisticIsNeverAboveSigned(t *testing.T) {
	source := randomtest.New(3)
	unit := func() float64 {
		bits, _ := source.Uint64() // the seeded source does not fail
		return float64(bits>>11) / (1 << 53)
	}
	looked := 0
	for i := range 6000 {
		width := []float64{12, 40, 150, 300}[i%4]
		size := func(unitOf float64) float64 { return unitOf * math.Pow(10, (unit()-0.5)*width) }
		rowNorm := size(1)
		lipschitz := rowNorm * math.Pow(10, -unit()*width/4)
		if i%3 == 0 {
			lipschitz = rowNorm
		}
		o := logisticEvent(rowNorm, lipschitz, size(rowNorm*rowNorm), size(rowNorm))
		mu := o.Lipschitz / o.Sigma
		epsilon := mu*mu/2*math.Pow(10, unit()*4-2) + mu*unit()*20
		if i%5 == 0 {
			epsilon = math.Pow(10, unit()*10-5)
		}
		var event privacy.Event = o
		if i%7 == 0 {
			event = privacy.ApproximateMinima{
				Objective: o,
				Tau:       o.Lambda * rowNorm * math.Pow(10, -unit()*8),
				SigmaOut:  rowNorm,
			}
		}
		sharper, err := Of(event, BoundLogistic)
		signed, other := Of(event, BoundSigned)
		if err != nil || other != nil {
			continue // out of range
		}
		looked++
		limit := signed.LogDeltaUpper(epsilon)
		slack := 1e-9 * (1 + math.Abs(limit))
		if _, composed := event.(privacy.ApproximateMinima); composed {
			slack += math.Ln2 // where the ceiling is the rough one
		}
		require.LessOrEqual(
			t, sharper.LogDeltaUpper(epsilon), limit+slack, "%+v at ε = %v", event, epsilon,
		)
	}
	assert.Greater(t, looked, 3000)
}

// L/σ that underflows is a little privacy loss, not none: upper bounds keep some,
// lower bounds claim none.
func TestObjectiveRatiosThatUnderflow(t *testing.T) {
	o := glmEvent(1, 1e-200, 0.25, 100, 1e200)
	require.Error(t, o.Validate(), "it is refused; the arithmetic has room to spare")
	for _, bound := range []Bound{BoundGLM, BoundProfile} {
		added, _, err := objectiveDirections(o, bound)
		require.NoError(t, err)
		offset := math.Log1p(0.25 / 100)
		assert.Greater(t, rounded{added}.LogDeltaUpper(offset), -math.MaxFloat64, bound)
	}
	mu, _ := Floor(o)
	assert.Zero(t, LowerCurve{mu: mu}.DeltaLower(0))
}
