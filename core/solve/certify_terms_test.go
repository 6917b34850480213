package solve

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

const u = 0x1p-53

// boundBySteps is the bound of [Rows.Certify]'s derivation, its steps written
// out with exact γ's in 320-bit arithmetic: with the terms of the steps asked for.
func boundBySteps(r *Rows, theta []float64, steps ...int) float64 {
	wanted := map[int]bool{}
	for _, s := range steps {
		wanted[s] = true
	}
	gamma := func(n int) *big.Float {
		nu := new(big.Float).Mul(precise(float64(n)), precise(u))
		return new(big.Float).Quo(nu, new(big.Float).Sub(precise(1), nu))
	}
	abs := func(x *big.Float) *big.Float { return new(big.Float).Abs(x) }
	times := func(factors ...*big.Float) *big.Float {
		product := precise(1)
		for _, f := range factors {
			product.Mul(product, f)
		}
		return product
	}
	total := precise(0)
	beta := precise(r.Loss.MaxCurvature())
	for i, y := range r.Label {
		index, entry := r.row(i)
		if len(index) == 0 {
			continue
		}
		magnitude, square, margin := precise(0), precise(0), precise(0)
		for k, j := range index {
			product := times(precise(entry[k]), precise(theta[j]))
			magnitude.Add(magnitude, abs(product))
			margin.Add(margin, product)
			square.Add(square, times(precise(entry[k]), precise(entry[k])))
		}
		m, _ := margin.Float64()
		length := new(big.Float).Sqrt(square)
		slope := precise(math.Abs(r.Loss.Row(r.normOf(i)).Slope(m, y)))
		row := precise(0)
		if wanted[1] {
			term := times(beta, gamma(len(index)), magnitude)
			if plain, _ := times(
				beta, precise(float64(len(index))), magnitude,
			).Float64(); plain > 128 {
				eta := times(gamma(len(index)), gamma(len(index)), magnitude)
				eta.Add(eta, times(precise(u), abs(margin)))
				radius, _ := eta.Float64()
				term = times(eta, precise(r.Loss.CurvatureNear(m, radius, y, r.normOf(i))))
			}
			row.Add(row, term)
		}
		if wanted[2] {
			row.Add(row, times(precise(0x1p-49), slope))
			if _, huber := r.Loss.Loss().(glm.Huber); huber {
				row.Add(row, precise(0x1p-50))
			}
		}
		if wanted[3] {
			row.Add(row, times(gamma(128), slope))
		}
		total.Add(total, times(row, length))
	}
	bound, _ := total.Float64()
	return bound
}

// alternating has one row of k entries, 1 and −1 in turn, so that margins at a
// constant θ cancel.
func alternating(k int, y float64, loss glm.Clipped) *Rows {
	x := make([]float64, k)
	for j := range x {
		x[j] = 1 - 2*float64(j%2)
	}
	return rowsOf(loss, math.Sqrt(float64(k)), [][]float64{x}, []float64{y})
}

// The certificate's bound is the derivation's, no less and hardly more, where
// each of the terms matters.
func TestCertificateIsTheSumOfItsTerms(t *testing.T) {
	huber, err := glm.NewHuber(0.3)
	require.NoError(t, err)
	narrow, err := glm.NewHuber(1.0 / 128)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		rows  *Rows
		theta float64
		step  int // the term that is most of the bound
	}{
		"margin, logistic":            {alternating(22, 1, clip(t, glm.Logistic{}, 0.1)), 1, 1},
		"margin, squared":             {alternating(10, 1e-3, clip(t, glm.Squared{}, 1e9)), 1.2, 1},
		"margin, narrow Huber":        {rowsOf(clip(t, narrow, 0.1), 1, [][]float64{{1, 0.5}}, []float64{1}), 2.0 / 3, 1},
		"compensated margin, squared": {rowsOf(clip(t, glm.Squared{}, 1e9), 1, [][]float64{{1, 1e-9}}, []float64{1e6}), 1e6, 1},
		"terms of 5000 that cancel":   {alternating(5000, 1, clip(t, glm.Squared{}, 1e9)), 1e30, 1},
		"slope of a Huber loss":       {rowsOf(clip(t, huber, 1e9), 1, [][]float64{{1}}, []float64{1}), 1e6, 2},
		"sums":                        {census(t, 300, logistic(t)), 0, 3},
	} {
		theta := make([]float64, c.rows.Columns)
		for j := range theta {
			theta[j] = c.theta
		}
		want := boundBySteps(c.rows, theta, 1, 2, 3)
		sum := NewSum(c.rows.Columns)
		bound := c.rows.Certify(theta, sum)
		assert.GreaterOrEqual(t, bound, want, name)
		assert.LessOrEqual(t, bound, want*(1+1e-5), name)
		assert.Greater(t, boundBySteps(c.rows, theta, c.step), 0.5*want, name)
	}
}

