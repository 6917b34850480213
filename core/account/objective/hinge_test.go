package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

func hingeEvent(rowNorm, lipschitz, lambda, sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossHinge, RowNorm: rowNorm,
		Lipschitz: lipschitz, Smoothness: 1, Lambda: lambda, Sigma: sigma,
	}
}

// hingeMaximum is g(v) by brute force: the best of many a.
func hingeMaximum(v float64, s [4]float64) float64 {
	R, L, lambda, sigma := s[0], s[1], s[2], s[3]
	best := 0.0
	const n = 1000
	for i := range n + 1 {
		u := float64(i) / n
		for _, a := range []float64{u * L, math.Exp(-25*u) * L, L - math.Exp(-25*u)*L} {
			best = math.Max(best, a*v/sigma+a*a/(2*sigma*sigma)+math.Log1p(R*(R-a)/lambda))
		}
	}
	return best
}

func TestHingeLossIsTheMaximum(t *testing.T) {
	jumps, smooth, none := 0, 0, 0
	for _, s := range settings {
		g := hingeLoss(s[0], s[1], s[2], s[3])
		switch {
		case len(g.branches) == 0:
			none++
		case g.branches[0].low > 0:
			jumps++
		default:
			smooth++
		}
		before := math.Inf(-1)
		for v := -30.0; v <= 30; v += 0.37 {
			loss, brute := g.Loss(v), hingeMaximum(v, s)
			assert.GreaterOrEqual(t, loss+LossSlack(v, loss), brute, "%v at v = %v", s, v)
			assert.InDelta(t, brute, loss, 1e-4*(1+math.Abs(loss)), "%v at v = %v", s, v)
			assert.GreaterOrEqual(t, loss, before-LossSlack(v, loss), "%v at v = %v", s, v)
			before = loss
			if level := g.Level(loss); loss > g.base*(1+1e-9) && len(g.branches) < 2 {
				assert.InDelta(t, v, level, 1e-6*(1+math.Abs(v)), "%v at v = %v", s, v)
			}
		}
		// E[e^{−g}] ≤ 1: it is a dominating pair's.
		moment := overNormal(
			t, func(v float64) float64 { return math.Exp(-g.Loss(v)) }, kinks(g)...,
		)
		assert.LessOrEqual(t, moment, 1+1e-9, "%v", s)
	}
	t.Logf("%d jump, %d do not, %d have no branch", jumps, smooth, none)
	assert.Positive(t, jumps)
	assert.Positive(t, smooth)
	assert.Positive(t, none)
}

// Where the theorem of zero overhead holds, the profile is the Gaussian's; just below that λ it
// is more.
func TestHingeZeroOverhead(t *testing.T) {
	for _, R := range []float64{0.3, 1, 40} {
		for _, sigma := range []float64{0.2 * R, R, 4 * R} {
			for _, epsilon := range []float64{0.01, 0.3, 1, 8} {
				want := logGaussianDelta(epsilon, R/sigma)
				for _, times := range []float64{1, 1.5, 1000} {
					e := hingeEvent(R, R, times*R*R/epsilon*(1+1e-15), sigma)
					got := curveOf(t, e, BoundHinge).LogDeltaUpper(epsilon)
					assert.GreaterOrEqual(t, got, want-1e-12, "%+v", e)
					assert.InDelta(t, want, got, 1e-9+1e-12*math.Abs(want), "%+v at %v", e, epsilon)
				}
			}
		}
	}
	for _, c := range []struct{ epsilon, share, sigma float64 }{{0.3, 0.7, 8}, {1, 0.5, 4}} {
		e := hingeEvent(1, 1, c.share/c.epsilon, c.sigma)
		got := curveOf(t, e, BoundHinge).LogDeltaUpper(c.epsilon)
		assert.Greater(t, got, logGaussianDelta(c.epsilon, 1/c.sigma)+0.5, "%+v", c)
	}
}

