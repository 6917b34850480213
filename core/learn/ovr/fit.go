// Package ovr fits a label of K classes by one-vs-rest: for each class a model
// of two, that class against all others, and the prediction is the class whose
// margin is the largest.
//
// Every record takes part in all K fits, with one label or the other, and each
// fit draws noise of its own. So the whole is a composition of K mechanisms on
// the same records ([Event]), and is priced as such; neighbouring files make
// neighbouring files of two classes, for each class.
//
// The package knows no learner: the one for two classes is an argument.
package ovr

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Learner fits a problem of two classes by a plan of type P: the Fit of any
// learner.
type Learner[P any] func(ctx context.Context, problem learn.Problem, plan P, source random.Source, progress func(solve.Progress)) (learn.Model, *learn.Diagnostics, error)

// Progress is where the fit of one class stands.
type Progress struct {
	Class int // from 0
	solve.Progress
}

// Event is what fitting so many classes costs if each costs what one does.
func Event(one privacy.Event, classes int) privacy.Event {
	return privacy.Composition{Adjacency: one.Neighbours(), Parts: []privacy.Part{{Event: one, Count: classes}}}
}

// Fit runs the learner once for each class of the problem's label, in their
// order, with noise from source, and returns the model of all of them and each
// fit's diagnostics. plan is of one of the fits; see Event. progress may be nil.
//
// Errors: a *privacy.ParameterError for the field "label" unless the label has
// several classes; else the learner's own, of the first class that it refused:
// then nothing is released, and all of the event is charged.
func Fit[P any](ctx context.Context, problem learn.Problem, plan P, learner Learner[P], source random.Source, progress func(Progress)) (learn.Model, []*learn.Diagnostics, error) {
	schema := problem.Data.Schema
	if schema == nil || schema.Label.Type != data.SeveralClasses {
		return learn.Model{}, nil, &privacy.ParameterError{Field: "label", Value: "not of several classes", Want: "of several; a label of two classes and a numeric one are fitted as they are"}
	}
	classes := len(schema.Label.Classes)
	for i, y := range problem.Data.Y {
		if k := int(y); float64(k) != y || k < 0 || k >= classes {
			return learn.Model{}, nil, &learn.RowError{Row: i, Problem: "has the label " + privacy.Number(y) + ", which is not the number of a class"}
		}
	}
	models := make([]learn.Model, classes)
	diagnostics := make([]*learn.Diagnostics, classes)
	for k := range classes {
		var told func(solve.Progress)
		if progress != nil {
			told = func(p solve.Progress) { progress(Progress{k, p}) }
		}
		one := learn.Problem{Data: problem.Data.AgainstRest(k), Loss: problem.Loss}
		var err error
		if models[k], diagnostics[k], err = learner(ctx, one, plan, source, told); err != nil {
			return learn.Model{}, nil, err
		}
	}
	return learn.Join(schema, models), diagnostics, nil
}
