package fitting

import (
	"context"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/solvefor"
	"cloister/core/data"
	"cloister/core/lab/expect"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// maxExpected is how many values of ε one trial takes.
const maxExpected = 32

// expectation answers {schema, records, signal, trial, epsilons, method?, loss?,
// huberWidth?, adjacency, epsilon, delta, …} (see readMethod) with what made-up
// records say that fits with these parameters would predict right (see
// expect.Result): plain, without noise, and private, a list as long as epsilons,
// null where no noise gives that ε. No data is needed, and none can be given.
func (s *Session) expectation(call *api.Call) (map[string]any, error) {
	f := call.Fields
	schema, err := readSchema(f)
	if err != nil || schema == nil {
		return nil, err
	}
	signal, err := expect.ParseSignal(f.Text("signal"))
	f.Fail(err)
	request := expect.Request{Schema: schema, Records: f.Int("records"), Signal: signal, Trial: f.Int("trial")}
	epsilons := f.Numbers("epsilons")
	if len(epsilons) > maxExpected {
		f.Fail(&privacy.ParameterError{Field: "epsilons", Value: strconv.Itoa(len(epsilons)) + " of them", Want: "at most " + strconv.Itoa(maxExpected)})
	}
	asked := readMethod(f, schema)
	request.Loss = asked.loss
	if err := f.Done(); err != nil {
		return nil, err
	}
	private := make([]any, len(epsilons))
	var at []int
	for i, epsilon := range epsilons {
		fit, err := s.expected(asked, epsilon, schema)
		switch err.(type) {
		case nil:
		case *account.InfeasibleError, *solvefor.InfeasibleError:
			continue
		default:
			return nil, err
		}
		request.Fits, at = append(request.Fits, fit), append(at, i)
	}
	result, err := expect.Run(context.Background(), request)
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		private[i] = result.Private[k]
	}
	return map[string]any{"plain": result.Plain, "private": private}, nil
}

// tried is a fit whose noise was chosen, or estimated, before: of several classes
// that takes longer than a trial.
type tried struct {
	asked     asking
	rowNorm   float64
	dimension int
	classes   int
	exact     bool
}

// keptPlan is what came of it: a fit, or of several classes what fits one vector.
type keptPlan struct {
	key tried
	fit expect.Fit
	one privacy.ApproximateMinima
}

// expected is what a fit at this ε would be like. That of several classes is
// calibrated once, at the ε whose request is given as base, and estimated at the
// others, with noise in the same proportion to it.
func (s *Session) expected(base asking, epsilon float64, schema *data.Schema) (expect.Fit, error) {
	at := base
	at.request.Guarantee.Epsilon = epsilon
	classes := len(schema.Label.Classes)
	key := func(a asking, exact bool) tried {
		return tried{a, schema.RowNorm(), schema.Dimension(), classes, exact}
	}
	if classes == 0 {
		plan, err := s.kept(key(at, true), func() (out keptPlan, err error) {
			choice, err := at.choose(schema)
			if err == nil {
				out.fit, err = choice.trial()
			}
			return out, err
		})
		return plan.fit, err
	}
	exact, err := s.kept(key(base, true), func() (keptPlan, error) {
		one, err := ovr.Calibrate(base.request, classes)
		return keptPlan{one: one}, err
	})
	if err != nil {
		return exact.fit, err
	}
	estimate := func(a asking) (keptPlan, error) {
		return s.kept(key(a, false), func() (keptPlan, error) {
			one, err := ovr.Estimate(a.request, classes)
			return keptPlan{one: one}, err
		})
	}
	rough, err := estimate(base)
	if err != nil {
		return rough.fit, err
	}
	scaled, err := estimate(at)
	scaled.one.Objective.Sigma *= exact.one.Objective.Sigma / rough.one.Objective.Sigma
	return expect.Minima(scaled.one), err
}

func (s *Session) kept(key tried, choose func() (keptPlan, error)) (keptPlan, error) {
	for i := range s.plans {
		if s.plans[i].key == key {
			return s.plans[i], nil
		}
	}
	plan, err := choose()
	if err != nil {
		return plan, err
	}
	if len(s.plans) >= 4*maxExpected {
		s.plans = nil
	}
	plan.key = key
	s.plans = append(s.plans, plan)
	return plan, nil
}
