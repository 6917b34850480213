package amp

import (
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Attack returns the audit of a fit with this event; see [Evidence].
func Attack(
	schema *data.Schema, loss glm.Loss, event privacy.ApproximateMinima, suspect learn.Suspect,
) (learn.Attack, error) {
	e, err := FindEvidence(schema, loss, event, 1, suspect)
	if err != nil {
		return learn.Attack{}, err
	}
	without, with := e.Pair(schema, loss, e.label)
	return learn.Attack{
		Without: without, With: with, Test: e.Test, Placed: true,
		Statistic: func(theta []float64) float64 { return e.Of(theta[0]) },
		Fit: func(noise float64) (learn.Fit, error) {
			event := Scaled(event, noise)
			return learn.OneVector(0, keeping(event, nil)), event.Validate()
		},
	}, nil
}

// Scaled is the event with all its noise multiplied by a factor, and all else as it is:
// what an audit runs to see whether less noise would be noticed.
func Scaled(event privacy.ApproximateMinima, noise float64) privacy.ApproximateMinima {
	event.Objective.Sigma *= noise
	event.SigmaOut *= noise
	return event
}