// The terms of the bound are there because such errors happen: each of these
// points has an error that the bound without the term would not cover.
func TestCertificateNeedsItsTerms(t *testing.T) {
	distanceAt := func(r *Rows, theta []float64, exact []*big.Float) (distance, bound float64) {
		sum := NewSum(r.Columns)
		bound = r.Certify(theta, sum)
		distance = preciseDistance(exact, sum)
		assert.LessOrEqual(t, distance, bound)
		return distance, bound
	}
	// 1. The margin 1 + 58·2^-53 − 1: each of the small terms is lost, to even.
	const k = 58
	x, theta := make([]float64, k+2), make([]float64, k+2)
	exact := make([]*big.Float, k+2)
	for j := range x {
		x[j], theta[j], exact[j] = 1, u, precise(k*u)
	}
	theta[0], theta[k+1] = 1, -1
	r := rowsOf(clip(t, glm.Squared{}, 1e9), math.Sqrt(k+2), [][]float64{x}, []float64{0})
	distance, _ := distanceAt(r, theta, exact)
	assert.Greater(t, distance, boundBySteps(r, theta, 2, 3), "without the margin's term")

	// The same where the margin is compensated, 2^10 + 2^-43 − 2^10·(1 − …): it is
	// right but for its last bit, and a third of that was lost.
	x, theta = []float64{1, 1, 1}, []float64{0x1p40, 1.0 / 3 * 0x1p-12, 1}
	r = rowsOf(clip(t, glm.Squared{}, 1e20), 2, [][]float64{x}, []float64{0x1p40})
	margin := new(big.Float).Add(precise(theta[0]), precise(theta[1]))
	margin.Add(margin, precise(1))
	slope := margin.Sub(margin, precise(0x1p40))
	distance, _ = distanceAt(r, theta, []*big.Float{slope, slope, slope})
	assert.Greater(t, distance, boundBySteps(r, theta, 2, 3), "without the margin's term")

	// 2. Huber's slopes: some are off by more than nothing.
	huber, err := glm.NewHuber(0.3)
	require.NoError(t, err)
	source, worst := seeded(6), 0.0
	for range 200 {
		m := 1 + 0.3*source.symmetric()
		r = rowsOf(clip(t, huber, 1e9), 1, [][]float64{{1}}, []float64{1})
		exact := preciseSlope(r.Loss, precise(m), 1, 1)
		distance, _ = distanceAt(r, []float64{m}, []*big.Float{exact})
		worst = math.Max(worst, distance)
	}
	assert.Greater(t, worst, u/4)

	// 3. The sum 1 + 127·2^-53 over the 128 rows of a batch, likewise.
	rows, labels := make([][]float64, batch), make([]float64, batch)
	for i := range rows {
		rows[i], labels[i] = []float64{1}, u
	}
	labels[0] = 1
	r = rowsOf(clip(t, glm.Squared{}, 1e9), 1, rows, labels)
	total := precise(-1)
	for range batch - 1 {
		total.Sub(total, precise(u))
	}
	distance, _ = distanceAt(r, []float64{0}, []*big.Float{total})
	assert.InEpsilon(t, 127*u, distance, 1e-12)
	assert.Greater(
		t, distance, boundBySteps(r, []float64{0}, 1, 2)+0x1p-49*1.01, "without the sum's term",
	)
}

// The certificate of losses that are rational functions of the margin, against
// exact arithmetic: clipped or not, at points of every kind.
func TestCertificateHoldsForRationalLosses(t *testing.T) {
	huber, err := glm.NewHuber(0.3)
	require.NoError(t, err)
	for name, loss := range map[string]glm.Clipped{
		"huber": clip(t, huber, math.Inf(1)), "huber, clipped": clip(t, huber, 0.7),
		"squared": clip(t, glm.Squared{}, math.Inf(1)), "squared, clipped": clip(t, glm.Squared{}, 0.7),
	} {
		r := census(t, 300, loss)
		for point, theta := range nasty(105) {
			sum := NewSum(105)
			bound := r.Certify(theta, sum)
			exact := make([]*big.Float, 105)
			for j := range exact {
				exact[j] = precise(0)
			}
			for i, y := range r.Label {
				index, entry := r.row(i)
				margin := precise(0)
				for k, j := range index {
					margin.Add(
						margin,
						new(big.Float).SetPrec(precision).Mul(precise(entry[k]), precise(theta[j])),
					)
				}
				slope := preciseSlope(loss, margin, y, r.normOf(i))
				for k, j := range index {
					exact[j].Add(
						exact[j], new(big.Float).SetPrec(precision).Mul(precise(entry[k]), slope),
					)
				}
			}
			assert.LessOrEqual(
				t, preciseDistance(exact, sum), up(bound+sum.ErrorBound()), "%s %s", name, point,
			)
		}
	}
}

// preciseSlope is f_C' of a Huber or squared loss.
func preciseSlope(loss glm.Clipped, margin *big.Float, y, norm float64) *big.Float {
	slope := new(big.Float).SetPrec(precision)
	switch l := loss.Loss().(type) {
	case glm.Squared:
		slope.Sub(margin, precise(y))
	case glm.Huber:
		slope.Mul(margin, precise(y))
		slope.Sub(slope, precise(1))
		slope.Sub(slope, precise(l.Width()))
		slope.Quo(slope, precise(2*l.Width()))
		if slope.Sign() > 0 {
			slope.SetInt64(0)
		}
		if slope.Cmp(precise(-1)) < 0 {
			slope.SetInt64(-1)
		}
		slope.Mul(slope, precise(y))
	}
	most := precise(math.Min(loss.Row(norm).MaxSlope(), math.MaxFloat64))
	if math.IsInf(loss.Row(norm).MaxSlope(), 1) {
		return slope
	}
	if slope.Cmp(most) > 0 {
		return most
	}
	if most.Neg(most); slope.Cmp(most) < 0 {
		return most
	}
	return slope
}
