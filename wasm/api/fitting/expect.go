package fitting

import (
	"context"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/solvefor"
	"cloister/core/lab/expect"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// maxExpected is how many values of ε one trial takes.
const maxExpected = 32

// expectation answers {schema, records, signal, trial, epsilons, loss?,
// huberWidth?, adjacency, epsilon, delta, …} (see api.ReadCalibration) with what
// made-up records say that fits with these parameters would predict right (see
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
	asked, loss := readFit(f, schema)
	request.Loss = loss
	if err := f.Done(); err != nil {
		return nil, err
	}
	private := make([]any, len(epsilons))
	var at []int
	for i, epsilon := range epsilons {
		event, err := s.expected(asked, epsilon, len(schema.Label.Classes))
		switch err.(type) {
		case nil:
		case *account.InfeasibleError, *solvefor.InfeasibleError:
			continue
		default:
			return nil, err
		}
		request.Events, at = append(request.Events, event), append(at, i)
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
	request account.Request
	classes int
	exact   bool
}

// expected is what a fit at this ε would be like. That of several classes is
// calibrated once, at the ε whose request is given as base, and estimated at the
// others, with noise in the same proportion to it.
func (s *Session) expected(base account.Request, epsilon float64, classes int) (privacy.ApproximateMinima, error) {
	at := base
	at.Guarantee.Epsilon = epsilon
	if classes == 0 {
		return s.kept(tried{request: at}, account.CalibrateMinima)
	}
	exact, err := s.kept(tried{base, classes, true}, func(r account.Request) (privacy.ApproximateMinima, error) { return ovr.Calibrate(r, classes) })
	if err != nil {
		return exact, err
	}
	estimate := func(r account.Request) (privacy.ApproximateMinima, error) { return ovr.Estimate(r, classes) }
	rough, err := s.kept(tried{base, classes, false}, estimate)
	if err != nil {
		return rough, err
	}
	event, err := s.kept(tried{at, classes, false}, estimate)
	event.Objective.Sigma *= exact.Objective.Sigma / rough.Objective.Sigma
	return event, err
}

func (s *Session) kept(key tried, calibrate func(account.Request) (privacy.ApproximateMinima, error)) (privacy.ApproximateMinima, error) {
	if event, ok := s.plans[key]; ok {
		return event, nil
	}
	event, err := calibrate(key.request)
	if err != nil {
		return event, err
	}
	if s.plans == nil || len(s.plans) >= 4*maxExpected {
		s.plans = map[tried]privacy.ApproximateMinima{}
	}
	s.plans[key] = event
	return event, nil
}
