package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// What amiss says is said of forged releases that nothing else stops, and of none as it was made.
func TestWhatIsAmissIsFound(t *testing.T) {
	read := func(name string) *learn.Release {
		text, err := os.ReadFile(filepath.Join(filesFolder, "releases", name))
		require.NoError(t, err)
		r, err := learn.ParseRelease(text)
		require.NoError(t, err)
		return r
	}
	within := func(e privacy.Event) []privacy.Event { // the fits that are chosen from
		all := e.(privacy.PoissonSelection).Base.(privacy.Composition).Parts[0].Event
		return all.(privacy.OneOf).Events
	}
	for _, c := range []struct {
		file, says string
		forge      func(r *learn.Release)
	}{
		{"v1-amp.json", "rows are longer", func(r *learn.Release) {
			e := r.Event.(privacy.ApproximateMinima)
			e.Objective.RowNorm /= 2
			r.Event = e
		}},
		{"v1-amp.json", "a selection without a score", func(r *learn.Release) {
			r.Event = privacy.PoissonSelection{Base: r.Event, Mean: 1}
		}},
		{"v1-amp.json", "a fit outside the selection", func(r *learn.Release) {
			r.Choice = learn.PrivateSelection
		}},
		{"v1-amp.json", "is at least", func(r *learn.Release) { r.Guarantee.Epsilon /= 4 }},
		{"v1-amp.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Event = privacy.ZeroConcentrated{Adjacency: privacy.AddRemove, Rho: 1e-9}
		}},
		{"v1-amp.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Event = privacy.Composition{
				Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: r.Event, Count: 0}},
			}
		}},
		{"v2-amp-several-classes.json", "1 fits are paid for, and 3 were made",
			func(r *learn.Release) { r.Event = r.Event.(privacy.Composition).Parts[0].Event }},
		{"v6-chosen-lambda.json", "said to be selected, by no selection",
			func(r *learn.Release) { r.Event = within(r.Event)[r.Model.Selected.Candidate] }},
		{"v6-chosen-lambda.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Model.Selected.Candidate = len(within(r.Event))
		}},
		{"v2-dpgd.json", "a gradient is longer", func(r *learn.Release) {
			e := r.Event.(privacy.GradientDescent)
			e.Sensitivity /= 2
			r.Event = e
		}},
		{"v4-suffstats.json", "a record moves the moments by more", func(r *learn.Release) {
			r.Model.Moments.SquareSigma /= 4
		}},
		{"v2-outpert.json", "a record moves the minimiser by more", func(r *learn.Release) {
			r.Model.Lambda /= 2
		}},
		{"v5-outptr.json", "a promise that nobody made", func(r *learn.Release) {
			e := r.Event.(privacy.ProposeTestRelease)
			e.Neighbour = 1e-6
			r.Event = e
		}},
		{"v5-ops.json", "no event of such a fit", func(r *learn.Release) {
			r.Event = privacy.PureDP{Adjacency: privacy.ReplaceOne, Epsilon: 1}
		}},
	} {
		r := read(c.file)
		assert.Empty(t, amiss(r), c.file)
		r = read(c.file)
		c.forge(r)
		assert.Contains(t, amiss(r), c.says, c.file)
	}
}

// A release of parts of several, whose event is wrapped into others or has others beside it, at the
// ε that this costs, is believed only if all coefficients are paid for, each as often as it was
// made, and no less is promised than is lost anyway. (CLOISTER_AUDIT=long: 200,000 fresh ones.)
func TestGraftsAreFoundOut(t *testing.T) {
	seed, tries := uint64(7), 1200
	if testing.Short() {
		tries = 300
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		seed, tries = uint64(time.Now().UnixNano()), 200_000
	}
	paths, err := filepath.Glob(filepath.Join(filesFolder, "releases", "*.json"))
	require.NoError(t, err)
	g := &grafter{source: randomtest.New(seed)}
	for _, path := range paths {
		if !strings.HasSuffix(path, ".says.json") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			g.files = append(g.files, text)
			g.names = append(g.names, filepath.Base(path))
		}
	}
	read, good := 0, 0
	for range tries {
		tree, says := g.tree()
		for range 1 + g.below(4) {
			says += "; " + g.change(tree)
		}
		if g.below(2) == 0 {
			tree["version"] = 6.0
		}
		r, ok := g.follows(tree)
		if !ok {
			continue
		}
		read++
		if g.believed(r) {
			good++
			assert.Empty(t, amiss(r), says)
		}
	}
	t.Logf("seed %d: %d of %d read, %d believed", seed, read, tries, good)
	assert.Greater(t, good, tries/50)
}
