package fitting

import (
	"slices"
	"strconv"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
	"cloister/wasm/api"
)

// kept is the noise b of a fit: what an exact loss, and a report that releases the
// gradient, are computed from (theory §6). It is as private as the data, and goes
// with it.
type kept struct {
	fingerprint string
	b           []float64
}

// keep has the session remember the noise of a release that was fitted to a
// dataset, until that is closed: not at all if that was while the fit waited.
func (s *Session) keep(dataset int, release *learn.Release, b []float64) {
	fingerprint, err := report.Fingerprint(release)
	if _, lost := s.schemaOf(dataset); err != nil || b == nil || lost != nil {
		clear(b)
		return
	}
	if s.noises == nil {
		s.noises = map[int][]kept{}
	}
	s.noises[dataset] = append(s.noises[dataset], kept{fingerprint, b})
}

// forget drops what was kept of a dataset.
func (s *Session) forget(dataset int) {
	for _, k := range s.noises[dataset] {
		clear(k.b)
	}
	delete(s.noises, dataset)
}

// noise is a copy of b of a release that was fitted to a dataset here: what was kept may be dropped
// while the caller waits. Callers clear it, except that of a purchase that is not run: then it is
// garbage, as are the sums over the rows, and Go does not clear that.
func (s *Session) noise(dataset int, release *learn.Release) ([]float64, error) {
	fingerprint, err := report.Fingerprint(release)
	if err != nil {
		return nil, err
	}
	for _, k := range s.noises[dataset] {
		if k.fingerprint == fingerprint {
			return slices.Clone(k.b), nil
		}
	}
	return nil, &api.Error{
		Code:    api.CodeDatasetLost,
		Field:   "release",
		Message: "The noise of this fit is no longer there: it is kept beside the data it was fitted to, only until that is closed. Make a report that costs nothing, or fit again, which is charged again.",
	}
}

// reportable reads "release", one that a report can be of.
func reportable(f *privacy.Fields) (*learn.Release, report.Mechanism, error) {
	release, err := readRelease(f)
	if err != nil {
		return nil, report.Mechanism{}, err
	}
	m, err := report.MechanismOf(release)
	return release, m, noReport(release, err)
}

// noReport says in plain words why there is no report of a release.
func noReport(release *learn.Release, err error) error {
	p, ok := err.(*privacy.ParameterError)
	if !ok {
		return err
	}
	why := ""
	switch p.Field {
	case "label":
		why = "Of a model of several classes there is no privacy report yet: each class is a release of its own."
	case "event.adjacency":
		why = "A privacy report says what it cost a person to be in the data rather than not. This fit promises something about one person in another's place, and what that cost depends on the other, whom nobody knows."
	case "event":
		why = "Privacy reports are for objective perturbation, fitted once. What another way's noise tells of one person, or a choice by the records, is not known from its result."
	default:
		return err
	}
	return &api.Error{Code: api.CodeParameter, Field: "release", Message: why, Cause: err}
}

// reportAsked is what a report is asked to be.
type reportAsked struct {
	release   *learn.Release
	mechanism report.Mechanism
	plan      report.Plan
	rho       float64
	scope     report.Scope
}

// Kinds of reports.
const (
	reportFree     = "data-independent"
	reportBought   = "data-dependent"
	reportAdaptive = "adaptive"
)

// defaultRho is the probability with which a bound may fail.
const defaultRho = 0.05

// readReport reads {release, kind, epsilon?, delta?, errors?, rho?, people?}: what
// one is bought for is split among its parts as seemed best on Adult and on the
// thesis' sets: half for the gradient, the other for the matrices. errors, for
// standard errors too. people 0 is all records that there can be.
func readReport(f *privacy.Fields) (reportAsked, error) {
	release, mechanism, err := reportable(f)
	if err != nil || release == nil {
		return reportAsked{}, err
	}
	a := reportAsked{
		release:   release,
		mechanism: mechanism,
		rho:       f.NumberOr("rho", defaultRho),
		scope:     report.Scope{People: f.IntOr("people", 1)},
	}
	if a.scope.People == 0 {
		a.scope = report.Scope{Everybody: true}
	}
	shares := report.Shares{Gradient: 2, Hessian: 1}
	switch kind := f.Text("kind"); kind {
	case reportFree:
		if err := f.Done(); err != nil {
			return a, err
		}
		_, err := report.NewReader(mechanism, report.Published{}, a.rho, a.scope)
		return a, err
	case reportBought:
	case reportAdaptive:
		shares.Least = 1
	default:
		f.Bad("kind", `"data-independent", "data-dependent" or "adaptive"`)
	}
	if f.Bool("errors") {
		shares.Scores = 1
	}
	g := privacy.Guarantee{
		Adjacency: privacy.AddRemove,
		Epsilon:   f.Number("epsilon"),
		Delta:     f.Number("delta"),
	}
	if err := f.Done(); err != nil {
		return a, err
	}
	if d := len(mechanism.Theta); d > report.MaxDimension {
		return a, &api.Error{
			Code:  api.CodeParameter,
			Field: "kind",
			Message: "The model has " + strconv.Itoa(d) + " coefficients. How more than " +
				strconv.Itoa(report.MaxDimension) +
				" vary together cannot be told through the noise. The report that costs nothing has no such limit.",
		}
	}
	a.plan, err = report.Calibrate(mechanism, g, shares)
	return a, err
}

// planReport answers what readReport reads with the event that such a report is
// charged for. No data is needed.
func planReport(call *api.Call) (map[string]any, error) {
	a, err := readReport(call.Fields)
	if err != nil {
		return nil, err
	}
	event, err := a.plan.Event(a.mechanism)
	return map[string]any{"event": privacy.EncodeEvent(event)}, err
}

