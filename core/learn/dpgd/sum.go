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
// With a centring, xᵢ is the centred row of learn.Centring.Apply, from the record alone too. Its
// margin is added in the order of the columns from that of a row of zeros on (centred).
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
		s.centred = newCentred(plan.Centring, problem.Dimension(), max(1, plan.Classes))
		s.norms = plan.Centring.Norms(problem.Data.X)
	}
	return s, nil
}

// centred is what centring makes of rows. A centred row has no zeros, but is that of a row of
// zeros in all columns but those of the entries that are not 0, which are few where columns are
// those of categories. So a margin is base·θ and what these entries change of it, and only their
// columns are centred anew when the row is added.
type centred struct {
	by   *learn.Centring
	base []float64 // the centred row of zeros
	dots []float64 // base·θ, of each vector
}

func newCentred(by *learn.Centring, dimension, vectors int) *centred {
	c := &centred{by, make([]float64, dimension), make([]float64, vectors)}
	by.Apply(data.Row{}, c.base)
	return c
}

// entry is the centred entry x of column j.
func (c *centred) entry(j int32, x float64) float64 {
	if int(j) >= len(c.by.Mean) {
		return x // the intercept
	}
	return float64(c.by.Scale * float64(x-c.by.Mean[j]))
}

// at prepares for margins at theta, the vectors of all classes one after another.
func (c *centred) at(theta []float64) {
	for k := range c.dots {
		c.dots[k] = 0
		for j, x := range c.base {
			c.dots[k] += float64(x * theta[k*len(c.base)+j])
		}
	}
}

// dot is xᵀθ of the row as it is summed up, of vector k.
func (s *summer) dot(row data.Row, theta []float64, k int) float64 {
	c := s.centred
	if c == nil {
		return dot(row, theta)
	}
	m := c.dots[k]
	for at, j := range row.Index {
		m += float64((c.entry(j, row.Value[at]) - c.base[j]) * theta[j])
	}
	return m
}

// addTo adds w·x to part, each product rounded to the lattice.
func (s *summer) addTo(part []float64, w float64, row data.Row, magic float64) {
	c := s.centred
	if c == nil {
		addTo(part, w, row, magic)
		return
	}
	first := 0
	for at, j := range row.Index {
		addRest(part[first:j], w, c.base[first:j], magic)
		part[j] += (float64(w*c.entry(j, row.Value[at])) + magic) - magic
		first = int(j) + 1
	}
	addRest(part[first:len(c.base)], w, c.base[first:], magic)
}

// addRest adds w·x, each product rounded to the lattice.
func addRest(part []float64, w float64, x []float64, magic float64) {
	part = part[:len(x)]
	for j, v := range x {
		part[j] += (float64(w*v) + magic) - magic
	}
}

// sum sets total to the sum at theta, in steps of the lattice of spacing grid.
//
// A slope w has |w|·‖x‖ ≤ C, so the products w·xⱼ, each rounded once, make a
// vector of norm at most C(1 + 2^-53); adding and subtracting 1.5·2^52·grid
// rounds each to the nearest lattice point, for they are below 2^51 grid; zeros
// stay zeros.
func (s *summer) sum(theta []float64, grid float64) {
	clear(s.total)
	if s.centred != nil {
		s.centred.at(theta)
	}
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
		margin[i] = s.dot(s.x.Row(first+i), theta, 0)
	}
	norms := s.norms
	if len(norms) > 1 {
		norms = norms[first:end]
	}
	s.loss.Derivatives(margin, s.y[first:end], norms, slopes, nil)
	for i, w := range slopes {
		if w != 0 {
			s.addTo(s.part, w, s.x.Row(first+i), magic)
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
