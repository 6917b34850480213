package glm

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func mustShift(t testing.TB, h float64) ShiftedLogistic {
	l, err := NewShiftedLogistic(h)
	require.NoError(t, err)
	require.Equal(t, h, l.Shift())
	return l
}

func mustHinge(t testing.TB, h float64) RoundedHinge {
	l, err := NewRoundedHinge(h)
	require.NoError(t, err)
	require.Equal(t, h, l.Shift())
	return l
}

// shiftGolden are values by mpmath 1.3 at 60 digits, for y = +1.
type shiftGolden struct{ h, z, value, slope, curvature float64 }

var shiftedGolden = []shiftGolden{
	{2, 0, 2.12692801104297249644, -8.8079707797788244406e-1, 1.04993585403506517349e-1},
	{2, 2, 6.93147180559945309417e-1, -5.0e-1, 2.5e-1},
	{2, 1e-10, 2.12692801095489278865, -8.80797077967383085519e-1, 1.04993585411502767454e-1},
	{0.5, -3, 3.52975041827262056519, -9.70687769248643681135e-1, 2.84530238797355598397e-2},
	{16, 0, 1.60000001125351683872e+1, -9.99999887464837944905e-1, 1.12535149390932291817e-7},
	{16, 40, 3.77513454420783954751e-11, -3.77513454413658134338e-11, 3.77513454399406493511e-11},
	{3, 700, 1.98036897270374246008e-303, -1.98036897270374246008e-303, 1.98036897270374246008e-303},
	{2, 5.5, 2.97504182726205651948e-2, -2.93122307513563188653e-2, 2.84530238797355598397e-2},
	{1, 36, 6.30511676014698739791e-16, -6.30511676014698541019e-16, 6.30511676014698143474e-16},
}

var hingeGolden = []shiftGolden{
	{2, 0, 1.13533528323661269189, -8.64664716763387308106e-1, 1.35335283236612691894e-1},
	{2, 1.75, 2.88007830714048682452e-2, -2.21199216928595131755e-1, 7.78800783071404868245e-1},
	{2, 1.9990234375, 4.7668197566223471179e-7, -9.76085818024337765288e-4, 9.99023914181975662235e-1},
	{2, 1.9999999990686774, 4.33680868859569512477e-19, -9.31322574181797646765e-10, 9.99999999068677425818e-1},
	{1, -3, 3.01831563888873418029, -9.81684361111265819706e-1, 1.83156388887341802937e-2},
	{16, 0, 1.50000001125351747193e+1, -9.99999887464825280741e-1, 1.12535174719259114514e-7},
	{4, 3.5, 1.06530659712633423604e-1, -3.93469340287366576396e-1, 6.06530659712633423604e-1},
	{1, -40, 4.00000000000000000016e+1, -9.99999999999999998437e-1, 1.56288218933498876809e-18},
	{0.5, -700, 6.995e+2, -1.0, 5.98019611863979120641e-305},
}

func TestShiftedLossesGolden(t *testing.T) {
	for _, family := range []struct {
		loss   func(h float64) Loss
		golden []shiftGolden
	}{
		{func(h float64) Loss { return mustShift(t, h) }, shiftedGolden},
		{func(h float64) Loss { return mustHinge(t, h) }, hingeGolden},
	} {
		for _, g := range family.golden {
			for _, y := range []float64{1, -1} {
				value, slope, curvature := family.loss(g.h).At(y*g.z, y)
				assert.InEpsilon(t, g.value, value, 0x1p-49, "%+v", g)
				assert.InEpsilon(t, y*g.slope, slope, 0x1p-49, "%+v", g)
				assert.InEpsilon(t, g.curvature, curvature, 0x1p-49, "%+v", g)
			}
		}
	}
	for _, z := range []float64{2, 2.5, 1e308, math.Inf(1)} {
		value, slope, curvature := mustHinge(t, 2).At(z, 1)
		assert.Equal(t, []float64{0, 0, 0}, []float64{value, slope, curvature}, "%v", z)
	}
}

