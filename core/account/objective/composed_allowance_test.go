package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// The ratio of several Gaussian mechanisms together is above √Σμ², which roots taken one
// after the other may fall short of: by up to 0.7·2^-53 a part here, of 8 that are added.
func TestAllowanceOfComposedRatios(t *testing.T) {
	u := units{randomtest.New(6)}
	least, most := math.Inf(1), 0.0
	for i := range 300 {
		n := 2 + i%40
		composed := privacy.Composition{Adjacency: privacy.AddRemove}
		steps := privacy.GradientDescent{
			Adjacency: privacy.AddRemove, Sensitivity: u.between(0.1, 9),
		}
		sum, squares := number(0), number(0)
		for range n {
			s, sigma := u.between(0.5, 2), u.between(0.5, 2)
			composed.Parts = append(composed.Parts, privacy.Part{Event: privacy.Gaussian{
				Adjacency: privacy.AddRemove, Sensitivity: s, Sigma: sigma,
			}, Count: 1 + i%7})
			ratio := over(number(s), number(sigma))
			sum = plus(sum, product(number(float64(1+i%7)), product(ratio, ratio)))
			steps.Sigmas = append(steps.Sigmas, sigma)
			ratio = over(number(steps.Sensitivity), number(sigma))
			squares = plus(squares, product(ratio, ratio))
		}
		for event, square := range map[privacy.Event]*big.Float{&composed: sum, &steps: squares} {
			var got float64
			switch e := event.(type) {
			case *privacy.Composition:
				got, _ = gaussianRatio(*e)
			case *privacy.GradientDescent:
				got, _ = gaussianRatio(*e)
			}
			exact := new(big.Float).SetPrec(bits).Sqrt(square)
			above := float(over(minus(number(got), exact), exact)) / float64(n)
			least, most = math.Min(least, above*0x1p53), math.Max(most, above*0x1p53)
		}
	}
	t.Logf("above by %.2f to %.2f units in the last place a part", least, most)
	assert.Greater(t, least, 4.0, "what is measured must leave room")
	assert.Less(t, least, 8.0, "and there is something to make good")
	assert.Less(t, most, 10.0)
}

// asked is a profile that notes what it is asked.
type asked struct{ at *[]float64 }

func (a asked) LogDeltaUpper(epsilon float64) float64 {
	*a.at = append(*a.at, epsilon)
	return -1
}

// What a promise shifts another profile by is rounded so that both parts grow.
func TestAllowanceOfShifts(t *testing.T) {
	u := units{randomtest.New(8)}
	for range 200 {
		by, epsilon := u.between(1e-3, 30), u.between(1e-3, 30)
		var at []float64
		shifted{asked{&at}, by}.LogDeltaUpper(epsilon)
		require.Len(t, at, 2)
		room := 0x1p-52 * (by + epsilon)
		assert.Greater(t, float(minus(minus(number(epsilon), number(by)), number(at[0]))), room)
		assert.Greater(t, float(minus(plus(number(epsilon), number(by)), number(at[1]))), room)
	}
}

// 1/b is rounded up, and so is what is near the largest loss.
func TestAllowanceOfDiscreteLaplace(t *testing.T) {
	u := units{randomtest.New(9)}
	for range 200 {
		b := u.between(0.2, 50)
		profile, _ := closedForm(
			privacy.DiscreteLaplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: b},
		)
		// Of a shift of 1, δ(0) = (1 − e^{−a})/(1 + e^{−a}) = tanh(a/2).
		limit := profile.(bounded).limit
		exact := over(number(1), number(b))
		assert.Greater(t, float(over(minus(number(limit), exact), exact)), 0x1p-51*1.4, b)
	}
}
