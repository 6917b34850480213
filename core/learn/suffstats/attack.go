package suffstats

import (
	"context"
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Attack returns the audit of a fit by this plan. The price is that of a Gaussian
// mechanism, which a record of the largest size and label alone in the table reaches; under
// replace-one, one whose label is turned round. What is released is the moments, so they
// stand in the place of the coefficients: the matrix by rows, the vector, the square.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	test, err := suspect.Shifted()
	if err != nil {
		return learn.Attack{}, err
	}
	with := learn.Marks(schema, loss, plan.RowNorm, []learn.Mark{{Scale: 1, Label: 1}})
	without := learn.Marks(schema, loss, plan.RowNorm, nil)
	if plan.Adjacency == privacy.ReplaceOne {
		without = learn.Marks(schema, loss, plan.RowNorm, []learn.Mark{{Scale: 1, Label: -1}})
	}
	toward, err := plan.between(without, with)
	if err != nil {
		return learn.Attack{}, err
	}
	fit := func(noise float64) (learn.Fit, error) {
		plan := plan
		plan.MatrixSigma *= noise
		plan.VectorSigma *= noise
		plan.SquareSigma *= noise
		_, err := plan.Event()
		return learn.OneVector(0, func(
			ctx context.Context, p learn.Problem, source random.Source, told func(solve.Progress),
		) (learn.Model, *learn.Diagnostics, error) {
			model, diagnostics, err := Fit(ctx, p, plan, source, told)
			if err == nil {
				m := model.Moments
				model.Coefficients = slices.Concat(m.Matrix.At, m.Vector, []float64{m.Square})
			}
			return model, diagnostics, err
		}), err
	}
	return learn.Attack{
		Without: without, With: with, Test: test, Fit: fit,
		Statistic: func(moments []float64) float64 {
			sum := 0.0
			for i, x := range moments {
				sum += x * toward[i]
			}
			return sum
		},
	}, nil
}

// between is by what the moments of two neighbours differ, each in units of its noise's
// variance: the log-likelihood ratio of the two releases is linear in them, with these
// factors.
func (p Plan) between(without, with learn.Problem) ([]float64, error) {
	a, err := p.sum(context.Background(), without.Data)
	if err != nil {
		return nil, err
	}
	b, err := p.sum(context.Background(), with.Data)
	if err != nil {
		return nil, err
	}
	factors := make([]float64, len(a.at))
	set := func(at int, sigma float64) {
		factors[at] = float64(b.at[at]-a.at[at]) * p.Grid / (sigma * sigma)
	}
	at := 0
	for i := range p.Dimension {
		for j := range i + 1 {
			sigma := p.MatrixSigma
			if i == j {
				sigma = diagonalSigma(sigma)
			}
			set(at, sigma)
			at++
		}
	}
	for range p.Dimension {
		set(at, p.VectorSigma)
		at++
	}
	set(at, p.SquareSigma)
	return factors, nil
}
