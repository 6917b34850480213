package objective

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/special"
)

// The one-dimensional certificate. For d = 1 the density of objective
// perturbation's output is known exactly, p_Z(θ) = φ_σ(J'(θ; Z))·J''(θ; Z)
// (theory §2), so that the hockey-stick divergence between any two neighbours
// can be integrated and held against the bounds.

// record is Weight copies of (x, y).
type record struct{ x, y, weight float64 }

// scalar is a one-dimensional problem with the logistic loss or another, its gradient
// clipped at |f'|·|x| ≤ lipschitz.
type scalar struct {
	lipschitz, lambda, sigma float64
	bend
}

// bend is the logistic loss shifted by h, or the rounded hinge; light is the weight of records of
// label −1, those of +1 having 1, or 0 for no weights.
type bend struct {
	hinge        bool
	shift, light float64
}

// of returns |f'| and f” at ym.
func (b bend) of(ym float64) (slope, curvature float64) {
	if !b.hinge {
		s := 1 / (1 + math.Exp(ym-b.shift))
		return s, s / (1 + math.Exp(b.shift-ym))
	}
	if ym >= b.shift {
		return 0, 0
	}
	return -math.Expm1(ym - b.shift), math.Exp(ym - b.shift)
}

// derivatives returns J'(θ) and J”(θ).
func (p scalar) derivatives(theta float64, data []record) (first, second float64) {
	first, second = p.lambda*theta, p.lambda
	for _, r := range data {
		s, curvature := p.of(r.y * r.x * theta)
		if p.light > 0 && r.y < 0 {
			s, curvature = p.light*s, p.light*curvature
		}
		a := s * math.Abs(r.x)
		if a > p.lipschitz {
			first -= r.weight * r.y * math.Copysign(p.lipschitz, r.x)
			continue
		}
		first -= r.weight * r.y * r.x * s
		second += r.weight * r.x * r.x * curvature
	}
	return first, second
}

// logDensity is log p_Z(θ) + log √(2π)σ.
func (p scalar) logDensity(theta float64, data []record) float64 {
	first, second := p.derivatives(theta, data)
	return -first*first/(2*p.sigma*p.sigma) + math.Log(second)
}

// preimage returns θ with J'(θ; Z) = g.
func (p scalar) preimage(g float64, data []record) float64 {
	low, high := -1.0, 1.0
	at := func(theta float64) float64 { first, _ := p.derivatives(theta, data); return first - g }
	for at(low) > 0 {
		low *= 2
	}
	for at(high) <= 0 {
		high *= 2
	}
	if at(low) == 0 {
		return low
	}
	theta, err := special.ConservativeRoot(at, high, low, 0)
	if err != nil {
		panic(err)
	}
	return theta
}

// hockeyStick integrates H_{e^ε}(p_Z ‖ p_{Z'}).
func (p scalar) hockeyStick(t *testing.T, epsilon float64, z, other []record) float64 {
	t.Helper()
	loss := func(theta float64) float64 {
		return p.logDensity(theta, z) - p.logDensity(theta, other)
	}
	var knots []float64
	before := math.NaN()
	for u := -13.0; u <= 13; u += 0.25 {
		theta := p.preimage(u*p.sigma, z)
		if excess := loss(theta) - epsilon; before*excess < 0 {
			last := knots[len(knots)-1]
			sign := math.Copysign(1, before)
			cross, err := special.ConservativeRoot(
				func(x float64) float64 { return sign * (loss(x) - epsilon) }, last, theta, 0,
			)
			require.NoError(t, err)
			knots = append(knots, cross)
			before = excess
		} else {
			before = excess
		}
		knots = append(knots, theta)
	}
	if p.hinge { // J” jumps where a record's slope is 0
		for _, r := range append(slices.Clone(z), other...) {
			if kink := p.shift / (r.y * r.x); kink > knots[0] && kink < knots[len(knots)-1] {
				knots = append(knots, kink)
			}
		}
		slices.Sort(knots)
	}
	knots = slices.Compact(knots)
	value, uncertain, err := special.Adaptive(func(theta float64) float64 {
		excess := loss(theta) - epsilon
		if excess <= 0 {
			return 0
		}
		return -math.Expm1(-excess) * math.Exp(
			p.logDensity(theta, z),
		) / (math.Sqrt(2*math.Pi) * p.sigma)
	}, knots, 1e-10, 0)
	if err != nil {
		require.Less(t, uncertain, 1e-13)
	}
	return value
}

func (p scalar) event(rowNorm float64) privacy.ObjectivePerturbation {
	if p.hinge {
		return hingeEvent(rowNorm, math.Min(rowNorm, p.lipschitz), p.lambda, p.sigma)
	}
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: rowNorm,
		Lipschitz:  math.Min(rowNorm, p.lipschitz),
		Smoothness: 0.25, Lambda: p.lambda, Sigma: p.sigma,
	}
}

