package glm

import (
	"maps"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Golden values for y = +1: Python 3's decimal module with 400 digits.
var logisticGolden = []struct{ m, value, slope, curvature float64 }{
	{0, 6.93147180559945309417e-1, -5.00000000000000000000e-1, 2.50000000000000000000e-1},
	{1e-300, 6.93147180559945309417e-1, -5.00000000000000000000e-1, 2.50000000000000000000e-1},
	{1e-10, 6.93147180509945309418e-1, -4.99999999975000000000e-1, 2.49999999999999999999e-1},
	{-1e-10, 6.93147180609945309418e-1, -5.00000000025000000000e-1, 2.49999999999999999999e-1},
	{0.5, 4.74076984180106680873e-1, -3.77540668798145435361e-1, 2.35003712201594489069e-1},
	{-0.5, 9.74076984180106680873e-1, -6.22459331201854564639e-1, 2.35003712201594489069e-1},
	{1, 3.13261687518222834049e-1, -2.68941421369995120749e-1, 1.96611933241481852537e-1},
	{-1, 1.31326168751822283405e+0, -7.31058578630004879251e-1, 1.96611933241481852537e-1},
	{2.5, 7.88897342925496233440e-2, -7.58581800212435511933e-2, 7.01037165451081569323e-2},
	{-7, 7.00091146645377424469e+0, -9.99088948805599354642e-1, 9.10221180121826515364e-4},
	{16, 1.12535168387176815021e-7, -1.12535162055094990584e-7, 1.12535149390932291817e-7},
	{-16, 1.60000001125351683872e+1, -9.99999887464837944905e-1, 1.12535149390932291817e-7},
	{36.5, 1.40686171244614666829e-16, -1.40686171244614656932e-16, 1.40686171244614637140e-16},
	{-37, 3.70000000000000000853e+1, -9.99999999999999914670e-1, 8.53304762574406433802e-17},
	{100, 3.72007597602083596296e-44, -3.72007597602083596296e-44, 3.72007597602083596296e-44},
	{-100, 1.00000000000000000000e+2, -1.00000000000000000000e+0, 3.72007597602083596296e-44},
	{700, 9.85967654375977085671e-305, -9.85967654375977085671e-305, 9.85967654375977085671e-305},
	{-700, 7.00000000000000000000e+2, -1.00000000000000000000e+0, 9.85967654375977085671e-305},
	{
		708.25,
		2.57592486928376938275e-308,
		-2.57592486928376938275e-308,
		2.57592486928376938275e-308,
	},
	{-708.25, 7.08250000000000000000e+2, -1.00000000000000000000e+0, 2.57592486928376938275e-308},
}

func TestLogisticGolden(t *testing.T) {
	const ulps = 8 * 0x1p-53
	for _, g := range logisticGolden {
		for _, y := range []float64{1, -1} { // f(m; −1) = f(−m; 1)
			value, slope, curvature := Logistic{}.At(y*g.m, y)
			assert.InEpsilon(t, g.value, value, ulps, "value at %v", g.m)
			assert.InEpsilon(t, y*g.slope, slope, ulps, "slope at %v", g.m)
			assert.InEpsilon(t, g.curvature, curvature, ulps, "curvature at %v", g.m)
		}
	}
}

func TestLogisticAtTheEndsOfFloat64(t *testing.T) {
	for _, m := range []float64{750, 1e4, 1e308, math.MaxFloat64, math.Inf(1)} {
		value, slope, curvature := Logistic{}.At(m, 1)
		assert.Equal(t, []float64{0, 0, 0}, []float64{value, math.Abs(slope), curvature})
		value, slope, curvature = Logistic{}.At(m, -1)
		assert.Equal(t, []float64{m, 1, 0}, []float64{value, slope, curvature})
	}
}

func TestHuberGolden(t *testing.T) {
	// h = 1/2, by hand: the parabola (3/2 − z)²/2 from z = 1/2 to z = 3/2.
	l := mustHuber(t, 0.5)
	for _, g := range []struct{ z, value, slope, curvature float64 }{
		{-3, 4, -1, 0}, {0, 1, -1, 0}, {0.25, 0.75, -1, 0},
		{0.75, 0.28125, -0.75, 1}, {1, 0.125, -0.5, 1}, {1.25, 0.03125, -0.25, 1},
		{1.5, 0, 0, 0}, {2, 0, 0, 0}, {1e308, 0, 0, 0}, {-1e308, 1e308, -1, 0},
	} {
		for _, y := range []float64{1, -1} {
			value, slope, curvature := l.At(y*g.z, y)
			assert.Equal(
				t, []float64{g.value, y * g.slope, g.curvature}, []float64{value, slope, curvature},
				"z = %v", g.z,
			)
		}
	}
	// It meets its neighbours: value and slope at both ends of the parabola.
	for _, h := range []float64{1e-3, 0.1, 0.5, 2, 30} {
		l := mustHuber(t, h)
		assert.InDelta(t, h, l.Value(1-h, 1), 1e-14*(1+h))
		assert.InDelta(t, 0, l.Value(1+h, 1), 1e-14*(1+h))
	}
}

func mustHuber(t testing.TB, h float64) Huber {
	l, err := NewHuber(h)
	require.NoError(t, err)
	require.Equal(t, h, l.Width())
	return l
}

func TestNewHuberRefusesBadWidths(t *testing.T) {
	for _, h := range []float64{0, -1, math.NaN(), math.Inf(1), 5e-324, 1e300} {
		_, err := NewHuber(h)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, "huber_width", parameter.Field)
	}
}

