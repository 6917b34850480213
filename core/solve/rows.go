package solve

import "cloister/core/glm"

// Rows is the [Part] of a generalised linear model whose rows are in memory:
// Σ f(xᵢᵀθ; yᵢ). They are sparse or dense.
//
// Large sums are computed over shards of the rows, on all processors. The shards, and
// the order in which their sums are added, depend only on the rows. So results do not
// depend on the number of processors.
type Rows struct {
	// Sparse: the entries of row i are Entry[k] in column Index[k] for
	// Start[i] ≤ k < Start[i+1]; columns increase strictly within a row.
	Start []int // one longer than Label
	Index []int32
	Entry []float64

	// Dense, in place of these: Block[k] holds rows k·BlockRows up to
	// (k+1)·BlockRows, Columns entries each.
	Block     [][]float64
	BlockRows int
	offset    int // of row 0 in the blocks

	Label   []float64
	Columns int

	Loss glm.Clipped

	// Norm is ‖xᵢ‖₂ of each row, or one upper bound for all; where the gradient
	// is clipped at C, |f'| stays below C/Norm.
	Norm []float64

	// SlopeUnit rounds each row's slope to the nearest multiple of it, before it is used in
	// Derivatives. It is a power of two, or 0: slopes stay as they are. With entries that are
	// whole numbers, sums of few rows are then exact, in whatever order they are added up.
	SlopeUnit float64

	every int // rows 0, every, 2·every, … count, each every times; 0 is 1

	// Entries are where Columns and Start say, as the kernel has seen.
	placed bool
}

// Rows are taken a batch at a time, so that margins, slopes and curvatures
// stay in the first-level cache between the passes over a batch.
const batch = 128

// Dim is the number of columns.
func (r *Rows) Dim() int { return r.Columns }

// Records is the number of rows that are used: all, or those that Thin keeps.
func (r *Rows) Records() int {
	step := r.step()
	return (len(r.Label) + step - 1) / step
}

// Thin returns one row of every `every`, each counted that many times, to approximate sums over
// all rows. It shares r's memory.
func (r *Rows) Thin(every int) Part {
	thin := *r
	thin.every = r.step() * every
	return &thin
}

func (r *Rows) step() int { return max(1, r.every) }

// Costly reports whether the rows are dense.
func (r *Rows) Costly() bool { return r.dense() }

func (r *Rows) dense() bool { return r.Block != nil }

// entries is the number of entries of all rows that count, about.
func (r *Rows) entries() int {
	if r.dense() {
		return r.Records() * r.Columns
	}
	if len(r.Start) == 0 {
		return 0
	}
	return (r.Start[len(r.Start)-1] - r.Start[0]) / r.step()
}

// row returns the columns and the entries of a sparse row, two slices of one
// length.
func (r *Rows) row(i int) ([]int32, []float64) {
	lo, hi := r.Start[i], r.Start[i+1]
	index, entry := r.Index[lo:hi], r.Entry[lo:hi]
	return index, entry[:len(index)]
}

// denseRow returns the entries of a dense row.
func (r *Rows) denseRow(i int) []float64 {
	i += r.offset
	block := r.Block[i/r.BlockRows]
	at := i % r.BlockRows * r.Columns
	return block[at : at+r.Columns]
}

// pass holds a batch on its way through the records first, first+1, … end−1.
type pass struct {
	first, n, end                         int // first record, number of records
	margin, label, norm, slope, curvature [batch]float64
	x                                     [][]float64 // the rows, if they are dense
}

// next moves to the batch that follows and computes its margins; false at the
// end.
func (r *Rows) next(p *pass, theta []float64) bool {
	step := r.step()
	p.first += p.n
	p.n = min(batch, p.end-p.first)
	if p.n <= 0 {
		return false
	}
	if r.dense() && p.x == nil {
		p.x = make([][]float64, batch)
	}
	row := p.first * step
	for i := range p.n {
		p.label[i] = r.Label[row]
		if len(r.Norm) > 1 {
			p.norm[i] = r.Norm[row]
		}
		if r.dense() {
			p.x[i] = r.denseRow(row)
		} else {
			index, entry := r.row(row)
			m := 0.0
			for k, j := range index {
				m += entry[k] * theta[j]
			}
			p.margin[i] = m
		}
		row += step
	}
	if r.dense() {
		denseMargins(p.x[:p.n], theta, p.margin[:p.n])
	}
	return true
}

// norms are those of the batch's rows, or the bound for all.
func (r *Rows) norms(p *pass) []float64 {
	if len(r.Norm) > 1 {
		return p.norm[:p.n]
	}
	return r.Norm
}

