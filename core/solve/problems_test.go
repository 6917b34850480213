package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/random/randomtest"
)

// draws gives seeded numbers, the same on every platform.
type draws struct{ source *randomtest.Seeded }

func seeded(seed uint64) draws { return draws{randomtest.New(seed)} }

func (d draws) uniform() float64 {
	word, _ := d.source.Uint64()
	return float64(word>>11) * 0x1p-53
}

// symmetric is uniform on (−1, 1).
func (d draws) symmetric() float64 { return 2*d.uniform() - 1 }

func clip(t testing.TB, loss glm.Loss, threshold float64) glm.Clipped {
	clipped, err := glm.Clip(loss, threshold)
	require.NoError(t, err)
	return clipped
}

func logistic(t testing.TB) glm.Clipped { return clip(t, glm.Logistic{}, math.Inf(1)) }

// rowsOf makes sparse rows of dense ones, leaving zeros out.
func rowsOf(loss glm.Clipped, norm float64, x [][]float64, y []float64) *Rows {
	r := &Rows{Start: []int{0}, Label: y, Loss: loss, Norm: []float64{norm}}
	for _, dense := range x {
		r.Columns = len(dense)
		for j, v := range dense {
			if v != 0 {
				r.Index, r.Entry = append(r.Index, int32(j)), append(r.Entry, v)
			}
		}
		r.Start = append(r.Start, len(r.Index))
	}
	return r
}

// census has the shape of Adult made ready: 105 columns, six numbers of which
// two are nearly always 0, eight categories, an intercept, norm 1 without it.
func census(t testing.TB, n int, loss glm.Clipped) *Rows {
	d := seeded(1)
	categories := []int{7, 16, 7, 14, 6, 5, 2, 41}
	truth := make([]float64, 105)
	for j := range truth {
		truth[j] = 6 * (d.uniform() - 0.6)
	}
	r := &Rows{Start: []int{0}, Columns: 105, Loss: loss, Norm: []float64{1.1}}
	for range n {
		first := len(r.Entry)
		add := func(j int, v float64) {
			r.Index, r.Entry = append(r.Index, int32(j)), append(r.Entry, v)
		}
		for j := range 4 {
			add(j, d.uniform())
		}
		if d.uniform() < 0.12 {
			add(4+int(2*d.uniform()), d.uniform())
		}
		at := 6
		for _, size := range categories {
			u := d.uniform()
			add(at+int(float64(size)*u*u), 1)
			at += size
		}
		length := norm(r.Entry[first:])
		for k := first; k < len(r.Entry); k++ {
			r.Entry[k] /= length
		}
		add(104, 0.25)
		margin := 0.0
		for k := first; k < len(r.Entry); k++ {
			margin += r.Entry[k] * truth[r.Index[k]]
		}
		label := -1.0
		if d.uniform() < 1/(1+math.Exp(-margin)) {
			label = 1
		}
		r.Start, r.Label = append(r.Start, len(r.Index)), append(r.Label, label)
	}
	return r
}

// perturbation is a linear term with elements of about the given size.
func perturbation(seed uint64, d int, size float64) []float64 {
	source := seeded(seed)
	b := make([]float64, d)
	for j := range b {
		b[j] = 2 * size * source.symmetric()
	}
	return b
}
