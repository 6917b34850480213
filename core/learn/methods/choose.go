package methods

import (
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Choose chooses the noise of a fit by the method of that name, or by the [Usual] one for
// the name "". Errors: a
// *privacy.ParameterError whose field is "method" (there is none of this name, or
// it is not for such a label or adjacency), "loss", "records", that of the tuning,
// or what the learner finds at fault; or an *InfeasibleError of package account or
// calibrate where no noise gives the guarantee.
func Choose(name string, asked learn.Asked) (learn.Chosen, error) {
	name, asked = named(name, asked)
	method, err := check(name, asked)
	if err != nil {
		return learn.Chosen{}, err
	}
	chosen, err := method.Choose(asked)
	if err != nil {
		return learn.Chosen{}, err
	}
	several := asked.Schema.Label.Type == data.SeveralClasses
	chosen.Sums, chosen.ClassSums = method.Sums && !several, method.Sums && several
	if chosen.Attack == nil {
		chosen.Attack = attackOn(asked, chosen.Plan)
	}
	return chosen, nil
}

// Trials returns a function that gives the trial of such a fit at any ε, or the error
// of Choose if no fit has that ε. With several classes, choosing noise takes long. So
// it is chosen once, at the ε that is asked for, and estimated at others. For the name ""
// the method is the [Usual] one at each ε.
func Trials(name string, asked learn.Asked) (func(epsilon float64) (learn.Trial, error), error) {
	if _, err := check(named(name, asked)); err != nil {
		return nil, err
	}
	quick := func(float64) (learn.Trial, error) { return learn.Trial{}, nil }
	if asked.Schema.Label.Type == data.SeveralClasses {
		quick = trialsOfSeveral(asked)
		if softmax(asked) {
			quick = trialsOfSoftmax(asked)
		}
	}
	return func(epsilon float64) (learn.Trial, error) {
		at := asked
		at.Guarantee.Epsilon = epsilon
		by, at := named(name, at)
		if by == Default && asked.Schema.Label.Type == data.SeveralClasses {
			return quick(epsilon)
		}
		chosen, err := Choose(by, at)
		if err != nil {
			return learn.Trial{}, err
		}
		return chosen.Trial()
	}, nil
}

// named is what is asked for, by the name of the usual method if it has none.
func named(name string, asked learn.Asked) (string, learn.Asked) {
	if name != "" {
		return name, asked
	}
	if !tuned(asked.Tuning) {
		asked.Tuning = learn.Tuning{} // the bound "auto" is no tuning
	}
	return Usual(asked), asked
}

// check returns the method, or an error unless it can do what is asked.
func check(name string, asked learn.Asked) (learn.Method, error) {
	m, err := Named(name)
	if err != nil {
		return m, err
	}
	if asked.Schema == nil {
		return m, &privacy.ParameterError{Field: "schema", Value: "missing", Want: "given"}
	}
	for _, check := range []func() error{
		func() error { return CheckLabel(m, &asked.Schema.Label) },
		func() error { return CheckLoss(m, asked.Loss, &asked.Schema.Label) },
		asked.Guarantee.Validate,
		func() error { return CheckAdjacency(m, asked.Guarantee.Adjacency) },
		func() error { return CheckRecords(m, "records", asked.Records) },
		func() error { return checkTuning(m, asked.Tuning) },
	} {
		if err := check(); err != nil {
			return m, err
		}
	}
	return m, nil
}

// Named returns the method of that name, or a *privacy.ParameterError for the field
// "method" that lists them.
func Named(name string) (learn.Method, error) {
	methods := All()
	if i := slices.IndexFunc(methods, func(m learn.Method) bool { return m.Name == name }); i >= 0 {
		return methods[i], nil
	}
	return learn.Method{}, &privacy.ParameterError{
		Field: "method", Value: privacy.Quote(name), Want: oneOf(methods),
	}
}

// CheckLabel is a *privacy.ParameterError for the field "method" unless the method
// is for such a label.
func CheckLabel(m learn.Method, label *data.Label) error {
	if slices.Contains(m.Labels, label.Type) {
		return nil
	}
	able := For(label.Type)
	want := oneOf(able)
	if slices.ContainsFunc(able, func(m learn.Method) bool { return m.Name == Default }) {
		want += ", or left out,"
	}
	return &privacy.ParameterError{
		Field: "method", Value: strconv.Quote(m.Name), Want: want + " for a " + kinds[label.Type],
	}
}

var kinds = map[data.LabelType]string{
	data.TwoClasses:     "label of two classes",
	data.SeveralClasses: "label of several classes",
	data.NumericLabel:   "numeric label",
}

// CheckLoss is a *privacy.ParameterError for the field "loss" unless the method
// takes the loss, and the loss is one for the label.
func CheckLoss(m learn.Method, loss glm.Loss, label *data.Label) error {
	if err := learn.CheckLoss(loss, label); err != nil {
		return err
	}
	name, losses := learn.LossName(loss), m.Losses
	if label.Type == data.SeveralClasses && m.Name != Default {
		losses = []string{learn.SoftmaxLoss} // one against the rest is objective perturbation's
	}
	if !slices.Contains(losses, name) {
		return &privacy.ParameterError{
			Field: "loss", Value: strconv.Quote(name), Want: list(losses) + " for this method",
		}
	}
	return nil
}

// CheckAdjacency is a *privacy.ParameterError for the field "method" unless the
// method has a guarantee for such neighbours.
func CheckAdjacency(m learn.Method, adjacency privacy.Adjacency) error {
	if slices.Contains(m.Adjacencies, adjacency) {
		return nil
	}
	its := "records added or removed"
	if slices.Contains(m.Adjacencies, privacy.ReplaceOne) {
		its = "one record replaced by another"
	}
	return &privacy.ParameterError{
		Field: "method", Value: strconv.Quote(m.Name),
		Want: "another for " + strconv.Quote(adjacency.String()) + ": this one is for " + its,
	}
}

// CheckRecords is a *privacy.ParameterError for that field if the method needs a
// public number of records, and this is none.
func CheckRecords(m learn.Method, field string, records float64) error {
	if !m.Records {
		return nil
	}
	return learn.CheckRange(field, records, false)
}

// checkTuning refuses a tuning of a method that chooses all of it itself.
func checkTuning(m learn.Method, t learn.Tuning) error {
	if m.Tuned {
		return nil
	}
	for _, given := range []struct {
		field, value string
		is           bool
	}{
		{"bound", strconv.Quote(string(t.Bound)), t.Bound != ""},
		{"clip", privacy.Number(t.Clip), t.Clip != 0},
		{"lambda", privacy.Number(t.Lambda), t.Lambda != 0},
		{"radius", privacy.Number(t.Radius), t.Radius != 0},
		{"tau", privacy.Number(t.Tau), t.Tau != 0},
	} {
		if given.is {
			return &privacy.ParameterError{
				Field: given.field, Value: given.value, Want: "left out: this method chooses it",
			}
		}
	}
	return nil
}

// oneOf lists the methods' names: `"a", "b" or "c"`.
func oneOf(methods []learn.Method) string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
	}
	return list(names)
}

func list(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += strconv.Quote(name)
	}
	return text
}
