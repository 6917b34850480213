package solve

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pieces hands out rows that are in memory, so many multiples of what is asked for at a time.
type pieces struct {
	rows      *Rows
	multiples int
	fails     error
}

func (p pieces) Rows() (rows, entries int) { return p.rows.Records(), p.rows.Entries() }

func (p pieces) Each(multiple int, take func(*Rows)) error {
	n := len(p.rows.Label)
	for first := 0; first < n; first += multiple * p.multiples {
		take(p.rows.Between(first, min(n, first+multiple*p.multiples)))
	}
	return p.fails
}

// The sums of streamed rows are those of a block in memory to the last bit: of one shard and of
// several, thinned or not, sparse or dense, clipped or not, in pieces of any length.
func TestStreamedSumsAreThoseOfABlock(t *testing.T) {
	dense, _ := denseRows(t, 9_000, 60, 512)
	few, _ := denseRows(t, 300, 60, 512)
	clipped := census(t, 40_000, clip(t, logistic(t).Loss(), 0.5))
	clipped.Norm = make([]float64, len(clipped.Label))
	clipped.Norms(clipped.Norm)
	for name, rows := range map[string]*Rows{
		"none": census(t, 0, logistic(t)), "one": census(t, 1, logistic(t)),
		"sparse": census(t, 70_000, logistic(t)), "clipped": clipped, "dense": dense, "few": few,
	} {
		t.Run(name, func(t *testing.T) {
			d := rows.Columns
			block := NewBlocks(rows, []int{len(rows.Label)})[0]
			for _, every := range []int{1, 3, 8} {
				for _, multiples := range []int{1, 5, 1000} {
					if testing.Short() && multiples != 5 {
						continue // all of them natively
					}
					theta := perturbation(uint64(every), d, 2)
					stream := &Streamed{pieces{rows, multiples, nil}, d, every}
					want := block
					if every > 1 {
						want = block.Thin(every).(Block)
						assert.Panics(t, func() { _, _ = stream.Sums(theta, Certified) })
					}
					for _, next := range []Sums{Gradients, Hessians} {
						have, err := stream.Sums(theta, next)
						require.NoError(t, err)
						require.Equal(t, want.Numbers(theta, next), have)
					}
					if every > 1 {
						continue
					}
					for _, low := range [][]float64{nil, perturbation(3, d, 1e-17)} {
						at := append(append([]float64(nil), theta...), low...)
						have, err := stream.Sums(at, Certified)
						require.NoError(t, err)
						require.Equal(t, want.Numbers(at, Certified), have)
					}
				}
			}
		})
	}
}

// What another worker took adds up to what a block adds.
func TestNumbersAreTheSums(t *testing.T) {
	rows := census(t, 500, logistic(t))
	block := NewBlocks(rows, []int{500})[0]
	theta := perturbation(2, 105, 1)
	for _, next := range []Sums{Gradients, Hessians} {
		gradient, again := perturbation(3, 105, 1), perturbation(3, 105, 1)
		var hessian, hessianAgain *Packed
		if next == Hessians {
			hessian, hessianAgain = NewPacked(105), NewPacked(105)
			hessian.AddDiagonal(0.1)
			hessianAgain.AddDiagonal(0.1)
		}
		block.Derivatives(theta, gradient, hessian)
		numbers := block.Numbers(theta, next)
		assert.Len(t, numbers, next.Numbers(105))
		next.Add(numbers, again, hessianAgain)
		assert.Equal(t, gradient, again)
		assert.Equal(t, hessian, hessianAgain)
	}
	sum, again := NewSum(105), NewSum(105)
	bound := block.Certify(theta, sum)
	numbers := block.Numbers(theta, Certified)
	assert.Len(t, numbers, Certified.Numbers(105))
	again.AddState(numbers[1:])
	assert.Equal(t, bound, numbers[0])
	assert.Equal(t, sum.State(), again.State())
}

// An error of reading is told.
func TestStreamedRowsThatCannotBeRead(t *testing.T) {
	broken := errors.New("the disk is gone")
	stream := &Streamed{pieces{census(t, 300, logistic(t)), 1, broken}, 105, 1}
	for _, next := range []Sums{Gradients, Hessians, Certified} {
		_, err := stream.Sums(perturbation(1, 105, 1), next)
		assert.Equal(t, broken, err)
	}
}
