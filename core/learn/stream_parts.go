package learn

import (
	"bytes"
	"math"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/solve"
)

// Parts implements Elsewhere: the blocks of the file, whose sums are taken in passes.
func (s *Stream) Parts(loss glm.Clipped, rowNorm float64) []solve.Part {
	pass := Pass{Loss: LossName(loss.Loss()), Every: 1, RowNorm: rowNorm}
	_, pass.Parameter = LossParameter(loss.Loss())
	if c := loss.Threshold(); !math.IsInf(c, 1) {
		pass.Threshold = &c
	}
	common := &passing{stream: s, last: pass}
	parts := make([]solve.Part, data.Blocks)
	for k := range parts {
		parts[k] = &streamPart{common, k, 1}
	}
	return parts
}

// threshold is +Inf where gradients are not clipped.
func (p Pass) threshold() float64 {
	if p.Threshold == nil {
		return math.Inf(1)
	}
	return *p.Threshold
}

// passing is the pass that the parts of one fit were started with, and what came of it.
type passing struct {
	stream  *Stream
	last    Pass
	started []int
	numbers map[int][]float64 // nil: not taken yet
}

// streamPart is a block whose sums are taken in passes, all blocks at once. It has no rows.
type streamPart struct {
	*passing
	block, every int
}

// Dim implements solve.Part.
func (p *streamPart) Dim() int { return p.stream.file.Schema().Dimension() }

// Records implements solve.Thinner.
func (p *streamPart) Records() int {
	rows, _ := p.stream.file.Block(p.block)
	return (rows + p.every - 1) / p.every
}

// Thin implements solve.Thinner. All rows are still read.
func (p *streamPart) Thin(every int) solve.Part {
	return &streamPart{p.passing, p.block, p.every * every}
}

// Costly implements solve.Thinner.
func (p *streamPart) Costly() bool { return p.stream.file.Index().Dense }

// Start implements solve.Starter: the pass begins once the first of its sums is asked for.
func (p *streamPart) Start(theta []float64, next solve.Sums) {
	point := bytes.Clone(solve.Bytes(theta))
	if p.last.Next != next || p.last.Every != p.every || !bytes.Equal(p.last.Theta, point) {
		p.started, p.numbers = nil, nil
	}
	p.last.Theta, p.last.Next, p.last.Every = point, next, p.every
	if p.numbers == nil { // else they are there from the pass before
		p.started = append(p.started, p.block)
	}
}

// take returns the numbers of the sums that were started; nil if they could not be taken.
func (p *streamPart) take(theta []float64, next solve.Sums) []float64 {
	if p.last.Next != next || p.last.Every != p.every ||
		!bytes.Equal(p.last.Theta, solve.Bytes(theta)) {
		panic("learn: sums that were not started")
	}
	if p.numbers == nil {
		numbers, err := p.stream.Take(p.last, p.started)
		p.numbers = map[int][]float64{}
		if err != nil {
			p.stream.Failed(err)
		} else {
			for i, block := range p.started {
				p.numbers[block] = numbers[i]
			}
		}
	}
	return p.numbers[p.block]
}

// Derivatives implements solve.Part.
func (p *streamPart) Derivatives(theta, gradient []float64, hessian *solve.Packed) {
	next := solve.Gradients
	if hessian != nil {
		next = solve.Hessians
	}
	if numbers := p.take(theta, next); numbers != nil {
		next.Add(numbers, gradient, hessian)
	}
}

// Certify implements solve.Part. It proves nothing where the sums could not be taken.
func (p *streamPart) Certify(theta []float64, sum *solve.Sum) float64 {
	numbers := p.take(theta, solve.Certified)
	if numbers == nil {
		return math.Inf(1)
	}
	sum.AddState(numbers[1:])
	return numbers[0]
}

// Value implements solve.Part, and is not for a solver in passes: Newton needs none.
func (p *streamPart) Value([]float64) float64 { panic("learn: values are not taken in passes") }