// differentiate computes the batch's slopes and, if they are wanted,
// curvatures.
func (r *Rows) differentiate(p *pass, curvatures bool) {
	var curvature []float64
	if curvatures {
		curvature = p.curvature[:p.n]
	}
	r.Loss.Derivatives(p.margin[:p.n], p.label[:p.n], r.norms(p), p.slope[:p.n], curvature)
}

// magic rounds what is smaller than 2^51 units to a multiple of SlopeUnit, when it is added and
// taken off again.
func (r *Rows) magic() float64 { return 0x1.8p52 * r.SlopeUnit }

// Value returns Σ f(xᵢᵀθ; yᵢ).
func (r *Rows) Value(theta []float64) float64 {
	parts := make([]float64, r.shards())
	each(len(parts), func(k int) {
		first, end := r.shard(k, len(parts))
		parts[k] = r.valueOf(first, end, theta, 0)
	})
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return float64(r.step()) * total
}

// valueOf is Value for records first to end−1, each counted once, added to value.
func (r *Rows) valueOf(first, end int, theta []float64, value float64) float64 {
	p := pass{first: first, end: end}
	for r.next(&p, theta) {
		value += r.Loss.Rows(p.margin[:p.n], p.label[:p.n], r.norms(&p), nil, nil)
	}
	return value
}

// Derivatives adds Σ f'(xᵢᵀθ; yᵢ) xᵢ to gradient and, unless hessian is nil,
// Σ f”(xᵢᵀθ; yᵢ) xᵢ xᵢᵀ to hessian.
func (r *Rows) Derivatives(theta, gradient []float64, hessian *Packed) {
	n := r.shards()
	if n == 1 {
		r.derivatives(0, r.Records(), theta, gradient, hessian)
		return
	}
	type sums struct {
		gradient []float64
		hessian  *Packed
	}
	inOrder(n, func() *sums {
		s := &sums{gradient: make([]float64, r.Columns)}
		if hessian != nil {
			s.hessian = NewPacked(r.Columns)
		}
		return s
	}, func(k int, s *sums) {
		clear(s.gradient)
		if hessian != nil {
			clear(s.hessian.At)
		}
		first, end := r.shard(k, n)
		r.derivatives(first, end, theta, s.gradient, s.hessian)
	}, func(s *sums) {
		axpy(1, s.gradient, gradient)
		if hessian != nil {
			axpy(1, s.hessian.At, hessian.At)
		}
	})
}

// derivatives is Derivatives for records first to end−1.
func (r *Rows) derivatives(first, end int, theta, gradient []float64, hessian *Packed) {
	if p := r.lend(theta, gradient, hessian); p != nil {
		p.take(first, end, kernel.Derivatives, func(first, end int) {
			r.derivativesHere(first, end, theta, gradient, hessian)
		})
		return
	}
	r.derivativesHere(first, end, theta, gradient, hessian)
}

// derivativesHere is derivatives by the loops of this package.
func (r *Rows) derivativesHere(first, end int, theta, gradient []float64, hessian *Packed) {
	p := pass{first: first, end: end}
	step := r.step()
	weight := float64(step)
	for r.next(&p, theta) {
		r.differentiate(&p, hessian != nil)
		if r.SlopeUnit > 0 {
			magic := r.magic()
			for i := range p.n {
				p.slope[i] = (p.slope[i] + magic) - magic
			}
		}
		if step > 1 { // curvatures that were not asked for are 0
			for i := range p.n {
				p.slope[i] *= weight
				p.curvature[i] *= weight
			}
		}
		if r.dense() {
			denseGradient(p.x[:p.n], p.slope[:p.n], gradient)
			if hessian != nil {
				hessian.addDense(p.x[:p.n], p.curvature[:p.n])
			}
			continue
		}
		row := p.first * step
		for i := range p.n {
			index, entry := r.row(row)
			w := p.slope[i]
			for k, j := range index {
				gradient[j] += w * entry[k]
			}
			row += step
		}
		if hessian == nil {
			continue
		}
		row = p.first * step
		for i := range p.n {
			index, entry := r.row(row)
			hessian.addOuter(p.curvature[i], index, entry)
			row += step
		}
	}
}

// addOuter adds w·x xᵀ for a sparse x whose columns increase.
func (p *Packed) addOuter(w float64, index []int32, entry []float64) {
	if w == 0 {
		return
	}
	entry = entry[:len(index)]
	for a, i := range index {
		wa := w * entry[a]
		row := p.At[int(i)*(int(i)+1)/2:]
		for b, j := range index[:a+1] {
			row[j] += wa * entry[b]
		}
	}
}
