package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/data"
)

// Beside little, Go's usual share of garbage stands; beside much, what is named and no more, but
// for a tenth of what is in use, and all open datasets count.
func TestGarbageIsPacedByWhatIsHeld(t *testing.T) {
	session := NewSession(nil)
	assert.Equal(t, 100, session.percent())
	of := func(rows int) *data.Dataset { // 1 MiB for 1,024 rows
		block := func(n int) []float64 { return make([]float64, n*127) }
		var blocks [][]float64
		for ; rows > data.BlockRows; rows -= data.BlockRows {
			blocks = append(blocks, block(data.BlockRows))
		}
		return &data.Dataset{
			X: data.NewDense(127, append(blocks, block(rows))...), Y: make([]float64, rows),
		}
	}
	session.datasets[1] = of(4 << 10)
	assert.Equal(t, 100, session.percent())
	session.datasets[2] = of(28 << 10)
	assert.InDelta(t, 25, session.percent(), 1)
	delete(session.datasets, 1)
	assert.InDelta(t, 29, session.percent(), 1)
	session.datasets[3] = of(100 << 10)
	assert.Equal(t, 10, session.percent())
}
