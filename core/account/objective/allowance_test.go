package objective

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// Every allowance for rounding of this package and of package curve, from both
// sides: what is computed with it is on the safe side of the exact value (in 400
// bits), and by a good part of the allowance. TestSabotagedAllowancesAreCaught in
// package account leaves each out and turns each round.

const bits = golden.Bits

var (
	number, float = golden.Big, golden.Float
	plus, minus   = golden.Plus, golden.Minus
	product, over = golden.Times, golden.Over
	expOf, logOf  = golden.Exp, golden.Log
)

// normalOf is Φ(x), |x| up to about 12.
func normalOf(x *big.Float) *big.Float {
	z := over(x, new(big.Float).SetPrec(bits).Sqrt(number(2)))
	square := product(z, z)
	term, sum := z, z
	for n := 1; n < 900; n++ {
		term = over(product(term, product(number(2), square)), number(float64(2*n+1)))
		sum = plus(sum, term)
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-bits {
			break // the next are no larger, and fall
		}
	}
	erf := over(
		product(number(2), product(sum, expOf(new(big.Float).Neg(square)))),
		new(big.Float).SetPrec(bits).Sqrt(pi()),
	)
	return over(plus(number(1), erf), number(2))
}

func pi() *big.Float {
	x, _ := new(big.Float).SetPrec(bits).
		SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745")
	return x
}

// gaussianOf is δ_G(ε; μ).
func gaussianOf(epsilon, mu float64) *big.Float {
	scaled, half := over(number(epsilon), number(mu)), over(number(mu), number(2))
	first := normalOf(minus(half, scaled))
	second := product(expOf(number(epsilon)), normalOf(minus(new(big.Float).Neg(scaled), half)))
	return minus(first, second)
}

type units struct{ source *randomtest.Seeded }

func (u units) between(low, high float64) float64 {
	bits, _ := u.source.Uint64() // the seeded source does not fail
	return low * math.Pow(high/low, float64(bits>>11)/(1<<53))
}

// The Gaussian profile errs upwards, by less than 1e-11 and more than the errors
// of its parts; the lower bound errs downwards.
func TestAllowanceOfTheGaussianProfile(t *testing.T) {
	u := units{randomtest.New(1)}
	worst := 0.0
	for range 60 {
		mu := u.between(1e-2, 4)
		epsilon := mu*mu/2 + mu*u.between(1e-2, 7)
		exact := logOf(gaussianOf(epsilon, mu))
		computed := logGaussianDelta(epsilon, mu)
		upper := rounded{gaussianDirection{mu}}.LogDeltaUpper(epsilon)
		x := epsilon/mu - mu/2
		above := float(minus(number(computed), exact))
		assert.Greater(t, above, 0x1p-54*x*x-2e-15, "ε = %v, μ = %v", epsilon, mu)
		worst = math.Max(worst, math.Abs(above)/(0x1p-43+0x1p-49*math.Abs(upper)))
		assert.Greater(
			t, float(minus(number(upper), exact)), 0x1p-44, "ε = %v, μ = %v", epsilon, mu,
		)
		assert.Less(t, float(minus(number(upper), exact)), 1e-11)
		lower := LowerCurve{mu: mu}.LogDeltaLower(epsilon)
		assert.Greater(
			t, float(minus(exact, number(lower))), 0x1p-45, "ε = %v, μ = %v", epsilon, mu,
		)
	}
	t.Logf("the formula errs by at most %.3f of what RoundUp adds", worst)
	assert.Less(t, worst, 0.5, "what is measured must leave room")
	// x alone, where its rounding is all: x = 1000.
	scaled := 1000.5
	assert.Less(t, logGaussianDelta(scaled, 1), -499_000.0)
	exact := special.LogNormalDensity(1000) + math.Log(special.MillsDrop(1000, 1))
	assert.Greater(t, logGaussianDelta(scaled, 1)-exact, 0x1p-52*1000*1000)
}