func TestSquaredGolden(t *testing.T) {
	value, slope, curvature := Squared{}.At(3, 5.5)
	assert.Equal(t, []float64{3.125, -2.5, 1}, []float64{value, slope, curvature})
}

// family is every loss of the package, with and without a cap on the slope.
func family(t testing.TB) map[string]Loss {
	plain := map[string]Loss{
		"logistic":  Logistic{},
		"huber 0.5": mustHuber(t, 0.5),
		"huber 2":   mustHuber(t, 2),
		"squared":   Squared{},
		"shift 2":   mustShift(t, 2),
		"shift 16":  mustShift(t, 16),
		"weight 20": mustWeigh(t, 20),
		"weight ⅓":  mustWeigh(t, 1.0/3),
		"hinge 1":   mustHinge(t, 1),
		"hinge 6":   mustHinge(t, 6),
	}
	all := maps.Clone(plain)
	for name, loss := range plain {
		for _, c := range []float64{1e-3, 0.3, 0.5, 0.8, 0.999} {
			all[name+" capped at "+privacy.Number(c)] = Capped{loss: loss, slope: c}
		}
	}
	return all
}

// everyLoss is one loss of each kind.
func everyLoss(t testing.TB) []Loss {
	return []Loss{Logistic{}, mustHuber(t, 0.5), Squared{}, mustShift(t, 2), mustHinge(t, 1)}
}

func labelsOf(l Loss) []float64 {
	if l.Class() == privacy.LossGLM {
		return []float64{-1, 1, 0.25, 17}
	}
	return []float64{-1, 1}
}

func TestAtAgreesWithItsParts(t *testing.T) {
	random := seeded(1)
	for name, l := range family(t) {
		for _, y := range labelsOf(l) {
			for range 200 {
				m := 20 * random.NormFloat64()
				value, slope, curvature := l.At(m, y)
				assert.Equal(t, l.Value(m, y), value, name)
				assert.Equal(t, l.Slope(m, y), slope, name)
				assert.Equal(t, l.Curvature(m, y), curvature, name)
			}
		}
	}
}

// Slope and Curvature against central differences. A second difference at a
// kink is between the two curvatures, so those points are left out by asking
// that the curvatures on either side agree.
func TestDerivativesAgainstDifferences(t *testing.T) {
	random := seeded(2)
	const h = 1e-4
	for name, l := range family(t) {
		checked := 0
		for _, y := range labelsOf(l) {
			for range 300 {
				m := 4 * random.NormFloat64()
				size := 1 + l.Value(m, y)
				left, right := l.Curvature(m-h, y), l.Curvature(m+h, y)
				if math.Abs(left-right) > 1e-3 {
					continue
				}
				checked++
				slope := (l.Value(m+h, y) - l.Value(m-h, y)) / (2 * h)
				assert.InDelta(
					t, l.Slope(m, y), slope, 1e-8*size, "%s: slope at %v, %v", name, m, y,
				)
				curvature := (l.Slope(m+h, y) - l.Slope(m-h, y)) / (2 * h)
				assert.InDelta(
					t, l.Curvature(m, y), curvature, 1e-8*size, "%s: curvature at %v, %v", name, m,
					y,
				)
			}
		}
		assert.Greater(t, checked, 500, name)
	}
}

