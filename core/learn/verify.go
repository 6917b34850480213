package learn

import (
	"slices"
	"strconv"
	"strings"

	"cloister/core/account/curve"
	"cloister/core/account/rdp"
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
	return "the release's claim " + strconv.Quote(e.Finding.Claim) + " does not hold: " +
		e.Finding.Text
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
		return 1, &privacy.ParameterError{
			Field: "guarantee.bound",
			Value: strconv.Quote(string(g.Bound)),
			Want:  strconv.Quote(string(resolved)) + ", which is what prices the event",
		}
	}
	return curve.DeltaUpper(price, g.Epsilon)
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
		err = &privacy.ParameterError{
			Field: "schema",
			Value: "another than the model's",
			Want:  "the model's",
		}
	}
	check("model", err == nil, "The model is one of the schema's columns and label.", reason(err))
	if err != nil {
		return found
	}

	g := r.Guarantee
	check(
		"adjacency",
		g.Adjacency == r.Event.Neighbours(),
		"The guarantee is for the neighbours that the mechanism was computed for ("+g.Adjacency.String()+").",
		"The guarantee is for "+g.Adjacency.String()+", the mechanism for "+r.Event.Neighbours().
			String()+
			".",
	)
	r.verifyMechanism(check)
	delta, err := r.DeltaUpper()
	switch {
	case err != nil:
		check("guarantee", false, "", "It cannot be priced: "+err.Error())
	default:
		within := atMost(delta) + ", within the stated " + privacy.Number(g.Delta) + "."
		if delta > g.Delta {
			within = privacy.Number(delta) + ", the stated " + privacy.Number(g.Delta) +
				" but for its last digits, which earlier versions rounded."
		}
		check(
			"guarantee",
			delta <= g.Delta*(1+earlierRounding),
			"At ε = "+privacy.Number(g.Epsilon)+" the mechanism has δ at most "+within,
			"At ε = "+privacy.Number(g.Epsilon)+" the bound gives δ = "+short(delta)+
				", more than the stated "+privacy.Number(g.Delta)+".",
		)
	}
	rests := Theorem(g.Method, g.Bound)
	check(
		"theorem", g.Theorem == rests, "The theorem named is what the price rests on.",
		"The price rests on: "+rests+".",
	)
	caveats := r.Schema.Caveats()
	if len(g.Caveats) < len(caveats) {
		// Nor do they have that about logarithmic scales, which no version tells.
		caveats = r.Schema.EarlierCaveats()
	}
	if r.Choice == NotStated && r.version() < 3 && len(caveats) == len(g.Caveats)+1 {
		// Version 3 added the caveat about column names; older files lack it.
		caveats = caveats[:len(g.Caveats)]
	}
	check("coverage", g.Covers == r.Schema.CoversEverything() && slices.Equal(g.Caveats, caveats),
		"What the guarantee covers is as the schema has it.",
		"What the guarantee covers does not follow from where the schema's parts come from.")
	if unsaid := r.Unsaid(); len(unsaid) > 0 {
		check("unsaid", true, "The file does not say, as those of earlier versions did not: "+
			strings.Join(unsaid, " "), "")
	}
	if bought := r.Schema.PurchasesText(); bought != "" {
		epsilon, delta, same := g.Epsilon, g.Delta, " and the same δ"
		for _, p := range r.Schema.Purchases() {
			epsilon, delta = rdp.SumUp(epsilon, p.Epsilon), rdp.SumUp(delta, p.Delta)
		}
		if delta > g.Delta {
			same = " and δ = " + atMost(delta)
		}
		check(
			"bounds",
			true,
			"Not checked: the"+strings.TrimPrefix(bought, "The")+
				" That is the word of whoever published it. The ε of this release does not have them in it: if they cost so much, under the same neighbours, the model and what was bought are together covered at ε = "+
				atMost(epsilon)+same+", as composition adds them up.",
			"",
		)
	}
	r.verifyChoice(check)
	r.verifySelected(check)
	if r.Assessment != nil {
		r.verifyAssessment(check)
	}
	return found
}

// Unsaid are the caveats that follow from the schema and that the file does not have, as those of
// earlier versions did not. Say them where you say what a guarantee leaves out.
func (r *Release) Unsaid() []string {
	return slices.DeleteFunc(r.Schema.Caveats(), func(caveat string) bool {
		return slices.Contains(r.Guarantee.Caveats, caveat)
	})
}

// earlierRounding is by how much, relative to δ, a stated guarantee may be below what this
// version computes. Earlier ones rounded the conversion from a Rényi curve up by less, 2^-44
// of δ for releases that were calibrated to the last bit: those are not called untrue for it.
// Prices of what is charged know no such margin.
const earlierRounding = 0x1p-40

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// atMost is short, and no less than x: for what is said to be a bound.
func atMost(x float64) string {
	text := short(x)
	if y, err := strconv.ParseFloat(text, 64); err != nil || !(y < x) {
		return text
	}
	text = strconv.FormatFloat(x, 'e', 5, 64) // d.ddddde±dd
	digits, _ := strconv.ParseFloat(text[:7], 64)
	_, power, _ := strings.Cut(text, "e")
	up, _ := strconv.ParseFloat(strconv.FormatFloat(digits+1e-5, 'f', 5, 64)+"e"+power, 64)
	return short(up)
}
