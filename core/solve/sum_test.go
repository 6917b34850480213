package solve

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSumStaysWithinItsBound(t *testing.T) {
	d := seeded(8)
	s := NewSum(2)
	exact := []*big.Float{precise(0), precise(0)}
	add := func(j int, x float64) {
		s.Add(j, x)
		exact[j].Add(exact[j], precise(x))
	}
	for k := range 20000 {
		x := d.symmetric()
		for range k % 7 {
			x *= 1e5
		}
		add(k%2, x)
		if k%3 == 0 {
			add(k%2, -x*(1+1e-15)) // cancels all but the last digits
		}
	}
	for range 100 {
		a, b := d.symmetric()*1e9, d.symmetric()*1e-7
		s.AddProduct(0, a, b)
		exact[0].Add(exact[0], new(big.Float).SetPrec(precision).Mul(precise(a), precise(b)))
	}
	distance := preciseDistance(exact, s)
	assert.LessOrEqual(t, distance, s.ErrorBound())
	// Plain floats would be off by some 1e30·2^-53·√20000 here.
	assert.Less(t, s.ErrorBound(), 1e8)
}

func TestSumIsExactWhereFloatsCancel(t *testing.T) {
	s := NewSum(1)
	for _, x := range []float64{1e16, 1, -1e16, 1e-9, 3e15, -3e15} {
		s.Add(0, x)
	}
	got := make([]float64, 1)
	s.Float64s(got)
	assert.Equal(t, 1+1e-9, got[0])
	assert.Equal(t, 1, s.Len())
}

// Each of n additions to a total loses up to 2^-104 of the magnitudes so far.
func TestSumBoundIsThatOfItsAnalysis(t *testing.T) {
	s := NewSum(2)
	for range 1000 {
		s.Add(0, 3)
		s.Add(1, -1)
	}
	least := 1000 * 3000 * 0x1p-104
	assert.GreaterOrEqual(t, s.ErrorBound(), least+1000*1000*0x1p-104)
	assert.LessOrEqual(t, s.ErrorBound(), 4*least)
	s.AddProduct(0, 1e10, 1e10)
	assert.GreaterOrEqual(t, s.ErrorBound(), 1002*(3000+1e20)*0x1p-104)
}
