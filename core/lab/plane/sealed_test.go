package plane

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allowed are the types of other packages that exported declarations may
// mention: no data set, matrix, reader or row can come in, and no model, source or
// release go out.
var allowed = map[string]bool{
	"context.Context":   true,
	"privacy.Guarantee": true,
	"privacy.Event":     true,
}

func TestNoDataComeIn(t *testing.T) {
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	exported := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		found, n := mentioned(t, string(text))
		assert.Empty(t, found, file.Name())
		exported += n
	}
	assert.Greater(t, exported, 8)
}

func TestWaysInAreFound(t *testing.T) {
	for _, text := range []string{
		"func On(d *data.Dataset) {}",
		"func On(r io.Reader) {}",
		"func On(rows [][]float64) {}",
		"func (p *Plane) On(at ...float64) {}",
		"func (p *Plane) Model() learn.Model { panic(0) }",
		"type Points struct { At []float64 }",
		"type Points struct { Label string; Data any }",
	} {
		found, _ := mentioned(t, "package plane\n"+text)
		assert.NotEmpty(t, found, text)
	}
}

// mentioned lists what exported declarations mention and must not: types of other
// packages that are not allowed, and lists, maps and anys as parameters or in fields of what is
// passed in.
func mentioned(t *testing.T, text string) (found []string, exported int) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	require.NoError(t, err)
	look := func(node ast.Node, lists bool) {
		ast.Inspect(node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && !allowed[x.Name+"."+n.Sel.Name] {
					found = append(found, x.Name+"."+n.Sel.Name)
				}
				return false
			case *ast.ArrayType, *ast.MapType, *ast.Ellipsis, *ast.InterfaceType, *ast.ChanType:
				if !lists {
					found = append(found, "a list")
				}
			case *ast.Ident:
				if n.Name == "any" && !lists {
					found = append(found, "any")
				}
			}
			return true
		})
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			exported++
			look(d.Type.Params, false)
			if d.Type.Results != nil {
				look(d.Type.Results, true)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok || !s.Name.IsExported() {
					continue
				}
				exported++
				body, ok := s.Type.(*ast.StructType)
				if !ok {
					look(s.Type, false)
					continue
				}
				for _, field := range body.Fields.List {
					if len(field.Names) == 0 || field.Names[0].IsExported() {
						look(field.Type, s.Name.Name == "Fits") // the one that only comes out
					}
				}
			}
		}
	}
	return found, exported
}
