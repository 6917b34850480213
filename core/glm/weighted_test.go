package glm

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func mustWeigh(t testing.TB, ratio float64) WeightedLogistic {
	l, err := NewWeightedLogistic(ratio)
	require.NoError(t, err)
	require.Equal(t, ratio, l.Ratio())
	return l
}

// By hand: log 2/4, 1/8 and 1/16 at margin 0 of the lighter class of ratio 4; the heavier one has
// the logistic loss itself.
func TestWeightedLossGolden(t *testing.T) {
	for _, c := range []struct{ ratio, heavy float64 }{{4, 1}, {0.25, -1}} {
		l := mustWeigh(t, c.ratio)
		assert.Equal(t, 1.0, l.Weight(c.heavy))
		assert.Equal(t, 0.25, l.Weight(-c.heavy))
		value, slope, curvature := l.At(0, -c.heavy)
		assert.InEpsilon(t, math.Ln2/4, value, 1e-15)
		assert.Equal(t, c.heavy/8, slope)
		assert.Equal(t, 1.0/16, curvature)
		for _, m := range []float64{-700, -3, 0, 0.7, 40} {
			value, slope, curvature = l.At(m, c.heavy)
			v, s, k := Logistic{}.At(m, c.heavy)
			assert.Equal(t, []float64{v, s, k}, []float64{value, slope, curvature})
		}
	}
	assert.Equal(t, privacy.LossLogistic, mustWeigh(t, 2).Class())
	assert.Equal(t, 0.25, mustWeigh(t, 2).MaxCurvature())
	assert.Equal(t, 1.0, mustWeigh(t, 2).MaxSlope())
}

// Another way to the same: a record of weight 1/4 is a quarter of one, so that four of them are
// one of weight 1.
func TestAWeightCountsRecords(t *testing.T) {
	random := seeded(61)
	l := mustWeigh(t, 4)
	four := mustClip(t, l, math.Inf(1))
	one := mustClip(t, Logistic{}, math.Inf(1))
	for range 200 {
		m := 4 * random.NormFloat64()
		ms, ys := []float64{m, m, m, m}, []float64{-1, -1, -1, -1}
		slopes, curvatures := make([]float64, 4), make([]float64, 4)
		value := four.Rows(ms, ys, []float64{1}, slopes, curvatures)
		s, k := make([]float64, 1), make([]float64, 1)
		want := one.Rows(ms[:1], ys[:1], []float64{1}, s, k)
		assert.InDelta(t, want, value, 1e-13*(1+want)) // as Rows promises
		assert.InEpsilon(t, s[0], 4*slopes[2], 1e-14)
		assert.InEpsilon(t, k[0], 4*curvatures[1], 1e-14)
	}
}

func TestNewWeightsRefuseBadOnes(t *testing.T) {
	for _, ratio := range []float64{0, -1, 1e-4, 1001, math.NaN(), math.Inf(1)} {
		_, err := NewWeightedLogistic(ratio)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, "positive_weight", parameter.Field)
	}
}

// What the class promises, clipped or not, with a = |f'|·norm and R ≥ norm; and what it does not:
// a weight of 2 bends more than the bounds allow, and pulls harder.
func TestCurvatureOfWeightsFollowsFromTheSlope(t *testing.T) {
	random := seeded(62)
	broken := false
	for range 20_000 {
		ratio, norm := math.Exp(3*random.NormFloat64()), random.Float64()
		ratio = min(max(ratio, 0.001), 1000)
		m, y := 5*random.NormFloat64(), math.Copysign(1, random.Float64()-0.5)
		R, threshold := norm+random.Float64(), 0.05+random.Float64()
		_, slope, curvature := mustClip(t, mustWeigh(t, ratio), threshold).Row(norm).At(m, y)
		a := math.Abs(slope) * norm
		assert.LessOrEqual(t, curvature*norm*norm, a*(R-a)*(1+1e-12)+1e-300)
		assert.LessOrEqual(t, a, threshold)
		assert.LessOrEqual(t, y*slope, 0.0)
		_, slope, curvature = Logistic{}.At(m, y)
		broken = broken || 2*curvature > 2*math.Abs(slope)*(1-2*math.Abs(slope))
	}
	assert.True(t, broken)
}

// What solve's certificate charges for the rounding of a slope, 2^-49 of it, against 200 bits, for
// the loop that its rows are differentiated by.
func TestWeightedSlopesAreWithinTheirRounding(t *testing.T) {
	random := seeded(63)
	worst := 0.0
	for range 400 {
		l := mustWeigh(t, math.Exp2(-9+18*random.Float64()))
		m, y := make([]float64, 256), make([]float64, 256)
		for i := range m {
			m[i] = random.NormFloat64() * math.Exp2(5*random.Float64())
			y[i] = math.Copysign(1, random.Float64()-0.5)
		}
		slopes := make([]float64, 256)
		mustClip(t, l, math.Inf(1)).Derivatives(m, y, []float64{1}, slopes, nil)
		plain := make([]float64, 256)
		mustClip(t, Logistic{}, math.Inf(1)).Derivatives(m, y, []float64{1}, plain, nil)
		for i := range m {
			want := new(big.Float).SetPrec(200).SetFloat64(plain[i])
			want.Mul(want, new(big.Float).SetFloat64(l.Weight(y[i])))
			exact, _ := want.Float64()
			assert.Equal(t, exact, slopes[i], "one product, correctly rounded")
			// And the loop's own error, beside the closed form.
			closed := -y[i] * l.Weight(y[i]) / (1 + math.Exp(y[i]*m[i]))
			worst = math.Max(worst, math.Abs(slopes[i]/closed-1))
		}
	}
	t.Logf("%.2f·2^-52", worst*0x1p52)
	assert.LessOrEqual(t, worst, 0x1p-49)
}