// pull is data that shifts J' by −force and adds next to nothing to J”: many
// copies of a record so short that its slope stays 1/2.
func pull(force float64) []record {
	const short = 1e-6
	return []record{{short, math.Copysign(1, force), 2 * math.Abs(force) / short}}
}

func with(z []record, extra record) []record { return append(slices.Clone(z), extra) }

// neighbours lists data sets of worst-case kinds for a problem with rows up to
// R, and the records that join them.
func neighbours(rowNorm, sigma float64) (sets [][]record, joining []record) {
	sets = [][]record{
		nil,
		{{rowNorm, 1, 1}},
		{{rowNorm, -1, 1}},
		{{rowNorm, 1, 3}, {rowNorm / 2, -1, 40}},
		{{rowNorm, -1, 1e6}},
		pull(-12 * sigma),
		pull(-2 * sigma),
		pull(sigma / 2),
		with(pull(-3*sigma), record{rowNorm, -1, 5}),
	}
	joining = []record{{rowNorm, 1, 1}, {-rowNorm, 1, 1}, {rowNorm / 3, 1, 1}}
	return sets, joining
}

func TestCertificateNoDensityExceedsTheBounds(t *testing.T) {
	nativetest.Only(t)
	closest := map[string]float64{}
	for _, c := range []struct{ rowNorm, lipschitz, lambda, sigma float64 }{
		{1, 1, 1, 3.7}, {1, 1, 0.3, 1}, {1, 1, 0.02, 0.5}, {1, 0.6, 0.3, 2}, {100, 100, 4000, 80}, {1, 1, 3, 10},
	} {
		p := scalar{c.lipschitz, c.lambda, c.sigma, bend{}}
		event := p.event(c.rowNorm)
		pairs := map[Bound]curve.Pair{}
		for _, bound := range Applicable(event.Loss) {
			if pair, err := Directions(event, bound); err == nil {
				pairs[bound] = pair
			}
		}
		require.Contains(t, pairs, BoundLogistic)
		require.Contains(t, pairs, BoundKifer)
		sets, joining := neighbours(c.rowNorm, c.sigma)
		for _, z := range sets {
			for _, extra := range joining {
				more := with(z, extra)
				for _, epsilon := range []float64{-0.4, 0.1, 1.5} {
					added := p.hockeyStick(t, epsilon, more, z)
					removed := p.hockeyStick(t, epsilon, z, more)
					for bound, pair := range pairs {
						up, err := curve.DeltaUpper(pair.Added, epsilon)
						require.NoError(t, err)
						down, err := curve.DeltaUpper(pair.Removed, epsilon)
						require.NoError(t, err)
						assert.LessOrEqual(
							t, added, up*(1+1e-9)+1e-12, "added, %s, %+v, %v and %v at ε = %v",
							bound, c, z, extra, epsilon,
						)
						assert.LessOrEqual(
							t, removed, down*(1+1e-9)+1e-12,
							"removed, %s, %+v, %v and %v at ε = %v", bound, c, z, extra, epsilon,
						)
						closest[string(bound)+" added"] = math.Max(
							closest[string(bound)+" added"], added/up,
						)
						closest[string(bound)+" removed"] = math.Max(
							closest[string(bound)+" removed"], removed/down,
						)
					}
				}
			}
		}
	}
	assert.InDelta(t, 1, closest["logistic removed"], 1e-8, "the removed direction is met")
	assert.InDelta(t, 1, closest["signed removed"], 1e-8)
	assert.Greater(t, closest["logistic added"], 0.99)
	for name, ratio := range closest {
		t.Logf("%s: at most %.6f of the bound", name, ratio)
	}
}

// Where the theorem of zero overhead holds, the bound is met by the density
// itself: data that pushes θ to where the new record's slope is 1.
func TestCertificateIsTouched(t *testing.T) {
	for _, c := range []struct{ rowNorm, sigma, epsilon float64 }{
		{1, 3.7, 1}, {1, 1, 0.5}, {1, 0.5, 3}, {100, 250, 0.2},
	} {
		p := scalar{c.rowNorm, ZeroOverheadLambda(c.epsilon, c.rowNorm, c.sigma), c.sigma, bend{}}
		pair, err := Directions(p.event(c.rowNorm), BoundLogistic)
		require.NoError(t, err)
		// θ ≈ −30/R, give or take 10σ/λ.
		z := pull(-30*p.lambda/c.rowNorm - 10*c.sigma)
		more := with(z, record{c.rowNorm, 1, 1})
		for name, d := range map[string]struct {
			bound curve.Profile
			exact float64
		}{
			"added":   {pair.Added, p.hockeyStick(t, c.epsilon, more, z)},
			"removed": {pair.Removed, p.hockeyStick(t, c.epsilon, z, more)},
		} {
			bound, err := curve.DeltaUpper(d.bound, c.epsilon)
			require.NoError(t, err)
			assert.InEpsilon(t, d.exact, bound, 1e-9, "%s %+v", name, c)
			assert.InEpsilon(
				t, math.Exp(logGaussianDelta(c.epsilon, c.rowNorm/c.sigma)), bound, 1e-12, "%s %+v",
				name, c,
			)
		}
	}
}

