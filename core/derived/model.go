package derived

import (
	"math"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
)

// Format and newest version of the JSON form of a derived model.
const (
	Format  = "cloister-derived"
	Version = 1
)

// statement is what a document says of itself.
const statement = "Computed from the noisy moments in the release that is named, and from nothing else. It costs nothing beyond what the release promises."

// Model is a regression with the release that it was computed from.
type Model struct {
	Release    string // its fingerprint
	Target     string // name of the column that is predicted: the label's, or another's
	Label      bool   // the target is the label
	Regression learn.Regression
	Units      learn.Units

	label *data.Label
}

// Of answers a question from a release. Errors are those of learn.Model.Regress, and a
// *learn.ClaimError for a release that says something untrue: its model would be believed to
// cost what it says.
func Of(release *learn.Release, q learn.Question) (*Model, error) {
	regression, err := release.Model.Regress(q)
	if err != nil {
		return nil, err
	}
	if finding, failed := release.Verify().Failed(); failed {
		return nil, &learn.ClaimError{Finding: finding}
	}
	m := &Model{
		Target: release.Schema.Label.Name, Label: true, Regression: regression,
		Units: regression.InUnits(&release.Schema.Label), label: &release.Schema.Label,
	}
	if regression.Target != nil {
		m.Target, m.Label = regression.Target.Name, false
	}
	m.Release, err = report.Fingerprint(release)
	return m, err
}

// Tree is the document as a plain tree.
//
//	format, version    "cloister-derived", 1
//	library            version of the library that made it
//	release            fingerprint of the release (report.Fingerprint)
//	statement          what it was computed from, and what it costs, in plain words
//	target             name of the column that is predicted
//	label              whether that is the label, and not a column of the design matrix
//	target_unit        of the target: learn.Units; target_offset where it is a logarithm
//	ridge              λ
//	columns            names of those that it is predicted from, the intercept last
//	coefficients       on the scale of the design matrix, one a column
//	errors             their standard errors; this and those below, with errors in original,
//	                   are left out where the intercept was (learn.Regression)
//	original           in the units of the file: feature, category, coefficient, error, unit,
//	                   offset, as a release has them; a learn.Units says what they make
//	original_constant
//	intercept
//	intercept_error
//	records            an estimate of how many there are
//	r_squared          one of the share of the target's variance explained, which noise may
//	                   move below 0 or above 1; left out too where it leaves no variance
func (m *Model) Tree() map[string]any {
	r, u := m.Regression, m.Units
	names := make([]any, len(r.Columns))
	for j, column := range r.Columns {
		names[j] = column.Name
	}
	original := make([]any, len(u.Coefficients))
	for j, c := range u.Coefficients {
		entry := c.Tree()
		if u.StandardErrors != nil {
			entry["error"] = u.StandardErrors[j]
		}
		original[j] = entry
	}
	tree := map[string]any{
		"format": Format, "version": float64(Version), "library": privacy.LibraryVersion,
		"release": m.Release, "statement": statement,
		"target": m.Target, "label": m.Label, "target_unit": u.TargetUnit, "ridge": r.Ridge,
		"columns": names, "coefficients": list(r.Coefficients),
		"original": original, "original_constant": u.Constant, "intercept": u.Intercept,
	}
	if (learn.Original{Unit: u.TargetUnit}).Logarithmic() {
		tree["target_offset"] = u.TargetOffset
	}
	if r.StandardErrors != nil {
		tree["errors"] = list(r.StandardErrors)
	}
	for name, x := range map[string]float64{
		"intercept_error": u.InterceptError, "records": r.Records, "r_squared": r.RSquared,
	} {
		if !math.IsNaN(x) {
			tree[name] = x
		}
	}
	return tree
}

func list(x []float64) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}
