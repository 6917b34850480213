package fitting

import (
	"reflect"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/learn/selection"
	"cloister/core/privacy"
)

// choosing is what is asked of a fit one of whose settings the records choose.
type choosing struct {
	asking
	field string // the one that asks for it; "" where the records choose nothing
	among []selection.Candidate
}

// readChoosing is readMethod, and reads chooseLambda? and chooseMethod?: settings to choose
// from privately, or an empty list for those that there are by default.
func readChoosing(f *privacy.Fields, schema *data.Schema) choosing {
	a := choosing{asking: readMethod(f, schema)}
	lambda, method := f.Has("chooseLambda"), f.Has("chooseMethod")
	switch {
	case lambda && method:
		f.Bad("chooseMethod", "left out beside chooseLambda: one setting is chosen")
	case lambda:
		a.field = "chooseLambda"
		if a.method != "" && a.method != methods.Default {
			f.Bad("method", strconv.Quote(methods.Default)+", or left out, beside chooseLambda")
		}
		for _, lambda := range f.Numbers("chooseLambda") {
			f.Fail(learn.CheckRange(f.Path("chooseLambda"), lambda, false))
			a.among = append(a.among, selection.Candidate{Method: methods.Default, Lambda: lambda})
		}
	case method:
		a.field = "chooseMethod"
		if a.method != "" {
			f.Bad("method", "left out beside chooseMethod")
		}
		for _, name := range f.Texts("chooseMethod") {
			a.among = append(a.among, selection.Candidate{Method: name})
		}
	default:
		return a
	}
	if a.Tuning.Lambda != 0 {
		f.Bad("lambda", "left out beside "+a.field)
	}
	return a
}

// candidates are those that are asked for, or else those that there are by default.
func (a choosing) candidates() ([]selection.Candidate, error) {
	switch {
	case len(a.among) > 0:
		return a.among, nil
	case a.field == "chooseMethod":
		return selection.Methods(a.Schema.Label.Type), nil
	}
	return selection.Lambdas(a.Asked)
}

// choose chooses the noise, without looking at a record.
func (a choosing) choose() (learn.Chosen, error) {
	if a.field == "" {
		return a.asking.choose()
	}
	among, err := a.candidates()
	if err != nil {
		return learn.Chosen{}, renamed(err, "huber_width", "huberWidth")
	}
	plan, err := selection.Choose(selection.Asked{Asked: a.Asked, Candidates: among})
	if p, ok := err.(*privacy.ParameterError); ok {
		if rest, ok := strings.CutPrefix(p.Field, "candidates"); ok {
			field := a.field + rest
			if strings.HasSuffix(rest, ".records") {
				field = "records"
			}
			err = &privacy.ParameterError{Field: field, Value: p.Value, Want: p.Want}
		}
	}
	if err != nil {
		return learn.Chosen{}, renamed(err, "huber_width", "huberWidth")
	}
	return plan.Chosen(), nil
}

// before is a private choice whose noise was chosen.
type before struct {
	asked  choosing
	chosen learn.Chosen
}

// choose is choosing.choose, which takes seconds for several classes. The last two private
// choices are remembered: those of λ and of the method, which are compared and then fitted.
func (s *Session) choose(a choosing) (learn.Chosen, error) {
	if a.field == "" {
		return a.choose()
	}
	for _, b := range s.chosen {
		if reflect.DeepEqual(b.asked, a) {
			return b.chosen, nil
		}
	}
	chosen, err := a.choose()
	if err == nil {
		s.chosen = append(s.chosen[max(0, len(s.chosen)-1):], before{a, chosen})
	}
	return chosen, err
}
