package shape

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const (
	module = "cloister"
	folder = "wasm/wire"
)

// Read reads the declarations from the repository that top is the folder of. values are those of
// types whose values are no constants: wire.Values. Errors are those of reading and parsing files,
// and one for each declaration that package wire does not say how to read.
func Read(top string, values map[string][]string) (*Set, error) {
	r := &reader{
		top:    top,
		values: values,
		files:  token.NewFileSet(),
		consts: map[string][]constant{},
	}
	files, err := r.parse(folder)
	if err != nil {
		return nil, err
	}
	set := &Set{byName: map[string]*Decl{}}
	members := map[string][]ast.Expr{}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				members[f.Name.Name] = append(members[f.Name.Name], f.Recv.List[0].Type)
			}
		}
	}
	for _, file := range files {
		r.file = file
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			spec := g.Specs[0].(*ast.TypeSpec)
			if builtIn(spec.Name.Name) || !spec.Name.IsExported() || hasTypes(spec) {
				continue
			}
			decl, err := r.decl(g, spec, members)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.files.Position(spec.Pos()), err)
			}
			set.Decls = append(set.Decls, decl)
			set.byName[decl.Name] = decl
		}
	}
	return set, set.complete()
}

// builtIn reports whether a name is one of package wire's that types are written with.
func builtIn(name string) bool {
	return name == "Float64Array" || name == "And" || name == "ByLabel"
}

// hasTypes reports whether a struct is of the table of methods, not of the wire.
func hasTypes(spec *ast.TypeSpec) bool {
	return spec.Name.Name == "Call" || spec.Name.Name == "Binary"
}

// complete is an error if a type that is named is not declared.
func (s *Set) complete() error {
	var missing error
	for _, d := range s.Decls {
		d.Type.walk(func(t *Type) {
			if t.Kind == Named && s.byName[t.Name] == nil {
				missing = fmt.Errorf("%s names %s, which is not declared", d.Name, t.Name)
			}
		})
	}
	return missing
}

func (t *Type) walk(visit func(*Type)) {
	if t == nil {
		return
	}
	visit(t)
	for _, part := range slices.Concat(t.Args, t.Embeds, []*Type{t.Key, t.Elem}) {
		part.walk(visit)
	}
	for _, f := range t.Fields {
		f.Type.walk(visit)
	}
}

type reader struct {
	top    string
	values map[string][]string
	files  *token.FileSet
	file   *ast.File
	param  string
	consts map[string][]constant // by folder
}

func (r *reader) decl(
	g *ast.GenDecl, spec *ast.TypeSpec, members map[string][]ast.Expr,
) (*Decl, error) {
	d := &Decl{Name: spec.Name.Name, File: filepath.Base(r.files.Position(spec.Pos()).Filename)}
	d.Doc, d.TS = docOf(g.Doc)
	r.param = ""
	if spec.TypeParams != nil {
		r.param, d.Param = spec.TypeParams.List[0].Names[0].Name, true
	}
	if union, ok := spec.Type.(*ast.InterfaceType); ok {
		if len(union.Methods.List) != 1 {
			return nil, fmt.Errorf("%s is an interface, but not of one method", d.Name)
		}
		d.Type = &Type{Kind: Union}
		for _, member := range members[union.Methods.List[0].Names[0].Name] {
			t, err := r.typeOf(member)
			if err != nil {
				return nil, err
			}
			d.Type.Args = append(d.Type.Args, t)
		}
		return d, nil
	}
	t, err := r.typeOf(spec.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	d.Type = t
	if values, ok := r.values[d.Name]; ok && t.Kind == Text {
		t.Values = values
	} else if t.Kind == Text && t.Values == nil && d.TS == "" {
		list, err := r.constants(folder, d.Name)
		if err != nil {
			return nil, err
		}
		t.Values = textsOf(list)
	}
	if selector, ok := spec.Type.(*ast.SelectorExpr); ok && !strings.Contains(d.Doc, "\n  - ") {
		list, err := r.constants(r.folderOf(selector), selector.Sel.Name)
		if err != nil {
			return nil, err
		}
		d.Doc += listed(list)
	}
	return d, nil
}

// docOf is a comment's text, and what follows "ts:" in it.
func docOf(group *ast.CommentGroup) (doc, ts string) {
	if group == nil {
		return "", ""
	}
	for _, c := range group.List {
		if after, ok := strings.CutPrefix(c.Text, "//ts:type "); ok {
			ts = after
		}
	}
	return strings.TrimSpace(group.Text()), ts
}

func (r *reader) typeOf(e ast.Expr) (*Type, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return r.ident(e.Name), nil
	case *ast.SelectorExpr:
		list, err := r.constants(r.folderOf(e), e.Sel.Name)
		return &Type{Kind: Text, Values: textsOf(list)}, err
	case *ast.StarExpr:
		elem, err := r.typeOf(e.X)
		return &Type{Kind: Nullable, Elem: elem}, err
	case *ast.ArrayType:
		if name, ok := e.Elt.(*ast.Ident); ok && name.Name == "byte" {
			return &Type{Kind: Bytes}, nil
		}
		elem, err := r.typeOf(e.Elt)
		return &Type{Kind: List, Elem: elem}, err
	case *ast.MapType:
		key, err := r.typeOf(e.Key)
		if err != nil {
			return nil, err
		}
		elem, err := r.typeOf(e.Value)
		return &Type{Kind: Map, Key: key, Elem: elem}, err
	case *ast.StructType:
		return r.object(e)
	case *ast.IndexExpr:
		return r.instance(e.X, []ast.Expr{e.Index})
	case *ast.IndexListExpr:
		return r.instance(e.X, e.Indices)
	}
	return nil, fmt.Errorf("a type is written as package wire does not say how to read (%T)", e)
}

