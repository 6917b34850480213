package learn

import (
	"encoding/json"
	"math"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/privacy"
)

// Tree is the release as a plain tree: what MarshalJSON writes.
//
//	format, version     "cloister-release", 6 (or less: see below)
//	library             version of the library that made it
//	schema              the public schema (package data)
//	event               the mechanism and its parameters (package privacy)
//	guarantee           adjacency, epsilon, delta, method, bound, theorem, covers, caveats
//	  method            how the event is priced: "closed", "pld" or "rdp" (package account)
//	  bound             of objective perturbation; left out where there is none
//	model
//	  loss              "logistic", "huber", "squared", "softmax", "shifted-logistic" or
//	                    "rounded-hinge"
//	  huber_width       the Huber loss's half-width; for "huber" only
//	  shift             h; for "shifted-logistic" and "rounded-hinge" only
//	  clip              norm to which each record's gradient was clipped; left out for none
//	  lambda            λ of the regulariser where the event does not have it; else left out
//	  moments           what the coefficients are computed from, if they are: a Moments,
//	                    with matrix (the lower triangle by rows), vector, square,
//	                    matrix_sigma, vector_sigma, square_sigma, grid, ridge; version 4
//	  told              what else the fit gave out and what its noise follows from: a Told, with
//	                    "of", its kind, and the fields of that; version 5
//	  selected          which candidate of a private selection made the model: a Selected, with
//	                    candidate, from 0, and score; version 6
//	  columns           names of the design matrix' columns, the intercept last
//	  coefficients      θ, one a column
//	  intercept         what the intercept's column adds to every margin
//	  original          the coefficients in the units of the file; see Model.Originals
//	  original_constant
//	  classes           in place of the last four, for a label of several classes: a list, in the
//	                    order of the schema's, of objects with those four and the name, "class"
//	evaluation          left out for none; see Assessment
//	  adjacency, epsilon, event, loss_bound, cells, sums
//	choice              how the model was chosen, a Choice; left out if it is not stated
//
// A numeric label's margin m stands for the value Min + (m + 1)/2·(Max − Min),
// moved to the nearer bound.
//
// A release is written in the oldest version that can say it, so that older
// readers can read it. Version 1 has logistic models of two classes by
// approximate minima, priced in closed form: no method, no clip (it is the
// event's lipschitz), no evaluation. Version 2 has no choice, version 3 no moments, and
// must have a choice, version 4 nothing told; version 5 must have it, and has nothing
// selected; version 6 must.
//
// It is an error only if the schema is not valid.
func (r *Release) Tree() (map[string]any, error) {
	schema, err := r.Schema.Tree()
	if err != nil {
		return nil, err
	}
	caveats := make([]any, len(r.Guarantee.Caveats))
	for i, text := range r.Guarantee.Caveats {
		caveats[i] = text
	}
	guarantee := map[string]any{
		"adjacency": r.Guarantee.Adjacency.String(),
		"epsilon":   r.Guarantee.Epsilon,
		"delta":     r.Guarantee.Delta,
		"theorem":   r.Guarantee.Theorem,
		"covers":    r.Guarantee.Covers,
		"caveats":   caveats,
	}
	if r.Guarantee.Bound != "" {
		guarantee["bound"] = string(r.Guarantee.Bound)
	}
	version := r.version()
	model := r.Model.tree()
	if version == 1 {
		delete(model, "clip")
	} else {
		guarantee["method"] = string(r.Guarantee.Method)
	}
	tree := map[string]any{
		"format":    ReleaseFormat,
		"version":   float64(version),
		"library":   r.Library,
		"schema":    schema,
		"event":     privacy.EncodeEvent(r.Event),
		"guarantee": guarantee,
		"model":     model,
	}
	if r.Assessment != nil {
		tree["evaluation"] = r.Assessment.Tree()
	}
	if r.Choice != NotStated {
		tree["choice"] = string(r.Choice)
	}
	return tree, nil
}

// version is the oldest version that can say the release.
func (r *Release) version() int {
	if r.Model.Selected != nil {
		return ReleaseVersion
	}
	if r.Model.Told != nil {
		return 5
	}
	if r.Model.Moments != nil {
		return 4
	}
	if r.Choice != NotStated {
		return 3
	}
	minima, ok := r.Event.(privacy.ApproximateMinima)
	if ok && r.Schema.Label.Type == data.TwoClasses && LossName(r.Model.Loss) == LogisticLoss &&
		r.Model.Clip == minima.Objective.Lipschitz && r.Model.Lambda == 0 &&
		r.Guarantee.Method == account.Closed && r.Assessment == nil {
		return 1
	}
	return 2
}

func (m Model) tree() map[string]any {
	names := make([]any, len(m.Columns))
	for j, column := range m.Columns {
		names[j] = column.Name
	}
	tree := map[string]any{"loss": LossName(m.Loss), "columns": names}
	if field, value := LossParameter(m.Loss); field != "" {
		tree[field] = value
	}
	if !math.IsInf(m.Clip, 1) {
		tree["clip"] = m.Clip
	}
	if m.Lambda != 0 {
		tree["lambda"] = m.Lambda
	}
	if m.Moments != nil {
		tree["moments"] = m.Moments.tree()
	}
	if m.Told != nil {
		tree["told"] = m.Told.tree()
	}
	if m.Selected != nil {
		tree["selected"] = m.Selected.tree()
	}
	if m.Schema.Label.Type != data.SeveralClasses {
		m.vectorTree(tree, 0)
		return tree
	}
	classes := make([]any, m.Vectors())
	for k, name := range m.Schema.Label.ClassNames() {
		class := map[string]any{"class": name}
		m.vectorTree(class, k)
		classes[k] = class
	}
	tree["classes"] = classes
	return tree
}

// vectorTree writes what is said of vector k.
func (m Model) vectorTree(tree map[string]any, k int) {
	originals, constant := m.Originals(k)
	list := make([]any, len(originals))
	for i, o := range originals {
		list[i] = o.Tree()
	}
	tree["coefficients"] = plainNumbers(m.Vector(k))
	tree["intercept"] = m.Intercept(k)
	tree["original"] = list
	tree["original_constant"] = constant
}

// Tree is the coefficient as a plain tree.
func (o Original) Tree() map[string]any {
	tree := map[string]any{"feature": o.Feature, "coefficient": o.Coefficient, "unit": o.Unit}
	if o.Category != "" {
		tree["category"] = o.Category
	}
	if o.Logarithmic() {
		tree["offset"] = o.Offset
	}
	return tree
}

func plainNumbers(x []float64) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}

// Tree is the assessment as a plain tree, as Release.Tree has it.
func (a *Assessment) Tree() map[string]any {
	cells := make([]any, len(a.Cells))
	for i, row := range a.Cells {
		cells[i] = plainNumbers(row)
	}
	tree := map[string]any{
		"adjacency": a.Adjacency.String(),
		"epsilon":   a.Epsilon,
		"event":     privacy.EncodeEvent(a.Event),
		"cells":     cells,
		"sums":      plainNumbers(a.Sums),
	}
	if a.LossBound != 0 {
		tree["loss_bound"] = a.LossBound
	}
	return tree
}

// MarshalJSON implements json.Marshaler.
func (r *Release) MarshalJSON() ([]byte, error) {
	tree, err := r.Tree()
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}
