package report

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// A sample is dense rows in the unit ball with labels.
type sample struct {
	x [][]float64
	y []float64
}

func draw(t testing.TB, source random.Source, n, d int, numeric bool) sample {
	t.Helper()
	var s sample
	noise := make([]float64, d+2)
	for range n {
		require.NoError(t, random.Gaussian(source, noise, 1))
		length := math.Sqrt(inner(noise[:d], noise[:d]))
		x := make([]float64, d)
		radius := 0.3 + 0.7*math.Abs(math.Sin(noise[d]))
		for j := range x {
			x[j] = radius * noise[j] / length
		}
		y := math.Copysign(1, noise[d+1]+x[0])
		if numeric {
			y = math.Tanh(noise[d+1])
		}
		s.x, s.y = append(s.x, x), append(s.y, y)
	}
	return s
}

// part is the sample as a solver takes it.
func (s sample) part(t testing.TB, loss glm.Loss, clip float64) *solve.Rows {
	t.Helper()
	clipped, err := glm.Clip(loss, clip)
	require.NoError(t, err)
	rows := &solve.Rows{
		Block: [][]float64{nil}, BlockRows: len(s.x), Label: s.y,
		Columns: len(s.x[0]), Loss: clipped, Norm: make([]float64, len(s.x)),
	}
	for i, x := range s.x {
		rows.Block[0] = append(rows.Block[0], x...)
		rows.Norm[i] = math.Sqrt(inner(x, x))
	}
	return rows
}

func (s sample) with(x []float64, y float64) sample {
	return sample{append(s.x[:len(s.x):len(s.x)], x), append(s.y[:len(s.y):len(s.y)], y)}
}

// derivatives are f′ and f″ written down once more, from the definitions, and
// clipped at norm clip.
func derivatives(
	loss glm.Loss, clip float64, x []float64, y float64, theta []float64,
) (slope, curvature float64) {
	m := inner(x, theta)
	switch loss := loss.(type) {
	case glm.Logistic:
		p := 1 / (1 + math.Exp(y*m))
		slope, curvature = -y*p, p*(1-p)
	case glm.Huber:
		h := loss.Width()
		switch z := 1 - y*m; {
		case z > h:
			slope = -y
		case z > -h:
			slope, curvature = -y*(z+h)/(2*h), 1/(2*h)
		}
	case glm.Squared:
		slope, curvature = m-y, 1
	}
	if length := math.Sqrt(inner(x, x)); math.Abs(slope)*length > clip {
		slope, curvature = math.Copysign(clip/length, slope), 0
	}
	return slope, curvature
}

// logDensity is log p_Z(θ) + (d/2)·log(2πσ²) of theory §2, in 300 bits:
// −‖∇J‖²/(2σ²) + log det ∇²J, the determinant by elimination.
func (s sample) logDensity(loss glm.Loss, clip, lambda, sigma float64, theta []float64) *big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	d := len(theta)
	gradient := make([]*big.Float, d)
	h := make([][]*big.Float, d)
	for i := range d {
		gradient[i] = number(0).Mul(number(lambda), number(theta[i]))
		h[i] = make([]*big.Float, d)
		for j := range d {
			h[i][j] = number(0)
		}
		h[i][i] = number(lambda)
	}
	product := number(0)
	for n, x := range s.x {
		slope, curvature := derivatives(loss, clip, x, s.y[n], theta)
		for i := range d {
			gradient[i].Add(gradient[i], product.Mul(number(slope), number(x[i])))
			scaled := number(0).Mul(number(curvature), number(x[i]))
			for j := range d {
				h[i][j].Add(h[i][j], number(0).Mul(scaled, number(x[j])))
			}
		}
	}
	squares := number(0)
	for _, g := range gradient {
		squares.Add(squares, number(0).Mul(g, g))
	}
	squares.Quo(squares, number(0).Mul(number(-2), number(0).Mul(number(sigma), number(sigma))))
	determinant := number(1)
	for k := range d {
		determinant.Mul(determinant, h[k][k])
		for i := k + 1; i < d; i++ {
			ratio := number(0).Quo(h[i][k], h[k][k])
			for j := k; j < d; j++ {
				h[i][j].Sub(h[i][j], number(0).Mul(ratio, h[k][j]))
			}
		}
	}
	// The logarithm of m·rest·2^exponent, rest within 2^-52 of 1.
	mantissa := number(0)
	exponent := determinant.MantExp(mantissa)
	m, _ := mantissa.Float64()
	rest, _ := number(0).Quo(mantissa, number(m)).Float64()
	logarithm := number(math.Log(m))
	logarithm.Add(logarithm, number(math.Log(rest)))
	ln2, _, _ := big.ParseFloat(
		"0.693147180559945309417232121458176568075500134360255254120680009", 10, 300,
		big.ToNearestEven,
	)
	logarithm.Add(logarithm, number(0).Mul(number(float64(exponent)), ln2))
	return squares.Add(squares, logarithm)
}

