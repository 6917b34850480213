//go:build !js

package account

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allowance is a row of the table in curve/certified.go: what rounds, and where that is allowed
// for, as names of what is declared (empty: anything), and the folders that may declare it.
type allowance struct {
	what    string
	names   []string
	folders map[string][]string
}

// allowances reads the table.
func allowances(t *testing.T) (rows []allowance) {
	t.Helper()
	source, err := os.ReadFile("curve/certified.go")
	require.NoError(t, err)
	var where, end int
	for line := range strings.Lines(string(source)) {
		text, inside := strings.CutPrefix(line, "//\t")
		if !inside {
			continue
		}
		if where == 0 {
			where, end = strings.Index(text, "where"), strings.Index(text, "allowance")
			require.Positive(t, where)
			require.Greater(t, end, where)
			continue
		}
		runes := []rune(text)
		require.Greater(t, len(runes), end, text)
		row := allowance{folders: map[string][]string{}}
		row.what = strings.TrimSpace(string(runes[:where]))
		for part := range strings.SplitSeq(string(runes[where:end]), ";") {
			name, rest, other := strings.Cut(strings.TrimSpace(part), ": ")
			folders := []string{name}
			switch {
			case !other && name == "selection":
				rest = ""
			case !other:
				folders, rest = []string{"curve", "objective"}, name
			case name == "account":
				folders = []string{"."}
			case name == "special":
				folders = []string{"../special"}
			}
			for name := range strings.SplitSeq(rest, ", ") {
				row.names, row.folders[name] = append(row.names, name), folders
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// declared are the names by which the table may call what a sabotage changes: the function, the
// constant or the type that its text begins in, Type.method, and the method's or its type's alone.
func declared(t *testing.T, s sabotage) (names []string) {
	t.Helper()
	source, err := os.ReadFile(s.file)
	require.NoError(t, err)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, s.file, source, 0)
	require.NoError(t, err)
	text := string(source)
	for from, at := 0, 0; at >= 0; from += at + 1 {
		if at = strings.Index(text[from:], s.text); at < 0 {
			break
		}
		offset := from + at
		for _, one := range file.Decls {
			from, to := set.Position(one.Pos()).Offset, set.Position(one.End()).Offset
			if offset+len(s.text) <= from || offset >= to {
				continue
			}
			switch one := one.(type) {
			case *ast.FuncDecl:
				names = append(names, one.Name.Name)
				if one.Recv != nil {
					receiver := one.Recv.List[0].Type
					if star, ok := receiver.(*ast.StarExpr); ok {
						receiver = star.X
					}
					if name, ok := receiver.(*ast.Ident); ok {
						names = append(names, name.Name, name.Name+"."+one.Name.Name)
					}
				}
			case *ast.GenDecl:
				for _, spec := range one.Specs {
					if value, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range value.Names {
							names = append(names, name.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// Whatever a row of the table names is spoilt by some sabotage: what nobody spoils could be wrong,
// and no test would show it.
func TestEveryAllowanceHasASabotage(t *testing.T) {
	spoilt := map[string][]string{}
	for _, s := range slices.Concat(sabotages, transforms, controlled, softmaxes, hinges, rooms) {
		folder := filepath.Dir(s.file)
		spoilt[folder] = append(spoilt[folder], declared(t, s)...)
	}
	rows := allowances(t)
	assert.Greater(t, len(rows), 50)
	for _, row := range rows {
		for _, name := range row.names {
			found := slices.ContainsFunc(row.folders[name], func(folder string) bool {
				return name == "" && spoilt[folder] != nil || slices.Contains(spoilt[folder], name)
			})
			assert.True(t, found, "%s: no sabotage of %q in %v", row.what, name, row.folders[name])
		}
	}
}
