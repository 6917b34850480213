package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// What is believed though it costs less is a true claim of a mechanism that may have given out
// such a file, if not by that which did: up to so many times, beyond which no such mechanism may.
var trueClaims = []struct {
	name, of string // regular expressions of the combination and of the file's kind
	most     float64
	why      string
}{
	{"neighbours(, moves)?", "approx.*|.*descent|gaussian", 1, "noise counts for both"},
	{"noise", "approx.*|composition", 1000, "records may be many, and pull as hard"},
	{"moves, clip|moves", "approx.*|.*descent|composition", 0x1p100, "so may short gradients"},
	{"lambda|tau", "approx.*|composition", 0x1p100, "noise alone reaches as far"},
	{"moves, rows, clip", "gradient-descent", 0x1p100, "the rows' norm is not said there"},
	{"noise(, lattice)?", "gradient-descent|subsampled.*", 0x1p40, "steps may be of any length"},
	{"rate|steps", "subsampled.*", 0x1p100, "likewise: one step may be as long"},
	{".*", "gaussian", 0x1p100, "what was drawn may have been moved to a ball"},
	{"noise", "moments", 3, "numbers far above their noise may be any"},
	{"noise", "fixed-sample", 1.1, "a lattice may be as fine"},
	{"noise|moves, lambda", "tested-curvature", 1000, "records may be many"},
	{"noise.*|lambda|mean|tau", "poisson-selection", 0x1p100, "another candidate may have been run"},
	{"evaluation", ".*", 1000, "records may be many"},
}

// kindOf is by what the file's model was made.
func kindOf(tree map[string]any) string {
	model := tree["model"].(map[string]any)
	if told, is := model["told"].(map[string]any); is {
		return told["of"].(string)
	}
	if _, is := model["moments"]; is {
		return "moments"
	}
	return tree["event"].(map[string]any)["mechanism"].(string)
}

// releasesToForge are one file of each kind, or all.
func releasesToForge(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(filesFolder, "releases", "*.json"))
	require.NoError(t, err)
	short := []string{
		"v1-amp", "v2-amp-numbers-evaluated", "v2-outpert-replace-one", "v3-dpsgd",
		"v3-amp-softmax", "v3-steps-several-classes", "v4-suffstats-indicators", "v5-ops", "v5-ops-ptr",
		"v5-outptr", "v6-chosen-lambda", "v6-chosen-method",
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		return strings.HasSuffix(name, ".says") ||
			os.Getenv("CLOISTER_AUDIT") != "long" && !slices.Contains(short, name)
	})
}

// read is a file's document.
func read(t *testing.T, path string) (tree map[string]any) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &tree))
	return tree
}

// Several fields that are changed so that they fit each other, at the ε that the changed event
// costs, are found out, unless a mechanism like that may have given out the file. (One file of
// each kind and the sharpest factors; CLOISTER_AUDIT=long: all.)
func TestChangesTogetherAreFoundOut(t *testing.T) {
	factors := []float64{3, 0x1p60}
	if testing.Short() {
		factors = factors[1:]
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		factors = []float64{1.1, 3, 1000, 0x1p40, 0x1p60, 0x1p100}
	}
	tried, believed := 0, 0
	for _, file := range releasesToForge(t) {
		before, ok := restate(read(t, file))
		require.True(t, ok)
		for _, c := range combinations(factors...) {
			tree := read(t, file)
			if !c.forge(tree) {
				continue
			}
			tried++
			if foundOutAnyway(tree) {
				continue
			}
			r, ok := restate(tree)
			if !ok {
				continue
			}
			if !c.bought && r.Guarantee.Epsilon >= before.Guarantee.Epsilon*(1-1e-6) {
				continue
			}
			if _, failed := r.Verify().Failed(); failed {
				continue
			}
			believed++
			says := fmt.Sprintf("%s: %s by %g, ε = %g", filepath.Base(file), c.name, c.times,
				r.Guarantee.Epsilon)
			assert.Empty(t, unfit(r), says)
			assert.True(t, mayHave(c, kindOf(tree)), says)
		}
	}
	t.Logf("%d forgeries, of which %d may be true", tried, believed)
	assert.Greater(t, believed, 10)
	assert.Less(t, believed, tried/2)
}

func mayHave(c combination, kind string) bool {
	for _, claim := range trueClaims {
		if matches(claim.name, c.name) && matches(claim.of, kind) && c.times <= claim.most {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	return regexp.MustCompile("^(" + pattern + ")$").MatchString(name)
}

// Whatever is changed together, by whatever factors: what is believed fits the model.
func TestChangesAtRandomAreFoundOutUnlessTheyFit(t *testing.T) {
	tries := 12
	if testing.Short() {
		tries = 3
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		tries = 60
	}
	source := randomtest.New(3)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	all := combinations(1)
	believed := 0
	for _, file := range releasesToForge(t) {
		for range tries {
			tree := read(t, file)
			says := filepath.Base(file)
			for range 2 + number(3) {
				c := all[number(len(all))]
				c.times = math.Exp2(float64(number(80)-20) / 4)
				for k := range c.by {
					c.by[k] = math.Exp2(float64(number(160)-80) / float64(1+number(16)))
				}
				c.forge(tree)
				says += fmt.Sprintf("; %s by %g", c.name, append(c.by, c.times))
			}
			if foundOutAnyway(tree) {
				continue
			}
			r, ok := restate(tree)
			if !ok {
				continue
			}
			if _, failed := r.Verify().Failed(); !failed {
				believed++
				assert.Empty(t, unfit(r), says)
			}
		}
	}
	t.Logf("%d believed", believed)
}
