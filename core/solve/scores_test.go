package solve

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// scoresOf are n records of d columns and k classes, dense or not, with rows in the unit
// ball and classes that depend on them.
func scoresOf(n, d, k int, dense bool) *Scores {
	source := randomtest.New(7)
	uniform := func() float64 {
		word, _ := source.Uint64()
		return float64(word>>11)*0x1p-52 - 1
	}
	r := &Rows{Columns: d, Start: []int{0}}
	vectors := make([]float64, k*d)
	for i := range vectors {
		vectors[i] = 8 * uniform()
	}
	var block []float64
	for range n {
		row, square := make([]float64, d), 0.0
		for j := range row {
			row[j] = uniform()
			square += row[j] * row[j]
		}
		best, class := math.Inf(-1), 0
		for j := range row {
			row[j] /= math.Sqrt(square)
		}
		for c := range k {
			if score := dot(vectors[c*d:(c+1)*d], row) + 2*uniform(); score > best {
				best, class = score, c
			}
		}
		r.Label = append(r.Label, float64(class))
		block = append(block, row...)
		if !dense {
			for j, x := range row {
				r.Index, r.Entry = append(r.Index, int32(j)), append(r.Entry, x)
			}
			r.Start = append(r.Start, len(r.Index))
		}
	}
	if dense {
		r.Start = nil
		r.BlockRows, r.Block = n, [][]float64{block}
	}
	return &Scores{r, k}
}

func someTheta(n int, scale float64) []float64 {
	source := randomtest.New(3)
	theta := make([]float64, n)
	for i := range theta {
		word, _ := source.Uint64()
		theta[i] = scale * (float64(word>>11)*0x1p-52 - 1)
	}
	return theta
}

// Gradients and Hessians are what finite differences of values and gradients are, for dense
// and sparse rows, and for the blocks on the diagonal.
func TestScoresDerivatives(t *testing.T) {
	for _, dense := range []bool{true, false} {
		s := scoresOf(300, 4, 3, dense)
		theta := someTheta(12, 2)
		gradient, hessian := make([]float64, 12), NewPacked(12)
		s.Derivatives(theta, gradient, hessian)
		again := make([]float64, 12)
		diagonal := s.DiagonalBlocks(theta, again)
		assert.InDeltaSlice(t, gradient, again, 1e-12)
		const h = 1e-5
		for j := range theta {
			moved := append([]float64(nil), theta...)
			moved[j] += h
			above, up := s.Value(moved), make([]float64, 12)
			s.Derivatives(moved, up, nil)
			moved[j] -= 2 * h
			below, down := s.Value(moved), make([]float64, 12)
			s.Derivatives(moved, down, nil)
			assert.InDelta(t, (above-below)/(2*h), gradient[j], 1e-5)
			for i := range theta {
				want := (up[i] - down[i]) / (2 * h)
				got := hessian.Row(max(i, j))[min(i, j)]
				assert.InDelta(t, want, got, 1e-5, "%d %d", i, j)
				if i/4 == j/4 {
					block := diagonal[i/4]
					assert.InDelta(t, want, block.Row(max(i, j) % 4)[min(i, j)%4], 1e-5)
				}
			}
		}
	}
}

// The certificate's bound holds against sums in 200 bits, for short vectors and for such
// that scores cancel.
func TestScoresCertificate(t *testing.T) {
	for _, scale := range []float64{0.1, 3, 1e5, 1e9} {
		s := scoresOf(60, 5, 4, scale < 1)
		theta := someTheta(20, scale)
		if scale > 1e3 { // one long vector in common
			for i := range theta {
				theta[i] = theta[i%5] + 1e-3*math.Sin(float64(i))
			}
		}
		sum := NewSum(20)
		bound := s.Certify(theta, sum) + sum.ErrorBound()
		got := make([]float64, 20)
		sum.Float64s(got)
		wrong := 0.0
		for j, exact := range exactSlopes(s, theta) {
			difference, _ := new(big.Float).Sub(exact, big.NewFloat(got[j])).Float64()
			wrong = math.Hypot(wrong, difference)
		}
		t.Logf("scale %g: error %.3g, bound %.3g", scale, wrong, bound)
		require.False(t, math.IsNaN(bound))
		assert.LessOrEqual(t, wrong, bound+1e-15*float64(len(got)))
		assert.Less(t, bound, 60*0x1p-44, "however long θ is")
	}
}

