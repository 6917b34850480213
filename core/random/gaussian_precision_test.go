package random

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

const roundoff = 0x1p-53

// The proof of Gaussian's bound assumes that math's functions are within
// 4·2^-53 of the truth on the ranges it uses.
func TestMathFunctionsMeetTheProofsAssumption(t *testing.T) {
	src := randomtest.New(1)
	var worst struct{ log, log1p, sin, cos float64 }
	check := func(w float64) {
		x := w / 2
		worst.log = max(worst.log, relativeError(math.Log(x), preciseLog(precise(x))))
		worst.log1p = max(worst.log1p, relativeError(math.Log1p(-x), preciseLog1p(precise(-x))))
		angle := math.Pi / 4 * w
		sin, cos := math.Sincos(angle)
		wantSin, wantCos := preciseSincos(precise(angle))
		worst.sin = max(worst.sin, relativeError(sin, wantSin))
		worst.cos = max(worst.cos, relativeError(cos, wantCos))
	}
	for range 1500 {
		w, _, err := unit(src)
		require.NoError(t, err)
		check(w)
		check(math.Ldexp(w, -int(math.Float64bits(w)%200)))
	}
	for e := range maxZeros {
		check(math.Ldexp(1, -e))
		check(math.Ldexp(1-0x1p-53, -e))
	}
	check(1 / math.Sqrt2) // where log and log1p change branch
	check(2 * (1 - math.Sqrt2/2))
	check(2 * (math.Sqrt2 - 1))
	for name, e := range map[string]float64{
		"log": worst.log, "log1p": worst.log1p, "sin": worst.sin, "cos": worst.cos,
	} {
		assert.LessOrEqual(t, e, 4*roundoff, name)
		t.Logf("%s: worst error %.3f·2^-53", name, e/roundoff)
	}
}

// ideal is the real number whose first bits words are, continued by bits that
// are all 0 or all 1, and the number of words that it took.
func ideal(words []uint64, ones bool) (x *big.Float, used int) {
	zeros := 0
	for words[used] == 0 {
		zeros += 64
		used++
	}
	zeros += bits.LeadingZeros64(words[used])
	x = newPrecise().SetUint64(words[used+1] >> 4) // 60 bits of the fraction
	if ones {
		x.Add(x, precise(1))
	}
	x.SetMantExp(x, -60)
	x.Add(x, precise(1))
	return x.SetMantExp(x, -zeros-1), used + 2
}

// idealPair is Box–Muller in 220-bit arithmetic on the words that gaussianPair
// would use.
func idealPair(words []uint64, ones bool) (x, y *big.Float) {
	w, used := ideal(words, ones)
	coin := words[used-1] & 1
	v, more := ideal(words[used:], ones)
	octant := words[used+more-1]

	half := newPrecise().Quo(w, precise(2))
	var logarithm *big.Float
	if coin == 0 {
		logarithm = preciseLog(half)
	} else {
		logarithm = preciseLog1p(half.Neg(half))
	}
	r := newPrecise().Sqrt(newPrecise().Mul(logarithm, precise(-2)))
	angle := newPrecise().Mul(v, precisePi)
	sin, cos := preciseSincos(angle.SetMantExp(angle, -2))
	x, y = newPrecise().Mul(r, cos), newPrecise().Mul(r, sin)
	if octant&1 != 0 {
		x, y = y, x
	}
	if octant&2 != 0 {
		x.Neg(x)
	}
	if octant&4 != 0 {
		y.Neg(y)
	}
	return x, y
}

// worstGaussianError draws a pair from words and returns its largest relative
// error against the ideal pair, however the ideal stream of bits goes on.
func worstGaussianError(t *testing.T, words []uint64, sigma float64) float64 {
	var got [2]float64
	require.NoError(t, Gaussian(&randomtest.Script{Words: words}, got[:], sigma))
	worst := 0.0
	for _, ones := range []bool{false, true} {
		x, y := idealPair(words, ones)
		x.Mul(x, precise(sigma))
		y.Mul(y, precise(sigma))
		worst = max(worst, relativeError(got[0], x), relativeError(got[1], y))
	}
	return worst
}

func TestGaussianFollowsTheIdealStream(t *testing.T) {
	src := randomtest.New(2)
	word := func() uint64 { w, _ := src.Uint64(); return w }
	worst := 0.0
	for range 2500 {
		words := []uint64{word(), word(), word(), word()}
		worst = max(worst, worstGaussianError(t, words, 0.1+float64(word()>>60)))
	}
	t.Logf("random words: worst error %.3f·2^-53 of 32 allowed, 12.1 proved", worst/roundoff)
	assert.LessOrEqual(t, worst, 12.2*roundoff)
}

// leading returns the words that begin a number with this many zero bits.
func leading(zeros int, next uint64) []uint64 {
	return append(make([]uint64, zeros/64), 1<<63>>(zeros%64), next)
}

func TestGaussianFollowsTheIdealStreamInTheTails(t *testing.T) {
	src := randomtest.New(3)
	worst := 0.0
	ends := []uint64{0, math.MaxUint64 &^ 15, 0x6a09e667f3bcc908 &^ 15, 0x6a09e667f3bcd000}
	for _, zeros := range []int{
		0, 1, 2, 3, 10, 27, 28, 29, 52, 53, 54, 63, 64, 65, 127, 128, 200, 254, 255,
	} {
		for _, other := range []int{0, 1, 63, 200, 255} {
			for _, end := range ends {
				for coin := range uint64(2) {
					octant, _ := src.Uint64()
					words := append(leading(zeros, end|coin), leading(other, end|octant&7)...)
					worst = max(worst, worstGaussianError(t, words, 1.7))
				}
			}
		}
	}
	t.Logf("tails: worst error %.3f·2^-53", worst/roundoff)
	assert.LessOrEqual(t, worst, 12.2*roundoff)

	// The far end of the range: 2^-256 is drawn as such, 18.9 standard deviations.
	var got [2]float64
	words := append(leading(255, 0), leading(255, 0)...)
	require.NoError(t, Gaussian(&randomtest.Script{Words: words}, got[:], minGaussianSigma))
	assert.InEpsilon(t, math.Sqrt(2*257*math.Ln2)*minGaussianSigma, got[0], 1e-14)
	assert.InEpsilon(t, got[0]*math.Pi/4*0x1p-256, got[1], 1e-14)
	require.NoError(t, Gaussian(&randomtest.Script{Words: words}, got[:], maxGaussianSigma))
	assert.False(t, math.IsInf(got[0], 0))
}

// The test above must be able to fail: a sampler from 53-bit uniforms is not
// within the bound where U is small.
func TestPrecisionTestHasPower(t *testing.T) {
	words := append(leading(40, 0x123456789abcdef0), leading(0, 0x123456789abcdef0)...)
	x, _ := idealPair(words, false)
	w, _ := ideal(words, false)
	coarse, _ := w.Float64()
	coarse = math.Round(coarse*0x1p53) * 0x1p-53
	v, _ := ideal(words[2:], false)
	angle, _ := v.Float64()
	naive := math.Sqrt(-2*math.Log(coarse/2)) * math.Cos(math.Pi/4*angle)
	assert.Greater(t, relativeError(naive, x), GaussianRelativeError)
	assert.Less(t, worstGaussianError(t, words, 1), GaussianRelativeError)
}
