package fitting

import (
	"context"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/solvefor"
	"cloister/core/lab/expect"
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
		asked.Guarantee.Epsilon = epsilon
		event, err := s.expected(asked, len(schema.Label.Classes))
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

// tried is a fit whose noise was chosen before: of several classes that takes
// longer than a trial.
type tried struct {
	request account.Request
	classes int
}

func (s *Session) expected(request account.Request, classes int) (privacy.ApproximateMinima, error) {
	key := tried{request, classes}
	if event, ok := s.plans[key]; ok {
		return event, nil
	}
	event, _, err := calibrated(request, classes)
	if err != nil {
		return event, err
	}
	if s.plans == nil || len(s.plans) >= 4*maxExpected {
		s.plans = map[tried]privacy.ApproximateMinima{}
	}
	s.plans[key] = event
	return event, nil
}
