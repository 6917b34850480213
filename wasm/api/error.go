package api

import (
	"errors"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// Code says for programs why a request failed; the message beside it is for people. After every
// one of them the client can be used again.
type Code string

// From the core:
const (
	// A parameter is missing, unknown or out of range; `field` names it.
	CodeParameter Code = "parameter"
	// The schema cannot be used; `field` is the path in it.
	CodeSchema Code = "schema"
	// The file does not fit the schema; `row` and `column` say where.
	CodeData Code = "data"
	// The first line of the file looks like a person, not like the names of columns, which are
	// published; `line` has its fields. Open the file again with the option `header`, once somebody
	// who may see that line has said what it is.
	CodeHeader Code = "header"
	// The file is over `MAX_BYTES`; nothing of it was read.
	CodeTooLarge Code = "too-large"
	// The dataset was closed, or went with its worker and came from a stream, which cannot be read
	// twice. Open it again. (`field` is `whole` if a ledger of an earlier version asks for it.)
	CodeDatasetLost Code = "dataset-lost"
	// The learner could not certify its solution and released nothing.
	CodeRefused Code = "refused"
	// The machine gave no secure random bits; nothing was released.
	CodeEntropy Code = "entropy"
	// The document is not a release that this version can read.
	CodeRelease Code = "release"
	// The document is not a privacy report that this version can read, or not of the release given
	// with it (`field` is then `release`).
	CodeReport Code = "report"
	// A bound could not be computed to the promised accuracy for such extreme parameters.
	CodeNumerical Code = "numerical"
	// A fault in this library. The worker was replaced.
	CodeInternal Code = "internal"
	// The budget does not afford it, or there is none. Nothing was run.
	CodeBudget Code = "budget"
	// The ledger, or a ledger file, cannot be read or does not fit (`field` is `version` if it is
	// from a later version, `budget` if two budgets differ). Nothing was changed.
	CodeLedger Code = "ledger"
	// The browser cannot keep a ledger; `field` says why: `missing`, `blocked`, `full` or `broken`.
	CodeStorage Code = "storage"
)

// From the client:
const (
	// The caller's AbortSignal fired; `cause` is the signal's reason.
	CodeAborted Code = "aborted"
	// `terminate()` was called, or the worker was ended from outside, while the call was under way.
	CodeTerminated Code = "terminated"
	// The worker ran out of memory and was replaced.
	CodeOutOfMemory Code = "out-of-memory"
	// The worker died for another reason and was replaced.
	CodeCrashed Code = "crashed"
	// The WebAssembly module could not be fetched, checked or compiled.
	CodeLoad Code = "load"
	// The file could not be read (moved, changed, no permission).
	CodeSource Code = "source"
)

// Error is a failed request as the caller sees it.
type Error struct {
	Code    Code
	Message string // for people: what is wrong, where, and what would be right
	Field   string // parameter, or path in a document; may be empty
	Row     int    // line of the file from 1, the header included; 0 if none
	Column  string // column's name; may be empty
	Line    []any  // of the file, for its holder alone; see wire.ErrorPlace
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
	if e.Line != nil {
		tree["line"] = e.Line
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
	if e, ok := errors.AsType[*objective.InapplicableError](err); ok {
		return &Error{
			Code:    CodeParameter,
			Message: Sentence(capital(e.Error())),
			Field:   "bound",
			Cause:   err,
		}
	}
	if e, ok := errors.AsType[*calibrate.UnattainableError](err); ok {
		return &Error{
			Code:    CodeParameter,
			Message: Sentence(capital(e.Error())),
			Field:   e.Parameter,
			Cause:   err,
		}
	}
	if errors.Is(err, curve.ErrNumerical) {
		return &Error{
			Code:    CodeNumerical,
			Message: "The bound could not be computed to the promised accuracy for these parameters. Less extreme ones will do.",
			Cause:   err,
		}
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
