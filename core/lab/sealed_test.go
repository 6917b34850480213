package lab

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The noise here can be drawn again, so nothing that this package, or those below it, give
// away may carry a model, a source or a release: no exported function returns one, no
// exported type has an exported field of one, and no release is made.
func TestNoModelLeaves(t *testing.T) {
	for folder, declarations := range map[string]int{".": 20, "expect": 3, "cards": 8} {
		files, err := os.ReadDir(folder)
		require.NoError(t, err)
		looked := 0
		for _, file := range files {
			if !strings.HasSuffix(file.Name(), ".go") ||
				strings.HasSuffix(file.Name(), "_test.go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, file.Name()))
			require.NoError(t, err)
			found, exported := leaks(t, string(text))
			assert.Empty(t, found, file.Name())
			looked += exported
		}
		assert.Greater(t, looked, declarations, folder)
	}
}

func TestLeaksAreFound(t *testing.T) {
	for _, text := range []string{
		"func Fit() learn.Model { panic(0) }",
		"func (l *Lab) Source() random.Source { panic(0) }",
		"func Fit() (x int, m []*learn.Unprotected) { panic(0) }",
		"type Result struct { Model learn.Model }",
		"type Result struct { Theta []float64 }\nfunc f() { learn.NewRelease() }",
		"func Noise() *seeded.Stream { panic(0) }",
		"var Fit = amp.Fit",
	} {
		found, _ := leaks(t, "package lab\n"+text)
		assert.NotEmpty(t, found, text)
	}
}

// leaks lists what an exported declaration gives away that it must not, and
// counts those declarations.
func leaks(t *testing.T, text string) (found []string, exported int) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	require.NoError(t, err)
	secret := func(node ast.Node) {
		ast.Inspect(node, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					switch name := x.Name + "." + s.Sel.Name; name {
					case "learn.Model",
						"learn.Unprotected",
						"learn.Release",
						"random.Source",
						"seeded.Stream":
						found = append(found, name)
					}
				}
			}
			return true
		})
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "NewRelease" {
			found = append(found, id.Name)
		}
		return true
	})
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Type.Results != nil {
				exported++
				secret(d.Type.Results)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					exported++
					if body, ok := s.Type.(*ast.StructType); ok {
						for _, field := range body.Fields.List {
							if len(field.Names) == 0 || field.Names[0].IsExported() {
								secret(field.Type)
							}
						}
					} else {
						secret(s.Type)
					}
				case *ast.ValueSpec:
					for i, name := range s.Names {
						if name.IsExported() {
							exported++
							if i < len(s.Values) {
								if call, ok := s.Values[i].(*ast.SelectorExpr); ok {
									found = append(found, "a function of another package: "+call.Sel.Name)
								}
							}
						}
					}
				}
			}
		}
	}
	return found, exported
}