// report prepares what readReport reads, of a dataset. Its reply has the report, a
// document of its own, as what may be published. That which costs nothing needs no
// dataset, and cannot be bought.
func (s *Session) report(call *api.Call) (*api.Purchase, error) {
	id := call.Fields.Int("dataset")
	if _, err := s.schemaOf(id); err != nil {
		return nil, err
	}
	a, err := readReport(call.Fields)
	if err != nil {
		return nil, err
	}
	b, err := s.noise(id, a.release)
	if err != nil {
		return nil, err
	}
	event, err := a.plan.Event(a.mechanism)
	if err != nil {
		return nil, err
	}
	if len(event.Parts) == 0 {
		return nil, &privacy.ParameterError{
			Field: "kind",
			Value: strconv.Quote(reportFree),
			Want:  "another: this one costs nothing, and is not bought",
		}
	}
	blocks, err := s.byBlock(id, a.release, question{
		method: "shard.report",
		params: map[string]any{
			"gradient": a.plan.Gradient, "hessian": a.plan.Hessian, "least": a.plan.Least,
			"scores": a.plan.Scores, "rest": a.plan.Rest,
		},
		count: reported(a.release, a.mechanism, a.plan),
	})
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		defer clear(b)
		published, err := report.ReleaseSums(a.mechanism, a.plan, blocks, b, s.source)
		if err != nil {
			return nil, err
		}
		return a.tree(published)
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

// reported is report.Sums.
func reported(release *learn.Release, m report.Mechanism, plan report.Plan) blockwise {
	return func(d *data.Dataset) ([][]float64, error) {
		return report.Sums(m, plan, learn.Problem{Data: d, Loss: release.Model.Loss})
	}
}

// reportShard answers {release, gradient, hessian, least, scores, rest} with report.Sums of the
// blocks that are kept here.
func (s *Session) reportShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	plan := report.Plan{
		Gradient: f.Number("gradient"), Hessian: f.Number("hessian"), Least: f.Number("least"),
		Scores: f.Number("scores"), Rest: f.Bool("rest"),
	}
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		m, err := report.MechanismOf(release)
		return reported(release, m, plan), err
	})
}

// freeReport answers what readReport reads, of the kind that costs nothing: with it.
func freeReport(call *api.Call) (map[string]any, error) {
	a, err := readReport(call.Fields)
	if err != nil {
		return nil, err
	}
	return a.tree(report.Published{})
}

func (a reportAsked) tree(published report.Published) (map[string]any, error) {
	r, err := report.New(a.release, published, a.rho, a.scope)
	if err != nil {
		return nil, err
	}
	tree, err := r.Tree(a.mechanism)
	return map[string]any{"release": tree}, err
}

// inspectReport answers {release, report}: whether the report belongs to the release, which must
// hold, what it costs beside it, and the intervals for the coefficients that follow.
func inspectReport(call *api.Call) (map[string]any, error) {
	tree := call.Fields.Any("report")
	release, mechanism, err := reportable(call.Fields)
	if err != nil || release == nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	r, err := openReport(tree, release)
	if err != nil {
		return nil, err
	}
	if err := holds(release.Verify(), "nothing follows from a report of it"); err != nil {
		return nil, err
	}
	people := r.Scope.People
	if r.Scope.Everybody {
		people = 0
	}
	reply := map[string]any{
		"kind":    r.Kind(),
		"rho":     r.Rho,
		"people":  people,
		"epsilon": 0.0,
		"total":   release.Guarantee.Epsilon,
		"delta":   release.Guarantee.Delta,
	}
	event, err := r.Published.Plan.Event(mechanism)
	if err != nil {
		return nil, err
	}
	if len(event.Parts) == 0 {
		return reply, nil
	}
	own, err := objective.Of(event, objective.BoundAuto)
	if err != nil {
		return nil, err
	}
	if reply["epsilon"], err = curve.EpsilonUpper(own, release.Guarantee.Delta); err != nil {
		return nil, err
	}
	whole := *release
	whole.Event = privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts:     append(event.Parts, privacy.Part{Event: release.Event, Count: 1}),
	}
	reply["total"], _ = priced(&whole, "auto", objective.BoundAuto)
	intervals, err := mechanism.Intervals(r.Published, learn.IntervalLevel)
	if p, ok := err.(*privacy.ParameterError); ok {
		reply["noErrors"] = p.Field
		return reply, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]any, len(intervals))
	for j, i := range intervals {
		if !i.Determined() {
			continue
		}
		list[j] = map[string]any{
			"estimate": i.Estimate,
			"error":    i.StandardError,
			"low":      i.Low,
			"high":     i.High,
		}
	}
	reply["level"], reply["intervals"] = learn.IntervalLevel, list
	return reply, nil
}

// openReport reads a report of a release; whatever is wrong with it is an error of
// code "report".
func openReport(tree any, release *learn.Release) (*report.Report, error) {
	r, err := report.FromTree(tree, release)
	if err == nil {
		return r, nil
	}
	out := &api.Error{
		Code:    api.CodeReport,
		Field:   "report",
		Message: "This report cannot be read: " + api.Sentence(err.Error()),
		Cause:   err,
	}
	if p, ok := err.(*privacy.ParameterError); ok {
		switch p.Field {
		case "release":
			out.Message = "This report belongs to another release. Choose the release that it was published with."
		case "format":
			out.Message = "This file is not a privacy report."
		case "version":
			out.Message = "This report was written by a newer version. Reload the page, or open it where it was made."
		}
	}
	return nil, out
}
