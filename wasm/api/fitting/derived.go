package fitting

import (
	"errors"

	"cloister/core/derived"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// regress answers {release, target?, columns?, ridge?, intercept?} with another model, computed
// from the moments in the release: {derived}, a document of its own. It costs nothing.
func regress(call *api.Call) (map[string]any, error) {
	f := call.Fields
	release, err := readRelease(f)
	if err != nil {
		return nil, err
	}
	q := learn.Question{
		Target:      f.TextOr("target", ""),
		NoIntercept: f.Has("intercept") && !f.Bool("intercept"),
	}
	if f.Has("columns") {
		q.Columns = append([]string{}, f.Texts("columns")...)
	}
	if f.Has("ridge") {
		if q.Ridge = f.Number("ridge"); q.Ridge == 0 {
			f.Bad("ridge", "above 0, or left out: then it is chosen from the noise")
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	model, err := derived.Of(release, q)
	if err != nil {
		return nil, noMoments(err)
	}
	return map[string]any{"derived": model.Tree()}, nil
}

// noMoments says in plain words why a release gives no other models.
func noMoments(err error) error {
	if e, ok := errors.AsType[*learn.ClaimError](err); ok {
		return &api.Error{
			Code: api.CodeRelease, Field: "release", Cause: err,
			Message: "This release does not hold, so no other model is computed from it: " +
				api.Sentence(e.Finding.Text),
		}
	}
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok && e.Field == "moments" {
		return &api.Error{
			Code: api.CodeParameter, Field: "release", Cause: err,
			Message: "Only a release of noisy moments (the method suffstats) gives other models. This one answers the question that it was fitted for.",
		}
	}
	return err
}

// checkDerived answers {release, derived} with the derived model, if the release's moments give
// it; else with an error of code "release" that says what is wrong.
func checkDerived(call *api.Call) (map[string]any, error) {
	tree := call.Fields.Any("derived")
	release, err := readRelease(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	model, err := derived.CheckTree(release, tree)
	if err == nil {
		return map[string]any{"derived": model.Tree()}, nil
	}
	if _, lie := errors.AsType[*learn.ClaimError](err); lie {
		return nil, noMoments(err)
	}
	out := &api.Error{
		Code: api.CodeRelease, Field: "derived", Cause: err,
		Message: "This model does not follow from the release: " + api.Sentence(err.Error()),
	}
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok {
		if _, there := tree.(map[string]any); there {
			out.Field = "derived." + e.Field
		}
		switch e.Field {
		case "release":
			out.Message = "This model was computed from another release. Choose the release that it was published with."
		case "moments":
			out.Message = "The release has no moments, so no other model follows from it."
		}
	}
	return nil, out
}
