package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/privacy"
)

// Choice is the publisher's statement of how a release's model was chosen. It matters
// because a guarantee covers only choices made by what was paid for. If the best of
// several models is picked by a figure that nobody paid for, such as accuracy on the
// rows they were fitted to, the sum of their costs does not cover it (package filter
// has an example).
//
// A file can prove only one of the choices: a private selection, which is in the event.
// The others are the publisher's word.
type Choice string

const (
	// NotStated is the choice of a release that does not state one, as in older
	// versions.
	NotStated Choice = ""
	// OnlyModel: no other model was fitted to these rows.
	OnlyModel Choice = "only-model"
	// AllPublished: every model that was fitted to these rows is published, and there
	// may be others beside this one.
	AllPublished Choice = "all-published"
	// PaidFigures: it was chosen from several by what had been paid for, which is
	// the models themselves and evaluations with noise, and by nothing else that
	// came from the rows.
	PaidFigures Choice = "paid-figures"
	// PrivateSelection: it was chosen by a private selection, which the event has
	// in it, so that ε pays for the choice.
	PrivateSelection Choice = "private-selection"
)

// Choices are all that a release can state.
var Choices = []Choice{OnlyModel, AllPublished, PaidFigures, PrivateSelection}

// ParseChoice returns the choice of that name, or a *privacy.ParameterError for
// the field "choice".
func ParseChoice(name string) (Choice, error) {
	for _, c := range Choices {
		if string(c) == name {
			return c, nil
		}
	}
	return NotStated, &privacy.ParameterError{
		Field: "choice",
		Value: strconv.Quote(name),
		Want:  `"only-model", "all-published", "paid-figures" or "private-selection"; left out, it is not stated`,
	}
}

// State makes the release say how its model was chosen. If the event shows otherwise,
// the error is a *ClaimError.
func (r *Release) State(choice Choice) error {
	stated := *r
	stated.Choice = choice
	full := r.Schema.EarlierCaveats()
	if choice != NotStated && len(full) == len(r.Guarantee.Caveats)+1 &&
		slices.Equal(full[:len(full)-1], r.Guarantee.Caveats) {
		// Version 3 added the caveat about column names; older files lack it.
		stated.Guarantee.Caveats = full
	}
	var found Findings
	stated.verifyChoice(found.checker())
	if finding, failed := found.Failed(); failed {
		return &ClaimError{finding}
	}
	*r = stated
	return nil
}

// verifyChoice says what the release states of its choice, and whether the event
// contradicts it.
func (r *Release) verifyChoice(check checker) {
	const word = " That is the word of whoever published it: a file cannot show it."
	selected := selects(r.Event)
	paid := selected && r.Model.allSelected(r.Event)
	switch r.Choice {
	case NotStated:
		if paid {
			check(
				"choice", true,
				"The model was chosen by a private selection, which the event pays for.", "",
			)
			return
		}
		check(
			"choice", true,
			"Not checked: the release does not state how its model was chosen. If it was picked from several by figures that were not paid for, the guarantee does not cover that.",
			"",
		)
	case OnlyModel:
		check(
			"choice", !selected,
			"Not checked: it is stated to be the only model that was fitted to these rows."+word,
			"It is stated to be the only model that was fitted to these rows, and the event is a selection from several.",
		)
	case AllPublished:
		check(
			"choice", true,
			"Not checked: all models that were fitted to these rows are stated to be published."+word,
			"",
		)
	case PaidFigures:
		check(
			"choice", true,
			"Not checked: it is stated to be chosen from several by what had been paid for, and not by private figures."+word,
			"",
		)
	case PrivateSelection:
		check(
			"choice", paid,
			"The model was chosen by a private selection, which the event pays for.",
			"It is stated to be chosen by a private selection, and the event has none of all its coefficients, so the choice is not paid for.",
		)
	default:
		_, err := ParseChoice(string(r.Choice))
		check("choice", false, "", reason(err))
	}
}

// allSelected reports whether every mechanism within an event that gives out a
// vector of coefficients stands in a selection: one of something else, beside a fit
// that was made and chosen by hand, pays for no choice of the model.
func (m Model) allSelected(event privacy.Event) bool {
	if e, composition := event.(privacy.Composition); composition {
		return !slices.ContainsFunc(e.Parts, func(part privacy.Part) bool {
			return part.Count > 0 && !m.allSelected(part.Event)
		})
	}
	found, _ := m.mechanisms(event)
	return selects(event) || len(found) == 0
}

// selects reports whether a private selection is in the event.
func selects(event privacy.Event) bool {
	if _, ok := privacy.Base(event); ok {
		return true
	}
	return slices.ContainsFunc(privacy.Parts(event), func(part privacy.Part) bool {
		return part.Count > 0 && selects(part.Event)
	})
}

// ran bounds the chance that coefficients are given out. A Poisson number of runs of mean μ is 0
// with probability e^-μ ≥ 1 − μ, which makes the price small too. Of K runs, each of which gives
// something out with probability p, some does with E[K]·p at most.
func (m Model) ran(event privacy.Event) float64 {
	switch e := event.(type) {
	case privacy.Composition:
		chance := 1.0
		for _, part := range e.Parts {
			if found, _ := m.mechanisms(part.Event); part.Count > 0 && len(found) > 0 {
				chance = math.Min(chance, m.ran(part.Event))
			}
		}
		return chance
	case privacy.PoissonSelection:
		return math.Min(1, runs(e)*m.ran(e.Base))
	case privacy.NegativeBinomialSelection:
		return math.Min(1, math.Max(1, runs(e))*m.ran(e.Base))
	}
	return 1
}
