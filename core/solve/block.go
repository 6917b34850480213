package solve

// Block is a Part whose sums are computed by themselves, from 0, and then added. Use
// blocks to share sums among workers. The result depends only on the blocks, and not on
// which worker computed them: each worker sends back the sums of its blocks, and they
// are added in the same order, so they agree to the last bit.
type Block struct {
	*Rows
	own   *sums // of one block at a time, for all
	ahead *ahead
}

type sums struct {
	blocks   int           // that share it
	slots    chan struct{} // one for each block that takes sums ahead now
	gradient []float64
	hessian  *Packed
}

// Apart is a [Part] whose sums are taken by themselves, from 0, by whichever worker, and go from
// worker to worker as numbers: a [Block] or a [ScoreBlock].
type Apart interface {
	Thinner

	// Numbers are the part's own sums at theta:
	//
	//	Gradients  the gradient
	//	Hessians   the gradient and the packed Hessian
	//	Certified  the bound and the state of a [Sum]
	//	Diagonals  the gradient and the packed blocks, of a ScoreBlock alone
	//	Moments    bits of whole numbers (Integers), of a Block alone
	Numbers(theta []float64, next Sums) []float64

	// Count is how many numbers they are; 0 where it has no such sums.
	Count(next Sums) int
}

// NewBlocks returns the blocks that end at these rows, the first beginning at 0.
// They share the memory of rows. Ask one at a time for sums; natively, a block that was started
// takes its own meanwhile (see Start).
func NewBlocks(rows *Rows, ends []int) []Block {
	own := &sums{blocks: len(ends)}
	blocks := make([]Block, len(ends))
	first := 0
	for k, end := range ends {
		blocks[k] = Block{rows.Between(first, end), own, &ahead{}}
		first = end
	}
	return blocks
}

// Between returns rows first to end−1, in the same memory.
func (r *Rows) Between(first, end int) *Rows {
	part := *r
	part.Label = r.Label[first:end]
	if len(r.Norm) > 1 {
		part.Norm = r.Norm[first:end]
	}
	if r.dense() {
		part.offset = r.offset + first
		return &part
	}
	part.Start = r.Start[first : end+1]
	return &part
}

// Derivatives adds the sums; see Part.
func (b Block) Derivatives(theta, gradient []float64, hessian *Packed) {
	next := DerivativesOf(hessian)
	if numbers := b.ahead.taken(theta, next); numbers != nil {
		next.Add(numbers, gradient, hessian)
		return
	}
	g, h := b.Own(theta, hessian != nil)
	axpy(1, g, gradient)
	if hessian != nil {
		axpy(1, h.At, hessian.At)
	}
}

// Own returns the block's own gradient and, if wanted, its Hessian. Both are valid
// until the next call, on this block or on one that was made with it.
func (b Block) Own(theta []float64, wantHessian bool) ([]float64, *Packed) {
	if b.own.gradient == nil {
		b.own.gradient = make([]float64, b.Columns)
	}
	clear(b.own.gradient)
	if !wantHessian {
		b.Rows.Derivatives(theta, b.own.gradient, nil)
		return b.own.gradient, nil
	}
	if b.own.hessian == nil {
		b.own.hessian = NewPacked(b.Columns)
	}
	clear(b.own.hessian.At)
	b.Rows.Derivatives(theta, b.own.gradient, b.own.hessian)
	return b.own.gradient, b.own.hessian
}

// Certify adds the sum; see Part.
func (b Block) Certify(theta []float64, sum *Sum) float64 {
	if numbers := b.ahead.taken(theta, Certified); numbers != nil {
		sum.AddState(numbers[1:])
		return numbers[0]
	}
	own := NewSum(b.Columns)
	bound := b.Rows.Certify(theta, own)
	sum.AddSum(own)
	return bound
}

// Thin is that of Rows.
func (b Block) Thin(every int) Part {
	return Block{b.Rows.Thin(every).(*Rows), b.own, &ahead{}}
}

// DerivativesOf is the sums that Derivatives takes with that Hessian.
func DerivativesOf(hessian *Packed) Sums {
	if hessian == nil {
		return Gradients
	}
	return Hessians
}

// Numbers is how many numbers such sums over one part of that dimension are, as they go from
// worker to worker (see [Apart]); 0 for Diagonals, which [ScoreBlock.Count] knows.
func (s Sums) Numbers(columns int) int {
	switch s {
	case Gradients:
		return columns
	case Hessians:
		return columns + columns*(columns+1)/2
	case Certified:
		return 1 + 4*columns + 1
	case Moments:
		return columns*(columns+1)/2 + columns + 1
	}
	return 0
}

// Count implements [Apart].
func (b Block) Count(next Sums) int { return next.Numbers(b.Columns) }

// Add adds the numbers of derivatives to gradient and, unless it is nil, hessian.
func (s Sums) Add(numbers, gradient []float64, hessian *Packed) {
	axpy(1, numbers[:len(gradient)], gradient)
	if hessian != nil {
		axpy(1, numbers[len(gradient):], hessian.At)
	}
}

// Numbers implements [Apart]. Of Moments theta is one number: see [Rows.Moments].
func (b Block) Numbers(theta []float64, next Sums) []float64 {
	if numbers := b.ahead.taken(theta, next); numbers != nil {
		return numbers
	}
	switch next {
	case Certified:
		sum := NewSum(b.Columns)
		return append([]float64{b.Rows.Certify(theta, sum)}, sum.State()...)
	case Moments:
		at := make([]int64, b.Count(next))
		b.Rows.Moments(theta[0], at)
		return Floats(Bytes(at))
	}
	gradient, hessian := b.Own(theta, next == Hessians)
	out := append(make([]float64, 0, next.Numbers(b.Columns)), gradient...)
	if hessian != nil {
		out = append(out, hessian.At...)
	}
	return out
}
