package ledger

import (
	"errors"

	"cloister/core/ledger"
	"cloister/wasm/api"
)

// explain gives the ledger's errors a code. The field of a storage's is the kind
// of shortage.
func explain(err error) *api.Error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		out := &api.Error{Message: api.Sentence(upper(e.Error())), Cause: err}
		switch e := e.(type) {
		case *ledger.StorageError:
			out.Code, out.Field = api.CodeStorage, string(e.Kind)
		case *ledger.NewerError:
			out.Code, out.Field = api.CodeLedger, "version"
		case *ledger.BudgetConflictError:
			out.Code, out.Field = api.CodeLedger, "budget"
		case *ledger.UntakenError:
			out.Code, out.Field = api.CodeDatasetLost, "whole"
		case *ledger.DamageError, *ledger.ChargeConflictError, *ledger.UnknownError,
			*ledger.KnownError:
			out.Code = api.CodeLedger
		case *ledger.UnderpricedError, *ledger.NoPurchaseError, *ledger.OtherNeighboursError:
			out.Code, out.Field = api.CodeSchema, "schema"
		case *ledger.ExceededError, *ledger.NoBudgetError, *ledger.FixedError:
			out.Code = api.CodeBudget
		default:
			continue
		}
		return out
	}
	return nil
}

func upper(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
