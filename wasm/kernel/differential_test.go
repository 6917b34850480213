//go:build js && wasm

package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// shapes are rows of every kind: losses, clipping by one norm and by many, sparse and dense, of
// sizes about a batch, ordinary and hostile.
func shapes(t testing.TB, visit func(s shape)) {
	hostile := []float64{
		math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e300, -1e300, 5e-324,
		1e-310, 701, -701, 40, 1, 0x1p-27,
	}
	for _, loss := range losses(t) {
		for _, clip := range []float64{math.Inf(1), 0.3} {
			for _, norms := range []bool{false, true} {
				for _, n := range []int{1, 2, 7, 128, 129, 700} {
					for _, columns := range []int{1, 2, 3, 12, 33} {
						for _, scale := range []float64{1e-5, 0.3, 3, 300} {
							s := shape{
								n: n, columns: columns, scale: scale,
								loss: loss, clip: clip, norms: norms,
							}
							for _, dense := range []bool{false, true} {
								s.dense, s.odd = dense, nil
								visit(s)
								if scale == 3 {
									s.odd = hostile
									visit(s)
								}
							}
						}
					}
				}
			}
		}
	}
}

// everyShape calls visit with rows of all shapes, whole, thinned and a part of them.
func everyShape(t *testing.T, visit func(name string, rows *solve.Rows, theta []float64)) {
	seed := uint64(0)
	shapes(t, func(s shape) {
		seed++
		d := draws{randomtest.New(seed)}
		rows, theta := s.rows(t, d), s.theta(d)
		name := fmt.Sprintf("%+v", s)
		visit(name, rows, theta)
		if s.n > 2 && s.columns == 12 {
			visit("part of "+name, rows.Between(s.n/3, s.n-1), theta)
		}
	})
}

// Gradients and Hessians are Go's to the last bit, of slopes as they are and rounded.
func TestDerivatives(t *testing.T) {
	count := 0
	everyShape(t, func(name string, rows *solve.Rows, theta []float64) {
		for _, every := range []int{1, 3} {
			part := rows.Thin(every)
			if every == 3 {
				part.(*solve.Rows).SlopeUnit = 0x1p-12
			}
			for _, wanted := range []bool{false, true} {
				byGo, byKernel := both(t, func() []float64 {
					gradient := make([]float64, rows.Columns)
					if !wanted {
						part.Derivatives(theta, gradient, nil)
						return gradient
					}
					hessian := solve.NewPacked(rows.Columns)
					part.Derivatives(theta, gradient, hessian)
					return append(gradient, hessian.At...)
				})
				require.Equal(t, bits(byGo), bits(byKernel), name)
				count++
			}
		}
	})
	assert.Greater(t, count, 5000)
}

// So are certificates: what is summed, the bound on its error, and so all that is proved of them.
func TestCertificates(t *testing.T) {
	everyShape(t, func(name string, rows *solve.Rows, theta []float64) {
		byGo, byKernel := both(t, func() []float64 {
			sum := solve.NewSum(rows.Columns)
			bound := rows.Certify(theta, sum)
			bound += rows.Certify(theta, sum) // to sums that are not 0
			return append(sum.State(), bound)
		})
		require.Equal(t, bits(byGo), bits(byKernel), name)
	})
}

// So are the norms of rows, and which row is the first that may be too long.
func TestNorms(t *testing.T) {
	everyShape(t, func(name string, rows *solve.Rows, _ []float64) {
		for _, bound := range []float64{1e-3, 1, 30, math.Inf(1)} {
			byGo, byKernel := both(t, func() []float64 {
				all := make([]float64, len(rows.Label))
				rows.Norms(all)
				for from := range min(5, len(rows.Label)) {
					all = append(all, float64(rows.Within(bound, from)))
				}
				return all
			})
			require.Equal(t, bits(byGo), bits(byKernel), name)
		}
	})
}

// A point of two halves is beyond plain margins: Go certifies it.
func TestFinePoint(t *testing.T) {
	d := draws{randomtest.New(1)}
	s := shape{n: 300, columns: 12, loss: glm.Logistic{}, clip: math.Inf(1), scale: 1}
	rows, theta := s.rows(t, d), s.theta(d)
	byGo, byKernel := both(t, func() []float64 {
		sum := solve.NewSum(rows.Columns)
		bound := rows.Certify(append(theta, make([]float64, 12)...), sum)
		return append(sum.State(), bound)
	})
	assert.Equal(t, byGo, byKernel)
}

// Rows whose entries are outside of the matrix reach no memory of others: Go's loops panic.
func TestRowsOutsideOfTheirMatrix(t *testing.T) {
	require.True(t, Use())
	for name, spoil := range map[string]func(r *solve.Rows){
		"column beyond":   func(r *solve.Rows) { r.Index[3] = 1 << 20 },
		"column below":    func(r *solve.Rows) { r.Index[0] = -1 },
		"start beyond":    func(r *solve.Rows) { r.Start[5] = 1 << 40 },
		"start below":     func(r *solve.Rows) { r.Start[0] = -8 },
		"entries missing": func(r *solve.Rows) { r.Entry = slices.Clip(r.Entry[:4]) },
		"block cut": func(r *solve.Rows) {
			r.Block, r.BlockRows = [][]float64{make([]float64, 3)}, 9
		},
	} {
		d := draws{randomtest.New(1)}
		s := shape{n: 9, columns: 12, loss: glm.Logistic{}, clip: math.Inf(1), scale: 1}
		rows, theta := s.rows(t, d), s.theta(d)
		spoil(rows)
		assert.Panics(t, func() { rows.Derivatives(theta, make([]float64, 12), nil) }, name)
	}
}

// Ordinary rows are the kernel's, all of them, with each loss; a margin that Go has to take costs a
// batch.
func TestTheKernelTakesOrdinaryRows(t *testing.T) {
	taken := 0
	counted := func(take func(p *solve.Pass) int) func(p *solve.Pass) int {
		return func(p *solve.Pass) int {
			n := take(p)
			taken += n
			return n
		}
	}
	counting := passes
	counting.Derivatives, counting.Certify = counted(passes.Derivatives), counted(passes.Certify)
	solve.UseKernel(&counting)
	for _, loss := range losses(t) {
		for _, dense := range []bool{false, true} {
			d := draws{randomtest.New(1)}
			s := shape{n: 1000, columns: 12, loss: loss, clip: 0.3, scale: 1, dense: dense}
			rows, theta := s.rows(t, d), s.theta(d)
			taken = 0
			rows.Derivatives(theta, make([]float64, 12), nil)
			assert.Equal(t, 1000, taken, "%T", loss)
			taken = 0
			rows.Certify(theta, solve.NewSum(12))
			assert.Equal(t, 1000, taken, "%T", loss)
			if class := loss.Class(); dense ||
				class != privacy.LossLogistic && class != privacy.LossHinge {
				continue // without an exponential there is nothing to leave
			}
			far := rows.Start[300] // in the third batch
			rows.Entry[far] = -1e10 * rows.Label[300] / theta[rows.Index[far]]
			taken = 0
			rows.Derivatives(theta, make([]float64, 12), nil)
			assert.Equal(t, 1000-128, taken, "%T", loss)
		}
	}
}
