package ledger

import (
	"errors"

	"cloister/core/ledger"
	"cloister/wasm/api"
)

// explain gives the ledger's errors a code. The field of a storage's is the kind
// of shortage.
func explain(err error) *api.Error {
	say := func(code api.Code, field string) *api.Error {
		return &api.Error{Code: code, Field: field, Message: api.Sentence(upper(err.Error())), Cause: err}
	}
	if e, ok := errors.AsType[*ledger.StorageError](err); ok {
		return say(api.CodeStorage, string(e.Kind))
	}
	if _, ok := errors.AsType[*ledger.NewerError](err); ok {
		return say(api.CodeLedger, "version")
	}
	if _, ok := errors.AsType[*ledger.BudgetConflictError](err); ok {
		return say(api.CodeLedger, "budget")
	}
	for _, is := range []func() bool{
		func() bool { _, ok := errors.AsType[*ledger.DamageError](err); return ok },
		func() bool { _, ok := errors.AsType[*ledger.ChargeConflictError](err); return ok },
		func() bool { _, ok := errors.AsType[*ledger.UnknownError](err); return ok },
		func() bool { _, ok := errors.AsType[*ledger.KnownError](err); return ok },
	} {
		if is() {
			return say(api.CodeLedger, "")
		}
	}
	for _, is := range []func() bool{
		func() bool { _, ok := errors.AsType[*ledger.ExceededError](err); return ok },
		func() bool { _, ok := errors.AsType[*ledger.NoBudgetError](err); return ok },
		func() bool { _, ok := errors.AsType[*ledger.FixedError](err); return ok },
	} {
		if is() {
			return say(api.CodeBudget, "")
		}
	}
	return nil
}

func upper(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
