package fitting

import (
	"errors"
	"math"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// readRelease reads the field "release", a plain tree. Whatever is wrong with
// the document is an error of code "release".
func readRelease(f *privacy.Fields) (*learn.Release, error) {
	tree := f.Any("release")
	if tree == nil {
		return nil, f.Done()
	}
	release, err := learn.ReleaseFromTree(tree)
	if err == nil {
		return release, nil
	}
	out := &api.Error{Code: api.CodeRelease, Message: "This release cannot be read: " + api.Sentence(err.Error()), Cause: err}
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok {
		out.Field = e.Field
	}
	if e, ok := errors.AsType[*data.SchemaError](err); ok {
		out.Field = e.Field
	}
	return nil, out
}

// reprice answers {release} with what the release costs and whether it says
// the truth about itself, from the document alone.
func reprice(call *api.Call) (map[string]any, error) {
	release, err := readRelease(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	guarantee := release.Guarantee
	var findings, problems []any
	for _, finding := range release.Verify() {
		findings = append(findings, map[string]any{"claim": finding.Claim, "holds": finding.True, "text": finding.Text})
		if !finding.True {
			problems = append(problems, finding.Text)
		}
	}
	reply := map[string]any{
		"claimed":  api.Promise(guarantee.Guarantee, guarantee.Bound),
		"holds":    len(problems) == 0,
		"findings": list(findings),
		"problems": list(problems),
	}
	reply["epsilon"], reply["delta"] = priced(release, guarantee.Bound)
	best := account.BoundAuto
	if e, ok := release.Event.(privacy.ApproximateMinima); ok {
		if resolved, err := best.Resolve(e.Objective.Loss); err == nil {
			best = resolved
		}
	}
	epsilon, delta := priced(release, best)
	reply["best"] = map[string]any{"bound": string(best), "theorem": best.Theorem(), "epsilon": epsilon, "delta": delta}
	return reply, nil
}

// priced is ε at the claimed δ, and δ at the claimed ε, under a bound; +Inf
// and 1, which promise nothing, where the bound says nothing of the event (the
// findings then say so).
func priced(release *learn.Release, bound account.Bound) (epsilon, delta float64) {
	epsilon, delta = math.Inf(1), 1
	curve, err := account.Of(release.Event, bound)
	if err != nil {
		return epsilon, delta
	}
	if e, err := account.EpsilonUpper(curve, release.Guarantee.Delta); err == nil {
		epsilon = e
	}
	if d, err := account.DeltaUpper(curve, release.Guarantee.Epsilon); err == nil {
		delta = d
	}
	return epsilon, delta
}
