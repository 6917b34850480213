// Package ovr fits a label of K classes by one-vs-rest. It fits one model for each
// class, that class against all others, and predicts the class with the largest margin.
//
// Every record takes part in all K fits, and each fit draws its own noise. So the whole
// is a composition of K mechanisms on the same records ([Event]), and is priced as one.
// Neighbouring files of K classes give neighbouring files of two classes in each fit.
//
// The package imports no learner: the learner for two classes is an argument.
package ovr

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Progress is where the fit of one class stands.
type Progress struct {
	Class int // from 0
	solve.Progress
}

// Event is the composition of the fits of all classes, from the event of one.
func Event(one privacy.Event, classes int) privacy.Event {
	return privacy.Composition{
		Adjacency: one.Neighbours(),
		Parts:     []privacy.Part{{Event: one, Count: classes}},
	}
}

// Fit runs the learner, which fits two classes, once for each class of the problem's label, in
// their order, with noise from source, and returns the model of all of them and each fit's
// diagnostics. plan is of one of the fits; see Event. progress may be nil.
//
// Errors: a *privacy.ParameterError for the field "label" unless the label has
// several classes; else the learner's own, of the first class that it refused:
// then nothing is released, and all of the event is charged.
func Fit[P any](
	ctx context.Context, problem learn.Problem, plan P, learner learn.FitBy[P],
	source random.Source, progress func(Progress),
) (learn.Model, []*learn.Diagnostics, error) {
	schema := problem.Data.Schema
	if schema == nil || schema.Label.Type != data.SeveralClasses {
		return learn.Model{}, nil, &privacy.ParameterError{
			Field: "label",
			Value: "not of several classes",
			Want:  "of several; a label of two classes and a numeric one are fitted as they are",
		}
	}
	classes := len(schema.Label.Classes)
	for i, y := range problem.Data.Y {
		if k := int(y); float64(k) != y || k < 0 || k >= classes {
			return learn.Model{}, nil, &learn.RowError{
				Row: i,
				Problem: "has the label " + privacy.Number(y) +
					", which is not the number of a class",
			}
		}
	}
	models := make([]learn.Model, classes)
	diagnostics := make([]*learn.Diagnostics, classes)
	for k := range classes {
		var told func(solve.Progress)
		if progress != nil {
			told = func(p solve.Progress) { progress(Progress{k, p}) }
		}
		var err error
		models[k], diagnostics[k], err = learner(ctx, problem.AgainstRest(k), plan, source, told)
		if err != nil {
			return learn.Model{}, nil, err
		}
	}
	return learn.Join(schema, models), diagnostics, nil
}