func TestConvexity(t *testing.T) {
	random := seeded(3)
	for name, l := range family(t) {
		for _, y := range labelsOf(l) {
			for range 500 {
				a, b := 6*random.NormFloat64(), 6*random.NormFloat64()
				a, b = min(a, b), max(a, b)
				assert.LessOrEqual(
					t, l.Slope(a, y), l.Slope(b, y), "%s: slopes at %v, %v", name, a, b,
				)
				tangent := l.Value(a, y) + l.Slope(a, y)*(b-a)
				assert.GreaterOrEqual(
					t, l.Value(b, y), tangent-1e-13*(1+math.Abs(tangent)), "%s: tangent at %v",
					name, a,
				)
				middle := l.Value((a+b)/2, y)
				chord := (l.Value(a, y) + l.Value(b, y)) / 2
				assert.LessOrEqual(t, middle, chord+1e-13*(1+chord), "%s: chord", name)
			}
		}
	}
}

// anyMargin returns margins of all magnitudes, and special ones.
func anyMargin(random draws) float64 {
	switch random.IntN(4) {
	case 0:
		return 3 * random.NormFloat64()
	case 1:
		return 1 + 1e-15*random.NormFloat64()
	case 2:
		return math.Copysign(
			math.Ldexp(1+random.Float64(), random.IntN(2000)-1000), random.Float64()-0.5,
		)
	}
	special := []float64{
		0,
		math.Copysign(0, -1),
		0.5,
		-0.5,
		1.5,
		-1.5,
		745,
		-746,
		math.MaxFloat64,
		-math.MaxFloat64,
		5e-324,
	}
	return special[random.IntN(len(special))]
}

func TestConstantsAreNeverExceeded(t *testing.T) {
	random := seeded(4)
	for name, l := range family(t) {
		steepest, most := 0.0, 0.0
		for _, y := range labelsOf(l) {
			for range 5000 {
				m := anyMargin(random)
				_, slope, curvature := l.At(m, y)
				steepest, most = max(steepest, math.Abs(slope)), max(most, curvature)
				if curvature < 0 || math.IsNaN(slope) || math.IsNaN(curvature) {
					t.Fatalf("%s: %v, %v at %v", name, slope, curvature, m)
				}
				if l.Class() != privacy.LossGLM && !(y*slope <= 0) {
					t.Errorf("%s: the sign of the slope at %v", name, m)
				}
			}
		}
		assert.LessOrEqual(t, steepest, l.MaxSlope(), name)
		assert.LessOrEqual(t, most, l.MaxCurvature(), name)
		// and they are the least such bounds
		if !math.IsInf(l.MaxSlope(), 1) {
			assert.InEpsilon(t, l.MaxSlope(), steepest, 1e-9, name)
		}
	}
	assert.Equal(t, 0.25, Logistic{}.Curvature(0, 1))
}

func TestMarginInvertsSlope(t *testing.T) {
	random := seeded(5)
	for name, l := range family(t) {
		for _, y := range labelsOf(l) {
			for range 500 {
				slope := 2*random.Float64() - 1
				m := l.Margin(slope, y)
				if math.IsInf(m, 0) {
					// The slope is not attained: both ends of f′ are on one side.
					end := l.Slope(math.Copysign(1e300, m), y)
					assert.LessOrEqual(
						t, math.Copysign(1, m)*end, math.Copysign(1, m)*slope, "%s at slope %v",
						name, slope,
					)
					continue
				}
				assert.InDelta(
					t, slope, l.Slope(m, y), 1e-14*(1+math.Abs(y)), "%s at slope %v", name, slope,
				)
			}
		}
	}
}

func TestNaNIsNotHidden(t *testing.T) {
	nan := math.NaN()
	for name, l := range family(t) {
		for _, arguments := range [][2]float64{{nan, 1}, {1, nan}} {
			value, slope, _ := l.At(arguments[0], arguments[1])
			assert.True(t, math.IsNaN(value), name)
			assert.True(t, math.IsNaN(slope), name)
		}
	}
}

func TestClassesAndBounds(t *testing.T) {
	for _, c := range []struct {
		loss             Loss
		class            privacy.LossClass
		slope, curvature float64
	}{
		{Logistic{}, privacy.LossLogistic, 1, 0.25},
		{mustHuber(t, 0.5), privacy.LossSigned, 1, 1},
		{mustHuber(t, 0.1), privacy.LossSigned, 1, 5},
		{Squared{}, privacy.LossGLM, math.Inf(1), 1},
		{Capped{loss: Squared{}, slope: 2}, privacy.LossGLM, 2, 1},
		{Capped{loss: Logistic{}, slope: 2}, privacy.LossLogistic, 1, 0.25},
	} {
		assert.Equal(t, c.class, c.loss.Class())
		assert.Equal(t, c.slope, c.loss.MaxSlope())
		assert.Equal(t, c.curvature, c.loss.MaxCurvature())
	}
}