// Each term of the bound is in it, by the numbers of the derivation, for one row.
func TestScoresAllowance(t *testing.T) {
	row := []float64{0.6, 0, 0.8}
	one := func(scale float64) (*Scores, []float64, float64) {
		theta, square := someTheta(9, scale), 0.0
		for k := range 3 {
			magnitude := math.Abs(row[0]*theta[3*k]) + math.Abs(row[2]*theta[3*k+2])
			square += magnitude * magnitude
		}
		rows := &Rows{
			Columns: 3, Start: []int{0, 2}, Index: []int32{0, 2}, Entry: []float64{0.6, 0.8},
			Label: []float64{1},
		}
		return &Scores{rows, 3}, theta, math.Sqrt(square)
	}
	const u = 0x1p-53
	for _, scale := range []float64{0, 1, 40} {
		s, theta, magnitude := one(scale)
		gradient := make([]float64, 9)
		s.Derivatives(theta, gradient, nil)
		want := 2*u*magnitude/2 + 2*(4*3+40)*u + 128*u*norm(gradient)
		got := s.Certify(theta, NewSum(9))
		assert.InEpsilon(t, want*(1+0x1p-20), got, 1e-9)
		assert.Greater(t, got, want*(1+0x1p-21))
	}
	s, theta, magnitude := one(1e12)
	gradient := make([]float64, 9)
	s.Derivatives(theta, gradient, nil)
	want := 4*u*u*magnitude/2 + 2*(4*3+40)*u + 128*u*norm(gradient)
	assert.InEpsilon(t, want*(1+0x1p-20), s.Certify(theta, NewSum(9)), 1e-6)
	theta[0] = 1e30
	wrong := s.fineScores(make([]float64, 3), []int32{0, 2}, []float64{0.6, 0.8}, theta, nil)
	assert.Greater(t, wrong, 4*u*u*0.6e30/2*(1-1e-9))

	shards := scoresOf(30_000, 20, 3, true)
	require.Greater(t, shards.Rows.shards(), 1)
	flat := make([]float64, 60)
	whole := 0.0
	for shard := range shards.Rows.shards() {
		first, end := shards.Rows.shard(shard, shards.Rows.shards())
		whole += shards.certify(first, end, flat, NewSum(60))
	}
	assert.GreaterOrEqual(t, shards.Certify(flat, NewSum(60)), whole)
}

// exactSlopes is Σ (p − e_y) ⊗ x in 300 bits.
func exactSlopes(s *Scores, theta []float64) []*big.Float {
	float := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	d := s.Rows.Columns
	out := make([]*big.Float, len(theta))
	for j := range out {
		out[j] = float(0)
	}
	for i := range s.Rows.Label {
		row := make([]float64, d)
		if s.Rows.dense() {
			copy(row, s.Rows.denseRow(i))
		} else {
			index, entry := s.Rows.row(i)
			for at, j := range index {
				row[j] = entry[at]
			}
		}
		scores := make([]*big.Float, s.Classes)
		largest := 0
		for k := range scores {
			scores[k] = float(0)
			for j, x := range row {
				term := new(big.Float).SetPrec(300).Mul(float(x), float(theta[k*d+j]))
				scores[k].Add(scores[k], term)
			}
			if scores[k].Cmp(scores[largest]) > 0 {
				largest = k
			}
		}
		total := float(0)
		powers := make([]*big.Float, s.Classes)
		for k := range scores {
			powers[k] = bigExp(new(big.Float).SetPrec(300).Sub(scores[k], scores[largest]))
			total.Add(total, powers[k])
		}
		for k := range scores {
			slope := new(big.Float).SetPrec(300).Quo(powers[k], total)
			if k == int(s.Rows.Label[i]) {
				slope.Sub(slope, float(1))
			}
			for j, x := range row {
				out[k*d+j].Add(out[k*d+j], new(big.Float).SetPrec(300).Mul(slope, float(x)))
			}
		}
	}
	return out
}

// bigExp is e^x for x ≤ 0, by its series at x/2^k.
func bigExp(x *big.Float) *big.Float {
	if f, _ := x.Float64(); f < -2000 {
		return new(big.Float).SetPrec(300)
	}
	const halvings = 20
	small := new(big.Float).SetPrec(300).SetMantExp(x, -halvings)
	sum, term := new(big.Float).SetPrec(300).SetInt64(1), new(big.Float).SetPrec(300).SetInt64(1)
	for n := int64(1); n < 60; n++ {
		term.Mul(term, small)
		term.Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// Newton and Blockwise find the same minimiser.
func TestScoresSolvers(t *testing.T) {
	for _, c := range []struct{ n, d, k int }{{400, 4, 3}, {3000, 12, 5}, {0, 3, 3}, {1, 3, 4}} {
		for _, lambda := range []float64{0.5, 5} {
			s := scoresOf(c.n, c.d, c.k, c.n > 1000)
			linear := someTheta(c.d*c.k, 3)
			o := NewObjective(lambda, linear, s)
			const tolerance = 1e-9
			options := Options{Tolerance: tolerance}
			newton, err := Newton(context.Background(), o, options)
			require.NoError(t, err)
			blockwise, err := Blockwise(context.Background(), o, options)
			require.NoError(t, err)
			assert.LessOrEqual(t, blockwise.Certificate.Upper(), tolerance)
			for j, x := range newton.Theta {
				assert.InDelta(t, x, blockwise.Theta[j], 2*tolerance/lambda)
			}
			t.Logf("%v λ %g: Newton %d/%d, blockwise %d", c, lambda, newton.Iterations, newton.Hessians,
				blockwise.Iterations)
		}
	}
}
