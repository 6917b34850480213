package report

import (
	"context"
	"slices"
	"strconv"

	"cloister/core/data"
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
	o, err := FindOptimum(ctx, m, problem, b)
	if err != nil {
		return nil, err
	}
	defer o.Clear()
	return o.Losses(problem.Data), nil
}

// Optimum is what the exact losses of all records are computed from: θ*, and the derivatives of J
// there. It is as private as the noise that the fit drew: ∇J(θ*) = −b. Clear it after use.
type Optimum struct {
	mechanism Mechanism
	theta     []float64
	exact     *Exact
}

// FindOptimum is the first half of [Losses], and Optimum.Losses the other. It takes sums over
// the records alone, so they may be elsewhere. Use both for records of which several
// workers have some blocks each: the losses are the same to the last bit, whoever has which. Errors
// are those of Losses.
func FindOptimum(
	ctx context.Context, m Mechanism, problem learn.Problem, b []float64,
) (*Optimum, error) {
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
	parts, err := problem.Parts(m.Loss.Threshold(), m.RowNorm)
	if err != nil {
		return nil, err
	}
	o := &Optimum{mechanism: m, theta: slices.Clone(m.Theta)}
	if m.Output.Sigma > 0 {
		solved, err := solve.Newton(
			ctx, solve.NewObjective(m.Lambda, b, parts...),
			solve.Options{Tolerance: lossTolerance * m.RowNorm},
		)
		if err != nil {
			return nil, err
		}
		o.theta = solved.Theta
	}
	o.exact, err = NewExact(solve.NewObjective(m.Lambda, nil, parts...), o.theta, m.Sigma)
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Numbers are the optimum as OptimumFrom takes it.
func (o *Optimum) Numbers() []float64 {
	return slices.Concat(o.theta, o.exact.gradient, o.exact.inverse.At)
}

// OptimumFrom returns the optimum of these Numbers, of the same model; nil if they are of another.
// It keeps the numbers, and Clear clears them.
func OptimumFrom(m Mechanism, numbers []float64) *Optimum {
	d := len(m.Theta)
	if len(numbers) != 2*d+d*(d+1)/2 {
		return nil
	}
	return &Optimum{m, numbers[:d], &Exact{
		sigma: m.Sigma, gradient: numbers[d : 2*d], inverse: &solve.Packed{N: d, At: numbers[2*d:]},
	}}
}

// Clear sets to 0 what is private in it.
func (o *Optimum) Clear() {
	clear(o.theta)
	clear(o.exact.gradient)
	clear(o.exact.inverse.At)
	if o.exact.factor != nil {
		clear(o.exact.factor.At)
	}
}

// Losses returns the exact ex-post losses of the records, in their order: see the function Losses.
func (o *Optimum) Losses(d *data.Dataset) []float64 {
	losses := make([]float64, d.X.Rows())
	all := func() []float64 { return losses }
	return solve.Shares(len(losses), 1, all, func(first, end int, losses []float64) {
		for i := first; i < end; i++ {
			row := d.X.Row(i)
			_, slope, curvature := o.mechanism.Loss.Row(norm2(row)).At(row.Dot(o.theta), d.Y[i])
			losses[i] = o.exact.Loss(Record{row, slope, curvature}, true)
		}
	}, func(_, _ []float64) {})
}
