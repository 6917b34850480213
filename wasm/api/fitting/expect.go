package fitting

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/lab/expect"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/learn/selection"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

const (
	maxExpected = 32 // values of ε that one trial takes
	maxTried    = 16 // fits whose trials are remembered
)

// expectation answers {schema, records, rarer?, signal, trial, epsilons, method?, loss?,
// huberWidth?, adjacency, epsilon, delta, …} (see readChoosing) with what made-up
// records say that fits with these parameters would predict right (see
// expect.Result): plain, without noise, known, by naming the largest class, and private, a
// list as long as epsilons, null where no noise gives that ε. No data is needed, and none
// can be given.
func (s *Session) expectation(call *api.Call) (map[string]any, error) {
	f := call.Fields
	schema, err := readSchema(f)
	if err != nil || schema == nil {
		return nil, err
	}
	signal, err := expect.ParseSignal(f.Text("signal"))
	f.Fail(err)
	request := expect.Request{
		Schema:  schema,
		Records: f.Int("records"),
		Signal:  signal,
		Trial:   f.Int("trial"),
		Rarer:   f.NumberOr("rarer", 0),
	}
	epsilons := f.Numbers("epsilons")
	if len(epsilons) > maxExpected {
		f.Fail(
			&privacy.ParameterError{
				Field: "epsilons",
				Value: strconv.Itoa(len(epsilons)) + " of them",
				Want:  "at most " + strconv.Itoa(maxExpected),
			},
		)
	}
	asked := readChoosing(f, schema)
	request.Loss = asked.Loss
	if err := f.Done(); err != nil {
		return nil, err
	}
	private := make([]any, len(epsilons))
	var at []int
	for i, epsilon := range epsilons {
		trial, err := s.trial(asked, epsilon)
		switch err.(type) {
		case nil:
		case *calibrate.UnattainableError, *calibrate.InfeasibleError:
			continue
		default:
			return nil, err
		}
		request.Fits, at = append(request.Fits, trial), append(at, i)
	}
	result, err := expect.Run(context.Background(), request)
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		private[i] = result.Private[k]
	}
	return map[string]any{
		"plain": result.Plain, "known": result.Known, "private": private,
	}, nil
}

// tried is all that the trials of a fit depend on.
type tried struct {
	asked     asking // but for the schema
	choice    string // what the records choose, and from what
	norm      data.Norm
	centring  string // learn.PublicCentring
	rowNorm   float64
	dimension int
	label     data.LabelType
	classes   int
}

// triedBefore is what gives a fit's trials, and those it gave, by ε. To choose noise
// takes longer than a trial, and the same values of ε are asked for again and again.
type triedBefore struct {
	of tried
	at func(epsilon float64) (learn.Trial, error)
	by map[float64]learn.Trial
}

// trialsOf returns what gives the trial of such a fit at any ε; see methods.Trials.
func (s *Session) trialsOf(a choosing) (func(epsilon float64) (learn.Trial, error), error) {
	if a.field == "" {
		return methods.Trials(a.method, a.Asked)
	}
	return func(epsilon float64) (learn.Trial, error) {
		at := a
		if a.Schema.Label.Type != data.SeveralClasses {
			at.Guarantee.Epsilon = epsilon
		}
		chosen, err := s.choose(at)
		if err != nil {
			return learn.Trial{}, err
		}
		if at.Guarantee.Epsilon == epsilon {
			return chosen.Trial()
		}
		return chosen.Plan.(selection.Plan).TrialNear(
			selection.Asked{Asked: a.Asked}, epsilon, len(a.among) == 0,
		)
	}, nil
}

// trial is what made-up records are fitted with in the place of a fit at this ε.
func (s *Session) trial(asked choosing, epsilon float64) (learn.Trial, error) {
	schema, label := asked.Schema, &asked.Schema.Label
	of := tried{
		asked.asking, asked.field + fmt.Sprint(asked.among),
		schema.Rows.Norm, centringOf(schema), schema.RowNorm(), schema.Dimension(),
		label.Type, len(label.Classes),
	}
	of.asked.Schema = nil
	if label.Type != data.SeveralClasses {
		of.asked.Guarantee.Epsilon = 0 // that of one vector is chosen at each ε for itself
	}
	i := slices.IndexFunc(s.trials, func(t triedBefore) bool { return t.of == of })
	if i < 0 {
		at, err := s.trialsOf(asked)
		if err != nil {
			return learn.Trial{}, err
		}
		if len(s.trials) == maxTried {
			s.trials = s.trials[1:]
		}
		i = len(s.trials)
		s.trials = append(s.trials, triedBefore{of, at, map[float64]learn.Trial{}})
	}
	before := s.trials[i]
	if trial, ok := before.by[epsilon]; ok {
		return trial, nil
	}
	trial, err := before.at(epsilon)
	if err != nil {
		return trial, renamed(err, "huber_width", "huberWidth")
	}
	if len(before.by) == 4*maxExpected {
		clear(before.by)
	}
	before.by[epsilon] = trial
	return trial, nil
}

// centringOf is the centring of a schema's rows as text.
func centringOf(schema *data.Schema) string {
	if c := learn.PublicCentring(schema); c != nil {
		return fmt.Sprint(*c)
	}
	return ""
}