// mpmath 1.3 at 40 digits: g by the roots of its quadratic, and Gauss–Legendre between its kinks.
func TestHingeValues(t *testing.T) {
	for _, c := range []struct{ epsilon, rowNorm, lipschitz, lambda, sigma, log float64 }{
		{1, 1, 1, 1.5, 3.7, -11.376989280260638336},
		{1, 1, 1, 1, 3.7, -11.376989280260638336},
		{1, 1, 1, 0.7, 3.7, -10.660570050006257986},
		{0.5, 1, 1, 1, 1, -1.1003011930125092904},
		{3, 1, 1, 0.1, 0.5, -1.5784178986850103729},
		{2, 1, 0.6, 0.3, 1, -4.5295507323871065158},
		{8, 2, 2, 0.2, 0.7, -2.9269925538379985346},
		{0.1, 1, 1, 0.05, 3, -0.054061502935357723908},
		{-0.3, 1, 0.5, 2, 1.3, -0.60043030408708875816},
		{4, 1, 1, 0.02, 0.08, -2.8882335173159793868e-9},
	} {
		e := hingeEvent(c.rowNorm, c.lipschitz, c.lambda, c.sigma)
		pair, err := Directions(e, BoundHinge)
		require.NoError(t, err)
		assertSafe(t, c.log, pair.Added.LogDeltaUpper(c.epsilon), c)
	}
	for _, c := range []struct{ alpha, rowNorm, lipschitz, lambda, sigma, want float64 }{
		{1.5, 1, 1, 1, 3.7, 0.69437359493034371513},
		{4, 1, 1, 0.3, 1, 2.0520645023312347841},
		{16, 1, 0.6, 0.3, 2, 1.5801816911128269205},
		{2, 2, 2, 0.2, 0.7, 8.2020427391022899775},
	} {
		e := hingeEvent(c.rowNorm, c.lipschitz, c.lambda, c.sigma)
		added, _, err := Renyi(e, BoundHinge)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, added(c.alpha), c.want*(1-3e-16), "%+v", c)
		assert.InEpsilon(t, c.want, added(c.alpha), 1e-11, "%+v", c)
	}
}

// pulled is data that shift J' by −force and add next to nothing to J”, for a loss that is not
// the plain logistic one.
func (p scalar) pulled(force float64) []record {
	const short = 1e-6
	slope, _ := p.of(0)
	return []record{{short, math.Copysign(1, force), math.Abs(force) / (short * slope)}}
}

// directions are those of every bound that the loss has.
func (p scalar) directions(t *testing.T) map[Bound]curve.Pair {
	event, pairs := p.event(1), map[Bound]curve.Pair{}
	for _, bound := range Applicable(event.Loss) {
		if pair, err := Directions(event, bound); err == nil {
			pairs[bound] = pair
		}
	}
	require.Contains(t, pairs, BoundControl)
	return pairs
}

// shares are what is exact over what is claimed.
type shares struct{ added, removed float64 }

// within asserts that one record more or less, beside z, exceeds no bound.
func (p scalar) within(
	t *testing.T, pairs map[Bound]curve.Pair, epsilon float64, z []record, extra record,
) map[Bound]shares {
	t.Helper()
	more, near := with(z, extra), map[Bound]shares{}
	added := p.hockeyStick(t, epsilon, more, z)
	removed := p.hockeyStick(t, epsilon, z, more)
	for bound, pair := range pairs {
		up := curve.ExpUp(pair.Added.LogDeltaUpper(epsilon))
		down := curve.ExpUp(pair.Removed.LogDeltaUpper(epsilon))
		what := []any{"%s, %+v, %v and %v at ε = %v", bound, p, z, extra, epsilon}
		assert.LessOrEqual(t, added, up*(1+1e-9)+1e-12, what...)
		assert.LessOrEqual(t, removed, down*(1+1e-9)+1e-12, what...)
		near[bound] = shares{added / up, removed / down}
	}
	return near
}

