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

// Solvers are all that there are: lbfgs_test.go adds the one that imports this
// package.
var Solvers = map[string]Solver{"Newton": Newton, "SAG": SAG}

// A certificate is worth the same whoever asked for it: by strong convexity all
// solvers end within 2·Tolerance/λ of each other.
func TestSolversAgree(t *testing.T) {
	for name, loss := range losses(t) {
		for _, n := range []int{0, 1, 40, 1500} {
			const lambda, tolerance = 1.5, 1e-8
			o := NewObjective(lambda, perturbation(4, 105, 5), census(t, n, loss))
			reference, err := Newton(t.Context(), o, Options{Tolerance: tolerance})
			require.NoError(t, err)
			for solver, solve := range Solvers {
				result, err := solve(t.Context(), o, Options{Tolerance: tolerance})
				require.NoError(t, err, "%s %s %d", solver, name, n)
				assert.LessOrEqual(t, result.Certificate.Upper(), tolerance)
				assert.Equal(
					t, o.Certify(result.Theta), result.Certificate, "owes nothing to the way there",
				)
				assert.InDeltaSlice(
					t, reference.Theta, result.Theta, 2*tolerance/lambda, "%s %s %d", solver, name,
					n,
				)
				again, err := solve(t.Context(), o, Options{Tolerance: tolerance})
				require.NoError(t, err)
				assert.Equal(t, result, again, "%s: the same again", solver)
			}
		}
	}
}

func TestSolversOnDenseRowsAndSeveralParts(t *testing.T) {
	dense, sparse := denseRows(t, 700, 9, 256)
	few := *sparse
	few.Start, few.Label = sparse.Start[:101], sparse.Label[:100]
	o := NewObjective(0.7, perturbation(3, 9, 4), dense, &few)
	reference, err := Newton(t.Context(), o, Options{Tolerance: 1e-9})
	require.NoError(t, err)
	for name, solve := range Solvers {
		result, err := solve(t.Context(), o, Options{Tolerance: 1e-9})
		require.NoError(t, err, name)
		assert.InDeltaSlice(t, reference.Theta, result.Theta, 4e-9, name)
	}
}

// Whatever the data, every solver certifies its result or says why not.
func TestSolversOnOddData(t *testing.T) {
	repeat := func(n int, row ...float64) (x [][]float64) {
		for range n {
			x = append(x, row)
		}
		return x
	}
	labels := func(n int, pattern ...float64) (y []float64) {
		for i := range n {
			y = append(y, pattern[i%len(pattern)])
		}
		return y
	}
	wide := make([][]float64, 4)
	d := seeded(12)
	for i := range wide {
		for range 30 {
			wide[i] = append(wide[i], 0.3*d.symmetric())
		}
	}
	for name, c := range map[string]struct {
		x [][]float64
		y []float64
	}{
		"one record":         {repeat(1, 0.6, 0.8), labels(1, 1)},
		"zero rows":          {repeat(10, 0, 0, 0), labels(10, 1, -1)},
		"constant features":  {repeat(50, 0.5, 0.5, 0.5), labels(50, 1, -1)},
		"duplicated columns": {append(repeat(20, 0.5, 0.5, 0.1), repeat(20, -0.25, -0.25, 0.7)...), labels(40, 1, 1, -1)},
		"one class":          {repeat(50, 0.5, -0.5), labels(50, 1)},
		"separable":          {append(repeat(20, 0.9, 0.1), repeat(20, -0.9, 0.1)...), append(labels(20, 1), labels(20, -1)...)},
		"n < d":              {wide, labels(4, -1, 1)},
	} {
		for loss, clipped := range losses(t) {
			for _, lambda := range []float64{1e-2, 1, 1e4} {
				o := NewObjective(
					lambda, perturbation(5, len(c.x[0]), 1), rowsOf(clipped, 2, c.x, c.y),
				)
				for solver, solve := range Solvers {
					if solver == "SAG" && lambda < 1 {
						continue // n·β/λ steps a digit
					}
					result, err := solve(t.Context(), o, Options{Tolerance: 1e-8})
					require.NoError(t, err, "%s, %s, %s, λ = %g", solver, name, loss, lambda)
					for _, v := range result.Theta {
						assert.True(t, finite(v))
					}
					assert.LessOrEqual(t, result.Certificate.Upper(), 1e-8)
				}
			}
		}
	}
}

func TestSolversRefuseWhatTheyCannotCertify(t *testing.T) {
	r := census(t, 300, logistic(t))
	for name, c := range map[string]struct {
		o       *Objective
		options Options
		reasons []Reason
	}{
		"rounding":   {NewObjective(1, nil, r), Options{Tolerance: 1e-14}, []Reason{ReasonRounding, ReasonStalled}},
		"iterations": {NewObjective(1e-2, nil, r), Options{Tolerance: 1e-9, Iterations: 3}, []Reason{ReasonIterations}},
		"not a number": {
			NewObjective(
				1, []float64{math.NaN()}, rowsOf(logistic(t), 1, [][]float64{{1}}, []float64{1}),
			),
			Options{Tolerance: 1e-9}, []Reason{ReasonNotFinite},
		},
		"overflow": {NewObjective(1e-300, perturbation(1, 105, 1e300), r), Options{Tolerance: 1e-9}, []Reason{ReasonNotFinite, ReasonStalled}},
	} {
		for solver, solve := range Solvers {
			_, err := solve(t.Context(), c.o, c.options)
			var failure *NotConvergedError
			require.ErrorAs(t, err, &failure, "%s: %s", solver, name)
			assert.Contains(t, c.reasons, failure.Reason, "%s: %s", solver, name)
			assert.False(t, failure.Certificate.Upper() <= c.options.Tolerance)
		}
	}
	for _, solve := range Solvers {
		assert.Panics(
			t, func() { _, _ = solve(t.Context(), NewObjective(0, nil, r), Options{Tolerance: 1}) },
		)
		assert.Panics(t, func() { _, _ = solve(t.Context(), NewObjective(1, nil, r), Options{}) })
	}
	assert.Panics(
		t,
		func() { _, _ = SAG(t.Context(), NewObjective(1, nil, r.Thin(2)), Options{Tolerance: 1}) },
	)
}

func TestSolversAreCancelled(t *testing.T) {
	o := NewObjective(1e-2, nil, census(t, 3000, logistic(t)))
	why := errors.New("the reader closed the page")
	for name, solve := range Solvers {
		for after := range 3 {
			ctx, cancel := context.WithCancelCause(t.Context())
			if after == 0 {
				cancel(why)
			}
			seen := 0
			_, err := solve(ctx, o, Options{Tolerance: 1e-8, Progress: func(Progress) {
				if seen++; seen == after {
					cancel(why)
				}
			}})
			assert.ErrorIs(t, err, why, name)
			assert.LessOrEqual(t, seen, max(1, after), name)
			cancel(nil)
		}
	}
}

func TestSolversReportProgress(t *testing.T) {
	o := NewObjective(2, nil, census(t, 500, clip(t, glm.Logistic{}, 0.6)))
	for name, solve := range Solvers {
		last := Progress{}
		result, err := solve(t.Context(), o, Options{Tolerance: 1e-8, Progress: func(p Progress) {
			assert.Greater(t, p.Iteration, last.Iteration, name)
			last = p
		}})
		require.NoError(t, err)
		assert.Equal(t, result.Iterations, last.Iteration, name)
		assert.LessOrEqual(t, last.GradientNorm, 1e-8, name)
	}
}
