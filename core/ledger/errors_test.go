package ledger

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is spent is never said to be less than it is, nor to be more by two units of its last digit.
func TestWhatIsSpentIsNotSaidToBeLess(t *testing.T) {
	for text, x := range map[string]float64{
		"0": 0, "0.75": 0.75, "0.7533": 0.75324, "1": 0.99991, "0.3": 0.3, "+Inf": math.Inf(1),
		"1.235e-07": 1.23449e-7,
	} {
		assert.Equal(t, text, AtMost(x))
	}
	for x := 1e-9; x < 1e9; x *= 1.00777 {
		said, err := strconv.ParseFloat(AtMost(x), 64)
		require.NoError(t, err)
		assert.True(t, said >= x && said <= x*1.0021, "%v: %v", x, said)
	}
}

func TestARefusalSaysNoLessThanIsSpent(t *testing.T) {
	err := &ExceededError{Spent: 0.75324}
	assert.Contains(t, err.Error(), "ε = 0.7533 of it is spent")
}
