package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/optimize"
)

// The directions against gonum's, along points of a convex quartic until the
// oldest pairs are long forgotten.
func TestLimitedMemoryDirectionsAgainstGonum(t *testing.T) {
	const dim, steps = 7, 2*memory + 5
	d := seeded(11)
	gradient := func(theta []float64) []float64 {
		g := make([]float64, dim)
		for j, x := range theta {
			g[j] = float64(j+1)*x + x*x*x + 0.25*(x-theta[(j+1)%dim]) + 0.25*(x-theta[(j+dim-1)%dim])
		}
		return g
	}
	at := make([]float64, dim)
	for j := range at {
		at[j] = 2 * d.symmetric()
	}
	l := &limited{theta: at, gradient: gradient(at)}
	l.norm = norm(l.gradient)
	l.begin()
	theirs, direction := optimize.LBFGS{Store: memory}, make([]float64, dim)
	step := theirs.InitDirection(&optimize.Location{X: at, Gradient: l.gradient}, direction)
	assert.InEpsilon(t, step, l.step, 1e-14)
	for k := range steps {
		assert.Less(t, distance(direction, l.direction), 1e-10*norm(direction), "step %d", k)
		next := make([]float64, dim)
		for j := range next {
			next[j] = l.theta[j] + math.Exp2(-float64(k%5))*l.direction[j] + 0.01*d.symmetric()
		}
		g := gradient(next)
		l.remember(next, g)
		l.theta, l.gradient, l.direction = next, g, twoLoops(l.pairs, g)
		assert.Equal(t, 1.0, theirs.NextDirection(&optimize.Location{X: next, Gradient: g}, direction))
	}
	assert.Len(t, l.pairs, memory)
}

func distance(x, y []float64) float64 {
	d := make([]float64, len(x))
	for j := range d {
		d[j] = x[j] - y[j]
	}
	return norm(d)
}