func (r *reader) ident(name string) *Type {
	switch name {
	case "string":
		return &Type{Kind: Text}
	case "bool":
		return &Type{Kind: Bool}
	case "float64", "int":
		return &Type{Kind: Number}
	case "any":
		return &Type{Kind: Any}
	case "Float64Array":
		return &Type{Kind: Bulk}
	case r.param:
		return &Type{Kind: Param, Name: name}
	}
	return &Type{Kind: Named, Name: name}
}

func (r *reader) instance(of ast.Expr, args []ast.Expr) (*Type, error) {
	name := of.(*ast.Ident).Name
	t := &Type{Kind: Named, Name: name}
	if name == "And" {
		t.Kind = And
	} else if name == "ByLabel" {
		t.Kind = ByLabel
	}
	for _, arg := range args {
		a, err := r.typeOf(arg)
		if err != nil {
			return nil, err
		}
		// In a method of a generic type, its parameter stands for any label.
		if a.Kind == Named && a.Name == "L" {
			a.Name = "AnyLabel"
		}
		t.Args = append(t.Args, a)
	}
	return t, nil
}

func (r *reader) object(e *ast.StructType) (*Type, error) {
	t := &Type{Kind: Object}
	for _, f := range e.Fields.List {
		of, err := r.typeOf(f.Type)
		if err != nil {
			return nil, err
		}
		if len(f.Names) == 0 {
			t.Embeds = append(t.Embeds, of)
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, err
		}
		tag := reflect.StructTag(text)
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		if name == "" {
			return nil, fmt.Errorf("the field %s has no json tag", f.Names[0].Name)
		}
		doc, _ := docOf(f.Doc)
		field := Field{
			Name: name, Doc: doc, Type: of, Optional: options == "omitempty",
			Not: tag.Get("not"), TS: strings.ReplaceAll(tag.Get("ts"), "'", `"`),
		}
		if is := tag.Get("is"); is != "" {
			field.Is = strings.Split(is, "|")
		}
		t.Fields = append(t.Fields, field)
	}
	return t, nil
}

// constant is one constant of text.
type constant struct{ of, text, doc, block string }

// constants are those of a type of texts, in the order of their declaration, but for "".
func (r *reader) constants(folder, of string) ([]constant, error) {
	all, ok := r.consts[folder]
	if !ok {
		files, err := r.parse(folder)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			all = append(all, constantsOf(file)...)
		}
		r.consts[folder] = all
	}
	own := slices.DeleteFunc(slices.Clone(all), func(c constant) bool { return c.of != of })
	if len(own) == 0 {
		return nil, fmt.Errorf("no constants of the type %s in %s", of, folder)
	}
	return own, nil
}

// parse parses a folder's files, but for tests, in the order of their names.
func (r *reader) parse(folder string) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(r.top, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(r.files, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func constantsOf(file *ast.File) []constant {
	var out []constant
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			of, named := spec.Type.(*ast.Ident)
			if !named || len(spec.Values) != 1 {
				continue
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			text, _ := strconv.Unquote(literal.Value)
			doc := strings.Join(strings.Fields(spec.Doc.Text()), " ")
			if text != "" {
				out = append(out, constant{of.Name, text, doc, strings.TrimSpace(g.Doc.Text())})
			}
		}
	}
	return out
}

func textsOf(list []constant) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.text)
	}
	return out
}

// listed is what the constants mean, as a list, below the headings of their blocks; "" unless the
// blocks have any.
func listed(list []constant) string {
	text, block := "", ""
	for _, c := range list {
		if c.block == "" || c.doc == "" {
			return ""
		}
		if c.block != block {
			block = c.block
			text += "\n\n" + block
		}
		text += "\n  - `" + c.text + "`: " + strings.ToLower(c.doc[:1]) + c.doc[1:]
	}
	return text
}

// folderOf is that of the package of a type.
func (r *reader) folderOf(e *ast.SelectorExpr) string {
	name := e.X.(*ast.Ident).Name
	for _, i := range r.file.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); path.Base(p) == name {
			return strings.TrimPrefix(p, module+"/")
		}
	}
	return name
}

// Parse is a type as reflect.Type.String writes it.
func Parse(text string) (*Type, error) {
	e, err := parser.ParseExpr(
		strings.NewReplacer(module+"/"+folder+".", "", "wire.", "").Replace(text),
	)
	if err != nil {
		return nil, err
	}
	return (&reader{}).typeOf(e)
}