// The one-dimensional certificate for the other losses: no density of two neighbours exceeds a
// bound. The shifted logistic loss has those of the logistic one, whatever h.
func TestCertificateOfOtherLosses(t *testing.T) {
	closest := map[string]float64{}
	bends := []bend{{false, 1, 0}, {true, 1, 0}, {false, 4, 0}, {true, 4, 0}}
	if testing.Short() {
		bends = bends[:2] // all of them natively
	}
	for _, b := range bends {
		for _, c := range []struct{ lipschitz, lambda, sigma float64 }{
			{1, 1, 3.7}, {1, 0.3, 1}, {0.6, 0.3, 2}, {1, 3.4, 10},
		} {
			p := scalar{c.lipschitz, c.lambda, c.sigma, b}
			event := p.event(1)
			pairs := p.directions(t)
			sets := [][]record{
				nil, {{1, 1, 1}}, {{1, 1, 3}, {0.5, -1, 40}}, p.pulled(-12 * c.sigma),
				p.pulled(-2 * c.sigma), with(p.pulled(-3*c.sigma), record{1, -1, 5}),
			}
			for _, z := range sets {
				for _, extra := range []record{{1, 1, 1}, {1.0 / 3, 1, 1}} {
					for _, epsilon := range []float64{-0.4, 0.3, 1.5} {
						for bound, near := range p.within(t, pairs, epsilon, z, extra) {
							name := string(event.Loss) + " by " + string(bound)
							closest[name] = math.Max(closest[name], near.added)
						}
					}
				}
			}
		}
	}
	for name, ratio := range closest {
		t.Logf("%s, added: at most %.6f of the bound", name, ratio)
	}
	assert.Greater(t, closest["rounded-hinge by rounded-hinge"], 0.98)
	assert.Greater(t, closest["logistic by logistic"], 0.98)
}

// touches asserts that a record's part is the pair's bound and that of one Gaussian mechanism.
func (p scalar) touches(t *testing.T, pair curve.Pair, epsilon float64, z []record) {
	t.Helper()
	more := with(z, record{1, 1, 1})
	gaussian := math.Exp(logGaussianDelta(epsilon, 1/p.sigma))
	for name, d := range map[string]struct {
		bound curve.Profile
		exact float64
	}{
		"added":   {pair.Added, p.hockeyStick(t, epsilon, more, z)},
		"removed": {pair.Removed, p.hockeyStick(t, epsilon, z, more)},
	} {
		bound := curve.ExpUp(d.bound.LogDeltaUpper(epsilon))
		assert.InEpsilon(t, d.exact, bound, 1e-9, "%s %+v", name, p)
		assert.InEpsilon(t, gaussian, bound, 1e-9, "%s %+v", name, p)
	}
}

// Where there is no overhead the density meets the bound of the rounded hinge, in both directions,
// and data exceed a bound that is wrong: without the determinant's part, or for half of μ.
func TestHingeIsTouchedAndCatchesWrongBounds(t *testing.T) {
	for _, c := range []struct{ sigma, epsilon, shift float64 }{
		{3.7, 1, 1}, {1, 0.5, 4}, {0.5, 3, 1},
	} {
		p := scalar{1, 1 / c.epsilon, c.sigma, bend{true, c.shift, 0}}
		pair, err := Directions(p.event(1), BoundHinge)
		require.NoError(t, err)
		z := p.pulled(-30*p.lambda - 10*c.sigma)
		p.touches(t, pair, c.epsilon, z)
	}
	exceeds := func(wrong direction, p scalar, epsilon float64) bool {
		for force := -14.0; force < 4; force += 0.5 {
			z := p.pulled(force * p.sigma)
			exact := p.hockeyStick(t, epsilon, with(z, record{1, 1, 1}), z)
			if exact > curve.ExpUp(curve.RoundUp(wrong.logDelta(epsilon)))*(1+1e-6) {
				return true
			}
		}
		return false
	}
	p := scalar{1, 0.5, 4, bend{true, 4, 0}}
	right := &envelopeDirection{envelopeLoss: hingeLoss(1, 1, 0.5, 4)}
	assert.False(t, exceeds(right, p, 0.5), "the right bound stands")
	assert.True(t, exceeds(cutDirection(0, 0.25), p, 0.5), "no determinant")
	weaker := &envelopeDirection{envelopeLoss: hingeLoss(1, 1, 2, 4)}
	assert.True(t, exceeds(weaker, p, 0.5), "λ a quarter of what it is priced for")
	logistic := logisticDirection(1, 1, 0.5, 4, math.Log1p(0.5))
	assert.True(t, exceeds(logistic, p, 0.5), "priced as a logistic loss")
	p = scalar{1, 2, 1, bend{true, 4, 0}}
	assert.True(t, exceeds(cutDirection(math.Log1p(0.5), 0.5), p, 3), "μ halved")
}

