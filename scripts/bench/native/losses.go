package main

import (
	"context"
	"slices"

	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/report"
)

// losses times the exact losses of all records of a fit with their bounds by the
// report that costs nothing, and one bound by a report that was bought.
func losses(figures map[string]float64, problem learn.Problem, guarantee privacy.Guarantee) error {
	ctx, source := context.Background(), random.Secure()
	fit, err := methods.Choose(
		methods.Default,
		learn.Asked{Schema: problem.Data.Schema, Loss: problem.Loss, Guarantee: guarantee},
	)
	if err != nil {
		return err
	}
	var b []float64
	watch := learn.Watch{Noise: func(noise []float64) { b = slices.Clone(noise) }}
	model, _, err := fit.Fit(ctx, problem, source, watch)
	if err != nil {
		return err
	}
	m, err := report.NewMechanism(fit.Event, problem.Loss, model.Coefficients)
	if err != nil {
		return err
	}
	plan, err := report.Calibrate(m, guarantee, report.Shares{Gradient: 2, Hessian: 1})
	if err != nil {
		return err
	}
	published, err := report.Release(m, plan, problem, b, source)
	if err != nil {
		return err
	}
	bounds := func(published report.Published) func(int) error {
		return func(int) error {
			reader, err := report.NewReader(m, published, 0.05, report.Scope{People: 1})
			if err != nil {
				return err
			}
			for i := range problem.Data.X.Rows() {
				if _, err := reader.Row(problem.Data.X.Row(i), problem.Data.Y[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	figures["losses"], err = median(5, func(i int) error {
		if _, err := report.Losses(ctx, m, problem, b); err != nil {
			return err
		}
		return bounds(report.Published{})(i)
	})
	if err != nil {
		return err
	}
	all, err := median(3, bounds(published))
	figures["row-bound"] = all / float64(problem.Data.X.Rows())
	return err
}
