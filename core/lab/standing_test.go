package lab

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab/seeded"
	"cloister/core/privacy"
)

// A method that sets anything from the number of records says that it takes it
// for public. One record more or less changes what some of them do, and so the
// price alone does not cover it.
func TestMethodsSayWhereTheyTakeNForPublic(t *testing.T) {
	const says = "n is taken for public"
	all := synthetic2D()
	event := func(m Method, n int) string {
		set := *all
		set.rows, set.labels = all.rows[:n], all.labels[:n]
		out, err := m.fit(&job{
			ctx: context.Background(), train: set.encode(m.Encoding), effort: Quick,
			source: seeded.New("n"), prices: &prices{},
			guarantee: privacy.Guarantee{
				Adjacency: privacy.AddRemove,
				Epsilon:   1,
				Delta:     DefaultDelta,
			}, setting: m.Settings(Quick)[0],
		})
		require.NoError(t, err)
		return eventKey(out.event)
	}
	free := map[string]bool{"amp": true, "amp-paper": true}
	differ := 0
	for _, m := range Methods() {
		if m.Standing == NotPrivate {
			continue
		}
		assert.Equal(t, !free[m.Name], strings.Contains(m.About, says), m.Name)
		if runtime.GOARCH == "wasm" {
			continue // calibrations take long there, and are the same
		}
		if event(m, 256) != event(m, 257) {
			differ++
			assert.Contains(t, m.About, says, m.Name)
		}
	}
	if runtime.GOARCH != "wasm" {
		assert.GreaterOrEqual(t, differ, 4)
	}
}
