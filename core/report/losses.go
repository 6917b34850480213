package report

import (
	"context"
	"strconv"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// lossTolerance is the certified norm of the gradient, in units of R, at which
// Losses takes θ* to be found: that which a fit of 10⁷ records can certify
// (calibrate.SmallestTau).
const lossTolerance = 0x1p-20

// Losses returns the exact ex-post loss of every record of the problem, with its sign:
// what the release of model m cost each of them. It is for the data holder alone. b is
// the noise that the fit drew (amp.Noise).
//
// θ* is solved for again, to within lossTolerance·R/λ, and the losses are those of
// publishing it. If Theta is not θ*, the output step's loss adds to them. Bound.Output
// bounds it; it has no exact value here, because nobody knows where the solver would
// have stopped without the record.
//
// Errors: *privacy.ParameterError, a *learn.RowError, a *solve.NotConvergedError,
// or the context's.
func Losses(
	ctx context.Context, m Mechanism, problem learn.Problem, b []float64,
) ([]float64, error) {
	if d := problem.Dimension(); d != len(m.Theta) || len(b) != d {
		return nil, &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(d),
			Want:  strconv.Itoa(len(m.Theta)) + ", the number of coefficients, and b as long",
		}
	}
	if err := problem.Check(m.RowNorm); err != nil {
		return nil, err
	}
	rows, err := problem.Rows(m.Loss.Threshold(), m.RowNorm)
	if err != nil {
		return nil, err
	}
	theta := m.Theta
	if m.Output.Sigma > 0 {
		solved, err := solve.Newton(
			ctx, solve.NewObjective(m.Lambda, b, rows),
			solve.Options{Tolerance: lossTolerance * m.RowNorm},
		)
		if err != nil {
			return nil, err
		}
		theta = solved.Theta
	}
	exact, err := NewExact(solve.NewObjective(m.Lambda, nil, rows), theta, m.Sigma)
	if err != nil {
		return nil, err
	}
	losses := make([]float64, problem.Data.X.Rows())
	all := func() []float64 { return losses }
	return solve.Shares(len(losses), 1, all, func(first, end int, losses []float64) {
		for i := first; i < end; i++ {
			row := problem.Data.X.Row(i)
			_, slope, curvature := m.Loss.Row(norm2(row)).At(row.Dot(theta), problem.Data.Y[i])
			losses[i] = exact.Loss(Record{row, slope, curvature}, true)
		}
	}, func(_, _ []float64) {}), nil
}
