package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A pkg is what the check knows of one package: its import path and what its
// files and its tests import, in any of the builds that were looked at.
type pkg struct {
	Path  string
	Uses  []string // by ordinary files
	Tests []string // by _test.go files
}

// Check returns one sentence for every import that the architecture forbids,
// in alphabetical order.
func Check(packages []pkg) []string {
	var found []string
	complain := func(format string, args ...any) {
		found = append(found, fmt.Sprintf(format, args...))
	}
	for _, p := range packages {
		folder := folderOf(p.Path)
		i := rowOf(folder)
		if i < 0 {
			complain("%s has no row in the import table", folder)
			continue
		}
		for _, path := range p.Uses {
			checkImport(complain, folder, i, path, false)
		}
		for _, path := range p.Tests {
			checkImport(complain, folder, i, path, true)
		}
	}
	sort.Strings(found)
	return found
}

func checkImport(complain func(string, ...any), folder string, i int, path string, test bool) {
	who := folder
	if test {
		who = "a test of " + folder
	}
	switch {
	case path == "math/rand" || path == "math/rand/v2" || path == "golang.org/x/exp/rand":
		if folder != "core/random/randomtest" && folder != "core/lab/seeded" {
			complain(
				"%s imports %s: only core/random/randomtest and core/lab/seeded may", who, path,
			)
		}
	case strings.HasPrefix(path, "gonum.org/v1/gonum/stat/"):
		complain(
			"%s imports %s: gonum's distributions and samplers are not for private data", who, path,
		)
	case path == "syscall/js":
		if folder != "wasm/bridge" && folder != "wasm/idbstore" && table[i].folder != "wasm/*" {
			complain(
				"%s imports syscall/js: only wasm/bridge, wasm/idbstore and the main packages may",
				who,
			)
		}
	case path == module || strings.HasPrefix(path, module+"/"):
		checkInternal(complain, who, folder, i, folderOf(path), test)
	case strings.Contains(strings.SplitN(path, "/", 2)[0], "."):
		// Tests check against gonum where it computes the same thing.
		if test &&
			(strings.HasPrefix(path, "github.com/stretchr/testify/") || strings.HasPrefix(path, "gonum.org/v1/gonum/")) {
			return
		}
		if !allowedOther(i, path) {
			complain("%s imports %s, which its row of the import table does not name", who, path)
		}
	}
}

func checkInternal(
	complain func(string, ...any), who, folder string, i int, other string, test bool,
) {
	if other == folder {
		return // an external test package
	}
	if why, ok := testOnly[other]; ok {
		if _, support := testOnly[folder]; !test && !support {
			complain("%s imports %s, %s: only tests may", who, other, why)
		}
		return
	}
	if keepers, ok := keptTo[other]; ok && !slices.Contains(keepers, folder) {
		complain("%s imports %s, which is for %s alone", who, other, strings.Join(keepers, " and "))
		return
	}
	j := rowOf(other)
	switch {
	case j >= 0 && reach(i)[j]:
	case test && slices.Contains(table[i].tests, other):
	case i == j:
		complain("%s imports its sibling %s", who, other)
	default:
		complain("%s imports %s, which is not below it in the import table", who, other)
	}
}

// heavy lists what the accounting-only binary does without, since its size is
// bounded; a "/" at the end takes a whole tree.
var heavy = []string{
	"fmt", "reflect", "os", "log", "bufio", "regexp", "math/big", "net",
	"encoding/", "text/", "log/", "net/", "crypto/", "html/", "go/",
}

// CheckSmall returns one sentence for every dependency of the accounting-only
// binary that would bring in much code.
func CheckSmall(deps []string) []string {
	var found []string
	for _, path := range deps {
		for _, h := range heavy {
			if path == h || strings.HasSuffix(h, "/") && strings.HasPrefix(path, h) {
				found = append(
					found, "wasm/curves depends on "+path+", which its size does not allow",
				)
			}
		}
	}
	sort.Strings(found)
	return found
}

func folderOf(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}
