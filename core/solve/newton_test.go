package solve

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

// Minimisers found by Newton's method at 60 digits with mpmath 1.3.0.
func TestNewtonAgainstGoldenValues(t *testing.T) {
	x := [][]float64{
		{0.5, 0, 1},
		{0.25, -0.75, 1},
		{0, 1, 1},
		{-1, 0.5, 1},
		{0.125, 0.125, 1},
		{0.75, -0.5, 1},
	}
	y := []float64{1, -1, 1, -1, -1, 1}
	b := []float64{0.375, -0.5, 1.25}
	for name, c := range map[string]struct {
		loss glm.Clipped
		want []float64
	}{
		"logistic": {logistic(t), []float64{0.7334192909075811255303197, 0.8497398582358892583227817, -0.6636615590034413764986266}},
		// |f'| ≤ 0.75/1.5 = 1/2
		"clipped": {clip(t, glm.Logistic{}, 0.75), []float64{0.5827908616124936280036223, 0.9224090322453076108676123, -0.8146556343716630492632236}},
	} {
		o := NewObjective(0.75, b, rowsOf(c.loss, 1.5, x, y))
		result, err := Newton(t.Context(), o, Options{Tolerance: 1e-13})
		require.NoError(t, err, name)
		for j, want := range c.want {
			assert.InDelta(t, want, result.Theta[j], 2e-13, name)
		}
	}
}

// Whatever the data, a result is certified within the tolerance, and by strong
// convexity the minimiser is then within Tolerance/λ.
func TestNewtonOnOddData(t *testing.T) {
	repeat := func(n int, row []float64) (x [][]float64) {
		for range n {
			x = append(x, row)
		}
		return x
	}
	ones := func(n int, v float64) []float64 {
		y := make([]float64, n)
		for i := range y {
			y[i] = v
		}
		return y
	}
	alternating := ones(100, 1)
	separable := make([][]float64, 100)
	for i := range alternating {
		if i%2 == 0 {
			alternating[i] = -1
		}
		separable[i] = []float64{alternating[i], 0.1, float64(i%5) / 10}
	}
	wide := make([][]float64, 5)
	d := seeded(12)
	for i := range wide {
		wide[i] = make([]float64, 60)
		for j := range wide[i] {
			wide[i][j] = d.symmetric()
		}
	}
	for name, c := range map[string]struct {
		x [][]float64
		y []float64
	}{
		"one record":          {[][]float64{{0.6, 0.8}}, []float64{1}},
		"zero rows":           {repeat(10, []float64{0, 0, 0}), ones(10, -1)},
		"constant features":   {repeat(50, []float64{0.5, 0.5, 0.5}), alternating[:50]},
		"one class":           {repeat(50, []float64{0.5, -0.5}), ones(50, 1)},
		"same row, both ways": {repeat(100, []float64{1}), alternating},
		"separable":           {separable, alternating},
		"more columns":        {wide, ones(5, -1)},
		"large entries":       {repeat(20, []float64{100, -70}), ones(20, 1)},
	} {
		for _, lambda := range []float64{1e-3, 1, 1e4} {
			for _, size := range []float64{0, 1, 1e3} {
				columns := len(c.x[0])
				o := NewObjective(
					lambda, perturbation(5, columns, size), rowsOf(logistic(t), 200, c.x, c.y),
				)
				tolerance := 1e-9 * (1 + 1e3*size)
				result, err := Newton(t.Context(), o, Options{Tolerance: tolerance})
				require.NoError(t, err, "%s λ=%g |b|~%g", name, lambda, size)
				assert.LessOrEqual(t, result.Certificate.Upper(), tolerance, "%s", name)
				if norm(result.Theta) < 100 {
					assert.LessOrEqual(
						t, preciseNorm(preciseGradient(o, result.Theta)), tolerance, "%s", name,
					)
				}
				assert.Less(t, result.Iterations, 150, "%s λ=%g |b|~%g", name, lambda, size)
			}
		}
	}
	empty := NewObjective(
		2, []float64{3, -4},
		&Rows{Start: []int{0}, Columns: 2, Loss: logistic(t), Norm: []float64{1}},
	)
	result, err := Newton(t.Context(), empty, Options{Tolerance: 1e-12})
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{-1.5, 2}, result.Theta, 1e-12)
}

