package ops

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/posterior"
	"cloister/core/privacy"
	"cloister/core/special"
)

// oneColumn are data in one dimension: s = Σx² and b = Σxy.
type oneColumn struct{ s, b float64 }

// spoilt says how the mechanism is spoilt: not at all is {1, 1, 1}.
type spoilt struct {
	gamma   float64 // times
	margins float64 // times
	noise   float64 // of t̃, times
}

var honest = spoilt{1, 1, 1}

// exact is δ(ε) of the whole at one ordered pair of data sets, by numerical integration: over
// s̃ and t̃ as continuous noise, with the pair of two normal laws that are left.
func exact(t *testing.T, p Plan, from, to oneColumn, epsilon float64, how spoilt) float64 {
	t.Helper()
	first, err := p.EigenvalueMargin()
	require.NoError(t, err)
	const steps, reach = 150, 8.0
	h := 2 * reach / steps
	sum := 0.0
	for i := range steps {
		u := -reach + (float64(i)+0.5)*h
		noisy := from.s + u*first.Sigma()
		shift := (to.s - from.s) / first.Sigma()
		loss1 := -u*shift + shift*shift/2
		c, second, err := p.After(noisy - (how.margins-1)*first.Width())
		require.NoError(t, err)
		theta := func(d oneColumn) float64 { return d.b / (d.s + c.Lambda) }
		radius := func(d oneColumn) float64 { return math.Log1p(p.RowNorm * math.Abs(theta(d))) }
		sigma := second.Sigma() * how.noise
		move := (radius(to) - radius(from)) / sigma
		kappa := (to.s - from.s) / (from.s + c.Lambda)
		apart := math.Abs(theta(to)-theta(from)) * math.Sqrt(from.s+c.Lambda) * (1 + kappa)
		for j := range steps {
			v := -reach + (float64(j)+0.5)*h
			gamma, _ := p.Then(c, second,
				radius(from)+v*sigma+(how.margins-1)*second.Width())
			loss2 := -v*move + move*move/2
			pair := posterior.Pair{Leverage: kappa, Shift: apart * math.Sqrt(gamma*how.gamma)}
			sum += h * h * special.NormalDensity(u) * special.NormalDensity(v) *
				math.Exp(pair.LogDeltaUpper(epsilon-loss1-loss2))
		}
	}
	return sum
}

func planOf(t testing.TB, epsilon, delta float64, dimension int) Plan {
	t.Helper()
	p, err := NewPlan(
		privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: delta}, dimension,
		1)
	require.NoError(t, err)
	return p
}

// The exact δ of the whole is never above the claim, in both directions; where the data are
// many it is at least a twentieth of it, or something would be wasted.
func TestTheExactDeltaIsWithinTheClaim(t *testing.T) {
	const delta = 1e-6
	for _, c := range []struct{ epsilon, s, theta, x, y, least float64 }{
		{1, 1e7, 0.99, 1, -1, 0.05}, {1, 1e7, 0.2, 1, -1, 0}, {1, 0, 0, 1, 1, 0},
		{1, 300, 0.5, 1, -1, 0}, {3, 3000, 0.9, 1, -1, 0}, {3, 30, -0.9, 1, 1, 0},
		{0.2, 1e5, 0.99, 0.5, -1, 0},
	} {
		p := planOf(t, c.epsilon, delta, 1)
		z := oneColumn{c.s, c.s * c.theta}
		with := oneColumn{c.s + c.x*c.x, c.s*c.theta + c.x*c.y}
		most := math.Max(
			exact(t, p, z, with, c.epsilon, honest), exact(t, p, with, z, c.epsilon, honest))
		t.Logf("%+v: δ = %.3g", c, most)
		assert.LessOrEqual(t, most, delta, "%+v", c)
		assert.GreaterOrEqual(t, most, c.least*delta, "%+v", c)
	}
}

// Sabotaged, it is above the claim, and this integral sees it.
func TestTheExactDeltaOfSabotagesIsAboveTheClaim(t *testing.T) {
	const delta, epsilon = 1e-6, 1.0
	p := planOf(t, epsilon, delta, 1)
	many := oneColumn{1e7, 0.99e7}
	for name, c := range map[string]struct {
		z   oneColumn
		how spoilt
	}{
		"γ doubled":             {many, spoilt{2, 1, 1}},
		"noise of t̃ over four": {many, spoilt{1, 1, 0.25}},
		"no margins":            {oneColumn{}, spoilt{1, 0, 1}},
	} {
		with := oneColumn{c.z.s + 1, c.z.b - 1}
		most := math.Max(
			exact(t, p, c.z, with, epsilon, c.how), exact(t, p, with, c.z, epsilon, c.how))
		t.Logf("%s: δ = %.3g", name, most)
		assert.Greater(t, most, delta, name)
	}
}
