package derived

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
)

// tolerance is how far numbers may be from those computed again, relative to their size: the
// rounding errors of another machine, with room.
const tolerance = 0x1p-20

// Check reads a document from JSON text, and returns an error unless it is a derived model that
// the release's moments give. Errors are *privacy.ParameterError, for the field that is wrong,
// except for text that is not JSON, and a *learn.ClaimError for a release that does not hold.
func Check(release *learn.Release, text []byte) (*Model, error) {
	tree, err := data.ParseJSON("the derived model", text)
	if err != nil {
		return nil, err
	}
	return CheckTree(release, tree)
}

// CheckTree is Check for a decoded document.
func CheckTree(release *learn.Release, tree any) (*Model, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != Format {
		f.Bad("format", strconv.Quote(Format)+", as in every derived model of this library")
	}
	if version := f.Int("version"); version < 1 || version > Version {
		f.Bad("version", "1; a newer one needs a newer version of this page or library")
	}
	library := f.Version("library")
	named, target, label := f.Text("release"), f.Text("target"), f.Bool("label")
	columns, ridge := f.Texts("columns"), f.Number("ridge")
	theta := f.Numbers("coefficients")
	var errors []float64
	if f.Has("errors") {
		errors = f.Numbers("errors")
	}
	for _, name := range []string{"records", "r_squared"} {
		if f.Has(name) {
			f.Number(name)
		}
	}
	for _, name := range others {
		if f.Has(name) {
			f.Any(name)
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	own, err := report.Fingerprint(release)
	if err != nil {
		return nil, err
	}
	if named != own {
		return nil, wrong(
			"release",
			"another",
			"the fingerprint of the release that was given with it",
		)
	}
	q := learn.Question{Target: target, Ridge: ridge, Columns: []string{}, NoIntercept: true}
	if label {
		q.Target = ""
	}
	for _, name := range columns {
		if name == data.InterceptName && q.NoIntercept && release.Schema.Intercept > 0 {
			q.NoIntercept = false
			continue
		}
		q.Columns = append(q.Columns, name)
	}
	m, err := Of(release, q)
	if err != nil {
		return nil, err
	}
	return m, m.matches(tree.(map[string]any), library, theta, errors)
}

// others are the fields that follow from the rest, which matches compares as they are.
var others = []string{
	"statement", "target_unit", "target_offset", "original", "original_constant", "intercept",
	"intercept_error",
}

// matches returns an error for the first field that is not the model's.
func (m *Model) matches(got map[string]any, library string, theta, errors []float64) error {
	r := &m.Regression
	if !near(r.Coefficients, theta) {
		return changed("coefficients")
	}
	if (r.StandardErrors == nil) != (errors == nil) || !nearEach(r.StandardErrors, errors) {
		return changed("errors") // an empty list is not the same as none
	}
	// What follows from them does to the bit.
	r.Coefficients, r.StandardErrors = theta, errors
	again := *m
	again.Units = r.InUnits(m.label)
	want := again.Tree()
	want["library"] = library
	for _, name := range []string{"records", "r_squared"} {
		a, there := want[name].(float64)
		b, given := got[name].(float64)
		if there && given && math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(a)) {
			want[name] = b
		}
	}
	var names []string
	for name := range want {
		names = append(names, name)
	}
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !privacy.SameTree(want[name], got[name]) {
			return changed(name)
		}
	}
	return nil
}

// near reports whether two vectors are, relative to their length.
func near(want, got []float64) bool {
	if len(want) != len(got) {
		return false
	}
	size, off := 0.0, 0.0
	for j, x := range want {
		size, off = math.Hypot(size, x), math.Hypot(off, x-got[j])
	}
	return off <= tolerance*size
}

// nearEach reports whether each of two vectors' numbers is, relative to its size, or as nearly so
// as rounding errors of the vectors that they are summed up from allow. None may be below 0.
func nearEach(want, got []float64) bool {
	if len(want) != len(got) {
		return false
	}
	size := 0.0
	for _, x := range want {
		size = math.Hypot(size, x)
	}
	for j, x := range want {
		if !(got[j] >= 0 && math.Abs(x-got[j]) <= tolerance*x+0x1p-48*size) {
			return false
		}
	}
	return true
}

func changed(field string) error {
	return wrong(field, "not what the release's moments make it",
		"computed from them; the file was changed, or made by something else")
}

func wrong(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}
