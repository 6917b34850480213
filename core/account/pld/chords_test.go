package pld

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// chordedBy has a profile at some ε, and is convex in between.
type chordedBy struct {
	curve.Profile
	step  float64
	count int
}

func (c chordedBy) Chords() (epsilon, logDelta []float64) {
	for i := range c.count {
		epsilon = append(epsilon, c.step*float64(i))
		logDelta = append(logDelta, c.LogDeltaUpper(c.step*float64(i)))
	}
	return epsilon, logDelta
}

func controlChords(t *testing.T, e privacy.ObjectivePerturbation) *chords {
	pair, err := objective.Directions(e, objective.BoundControl)
	require.NoError(t, err)
	return &chords{profile: pair.Added.(curve.Chorded), opposite: pair.Removed}
}

// The losses of the chords dominate the profile at every ε of either sign, and are near it.
func TestChordsAreAboveTheProfile(t *testing.T) {
	for _, c := range []struct{ sigma, share float64 }{
		{4.3, 0.5}, {30.7, 0.25}, {0.6, 0.5}, {0.1, 0.5}, {3.73, 0.01}, {3.73, 2}, {1e4, 0.5},
	} {
		e := halfPerturbed(c.sigma)
		e.Lambda *= 2 * c.share
		one := controlChords(t, e)
		mu := e.Lipschitz / e.Sigma
		most := 0.0
		for units := -9.0; units < 9; units += 0.237 {
			epsilon := units * mu
			got, want := one.logDeltaCoarse(epsilon), one.profile.LogDeltaUpper(epsilon)
			// What the search leaves open, it may leave open here and not there.
			require.GreaterOrEqual(t, got, want-5e-5, "%+v at %v μ", c, units)
			if math.Abs(units) < 6 {
				most = math.Max(most, got-want)
			}
		}
		assert.Less(t, most, 1e-2, "%+v", c)
		assert.Less(t, math.Abs(1-total(one.losses().most)), 1e-12, "%+v", c)
		assert.LessOrEqual(t, total(one.losses().least), total(one.losses().most), "%+v", c)
	}
}

func total(l *loss) float64 {
	sum := l.infinite
	for _, a := range l.atoms {
		sum += a.mass
	}
	return sum
}

// A Gaussian mechanism by its chords composes to a little more than it does.
func TestChordsOfAGaussianCompose(t *testing.T) {
	const runs = 12
	for _, mu := range []float64{0.01, 0.3, 3} {
		like, err := objective.Of(
			privacy.Gaussian{Adjacency: addRemove, Sensitivity: mu, Sigma: 1}, objective.BoundAuto,
		)
		require.NoError(t, err)
		c := &chords{
			profile: chordedBy{like, mu / 32, 1300}, opposite: like,
		}
		d := &direction{runs: []run{{c, runs}}}
		exact, err := objective.Of(privacy.Gaussian{
			Adjacency: addRemove, Sensitivity: mu * math.Sqrt(runs), Sigma: 1,
		}, objective.BoundAuto)
		require.NoError(t, err)
		for _, log := range []float64{-3, -12, -50} {
			lower, upper := d.epsilon(log, log, 1e-5, 0)
			want, err := curve.EpsilonUpper(exact, math.Exp(log))
			require.NoError(t, err)
			assert.GreaterOrEqual(t, upper, want*(1-1e-9), "μ = %v", mu)
			assert.LessOrEqual(t, upper, want*(1+4e-4), "μ = %v", mu)
			assert.LessOrEqual(t, lower, upper)
			assert.LessOrEqual(t, upper-lower, 2e-5*upper)
		}
	}
}

// Masses are rounded so that no vertex is undercut: in exact arithmetic the losses' profile is
// above that of the vertices' chords, at each of them, and by no more than it need be.
func TestAllowanceOfChords(t *testing.T) {
	nativetest.Only(t)
	random := uint64(7)
	next := func() float64 {
		random = random*6364136223846793005 + 1442695040888963407
		return float64(random>>11) / (1 << 53)
	}
	for range 60 {
		step := math.Exp(-8 * next())
		above, below := []vertex{}, []vertex{}
		y := 0.3 * step * next()
		for i := range 12 {
			above = append(above, vertex{step * float64(i), y * math.Exp(-float64(i))})
			below = append([]vertex{{-step * float64(i), y * math.Exp(-1.3*float64(i))}}, below...)
		}
		above, below = envelope(above), envelope(below)
		most, least := chordLoss(below, above, 1), chordLoss(below, above, -1)
		for i, v := range append(append([]vertex{}, below...), above[1:]...) {
			exact := number(v.y)
			if v.epsilon < 0 { // H = y + 1 − t
				exact = plus(exact, minus(number(1), expOf(number(v.epsilon))))
			}
			over := minus(hockey(most, v.epsilon), exact)
			require.GreaterOrEqual(t, over.Sign(), 0, "vertex %d, step %v", i, step)
			require.LessOrEqual(t, minus(hockey(least, v.epsilon), exact).Sign(), 0)
			require.Less(t, float(over), 1e-13/step)
		}
	}
}

// hockey is the exact profile of atoms and of what is infinite.
func hockey(l *loss, epsilon float64) *big.Float {
	sum := number(l.infinite)
	for _, a := range l.atoms {
		if a.loss > epsilon {
			gone := expOf(minus(number(epsilon), number(a.loss)))
			sum = plus(sum, times(number(a.mass), minus(number(1), gone)))
		}
	}
	return sum
}

// Any number of fits composes within the accuracy asked for: what is left is atoms on a lattice.
func TestControlComposesSharply(t *testing.T) {
	e, other := halfPerturbed(4.3), halfPerturbed(5.7)
	for _, count := range []int{1, 2, 30, 10_000} {
		event := privacy.Composition{Adjacency: addRemove, Parts: []privacy.Part{
			{Event: e, Count: count}, {Event: other, Count: 1},
		}}
		d, err := Of(event, Options{Bound: objective.BoundControl, Accuracy: 1e-4})
		require.NoError(t, err)
		interval, err := d.Epsilon(1e-6)
		require.NoError(t, err)
		assert.LessOrEqual(t, interval.Upper-interval.Reached, 1e-4*interval.Upper, count)
		assert.Less(t, interval.Lower, interval.Reached)
	}
}
