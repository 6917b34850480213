// Package plain fits without any privacy. Use it on the data holder's machine, to
// measure private fits against. It returns a learn.Unprotected, which no release
// accepts.
package plain

import (
	"context"
	"math"
	"strconv"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// MaxDimension is the largest number of columns that Fit takes: it factorises
// the Hessian.
const MaxDimension = 4096

// Fit returns the minimiser of Σ ℓ(θ; zᵢ) + (λ/2)‖θ‖², λ > 0, nothing clipped,
// by Newton's method, to a gradient of 1e-9 times the lengths of the records'
// gradients at 0, added up. progress may be nil.
//
// Errors: a *privacy.ParameterError ("lambda", "schema", "dimension", "label", "loss"), a
// *learn.RowError for a row that no data set should have, the context's, or a
// *solve.NotConvergedError.
func Fit(
	ctx context.Context, problem learn.Problem, lambda float64, progress func(solve.Progress),
) (learn.Unprotected, *learn.Diagnostics, error) {
	if err := check(problem); err != nil {
		return learn.Unprotected{}, nil, err
	}
	if !(lambda >= 0x1p-300 && lambda <= 0x1p300) {
		return learn.Unprotected{}, nil, &privacy.ParameterError{
			Field: "lambda",
			Value: privacy.Number(lambda),
			Want:  "a number above 0 (from 2^-300 to 2^300)",
		}
	}
	if d := problem.Dimension(); d > MaxDimension {
		return learn.Unprotected{}, nil, &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(d),
			Want:  "at most " + strconv.Itoa(MaxDimension),
		}
	}
	rows, err := problem.Rows(math.Inf(1), problem.Data.Schema.RowNorm())
	if err != nil {
		return learn.Unprotected{}, nil, err
	}
	scale := lambda * 1e-3 // of data that have no gradient
	for i := range problem.Data.X.Rows() {
		squares := 0.0
		for _, v := range problem.Data.X.Row(i).Value {
			squares += float64(v * v)
		}
		scale += math.Abs(problem.Loss.Slope(0, problem.Data.Y[i])) * math.Sqrt(squares)
	}
	result, err := solve.Newton(
		ctx, solve.NewObjective(lambda, nil, rows),
		solve.Options{Tolerance: 1e-9 * scale, Progress: progress},
	)
	if err != nil {
		return learn.Unprotected{}, nil, err
	}
	return learn.NewUnprotected("no noise was added", problem, result.Theta), &learn.Diagnostics{
		Rows: problem.Data.X.Rows(), Certificate: result.Certificate, Iterations: result.Iterations,
		Hessians: result.Hessians,
	}, nil
}

func check(problem learn.Problem) error {
	schema := problem.Data.Schema
	if schema == nil {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	if d := schema.Dimension(); d != problem.Dimension() {
		return &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(problem.Dimension()),
			Want:  strconv.Itoa(d) + ", the number of columns of the schema",
		}
	}
	return problem.Check(schema.RowNorm())
}
