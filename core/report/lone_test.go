package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/solve"
)

// Of a record like no other the pull on the fit is all there is to its loss, if the
// noise is large: the bounds hold that, and hardly more.
func TestBoundsOfALoneRecord(t *testing.T) {
	const lambda, sigma = 0.05, 400.0
	c := lossCase{"squared", glm.Squared{}, math.Inf(1)} // f″ = 1 wherever θ is
	x := trial{c: c, lambda: lambda, sigma: sigma}
	alone := sample{[][]float64{{0, 1}}, []float64{0.5}}
	theta := []float64{0.1, 0.1}
	m, err := NewMechanism(x.event(2), c.loss, theta)
	require.NoError(t, err)
	reader, err := NewReader(m, Published{}, 0.01, Scope{People: 1})
	require.NoError(t, err)
	exact, err := NewExact(
		solve.NewObjective(lambda, nil, alone.part(t, c.loss, c.clip)), theta, sigma,
	)
	require.NoError(t, err)
	pull := math.Log1p(1 / lambda)
	for _, r := range []struct {
		row    []float64
		member bool
	}{{alone.x[0], true}, {[]float64{1, 0}, false}} {
		bound, err := reader.Row(rowOf(r.row), 0.5)
		require.NoError(t, err)
		assert.InEpsilon(t, pull, bound.Leverage, 1e-12)
		truth, within := exact.Loss(recordOf(t, c, r.row, 0.5, theta), r.member), bound.Out
		if r.member {
			within = bound.In
		}
		assert.InDelta(t, pull, math.Abs(truth), 0.02)
		assert.LessOrEqual(t, within.Low, truth)
		assert.GreaterOrEqual(t, within.High, truth)
		assert.InDelta(t, pull, within.Largest(), 0.05)
	}
}
