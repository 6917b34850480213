package thesis

import (
	"context"
	"fmt"
	"slices"

	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/ops"
	"cloister/core/learn/plain"
	"cloister/core/learn/suffstats"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Delta is the δ of figure 3.1.
const Delta = 1e-6

// System is one way to fit linear regression at an ε.
type System struct {
	Name string
	fit  func(
		ctx context.Context, p learn.Problem, epsilon, reach float64, source random.Source,
	) (learn.Model, error)
}

// Systems are those of figure 3.1 that are private, and two of AdaSSP. The two without a test
// take the number of records for public. The thesis' own sampler and its AdaOPS are left out:
// the constants printed for them do not have the guarantee that is claimed (package ops).
func Systems() []System {
	fixed := func(output bool) func(
		context.Context, learn.Problem, float64, float64, random.Source) (learn.Model, error) {
		return func(
			ctx context.Context, p learn.Problem, epsilon, reach float64, source random.Source,
		) (learn.Model, error) {
			plan, err := ops.NewFixed(
				guarantee(epsilon), output, p.Data.X.Columns, 1, p.Data.X.Rows(), reach)
			if err != nil {
				return learn.Model{}, err
			}
			model, _, err := plan.Fit(ctx, p, source, nil)
			return model, err
		}
	}
	return []System{
		{"output perturbation", fixed(true)},
		{"posterior sample, no test", fixed(false)},
		{"posterior sample, tested", func(
			ctx context.Context, p learn.Problem, epsilon, _ float64, source random.Source,
		) (learn.Model, error) {
			plan, err := ops.NewPlan(guarantee(epsilon), p.Data.X.Columns, 1)
			if err != nil {
				return learn.Model{}, err
			}
			model, _, _, err := ops.Fit(ctx, p, plan, source, nil)
			return model, err
		}},
		{"AdaSSP as published", func(
			ctx context.Context, p learn.Problem, epsilon, _ float64, source random.Source,
		) (learn.Model, error) {
			published := suffstats.Published{
				Epsilon: epsilon, Delta: Delta, Dimension: p.Data.X.Columns, RowNorm: 1,
			}
			return published.Fit(ctx, p, source)
		}},
		{"AdaSSP in one release", func(
			ctx context.Context, p learn.Problem, epsilon, _ float64, source random.Source,
		) (learn.Model, error) {
			plan, err := suffstats.NewPlan(guarantee(epsilon), p.Data.X.Columns, 1)
			if err != nil {
				return learn.Model{}, err
			}
			model, _, err := suffstats.Fit(ctx, p, plan, source, nil)
			return model, err
		}},
	}
}

func guarantee(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: Delta}
}

// Errors are the mean squared errors of a system on held-out records.
type Errors struct {
	System  string
	Epsilon float64
	Errors  []float64 // of each split, in the order of the splits
}

// Median is that of the splits.
func (e Errors) Median() float64 {
	sorted := slices.Sorted(slices.Values(e.Errors))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Regression fits a table by every system at every ε, with each of so many splits into four fifths
// to fit and one to test. done is told of each ε that is through with one system. It also returns
// the median error of least squares without privacy, and of predicting 0.
func Regression(
	ctx context.Context, t Table, epsilons []float64, splits int, done func(Errors),
) (exact, zero float64, err error) {
	type split struct {
		problem learn.Problem
		test    []int
	}
	made := make([]split, splits)
	var least, none Errors
	for k := range made {
		order := seeded.New(fmt.Sprintf("thesis %s split %d", t.Name, k)).Shuffled(t.Records())
		cut := t.Records() * 4 / 5
		made[k] = split{t.problem(order[:cut]), order[cut:]}
		// A ridge next to nothing, since columns may depend on each other.
		model, _, err := plain.Fit(ctx, made[k].problem, 1e-3, nil)
		if err != nil {
			return 0, 0, err
		}
		least.Errors = append(least.Errors, t.meanSquare(made[k].test, model.Coefficients()))
		none.Errors = append(none.Errors, t.meanSquare(made[k].test, make([]float64, t.Columns())))
	}
	for _, system := range Systems() {
		for _, epsilon := range epsilons {
			found := Errors{System: system.Name, Epsilon: epsilon}
			for k, s := range made {
				noise := seeded.New(fmt.Sprintf(
					"thesis %s %s %g noise %d", t.Name, system.Name, epsilon, k))
				model, err := system.fit(ctx, s.problem, epsilon, t.reach, noise)
				if err != nil {
					return 0, 0, fmt.Errorf("%s on %s at ε = %g: %w",
						system.Name, t.Name, epsilon, err)
				}
				found.Errors = append(found.Errors, t.meanSquare(s.test, model.Coefficients))
			}
			done(found)
		}
	}
	return least.Median(), none.Median(), nil
}

// meanSquare is the mean squared error of a model's predictions.
func (t Table) meanSquare(records []int, theta []float64) float64 {
	sum := 0.0
	for _, i := range records {
		y := 0.0
		for j, v := range t.x[i] {
			y += v * theta[j]
		}
		sum += (y - t.y[i]) * (y - t.y[i])
	}
	return sum / float64(len(records))
}