// A bound that is wrong is caught by the densities: computed for half of μ, for
// a λ a quarter larger than the mechanism's (so that the mechanism's is too
// small by 20 %), or without the determinant's part.
func TestCertificateCatchesWrongBounds(t *testing.T) {
	exceeds := func(p scalar, wrong direction, epsilon float64, force float64, removed bool) bool {
		z := pull(force)
		more := with(z, record{1, 1, 1})
		if removed {
			z, more = more, z
		}
		exact := p.hockeyStick(t, epsilon, more, z)
		bound := curve.ExpUp(curve.RoundUp(wrong.logDelta(epsilon)))
		return exact > bound*(1+1e-6)
	}
	p := scalar{1, 1, 3.7, bend{}}
	assert.True(t, exceeds(p, cutDirection(0, 0.5/3.7), 1, -70, false), "μ halved, added")
	assert.True(t, exceeds(p, cutDirection(0, 0.5/3.7), 1, -70, true), "μ halved, removed")

	// At the λ of zero overhead a fifth less λ shows far out in the tail, where
	// the slope that is best at ε is a little below 1.
	sigma, epsilon := 3.7, 2.5
	lambda := ZeroOverheadLambda(epsilon, 1, sigma)
	caught := func(mechanism, priced float64) bool {
		p := scalar{1, mechanism, sigma, bend{}}
		wrong := logisticDirection(1, 1, priced, sigma, math.Log1p(0.25/priced))
		for force := -14.0; force < -4; force += 0.25 {
			if exceeds(p, wrong, epsilon, force*sigma, false) {
				return true
			}
		}
		return false
	}
	assert.False(t, caught(lambda, lambda), "the right bound stands")
	assert.True(t, caught(0.8*lambda, lambda), "λ too small by a fifth")

	p = scalar{1, 0.01, 0.3, bend{}}
	assert.True(t, exceeds(p, cutDirection(0, 1/0.3), 4, -0.9, false), "no determinant")
	assert.False(t, exceeds(p, cutDirection(math.Log1p(25), 1/0.3), 4, -0.9, false), "with it")
}

// Composed with an exact Gaussian output step: the pair of products, against
// the bounds of approximate minima.
func TestCertificateOfMinima(t *testing.T) {
	for _, c := range []struct{ lambda, sigma, muOut float64 }{
		{1, 3.7, 0.05}, {0.2, 1, 0.4}, {2, 0.7, 3},
	} {
		p := scalar{1, c.lambda, c.sigma, bend{}}
		event := privacy.ApproximateMinima{
			Objective: p.event(1),
			Tau:       c.muOut * c.lambda / 2,
			SigmaOut:  1,
		}
		composed := func(epsilon float64, z, other []record) float64 {
			var knots []float64
			for u := -9.5; u <= 9.5; u += 0.25 {
				knots = append(knots, p.preimage(u*p.sigma, z))
			}
			value, _, err := special.Adaptive(func(theta float64) float64 {
				loss := p.logDensity(theta, z) - p.logDensity(theta, other)
				return math.Exp(
					p.logDensity(theta, z)+logGaussianDelta(epsilon-loss, c.muOut),
				) / (math.Sqrt(2*math.Pi) * p.sigma)
			}, knots, 1e-9, 0)
			require.NoError(t, err)
			return value
		}
		sets, joining := neighbours(1, c.sigma)
		for _, epsilon := range []float64{0.2, 1.5} {
			closest := 0.0
			for _, bound := range Applicable(privacy.LossLogistic) {
				pair, err := Directions(event, bound)
				if err != nil {
					continue // λ too small for the published bounds
				}
				up, err := curve.DeltaUpper(pair.Added, epsilon)
				require.NoError(t, err)
				down, err := curve.DeltaUpper(pair.Removed, epsilon)
				require.NoError(t, err)
				for _, z := range sets {
					more := with(z, joining[0])
					added, removed := composed(epsilon, more, z), composed(epsilon, z, more)
					assert.LessOrEqual(
						t, added, up*(1+1e-8), "added, %s, %+v, %v at ε = %v", bound, c, z, epsilon,
					)
					assert.LessOrEqual(
						t, removed, down*(1+1e-8), "removed, %s, %+v, %v at ε = %v", bound, c, z,
						epsilon,
					)
					closest = math.Max(closest, removed/down)
				}
			}
			assert.Greater(t, closest, 0.9, "%+v at ε = %v: the bound is nearly met", c, epsilon)
		}
	}
}
