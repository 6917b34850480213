package ops

import (
	"context"
	"math"
	"slices"

	"cloister/core/adaptive"
	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Attack returns the audit of a tested sample. Without the record the table has one in the
// direction of every column but the first, all with label 0; the record is the first column's,
// with label 1. It moves the eigenvalue from 0 to R², the radius from 0 to all that its test
// allows for but for a term in R²/λ, and the mean of the sample. What is released is the noisy
// numbers too, so they stand before the coefficients.
func Attack(
	schema *data.Schema, loss glm.Loss, plan adaptive.Sample, suspect learn.Suspect,
) (learn.Attack, error) {
	spoilt := func(noise float64) Plan {
		plan := plan
		plan.EigenvalueRatio /= noise
		plan.RadiusRatio /= noise
		plan.OutputRatio /= noise
		return plan
	}
	first, err := spoilt(suspect.Noise).EigenvalueMargin()
	if err != nil {
		return learn.Attack{}, err
	}
	c, second, err := spoilt(suspect.Noise).After(0)
	if err != nil {
		return learn.Attack{}, err
	}
	r := plan.RowNorm
	radius := func(lambda float64) float64 { return math.Log1p(r * r / (lambda + r*r)) }
	gamma, _ := plan.Then(c, second, radius(c.Lambda))
	gamma /= suspect.Noise * suspect.Noise
	moved := math.Hypot(r*r/first.Sigma(), radius(c.Lambda)/second.Sigma())
	moved = math.Hypot(moved, r/(c.Lambda+r*r)*math.Sqrt(gamma*c.Lambda))
	aim, err := audit.Take(audit.Shifted(moved), suspect.Promise, suspect.Epsilons)
	if err != nil {
		return learn.Attack{}, err
	}
	aim.Rounds = min(aim.Rounds+aim.Rounds/4, audit.MaxRounds) // the sample's law is no shift
	likelier := func(released []float64) float64 {
		eigenvalue, log, lambda, gamma, theta := released[0], released[1], released[2],
			released[3], released[5]
		c := adaptive.Choice{Lambda: lambda, Moves: math.Log1p(r * r / lambda)}
		second, err := spoilt(suspect.Noise).RadiusMargin(c)
		if err != nil {
			return 0
		}
		law := func(s, b float64) float64 {
			h, out := lambda+s, released[4]
			variance := 1/(gamma*h) + out*out
			return -square((eigenvalue-s)/first.Sigma()) -
				square((log-math.Log1p(r*b/h))/second.Sigma()) -
				square(theta-b/h)/variance - math.Log(variance)/2
		}
		return law(r*r, r) - law(0, 0)
	}
	return learn.Attack{
		Without: axes(schema, loss, r, false), With: axes(schema, loss, r, true),
		Statistic: likelier, Test: audit.Test{Aim: aim},
		Fit: func(noise float64) (learn.Fit, error) {
			plan := spoilt(noise)
			return learn.OneVector(1, func(
				ctx context.Context, p learn.Problem, source random.Source,
				progress func(solve.Progress),
			) (learn.Model, *learn.Diagnostics, error) {
				model, told, diagnostics, err := fit(ctx, p, plan, noise, source, progress)
				if err == nil {
					model.Coefficients = slices.Concat([]float64{
						told.Eigenvalue, told.LogRadius, told.Lambda, told.Gamma, told.SigmaOut,
					}, model.Coefficients)
				}
				return model, diagnostics, err
			}), plan.Validate()
		},
	}, nil
}

func square(x float64) float64 { return x * x / 2 }

// axes are records of the largest size in the direction of every column but the first, with
// label 0, and, with the record, one in that of the first with label 1.
func axes(schema *data.Schema, loss glm.Loss, rowNorm float64, record bool) learn.Problem {
	x := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	var y []float64
	for j := range x.Columns {
		if j == 0 && !record {
			continue
		}
		x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, rowNorm)
		x.RowStart = append(x.RowStart, len(x.Index))
		label := 0.0
		if j == 0 {
			label = 1
		}
		y = append(y, label)
	}
	return learn.Problem{Data: &data.Dataset{Schema: schema, X: x, Y: y}, Loss: loss}
}

// FixedAttack returns the audit of a sample without a test. One record alone, as long as rows
// get and with the largest label, is replaced by one with the least: the mean moves by 2R/(λ+R²).
// No table is known that comes near the bound on the residual and moves as far, so that the
// price has room to spare.
func FixedAttack(
	schema *data.Schema, loss glm.Loss, plan Fixed, suspect learn.Suspect,
) (learn.Attack, error) {
	r := plan.RowNorm
	h := plan.Lambda + r*r
	moved := 2 * r * math.Sqrt(plan.Gamma()/h) / suspect.Noise
	aim, err := audit.Take(audit.Shifted(moved), suspect.Promise, suspect.Epsilons)
	if err != nil {
		return learn.Attack{}, err
	}
	aim.Rounds = min(aim.Rounds+aim.Rounds/8, audit.MaxRounds)
	mark := func(label float64) learn.Problem {
		return learn.Marks(schema, loss, r, []learn.Mark{{Scale: 1, Label: label}})
	}
	return learn.Attack{
		Without: mark(-1), With: mark(1), Test: audit.Test{Aim: aim},
		Statistic: func(theta []float64) float64 { return theta[0] },
		Fit: func(noise float64) (learn.Fit, error) {
			gamma := plan.gamma()
			return learn.OneVector(1, func(
				ctx context.Context, p learn.Problem, source random.Source,
				progress func(solve.Progress),
			) (learn.Model, *learn.Diagnostics, error) {
				return plan.fit(ctx, p, gamma, noise, source, progress)
			}), plan.Validate()
		},
	}, nil
}
