package outptr

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// spoilt says how the mechanism is spoilt: not at all is {1, 1, 1}.
type spoilt struct {
	noise  float64 // of the coefficients, times
	margin float64 // times
	test   float64 // noise of s̃, times
}

var honest = spoilt{1, 1, 1}

// exact is δ(ε) of the whole at one ordered pair of data sets in one dimension: a minimiser and a
// smallest eigenvalue each. s̃ is integrated, and what is left are two normal laws of one variance.
func exact(
	t *testing.T, p Plan, from, to [2]float64, epsilon float64, how spoilt,
) float64 {
	t.Helper()
	margin, err := p.Margin()
	require.NoError(t, err)
	const steps, reach = 2000, 9.0
	h := 2 * reach / steps
	sum, sigma := 0.0, margin.Sigma()*how.test
	move := (to[1] - from[1]) / sigma
	for i := range steps {
		u := -reach + (float64(i)+0.5)*h
		noisy := from[1] + u*sigma
		out, _ := p.Then(margin, noisy-(how.margin-1)*margin.Width())
		ratio := math.Abs(to[0]-from[0]) / (out * how.noise)
		loss := -u*move + move*move/2
		sum += h * special.NormalDensity(u) * gaussian(epsilon-loss, ratio)
	}
	return sum
}

// gaussian is δ of a Gaussian mechanism (Balle & Wang 2018).
func gaussian(epsilon, ratio float64) float64 {
	if ratio == 0 {
		return math.Max(0, -math.Expm1(epsilon))
	}
	return special.NormalCDF(ratio/2-epsilon/ratio) -
		math.Exp(epsilon+special.LogNormalCDF(-ratio/2-epsilon/ratio))
}

func planOf(t testing.TB, g privacy.Guarantee, dimension int, lambda float64) Plan {
	t.Helper()
	p, err := NewPlan(g, dimension, 1, lambda)
	require.NoError(t, err)
	return p
}

// column is n records (x, y), half of them with either label but for a few, and others.
func column(n int, more ...float64) learn.Problem {
	var x [][]float64
	var y []float64
	for i := range n {
		x = append(x, []float64{1})
		y = append(y, []float64{1, 1, -1}[i%3])
	}
	for _, label := range more {
		x, y = append(x, []float64{1}), append(y, label)
	}
	return learntest.Problem(learntest.Schema(1, 0), x, y)
}

// The exact δ of the whole is never above the claim, in both directions, at real neighbours and at
// minimisers as far apart as the theorem allows. There half the noise, no margin, and a tenth of
// the test's noise are seen.
func TestTheExactDeltaIsWithinTheClaim(t *testing.T) {
	const delta = 1e-6
	g := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: delta}
	for _, n := range []int{0, 3, 30, 300, 3000} {
		p := planOf(t, g, 1, 0.5)
		var ends [2][2]float64
		for k, problem := range []learn.Problem{column(n, 1), column(n, 1, -1)} {
			theta, least := minimum(t, p, problem)
			ends[k] = [2]float64{theta[0], math.Min(least, adaptive.CurvatureReach*p.Lambda)}
		}
		for k := range 2 {
			assert.LessOrEqual(t, exact(t, p, ends[k], ends[1-k], g.Epsilon, honest), delta)
		}
	}

	p := planOf(t, g, 1, 8)
	for _, s := range []float64{0.5, 30, 200, 1500} {
		for _, moved := range []float64{1, -1.25} {
			from, to := [2]float64{0, s}, [2]float64{p.Radius(s), math.Max(0, s-moved)}
			assert.LessOrEqual(t, exact(t, p, from, to, g.Epsilon, honest), delta)
		}
	}
	from, to := [2]float64{0, 1500}, [2]float64{p.Radius(1500), 1499}
	assert.Greater(t, exact(t, p, from, to, g.Epsilon, honest), delta/100, "little is wasted")
	assert.Greater(t, exact(t, p, from, to, g.Epsilon, spoilt{0.5, 1, 1}), delta, "half the noise")
	assert.Greater(t, exact(t, p, from, to, g.Epsilon, spoilt{1, 1, 0.1}), delta, "a loud test")
	from, to = [2]float64{0, 30}, [2]float64{p.Radius(30), 29}
	assert.Greater(t, exact(t, p, from, to, g.Epsilon, spoilt{1, 0, 1}), delta, "no margin")
}

// Both theorems on random pairs in one to three dimensions: how far the minimiser and the
// eigenvalue move when a record comes or goes.
func TestWhatOneRecordMoves(t *testing.T) {
	source := randomtest.New(11)
	var far, rise, fall float64
	for range 600 {
		d := 1 + int(3*learntest.Uniform(source))
		n := 1 + int(12*learntest.Uniform(source))
		scale := 4 * learntest.Uniform(source)
		var x [][]float64
		var y []float64
		for range n + 1 {
			row := learntest.Gaussians(t, source, d)
			size := math.Max(1, learntest.Length(row)/scale) * learntest.Length(row) / scale
			for j := range row {
				row[j] /= math.Max(size, learntest.Length(row)) * (1 + 1e-12)
			}
			x, y = append(x, row), append(y, math.Copysign(1, learntest.Uniform(source)-0.3))
		}
		p := Plan{
			Adjacency: privacy.AddRemove, Dimension: d, RowNorm: 1,
			Lambda: adaptive.LeastLambda * math.Exp(5*learntest.Uniform(source)),
		}
		schema := learntest.Schema(d, 0)
		before, s := minimum(t, p, learntest.Problem(schema, x[:n], y[:n]))
		after, u := minimum(t, p, learntest.Problem(schema, x, y))
		room := 2 * p.Tau() / p.Lambda
		moved := apart(before, after) - room
		assert.LessOrEqual(t, moved, p.Radius(s))
		assert.LessOrEqual(t, moved, p.Radius(u))
		assert.LessOrEqual(t, u-s, 1.25+1e-3)
		assert.LessOrEqual(t, s-u, 1+1e-3)
		far = math.Max(far, moved/math.Min(p.Radius(s), p.Radius(u)))
		rise, fall = math.Max(rise, u-s), math.Max(fall, s-u)
	}
	t.Logf("distance up to %.2f of r, rise up to %.2f, fall up to %.2f", far, rise, fall)
	assert.Greater(t, far, 0.5, "the bound is not far off")
}
