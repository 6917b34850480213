package figures

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesDoNotCoverEachOther(t *testing.T) {
	same := []Point{{1, 1}, {2, 1}}
	p := Plot{Lines: []Line{{"a", same}, {"b", same}, {"c", nil}, {"d", same}}}
	ends := p.ends(newScale(same, func(q Point) float64 {
		return q.Y
	}, plotHeight-plotBottom, plotTop))
	assert.GreaterOrEqual(t, ends[1]-ends[0], labelGap)
	assert.GreaterOrEqual(t, ends[3]-ends[1], labelGap)
	assert.LessOrEqual(t, ends[3], plotHeight)
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		ticks       []float64
	}{
		{0.1, 10, []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}},
		{1, 3, []float64{1, 2}},
	} {
		s := newScale([]Point{{c.least, 0}, {c.most, 0}}, func(q Point) float64 {
			return q.X
		}, 0, 1)
		assert.InDeltaSlice(t, c.ticks, s.ticks(), 1e-12)
	}
}
