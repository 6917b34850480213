package api_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// cost is what a card's or cells' event costs, written down apart from package account: ε of the
// choice, or what one record changes in the counts, over their noise.
func cost(event privacy.Event) (epsilon float64, neighbours privacy.Adjacency) {
	switch e := event.(type) {
	case privacy.NoisyMin:
		epsilon = e.Epsilon
	case privacy.ProximalCentre:
		epsilon = e.Epsilon
	case privacy.DiscreteLaplace:
		if epsilon = float64(e.Sensitivity) / e.Scale; e.Adjacency == privacy.ReplaceOne {
			epsilon = math.Inf(1) // of two counts, of which this is one
		}
	case privacy.Composition:
		for _, part := range e.Parts {
			one := part.Event.(privacy.DiscreteLaplace)
			epsilon += float64(part.Count*one.Sensitivity) / one.Scale
		}
	}
	return epsilon, event.Neighbours()
}

// Cards and cells whose event, promise and evaluation are changed together, by whatever factors,
// are believed only if the promise is what the event costs.
func TestCardsAndCellsChangedAtRandomCostWhatTheySay(t *testing.T) {
	source := randomtest.New(4)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	tries, believed := 3000, 0
	if testing.Short() {
		tries = 500
	}
	for _, folder := range []string{"cards", "cells"} {
		paths, err := filepath.Glob(filepath.Join(filesFolder, folder, "*.json"))
		require.NoError(t, err)
		for _, file := range paths {
			if strings.HasSuffix(file, ".says.json") {
				continue
			}
			for range tries {
				tree := read(t, file)
				says := filepath.Base(file)
				factor := math.Exp2(float64(number(33)-16) / 2)
				for _, part := range []string{"event", "guarantee", "evaluation"} {
					at, is := tree[part].(map[string]any)
					if !is {
						continue
					}
					if number(3) == 0 {
						turn(at, map[string]string{
							"add-remove": "replace-one", "replace-one": "add-remove",
						})
					}
					for _, n := range numbersOf(at, part, nil, nil) {
						if strings.Contains(n.path, "cells") || number(2) == 0 {
							continue
						}
						by := factor
						if n.field() == "epsilon" && number(2) == 0 {
							by = 1 / factor
						}
						n.set(n.value * by)
						says += fmt.Sprintf("; %s by %g", n.path, by)
					}
				}
				var found learn.Findings
				var event privacy.Event
				var promise privacy.Guarantee
				var evaluated *learn.Assessment
				if folder == "cards" {
					r, err := scorecard.ReleaseFromTree(tree)
					if err != nil {
						continue
					}
					found, event, promise = r.Verify(), r.Event, r.Guarantee
					evaluated = r.Assessment
				} else {
					n, err := scorecard.CellsFromTree(tree)
					if err != nil {
						continue
					}
					found, event, promise = n.Verify(), n.Event, n.Guarantee
				}
				if _, failed := found.Failed(); failed {
					continue
				}
				believed++
				epsilon, neighbours := cost(event)
				assert.Equal(t, neighbours, promise.Adjacency, says)
				assert.LessOrEqual(t, epsilon, promise.Epsilon*(1+1e-12), says)
				assert.Zero(t, promise.Delta, says)
				if evaluated != nil {
					epsilon, neighbours = cost(evaluated.Event)
					assert.Equal(t, neighbours, evaluated.Adjacency, says)
					assert.LessOrEqual(t, epsilon, evaluated.Epsilon*(1+1e-12), says)
				}
			}
		}
	}
	t.Logf("%d believed", believed)
	assert.Greater(t, believed, tries/30)
}
