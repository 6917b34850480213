package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

func closedDelta(t *testing.T, event privacy.Event, epsilon float64) float64 {
	t.Helper()
	profile, err := Of(event, BoundAuto)
	require.NoError(t, err, event.Mechanism())
	require.Equal(t, event.Neighbours(), profile.Adjacency())
	delta, err := curve.DeltaUpper(profile, epsilon)
	require.NoError(t, err)
	return delta
}

// Values by mpmath (exact sums and quadrature), noise b with sensitivity 1.
func TestLaplaceProfile(t *testing.T) {
	for _, c := range []struct{ b, epsilon, delta float64 }{
		{0.05, 0, 0.9999546000702375},
		{0.05, 2, 0.9998765901959134},
	} {
		got := closedDelta(
			t, privacy.Laplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: c.b}, c.epsilon,
		)
		assert.InEpsilon(t, c.delta, got, 1e-12)
		assert.GreaterOrEqual(t, got, c.delta*(1-1e-15))
	}
}

// Sums of [p − e^ε q]₊ over the outputs themselves, at any real ε, in both orders.
func TestDiscretePairsAgainstSums(t *testing.T) {
	sum := func(p, q []float64, epsilon float64) float64 {
		total := 0.0
		for i := range p {
			total += math.Max(0, p[i]-math.Exp(epsilon)*q[i])
		}
		return total
	}
	const add = privacy.AddRemove
	high, low := math.Exp(0.7)/(1+math.Exp(0.7)), 1/(1+math.Exp(0.7))
	for _, c := range []struct {
		event privacy.Event
		p, q  []float64
	}{
		{privacy.PureDP{Adjacency: add, Epsilon: 0.7}, []float64{high, low}, []float64{low, high}},
		{privacy.ApproximateDP{Adjacency: add, Epsilon: 0.7, Delta: 0.01}, []float64{0.01, 0.99 * high, 0.99 * low, 0}, []float64{0, 0.99 * low, 0.99 * high, 0.01}},
		{privacy.RandomisedResponse{Adjacency: add, Categories: 3, Truth: 0.6}, []float64{0.6, 0.2, 0.2}, []float64{0.2, 0.6, 0.2}},
		{privacy.RandomisedResponse{Adjacency: add, Categories: 3, Truth: 0.1}, []float64{0.1, 0.45, 0.45}, []float64{0.45, 0.1, 0.45}},
	} {
		for _, epsilon := range []float64{-3, -0.7, -0.2, 0, 0.1, 0.6, 0.69, 2} {
			want := sum(c.p, c.q, epsilon)
			got := closedDelta(t, c.event, epsilon)
			assert.InDelta(t, want, got, 5e-13, "%s at ε = %v", c.event.Mechanism(), epsilon)
			assert.GreaterOrEqual(t, got, want*(1-1e-15))
		}
	}
}

// The same, of the discrete Laplace law summed over its values in long
// arithmetic (300 bits), at ε that lie on and between the values of the loss.
func TestDiscreteLaplaceAgainstSums(t *testing.T) {
	nativetest.Only(t)
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	// e^x by halving x and squaring the series.
	exp := func(x *big.Float) *big.Float {
		const halvings = 40
		small := new(big.Float).SetPrec(300).SetMantExp(x, -halvings)
		sum, term := number(1), number(1)
		for k := 1.0; k < 30; k++ {
			term = new(big.Float).SetPrec(300).Mul(term, small)
			term.Quo(term, number(k))
			sum.Add(sum, term)
		}
		for range halvings {
			sum.Mul(sum, sum)
		}
		return sum
	}
	for _, c := range []struct {
		scale float64
		shift int
	}{{0.25, 1}, {2, 1}, {3, 2}, {10, 5}, {7, 8}} {
		a := new(big.Float).SetPrec(300).Quo(number(1), number(c.scale))
		times := func(k int) *big.Float {
			return new(big.Float).SetPrec(300).Mul(a, number(float64(k)))
		}
		minus := new(big.Float).Neg(a)
		height := new(big.Float).SetPrec(300).
			Quo(
				new(big.Float).Sub(number(1), exp(minus)),
				new(big.Float).Add(number(1), exp(minus)),
			)
		for _, share := range []float64{0, 0.2, 0.5, 0.6, 0.999} {
			epsilon := share * float64(c.shift) / c.scale
			total := number(0)
			for x := -int(200 * c.scale); x <= c.shift; x++ {
				p := exp(new(big.Float).Neg(times(max(x, -x))))
				q := exp(new(big.Float).Add(number(epsilon), new(big.Float).Neg(times(c.shift-x))))
				if p.Sub(p, q).Sign() > 0 {
					total.Add(total, p)
				}
			}
			want, _ := total.Mul(total, height).Float64()
			got := closedDelta(
				t,
				privacy.DiscreteLaplace{
					Adjacency:   privacy.AddRemove,
					Sensitivity: c.shift,
					Scale:       c.scale,
				},
				epsilon,
			)
			assert.InEpsilon(
				t, want, got, 1e-11, "b = %v, Δ = %d, ε = %v", c.scale, c.shift, epsilon,
			)
			assert.GreaterOrEqual(t, got, want*(1-1e-15))
		}
		beyond := closedDelta(
			t,
			privacy.DiscreteLaplace{
				Adjacency:   privacy.AddRemove,
				Sensitivity: c.shift,
				Scale:       c.scale,
			},
			float64(c.shift)/c.scale*(1+1e-9),
		)
		assert.Less(t, beyond, 1e-300)
	}
}

func TestGaussiansComposeToOne(t *testing.T) {
	const add = privacy.AddRemove
	one := privacy.Gaussian{Adjacency: add, Sensitivity: 1, Sigma: 2}
	steps := privacy.GradientDescent{Adjacency: add, Sensitivity: 1, Sigmas: []float64{2, 4, 1}}
	both := privacy.Composition{
		Adjacency: add,
		Parts:     []privacy.Part{{Event: one, Count: 3}, {Event: steps, Count: 2}},
	}
	square := 3*0.25 + 2*(0.25+0.0625+1)
	same := privacy.Gaussian{Adjacency: add, Sensitivity: math.Sqrt(square), Sigma: 1}
	for _, epsilon := range []float64{0, 1, 5} {
		want := closedDelta(t, same, epsilon)
		assert.InEpsilon(t, want, closedDelta(t, both, epsilon), 1e-12)
	}
	_, err := Of(
		privacy.SubsampledGaussian{Adjacency: add, Rate: 0.1, NoiseMultiplier: 1, Steps: 1},
		BoundAuto,
	)
	require.Error(t, err)
}
