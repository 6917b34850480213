package shape

import (
	"fmt"
	"slices"
	"strings"
)

// Saw is told of each field that a value had: the name of the object it is a field of, "" for one
// without a name, and its own.
type Saw func(object, field string)

// Fits is nil if a plain tree is a value of the type, else an error that says where it is not: a
// field too many, one that is missing, a value of another kind. saw may be nil.
func (s *Set) Fits(t *Type, value any, saw Saw) error {
	if saw == nil {
		saw = func(string, string) {}
	}
	return (&fitter{s, saw}).fits(t, value, "the value")
}

type fitter struct {
	*Set
	saw Saw
}

func wrong(path string, value any, want string) error {
	return fmt.Errorf("%s is %.80v (%T): it is declared as %s", path, value, value, want)
}

func (f *fitter) fits(t *Type, value any, path string) error {
	switch t.Kind {
	case Any, Param:
		return nil
	case Text:
		text, ok := value.(string)
		if !ok || t.Values != nil && !slices.Contains(t.Values, text) {
			return wrong(path, value, "text "+strings.Join(t.Values, "|"))
		}
	case Number:
		switch value.(type) {
		case float64, int, int64, uint64:
		default:
			return wrong(path, value, "a number")
		}
	case Bool:
		if _, ok := value.(bool); !ok {
			return wrong(path, value, "a truth value")
		}
	case Bytes:
		if _, ok := value.([]byte); !ok {
			return wrong(path, value, "bytes")
		}
	case Bulk:
		if _, ok := value.([]float64); !ok {
			return wrong(path, value, "a bulk array")
		}
	case Nullable:
		if value != nil {
			return f.fits(t.Elem, value, path)
		}
	case List:
		list, ok := value.([]any)
		if !ok {
			return wrong(path, value, "a list")
		}
		for i, item := range list {
			if err := f.fits(t.Elem, item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case Map:
		tree, ok := value.(map[string]any)
		if !ok {
			return wrong(path, value, "an object")
		}
		for name, item := range tree {
			if err := f.fits(t.Key, name, path+"'s name"); err != nil {
				return err
			}
			if err := f.fits(t.Elem, item, path+"."+name); err != nil {
				return err
			}
		}
	case Named:
		if t.Name == "Numbers" {
			return f.numbers(value, path)
		}
		d := f.Named(t.Name)
		if d.Type.Kind == Text || d.Type.Kind == Any {
			return f.fits(d.Type, value, path)
		}
		return f.oneOf(f.expand(t), value, path)
	default:
		return f.oneOf(f.expand(t), value, path)
	}
	return nil
}

// numbers fits a list of numbers, in bulk or not.
func (f *fitter) numbers(value any, path string) error {
	if f.fits(&Type{Kind: Bulk}, value, path) == nil {
		return nil
	}
	return f.fits(&Type{Kind: List, Elem: &Type{Kind: Number}}, value, path)
}

// oneOf fits if one of the types does.
func (f *fitter) oneOf(types []*Type, value any, path string) error {
	var all []string
	for _, t := range types {
		var err error
		if t.Kind == Object {
			err = f.object(t, value, path)
		} else {
			err = f.fits(t, value, path)
		}
		if err == nil {
			return nil
		}
		all = append(all, err.Error())
	}
	return fmt.Errorf("%s", strings.Join(slices.Compact(all), "; or "))
}

func (f *fitter) object(t *Type, value any, path string) error {
	tree, ok := value.(map[string]any)
	if !ok {
		return wrong(path, value, "an object")
	}
	known := map[string]bool{}
	for _, field := range t.Fields {
		known[field.Name] = true
		item, given := tree[field.Name]
		if !given || item == nil && field.Type.Kind != Nullable {
			if !field.Optional && field.Type.Kind != Any {
				return fmt.Errorf("%s has no %s", path, field.Name)
			}
			continue
		}
		at := path + "." + field.Name
		if field.Is != nil && !slices.Contains(field.Is, fmt.Sprint(item)) {
			return wrong(at, item, strings.Join(field.Is, "|"))
		}
		if field.Not != "" && item == field.Not {
			return wrong(at, item, "anything else")
		}
		if err := f.fits(field.Type, item, at); err != nil {
			return err
		}
	}
	for name := range tree {
		if !known[name] {
			return fmt.Errorf("%s.%s is not declared", path, name)
		}
	}
	for _, field := range t.Fields {
		if _, given := tree[field.Name]; given {
			f.saw(t.Name, field.Name)
		}
	}
	return nil
}

// expand is what a type can be: objects with all their fields, and other types as they are.
func (s *Set) expand(t *Type) []*Type {
	switch t.Kind {
	case Named:
		d := s.byName[t.Name]
		of := d.Type
		if t.Name == "Numbers" {
			return []*Type{t}
		}
		if d.Param {
			label := &Type{Kind: Named, Name: "Label"}
			if len(t.Args) > 0 {
				label = t.Args[0]
			}
			of = of.with(label)
		}
		types := s.expand(of)
		for i, one := range types {
			if one.Kind == Object && one.Name == "" {
				named := *one
				named.Name = t.Name
				types[i] = &named
			}
		}
		return types
	case Union:
		var types []*Type
		for _, member := range t.Args {
			types = append(types, s.expand(member)...)
		}
		return types
	case ByLabel:
		switch t.Args[0].Name {
		case "Label":
			return s.expand(t.Args[1])
		case "ClassesLabel":
			return s.expand(t.Args[2])
		case "NumericLabel":
			return s.expand(t.Args[3])
		}
		return slices.Concat(s.expand(t.Args[1]), s.expand(t.Args[2]), s.expand(t.Args[3]))
	case And:
		return s.joined(&Type{Kind: Object}, t.Args)
	case Object:
		return s.joined(&Type{Kind: Object, Name: t.Name, Fields: t.Fields}, t.Embeds)
	}
	return []*Type{t}
}

// joined is the object with the fields of one of the objects that each of parts can be.
func (s *Set) joined(own *Type, parts []*Type) []*Type {
	types := []*Type{own}
	for _, part := range parts {
		var more []*Type
		for _, t := range types {
			for _, p := range s.expand(part) {
				more = append(
					more,
					&Type{Kind: Object, Name: t.Name, Fields: slices.Concat(t.Fields, p.Fields)},
				)
			}
		}
		types = more
	}
	return types
}

// with is the type with a label in the place of its parameter.
func (t *Type) with(label *Type) *Type {
	if t == nil || t.Kind == Param {
		if t == nil {
			return nil
		}
		return label
	}
	out := *t
	each := func(list []*Type) []*Type {
		var of []*Type
		for _, item := range list {
			of = append(of, item.with(label))
		}
		return of
	}
	out.Args, out.Embeds = each(t.Args), each(t.Embeds)
	out.Key, out.Elem = t.Key.with(label), t.Elem.with(label)
	out.Fields = slices.Clone(t.Fields)
	for i := range out.Fields {
		out.Fields[i].Type = out.Fields[i].Type.with(label)
	}
	return &out
}

// Fields are those of the objects that a value of the type can be, not of what is in them: the name
// of the object's type, a point, and the field's.
func (s *Set) Fields(t *Type) []string {
	var out []string
	for _, one := range s.expand(t) {
		for _, f := range one.Fields {
			out = append(out, one.Name+"."+f.Name)
		}
	}
	return out
}
