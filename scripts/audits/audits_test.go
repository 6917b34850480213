// Package audits checks that `make audit` runs the long form of every test in Go that has one.
package audits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	top     = "../.."
	module  = "cloister"
	consult = "CLOISTER_AUDIT"
)

// apart are tests that no line in Go runs at length, and why.
var apart = map[string]string{
	"core/lab/cards.TestAdultTable":                    "site/docs/scorecards.md says how",
	"wasm/api.TestChangedDocumentsAreReadForTheClient": "two-readers.test.ts runs it",

	// These consult the variable for the source of randomness alone.
	"core/learn/audittest.TestCatchesStopsWhereItHasCaught": "it needs seeds",
	"core/learn/audittest.TestFailuresAreReported":          "it has no more cases",
	"core/learn/audittest.TestPartsAreTheWhole":             "it needs seeds",
	"core/learn/audittest.TestStatistics":                   "it has no more cases",
}

// declaration is a function, a method, a variable or a constant of a package: whether it reads the
// variable itself, and what it names. What it is and what it names are "folder.Name".
type declaration struct {
	reads bool
	names []string
	test  bool
}

// declared adds what the file of a folder declares at its top. A method goes by its name alone, as
// do the members that a body names, "folder.().Name": one too many is found, but none is missed.
func declared(all map[string]*declaration, folder string, file *ast.File, test bool) {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		if at, err := strconv.Unquote(spec.Path.Value); err == nil {
			if in, own := strings.CutPrefix(at, module+"/"); own {
				name := path.Base(in)
				if spec.Name != nil {
					name = spec.Name.Name
				}
				imported[name] = in
			}
		}
	}
	add := func(name string, node ast.Node, test bool) {
		key := folder + "." + name
		one := all[key]
		if one == nil {
			one = &declaration{}
			all[key] = one
		}
		one.test = one.test || test
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				one.reads = one.reads || n.Value == strconv.Quote(consult)
			case *ast.SelectorExpr:
				x, plain := n.X.(*ast.Ident)
				if plain && x.Obj == nil && imported[x.Name] != "" {
					one.names = append(one.names, imported[x.Name]+"."+n.Sel.Name)
					return false
				}
				one.names = append(one.names, folder+".()."+n.Sel.Name)
				ast.Inspect(n.X, visit)
				return false
			case *ast.Ident:
				if n.Obj == nil || n.Obj == file.Scope.Lookup(n.Name) { // not of a body
					one.names = append(one.names, folder+"."+n.Name)
				}
			}
			return true
		}
		ast.Inspect(node, visit)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = "()." + name
			}
			if d.Body != nil {
				add(name, d.Body, test && strings.HasPrefix(name, "Test"))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range value.Names {
						add(name.Name, value, false)
					}
				}
			}
		}
	}
}