func TestAllowanceOfElementaryFunctions(t *testing.T) {
	u := units{randomtest.New(2)}
	for range 200 {
		x := -u.between(1e-3, 600)
		exact := expOf(number(x))
		assert.Greater(
			t, float(over(minus(number(curve.ExpUp(x)), exact), exact)), 0x1p-53, "e^%v", x,
		)
		delta := u.between(1e-300, 0.9)
		log := logOf(number(delta))
		assert.Greater(
			t, float(over(minus(number(curve.LogDown(delta)), log), log)), 0x1p-53, "log %v", delta,
		)
		epsilon, c := u.between(1e-6, 1e3), u.between(1e-6, 1e3)
		short := float(minus(minus(number(epsilon), number(c)), number(curve.Lowered(epsilon, c))))
		assert.Greater(t, short, 0x1p-52*(epsilon+c), "%v − %v", epsilon, c)
		assert.Greater(t, curve.RenyiUp(epsilon), epsilon*(1+0x1p-48))
		at := curve.RoundUp(x)
		assert.Greater(t, at-x, 0x1p-44+0x1p-51*-x)
	}
}

// Ratios and limits of closed forms are no smaller than they are.
func TestAllowanceOfRatios(t *testing.T) {
	u := units{randomtest.New(3)}
	const a = privacy.AddRemove
	for range 100 {
		s, r := u.between(1e-3, 1e3), u.between(1e-3, 1e3)
		exact := over(number(s), number(r))
		up := func(got float64, exact *big.Float, name string) {
			t.Helper()
			assert.Greater(
				t, float(over(minus(number(got), exact), exact)), 0x1p-53, "%s %v %v", name, s, r,
			)
		}
		laplace, _ := closedForm(privacy.Laplace{Adjacency: a, Sensitivity: s, Scale: r})
		up(laplace.(bounded).limit, exact, "laplace")
		discrete, _ := closedForm(privacy.DiscreteLaplace{Adjacency: a, Sensitivity: 3, Scale: r})
		up(discrete.(bounded).limit, over(number(3), number(r)), "discrete laplace")
		gaussian, _ := closedForm(privacy.Gaussian{Adjacency: a, Sensitivity: s, Sigma: r})
		up(gaussian.(rounded).direction.(gaussianDirection).mu, exact, "gaussian")
		truth := 0.5 + 0.499*u.between(1e-3, 1)
		response, _ := closedForm(
			privacy.RandomisedResponse{Adjacency: a, Categories: 5, Truth: truth},
		)
		odds := over(product(number(truth), number(4)), minus(number(1), number(truth)))
		up(response.(bounded).limit, logOf(odds), "response")
		steps, _ := closedForm(
			privacy.GradientDescent{
				Adjacency:   a,
				Sensitivity: s,
				Sigmas:      []float64{r, 2 * r, 5 * r},
			},
		)
		square := plus(number(1), plus(number(0.25), over(number(1), number(25))))
		// (5r rounds; so does the test's factor, both within the allowance.)
		up(
			steps.(rounded).direction.(gaussianDirection).mu,
			product(exact, new(big.Float).SetPrec(bits).Sqrt(square)), "descent",
		)

		o := privacy.ObjectivePerturbation{
			Adjacency:  a,
			Loss:       privacy.LossGLM,
			RowNorm:    s,
			Lipschitz:  r,
			Smoothness: 0.3,
			Lambda:     2,
			Sigma:      3,
			Dimension:  7,
		}
		curvature := product(number(0.3), product(number(s), number(s)))
		assert.GreaterOrEqual(t, number(Curvature(o)).Cmp(curvature), 0, "R = %v", s)
		_, muOut, lattice := Decompose(
			privacy.ApproximateMinima{Objective: o, Tau: s, SigmaOut: r, Grid: 0x1p-40},
		)
		shift := plus(
			number(s), product(number(0x1p-40), new(big.Float).SetPrec(bits).Sqrt(number(7))),
		)
		up(muOut, over(shift, number(r)), "output")
		a1, b, _ := lattice.Correction(100, 3)
		unit := over(
			number(21), product(number(24), product(number(lattice.Ratio), number(lattice.Ratio))),
		)
		up(a1, unit, "lattice")
		up(b, product(unit, number(100)), "lattice")
		mu, _ := Floor(o)
		assert.Less(t, mu, r/3*(1-0x1p-52))
	}
}

