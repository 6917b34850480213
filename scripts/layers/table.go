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
	{folder: "core/privacy/privacytest", below: []string{"core/privacy"}},
	{folder: "core/special", other: []string{"gonum.org/v1/gonum/mathext"}},
	{folder: "core/nativetest"},
	{folder: "core/random"},
	{folder: "core/random/randomtest", below: []string{"core/random"}},
	{
		folder: "core/random/randomtest/mutated",
		below:  []string{"core/random/randomtest"},
		other:  []string{"github.com/stretchr/testify/require"},
	},
	{
		folder: "core/audit",
		below:  []string{"core/random"},
		other:  []string{"gonum.org/v1/gonum/mathext"},
	},
	// Accounting: what all methods share; the methods; what prices by them; and, on
	// top, what sets them side by side and what chooses noise.
	{folder: "core/account/golden"},
	{folder: "core/account/curve", below: []string{"core/privacy", "core/special"}},
	{folder: "core/account/objective", below: []string{"core/account/curve"}},
	{folder: "core/account/selection", below: []string{"core/account/curve"}},
	{
		folder: "core/account/*",
		below:  []string{"core/account/objective", "core/account/selection"},
		other:  []string{"gonum.org/v1/gonum/dsp/fourier"},
	},
	{
		folder: "core/account/filter",
		below:  []string{"core/account/*"},
		tests:  []string{"core/account/calibrate"},
	},
	{folder: "core/account", below: []string{"core/account/*"}},
	{
		folder: "core/account/crosscheck",
		below:  []string{"core/account"},
		tests:  []string{"core/account/calibrate", "core/account/filter"},
	},
	{folder: "core/account/calibrate", below: []string{"core/account"}},
	// Votes of parties that keep their data to themselves.
	{
		folder: "core/vote",
		below:  []string{"core/privacy", "core/random", "core/special"},
		other:  []string{"gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/optimize/convex/lp"},
	},
	{
		folder: "core/distance",
		below:  []string{"core/privacy", "core/random", "core/special"},
		tests:  []string{"core/account/curve", "core/account/pld"},
	},
	{
		folder: "core/pate",
		below:  []string{"core/account/calibrate", "core/distance", "core/random"},
	},
	{folder: "core/adaptive", below: []string{"core/account/*", "core/distance"}},
	{folder: "core/data"},
	{folder: "core/glm", below: []string{"core/privacy"}},
	{
		folder: "core/solve",
		below:  []string{"core/glm", "core/random"},
		tests:  []string{"core/solve/lbfgs"},
	},
	{
		folder: "core/solve/lbfgs",
		below:  []string{"core/solve"},
		other:  []string{"gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/mat"},
	},
	{folder: "core/search", below: []string{"core/random"}},
	{
		folder: "core/learn",
		below: []string{
			"core/account/calibrate", "core/adaptive", "core/audit", "core/data", "core/solve",
		},
	},
	{
		folder: "core/learn/audittest",
		below:  []string{"core/audit"},
	},
	{
		folder: "core/learn/learntest",
		below:  []string{"core/learn"},
		other: []string{
			"github.com/stretchr/testify/assert",
			"github.com/stretchr/testify/require",
		},
	},
	{
		folder: "core/learn/ovr",
		below:  []string{"core/learn"},
		tests:  []string{"core/learn/amp"},
	}, // knows no learner; its audit needs one
	{folder: "core/learn/ops", below: []string{"core/learn", "core/distance"}},
	{
		folder: "core/learn/outptr",
		below:  []string{"core/learn", "core/distance"},
		tests:  []string{"core/learn/amp", "core/learn/outpert"},
	},
	{folder: "core/learn/evaluate", below: []string{"core/learn"}},
	{
		folder: "core/learn/scorecard",
		below:  []string{"core/learn", "core/learn/evaluate", "core/search"},
	},
	{
		folder: "core/learn/*",
		below:  []string{"core/learn"},
		other:  []string{"gonum.org/v1/gonum/mat"},
		tests:  []string{"core/solve/lbfgs"},
	},
	{
		folder: "core/learn/passes",
		below:  []string{"core/learn"},
		tests:  []string{"core/learn/amp", "core/learn/outpert"},
	},
	{
		folder: "core/learn/methods",
		below: []string{
			"core/learn/*", "core/learn/ops", "core/learn/outptr", "core/learn/ovr",
		},
	},
	{
		folder: "core/learn/selection",
		below:  []string{"core/learn/methods"},
		tests:  []string{"core/learn/audittest", "core/account/selection"},
	},
	{
		folder: "core/differences",
		below:  []string{"core/learn"},
		tests: []string{
			"core/learn/audittest", "core/learn/methods", "core/learn/dpgd", "core/learn/dpsgd",
		},
	},
	{
		folder: "core/report/goe",
		below:  []string{"core/privacy", "core/special"},
		tests:  []string{"core/random"},
	},
	{folder: "core/report/matrix", below: []string{"core/learn", "core/report/goe"}},
	{
		folder: "core/report",
		below:  []string{"core/report/matrix"},
		tests:  []string{"core/learn/amp"},
	},
	{folder: "core/derived", below: []string{"core/report"}, tests: []string{"core/learn/suffstats"}},
	{
		folder: "core/ledger",
		below:  []string{"core/account/filter", "core/account"},
		tests:  []string{"core/account/calibrate"},
	},
	{folder: "core/ledger/folder", below: []string{"core/ledger"}, tests: []string{"core/privacy"}},
	{folder: "core/lab/seeded"},
	{
		folder: "core/lab/expect",
		below:  []string{"core/learn", "core/lab/seeded"},
		tests:  []string{"core/learn/methods"},
	},
	{
		folder: "core/lab/sealedtest",
		other: []string{
			"github.com/stretchr/testify/assert",
			"github.com/stretchr/testify/require",
		},
	},
	{folder: "core/lab/plane", below: []string{"core/learn/*", "core/lab/seeded"}},
	{
		folder: "core/lab/clinic",
		below:  []string{"core/privacy", "core/search", "core/lab/seeded"},
		tests:  []string{"core/data", "core/learn/scorecard"},
	},
	{
		folder: "core/lab/linear",
		below:  []string{"core/search", "core/special"},
		tests:  []string{"core/learn/audittest"},
	},
	{
		folder: "core/lab/cards",
		below: []string{
			"core/lab/linear",
			"core/lab/seeded",
			"core/learn/methods",
			"core/learn/scorecard",
		},
		tests: []string{"core/learn/audittest"},
	},
	{
		folder: "core/lab/thesis",
		below: []string{
			"core/learn/*",
			"core/learn/ops",
			"core/lab/seeded",
			"core/pate",
			"core/vote",
		},
	},
	{
		folder: "core/lab",
		below:  []string{"core/learn/methods", "core/lab/seeded", "core/solve/lbfgs"},
	},
	{
		folder: "wasm/api",
		below: []string{
			"core/audit",
			"core/vote",
			"core/pate",
			"core/learn/methods",
			"core/learn/selection",
			"core/learn/scorecard",
			"core/differences",
			"core/derived",
			"core/report",
			"core/ledger",
			"core/lab",
			"core/lab/expect",
			"core/lab/plane",
			"core/lab/clinic",
			"core/account/crosscheck",
		},
	},
	{
		folder: "wasm/api/*",
		below:  []string{"wasm/api"},
		tests:  []string{"wasm/wire", "wasm/wire/shape", "wasm/wire/wiretest"},
	},
	{folder: "wasm/wire", below: []string{"wasm/api"}},
	{
		folder: "wasm/wire/shape",
		tests:  []string{"wasm/wire", "core/privacy/privacytest", "core/privacy"},
	},
	{folder: "wasm/wire/wiretest", below: []string{"wasm/wire", "wasm/wire/shape"}},
	{folder: "wasm/bridge", below: []string{"wasm/api/*"}},
	{
		folder: "wasm/idbstore",
		below:  []string{"core/ledger"},
		other:  []string{"github.com/hack-pad/go-indexeddb/..."},
	},
	{
		folder: "wasm/kernel",
		below:  []string{"core/data", "core/solve"},
		tests:  []string{"core/learn", "core/learn/amp", "core/learn/methods"},
	},
	{
		folder: "wasm/*",
		below:  []string{"wasm/api/*", "wasm/bridge", "wasm/idbstore", "wasm/kernel"},
	},
	{folder: "scripts/splitmix"},
	{folder: "scripts/madeup", below: []string{"core/data"}},
	{folder: "scripts/figures"},
	{folder: "scripts/resume"},
	{folder: "scripts/tables", below: []string{"core/data", "scripts/splitmix"}},
	{
		folder: "scripts/fitline",
		below:  []string{"core/learn/methods", "core/learn/passes", "core/ledger/folder"},
	},
	{
		folder: "scripts/*",
		below: []string{
			"scripts/splitmix",
			"scripts/madeup",
			"scripts/figures",
			"scripts/resume",
			"scripts/tables",
			"scripts/fitline",
			"core/learn/passes",
			"core/ledger/folder",
			"core/lab/thesis",
			"core/lab/cards",
			"wasm/api/*",
			"wasm/kernel",
			"wasm/wire",
			"wasm/wire/shape",
		},
	},
}

// testOnly says why only tests, and packages of this list, may import a folder.
var testOnly = map[string]string{
	"core/account/golden":      "which is for tests of the accountant",
	"core/privacy/privacytest": "which has examples",
	"core/random/randomtest":   "which is seeded",
	"core/nativetest":          "which leaves out tests, and times some",

	"core/random/randomtest/mutated": "which changes files",
	"core/learn/audittest":           "which is for audits",
	"core/learn/learntest":           "which is for tests of learners",
	"core/lab/sealedtest":            "which reads a package's own files",
	"wasm/wire/wiretest":             "which is for tests of handlers",
}

// keptTo names the folders that alone may import another, tests included: noise
// that can be drawn again stays where no release is made of it.
var keptTo = map[string][]string{
	"core/lab/seeded": {
		"core/lab", "core/lab/expect", "core/lab/plane", "core/lab/clinic", "core/lab/thesis",
		"core/lab/cards",
	},
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
		if tree, ok := strings.CutSuffix(pattern, "/..."); ok &&
			(path == tree || strings.HasPrefix(path, tree+"/")) {
			return true
		}
	}
	return false
}
