package vote

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Golden values P, vote_laplace (mpmath, 30 digits). Two of the file's δ at ε = 0, of ε₀ = 10
// at gaps 10 and 100, are not here: they lack p(t−1) − p(t), which 30 digits of 1 − p lose.
func TestGoldenLaplace(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ epsilon, gap, logWrong, loss, printed, atZero, atHalf float64 }{
		{0.1, 0, -0.6931471805599453, 0.051209835830568, -0.004879016416943201, -3.69046649154705, -7.411022643282621},
		{0.1, 1, -0.7443570163905133, 0.05347998436510715, -0.004652001563489286, -3.69046649154705, -6.406823981968802},
		{0.1, 3, -0.8533852381847866, 0.057440385581204075, -0.004255961441879594, -3.715986048678713, -5.757935730386759},
		{0.1, 10, -1.287682072451781, 0.06721017717700914, -0.0032789822822990875, -3.971060820117336, -5.358529193620724},
		{0.1, 100, -8.90138771133189, 0.09170119718530491, -0.0008298802814695094, -11.245199459616389, -12.099391294174023},
		{0.5, 3, -1.6335313926245225, 0.3664686073754774, -0.06676569631226131, -2.5173799574232585, -3.8413340613790004},
		{0.5, 10, -4.440384212064577, 0.43100712851304857, -0.034496435743475724, -5.07346134215413, -6.238741864105172},
		{1, 0, -0.6931471805599453, 0.5945348918918356, -0.4054651081081644, -1.4957056517825371, -3.0988285719203166},
		{1, 10, -8.90138771133189, 0.9199572923264636, -0.08004270767353643, -8.501432191332118, -9.971630879971205},
		{10, 0, -0.6931471805599453, 8.208240530771945, -17.91759469228055, -0.6934196172460243, -0.7344147764233516},
		{10, 1, -8.90138771133189, 9.393864196429684, -6.061358035703155, -0.6934196172460243, -8.913817545474249},
		{10, 10, -96.76132154783562, 9.906473941989177, -0.9352605801082347, nan, -96.76874758274491},
		{10, 100, -994.476541079475, 9.9900694317974, -0.09930568202600745, nan, -994.4833695323632},
	} {
		l := Laplace{c.epsilon}
		assert.InDelta(t, c.logWrong, l.LogWrong(c.gap), 1e-9, "%+v", c)
		assert.InEpsilon(t, c.loss, l.Loss(c.gap), 1e-9, "%+v", c)
		assert.InDelta(t, c.atHalf, l.LogDelta(c.gap, c.epsilon/2), 1e-8, "%+v", c)
		if !math.IsNaN(c.atZero) {
			assert.InDelta(t, c.atZero, l.LogDelta(c.gap, 0), 1e-8, "%+v", c)
		}
		// As printed the bound is below 0, and below the loss that there is.
		printed := c.epsilon * math.Log(1-c.epsilon/(2+c.epsilon*(c.gap+1)))
		assert.InDelta(t, c.printed, printed, 1e-9)
		assert.Less(t, printed, l.Loss(c.gap))
	}
	// What the file lacks: the total variation to the gap below is p(t−1) − p(t).
	l := Laplace{10}
	assert.InDelta(t, l.LogWrong(9), l.LogDelta(10, 0), 1e-4)
}

// A second derivation: the minority's probability as an integral over the two noises, and δ
// with the probabilities themselves.
func TestLaplaceByAnIntegral(t *testing.T) {
	density := func(x, e float64) float64 { return e / 2 * math.Exp(-e*math.Abs(x)) }
	survival := func(x, e float64) float64 {
		if x < 0 {
			return 1 - math.Exp(e*x)/2
		}
		return math.Exp(-e*x) / 2
	}
	for _, e := range []float64{0.3, 1} {
		for _, gap := range []float64{0, 2, 7} {
			sum, h := 0.0, 1e-3
			for x := -60.0; x < 60; x += h {
				sum += h * density(x, e) * survival(gap+x, e)
			}
			p := math.Exp(Laplace{e}.LogWrong(gap))
			assert.InEpsilon(t, sum, p, 1e-5)
			for _, epsilon := range []float64{0, e / 3, e / 1.2} {
				most := 0.0
				for _, other := range []float64{gap - 1, gap + 1} {
					q := math.Exp(Laplace{e}.LogWrong(other))
					most = math.Max(most, math.Max(0, p-math.Exp(epsilon)*q)+
						math.Max(0, 1-p-math.Exp(epsilon)*(1-q)))
				}
				assert.InDelta(t, most, math.Exp(Laplace{e}.LogDelta(gap, epsilon)), 1e-12)
			}
		}
	}
}

// The best vote of the same ε₀, and of δ = 0, errs less at every gap.
func TestTheBestVoteErrsLess(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1} {
		rule, err := NewRule(OneVoter, privacy.AddRemove, epsilon, 0)
		require.NoError(t, err)
		for gap := 1; gap < 40; gap++ {
			assert.Less(t, rule.Wrong(gap), math.Exp(Laplace{epsilon}.LogWrong(float64(gap))))
		}
	}
}
