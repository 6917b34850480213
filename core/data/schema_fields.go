package data

import (
	"math"
	"sort"
	"strconv"
)

// fields reads one object of a schema's tree, keeps the first error, and in
// the end refuses what was not asked for.
type fields struct {
	path string
	tree map[string]any
	seen map[string]bool
	err  *SchemaError
}

func readFields(path string, tree any) *fields {
	object, ok := tree.(map[string]any)
	f := &fields{path: path, tree: object, seen: make(map[string]bool, len(object))}
	if !ok {
		name := path
		if name == "" {
			name = "the schema"
		}
		f.err = &SchemaError{name, describe(tree), "an object"}
	}
	return f
}

func (f *fields) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

func (f *fields) fail(err *SchemaError) {
	if f.err == nil {
		f.err = err
	}
}

func (f *fields) bad(name, want string) {
	f.fail(&SchemaError{f.at(name), describe(f.tree[name]), want})
}

// has reports whether the field is there. null is a value, and a wrong one: what reads the
// document in JavaScript does not take it for a field that was left out.
func (f *fields) has(name string) bool {
	f.seen[name] = true
	_, given := f.tree[name]
	return given
}

func (f *fields) get(name string) any {
	f.seen[name] = true
	return f.tree[name]
}

func (f *fields) text(name, want string) string {
	text, ok := f.get(name).(string)
	if !ok {
		f.bad(name, want)
	}
	return text
}

func (f *fields) number(name, want string) float64 {
	x, ok := asNumber(f.get(name))
	if !ok || !finite(x) {
		f.bad(name, want)
	}
	return x
}

func (f *fields) truth(name string) bool {
	if !f.has(name) {
		return false
	}
	b, ok := f.get(name).(bool)
	if !ok {
		f.bad(name, "true or false")
	}
	return b
}

func (f *fields) list(name, want string) []any {
	items, ok := f.get(name).([]any)
	if !ok {
		f.bad(name, want)
	}
	return items
}

func (f *fields) texts(name, want string) []string {
	return f.textsOf(name, f.list(name, want))
}

func (f *fields) textsOf(name string, items []any) []string {
	out := make([]string, len(items))
	for i, item := range items {
		text, ok := item.(string)
		if !ok {
			f.fail(
				&SchemaError{
					f.at(name) + "[" + strconv.Itoa(i) + "]",
					describe(item),
					"text in quotes",
				},
			)
			return nil
		}
		out[i] = text
	}
	return out
}

// rule reads a rule; an absent one is Refuse.
func (f *fields) rule(name, want string) Rule {
	if !f.has(name) {
		return Rule{}
	}
	switch v := f.get(name).(type) {
	case string:
		switch v {
		case "error":
			return Rule{}
		case "drop":
			return Rule{Action: Drop}
		case "zero":
			return Rule{Action: UseZero}
		case "indicator":
			return Rule{Action: Indicate}
		}
	case map[string]any:
		inner := readFields(f.at(name), v)
		rule := Rule{Action: UseCategory, Category: inner.text("category", "one of the feature's categories")}
		if err := inner.done(""); err != nil {
			f.fail(err)
		}
		return rule
	default:
		if x, ok := asNumber(v); ok && finite(x) {
			return Rule{Action: UseValue, Value: x}
		}
	}
	f.bad(name, want)
	return Rule{}
}

// done returns the first error, else one for the first field, in alphabetical
// order, that has no meaning here; whose completes "has no meaning".
func (f *fields) done(whose string) *SchemaError {
	if f.err != nil {
		return f.err
	}
	var extra []string
	for name := range f.tree {
		if !f.seen[name] {
			extra = append(extra, name)
		}
	}
	if len(extra) == 0 {
		return nil
	}
	sort.Strings(extra)
	return &SchemaError{
		f.at(extra[0]),
		"has no meaning" + whose,
		"left out, or spelt as the documentation has it",
	}
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return math.NaN(), false
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "is missing"
	case string:
		return "is " + quoted(v)
	case float64:
		return "is " + number(v)
	case int:
		return "is " + strconv.Itoa(v)
	case bool:
		return "is " + strconv.FormatBool(v)
	case []any:
		return "is a list"
	case map[string]any:
		return "is an object"
	}
	return "is of an unknown kind"
}