// The formula of the Rényi divergence errs by less than half of what curve.RenyiUp adds.
func TestAllowanceOfRenyiFormulas(t *testing.T) {
	u := units{randomtest.New(4)}
	worst := 0.0
	for range 60 {
		c, mu, s := u.between(1e-6, 10), u.between(1e-2, 4), u.between(1e-3, 20)
		alpha := 1 + math.Min(s, 10/mu)
		step := minus(number(alpha), number(1))
		z := product(step, number(mu))
		square := over(product(number(mu), number(mu)), number(2))
		exact := plus(number(c), product(number(alpha), square))
		exact = plus(exact, over(logOf(product(number(2), normalOf(z))), step))
		bare := halfNormalDirection{c, mu}.renyi(alpha)
		worst = math.Max(worst, math.Abs(float(over(minus(number(bare), exact), exact)))*0x1p46)
		up := float(over(minus(number(curve.RenyiUp(bare)), exact), exact))
		assert.Greater(t, up, 0x1p-47, "c = %v, μ = %v, α = %v", c, mu, alpha)
	}
	t.Logf("the formula errs by at most %.3f of what curve.RenyiUp adds", worst)
	assert.Less(t, worst, 0.5, "what is measured must leave room")
}

// Losses of objective perturbation err by less than half of LossSlack.
func TestAllowanceOfLosses(t *testing.T) {
	u := units{randomtest.New(5)}
	worst := 0.0
	for range 60 {
		c, mu, v := u.between(1e-3, 10), u.between(1e-2, 4), u.between(1e-2, 8)
		line := plus(
			product(number(mu), number(v)), over(product(number(mu), number(mu)), number(2)),
		)
		for exact, loss := range map[*big.Float]LossFunction{
			line: gaussianLoss{mu}, plus(line, number(c)): cutLoss(c, mu),
		} {
			got := loss.Loss(v)
			apart := math.Abs(float(minus(number(got), exact)))
			worst = math.Max(worst, apart/LossSlack(v, got))
		}
		// Half of v's right tail is to the right of y, ω = c + μ²/2 + μy.
		h := halfNormalLoss{c, mu}
		omega := h.Loss(v)
		slack := LossSlack(v, omega)
		tail := over(minus(number(1), normalOf(number(v))), number(2))
		for _, sign := range []float64{-1, 1} {
			at := plus(number(omega), number(sign*slack/2))
			at = minus(minus(at, number(c)), over(product(number(mu), number(mu)), number(2)))
			beyond := minus(number(1), normalOf(over(at, number(mu))))
			assert.Equal(t, int(-sign), beyond.Cmp(tail), "c = %v, μ = %v, v = %v", c, mu, v)
		}
	}
	t.Logf("lines err by at most %.3f of LossSlack", worst)
	assert.Less(t, worst, 0.5, "what is measured must leave room")
	assert.Positive(t, worst)
}

// A quadrature's error estimate is part of its answer.
func TestAllowanceOfQuadratures(t *testing.T) {
	f := func(x float64) float64 { return math.Exp(-50 * math.Abs(x-0.3)) }
	knots := []float64{0, 1}
	accuracy := quadratureAccuracy
	value, estimate, _ := special.Adaptive(f, knots, accuracy, 0)
	assert.Positive(t, estimate)
	assert.Equal(t, value+estimate, integrate(f, knots, 0, 0))
	exact := (2 - math.Exp(-15) - math.Exp(-35)) / 50
	assert.GreaterOrEqual(t, integrate(f, knots, 0, 0), exact*(1-1e-16))
}

