package solve

import "cloister/core/glm"

// Rows is the [Part] of a generalised linear model whose rows are in memory,
// sparse: Σ f(xᵢᵀθ; yᵢ). The entries of row i are Entry[k] in column Index[k]
// for Start[i] ≤ k < Start[i+1]; columns increase strictly within a row.
type Rows struct {
	Start   []int // one longer than Label
	Index   []int32
	Entry   []float64
	Label   []float64
	Columns int

	Loss glm.Clipped

	// Norm is ‖xᵢ‖₂ of each row, or one upper bound for all; where the gradient
	// is clipped at C, |f'| stays below C/Norm.
	Norm []float64

	every int // rows 0, every, 2·every, … count, each every times; 0 is 1
}

// Rows are taken a batch at a time, so that margins, slopes and curvatures
// stay in the first-level cache between the passes over a batch.
const batch = 128

// Dim is the number of columns.
func (r *Rows) Dim() int { return r.Columns }

// Records is the number of rows that count.
func (r *Rows) Records() int {
	step := r.step()
	return (len(r.Label) + step - 1) / step
}

// Thin returns every so-manieth row, counted so many times; it shares r's
// memory.
func (r *Rows) Thin(every int) Part {
	thin := *r
	thin.every = r.step() * every
	return &thin
}

func (r *Rows) step() int { return max(1, r.every) }

// pass holds a batch on its way through the rows.
type pass struct {
	first, n                              int // first row, number of rows
	norms                                 []float64
	margin, label, norm, slope, curvature [batch]float64
}

// next moves to the batch that follows and computes its margins; false at the
// end.
func (r *Rows) next(p *pass, theta []float64) bool {
	step := r.step()
	p.first += p.n * step
	p.n = min(batch, (len(r.Label)-p.first+step-1)/step)
	if p.n <= 0 {
		return false
	}
	p.norms = r.Norm
	if len(r.Norm) > 1 {
		p.norms = p.norm[:p.n]
	}
	row := p.first
	for i := range p.n {
		index, entry := r.row(row)
		m := 0.0
		for k, j := range index {
			m += entry[k] * theta[j]
		}
		p.margin[i] = m
		p.label[i] = r.Label[row]
		if len(r.Norm) > 1 {
			p.norm[i] = r.Norm[row]
		}
		row += step
	}
	return true
}

// differentiate computes the batch's slopes and, if they are wanted,
// curvatures.
func (r *Rows) differentiate(p *pass, curvatures bool) {
	var curvature []float64
	if curvatures {
		curvature = p.curvature[:p.n]
	}
	r.Loss.Derivatives(p.margin[:p.n], p.label[:p.n], p.norms, p.slope[:p.n], curvature)
}

// row returns the columns and the entries of a row, two slices of one length.
func (r *Rows) row(i int) ([]int32, []float64) {
	lo, hi := r.Start[i], r.Start[i+1]
	index, entry := r.Index[lo:hi], r.Entry[lo:hi]
	return index, entry[:len(index)]
}

// Value returns Σ f(xᵢᵀθ; yᵢ).
func (r *Rows) Value(theta []float64) float64 {
	var p pass
	total := 0.0
	for r.next(&p, theta) {
		total += r.Loss.Rows(p.margin[:p.n], p.label[:p.n], p.norms, nil, nil)
	}
	return float64(r.step()) * total
}

// Derivatives adds Σ f'(xᵢᵀθ; yᵢ) xᵢ to gradient and, unless hessian is nil,
// Σ f”(xᵢᵀθ; yᵢ) xᵢ xᵢᵀ to hessian.
func (r *Rows) Derivatives(theta, gradient []float64, hessian *Packed) {
	var p pass
	step := r.step()
	weight := float64(step)
	for r.next(&p, theta) {
		r.differentiate(&p, hessian != nil)
		row := p.first
		for i := range p.n {
			index, entry := r.row(row)
			w := weight * p.slope[i]
			for k, j := range index {
				gradient[j] += w * entry[k]
			}
			row += step
		}
		if hessian == nil {
			continue
		}
		row = p.first
		for i := range p.n {
			index, entry := r.row(row)
			hessian.addOuter(weight*p.curvature[i], index, entry)
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
