package glm

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onebyone is Rows by way of Row(norm).At.
func onebyone(
	c Clipped, margins, labels, norms []float64,
) (value float64, slopes, curvatures []float64) {
	for i, m := range margins {
		norm := norms[0]
		if len(norms) > 1 {
			norm = norms[i]
		}
		v, s, k := c.Row(norm).At(m, labels[i])
		value += v
		slopes, curvatures = append(slopes, s), append(curvatures, k)
	}
	return value, slopes, curvatures
}

func TestRowsAgreeWithOneByOne(t *testing.T) {
	random := seeded(21)
	for _, loss := range everyLoss(t) {
		for _, threshold := range []float64{0.2, 1, math.Inf(1)} {
			c := mustClip(t, loss, threshold)
			for _, n := range []int{0, 1, 2, 255, 256, 257, 1000} {
				margins, labels, norms := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range margins {
					margins[i] = 8 * random.NormFloat64()
					labels[i] = math.Copysign(1, random.Float64()-0.5)
					norms[i] = 2 * random.Float64()
				}
				for _, norms := range [][]float64{norms, {1.1}} {
					want, wantSlopes, wantCurvatures := onebyone(c, margins, labels, norms)
					slopes, curvatures := make([]float64, n), make([]float64, n)
					value := c.Rows(margins, labels, norms, slopes, curvatures)
					// the plain sum drifts more
					assert.InDelta(t, want, value, 0x1p-50*float64(n)+0x1p-42*want)
					for i := range slopes {
						require.InDelta(
							t, wantSlopes[i], slopes[i], 0x1p-49*math.Abs(wantSlopes[i]),
						)
						require.InDelta(
							t, wantCurvatures[i], curvatures[i], 0x1p-49*wantCurvatures[i],
						)
					}
					// Leaving an output out changes nothing else.
					only := make([]float64, n)
					assert.Equal(t, value, c.Rows(margins, labels, norms, only, nil))
					assert.Equal(t, slopes, only)
					assert.Equal(t, value, c.Rows(margins, labels, norms, nil, only))
					assert.Equal(t, curvatures, only)
					assert.Equal(t, value, c.Rows(margins, labels, norms, nil, nil))
				}
			}
		}
	}
}

// The loop for the logistic loss against the golden values, and at the seams
// of its exponential.
func TestLogisticRowsGolden(t *testing.T) {
	c := mustClip(t, Logistic{}, math.Inf(1))
	slope, curvature := make([]float64, 1), make([]float64, 1)
	for _, g := range logisticGolden {
		for _, y := range []float64{1, -1} {
			value := c.Rows([]float64{y * g.m}, []float64{y}, []float64{1}, slope, curvature)
			assert.InDelta(t, g.value, value, 0x1p-50*(1+g.value), "value at %v", g.m)
			assert.InEpsilon(t, y*g.slope, slope[0], 0x1p-49, "slope at %v", g.m)
			assert.InEpsilon(t, g.curvature, curvature[0], 0x1p-49, "curvature at %v", g.m)
		}
	}
	worst := 0.0
	for k := range 33_000 { // both sides of every change of table entry
		for _, nudge := range []float64{-1e-9, 0, 1e-9} {
			m := (float64(k)+0.5)*math.Ln2/32 + nudge
			c.Rows([]float64{m}, []float64{1}, []float64{1}, slope, curvature)
			want := math.Exp(-m) / (1 + math.Exp(-m))
			if want > 0x1p-1020 {
				worst = max(worst, math.Abs(-slope[0]/want-1))
			}
		}
	}
	assert.LessOrEqual(t, worst, 0x1p-49)
	t.Logf("worst difference to math.Exp: %.2f·2^-53", worst*0x1p53)
}