// Digits that rounding spoils are not sought: an integrand with noise of 1e-6 takes thousands of
// evaluations if it is taken to be exact.
func TestQuadraturesEndAtTheRoundingOfTheirIntegrand(t *testing.T) {
	evaluations := 0
	noisy := func(x float64) float64 {
		evaluations++
		bits := math.Float64bits(x) * 0x9E3779B97F4A7C15
		return math.Exp(-x*x/2) * (1 + 1e-6*(float64(bits>>12)*0x1p-52-0.5))
	}
	knots := []float64{-13, -6, 0, 6, 13}
	got := integrate(noisy, knots, 1e-5, 0)
	assert.Less(t, evaluations, 1000)
	assert.GreaterOrEqual(t, got, math.Sqrt(2*math.Pi)*(1-1e-6))
	assert.LessOrEqual(t, got, math.Sqrt(2*math.Pi)*(1+1e-4))

	evaluations = 0
	integrate(noisy, knots, 0, 0)
	assert.Greater(t, evaluations, 3000)
}

// The largest loss of the discrete Laplace mechanism is no less than its product, and
// next to it there is as much δ as rounding may hide.
func TestAllowanceOfTheLargestLoss(t *testing.T) {
	for i := range 40 {
		a, shift := 0.1+0.037*float64(i), float64(3+i)
		p := discreteLaplaceProfile(a, shift).(bounded)
		exact := product(number(a), number(shift))
		assert.Greater(t, float(minus(number(p.limit), exact)), p.limit*0x1p-52)
		hidden := math.Log(0x1p-51*a*shift) - special.Log1pExp(-a)
		assert.GreaterOrEqual(t, p.inside(a*shift), hidden)
	}
}

// Lower ends: ε is raised before it is asked about, and an exponential rounded down.
func TestAllowanceOfLowerEnds(t *testing.T) {
	for _, epsilon := range []float64{9, 10, 10.7} {
		c := LowerCurve{mu: 1}
		c.lattice = Lattice{}
		exact := logOf(gaussianOf(epsilon, 1))
		slope := epsilon // and a little more
		assert.Greater(
			t, float(minus(exact, number(c.LogDeltaLower(epsilon)))),
			0x1p-48*(epsilon+1)*slope+0x1p-44, epsilon,
		)
	}
	for i := range 20 {
		c := LowerCurve{mu: 0.3 + 0.1*float64(i)}
		log := c.LogDeltaLower(1)
		y := math.Exp(log)
		assert.Greater(t, float(minus(expOf(number(log)), number(c.DeltaLower(1)))), y*0x1.4p-52)
	}
}

// The inverse of a bound that has one has room for its formula's rounding.
func TestAllowanceOfInverses(t *testing.T) {
	for _, k := range []kiferDirection{{0.3, 0.2}, {5, 0.2}, {1e-3, 2}} {
		for _, log := range []float64{-2, -11, -30} {
			epsilon, known := rounded{k}.Inverse(log)
			assert.True(t, known)
			assert.Greater(t, epsilon, k.epsilonUpper(log)*(1+0x1p-47))
		}
	}
}

// The inverse of a converted Rényi curve is not below the least ε at any real order, in
// 400 bits; in the last two the best order is next to 1, and the terms cancel.
func TestAllowanceOfInversesOfRenyiCurves(t *testing.T) {
	for _, c := range []struct{ mu, delta float64 }{
		{0.5, 1e-5}, {5.2, 0.999997}, {5.05, 0.999997},
	} {
		r := renyiDirection{renyi: func(alpha float64) float64 {
			return curve.RenyiUp(alpha * c.mu * c.mu / 2)
		}}
		epsilon, known := rounded{r}.Inverse(math.Log(c.delta))
		assert.True(t, known)
		exact := golden.GaussianEpsilon(c.mu, c.delta)
		assert.Equal(t, 1, number(epsilon).Cmp(exact), "μ = %v, δ = %v", c.mu, c.delta)
	}
}
