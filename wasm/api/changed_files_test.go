package api_test

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/learn"
)

// What one change of a release may leave standing, where it is not found out: the publisher's
// own word (names, spellings, what is missing, what was bought, how it was chosen); a promise
// that is weaker, or an event that is more private, than what the other pays for; noisy numbers,
// which may be any; what a loss is like where its price does not depend on it; which candidate of
// a choice it is; and a number's last digit, within the room for another machine's rounding.
var ownWord = regexp.MustCompile(`^(library|choice` +
	`|guarantee\.(epsilon|delta)|evaluation(\.epsilon|\.loss_bound|\.cells\.\d+\.\d+|\.sums\.\d)?` +
	`|evaluation\.event\.parts\.0\.event\.scale` +
	`|event\.([\w.]+\.)?(failure|delta|epsilon|order|sensitivity|sigma|sigma_out|tau|lambda` +
	`|lipschitz|row_norm|smoothness|noise_multiplier|rate|steps|mean|sigmas\.\d+)` +
	`|model\.(clip|lambda|huber_width|shift|positive_weight|coefficients\.\d+|moments\.\w+` +
	`|told\.\w+|selected\.(candidate|score))` +
	`|schema\.features\.\d\.(min|max|missing|unknown|purchase\.\w+)` +
	`|schema\.label\.(name|min|max|missing|(negative|positive)\.\d)` +
	`|schema\.missing_values(\.\d)?|schema\.intercept|schema\.rows\.norm)$`)

// changes calls try with every member of the document in turn, which set replaces and leave
// takes out, by its path.
func changes(at any, path string, set func(any), try func(path string, at any, set func(any))) {
	switch at := at.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at)) {
			member := at[name]
			to := func(value any) {
				if at[name] = value; value == any(gone) {
					delete(at, name)
				}
			}
			try(path+name, member, to)
			changes(member, path+name+".", to, try)
			delete(at, name) // a name in other letters is another name
			at[strings.ToUpper(name)] = member
			try(path+strings.ToUpper(name), nil, nil)
			delete(at, strings.ToUpper(name))
			at[name] = member
		}
		at["new"] = 1.0
		try(path+"new", nil, nil)
		delete(at, "new")
	case []any:
		for k, member := range at {
			to := func(value any) { at[k] = value }
			try(path+strconv.Itoa(k), member, to)
			changes(member, path+strconv.Itoa(k)+".", to, try)
		}
	}
}

var gone = new(int)

// Every field of a release is changed in many ways, left out and spelt otherwise. What is
// believed is the publisher's own word, or costs what it says: by the method that is stated and
// by the one that would be taken today. (The files of the newest kinds; CLOISTER_AUDIT=long: all
// there are, some 140,000 changes, of which 9,400 are believed.)
func TestOneChangeOfAReleaseIsFoundOut(t *testing.T) {
	pattern := "v[45]-*.json"
	if testing.Short() {
		pattern = "v5-*.json"
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		pattern = "*.json"
	}
	paths, err := filepath.Glob(filepath.Join(filesFolder, "releases", pattern))
	require.NoError(t, err)
	tried, believed := 0, 0
	for _, file := range paths {
		if strings.HasSuffix(file, ".says.json") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var document any
		require.NoError(t, json.Unmarshal(text, &document))
		before := string(marshal(t, document))
		changes(document, "", nil, func(path string, at any, set func(any)) {
			values := []any{nil}
			if x, number := at.(float64); number {
				values = append(values, x*1.001, x*0.999, x*10, x/10, 0.0, -x, 1e308, 1e-308,
					1e-300, 1e50, 1.0, 2.0, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)))
			}
			if set != nil {
				values = append(values, any(gone), true, false, "", "x", "inf", []any{},
					map[string]any{}, "add-remove", "replace-one", "closed", "pld", "rdp", "unit",
					"clip")
			}
			for _, value := range values {
				if set != nil {
					set(value)
				}
				tried++
				r, err := learn.ReleaseFromTree(document)
				if err != nil {
					continue
				}
				if _, failed := r.Verify().Failed(); failed {
					continue
				}
				if same, err := r.Tree(); err == nil && string(marshal(t, same)) == before {
					continue // what stood there, or its default
				}
				believed++
				assert.Regexp(t, ownWord, path, "%s: %v is believed", file, value)
				g := r.Guarantee
				for _, method := range []account.Method{g.Method, account.Auto} {
					price, _, err := r.Price(method, g.Bound)
					require.NoError(t, err)
					epsilon, err := price.EpsilonUpper(g.Delta * (1 + 0x1p-40))
					require.NoError(t, err)
					most := g.Epsilon * (1 + 1e-9)
					assert.LessOrEqual(t, epsilon, most, "%s: %s %v", file, path, value)
				}
			}
			if set != nil {
				set(at)
			}
		})
		assert.Equal(t, before, string(marshal(t, document)), "the document is as it was")
	}
	t.Logf("%d changes, %d believed", tried, believed)
	assert.Greater(t, believed, tried/100)
}