// minimiser of J + bᵀθ.
func (s sample) minimiser(
	t testing.TB, loss glm.Loss, clip, lambda float64, b []float64,
) []float64 {
	t.Helper()
	result, err := solve.Newton(
		t.Context(), solve.NewObjective(lambda, b, s.part(t, loss, clip)),
		solve.Options{Tolerance: 1e-10},
	)
	require.NoError(t, err)
	return result.Theta
}

type lossCase struct {
	name string
	loss glm.Loss
	clip float64
}

func lossCases(t testing.TB) []lossCase {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	return []lossCase{
		{"logistic", glm.Logistic{}, math.Inf(1)},
		{"logistic clipped", glm.Logistic{}, 0.4},
		{"huber", huber, math.Inf(1)},
		{"squared", glm.Squared{}, math.Inf(1)},
		{"squared clipped", glm.Squared{}, 0.5},
	}
}

func recordOf(t testing.TB, c lossCase, x []float64, y float64, theta []float64) Record {
	clipped, err := glm.Clip(c.loss, c.clip)
	require.NoError(t, err)
	_, slope, curvature := clipped.Row(math.Sqrt(inner(x, x))).At(inner(x, theta), y)
	return Record{Row: rowOf(x), Slope: slope, Curvature: curvature}
}

// exactOf is what records leave behind for one draw of the noise: the coefficients, their exact
// losses, and the log ratio of the output's density there to that of other records.
func exactOf(
	t testing.TB, source random.Source, c lossCase, all sample,
) ([]float64, *Exact, func(other sample) float64) {
	t.Helper()
	const lambda, sigma = 0.8, 1.5
	b := make([]float64, len(all.x[0]))
	require.NoError(t, random.Gaussian(source, b, sigma))
	theta := all.minimiser(t, c.loss, c.clip, lambda, b)
	exact, err := NewExact(
		solve.NewObjective(lambda, nil, all.part(t, c.loss, c.clip)), theta, sigma,
	)
	require.NoError(t, err)
	here := all.logDensity(c.loss, c.clip, lambda, sigma, theta)
	return theta, exact, func(other sample) float64 {
		there := other.logDensity(c.loss, c.clip, lambda, sigma, theta)
		ratio, _ := new(big.Float).Sub(here, there).Float64()
		return ratio
	}
}

