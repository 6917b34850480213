package solve

// ScoreBlock is to [Scores] what [Block] is to [Rows]: its sums are taken by themselves, from 0,
// and then added. So they are the same to the last bit whichever worker takes them.
type ScoreBlock struct {
	*Scores
	own   *sums
	ahead *ahead
}

// NewScoreBlocks returns the blocks that end at these rows, the first beginning at 0. They share
// the memory of s.
func NewScoreBlocks(s *Scores, ends []int) []ScoreBlock {
	own := &sums{blocks: len(ends)}
	blocks := make([]ScoreBlock, len(ends))
	first := 0
	for k, end := range ends {
		blocks[k] = ScoreBlock{&Scores{s.Rows.Between(first, end), s.Classes}, own, &ahead{}}
		first = end
	}
	return blocks
}

// Thin is that of Scores.
func (b ScoreBlock) Thin(every int) Part {
	return ScoreBlock{b.Scores.Thin(every).(*Scores), b.own, &ahead{}}
}

// Derivatives adds the sums; see Part.
func (b ScoreBlock) Derivatives(theta, gradient []float64, hessian *Packed) {
	next := DerivativesOf(hessian)
	if numbers := b.ahead.taken(theta, next); numbers != nil {
		next.Add(numbers, gradient, hessian)
		return
	}
	b.Scores.Derivatives(theta, gradient, hessian)
}

// Certify adds the sum; see Part.
func (b ScoreBlock) Certify(theta []float64, sum *Sum) float64 {
	if numbers := b.ahead.taken(theta, Certified); numbers != nil {
		sum.AddState(numbers[1:])
		return numbers[0]
	}
	own := NewSum(b.Dim())
	bound := b.Scores.Certify(theta, own)
	sum.AddSum(own)
	return bound
}

// DiagonalBlocks is that of Scores.
func (b ScoreBlock) DiagonalBlocks(theta, gradient []float64) []*Packed {
	if numbers := b.ahead.taken(theta, Diagonals); numbers != nil {
		return b.Diagonals(numbers, gradient)
	}
	return b.Scores.DiagonalBlocks(theta, gradient)
}

// Diagonals adds the gradient among the numbers of such sums, and returns the blocks, in their
// memory.
func (s *Scores) Diagonals(numbers, gradient []float64) []*Packed {
	axpy(1, numbers[:s.Dim()], gradient)
	numbers = numbers[s.Dim():]
	blocks, d := make([]*Packed, s.Classes), s.Rows.Columns
	for k := range blocks {
		size := d * (d + 1) / 2
		blocks[k], numbers = &Packed{N: d, At: numbers[:size:size]}, numbers[size:]
	}
	return blocks
}

// Count implements [Apart].
func (b ScoreBlock) Count(next Sums) int {
	switch next {
	case Diagonals:
		return b.Classes * Hessians.Numbers(b.Rows.Columns)
	case Moments:
		return 0
	}
	return next.Numbers(b.Dim())
}

// Numbers implements [Apart].
func (b ScoreBlock) Numbers(theta []float64, next Sums) []float64 {
	if numbers := b.ahead.taken(theta, next); numbers != nil {
		return numbers
	}
	if next == Certified {
		sum := NewSum(b.Dim())
		return append([]float64{b.Scores.Certify(theta, sum)}, sum.State()...)
	}
	out := make([]float64, b.Count(next))
	gradient := out[:b.Dim()]
	switch next {
	case Gradients:
		b.Scores.Derivatives(theta, gradient, nil)
	case Hessians:
		b.Scores.Derivatives(theta, gradient, &Packed{N: b.Dim(), At: out[b.Dim():]})
	case Diagonals:
		rest := out[b.Dim():]
		for _, block := range b.Scores.DiagonalBlocks(theta, gradient) {
			rest = rest[copy(rest, block.At):]
		}
	}
	return out
}
