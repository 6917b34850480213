package fitting

import (
	"errors"

	"cloister/core/learn"
	"cloister/wasm/api"
)

// stateChoice answers {release, choice?} with the release that says how its
// model was chosen; without choice, with one that does not say it.
func stateChoice(call *api.Call) (map[string]any, error) {
	f := call.Fields
	release, err := readRelease(f)
	if err != nil {
		return nil, err
	}
	choice := learn.NotStated
	if f.Has("choice") {
		if choice, err = learn.ParseChoice(f.Text("choice")); err != nil {
			f.Fail(err)
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if err := release.State(choice); err != nil {
		if claim, ok := errors.AsType[*learn.ClaimError](err); ok {
			return nil, &api.Error{
				Code:    api.CodeParameter,
				Field:   "choice",
				Message: api.Sentence(claim.Finding.Text),
				Cause:   err,
			}
		}
		return nil, err
	}
	tree, err := release.Tree()
	if err != nil {
		return nil, err
	}
	return map[string]any{"release": tree}, nil
}
