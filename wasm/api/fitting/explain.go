package fitting

import (
	"errors"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/selection"
	"cloister/core/random"
	"cloister/wasm/api"
)

// explain gives the errors of the packages behind these handlers a code and a
// place.
func explain(err error) *api.Error {
	if e, ok := errors.AsType[*data.Error](err); ok {
		out := &api.Error{
			Code:    api.CodeData,
			Message: e.Error(),
			Row:     e.Row,
			Column:  e.Column,
			Cause:   err,
		}
		switch e.Kind {
		case data.TooLarge:
			out.Code = api.CodeTooLarge
		case data.NoHeader:
			out.Code, out.Line = api.CodeHeader, api.List(e.Line)
		case data.NoLabel:
			out.Line = api.List(e.Line)
		}
		return out
	}
	if e, ok := errors.AsType[*data.SchemaError](err); ok {
		return &api.Error{
			Code:    api.CodeSchema,
			Message: api.Sentence(e.Error()),
			Field:   e.Field,
			Cause:   err,
		}
	}
	if e, ok := errors.AsType[*learn.Refusal](err); ok {
		return refused(e)
	}
	if errors.Is(err, selection.ErrNoRun) {
		return &api.Error{
			Code: api.CodeRefused, Cause: err,
			Message: "The private choice drew no run at all, as it may by chance, so there is no model. The charge stays.",
		}
	}
	if errors.Is(err, random.ErrStuck) {
		return noEntropy(err)
	}
	return nil
}

// refused says why nothing was released, and what can be done about it.
func refused(refusal *learn.Refusal) *api.Error {
	out := &api.Error{Code: api.CodeRefused, Cause: refusal}
	switch refusal.Cause {
	case learn.CauseGradient:
		out.Message = "The solution could not be certified to be as exact as the guarantee needs, so nothing was released. No file should bring that about: please report it. A larger tau may do."
		out.Field = "tau"
	case learn.CauseNoise:
		return noEntropy(refusal)
	default:
		out.Message = api.Sentence("Nothing was released: " + string(refusal.Cause))
	}
	return out
}