func TestLogisticRowsAtTheEnds(t *testing.T) {
	c := mustClip(t, Logistic{}, math.Inf(1))
	slopes, curvatures := make([]float64, 1), make([]float64, 1)
	for _, m := range []float64{699.9, 700, 700.1, 745, 746, 1e308, math.MaxFloat64, math.Inf(1)} {
		for _, y := range []float64{1, -1} {
			value := c.Rows([]float64{m}, []float64{y}, []float64{1}, slopes, curvatures)
			wantValue, wantSlope, wantCurvature := Logistic{}.At(m, y)
			if !math.IsInf(wantValue, 1) {
				assert.InDelta(t, wantValue, value, 0x1p-50)
			} else {
				assert.Equal(t, wantValue, value)
			}
			assert.InDelta(t, wantSlope, slopes[0], 0x1p-49*math.Abs(wantSlope)+1e-323)
			assert.InDelta(t, wantCurvature, curvatures[0], 0x1p-49*wantCurvature+1e-323)
		}
	}
	value := c.Rows([]float64{math.NaN()}, []float64{1}, []float64{1}, slopes, curvatures)
	assert.True(t, math.IsNaN(value) && math.IsNaN(slopes[0]))
	value = c.Rows([]float64{1}, []float64{math.NaN()}, []float64{1}, slopes, curvatures)
	assert.True(t, math.IsNaN(value) && math.IsNaN(slopes[0]))
}

// Every constant of the exponential's table, in exact arithmetic:
// expTable[j]^32 = 2^j to 32 half-ulps.
func TestExponentialTable(t *testing.T) {
	for j, entry := range expTable {
		power := new(big.Float).SetPrec(2000).SetInt64(1)
		for range 32 {
			power.Mul(power, big.NewFloat(entry))
		}
		power.SetMantExp(power, -j)
		got, _ := power.Sub(power, big.NewFloat(1)).Float64()
		assert.LessOrEqual(t, math.Abs(got), 32*0x1p-53, "entry %d", j)

		// With what it is short of it, to 2^-105: five square roots of 2^j.
		root := new(big.Float).SetMantExp(big.NewFloat(1), j).SetPrec(200)
		for range 5 {
			root.Sqrt(root)
		}
		short, _ := root.Sub(root, big.NewFloat(entry)).Float64()
		assert.Equal(t, short, expLow[j], "entry %d", j)
	}
	assert.Equal(t, math.Ln2/32, expStepHigh+expStepLow)
	assert.Zero(t, math.Float64bits(expStepHigh)&(1<<17-1)) // 36 bits
	assert.InEpsilon(t, 32/math.Ln2, expSteps, 0x1p-53)
}

func TestRowsPanicsOnMismatchedLengths(t *testing.T) {
	c := mustClip(t, Logistic{}, 1)
	three, two := make([]float64, 3), make([]float64, 2)
	for _, call := range []func(){
		func() { c.Rows(three, two, three, three, three) },
		func() { c.Rows(three, three, two, three, three) },
		func() { c.Rows(three, three, nil, three, three) },
		func() { c.Rows(three, three, three, two, three) },
		func() { c.Rows(three, three, three, three, two) },
	} {
		assert.Panics(t, call)
	}
}

func TestRowsDoesNotAllocate(t *testing.T) {
	margins, labels, norms := rowsOf(1000)
	slopes, curvatures := make([]float64, 1000), make([]float64, 1000)
	for _, threshold := range []float64{0.5, 2} {
		c := mustClip(t, Logistic{}, threshold)
		assert.Zero(
			t,
			testing.AllocsPerRun(10, func() { c.Rows(margins, labels, norms, slopes, curvatures) }),
		)
	}
}

func TestRowsSumsManyBlocksWithoutDrift(t *testing.T) {
	// One loss of 2^60 and then a million of 701.25, of which a plain sum would
	// lose a quarter of its last digit with every block.
	const n = 256 * 4000
	margins, labels := make([]float64, n), make([]float64, n)
	for i := range margins {
		margins[i], labels[i] = -701.25, 1
		if i < block {
			margins[i] = 800 // no loss
		}
	}
	margins[0] = -0x1p60
	c := mustClip(t, Logistic{}, 1)
	want := 0x1p60 + (n-block)*701.25
	assert.InDelta(t, want, c.Rows(margins, labels, []float64{1}, nil, nil), 256) // 1 ulp
	margins[17] = math.Inf(-1)
	assert.Equal(t, math.Inf(1), c.Rows(margins, labels, []float64{1}, nil, nil))
}
