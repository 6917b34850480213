package glm

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func mustClip(t testing.TB, loss Loss, threshold float64) Clipped {
	c, err := Clip(loss, threshold)
	require.NoError(t, err)
	require.Equal(t, loss, c.Loss())
	require.Equal(t, threshold, c.Threshold())
	return c
}

func TestClipRefusesBadThresholds(t *testing.T) {
	for _, threshold := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		_, err := Clip(Logistic{}, threshold)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, "clip", parameter.Field)
	}
}

// The definition of section 4 of the paper: ∇ℓ_C = ∇ℓ·min(1, C/‖∇ℓ‖).
func TestClippedGradientIsTheGradientClipped(t *testing.T) {
	random := seeded(11)
	for _, loss := range everyLoss(t) {
		for range 3000 {
			threshold, norm := math.Exp(random.NormFloat64()), math.Exp(random.NormFloat64())
			m, y := 3*random.NormFloat64(), math.Copysign(1, random.Float64()-0.5)
			gradient := math.Abs(loss.Slope(m, y)) * norm
			want := loss.Slope(m, y) * min(1, threshold/gradient)
			if loss.Slope(m, y) == 0 {
				want = 0
			}
			got := mustClip(t, loss, threshold).Row(norm).Slope(m, y)
			assert.InDelta(t, want, got, 1e-15*math.Abs(want))
		}
	}
}

// f_C is the greatest c-Lipschitz function below f, min over v of
// f(v) + c|m − v|: another way to the same value, by golden-section search.
func TestClippedValueIsTheLipschitzEnvelope(t *testing.T) {
	random := seeded(12)
	for _, loss := range everyLoss(t) {
		for range 300 {
			c, m := 0.05+0.9*random.Float64(), 5*random.NormFloat64()
			y := math.Copysign(1, random.Float64()-0.5)
			envelope := func(v float64) float64 { return loss.Value(v, y) + c*math.Abs(m-v) }
			low, high := -60.0, 60.0
			const section = 0.6180339887498949
			for range 200 {
				a, b := high-section*(high-low), low+section*(high-low)
				if envelope(a) <= envelope(b) {
					high = b
				} else {
					low = a
				}
			}
			want := min(envelope(low), envelope(m))
			capped := Capped{loss: loss, slope: c}
			assert.InDelta(t, want, capped.Value(m, y), 1e-10, "%T: c = %v, m = %v", loss, c, m)
			assert.LessOrEqual(t, capped.Value(m, y), loss.Value(m, y)+1e-14)
		}
	}
}

// Value and slope have no jump where clipping sets in.
func TestClippedIsContinuous(t *testing.T) {
	for _, loss := range everyLoss(t) {
		for _, c := range []float64{0.01, 0.3, 0.7, 0.99} {
			capped := Capped{loss: loss, slope: c}
			for _, y := range []float64{-1, 1} {
				for _, slope := range []float64{-c, c} {
					u := loss.Margin(slope, y)
					if math.IsInf(u, 0) {
						continue
					}
					for _, step := range []float64{-1e-9, -1e-12, 1e-12, 1e-9} {
						assert.InDelta(
							t, loss.Value(u, y), capped.Value(u+step, y), 2*math.Abs(step),
						)
						assert.InDelta(t, slope, capped.Slope(u+step, y), 2*math.Abs(step))
					}
				}
			}
		}
	}
}

// The bound |f_C′|·‖x‖ ≤ C holds for the float64 numbers themselves, in exact
// arithmetic.
func TestClippedGradientNeverExceedsTheThreshold(t *testing.T) {
	random := seeded(13)
	norms := []float64{1, math.Sqrt2, 1 - 0x1p-53, 1 + 0x1p-52, 0x1p-500, 0x1p500, 3, 1e-3}
	for range 500 {
		norms = append(norms, math.Exp(3*random.NormFloat64()))
	}
	for _, loss := range everyLoss(t) {
		for _, norm := range norms {
			for _, threshold := range []float64{
				0.1, 1, math.Sqrt2, math.Exp(random.NormFloat64()), norm,
			} {
				row := mustClip(t, loss, threshold).Row(norm)
				for _, m := range []float64{
					-1e308, -40, -3, 0, 1, 3, 40, 1e308, anyMargin(random),
				} {
					for _, y := range []float64{-1, 1} {
						slope := math.Abs(row.Slope(m, y))
						gradient := new(big.Float).SetPrec(200).
							Mul(big.NewFloat(slope), big.NewFloat(norm))
						if gradient.Cmp(big.NewFloat(threshold)) > 0 {
							t.Fatalf(
								"%T: norm %v, threshold %v: |f′| = %v at %v", loss, norm, threshold,
								slope, m,
							)
						}
					}
				}
			}
		}
	}
}

// f_C″‖x‖² ≤ a(R − a) with a = |f_C′|·‖x‖ ≤ min(C, R): what theory §4.3 needs.
func TestClippedLogisticMeetsTheLogisticCoupling(t *testing.T) {
	random := seeded(14)
	clipped, free := 0, 0
	for range 20_000 {
		r := math.Exp(random.NormFloat64())
		norm, threshold := r*random.Float64(), r*2*random.Float64()
		row := mustClip(t, Logistic{}, threshold).Row(norm)
		y := math.Copysign(1, random.Float64()-0.5)
		_, slope, curvature := row.At(4*random.NormFloat64(), y)
		a := math.Abs(slope) * norm
		assert.LessOrEqual(t, curvature*norm*norm, a*(r-a)+1e-15*r*r)
		assert.LessOrEqual(t, a, min(threshold, r)*(1+1e-15))
		assert.LessOrEqual(t, y*slope, 0.0)
		if curvature == 0 {
			clipped++
		} else {
			free++
		}
	}
	assert.Greater(t, min(clipped, free), 2000)
	// Power: with the curvature left in place where the slope is clipped, the
	// inequality fails.
	_, slope, _ := mustClip(t, Logistic{}, 0.1).Row(1).At(0, 1)
	a := math.Abs(slope)
	assert.Greater(t, Logistic{}.Curvature(0, 1), a*(1-a))
}

func TestClippedConstants(t *testing.T) {
	logistic := mustClip(t, Logistic{}, 1)
	assert.Equal(t, 1.0, logistic.Lipschitz(math.Sqrt2))
	assert.Equal(t, 0.5, logistic.Lipschitz(0.5))
	assert.Equal(t, privacy.LossLogistic, logistic.Class())
	assert.Equal(t, 0.25, logistic.MaxCurvature())
	assert.True(t, logistic.Active(1.5))
	assert.False(t, logistic.Active(1))
	assert.False(t, logistic.Active(0))
	assert.Equal(t, Logistic{}, logistic.Row(1))

	squared := mustClip(t, Squared{}, 2)
	assert.Equal(t, 2.0, squared.Lipschitz(1))
	assert.Equal(t, 2.0, squared.Lipschitz(1e9))
	assert.True(t, squared.Active(1e-300))
	assert.Equal(t, Squared{}, squared.Row(0)) // no features, no gradient

	unclipped := mustClip(t, Squared{}, math.Inf(1))
	assert.True(t, math.IsInf(unclipped.Lipschitz(1), 1))
	assert.False(t, unclipped.Active(1))
	assert.Equal(t, math.Sqrt2, mustClip(t, Logistic{}, math.Inf(1)).Lipschitz(math.Sqrt2))
}
