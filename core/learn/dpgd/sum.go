package dpgd

import (
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
)

// block is how many rows are looked at together. A block's sums are below
// 2^8·2^33 steps of the lattice, so floats add them exactly.
const block = 1 << 8

// summer computes Σ ∇ℓ_C(θ; zᵢ), each record's gradient rounded to a lattice.
//
// A record's gradient is computed from the record and θ alone and rounded to
// the lattice before it is added to anything; sums of lattice points are exact
// here. So the sums of two neighbouring data sets at the same θ differ by
// exactly the rounded gradients of the records in which they differ: rounding
// errors of sums, which depend on the other records, do not come into the
// sensitivity at all.
//
// From the record and θ alone: one record can decide whether all are stored
// sparsely or densely (package data), so neither a margin nor a norm may depend
// on that. Both are sums in the order of the columns, in which a dense row has
// zeros besides: x + 0·θⱼ is x, and learn.Problem.Rows counts no zero either.
//
// With a centring, xᵢ is the centred row, which learn.Centring.Apply computes from the
// record alone too, and as a dense one whatever is stored.
type summer struct {
	x       *data.Matrix
	centred *centred // nil for rows as they are
	y       []float64
	loss    glm.Clipped
	norms   []float64 // ‖xᵢ‖ ≤ norms[i], or one bound for all
	slopes  []float64 // of a block
	margin  []float64
	part    []float64 // a block's sums, in units of the gradient
	total   []int64   // in steps of the lattice
	classes int       // of a softmax; 0 for one vector
}

func newSummer(problem learn.Problem, plan Plan) (*summer, error) {
	rows, err := problem.Rows(plan.Clip, plan.RowNorm)
	if err != nil {
		return nil, err
	}
	size := min(block, problem.Data.X.Rows())
	unknowns := problem.Dimension() * max(1, plan.Classes)
	s := &summer{
		x: problem.Data.X, y: problem.Data.Y, loss: rows.Loss, norms: rows.Norm,
		slopes: make([]float64, max(size, plan.Classes)), margin: make([]float64, size),
		part: make([]float64, unknowns), total: make([]int64, unknowns),
		classes: plan.Classes,
	}
	if plan.Centring != nil {
		s.centred = newCentred(plan.Centring, problem.Dimension())
		s.norms = plan.Centring.Norms(problem.Data.X)
	}
	return s, nil
}

// row is row i, valid until the next is asked for.
func (s *summer) row(i int) data.Row {
	row := s.x.Row(i)
	if s.centred != nil {
		return s.centred.row(row)
	}
	return row
}

// centred is the memory of one centred row.
type centred struct {
	by      *learn.Centring
	numbers []int32 // 0 … d−1
	values  []float64
}

func newCentred(by *learn.Centring, dimension int) *centred {
	c := &centred{by: by, numbers: make([]int32, dimension), values: make([]float64, dimension)}
	for j := range c.numbers {
		c.numbers[j] = int32(j)
	}
	return c
}

func (c *centred) row(row data.Row) data.Row {
	c.by.Apply(row, c.values)
	return data.Row{Index: c.numbers, Value: c.values}
}

// sum sets total to the sum at theta, in steps of the lattice of spacing grid.
//
// A slope w has |w|·‖x‖ ≤ C, so the products w·xⱼ, each rounded once, make a
// vector of norm at most C(1 + 2^-53); adding and subtracting 1.5·2^52·grid
// rounds each to the nearest lattice point, for they are below 2^51 grid; zeros
// stay zeros.
func (s *summer) sum(theta []float64, grid float64) {
	clear(s.total)
	n := s.x.Rows()
	for first := 0; first < n; first += block {
		end := min(first+block, n)
		if s.classes > 0 {
			s.addClasses(first, end, theta, 0x1.8p52*grid)
		} else {
			s.add(first, end, theta, 0x1.8p52*grid)
		}
		for j, v := range s.part {
			s.total[j] += int64(v / grid)
			s.part[j] = 0
		}
	}
}

// add adds the gradients of rows first to end−1 to part. magic rounds to the lattice.
func (s *summer) add(first, end int, theta []float64, magic float64) {
	margin, slopes := s.margin[:end-first], s.slopes[:end-first]
	for i := range margin {
		margin[i] = dot(s.row(first+i), theta)
	}
	norms := s.norms
	if len(norms) > 1 {
		norms = norms[first:end]
	}
	s.loss.Derivatives(margin, s.y[first:end], norms, slopes, nil)
	for i, w := range slopes {
		if w != 0 {
			addTo(s.part, w, s.row(first+i), magic)
		}
	}
}

// dot is xᵀθ, added in the order of the columns.
func dot(row data.Row, theta []float64) float64 {
	m := 0.0
	for k, j := range row.Index {
		m += float64(row.Value[k] * theta[j])
	}
	return m
}

// addTo adds w·x, each product rounded to the lattice.
func addTo(part []float64, w float64, row data.Row, magic float64) {
	value := row.Value[:len(row.Index)]
	for k, j := range row.Index {
		part[j] += (float64(w*value[k]) + magic) - magic
	}
}
