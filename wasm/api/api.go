// Package api is the edge of the core: requests come in and replies go out as
// plain trees (map[string]any, []any, float64, string, bool, nil, and []byte or
// []float64 for bulk), the same from a page, from Node and from a test. A
// handler is plain Go; the only code that knows JavaScript is wasm/bridge.
//
// The handlers are in six packages, so that each of the five binaries holds only what
// its pages need: curves serves accounting; fitdemo plane; reader reading; laboratory
// lab, with the reading of files from fitting; and cloister accounting, fitting and
// ledger. This package and accounting use neither fmt nor encoding/json.
package api

import "cloister/core/privacy"

// Handler answers one request. It returns a reply or an error, never both.
// Requests are answered one at a time, but for the times when one waits: for the
// storage, or for other workers.
type Handler func(call *Call) (map[string]any, error)

// Call is one request.
type Call struct {
	// Fields are the parameters. Whatever the handler did not read by the time
	// it returns is an unknown field and fails the request, so a handler reads
	// everything, and calls Fields.Done, before it does anything.
	Fields *privacy.Fields

	progress func(map[string]any)
}

// Progress tells the caller how far the work is, at once, while the handler
// goes on.
func (c *Call) Progress(update map[string]any) {
	if c.progress != nil {
		c.progress(update)
	}
}

// Service is a set of handlers by method name, and how their errors read.
type Service struct {
	Handlers map[string]Handler

	// Explain gives the error a code and a place. It is asked first; nil, or
	// a nil answer, leaves it to this package.
	Explain func(error) *Error
}

// Answer runs the handler of method. It always returns exactly one of a reply
// and an error. A panic of the handler is the caller's to recover (see
// wasm/bridge): the state behind the handlers cannot be trusted after it.
func (s *Service) Answer(
	method string, params any, progress func(map[string]any),
) (map[string]any, *Error) {
	handler, ok := s.Handlers[method]
	if !ok {
		return nil, &Error{
			Code:    CodeParameter,
			Field:   "method",
			Message: "This binary has no method " + quote(method) + ".",
		}
	}
	call := &Call{Fields: privacy.NewFields("", given(params)), progress: progress}
	reply, err := handler(call)
	if err == nil {
		err = call.Fields.Done()
	}
	if err != nil {
		return nil, s.explain(err)
	}
	if reply == nil {
		reply = map[string]any{}
	}
	return reply, nil
}

// given leaves out parameters that are null: a caller may say so that there is none. In the
// documents that parameters hold, null is a value.
func given(params any) any {
	all, ok := params.(map[string]any)
	if !ok {
		return params
	}
	out := make(map[string]any, len(all))
	for name, value := range all {
		if value != nil {
			out[name] = value
		}
	}
	return out
}

func (s *Service) explain(err error) *Error {
	if charged, ok := err.(*ChargedError); ok {
		out := *s.explain(charged.Cause)
		out.Charged = charged.Charge
		out.Message += " Nothing was released, and the charge for it stands."
		return &out
	}
	if e, ok := err.(*Error); ok {
		return e
	}
	if s.Explain != nil {
		if e := s.Explain(err); e != nil {
			return e
		}
	}
	return explain(err)
}
