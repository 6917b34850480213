package main

import "strings"

// module is the import path of this repository.
const module = "cloister"

// A row of the table says what the packages at or under one folder may import
// from this repository (the rows it names, and what those may import) and from
// elsewhere. The standard library is open to all but for the rules in rules.go.
type row struct {
	folder string   // "core/learn"; with "/*", the packages under it
	below  []string // folders of other rows
	other  []string // import paths outside the repository; a "/..." takes a whole tree
	tests  []string // folders that only tests of these packages may import besides, as they are
}

// table is the import table of the architecture, from the bottom upwards. A
// package's row is the most specific one that fits. Rows name rows above them
// in this list only, so imports point one way; packages of one "/*" row are
// siblings and never import each other.
var table = []row{
	{folder: "core/privacy"},
	{folder: "core/special", other: []string{"gonum.org/v1/gonum/mathext"}},
	{folder: "core/random"},
	{folder: "core/random/randomtest", below: []string{"core/random"}},
	{folder: "core/account", below: []string{"core/privacy", "core/special"}},
	{folder: "core/account/selection", below: []string{"core/account"}}, // its prices are the same on any curve
	{folder: "core/account/*", below: []string{"core/account", "core/account/selection"}, other: []string{"gonum.org/v1/gonum/dsp/fourier"}},
	{folder: "core/account/filter", below: []string{"core/account/*"}},                              // decides by Rényi curves
	{folder: "core/account/sharpest", below: []string{"core/account/*"}},                            // chooses among the methods
	{folder: "core/account/crosscheck", below: []string{"core/account/*", "core/account/sharpest"}}, // sets the methods side by side
	{folder: "core/account/solvefor", below: []string{"core/account/*", "core/account/sharpest"}},
	{folder: "core/data"},
	{folder: "core/glm", below: []string{"core/privacy"}},
	{folder: "core/solve", below: []string{"core/glm", "core/random"}, tests: []string{"core/solve/lbfgs"}},
	{folder: "core/solve/lbfgs", below: []string{"core/solve"}, other: []string{"gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/mat"}},
	{folder: "core/learn", below: []string{"core/account/*", "core/account/sharpest", "core/account/solvefor", "core/data", "core/solve"}},
	{folder: "core/learn/audittest", below: []string{"core/random"}, other: []string{"gonum.org/v1/gonum/mathext"}},
	{folder: "core/learn/learntest", below: []string{"core/learn"}, other: []string{"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require"}},
	{folder: "core/learn/ovr", below: []string{"core/learn"}, tests: []string{"core/learn/amp"}}, // knows no learner; its audit needs one
	{folder: "core/learn/*", below: []string{"core/learn"}, other: []string{"gonum.org/v1/gonum/mat"}, tests: []string{"core/solve/lbfgs"}},
	{folder: "core/report/goe", below: []string{"core/privacy", "core/special"}, tests: []string{"core/random"}},
	{folder: "core/report/matrix", below: []string{"core/learn", "core/report/goe"}},
	{folder: "core/report", below: []string{"core/report/matrix"}, tests: []string{"core/learn/amp"}},
	{folder: "core/ledger", below: []string{"core/account/filter", "core/account/sharpest"}},
	{folder: "core/lab/seeded"},
	{folder: "core/lab/expect", below: []string{"core/learn/*", "core/lab/seeded"}, tests: []string{"core/learn/ovr"}},
	{folder: "core/lab/plane", below: []string{"core/learn/*", "core/lab/seeded"}},
	{folder: "core/lab", below: []string{"core/learn/*", "core/learn/ovr", "core/account/sharpest", "core/account/solvefor", "core/lab/seeded", "core/solve/lbfgs"}},
	{folder: "wasm/api", below: []string{"core/learn/*", "core/learn/ovr", "core/report", "core/ledger", "core/lab", "core/lab/expect", "core/lab/plane", "core/account/crosscheck", "core/account/solvefor"}},
	{folder: "wasm/api/*", below: []string{"wasm/api"}},
	{folder: "wasm/bridge", below: []string{"wasm/api/*"}},
	{folder: "wasm/idbstore", below: []string{"core/ledger"}, other: []string{"github.com/hack-pad/go-indexeddb/..."}},
	{folder: "wasm/*", below: []string{"wasm/api/*", "wasm/bridge", "wasm/idbstore"}},
	{folder: "scripts/*", below: []string{"wasm/api/*"}},
}

// testOnly says why only tests, and packages of this list, may import a folder.
var testOnly = map[string]string{
	"core/random/randomtest": "which is seeded",
	"core/learn/audittest":   "which is for audits",
	"core/learn/learntest":   "which is for tests of learners",
}

// keptTo names the folders that alone may import another, tests included: noise
// that can be drawn again stays where no release is made of it.
var keptTo = map[string][]string{
	"core/lab/seeded": {"core/lab", "core/lab/expect", "core/lab/plane"},
}

// rowOf returns the index of the most specific row for a folder, or -1.
func rowOf(folder string) int {
	best, length := -1, -1
	for i, r := range table {
		prefix, tree := strings.CutSuffix(r.folder, "/*")
		fits := folder == r.folder
		if tree {
			fits = strings.HasPrefix(folder, prefix+"/")
		}
		// A named folder beats a tree of the same length.
		n := 2 * len(prefix)
		if !tree {
			n++
		}
		if fits && n > length {
			best, length = i, n
		}
	}
	return best
}

// reach returns the rows that packages of row i may import: those it names and
// those that these may import. A "/*" row among them brings its folder's own.
func reach(i int) map[int]bool {
	seen := map[int]bool{}
	var visit func(i int)
	visit = func(i int) {
		for _, name := range table[i].below {
			for j, r := range table {
				if r.folder == name && !seen[j] {
					seen[j] = true
					visit(j)
				}
			}
		}
	}
	visit(i)
	return seen
}

// allowedOther reports whether row i may import path, which is outside the
// repository: its own row says so.
func allowedOther(i int, path string) bool {
	for _, pattern := range table[i].other {
		if pattern == path {
			return true
		}
		if tree, ok := strings.CutSuffix(pattern, "/..."); ok && (path == tree || strings.HasPrefix(path, tree+"/")) {
			return true
		}
	}
	return false
}
