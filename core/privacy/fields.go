package privacy

import (
	"math"
	"strconv"
)

// Fields reads a plain tree (the form that encoding/json decodes to, and that
// a JavaScript object has) field by field, remembers the first error, and in
// the end refuses fields that nobody asked for. Every error is a
// *ParameterError whose Field is the path in the document.
//
//	f := privacy.NewFields("event", tree)
//	sigma := f.Number("sigma")
//	return sigma, f.Done()
type Fields struct {
	path string
	tree map[string]any
	seen map[string]bool
	err  error
}

// NewFields reads from tree, which must be a map[string]any; path prefixes the
// field names in errors, and may be empty.
func NewFields(path string, tree any) *Fields {
	m, ok := tree.(map[string]any)
	f := &Fields{path: path, tree: m, seen: make(map[string]bool, len(m))}
	if !ok {
		f.err = &ParameterError{Field: orRoot(path), Value: describe(tree), Want: "an object"}
	}
	return f
}

func orRoot(path string) string {
	if path == "" {
		return "the description"
	}
	return path
}

// Path returns the name of field name as errors give it.
func (f *Fields) Path(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// Fail records err if it is the first one.
func (f *Fields) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Bad records that field name has a value that is not want.
func (f *Fields) Bad(name, want string) {
	f.Fail(&ParameterError{Field: f.Path(name), Value: describe(f.tree[name]), Want: want})
}

// Has reports whether the field is present. null is a value, and a wrong one: what reads the
// document in JavaScript does not take it for a field that was left out.
func (f *Fields) Has(name string) bool {
	f.seen[name] = true
	_, ok := f.tree[name]
	return ok
}

// Any returns the field's raw value; a missing one is an error, and so is null.
func (f *Fields) Any(name string) any {
	f.seen[name] = true
	if f.tree[name] == nil {
		f.Bad(name, "given")
	}
	return f.tree[name]
}

// Number reads a float64, which may be infinite only as the strings "inf" and
// "-inf" (JSON has no other way); NaN is an error.
func (f *Fields) Number(name string) float64 {
	switch v := f.Any(name).(type) {
	case float64:
		if !math.IsNaN(v) {
			return v
		}
	case int:
		return float64(v)
	case string:
		if v == "inf" || v == "Infinity" {
			return math.Inf(1)
		}
		if v == "-inf" || v == "-Infinity" {
			return math.Inf(-1)
		}
	}
	f.Bad(name, "a number")
	return 0
}

// NumberOr is Number, or missing when the field is absent.
func (f *Fields) NumberOr(name string, missing float64) float64 {
	if !f.Has(name) {
		return missing
	}
	return f.Number(name)
}

// Int reads a whole number of magnitude up to 2^53.
func (f *Fields) Int(name string) int {
	x := f.Number(name)
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		f.Bad(name, "a whole number")
		return 0
	}
	return int(x)
}

// IntOr is Int, or missing when the field is absent.
func (f *Fields) IntOr(name string, missing int) int {
	if !f.Has(name) {
		return missing
	}
	return f.Int(name)
}

// Text reads a string.
func (f *Fields) Text(name string) string {
	s, ok := f.Any(name).(string)
	if !ok {
		f.Bad(name, "text")
	}
	return s
}

// Version reads the version of a library: 1 to 64 letters, digits, points, plus and minus
// signs. It is copied into programs and cards that are made from a document, where a line's
// end or a quotation mark would say whatever its author likes.
func (f *Fields) Version(name string) string {
	s := f.Text(name)
	plain := s != "" && len(s) <= 64
	for i := range len(s) {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9' ||
			s[i] == '.' || s[i] == '+' || s[i] == '-') {
			plain = false
		}
	}
	if !plain {
		f.Bad(name, `the version of a library, such as "`+LibraryVersion+`"`)
	}
	return s
}

// TextOr is Text, or missing when the field is absent.
func (f *Fields) TextOr(name, missing string) string {
	if !f.Has(name) {
		return missing
	}
	return f.Text(name)
}

// Bool reads a truth value, false when absent.
func (f *Fields) Bool(name string) bool {
	if !f.Has(name) {
		return false
	}
	b, ok := f.tree[name].(bool)
	if !ok {
		f.Bad(name, "true or false")
	}
	return b
}

// List reads an array.
func (f *Fields) List(name string) []any {
	v, ok := f.Any(name).([]any)
	if !ok {
		f.Bad(name, "a list")
	}
	return v
}

// Numbers reads an array of numbers.
func (f *Fields) Numbers(name string) []float64 {
	list := f.List(name)
	out := make([]float64, len(list))
	for i, v := range list {
		x, ok := v.(float64)
		if !ok || math.IsNaN(x) {
			f.Fail(
				&ParameterError{
					Field: f.Path(name) + "[" + strconv.Itoa(i) + "]",
					Value: describe(v),
					Want:  "a number",
				},
			)
			return nil
		}
		out[i] = x
	}
	return out
}

// Texts reads an array of texts.
func (f *Fields) Texts(name string) []string {
	list := f.List(name)
	out := make([]string, len(list))
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			f.Bad(name, "a list of texts")
			return nil
		}
		out[i] = text
	}
	return out
}

// Event reads an event, as DecodeEvent does; nil when that fails.
func (f *Fields) Event(name string) Event {
	tree := f.Any(name)
	if tree == nil {
		return nil
	}
	event, err := DecodeEvent(f.Path(name), tree)
	if err != nil {
		f.Fail(err)
		return nil
	}
	return event
}

// Adjacency reads the field "adjacency", which has no default.
func (f *Fields) Adjacency() Adjacency {
	a, err := ParseAdjacency(f.Text("adjacency"))
	if err != nil {
		f.Bad("adjacency", `"add-remove" or "replace-one"; it has no default`)
	}
	return a
}

// Done returns the first error, else an error if the tree holds a field that
// was not read (in alphabetical order, so that the message is stable).
func (f *Fields) Done() error {
	if f.err != nil {
		return f.err
	}
	extra, found := "", false
	for name := range f.tree {
		if !f.seen[name] && (!found || name < extra) {
			extra, found = name, true
		}
	}
	if !found {
		return nil
	}
	return &ParameterError{
		Field: f.Path(extra),
		Value: "not known here",
		Want:  "left out (or spelt as the documentation has it)",
	}
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "missing"
	case string:
		return quote(v)
	case float64:
		return Number(v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "of an unknown kind"
}
