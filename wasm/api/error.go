package api

import (
	"errors"

	"cloister/core/account"
	"cloister/core/privacy"
)

// Code says for programs why a request failed. site/src/client/error.ts
// documents each.
type Code string

const (
	CodeParameter   Code = "parameter"
	CodeSchema      Code = "schema"
	CodeData        Code = "data"
	CodeTooLarge    Code = "too-large"
	CodeDatasetLost Code = "dataset-lost"
	CodeRefused     Code = "refused"
	CodeEntropy     Code = "entropy"
	CodeRelease     Code = "release"
	CodeReport      Code = "report"
	CodeNumerical   Code = "numerical"
	CodeInternal    Code = "internal"
	CodeBudget      Code = "budget"
	CodeLedger      Code = "ledger"
	CodeStorage     Code = "storage"
)

// Error is a failed request as the caller sees it.
type Error struct {
	Code    Code
	Message string // for people: what is wrong, where, and what would be right
	Field   string // parameter, or path in a document; may be empty
	Row     int    // line of the file from 1, the header included; 0 if none
	Column  string // column's name; may be empty
	Charged string // the charge that stands though nothing was released; empty if none does
	Cause   error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// Tree is the error as a reply carries it.
func (e *Error) Tree() map[string]any {
	tree := map[string]any{"code": string(e.Code), "message": e.Message}
	if e.Field != "" {
		tree["field"] = e.Field
	}
	if e.Row > 0 {
		tree["row"] = float64(e.Row)
	}
	if e.Column != "" {
		tree["column"] = e.Column
	}
	if e.Charged != "" {
		tree["charged"] = e.Charged
	}
	return tree
}

// ChargedError is a failure after which a charge stands.
type ChargedError struct {
	Charge string
	Cause  error
}

func (e *ChargedError) Error() string { return e.Cause.Error() }
func (e *ChargedError) Unwrap() error { return e.Cause }

// explain turns any error into an *Error. One that no package gave a type is
// an internal fault.
func explain(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok {
		return &Error{Code: CodeParameter, Message: Sentence(e.Error()), Field: e.Field, Cause: err}
	}
	if e, ok := errors.AsType[*account.InapplicableError](err); ok {
		return &Error{Code: CodeParameter, Message: Sentence(capital(e.Error())), Field: "bound", Cause: err}
	}
	if e, ok := errors.AsType[*account.InfeasibleError](err); ok {
		return &Error{Code: CodeParameter, Message: Sentence(capital(e.Error())), Field: e.Parameter, Cause: err}
	}
	if errors.Is(err, account.ErrNumerical) {
		return &Error{Code: CodeNumerical, Message: "The bound could not be computed to the promised accuracy for these parameters. Less extreme ones will do.", Cause: err}
	}
	return &Error{Code: CodeInternal, Message: Sentence(err.Error()), Cause: err}
}

// Sentence ends an error's text with a full stop.
func Sentence(text string) string {
	if text == "" {
		return text
	}
	switch text[len(text)-1] {
	case '.', '!', '?':
		return text
	}
	return text + "."
}

// capital writes the first letter of a text large.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

func quote(s string) string { return privacy.Quote(s) }
