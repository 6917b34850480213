package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each case is one import that the architecture forbids; the check must say so.
func TestCheckCatches(t *testing.T) {
	tests := []struct {
		name string
		from pkg
		want string
	}{
		{"an import upwards",
			pkg{Path: "cloister/core/account", Uses: []string{"cloister/core/learn"}},
			"core/account imports core/learn, which is not below it in the import table"},
		{"a method of accounting importing what chooses among the methods",
			pkg{Path: "cloister/core/account/pld", Uses: []string{"cloister/core/account"}},
			"core/account/pld imports core/account, which is not below it in the import table"},
		{"the price importing the choice of noise",
			pkg{Path: "cloister/core/account", Uses: []string{"cloister/core/account/calibrate"}},
			"core/account imports core/account/calibrate, which is not below it in the import table"},
		{"a sibling among learners",
			pkg{Path: "cloister/core/learn/amp", Uses: []string{"cloister/core/learn/dpsgd"}},
			"core/learn/amp imports its sibling core/learn/dpsgd"},
		{"a sibling among learners, from a test",
			pkg{Path: "cloister/core/learn/amp", Tests: []string{"cloister/core/learn/dpsgd"}},
			"a test of core/learn/amp imports its sibling core/learn/dpsgd"},
		{"a main importing a main",
			pkg{Path: "cloister/wasm/cloister", Uses: []string{"cloister/wasm/curves"}},
			"wasm/cloister imports its sibling wasm/curves"},
		{"rows side by side that do not name each other",
			pkg{Path: "cloister/core/data", Uses: []string{"cloister/core/privacy"}},
			"core/data imports core/privacy, which is not below it in the import table"},
		{"a vote importing what prices it",
			pkg{Path: "cloister/core/vote", Uses: []string{"cloister/core/account"}},
			"core/vote imports core/account, which is not below it in the import table"},
		{"the core importing the edge",
			pkg{Path: "cloister/core/ledger", Uses: []string{"cloister/wasm/idbstore"}},
			"core/ledger imports wasm/idbstore, which is not below it in the import table"},
		{"the seeded source outside tests",
			pkg{Path: "cloister/core/learn/amp", Uses: []string{"cloister/core/random/randomtest"}},
			"core/learn/amp imports core/random/randomtest, which is seeded: only tests may"},
		{"an audit outside tests",
			pkg{Path: "cloister/core/learn/amp", Uses: []string{"cloister/core/learn/audittest"}},
			"core/learn/amp imports core/learn/audittest, which is for audits: only tests may"},
		{"fixtures of tests outside tests",
			pkg{Path: "cloister/core/learn/amp", Uses: []string{"cloister/core/learn/learntest"}},
			"core/learn/amp imports core/learn/learntest, which is for tests of learners: only tests may"},
		{"a learner in one-vs-rest, which knows none",
			pkg{
				Path:  "cloister/core/learn/ovr",
				Uses:  []string{"cloister/core/learn/amp"},
				Tests: []string{"cloister/core/learn/amp"},
			},
			"core/learn/ovr imports core/learn/amp, which is not below it in the import table"},
		{"the laboratory's seeds in a handler",
			pkg{Path: "cloister/wasm/api/lab", Uses: []string{"cloister/core/lab/seeded"}},
			"wasm/api/lab imports core/lab/seeded, which is for core/lab and core/lab/expect and core/lab/plane and core/lab/clinic and core/lab/thesis and core/lab/cards alone"},
		{"the laboratory's seeds in a test of a learner",
			pkg{Path: "cloister/core/learn/amp", Tests: []string{"cloister/core/lab/seeded"}},
			"a test of core/learn/amp imports core/lab/seeded, which is for core/lab and core/lab/expect and core/lab/plane and core/lab/clinic and core/lab/thesis and core/lab/cards alone"},
		{"L-BFGS, with gonum's matrices, in what a page downloads",
			pkg{
				Path:  "cloister/core/learn/amp",
				Uses:  []string{"cloister/core/solve/lbfgs"},
				Tests: []string{"cloister/core/solve/lbfgs"},
			},
			"core/learn/amp imports core/solve/lbfgs, which is not below it in the import table"},
		{"math/rand",
			pkg{Path: "cloister/core/random", Uses: []string{"math/rand/v2"}},
			"core/random imports math/rand/v2: only core/random/randomtest and core/lab/seeded may"},
		{"math/rand in a test",
			pkg{Path: "cloister/core/data", Tests: []string{"math/rand"}},
			"a test of core/data imports math/rand: only core/random/randomtest and core/lab/seeded may"},
		{"gonum's samplers",
			pkg{Path: "cloister/core/solve", Tests: []string{"gonum.org/v1/gonum/stat/distuv"}},
			"a test of core/solve imports gonum.org/v1/gonum/stat/distuv: gonum's distributions and samplers are not for private data"},
		{"syscall/js in a handler",
			pkg{Path: "cloister/wasm/api", Uses: []string{"syscall/js"}},
			"wasm/api imports syscall/js: only wasm/bridge, wasm/idbstore and the main packages may"},
		{"a module nobody decided on",
			pkg{Path: "cloister/core/account", Uses: []string{"gonum.org/v1/gonum/mat"}},
			"core/account imports gonum.org/v1/gonum/mat, which its row of the import table does not name"},
		{"testify outside tests",
			pkg{Path: "cloister/core/data", Uses: []string{"github.com/stretchr/testify/require"}},
			"core/data imports github.com/stretchr/testify/require, which its row of the import table does not name"},
		{"a folder nobody decided on",
			pkg{Path: "cloister/core/utils"},
			"core/utils has no row in the import table"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, []string{tt.want}, Check([]pkg{tt.from}))
		})
	}
}