func TestNewtonOnEveryLoss(t *testing.T) {
	for name, loss := range losses(t) {
		for _, n := range []int{40, 3000, 9000} {
			o := NewObjective(1, perturbation(4, 105, 5), census(t, n, loss))
			result, err := Newton(t.Context(), o, Options{Tolerance: 1e-7})
			require.NoError(t, err, "%s %d", name, n)
			assert.LessOrEqual(t, result.Certificate.Upper(), 1e-7)
			assert.Less(t, result.Iterations, 60, "%s %d", name, n)
			// No point near it is lower.
			value := o.Value(result.Theta)
			for j := range 105 {
				near := append([]float64(nil), result.Theta...)
				near[j] += 1e-2
				require.Greater(t, o.Value(near), value)
			}
		}
	}
}

// The first steps on an eighth of the rows save time and change nothing else,
// even where the rows they look at are like no others.
func TestNewtonWithAMisleadingStart(t *testing.T) {
	r := census(t, 16384, logistic(t))
	for i := 0; i < 16384; i += 8 {
		r.Label[i] = 1
	}
	o := NewObjective(0.5, nil, r)
	result, err := Newton(t.Context(), o, Options{Tolerance: 1e-8})
	require.NoError(t, err)
	direct := newDescent(t.Context(), o, make([]float64, 105))
	direct.limit, direct.tolerance = DefaultIterations, 1e-8
	reason := direct.certify(new(Result))
	require.Empty(t, reason)
	assert.InDeltaSlice(t, direct.theta, result.Theta, 2*1e-8/0.5)
}

func TestNewtonReportsProgress(t *testing.T) {
	var steps []Progress
	o := NewObjective(1, nil, census(t, 2000, logistic(t)))
	result, err := Newton(
		t.Context(), o,
		Options{Tolerance: 1e-8, Progress: func(p Progress) { steps = append(steps, p) }},
	)
	require.NoError(t, err)
	require.NotEmpty(t, steps)
	for k, s := range steps {
		assert.Equal(t, 1e-8, s.Tolerance)
		if k > 0 {
			assert.Greater(t, s.Iteration, steps[k-1].Iteration)
		}
	}
	last := steps[len(steps)-1]
	assert.Equal(t, result.Iterations, last.Iteration)
	assert.LessOrEqual(t, last.GradientNorm, 1e-8)
}

func TestNewtonIsCancelled(t *testing.T) {
	o := NewObjective(1e-3, nil, census(t, 20000, logistic(t)))
	why := errors.New("the reader closed the page")
	for after := range 4 {
		ctx, cancel := context.WithCancelCause(t.Context())
		if after == 0 {
			cancel(why)
		}
		seen := 0
		_, err := Newton(ctx, o, Options{Tolerance: 1e-8, Progress: func(Progress) {
			if seen++; seen == after {
				cancel(why)
			}
		}})
		assert.ErrorIs(t, err, why)
		assert.Equal(t, after, seen, "no pass after cancelling")
		cancel(nil)
	}
}

func TestNewtonRefusesWhatItCannotCertify(t *testing.T) {
	r := census(t, 2000, logistic(t))
	for name, c := range map[string]struct {
		o       *Objective
		options Options
		reason  Reason
	}{
		"rounding":   {NewObjective(1, nil, r), Options{Tolerance: 1e-13}, ReasonRounding},
		"iterations": {NewObjective(1e-3, nil, r), Options{Tolerance: 1e-9, Iterations: 3}, ReasonIterations},
		"overflow":   {NewObjective(1e-300, perturbation(1, 105, 1e300), r), Options{Tolerance: 1e-9}, ReasonNotFinite},
		"not a number": {
			NewObjective(
				1, []float64{math.NaN()}, rowsOf(logistic(t), 1, [][]float64{{1}}, []float64{1}),
			),
			Options{Tolerance: 1e-9}, ReasonNotFinite,
		},
	} {
		_, err := Newton(t.Context(), c.o, c.options)
		var failure *NotConvergedError
		require.ErrorAs(t, err, &failure, name)
		assert.Equal(t, c.reason, failure.Reason, name)
		assert.Contains(t, err.Error(), string(c.reason))
		assert.False(t, failure.Certificate.Upper() <= c.options.Tolerance)
	}
	assert.Panics(
		t, func() { _, _ = Newton(t.Context(), NewObjective(0, nil, r), Options{Tolerance: 1}) },
	)
	assert.Panics(t, func() { _, _ = Newton(t.Context(), NewObjective(1, nil, r), Options{}) })
}