// longForms are the tests that consult the variable, themselves or by what they call.
func longForms(all map[string]*declaration) []string {
	for changed := true; changed; {
		changed = false
		for _, d := range all {
			if !d.reads && slices.ContainsFunc(d.names, func(name string) bool {
				return all[name] != nil && all[name].reads
			}) {
				d.reads, changed = true, true
			}
		}
	}
	var found []string
	for name, d := range all {
		if d.test && d.reads {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// line is a command of the Makefile that runs tests in Go at length.
type line struct {
	run     *regexp.Regexp // nil: all
	folders []string
}

var run = regexp.MustCompile(` -run '?([^' ]+)'?`)

func linesOf(t *testing.T, makefile string) (lines []line) {
	t.Helper()
	for text := range strings.Lines(makefile) {
		if !strings.Contains(text, consult+"=long go test ") {
			continue
		}
		var one line
		if asked := run.FindStringSubmatch(text); asked != nil {
			one.run = regexp.MustCompile(asked[1])
		}
		for _, field := range strings.Fields(text) {
			if folder, ok := strings.CutPrefix(field, "./"); ok {
				one.folders = append(one.folders, folder)
			}
		}
		require.NotEmpty(t, one.folders, text)
		lines = append(lines, one)
	}
	return lines
}

// selects reports whether the command runs a test, "folder.Name".
func (l line) selects(test string) bool {
	at := strings.LastIndex(test, ".")
	folder, name := test[:at], test[at+1:]
	return (l.run == nil || l.run.MatchString(name)) &&
		slices.ContainsFunc(l.folders, func(asked string) bool {
			tree, all := strings.CutSuffix(asked, "/...")
			return folder == tree || all && strings.HasPrefix(folder, tree+"/")
		})
}

// unselected are the long forms that no line selects.
func unselected(lines []line, tests []string) (missing []string) {
	for _, test := range tests {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.selects(test) }) {
			missing = append(missing, test)
		}
	}
	return missing
}

func TestMakeAuditRunsEveryLongForm(t *testing.T) {
	all := map[string]*declaration{}
	files := token.NewFileSet()
	for _, root := range []string{"core", "wasm", "scripts"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(top, root), func(
			at string, entry fs.DirEntry, err error,
		) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "audits") {
				return fs.SkipDir
			}
			if filepath.Ext(at) != ".go" {
				return nil
			}
			file, err := parser.ParseFile(files, at, nil, 0)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(top, filepath.Dir(at))
			declared(all, filepath.ToSlash(folder), file, strings.HasSuffix(at, "_test.go"))
			return err
		}))
	}
	tests := longForms(all)
	makefile, err := os.ReadFile(filepath.Join(top, "Makefile"))
	require.NoError(t, err)
	lines := linesOf(t, string(makefile))
	require.NotEmpty(t, lines)
	require.Greater(t, len(tests), 50)
	missing := unselected(lines, tests)
	for name, why := range apart {
		assert.Contains(t, missing, name, "a line of the Makefile selects it, but: %s", why)
	}
	missing = slices.DeleteFunc(missing, func(name string) bool { return apart[name] != "" })
	assert.Empty(t, missing, "no line of `make audit` runs the long form of these")
}

func TestALongFormThatNoLineSelectsIsFound(t *testing.T) {
	all := map[string]*declaration{}
	for folder, source := range map[string]string{
		"core/a/atest": `package atest
			func Long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }`,
		"core/a": `package a
			import "cloister/core/a/atest"
			func helper() int { if atest.Long() { return 9 }; return 1 }
			func TestByAHelper(t *testing.T) { for range helper() {} }
			func TestItself(t *testing.T) { _ = os.Getenv("CLOISTER_AUDIT") }
			type form struct{}
			func (form) long() bool { return atest.Long() }
			func TestByAMethod(t *testing.T) { var f form; _ = f.long() }
			func TestAnotherVariable(t *testing.T) { _ = os.Getenv("CLOISTER_AUDIT=") }
			type other struct{ form, long int }
			func TestOtherThingsOfThatName(t *testing.T) { helper := 1; _ = form.helper; _ = helper }`,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
		require.NoError(t, err)
		declared(all, folder, file, true)
	}
	tests := longForms(all)
	require.Equal(
		t, []string{"core/a.TestByAHelper", "core/a.TestByAMethod", "core/a.TestItself"}, tests,
	)
	for text, want := range map[string][]string{
		"CLOISTER_AUDIT=long go test -run ByA ./core/a\n":              {"core/a.TestItself"},
		"CLOISTER_AUDIT=long go test -run 'Itself|By' -v ./core/...\n": nil,
		"CLOISTER_AUDIT=long go test -run 'Itself|By' ./core/ab/...\n": tests,
		"CLOISTER_AUDIT=long go test -timeout 1h ./b ./core/a\n":       nil,
		"go test ./core/a\n": tests,
	} {
		assert.Equal(t, want, unselected(linesOf(t, text), tests), text)
	}
}