func TestCheckAllows(t *testing.T) {
	assert.Empty(t, Check([]pkg{
		{
			Path: "cloister/core/random/randomtest",
			Uses: []string{"math/rand/v2", "cloister/core/random"},
		},
		{
			Path: "cloister/core/account",
			Uses: []string{"math", "cloister/core/special", "cloister/core/account/pld"},
			Tests: []string{
				"cloister/core/account",
				"github.com/stretchr/testify/require",
				"encoding/json",
			},
		},
		{
			Path: "cloister/core/account/pld",
			Uses: []string{
				"cloister/core/account/curve",
				"cloister/core/privacy",
				"gonum.org/v1/gonum/dsp/fourier",
			},
		},
		{
			Path: "cloister/core/learn/amp",
			Uses: []string{
				"cloister/core/learn",
				"cloister/core/account/pld",
				"cloister/core/random",
			},
			Tests: []string{"cloister/core/random/randomtest", "gonum.org/v1/gonum/diff/fd"},
		},
		{Path: "cloister/core/lab/seeded", Uses: []string{"math/rand/v2", "crypto/sha256"}},
		{
			Path: "cloister/core/lab",
			Uses: []string{
				"cloister/core/lab/seeded",
				"cloister/core/learn/amp",
				"cloister/core/account/calibrate",
			},
		},
		{Path: "cloister/wasm/api/lab", Uses: []string{"cloister/core/lab"}},
		{
			Path: "cloister/core/learn/audittest",
			Uses: []string{"testing", "cloister/core/audit", "cloister/core/random/randomtest"},
		},
		{Path: "cloister/core/learn/dpsgd", Tests: []string{"cloister/core/learn/audittest"}},
		{
			Path: "cloister/wasm/cloister",
			Uses: []string{
				"syscall/js",
				"cloister/wasm/api",
				"cloister/wasm/bridge",
				"cloister/core/learn/amp",
			},
		},
		{
			Path: "cloister/wasm/idbstore",
			Uses: []string{
				"syscall/js",
				"github.com/hack-pad/go-indexeddb/idb",
				"cloister/core/ledger",
			},
		},
	}))
}

// Rows name rows that stand before them, so the table itself has no circle.
func TestTablePointsDownwards(t *testing.T) {
	for i := range table {
		for j := range reach(i) {
			assert.Less(t, j, i, "%s reaches %s", table[i].folder, table[j].folder)
		}
		for _, name := range table[i].below {
			found := false
			for _, r := range table[:i] {
				found = found || r.folder == name
			}
			assert.True(t, found, "%s names %s, which is no row before it", table[i].folder, name)
		}
	}
}

func TestCheckSmallCatches(t *testing.T) {
	for _, path := range []string{"fmt", "reflect", "encoding/json", "text/template", "math/big", "crypto/rand", "log/slog", "os"} {
		assert.Len(t, CheckSmall([]string{"math", path}), 1, path)
	}
	assert.Empty(
		t,
		CheckSmall(
			[]string{
				"math",
				"math/bits",
				"strconv",
				"errors",
				"sort",
				"internal/reflectlite",
				"syscall/js",
				"gonum.org/v1/gonum/dsp/fourier",
			},
		),
	)
}
