package lab

import (
	"context"
	"math"

	"cloister/core/privacy"
)

// A set that a paper made up and did not publish is another draw here. How much
// that alone moves a figure is seen by drawing it several times more.

// RedrawnAccuracies are the accuracies without privacy on n other draws of a
// made-up set, by its recipe. Errors: *UnknownError, *privacy.ParameterError for
// a set that cannot be drawn anew, and the context's.
func RedrawnAccuracies(ctx context.Context, set string, n int) ([]float64, error) {
	plain := withoutNoise()
	return redrawn(set, n, func(d *dense) (float64, error) {
		cell := Cell{Set: Given, Method: plain.Name, Epsilon: math.Inf(1), Trial: 1, Effort: Full}
		r, err := On(d.encode(plain.Encoding)).Run(ctx, cell)
		return r.Accuracy, err
	})
}

// RedrawnLeastRisks are LeastRisk on n other draws of a made-up set. Errors are
// those of RedrawnAccuracies and of LeastRisk.
func RedrawnLeastRisks(ctx context.Context, set string, lambda float64, n int) ([]float64, error) {
	if err := privacy.CheckPositive("lambda", lambda); err != nil {
		return nil, err
	}
	return redrawn(
		set, n,
		func(d *dense) (float64, error) { return leastRisk(ctx, d.standardised(), set, lambda) },
	)
}

func redrawn(name string, n int, figure func(*dense) (float64, error)) ([]float64, error) {
	set, err := FindSet(name)
	if err != nil {
		return nil, err
	}
	if set.redraw == nil {
		return nil, &privacy.ParameterError{
			Field: "set",
			Value: quote(name),
			Want:  "one that can be drawn anew",
		}
	}
	out := make([]float64, n)
	for i := range out {
		if out[i], err = figure(set.redraw(name + "/again/" + decimal(i+1))); err != nil {
			return nil, err
		}
	}
	return out, nil
}
