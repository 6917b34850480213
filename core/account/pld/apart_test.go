package pld

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// boundsOnly are compositions in which bounds are all that is known of some event, so that the
// two ends never meet.
func boundsOnly() map[string]privacy.Event {
	fit := func(lambda, sigma float64) privacy.Event {
		return privacy.ApproximateMinima{
			Objective: privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: privacy.LossLogistic, RowNorm: 1,
				Lipschitz: 0.5625, Smoothness: 0.25, Lambda: lambda, Sigma: sigma, Dimension: 20,
			},
			Tau: 1e-5, SigmaOut: 0.02,
		}
	}
	fits := privacy.Composition{Adjacency: privacy.ReplaceOne}
	for i := range 10 {
		lambda := 0.3 * float64(i+1)
		fits.Parts = append(fits.Parts, privacy.Part{Event: fit(lambda, 5+lambda), Count: 1})
	}
	return map[string]privacy.Event{
		"a choice by Gumbel noise": privacy.Composition{
			Adjacency: privacy.AddRemove, Parts: []privacy.Part{
				{Event: privacy.NoisyMin{
					Adjacency: privacy.AddRemove, Epsilon: 2,
					Span: privacy.SpanOf(privacy.AddRemove), Noise: privacy.GumbelNoise,
				}, Count: 1},
				{Event: privacy.Laplace{
					Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 3,
				}, Count: 2},
				{Event: privacy.DiscreteGaussian{
					Adjacency: privacy.AddRemove, Sensitivity: 3, Sigma: 7.3,
				}, Count: 1},
				{Event: privacy.Gaussian{
					Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1.7,
				}, Count: 1},
			},
		},
		"fits under replace-one": fits,
	}
}

// Grids are no finer than the upper end has a use for, since no grid brings the ends together:
// it is within the accuracy of what the finest grids say, for a part of the work.
func TestBoundsAloneAreNotRefinedInVain(t *testing.T) {
	for name, event := range boundsOnly() {
		const delta, accuracy = 1e-7, 1e-3
		usual, err := Of(event, Options{Accuracy: accuracy})
		require.NoError(t, err)
		require.True(t, usual.added.apart(), name)
		at, err := usual.Epsilon(delta)
		require.NoError(t, err)
		assert.Less(t, usual.Work(), 100_000, name)
		assert.Less(t, at.Reached, 0.9*at.Upper, "%s: the ends are apart", name)

		fine, err := Of(event, Options{Accuracy: BestAccuracy})
		require.NoError(t, err)
		best, err := fine.Epsilon(delta)
		require.NoError(t, err)
		assert.LessOrEqual(t, at.Upper, best.Upper*(1+accuracy), name)
		assert.GreaterOrEqual(t, at.Upper, best.Reached, name)
		assert.Greater(t, fine.Work(), usual.Work(), name)

		// A curve takes a few sheets, and is as close to one of fine grids.
		before := usual.Work()
		for i := range 200 {
			epsilon := at.Upper * float64(i) / 199
			few, err := usual.Delta(epsilon)
			require.NoError(t, err)
			if i%40 == 0 {
				alone, err := fine.Delta(epsilon)
				require.NoError(t, err)
				assert.LessOrEqual(
					t, few.LogUpper, alone.LogUpper+2*accuracy*(1+4*epsilon), "%s at %g", name,
					epsilon,
				)
			}
		}
		assert.Less(t, usual.Work()-before, 100_000, name)
		t.Logf("%s: %v, work %d, %d for the curve", name, at, before, usual.Work()-before)
	}
}

// An answer does not depend on what was asked before. A sheet that was made for one δ has cut off
// what counts at a smaller one, and a finer grid would not bring it back: another window does.
func TestBoundsAloneAreAnsweredAlikeAfterOtherQuestions(t *testing.T) {
	const first, accuracy = 1e-5, 1e-3
	for name, event := range boundsOnly() {
		t.Run(name, func(t *testing.T) {
			if name != "a choice by Gumbel noise" {
				nativetest.Only(t)
			}
			ask := func() *Distribution {
				d, err := Of(event, Options{Accuracy: accuracy})
				require.NoError(t, err)
				return d
			}
			epsilon := func(d *Distribution, delta float64) float64 {
				at, err := d.Epsilon(delta)
				require.NoError(t, err)
				return at.Upper
			}
			from := epsilon(ask(), first)
			for _, share := range []float64{1e-2, 1e-4, 1.1e-6} {
				used := ask()
				epsilon(used, first)
				fresh := epsilon(ask(), first*share)
				assert.LessOrEqual(
					t, epsilon(used, first*share), fresh*(1+2*accuracy), "δ = %g", first*share,
				)
			}
			for _, times := range []float64{1.25, 1.6, 2.5} {
				used := ask()
				epsilon(used, first)
				after, err := used.Delta(from * times)
				require.NoError(t, err)
				alone, err := ask().Delta(from * times)
				require.NoError(t, err)
				assert.LessOrEqual(
					t, after.LogUpper, alone.LogUpper*(1-2*accuracy), "ε = %g", from*times,
				)
			}
		})
	}
}
