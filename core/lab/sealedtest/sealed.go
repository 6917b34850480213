// Package sealedtest checks packages whose noise anybody can draw again: they must take no
// data set, and give out no model, source or release.
package sealedtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allowed are the types of other packages that exported declarations may mention: no data set,
// matrix, reader or row can come in, and no model, source or release go out.
var allowed = map[string]bool{
	"context.Context":   true,
	"privacy.Guarantee": true,
	"privacy.Event":     true,
}

// NoDataComeIn looks at the package in the working directory, of which more than least
// declarations are exported. Lists may stand in the types named out, which only come out.
func NoDataComeIn(t *testing.T, least int, out ...string) {
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	exported := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		found, n := Mentioned(t, string(text), out...)
		assert.Empty(t, found, file.Name())
		exported += n
	}
	assert.Greater(t, exported, least)
}

// Mentioned lists what exported declarations of a file mention and must not: types of other
// packages that are not allowed, and lists, maps and anys as parameters or in fields of what is
// passed in.
func Mentioned(t *testing.T, text string, out ...string) (found []string, exported int) {
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
						look(field.Type, slices.Contains(out, s.Name.Name))
					}
				}
			}
		}
	}
	return found, exported
}
