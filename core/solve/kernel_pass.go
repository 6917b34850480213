package solve

import (
	"unsafe"

	"cloister/core/glm"
)

// Pass is what a kernel is lent: pointers to rows, and to where sums go. wasm/kernel/c/pass.h has
// the same members in the same order, each of 8 bytes.
type Pass struct {
	columns, first, end, step  int64
	start, index, entry, block unsafe.Pointer
	blockRows, offset          int64
	label, norm                unsafe.Pointer
	norms                      int64

	loss                                      glm.Kind
	parameter, threshold, maxSlope, near, cap float64
	weight                                    [2]float64
	magic                                     float64
	exponential                               unsafe.Pointer

	theta, gradient, hessian unsafe.Pointer

	curvature, unit, coarsest, slopeError, slopeFloor, bound float64
	high, low, size, count                                   unsafe.Pointer

	batch unsafe.Pointer
}

// kernelBatch is the kernel's own memory: nothing in it outlives a call.
var kernelBatch [8 * batch]float64

// lend returns a pass over the rows for the loss and its derivatives, or nil if the kernel cannot
// take one: there is none, or the rows are not as it needs them. It checks no bounds, so all
// lengths are checked here.
func (r *Rows) lend(theta, gradient []float64, hessian *Packed) *Pass {
	p := r.lendRows()
	if p == nil || len(theta) != r.Columns || len(gradient) != r.Columns {
		return nil
	}
	form, ok := r.Loss.Form(r.Norm)
	if !ok || len(r.Norm) != 1 && len(r.Norm) != len(r.Label) {
		return nil
	}
	if hessian != nil {
		if hessian.N != r.Columns || len(hessian.At) != r.Columns*(r.Columns+1)/2 {
			return nil
		}
		p.hessian = address(hessian.At)
	}
	p.step = int64(r.step())
	p.norm, p.norms = address(r.Norm), int64(len(r.Norm))
	p.loss, p.parameter, p.maxSlope = form.Kind, form.Parameter, form.MaxSlope
	p.weight, p.magic = form.Weight, r.magic()
	p.threshold, p.near, p.cap = form.Threshold, form.Near, form.Cap
	p.exponential = unsafe.Pointer(form.Exponential)
	p.theta, p.gradient = address(theta), address(gradient)
	return p
}

// none stands in for norms.
var none [1]float64

// lendRows returns a pass over all rows, without a loss; nil as lend.
func (r *Rows) lendRows() *Pass {
	if kernel == nil || len(r.Label) == 0 {
		return nil
	}
	p := &Pass{
		columns: int64(r.Columns),
		end:     int64(len(r.Label)),
		step:    1,
		label:   address(r.Label),
		norm:    unsafe.Pointer(&none),
		norms:   1,
		batch:   unsafe.Pointer(&kernelBatch),
	}
	if !r.place(p) {
		return nil
	}
	return p
}

// place tells the pass where entries are; false if not all are where they should be.
func (r *Rows) place(p *Pass) bool {
	n := len(r.Label)
	if r.dense() {
		blocks := make([]unsafe.Pointer, len(r.Block))
		for k, block := range r.Block {
			rows := min(r.BlockRows, r.offset+n-k*r.BlockRows)
			if len(block) < rows*r.Columns {
				return false
			}
			blocks[k] = address(block)
		}
		p.block, p.blockRows, p.offset = address(blocks), int64(r.BlockRows), int64(r.offset)
		return r.BlockRows > 0 && len(r.Block)*r.BlockRows >= r.offset+n
	}
	if len(r.Start) != n+1 {
		return false
	}
	p.start, p.index, p.entry = address(r.Start), address(r.Index), address(r.Entry)
	if !r.placed {
		r.placed = r.Start[0] >= 0 && r.Start[n] <= min(len(r.Index), len(r.Entry)) &&
			kernel.Placed(p)
	}
	return r.placed
}

// lendSum makes the pass that of a certificate.
func (p *Pass) lendSum(r *Rows, sum *Sum) {
	p.curvature, p.unit, p.coarsest = r.Loss.MaxCurvature(), unitRoundoff, coarsestMargin
	p.slopeError, p.slopeFloor = slopeError+gammaBatch, r.slopeFloor()
	p.high, p.low = address(sum.hi), address(sum.lo)
	p.size, p.count = address(sum.size), address(sum.count)
}

// take has the kernel take records start to end−1, and here the batches that it leaves.
func (p *Pass) take(start, end int, kernel func(*Pass) int, here func(first, end int)) {
	for p.first, p.end = int64(start), int64(end); p.first < p.end; {
		p.first += int64(kernel(p))
		if p.first < p.end {
			last := min(p.first+batch, p.end)
			here(int(p.first), int(last))
			p.first = last
		}
	}
}

// address is that of a slice's first element.
func address[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }
