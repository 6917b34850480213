package lab

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Method is a way of fitting.
type Method struct {
	Name     string   // in cells and on command lines
	Title    string   // for people: short enough for a plot's label
	Family   string   // what it is a variant of
	Standing Standing // on public data; see Standing.On
	About    string   // what was chosen how, and how it is priced
	Encoding Encoding

	// Increase Revision when the method changes. Then results of the old method are not
	// taken for results of the new one.
	Revision int

	// settings are the points of the grid that a dishonest method picks from;
	// nil if there is nothing to pick. Each point is a fit of its own, and an
	// ordinary private one: what is dishonest is to pick, which Best does.
	settings func(Effort) []string

	// fit runs the method on the records to train on. It does not see the
	// others.
	fit func(*job) (outcome, error)
}

// Families, which methods are variants of.
const (
	FamilyObjective = "objective perturbation"
	FamilySGD       = "stochastic gradient descent"
	FamilyDescent   = "gradient descent"
	FamilyOutput    = "output perturbation"
	FamilyPlain     = "no noise"
)

// Settings are the points of the method's grid, [""] if it has none.
func (m Method) Settings(effort Effort) []string {
	if m.settings == nil {
		return []string{""}
	}
	return m.settings(effort)
}

func (m Method) checkSetting(setting string, effort Effort) error {
	known := m.Settings(effort)
	for _, s := range known {
		if s == setting {
			return nil
		}
	}
	if m.settings == nil {
		return &privacy.ParameterError{
			Field: "setting",
			Value: quote(setting),
			Want:  "empty: " + m.Name + " has no grid",
		}
	}
	return &UnknownError{Field: "setting", Name: setting, Known: known}
}

// job is what a method is given.
type job struct {
	ctx       context.Context
	train     *data.Dataset
	guarantee privacy.Guarantee // add/remove; for methods that are not private, not looked at
	setting   string
	effort    Effort
	source    random.Source
	prices    *prices
}

// outcome is what a method gives back, for this package only.
type outcome struct {
	model  scorer
	event  privacy.Event // what was done; nil if not private
	detail string        // what a reader of the results may want to know
}

// scorer is a learn.Model or a learn.Unprotected.
type scorer interface {
	Evaluate(*data.Dataset) learn.Evaluation
	Margin(data.Row) float64
}

// FindMethod returns the method of that name, or an *UnknownError.
func FindMethod(name string) (Method, error) {
	return named("method", name, Methods(), func(m Method) string { return m.Name })
}

// named is the one of that name among all there are, or an *UnknownError.
func named[T any](field, name string, all []T, nameOf func(T) string) (T, error) {
	known := make([]string, len(all))
	for i, one := range all {
		if known[i] = nameOf(one); known[i] == name {
			return one, nil
		}
	}
	var none T
	return none, &UnknownError{Field: field, Name: name, Known: known}
}
