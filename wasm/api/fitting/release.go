package fitting

import (
	"errors"
	"math"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
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
	if err != nil {
		return nil, unreadable(err)
	}
	return release, nil
}

// unreadable is the error for a document that is no release.
func unreadable(err error) error {
	out := &api.Error{
		Code:    api.CodeRelease,
		Message: "This release cannot be read: " + api.Sentence(err.Error()),
		Cause:   err,
	}
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok {
		out.Field = e.Field
	}
	if e, ok := errors.AsType[*data.SchemaError](err); ok {
		out.Field = e.Field
	}
	return out
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
	findings, problems := findingsTree(release.Verify(), release.Schema)
	claimed := api.Promise(guarantee.Guarantee, guarantee.Bound)
	claimed["theorem"] = guarantee.Theorem
	if guarantee.Bound == "" { // no objective is perturbed
		delete(claimed, "bound")
	}
	reply := map[string]any{
		"claimed":  claimed,
		"holds":    len(problems) == 0,
		"findings": findings,
		"problems": problems,
	}
	reply["epsilon"], reply["delta"] = priced(release, guarantee.Method, guarantee.Bound)
	best := map[string]any{}
	price, bound, err := release.Price(account.Auto, objective.BoundAuto)
	if err == nil {
		best["bound"], best["theorem"] = string(bound), learn.Theorem(price.Method, bound)
		best["epsilon"], best["delta"] = priced(release, price.Method, bound)
	} else {
		best["bound"], best["theorem"], best["epsilon"], best["delta"] = "", "", math.Inf(1), 1.0
	}
	// A claim may rest on a bound that is sharper than "auto", which does not try all.
	if claim := reply["epsilon"].(float64); claim < best["epsilon"].(float64) {
		best["bound"], best["theorem"] = string(guarantee.Bound), guarantee.Theorem
		best["epsilon"], best["delta"] = reply["epsilon"], reply["delta"]
	}
	reply["best"] = best
	if release.Assessment != nil && len(problems) == 0 {
		reply["figures"] = figures(release.Model, release.Assessment)
	}
	return reply, nil
}

// findingsTree is all findings, with one where names of the schema look alike, and the texts of
// those that do not hold. Nothing that is claimed depends on names: who shows them says it.
func findingsTree(
	found learn.Findings, schema interface{ Alike() [][2]string },
) (findings, problems []any) {
	if text := data.AlikeText(schema.Alike()); text != "" {
		text = "Not checked: what names mean. " + text
		found = append(found, learn.Finding{Claim: "names", True: true, Text: text})
	}
	findings, problems = []any{}, []any{}
	for _, finding := range found {
		findings = append(
			findings,
			map[string]any{"claim": finding.Claim, "holds": finding.True, "text": finding.Text},
		)
		if !finding.True {
			problems = append(problems, finding.Text)
		}
	}
	return findings, problems
}

// priced is ε at the claimed δ, and δ at the claimed ε, by a method and a bound;
// +Inf and 1, which promise nothing, where they say nothing of the event (the
// findings then say so).
func priced(
	release *learn.Release, method account.Method, bound objective.Bound,
) (epsilon, delta float64) {
	epsilon, delta = math.Inf(1), 1
	price, _, err := release.Price(method, bound)
	if err != nil {
		return epsilon, delta
	}
	if e, err := price.EpsilonUpper(release.Guarantee.Delta); err == nil {
		epsilon = e
	}
	if d, err := curve.DeltaUpper(price, release.Guarantee.Epsilon); err == nil {
		delta = d
	}
	return epsilon, delta
}
