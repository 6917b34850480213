package reading

import (
	"math"
	"slices"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
	"cloister/wasm/api"
)

// openReport answers {release, report}, both plain trees, with the number to ask
// about rows by, what was promised to everyone, and what the report proposes:
//
//	reader    its number
//	kind      as report.Report.Kind
//	rho       proposed probability of failure
//	people    for how many together; 0 for all records that there can be
//	worst     {epsilon, delta, adjacency, covers, caveats} as the release states it, and the
//	          caveats that a file of an earlier version does not have
//	problems  what the release says that is not true; none if it is sound
//	besides   what the release holds besides the model, and was paid for apart: no bound has
//	          it in it; none if there is nothing
//	cost      {epsilon, total, delta}: of the report's own releases, and of
//	          them and the release together; left out where it released nothing
func (d *Desk) openReport(call *api.Call) (map[string]any, error) {
	releaseTree, reportTree := given(call.Fields, "release"), given(call.Fields, "report")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	release, err := learn.ReleaseFromTree(releaseTree)
	if err != nil {
		return nil, badRelease(releaseTree, err)
	}
	if _, err := report.MechanismOf(release); err != nil {
		return nil, noReport(err)
	}
	r, err := report.FromTree(reportTree, release)
	if err != nil {
		return nil, badReport(reportTree, err)
	}
	encoder, err := data.NewEncoder(release.Schema)
	if err != nil {
		return nil, err
	}
	o := &opened{
		release: release,
		report:  r,
		encoder: encoder,
		readers: make(map[proposal]*report.Reader),
	}
	if _, err := o.reader(o.proposed()); err != nil {
		return nil, badReport(reportTree, err)
	}
	people := r.Scope.People
	if r.Scope.Everybody {
		people = 0
	}
	reply := map[string]any{
		"kind": r.Kind(), "rho": r.Rho, "people": float64(people),
		"worst": map[string]any{
			"epsilon": release.Guarantee.Epsilon, "delta": release.Guarantee.Delta,
			"adjacency": release.Guarantee.Adjacency.String(),
			"covers":    release.Guarantee.Covers,
			"caveats":   api.List(slices.Concat(release.Guarantee.Caveats, release.Unsaid())),
		},
		"problems": problems(release),
		"besides":  besides(release),
	}
	cost, err := o.cost()
	if err != nil {
		return nil, err
	}
	if cost != nil {
		reply["cost"] = cost
	}
	d.last++
	d.open[d.last] = o
	reply["reader"] = float64(d.last)
	return reply, nil
}

// proposed is what the publisher proposes.
func (o *opened) proposed() proposal { return proposal{o.report.Rho, o.report.Scope} }

// cost prices the report's own releases, and them and the release together, at
// the release's δ; +Inf where no bound is found, nil where nothing was released.
func (o *opened) cost() (map[string]any, error) {
	m, err := report.MechanismOf(o.release)
	if err != nil {
		return nil, err
	}
	event, err := o.report.Published.Plan.Event(m)
	if err != nil || len(event.Parts) == 0 {
		return nil, err
	}
	whole := *o.release
	whole.Event = privacy.Composition{
		Adjacency: event.Adjacency,
		Parts:     append(event.Parts, privacy.Part{Event: o.release.Event, Count: 1}),
	}
	delta, own, total := o.release.Guarantee.Delta, math.Inf(1), math.Inf(1)
	if profile, err := objective.Of(event, objective.BoundAuto); err == nil {
		if e, err := curve.EpsilonUpper(profile, delta); err == nil {
			own = e
		}
	}
	if price, _, err := whole.Price(account.Auto, objective.BoundAuto); err == nil {
		if e, err := price.EpsilonUpper(delta); err == nil {
			total = e
		}
	}
	return map[string]any{"epsilon": own, "total": total, "delta": delta}, nil
}

// besides says in plain words what else is in a release, and what it cost whom. A bound on what a
// person lost by the model takes the schema for given, and does not count an evaluation: a release
// does not say of whom the records are that the model was evaluated on.
func besides(release *learn.Release) []any {
	list := []any{}
	if bought := release.Schema.PurchasesText(); bought != "" {
		list = append(list, bought)
	}
	if a := release.Assessment; a != nil {
		list = append(list, "How well the model does was measured at ε = "+
			privacy.Number(a.Epsilon)+" for the people in the records that it was measured on, under "+
			a.Adjacency.String()+". The release does not say whether they are those that the model "+
			"was fitted to.")
	}
	return list
}

// problems are the untrue claims of a release.
func problems(release *learn.Release) []any {
	list := []any{}
	for _, finding := range release.Verify() {
		if !finding.True {
			list = append(list, finding.Text)
		}
	}
	return list
}

// proposal reads the fields "rho" and "people"; what is left out is as the
// publisher proposes.
func (o *opened) proposal(f *privacy.Fields) proposal {
	p := o.proposed()
	p.rho = f.NumberOr("rho", p.rho)
	if f.Has("people") {
		p.scope = report.Scope{People: f.Int("people")}
		if p.scope.People == 0 {
			p.scope = report.Scope{Everybody: true}
		}
	}
	return p
}
