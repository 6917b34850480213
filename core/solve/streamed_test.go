package solve

import (
	"context"
	"errors"
	"math"
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
func (p pieces) Costly() bool              { return p.rows.Costly() }
func (p pieces) Each(multiple int, take func(*Rows)) error {
	n := len(p.rows.Label)
	for first := 0; first < n; first += multiple * p.multiples {
		take(p.rows.Between(first, min(n, first+multiple*p.multiples)))
	}
	return p.fails
}

func streamed(rows *Rows, multiples int) *Streamed {
	return &Streamed{
		Stream: pieces{rows: rows, multiples: multiples}, Columns: rows.Columns,
		Room: make(chan struct{}, 2), Failed: func(err error) { panic(err) },
	}
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
			want := NewBlocks(rows, []int{len(rows.Label)})[0]
			for _, every := range []int{1, 3, 8} {
				for _, multiples := range []int{1, 5, 1000} {
					theta := perturbation(uint64(every), d, 2)
					var a, b Part = want, streamed(rows, multiples)
					if every > 1 {
						a, b = want.Thin(every), b.(Thinner).Thin(every)
						require.Equal(t, every, b.(*Streamed).Every())
					}
					require.Equal(t, a.(Thinner).Records(), b.(Thinner).Records())
					require.Equal(t, a.Value(theta), b.Value(theta))
					ga, ha := make([]float64, d), NewPacked(d)
					gb, hb := make([]float64, d), NewPacked(d)
					ga[0], gb[0], ha.At[0], hb.At[0] = 1, 1, 0.1, 0.1
					a.Derivatives(theta, ga, ha)
					b.(Starter).Start(theta, Hessians)
					b.Derivatives(theta, gb, hb)
					require.Equal(t, ga, gb)
					require.Equal(t, ha, hb)
					a.Derivatives(theta, ga, nil)
					b.Derivatives(theta, gb, nil) // not started
					require.Equal(t, ga, gb)
					if every > 1 {
						assert.Panics(t, func() { b.Certify(theta, NewSum(d)) })
						continue
					}
					sa, sb := NewSum(d), NewSum(d)
					for _, low := range [][]float64{nil, perturbation(3, d, 1e-17)} {
						at := append(append([]float64(nil), theta...), low...)
						bound := a.Certify(at, sa)
						b.(Starter).Start(at, Certified)
						require.Equal(t, bound, b.Certify(at, sb))
						require.Equal(t, sa.State(), sb.State())
					}
				}
			}
		})
	}
}

// A fit by streamed rows is the fit in memory.
func TestAFitByStreamedRows(t *testing.T) {
	rows := census(t, 30_000, logistic(t))
	b := perturbation(8, rows.Columns, 3)
	ends := []int{9_000, 9_000, 30_000}
	var parts, streams []Part
	room := make(chan struct{}, 3)
	for k, block := range NewBlocks(rows, ends) {
		parts = append(parts, block)
		s := streamed(block.Rows, 1+k)
		s.Room = room
		streams = append(streams, s)
	}
	options := Options{Tolerance: 1e-6}
	want, err := Newton(context.Background(), NewObjective(2, b, parts...), options)
	require.NoError(t, err)
	have, err := Newton(context.Background(), NewObjective(2, b, streams...), options)
	require.NoError(t, err)
	assert.Equal(t, want, have)
	assert.Empty(t, room)
}

// Where reading fails, nothing is proved, and whoever fits is told.
func TestStreamedRowsThatCannotBeRead(t *testing.T) {
	broken := errors.New("the disk is gone")
	var told []error
	s := streamed(census(t, 300, logistic(t)), 1)
	s.Stream = pieces{rows: s.Stream.(pieces).rows, multiples: 1, fails: broken}
	s.Failed = func(err error) { told = append(told, err) }
	theta := perturbation(1, 105, 1)
	assert.Equal(t, math.Inf(1), s.Certify(theta, NewSum(105)))
	gradient := make([]float64, 105)
	s.Derivatives(theta, gradient, nil)
	assert.Equal(t, make([]float64, 105), gradient)
	assert.Equal(t, []error{broken, broken}, told)
}
