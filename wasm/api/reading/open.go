package reading

import (
	"math"

	"cloister/core/account"
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
//	worst     {epsilon, delta, adjacency, covers, caveats} as the release states it
//	problems  what the release says that is not true; none if it is sound
//	cost      {epsilon, delta} of the report's own releases; left out where it
//	          released nothing
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
	o := &opened{release: release, report: r, encoder: encoder, readers: make(map[proposal]*report.Reader)}
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
			"epsilon": release.Guarantee.Epsilon, "delta": release.Guarantee.Delta, "adjacency": release.Guarantee.Adjacency.String(),
			"covers": release.Guarantee.Covers, "caveats": texts(release.Guarantee.Caveats),
		},
		"problems": problems(release),
	}
	if r.Kind() != "data-independent" {
		cost, err := o.cost()
		if err != nil {
			return nil, err
		}
		reply["cost"] = cost
	}
	d.last++
	d.open[d.last] = o
	reply["reader"] = float64(d.last)
	return reply, nil
}

// proposed is what the publisher proposes.
func (o *opened) proposed() proposal { return proposal{o.report.Rho, o.report.Scope} }

// cost prices the report's own releases at the release's δ; +Inf where no bound
// is found.
func (o *opened) cost() (map[string]any, error) {
	m, err := report.MechanismOf(o.release)
	if err != nil {
		return nil, err
	}
	event, err := o.report.Published.Plan.Event(m)
	if err != nil {
		return nil, err
	}
	delta, epsilon := o.release.Guarantee.Delta, math.Inf(1)
	if curve, err := account.Of(event, account.BoundAuto); err == nil {
		if e, err := account.EpsilonUpper(curve, delta); err == nil {
			epsilon = e
		}
	}
	return map[string]any{"epsilon": epsilon, "delta": delta}, nil
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

func texts(items []string) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = item
	}
	return out
}
