package fitting

import (
	"errors"

	"cloister/core/data"
	"cloister/wasm/api"
)

// explain gives the errors of the packages behind these handlers a code and a
// place.
func explain(err error) *api.Error {
	if e, ok := errors.AsType[*data.Error](err); ok {
		code := api.CodeData
		if e.Kind == data.TooLarge {
			code = api.CodeTooLarge
		}
		return &api.Error{Code: code, Message: e.Error(), Row: e.Row, Column: e.Column, Cause: err}
	}
	if e, ok := errors.AsType[*data.SchemaError](err); ok {
		return &api.Error{Code: api.CodeSchema, Message: api.Sentence(e.Error()), Field: e.Field, Cause: err}
	}
	return nil
}
