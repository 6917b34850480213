package lbfgs

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// uneven is a logistic objective whose features differ a hundredfold in size,
// so that its condition is that of many steepest descents.
func uneven(t testing.TB) *solve.Objective {
	loss, err := glm.Clip(glm.Logistic{}, math.Inf(1))
	require.NoError(t, err)
	const n, d = 400, 8
	source := randomtest.New(7)
	symmetric := func() float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return float64(word>>11)*0x1p-52 - 1
	}
	r := &solve.Rows{Start: []int{0}, Columns: d, Loss: loss, Norm: []float64{2}}
	for i := range n {
		for j := range d {
			r.Index, r.Entry = append(r.Index, int32(j)), append(
				r.Entry, symmetric()*math.Pow(100, -float64(j)/(d-1)),
			)
		}
		label := 1.0
		if r.Entry[i*d]+0.5*symmetric() < 0 {
			label = -1
		}
		r.Start, r.Label = append(r.Start, len(r.Index)), append(r.Label, label)
	}
	return solve.NewObjective(0.02, nil, r)
}

// The tests of core/solve put Solve through all that they ask of a solver. Here:
// the answer is Newton's, within strong convexity's reach of it, and memory
// earns its keep against none.
func TestSolve(t *testing.T) {
	const tolerance = 1e-8
	o := uneven(t)
	reference, err := solve.Newton(t.Context(), o, solve.Options{Tolerance: tolerance})
	require.NoError(t, err)
	result, err := Solve(t.Context(), o, solve.Options{Tolerance: tolerance})
	require.NoError(t, err)
	assert.LessOrEqual(t, result.Certificate.Upper(), tolerance)
	assert.Equal(t, o.Certify(result.Theta), result.Certificate)
	assert.InDeltaSlice(t, reference.Theta, result.Theta, 2*tolerance/o.Lambda)
	assert.Zero(t, result.Hessians)

	forgetful, err := solve.LineSearch(
		t.Context(), o, solve.Options{Tolerance: tolerance}, steepest{},
	)
	require.NoError(t, err)
	assert.Less(t, 20*result.Iterations, forgetful.Iterations)
	t.Logf("%d gradients, %d by steepest descent", result.Iterations, forgetful.Iterations)
}

type steepest struct{}

func (steepest) Begin(_, gradient, direction []float64) float64 {
	for j, g := range gradient {
		direction[j] = -g
	}
	return 1e-2
}

func (s steepest) Next(theta, gradient, direction []float64) float64 {
	return s.Begin(theta, gradient, direction)
}

// A direction uphill is not taken, whoever chose it: without earlier points to
// forget, the search says that it is stalled.
func TestLineSearchDoesNotClimb(t *testing.T) {
	o := uneven(t)
	_, err := solve.LineSearch(t.Context(), o, solve.Options{Tolerance: 1e-8}, uphill{})
	var failure *solve.NotConvergedError
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, solve.ReasonStalled, failure.Reason)
	assert.Equal(t, 1, failure.Iterations)

	begun := 0
	result, err := solve.LineSearch(
		t.Context(), o, solve.Options{Tolerance: 1e-8}, &misled{begun: &begun},
	)
	require.NoError(t, err)
	assert.Greater(t, begun, 1, "begins anew where it was led uphill")
	assert.LessOrEqual(t, result.Certificate.Upper(), 1e-8)
}

type uphill struct{}

func (uphill) Begin(_, gradient, direction []float64) float64 {
	copy(direction, gradient)
	return 1
}

func (u uphill) Next(theta, gradient, direction []float64) float64 {
	return u.Begin(theta, gradient, direction)
}

// misled goes uphill at every 20th point after it began.
type misled struct {
	directions
	begun *int
	next  int
}

func (m *misled) Begin(theta, gradient, direction []float64) float64 {
	*m.begun++
	m.next = 0
	return m.directions.Begin(theta, gradient, direction)
}

func (m *misled) Next(theta, gradient, direction []float64) float64 {
	if m.next++; m.next == 20 {
		return uphill{}.Begin(theta, gradient, direction)
	}
	return m.directions.Next(theta, gradient, direction)
}

// The first two directions by hand, and nothing left of a step whose scale
// overflowed.
func TestDirections(t *testing.T) {
	d, direction := new(directions), make([]float64, 2)
	for range 2 {
		assert.Equal(t, 0.2, d.Begin([]float64{1, 1}, []float64{3, 4}, direction))
		assert.Equal(t, []float64{-3, -4}, direction)
		// s = (0, −1), y = (0, −2), ρ = 1/2, γ = 1/2: B = diag(1/2, 1/2).
		assert.Equal(t, 1.0, d.Next([]float64{1, 0}, []float64{3, 2}, direction))
		assert.Equal(t, []float64{-1.5, -1}, direction)
		// y = 0: 1/sᵀy is no number to go on with.
		d.Next([]float64{1, -1}, []float64{3, 2}, direction)
		assert.True(t, math.IsNaN(direction[0]))
	}
}

func TestSolveIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	_, err := Solve(ctx, uneven(t), solve.Options{Tolerance: 1e-8, Progress: func(solve.Progress) {
		seen++
		cancel()
	}})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, seen)
}
