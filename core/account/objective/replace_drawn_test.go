package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// Under replace-one ε₁ of a smooth loss is chosen by a curve that is drawn through some of the
// Rényi curve's values. What it is chosen for is a true bound, as near to the best as by the curve
// itself, for a small part of its integrals.
func TestASmoothLossIsSplitByADrawnCurve(t *testing.T) {
	nativetest.Only(t)
	for _, output := range []float64{0, 0.3} {
		for _, d := range []int{2, 20, 1000} {
			pair, err := Directions(privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: privacy.LossSmooth, Lipschitz: 1,
				Smoothness: 0.25, Lambda: 50, Sigma: 3.7, Dimension: d,
			}, BoundAuto)
			require.NoError(t, err)
			curved := pair.Added.(rounded).direction.(renyiDirection)
			require.True(t, curved.slow)
			if output > 0 {
				curved = curved.plus(output)
				require.True(t, curved.slow)
			}
			asked := 0
			counted := renyiDirection{renyi: func(alpha float64) float64 {
				asked++
				return curved.renyi(alpha)
			}}
			exact, quick := rounded{counted}, rounded{counted.drawn()}
			pair = curve.Pair{Added: exact, Removed: exact}
			r := replaceOne{
				pair: pair, guide: curve.Pair{Added: quick, Removed: quick},
				other: true, near: true, same: true,
			}
			slow := replaceOne{pair: pair, guide: pair, same: true}
			for _, epsilon := range []float64{-0.5, 0, 0.1, 1, 3, 10, 30} {
				got := r.LogDeltaUpper(epsilon)
				first, _ := r.split(throughBelow, epsilon)
				through := throughBelow.of(pair).through(epsilon, first)
				assert.Equal(t, curve.RoundUp(math.Min(0, through)), got, "a true bound")
				want := slow.LogDeltaUpper(epsilon)
				assert.InDelta(t, want, got, 1e-5*math.Abs(want)+1e-9, "d = %d, ε = %v", d, epsilon)
			}
			asked = 0
			r.LogDeltaUpper(2)
			few := asked
			asked = 0
			slow.LogDeltaUpper(2)
			assert.Less(t, 10*few, asked, "integrals of a point")
		}
	}
}

// The drawn curve is near the curve between the orders that are searched, and the curve beyond.
func TestADrawnCurveIsNear(t *testing.T) {
	curved := renyiDirection{renyi: newSmoothRenyi(20, 0.1, 0.5).renyi}
	drawn := curved.drawn()
	for x := -14.0; x <= 18.5; x += 0.0625 / 3 {
		alpha := 1 + math.Exp(x)
		assert.InEpsilon(t, curved.renyi(alpha), drawn.renyi(alpha), 2e-4, "α = %v", alpha)
	}
	for _, alpha := range []float64{1, 1 + 1e-7, 1e9, 1e12} {
		assert.Equal(t, curved.renyi(alpha), drawn.renyi(alpha))
	}
	none := renyiDirection{renyi: func(float64) float64 { return math.Inf(1) }}
	assert.Equal(t, math.Inf(1), none.drawn().renyi(2))
}

func BenchmarkSmoothReplaceOne(b *testing.B) {
	event := privacy.ObjectivePerturbation{
		Adjacency: privacy.ReplaceOne, Loss: privacy.LossSmooth, Lipschitz: 1, Smoothness: 0.25,
		Lambda: 1, Sigma: 3.7, Dimension: 20,
	}
	for b.Loop() {
		c, err := Of(event, BoundAuto)
		if err != nil {
			b.Fatal(err)
		}
		c.LogDeltaUpper(10)
	}
}
