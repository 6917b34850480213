package learn

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// What is said to be a bound is never written smaller than it is, nor larger by more
// than one in its sixth digit.
func TestABoundIsWrittenNoSmallerThanItIs(t *testing.T) {
	assert.Equal(t, "1", atMost(1))
	assert.Equal(t, "1.00001", atMost(1.000001))
	assert.Equal(t, "1e-05", atMost(9.999999e-6))
	assert.Equal(t, "1.23457e-05", atMost(1.234561e-5))
	assert.Equal(t, "+Inf", atMost(math.Inf(1)))
	assert.Equal(t, "NaN", atMost(math.NaN()), "a failure is said, and ends nothing")
	source := randomtest.New(5)
	for range 2000 {
		word, _ := source.Uint64() // the seeded source does not fail
		x := math.Float64frombits(word &^ (1 << 63))
		if !(x < 1e300 && x > 1e-300) {
			continue
		}
		written, err := strconv.ParseFloat(atMost(x), 64)
		require.NoError(t, err)
		require.True(t, written >= x && written <= x*(1+1.0001e-5), "%v is written %v", x, written)
	}
}
