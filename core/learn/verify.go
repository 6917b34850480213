package learn

import (
	"math"
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

// DeltaUpper prices the release again from its event and bound: an upper bound
// on δ at the stated ε.
func (r *Release) DeltaUpper() (float64, error) {
	curve, err := account.Of(r.Event, r.Guarantee.Bound)
	if err != nil {
		return 1, err
	}
	return account.DeltaUpper(curve, r.Guarantee.Epsilon)
}

// Verify recomputes everything that the release claims and that follows from
// the file alone. It can say that the parameters have the guarantee; that the
// fit was really made with them, only whoever made it can.
func (r *Release) Verify() Findings {
	var found Findings
	check := func(claim string, ok bool, good, bad string) {
		text := good
		if !ok {
			text = bad
		}
		found = append(found, Finding{claim, ok, text})
	}

	err := r.Event.Validate()
	check("event", err == nil, "Every parameter of the mechanism is in range.", reason(err))
	if err != nil {
		return found
	}

	g := r.Guarantee
	check("adjacency", g.Adjacency == r.Event.Neighbours(),
		"The guarantee is for the neighbours that the mechanism was computed for ("+g.Adjacency.String()+").",
		"The guarantee is for "+g.Adjacency.String()+", the mechanism for "+r.Event.Neighbours().String()+".")
	delta, err := r.DeltaUpper()
	switch {
	case err != nil:
		check("guarantee", false, "", "It cannot be priced: "+err.Error())
	default:
		check("guarantee", delta <= g.Delta,
			"At ε = "+privacy.Number(g.Epsilon)+" the mechanism has δ at most "+short(delta)+", within the stated "+privacy.Number(g.Delta)+".",
			"At ε = "+privacy.Number(g.Epsilon)+" the bound gives δ = "+short(delta)+", more than the stated "+privacy.Number(g.Delta)+".")
	}
	check("theorem", g.Theorem == g.Bound.Theorem(), "The theorem named is the bound's.",
		"The bound "+strconv.Quote(string(g.Bound))+" rests on: "+g.Bound.Theorem()+".")

	// A model's guarantee is that of the mechanism that gave out the model: the
	// price of another event, however true, says nothing of it.
	objective, grid, ok := objectiveOf(r.Event)
	check("mechanism", ok && grid > 0, "The event is of a mechanism that fits such a model.",
		"The event ("+strconv.Quote(r.Event.Mechanism())+") is not of a mechanism that fits such a model and puts it on a lattice, so what it costs says nothing of these coefficients.")
	if ok {
		r.verifyObjective(objective, check)
		if grid > 0 {
			off := slices.IndexFunc(r.Model.Coefficients, func(c float64) bool { return math.Remainder(c, grid) != 0 })
			check("grid", off < 0, "Every coefficient is a multiple of the lattice's spacing.",
				"A coefficient is not a multiple of the lattice's spacing, so it is not what the mechanism gave out.")
		}
	}
	check("coverage", g.Covers == r.Schema.CoversEverything() && slices.Equal(g.Caveats, r.Schema.Caveats()),
		"What the guarantee covers is as the schema has it.",
		"What the guarantee covers does not follow from where the schema's parts come from.")
	return found
}

func (r *Release) verifyObjective(o privacy.ObjectivePerturbation, check func(claim string, ok bool, good, bad string)) {
	norm := r.Schema.RowNorm()
	check("row_norm", o.RowNorm >= norm,
		"Rows encoded by the schema are never longer than the mechanism assumes.",
		"Rows encoded by the schema can have norm "+short(norm)+", more than the "+privacy.Number(o.RowNorm)+" that the mechanism assumes.")
	check("dimension", o.Dimension == len(r.Model.Coefficients),
		"The mechanism's dimension is the number of coefficients.",
		"The mechanism has dimension "+strconv.Itoa(o.Dimension)+", the model "+strconv.Itoa(len(r.Model.Coefficients))+" coefficients.")
	check("loss", Includes(o.Loss, r.Model.Loss.Class()), "The model's loss is the mechanism's.",
		"The model says "+strconv.Quote(string(r.Model.Loss.Class()))+", the mechanism "+strconv.Quote(string(o.Loss))+".")
}

func objectiveOf(event privacy.Event) (objective privacy.ObjectivePerturbation, grid float64, ok bool) {
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return e.Objective, e.Grid, true
	case privacy.ObjectivePerturbation:
		return e, 0, true
	}
	return privacy.ObjectivePerturbation{}, 0, false
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