// The rounded hinge's loop over rows, against the golden values, at both sides of every change of
// table entry, where w is next to nothing, and beyond what its exponential is for.
func TestRoundedHingeInRows(t *testing.T) {
	slope, curvature := make([]float64, 1), make([]float64, 1)
	at := func(h, m, y float64) (float64, float64) {
		c := Clipped{loss: RoundedHinge{h: h}, threshold: math.Inf(1)}
		c.Derivatives([]float64{m}, []float64{y}, []float64{1}, slope, curvature)
		return slope[0], curvature[0]
	}
	for _, g := range hingeGolden {
		for _, y := range []float64{1, -1} {
			s, k := at(g.h, y*g.z, y)
			assert.InEpsilon(t, y*g.slope, s, 0x1p-49, "%+v", g)
			assert.InEpsilon(t, g.curvature, k, 0x1p-49, "%+v", g)
		}
	}
	worst, worstCurvature := 0.0, 0.0
	const h = 0x1p-20 // h − ym is w to all but its last bits
	check := func(w float64) {
		m := h - w
		exact := h - m // the w that the loop sees
		s, k := at(h, m, 1)
		worst = max(worst, math.Abs(s/math.Expm1(-exact)-1))
		worstCurvature = max(worstCurvature, math.Abs(k/math.Exp(-exact)-1))
		if s < -1 || s > 0 || k > 1 {
			t.Fatalf("slope %v and curvature %v at %v", s, k, exact)
		}
	}
	for k := range 20_000 {
		for _, nudge := range []float64{-1e-9, 0, 1e-9} {
			check((float64(k)+0.5)*math.Ln2/32 + nudge)
			check(float64(k+1)*1e-5 + nudge)
		}
	}
	assert.LessOrEqual(t, worst, 9*0x1p-53)
	assert.LessOrEqual(t, worstCurvature, 0x1p-50)
	t.Logf("worst difference to math.Expm1: %.2f·2^-53, to math.Exp: %.2f·2^-53",
		worst*0x1p53, worstCurvature*0x1p53)
	for _, m := range []float64{
		2, 2.5, 1e308, math.Inf(1), -697.9, -698, -698.1, -1e308, math.Inf(-1), math.NaN(),
	} {
		for _, y := range []float64{1, -1, math.NaN()} {
			_, wantSlope, wantCurvature := mustHinge(t, 2).At(m, y)
			s, k := at(2, m, y)
			if math.IsNaN(wantSlope) {
				assert.True(t, math.IsNaN(s) && math.IsNaN(k))
				continue
			}
			assert.InDelta(t, wantSlope, s, 0x1p-49*math.Abs(wantSlope), "%v", m)
			assert.InDelta(t, wantCurvature, k, 0x1p-49*wantCurvature, "%v", m)
		}
	}
}

// Another way to the same: the shifted loss by its own formula, and the rounded hinge as the
// integral of its slope.
func TestShiftedLossesBySecondDerivation(t *testing.T) {
	random := seeded(51)
	for range 2000 {
		h, z := 16*random.Float64()+1e-3, 10*random.NormFloat64()
		value, slope, curvature := mustShift(t, h).At(-z, -1)
		assert.InDelta(t, math.Log(1+math.Exp(h-z)), value, 1e-12)
		assert.InEpsilon(t, math.Exp(h-z)/(1+math.Exp(h-z)), slope, 1e-12)
		assert.InDelta(t, math.Abs(slope)*(1-math.Abs(slope)), curvature, 1e-15)

		l := mustHinge(t, h)
		_, slope, curvature = l.At(z, 1)
		if z < h {
			assert.InDelta(t, 1-math.Abs(slope), curvature, 1e-15)
		}
		const n = 2000
		sum := 0.0
		for i := range n {
			sum += -l.Slope(z+(h-z)*(float64(i)+0.5)/n, 1) * (h - z) / n
		}
		assert.InDelta(t, math.Max(0, sum), l.Value(z, 1), 1e-3)
	}
}