// The formula is the logarithm of the two output densities' ratio.
func TestExactIsTheLogRatioOfDensities(t *testing.T) {
	for _, c := range lossCases(t) {
		for _, d := range []int{1, 2, 5, 50} {
			t.Run(c.name+" d="+strconv.Itoa(d), func(t *testing.T) {
				if testing.Short() && d > 5 && !math.IsInf(c.clip, 1) {
					t.Skip("determinants of 300 bits take long")
				}
				_, numeric := c.loss.(glm.Squared)
				source := randomtest.New(uint64(d))
				all := draw(t, source, 30, d, numeric)
				theta, exact, ratio := exactOf(t, source, c, all)
				for i := range few(d) {
					record := recordOf(t, c, all.x[i], all.y[i], theta)
					without := sample{
						append(append([][]float64{}, all.x[:i]...), all.x[i+1:]...),
						append(append([]float64{}, all.y[:i]...), all.y[i+1:]...),
					}
					assert.InEpsilon(
						t, ratio(without), exact.Loss(record, true), 1e-8, "in, record %d", i,
					)
				}
				others := draw(t, source, few(d), d, numeric)
				for i, x := range others.x {
					record := recordOf(t, c, x, others.y[i], theta)
					assert.InEpsilon(
						t, ratio(all.with(x, others.y[i])), exact.Loss(record, false), 1e-8,
						"out, record %d", i,
					)
				}
				// A twin that takes the record to be where it is not is far off.
				record := recordOf(t, c, all.x[0], all.y[0], theta)
				assert.Greater(
					t, math.Abs(exact.Loss(record, true)-exact.Loss(record, false)), 1e-6,
				)
			})
		}
	}
}

// few records of many columns, whose determinants take long.
func few(d int) int {
	if d > 5 {
		return 1
	}
	return 3
}

// The eigen-form is the log ratio of densities too, for losses of any rank: here
// a sum of records' losses, which is no GLM's.
func TestSmoothLoss(t *testing.T) {
	c := lossCase{"logistic", glm.Logistic{}, math.Inf(1)}
	for _, d := range []int{1, 2, 5, 50} {
		source := randomtest.New(uint64(100 + d))
		all := draw(t, source, 30, d, false)
		theta, exact, ratio := exactOf(t, source, c, all)
		first := sample{all.x[3:], all.y[3:]} // without the first three records, taken as one
		assert.InEpsilon(
			t, ratio(first),
			exact.SmoothLoss(smoothOf(t, c, sample{all.x[:3], all.y[:3]}, theta), true), 1e-8,
			"in, d = %d", d,
		)
		more := draw(t, source, 3, d, false)
		together := sample{
			append(all.x[:len(all.x):len(all.x)], more.x...),
			append(all.y[:len(all.y):len(all.y)], more.y...),
		}
		assert.InEpsilon(
			t, ratio(together), exact.SmoothLoss(smoothOf(t, c, more, theta), false), 1e-8,
			"out, d = %d", d,
		)

		// Of rank one it is the GLM's formula.
		record := recordOf(t, c, all.x[0], all.y[0], theta)
		one := smoothOf(t, c, sample{all.x[:1], all.y[:1]}, theta)
		for _, in := range []bool{true, false} {
			assert.InEpsilon(t, exact.Loss(record, in), exact.SmoothLoss(one, in), 1e-10)
		}
	}
}

func TestGaussianLoss(t *testing.T) {
	shift, noise, sigma := []float64{0.3, -0.2}, []float64{1, 2}, 1.7
	log := func(x, y float64) float64 { return -(x*x + y*y) / (2 * sigma * sigma) }
	assert.InEpsilon(t, log(1, 2)-log(1-0.3, 2+0.2), GaussianLoss(shift, noise, sigma), 1e-13)
}

func TestExactErrors(t *testing.T) {
	all := draw(t, randomtest.New(1), 4, 2, false)
	part := all.part(t, glm.Logistic{}, math.Inf(1))
	_, err := NewExact(solve.NewObjective(1, nil, part), []float64{0, 0}, 0)
	assert.ErrorContains(t, err, "sigma")
	_, err = NewExact(solve.NewObjective(1, nil, part), []float64{0}, 1)
	assert.ErrorContains(t, err, "theta")
	_, err = NewExact(solve.NewObjective(1, []float64{1, 1}, part), []float64{0, 0}, 1)
	assert.ErrorContains(t, err, "objective")
	_, err = NewExact(solve.NewObjective(math.Inf(1), nil, part), []float64{0, 0}, 1)
	assert.ErrorContains(t, err, "lambda")
}
