package learn

import (
	"slices"
	"strconv"

	"cloister/core/account"
	"cloister/core/privacy"
)

// Finding is one claim of a release and whether it is true.
type Finding struct {
	Claim string // what is claimed, as a short name: "epsilon", "row_norm", …
	True  bool
	Text  string // in plain words: what was found
}

// Findings are all claims that can be checked from the file alone.
type Findings []Finding

// Failed returns the first claim that is not true.
func (f Findings) Failed() (Finding, bool) {
	for _, finding := range f {
		if !finding.True {
			return finding, true
		}
	}
	return Finding{}, false
}

// ClaimError reports a release that says something untrue.
type ClaimError struct{ Finding Finding }

func (e *ClaimError) Error() string {
	return "the release's claim " + strconv.Quote(e.Finding.Claim) + " does not hold: " + e.Finding.Text
}

// checker adds a finding: good if ok, else bad.
type checker func(claim string, ok bool, good, bad string)

func (f *Findings) checker() checker {
	return func(claim string, ok bool, good, bad string) {
		text := good
		if !ok {
			text = bad
		}
		*f = append(*f, Finding{claim, ok, text})
	}
}

// DeltaUpper prices the release again from its event, method and bound: an
// upper bound on δ at the stated ε.
func (r *Release) DeltaUpper() (float64, error) {
	g := r.Guarantee
	price, resolved, err := priced(r.Event, g.Method, g.Bound)
	if err != nil {
		return 1, err
	}
	if resolved != g.Bound || price.Method != g.Method {
		return 1, &privacy.ParameterError{Field: "guarantee.bound", Value: strconv.Quote(string(g.Bound)), Want: strconv.Quote(string(resolved)) + ", which is what prices the event"}
	}
	return account.DeltaUpper(price, g.Epsilon)
}

// Verify recomputes everything that the release claims and that follows from
// the file alone. It can say that the parameters have the guarantee; that the
// fit was really made with them, only whoever made it can.
func (r *Release) Verify() Findings {
	var found Findings
	check := found.checker()
	err := r.Event.Validate()
	check("event", err == nil, "Every parameter of the mechanism is in range.", reason(err))
	if err != nil {
		return found
	}
	if err = r.Model.check(); err == nil && r.Model.Schema != r.Schema {
		err = &privacy.ParameterError{Field: "schema", Value: "another than the model's", Want: "the model's"}
	}
	check("model", err == nil, "The model is one of the schema's columns and label.", reason(err))
	if err != nil {
		return found
	}

	g := r.Guarantee
	check("adjacency", g.Adjacency == r.Event.Neighbours(),
		"The guarantee is for the neighbours that the mechanism was computed for ("+g.Adjacency.String()+").",
		"The guarantee is for "+g.Adjacency.String()+", the mechanism for "+r.Event.Neighbours().String()+".")
	r.verifyMechanism(check)
	delta, err := r.DeltaUpper()
	switch {
	case err != nil:
		check("guarantee", false, "", "It cannot be priced: "+err.Error())
	default:
		check("guarantee", delta <= g.Delta,
			"At ε = "+privacy.Number(g.Epsilon)+" the mechanism has δ at most "+short(delta)+", within the stated "+privacy.Number(g.Delta)+".",
			"At ε = "+privacy.Number(g.Epsilon)+" the bound gives δ = "+short(delta)+", more than the stated "+privacy.Number(g.Delta)+".")
	}
	rests := Theorem(g.Method, g.Bound)
	check("theorem", g.Theorem == rests, "The theorem named is what the price rests on.", "The price rests on: "+rests+".")
	check("coverage", g.Covers == r.Schema.CoversEverything() && slices.Equal(g.Caveats, r.Schema.Caveats()),
		"What the guarantee covers is as the schema has it.",
		"What the guarantee covers does not follow from where the schema's parts come from.")
	if bought := r.Schema.PurchasesText(); bought != "" {
		epsilon, delta, same := g.Epsilon, g.Delta, " and the same δ"
		for _, p := range r.Schema.Purchases() {
			epsilon += p.Epsilon
			delta += p.Delta
		}
		if delta > g.Delta {
			same = ", δ = " + short(delta)
		}
		check("bounds", true, bought+" The ε of this release does not have them in it: the model and what was bought are together covered at ε = "+short(epsilon)+same+", as composition adds them up.", "")
	}
	if r.Assessment != nil {
		r.verifyAssessment(check)
	}
	return found
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
