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
	"cloister/core/random"
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

// Stochastic is plain stochastic gradient descent, for comparing the cost of
// an epoch: every epoch deals the records out anew into batches, and each batch
// takes a step of −Rate times its mean gradient.
type Stochastic struct {
	Rate   float64 // > 0
	Lambda float64 // of (λ/2)‖θ‖² beside the mean; ≥ 0
	Batch  int     // ≥ 1
	Epochs int     // ≥ 0
}

// Fit takes the steps from θ = 0. Errors are those of the package's Fit, except the
// solver's. A run that diverges is an error too.
func (s Stochastic) Fit(
	ctx context.Context, problem learn.Problem, source random.Source,
) (learn.Unprotected, *learn.Diagnostics, error) {
	if err := check(problem); err != nil {
		return learn.Unprotected{}, nil, err
	}
	if err := s.validate(); err != nil {
		return learn.Unprotected{}, nil, err
	}
	x, y := problem.Data.X, problem.Data.Y
	theta, gradient := make([]float64, problem.Dimension()), make([]float64, problem.Dimension())
	order := make([]int, x.Rows())
	for i := range order {
		order[i] = i
	}
	for range s.Epochs {
		if err := shuffle(order, source); err != nil {
			return learn.Unprotected{}, nil, err
		}
		for start := 0; start < len(order); start += s.Batch {
			if ctx.Err() != nil {
				return learn.Unprotected{}, nil, context.Cause(ctx)
			}
			batch := order[start:min(start+s.Batch, len(order))]
			clear(gradient)
			for _, i := range batch {
				row := x.Row(i)
				slope := problem.Loss.Slope(row.Dot(theta), y[i])
				for k, j := range row.Index {
					gradient[j] += float64(slope * row.Value[k])
				}
			}
			step := s.Rate / float64(len(batch))
			shrink := 1 - s.Rate*s.Lambda
			for j, g := range gradient {
				theta[j] = float64(shrink*theta[j]) - float64(step*g)
			}
		}
	}
	for _, c := range theta {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return learn.Unprotected{}, nil, &privacy.ParameterError{
				Field: "rate",
				Value: privacy.Number(s.Rate),
				Want:  "smaller: the steps ran away",
			}
		}
	}
	return learn.NewUnprotected(
			"no noise was added",
			problem,
			theta,
		), &learn.Diagnostics{
			Rows:       x.Rows(),
			Iterations: s.Epochs,
		}, nil
}

func (s Stochastic) validate() error {
	if err := privacy.CheckPositive("rate", s.Rate); err != nil {
		return err
	}
	if err := privacy.CheckNonNegative("lambda", s.Lambda); err != nil {
		return err
	}
	if s.Batch < 1 {
		return &privacy.ParameterError{
			Field: "batch",
			Value: strconv.Itoa(s.Batch),
			Want:  "1 or more",
		}
	}
	if s.Epochs < 0 {
		return &privacy.ParameterError{
			Field: "epochs",
			Value: strconv.Itoa(s.Epochs),
			Want:  "0 or more",
		}
	}
	return nil
}

// shuffle is Fisher & Yates's, by the remainder of a word: for order, which is
// no secret here.
func shuffle(order []int, source random.Source) error {
	for i := len(order) - 1; i > 0; i-- {
		word, err := source.Uint64()
		if err != nil {
			return err
		}
		j := int(word % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	return nil
}
