package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// categories is Σ xxᵀ of n made-up records with an intercept and the indicators of some
// categories, each of so many levels that get ever rarer: as tables of people are. Each
// category's indicators add up to the intercept, so that it is singular.
func categories(n int, levels ...int) *Packed {
	source := randomtest.New(uint64(n))
	uniform := func() float64 {
		word, err := source.Uint64()
		if err != nil {
			panic(err)
		}
		return float64(word>>11) * 0x1p-53
	}
	d := 2
	for _, k := range levels {
		d += k
	}
	m := NewPacked(d)
	row := make([]float64, d)
	for range n {
		clear(row)
		row[d-1], row[d-2] = 0.5, uniform()*0.7
		at := 0
		for _, k := range levels {
			level := int(float64(k) * math.Pow(uniform(), 4))
			row[at+level] = 1 / math.Sqrt(float64(len(levels)))
			at += k
		}
		for i, x := range row {
			for j, y := range row[:i+1] {
				m.Row(i)[j] += x * y
			}
		}
	}
	return m
}

// A singular matrix of many columns has its eigenvalues too, to what EigenError promises: the
// residual of every pair, and as many that are 0 as there are categories.
func TestEigenvaluesOfSingularTables(t *testing.T) {
	for _, c := range []struct {
		n      int
		levels []int
	}{
		{5000, []int{40, 16, 15, 14, 7, 6, 5}}, {45_000, []int{42, 16, 15, 7, 6, 5, 2}},
		{300, []int{60, 40, 30}}, {20, []int{90, 90}},
	} {
		m := categories(c.n, c.levels...)
		size := 0.0
		for i := range m.N {
			for j, v := range m.Row(i) {
				size += v * v
				if j < i {
					size += v * v
				}
			}
		}
		size = math.Sqrt(size)
		e, err := Decompose(m)
		require.NoError(t, err, "%+v", c)
		zeros := 0
		for k, u := range e.Vectors {
			if math.Abs(e.Values[k]) <= EigenError*size {
				zeros++
			}
			off := 0.0
			for i := range m.N {
				sum := -e.Values[k] * u[i]
				for j := range m.N {
					sum += m.Row(max(i, j))[min(i, j)] * u[j]
				}
				off = math.Hypot(off, sum)
			}
			require.LessOrEqual(t, off, EigenError*size, "%+v, value %d", c, k)
		}
		assert.GreaterOrEqual(t, zeros, len(c.levels))
	}
}

// So many sweeps and what is left after them are within what EigenError promises, at every order
// for which it does.
func TestSweepsAreWithinTheirError(t *testing.T) {
	for d := 1; d <= 200; d++ {
		k := maxSweeps(d)
		assert.GreaterOrEqual(t, k, 13)
		sweeps := float64(k) * math.Max(1, float64(2*d-3)) * 6 * 0x1p-53
		assert.LessOrEqual(t, sweeps+float64(d)*leftOver, EigenError)
	}
	assert.Equal(t, 13, maxSweeps(200))
}
