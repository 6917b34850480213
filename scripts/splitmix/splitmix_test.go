package splitmix

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The first words from seed 0 of the published program in C.
func TestFirstWords(t *testing.T) {
	source := Source(0)
	assert.Equal(
		t, []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f},
		[]uint64{source.Next(), source.Next(), source.Next()},
	)
	assert.Less(t, source.Uniform(), 1.0)
}