func TestNewShiftsRefuseBadOnes(t *testing.T) {
	for _, h := range []float64{0, -1, 16.5, 1e-9, math.NaN(), math.Inf(1)} {
		_, shifted := NewShiftedLogistic(h)
		_, hinge := NewRoundedHinge(h)
		for _, err := range []error{shifted, hinge} {
			var parameter *privacy.ParameterError
			require.ErrorAs(t, err, &parameter)
			assert.Equal(t, "shift", parameter.Field)
		}
	}
}

// What the classes promise, clipped or not, with a = |f'|·norm and R ≥ norm.
func TestCurvatureFollowsFromTheSlope(t *testing.T) {
	random := seeded(52)
	for range 20_000 {
		h, norm := 0.01+15*random.Float64(), random.Float64()
		m, y := h*random.NormFloat64()*3, math.Copysign(1, random.Float64()-0.5)
		R, threshold := norm+random.Float64(), 0.05+random.Float64()
		_, slope, curvature := mustClip(t, mustShift(t, h), threshold).Row(norm).At(m, y)
		a := math.Abs(slope) * norm
		assert.LessOrEqual(t, curvature*norm*norm, a*(R-a)*(1+1e-12)+1e-300)
		_, slope, curvature = mustClip(t, mustHinge(t, h), threshold).Row(norm).At(m, y)
		a = math.Abs(slope) * norm
		assert.LessOrEqual(t, curvature*norm*norm, R*(R-a)*(1+1e-12))
		assert.LessOrEqual(t, a, threshold)
	}
}

// The losses are those of the classes that package learn and the accountant take them for.
func TestClassesOfShiftedLosses(t *testing.T) {
	assert.Equal(t, privacy.LossLogistic, mustShift(t, 1).Class())
	assert.Equal(t, privacy.LossHinge, mustHinge(t, 1).Class())
	assert.Equal(t, 0.25, mustShift(t, 2).MaxCurvature())
	assert.Equal(t, 1.0, mustHinge(t, 2).MaxCurvature())
	assert.Equal(t, 0.25, mustShift(t, 2).Curvature(2, 1))
}

// What solve's certificate charges for the rounding of a slope, against 200 bits: 2^-50 and
// 2^-49 of it for the shifted logistic loss, 2^-49 of it for the rounded hinge.
func TestShiftedSlopesAreWithinTheirRounding(t *testing.T) {
	random := seeded(53)
	worstShift, worstHinge := 0.0, 0.0
	for range 100_000 {
		h, y := math.Exp2(-4+8*random.Float64()), math.Copysign(1, random.Float64()-0.5)
		m := y * (h + 3*random.NormFloat64()*math.Exp2(3*random.Float64()))
		// h − ym is w + low exactly.
		w := h - y*m
		exact := new(big.Float).SetPrec(200).SetFloat64(h)
		exact.Sub(exact, new(big.Float).SetPrec(200).SetFloat64(y*m))
		rest, _ := exact.Sub(exact, new(big.Float).SetFloat64(w)).Float64()
		// The slope at w + rest, by the derivative: rest is below 2^-52 of w.
		s, c := 1/(1+math.Exp(-w)), 0.0
		c = s * (1 - s)
		off := math.Abs(mustShift(t, h).Slope(m, y)+y*(s+c*rest)) - 0x1p-49*s
		worstShift = math.Max(worstShift, off)
		if w > 0 {
			want := -math.Expm1(-w) + math.Exp(-w)*rest
			off := math.Abs(mustHinge(t, h).Slope(m, y)+y*want) / want
			worstHinge = math.Max(worstHinge, off)
		}
	}
	t.Logf("shift: %.2f·2^-50 beside 2^-49 of it; hinge: %.2f·2^-49", worstShift*0x1p50, worstHinge*0x1p49)
	assert.LessOrEqual(t, worstShift, 0x1p-50)
	assert.LessOrEqual(t, worstHinge, 0x1p-49)
}
