//go:build js && wasm

package kernel

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// draws gives seeded numbers.
type draws struct{ *randomtest.Seeded }

func (d draws) below(n int) int {
	word, _ := d.Uint64()
	return int(word % uint64(n))
}

func (d draws) symmetric() float64 {
	word, _ := d.Uint64()
	return float64(int64(word)) * 0x1p-63
}

// shape is what random rows are like.
type shape struct {
	n, columns int
	dense      bool
	loss       glm.Loss
	clip       float64
	norms      bool    // one a row, in place of one for all
	scale      float64 // of entries and coefficients
	odd        []float64
}

// values are drawn uniformly, and now and then from the odd ones.
func (s shape) value(d draws) float64 {
	if len(s.odd) > 0 && d.below(20) == 0 {
		return s.odd[d.below(len(s.odd))]
	}
	return s.scale * d.symmetric()
}

// rows draws rows: some of them empty, some a copy of the one before, and some columns a copy of
// their neighbour.
func (s shape) rows(t testing.TB, d draws) *solve.Rows {
	loss, err := glm.Clip(s.loss, s.clip)
	require.NoError(t, err)
	r := &solve.Rows{
		Columns: s.columns, Loss: loss, Norm: []float64{1}, Label: make([]float64, s.n),
	}
	if s.norms {
		r.Norm = make([]float64, s.n)
	}
	if s.dense {
		r.BlockRows, r.Block = 256, [][]float64{}
	} else {
		r.Start = []int{0}
	}
	for i := range s.n {
		r.Label[i] = float64(2*d.below(2) - 1)
		if s.norms {
			r.Norm[i] = math.Abs(s.value(d))
		}
		row, empty := make([]float64, s.columns), d.below(10) == 0
		for j := range row {
			if !empty && (s.dense || d.below(3) == 0) {
				row[j] = s.value(d)
			}
			if j%7 == 6 {
				row[j] = row[j-1]
			}
		}
		if s.dense {
			if i%r.BlockRows == 0 {
				r.Block = append(r.Block, nil)
			}
			last := &r.Block[len(r.Block)-1]
			*last = append(*last, row...)
			continue
		}
		for j, x := range row {
			if x != 0 {
				r.Index, r.Entry = append(r.Index, int32(j)), append(r.Entry, x)
			}
		}
		r.Start = append(r.Start, len(r.Index))
	}
	return r
}

func (s shape) theta(d draws) []float64 {
	theta := make([]float64, s.columns)
	for j := range theta {
		theta[j] = s.value(d)
	}
	return theta
}

// bits are those of numbers, all NaNs one.
func bits(x []float64) []uint64 {
	out := make([]uint64, len(x))
	for i, v := range x {
		if out[i] = math.Float64bits(v); v != v {
			out[i] = math.Float64bits(math.NaN())
		}
	}
	return out
}

// both returns what compute makes of Go's loops and of the kernel's.
func both(t testing.TB, compute func() []float64) (byGo, byKernel []float64) {
	solve.UseKernel(nil)
	byGo = compute()
	require.True(t, Use(), "the test runs beside a kernel: see scripts/kernel/exec.mjs")
	return byGo, compute()
}