// Beside the Gaussian that no bound is below, and the order of the bounds.
func TestHingeBoundsAreInOrder(t *testing.T) {
	for _, s := range settings {
		e := hingeEvent(s[0], s[1], s[2], s[3])
		for _, epsilon := range []float64{0.05, 0.7, 3} {
			last := logGaussianDelta(epsilon, s[1]/s[3])
			for _, bound := range []Bound{BoundControl, BoundHinge, BoundSigned, BoundGLM} {
				got := curveOf(t, e, bound).LogDeltaUpper(epsilon)
				assert.GreaterOrEqual(t, got, last-1e-9*(1+math.Abs(last)), "%s %v", bound, s)
				last = got
			}
		}
	}
}

// The control problem of the rounded hinge: explicit data reach it within 10 % where λ is below
// R²/ε. Figures of theory §4.8.
func TestHingeControlIsNearTheTruth(t *testing.T) {
	for _, c := range []struct{ share, epsilon float64 }{{0.65, 1}, {0.5, 3}} {
		sigma := 0.05
		for step := 16.0; step > 1e-9; step /= 2 { // δ_G = 1e-5
			for logGaussianDelta(c.epsilon, 1/(sigma+step)) > math.Log(1e-5) {
				sigma += step
			}
		}
		p := scalar{1, c.share / c.epsilon, sigma, bend{true, 4, 0}}
		pair, err := Directions(p.event(1), BoundControl)
		require.NoError(t, err)
		bound := curve.ExpUp(pair.Added.LogDeltaUpper(c.epsilon))
		exact := 0.0
		for force := 0.0; force < 16; force += 0.125 {
			z := p.pulled(-force * sigma)
			exact = math.Max(exact, p.hockeyStick(t, c.epsilon, with(z, record{1, 1, 1}), z))
		}
		t.Logf("%+v: %.4f of δ_G, bound %.4f", c, exact/1e-5, bound/1e-5)
		assert.LessOrEqual(t, exact, bound)
		assert.GreaterOrEqual(t, exact, bound/1.1, "%+v", c)
	}
}

// What the search asks of a rate, against its own κ.
func TestHingeRateIsWhatItSays(t *testing.T) {
	for _, r := range []hingeRate{0.01, 0.7, 30} {
		logKappa := func(a float64) float64 { kappa, _ := r.at(a); return math.Log(kappa) }
		for low := 0.0; low < 0.9; low += 0.1 {
			high := low + 0.09
			assert.InDelta(t, high, r.level(r.travel(high)), 1e-12)
			for _, a := range []float64{low + 1e-4, (low + high) / 2, high - 1e-4} {
				kappa, slope := r.at(a)
				assert.LessOrEqual(t, kappa, r.most(low, high))
				const h = 1e-5
				before, _ := r.at(a - h)
				after, _ := r.at(a + h)
				assert.InDelta(t, slope, (after-before)/(2*h), 1e-5*float64(r))
				travel := (r.travel(a+h) - r.travel(a-h)) / (2 * h)
				assert.InEpsilon(t, 1/kappa, travel, 1e-5)
				bend := -(logKappa(a+1e-4) - 2*logKappa(a) + logKappa(a-1e-4)) / 1e-8
				assert.LessOrEqual(t, bend, r.bend(low, high)*(1+1e-5))
			}
		}
	}
}
