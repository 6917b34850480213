package report

import (
	"encoding/json"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Format and newest version of the JSON form of a report. One is written in the
// oldest version that can say it: 3 with the rest of a Hessian, 2 with scores, else 1.
const (
	Format  = "cloister-report"
	Version = 3
)

// Tree is the report as a plain tree: what MarshalJSON writes.
//
//	format, version  "cloister-report", 1, 2 or 3
//	library          version of the library that wrote it
//	release          fingerprint of the release it belongs to (Fingerprint)
//	kind             "data-independent", "data-dependent" or "adaptive"
//	rho              proposed probability of failure
//	people           for how many people together the bounds are proposed, 1 or
//	                 more; 0 for all records that there can be
//	event            what the report's own releases did to the data; a composition
//	                 of nothing for a data-independent one
//	gradient         left out where it was not released
//	  sigma          σ₂
//	  values         one a column of the model
//	hessian          left out where it was not released
//	  sigma          σ₃
//	  values         the lower triangle by rows, without λI
//	  rest           how much more it is where the model stands, in the same form;
//	                 left out where it was not released; version 3
//	least            left out where it was not released
//	  sigma          σ₄
//	  value
//	scores           left out where it was not released; version 2
//	  sigma          σ₅
//	  values         the lower triangle by rows
//
// It leaves out everything that follows from the release (bounds on a record, the
// mechanism's parameters), because a report is read beside its release.
func (r *Report) Tree(m Mechanism) (map[string]any, error) {
	event, err := r.Published.Plan.Event(m)
	if err != nil {
		return nil, err
	}
	people := r.Scope.People
	if r.Scope.Everybody {
		people = 0
	}
	tree := map[string]any{
		"format": Format, "version": 1.0, "library": privacy.LibraryVersion,
		"release": r.Release, "kind": r.Kind(),
		"rho": r.Rho, "people": float64(people),
		"event": privacy.EncodeEvent(event),
	}
	p := r.Published
	section := func(name string, sigma float64, member string, value any) map[string]any {
		if sigma == 0 {
			return nil
		}
		members := map[string]any{"sigma": sigma, member: value}
		tree[name] = members
		return members
	}
	section("gradient", p.Plan.Gradient, "values", numbers(p.Gradient))
	hessian := section("hessian", p.Plan.Hessian, "values", numbers(at(p.Hessian)))
	if section("scores", p.Plan.Scores, "values", numbers(at(p.Scores))) != nil {
		tree["version"] = 2.0
	}
	if p.Plan.Rest {
		tree["version"], hessian["rest"] = 3.0, numbers(at(p.Rest))
	}
	section("least", p.Plan.Least, "value", p.Least)
	return tree, nil
}

// Marshal is the report as JSON text, for publishing beside release.
func (r *Report) Marshal(release *learn.Release) ([]byte, error) {
	m, err := MechanismOf(release)
	if err != nil {
		return nil, err
	}
	tree, err := r.Tree(m)
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

func numbers(x []float64) []any {
	list := make([]any, len(x))
	for i, v := range x {
		list[i] = v
	}
	return list
}

// Parse reads a report from JSON text, as one of release. It refuses another format, a
// newer version, fields that it does not know or that are given twice, numbers of the
// wrong count, an event that is not what the releases cost, and a report of another
// release. Errors are *privacy.ParameterError, except for text that is not JSON.
func Parse(text []byte, release *learn.Release) (*Report, error) {
	tree, err := data.ParseJSON("the report", text)
	if err != nil {
		return nil, err
	}
	return FromTree(tree, release)
}

// FromTree is Parse for a decoded document.
func FromTree(tree any, release *learn.Release) (*Report, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != Format {
		f.Bad("format", strconv.Quote(Format)+", as in every privacy report of this library")
	}
	version := f.Int("version")
	if version < 1 || version > Version {
		f.Bad(
			"version", "from 1 to 3; a newer report needs a newer version of this page or library",
		)
	}
	f.Version("library")
	r := &Report{
		Release: f.Text("release"),
		Rho:     f.Number("rho"),
		Scope:   Scope{People: f.Int("people")},
	}
	if r.Scope.People == 0 {
		r.Scope = Scope{Everybody: true}
	}
	kind, stated := f.Text("kind"), f.Event("event")
	p := &r.Published
	sub := func(name string, read func(*privacy.Fields)) {
		if !f.Has(name) {
			return
		}
		in := privacy.NewFields(name, f.Any(name))
		read(in)
		if err := in.Done(); err != nil {
			f.Fail(err)
		}
	}
	packed := func(in *privacy.Fields, name string) *solve.Packed {
		return &solve.Packed{At: in.Numbers(name)}
	}
	sub(
		"gradient",
		func(in *privacy.Fields) { p.Plan.Gradient, p.Gradient = in.Number("sigma"), in.Numbers("values") },
	)
	sub("hessian", func(in *privacy.Fields) {
		p.Plan.Hessian, p.Hessian = in.Number("sigma"), packed(in, "values")
		if p.Plan.Rest = version > 2 && in.Has("rest"); p.Plan.Rest {
			p.Rest = packed(in, "rest")
		}
	})
	sub(
		"least",
		func(in *privacy.Fields) { p.Plan.Least, p.Least = in.Number("sigma"), in.Number("value") },
	)
	if version > 1 {
		sub(
			"scores",
			func(in *privacy.Fields) { p.Plan.Scores, p.Scores = in.Number("sigma"), packed(in, "values") },
		)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if err := r.belongs(release); err != nil {
		return nil, err
	}
	if kind != r.Kind() {
		return nil, &privacy.ParameterError{
			Field: "kind",
			Value: strconv.Quote(kind),
			Want:  strconv.Quote(r.Kind()) + ", by what the report holds",
		}
	}
	m, err := MechanismOf(release)
	if err != nil {
		return nil, err
	}
	for _, matrix := range []*solve.Packed{p.Hessian, p.Rest, p.Scores} {
		if matrix != nil {
			matrix.N = len(m.Theta)
		}
	}
	if _, err := NewReader(m, *p, r.Rho, r.Scope); err != nil {
		return nil, err
	}
	return r, r.checkEvent(m, stated)
}

// belongs returns a *privacy.ParameterError unless the report is of release.
func (r *Report) belongs(release *learn.Release) error {
	own, err := Fingerprint(release)
	if err != nil {
		return err
	}
	if own != r.Release {
		return &privacy.ParameterError{
			Field: "release",
			Value: short(r.Release),
			Want: short(own) +
				", the fingerprint of the release: this report belongs to another one",
		}
	}
	return nil
}

func short(fingerprint string) string {
	if len(fingerprint) > 12 {
		fingerprint = fingerprint[:12] + "…"
	}
	return strconv.Quote(fingerprint)
}

// checkEvent returns a *privacy.ParameterError unless the event stated is that of
// the plan, to a relative 1e-9, and costs no less but for the last digits of another machine.
func (r *Report) checkEvent(m Mechanism, stated privacy.Event) error {
	own, err := r.Published.Plan.Event(m)
	if err != nil {
		return err
	}
	wrong := &privacy.ParameterError{
		Field: "event",
		Value: strconv.Quote(stated.Mechanism()),
		Want:  "the composition of the Gaussian mechanisms by which the report's numbers were released",
	}
	c, ok := stated.(privacy.Composition)
	if !ok || len(c.Parts) != len(own.Parts) || c.Adjacency != own.Adjacency {
		return wrong
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	for k, part := range own.Parts {
		want := part.Event.(privacy.Gaussian)
		got, ok := c.Parts[k].Event.(privacy.Gaussian)
		if !ok || c.Parts[k].Count != 1 || got.Adjacency != want.Adjacency ||
			!near(got.Sigma, want.Sigma) ||
			!near(got.Sensitivity, want.Sensitivity) ||
			!(got.Sensitivity*want.Sigma >= want.Sensitivity*got.Sigma*(1-0x1p-46)) {
			return wrong
		}
	}
	return nil
}

// Open returns the reader of a report of release, with the settings that the publisher
// proposed.
func Open(release *learn.Release, r *Report) (*Reader, error) {
	if err := r.belongs(release); err != nil {
		return nil, err
	}
	m, err := MechanismOf(release)
	if err != nil {
		return nil, err
	}
	return NewReader(m, r.Published, r.Rho, r.Scope)
}
