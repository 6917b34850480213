package random_test

import (
	"cmp"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// The best run is kept, and each of the equals as often as the others.
func TestBestOfKeepsEachOfTheEqualsAsOften(t *testing.T) {
	type run struct{ score, name int }
	source := randomtest.New(7)
	scores := []int{3, 5, 1, 5, 4, 5}
	kept := map[int]int{}
	const draws = 30_000
	for range draws {
		k := -1
		best, err := random.BestOf(source, len(scores), run{name: -1}, func() (run, error) {
			k++
			return run{scores[k], k}, nil
		}, func(a, b run) int { return cmp.Compare(a.score, b.score) })
		require.NoError(t, err)
		kept[best.name]++
	}
	for _, name := range []int{1, 3, 5} {
		assert.InDelta(t, draws/3, kept[name], 500, "%d of %v", name, kept) // six deviations
	}
	assert.Len(t, kept, 3)
}

func TestBestOfNoRuns(t *testing.T) {
	source := randomtest.New(8)
	never := func(int, int) int { return 0 }
	best, err := random.BestOf(source, 0, -1, func() (int, error) { return 0, nil }, never)
	require.NoError(t, err)
	assert.Equal(t, -1, best)
	broken := errors.New("broken")
	_, err = random.BestOf(source, 2, -1, func() (int, error) { return 0, broken }, never)
	assert.ErrorIs(t, err, broken)
}
