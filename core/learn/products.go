package learn

import (
	"math"

	"cloister/core/data"
	"cloister/core/solve"
)

// Products says how far what was released of M = Σ w·x xᵀ is from it: noise of Sigma, √2 as much
// on the diagonal, of which none is beyond Far times that, and Rounding of each element. What is
// Last or more from 0 was moved there, and may be more.
type Products struct {
	Sigma, Far, Rounding, Last float64

	// Labels is Σ w·y·x with |y| ≤ 1, with noise of LabelSigma, and Square Σ w·y² with noise of
	// SquareSigma; nil if they were not released.
	Labels                          []float64
	Square, LabelSigma, SquareSigma float64
}

// Below returns 0 if M may be of rows x of this schema and weights w ≥ 0, or else a number that
// noise does not leave so far below 0: a sum of elements that is never below 0.
//
// Theorem. The columns of a category, and that of missing values, are 0 but for one at most, which
// is the number t > 0 that the row was divided by; no other entry is above t. Where a missing or
// unknown category is no row of zeros, one of them is t: its feature is then called certain. Let s
// be the sum of a feature's columns, or its number and half of its column of missing values: a
// number is half of that, where that is not 0, and never less. Then, of a row with a t,
//
//	x ≥ 0,  s ≤ t, and s = t where it is certain,  κt ≤ x_κ,  κt ≥ r·x_κ,
//
// r = data.Schema.RowScale, for no row is longer than 1/r times what a category makes it; and if
// all rows are divided by the same (data.Scale) κt = r·x_κ. Of any row κs ≤ x_κ, or r·x_κ.
//
// The sum of w·f·g is not below 0 for any f and g that are not: x, these differences if t is that
// of a feature that is certain, or κ(1 ± y). With t = xᵢ, where column i is one of a category, the
// sum of w·xᵢ·g is not; nor is a product above 0 of two columns of one category. And the features
// of a row have a length of 1 at most, and of 1 where a feature is certain, or all rows are
// brought to it but for those of zeros (data.Unit), so that
//
//	κ²·tr ≤ M_κκ, the same where a feature is certain;
//	κ·tr no less than every sum over M_κ of a feature's columns, nor tr than any |Σ w·y·xⱼ|, if
//	all rows but those of zeros have length 1; nor than Σ w·y² where a feature is certain.
//
// Of data.Scale a row is no shorter than r there, so that r² takes the place of 1: κ²·tr ≥
// r²·M_κκ, and tr ≥ r²·Σ w·y².
//
// The length is 1 but for a part of 2^-40 (data.Schema.RowNorm). Of a sum with weights wₖ the
// noise is subgaussian, its parameter Sigma·√(2Σwₖ²) at most, and of fᵀMg
// Sigma·√(‖f‖²‖g‖² + (fᵀg)²). There are 32(d+2)² sums at most.
func (p Products) Below(schema *data.Schema, m *solve.Packed) float64 {
	c := newProductCheck(p, schema, m)
	c.pairs()
	for i, k := range c.of {
		if c.parts[k].one {
			c.category(i, k)
		}
	}
	c.lengths()
	return c.below
}

// An entry is a number that was released, or a sum of such.
type entry struct {
	value, size     float64 // size is the sum of what is added, each without its sign
	sigma, rounding float64
	more, less      bool // it may be more, or less, than value: a number was moved to an end
}

// add adds weight times an entry with other noise.
func (e *entry) add(other *entry, weight float64) {
	size := math.Abs(weight)
	e.value += weight * other.value
	e.size += size * other.size
	e.sigma = math.Hypot(e.sigma, weight*other.sigma)
	e.rounding += size * other.rounding
	more, less := other.more, other.less
	if weight < 0 {
		more, less = less, more
	}
	e.more, e.less = e.more || more, e.less || less
}

// A columnPart is a feature's columns from..end-1, of which one at most is not 0.
type columnPart struct {
	from, end    int
	one, certain bool   // that one is the row's t; and there always is one
	sum          linear // s
}

// A linear is a sum of columns times weights.
type linear []spanTerm

// A spanTerm is the sum of the columns of a span times a weight. No two of a linear overlap.
type spanTerm struct {
	span   int // of productCheck.spans
	weight float64
}

type productCheck struct {
	Products
	m       *solve.Packed
	kappa   float64
	parts   []columnPart
	of      []int    // the part of every column but the intercept's
	spans   [][2]int // from..end-1: every column, then the parts of more than one
	sums    []entry  // of M over two spans, of which the second is no later
	certain int      // a part; −1 if there is none
	unit    bool     // rows that are not 0 have length 1
	least   float64  // the smallest t that there is
	most    float64  // and the largest
	below   float64

	columns  []linear // each of them
	up, down linear   // most·x_κ and −least·x_κ
}

func newProductCheck(p Products, schema *data.Schema, m *solve.Packed) *productCheck {
	c := &productCheck{Products: p, m: m, kappa: schema.Intercept, certain: -1}
	c.unit = schema.Rows.Norm == data.Unit
	c.least, c.most = schema.RowScale(), 1
	if schema.Rows.Norm == data.Scale {
		c.most = c.least
	}
	for j := range m.N {
		c.spans = append(c.spans, [2]int{j, j + 1})
		c.columns = append(c.columns, linear{{j, 1}})
	}
	c.up, c.down = linear{{m.N - 1, c.most}}, linear{{m.N - 1, -c.least}}
	add := func(width int, one, certain bool) {
		if certain {
			c.certain = len(c.parts)
			c.unit = c.unit || schema.Rows.Norm == data.Clip // a row of one is not shorter than 1
		}
		for range width {
			c.of = append(c.of, len(c.parts))
		}
		from, at := len(c.of)-width, len(c.of)-1
		if width > 1 {
			at = len(c.spans)
			c.spans = append(c.spans, [2]int{from, len(c.of)})
		}
		c.parts = append(c.parts, columnPart{from, len(c.of), one, certain, linear{{at, 1}}})
	}
	for k := range schema.Features {
		f := &schema.Features[k]
		if f.Type == data.Numeric {
			add(1, false, false)
			if f.Missing.Action == data.Indicate {
				number := &c.parts[len(c.parts)-1]
				number.sum = append(number.sum, spanTerm{len(c.of), 0.5})
				add(1, true, false)
			}
		} else {
			add(f.Width(), true, f.Certain())
		}
	}
	for a, rows := range c.spans {
		for _, columns := range c.spans[:a+1] {
			sum := entry{}
			for i := rows[0]; i < rows[1]; i++ {
				for j := columns[0]; j < columns[1]; j++ {
					sum.add(c.at(i, j), 1)
				}
			}
			sum.sigma = 0 // see product
			c.sums = append(c.sums, sum)
		}
	}
	return c
}

func (c *productCheck) entry(x, sigma float64) *entry {
	moved := math.Abs(x) >= c.Last
	return &entry{x, math.Abs(x), sigma, c.Rounding, moved && x > 0, moved && x < 0}
}

func (c *productCheck) at(i, j int) *entry {
	sigma := c.Sigma
	if i == j {
		sigma *= math.Sqrt2
	}
	return c.entry(c.m.Row(max(i, j))[min(i, j)], sigma)
}

func (c *productCheck) label(j int) *entry {
	return c.entry(c.Labels[j], c.LabelSigma)
}

// notBelow is told of a sum that is not below 0.
func (c *productCheck) notBelow(e *entry) {
	reach := c.Far*e.sigma + e.rounding
	if !e.more && e.value < -reach*(1+0x1p-20)-e.size*0x1p-40 {
		c.below = e.value
	}
}

// sum is told of two entries that, each times its weight, add up to no less than 0.
func (c *productCheck) sum(a *entry, times float64, b *entry, weight float64) {
	sum := entry{}
	sum.add(a, times)
	sum.add(b, weight)
	c.notBelow(&sum)
}

// size is ‖f‖² and the sum of f's weights, each without its sign.
func (c *productCheck) size(f linear) (square, sum float64) {
	for _, t := range f {
		width := float64(c.spans[t.span][1] - c.spans[t.span][0])
		square += t.weight * t.weight * width
		sum += math.Abs(t.weight) * width
	}
	return square, sum
}

// product is fᵀMg.
func (c *productCheck) product(f, g linear) *entry {
	sum, dot := &entry{}, 0.0
	for _, a := range f {
		for _, b := range g {
			i, j := max(a.span, b.span), min(a.span, b.span)
			sum.add(&c.sums[i*(i+1)/2+j], a.weight*b.weight)
			first, second := c.spans[i], c.spans[j]
			both := max(0, min(first[1], second[1])-max(first[0], second[0]))
			dot += a.weight * b.weight * float64(both)
		}
	}
	ff, f1 := c.size(f)
	gg, g1 := c.size(g)
	sum.sigma, sum.rounding = c.Sigma*math.Sqrt(ff*gg+dot*dot), c.Rounding*f1*g1
	return sum
}

// A list is of sums that are not below 0.
type list []linear

// add appends f and weight times g.
//
//go:noinline
func (l *list) add(f, g linear, weight float64) {
	sum := make(linear, len(f), len(f)+len(g))
	copy(sum, f)
	for _, t := range g {
		at := 0
		for at < len(sum) && sum[at].span != t.span {
			at++
		}
		if at == len(sum) {
			sum = append(sum, spanTerm{t.span, 0})
		}
		sum[at].weight += weight * t.weight
	}
	*l = append(*l, sum)
}

// within adds the differences that are not below 0, of a row whose t is that of part own.
func (c *productCheck) within(all *list, t linear, own int) {
	for k, part := range c.parts {
		if k != own {
			all.add(t, part.sum, -1)
			if part.certain {
				all.add(part.sum, t, -1)
			}
		}
	}
	if c.kappa > 0 {
		all.add(c.up, t, -c.kappa)
		all.add(c.down, t, c.kappa)
	}
}

// pairs checks the products of any two sums of columns that are not below 0, and of one and
// κ(1 ± y).
func (c *productCheck) pairs() {
	all := append(list(nil), c.columns...)
	for _, part := range c.parts {
		if len(part.sum) > 1 {
			all.add(c.columns[part.from], part.sum[1:], -1)
		}
		if c.kappa > 0 {
			all.add(c.up, part.sum, -c.kappa)
			if part.certain {
				all.add(c.down, part.sum, c.kappa)
			}
		}
	}
	if c.certain >= 0 {
		c.within(&all, c.parts[c.certain].sum, c.certain)
	}
	for k, f := range all {
		for _, g := range all[:k+1] {
			c.notBelow(c.product(f, g))
		}
		if c.kappa == 0 || c.Labels == nil {
			continue
		}
		sum, labels := c.product(f, c.columns[len(c.of)]), entry{}
		for _, t := range f {
			for j := c.spans[t.span][0]; j < c.spans[t.span][1]; j++ {
				labels.add(c.label(j), c.kappa*t.weight)
			}
		}
		c.sum(sum, 1, &labels, 1)
		c.sum(sum, 1, &labels, -1)
	}
}

// category checks the rows of column i, which is one of part k.
func (c *productCheck) category(i, k int) {
	for j := c.parts[k].from; j < c.parts[k].end; j++ {
		if j != i {
			c.sum(&entry{}, 0, c.at(i, j), -1)
		}
	}
	var all list
	c.within(&all, c.columns[i], k)
	for _, f := range all {
		c.notBelow(c.product(c.columns[i], f))
	}
}

// lengths checks the trace without the intercept.
func (c *productCheck) lengths() {
	trace := &entry{}
	for j := range c.of {
		trace.add(c.at(j, j), 1)
	}
	last, least := len(c.of), 1.0 // square of a row's length where a feature is certain
	if c.most < 1 {
		least = c.least * c.least
	}
	if c.kappa > 0 {
		square := c.kappa * c.kappa
		c.sum(c.at(last, last), 1, trace, -square)
		if c.certain >= 0 {
			c.sum(trace, square/least, c.at(last, last), -1)
		}
	}
	if c.certain >= 0 && c.Labels != nil {
		c.sum(trace, 1/least, c.entry(c.Square, c.SquareSigma), -1)
	}
	if !c.unit {
		return
	}
	for _, part := range c.parts {
		if c.kappa > 0 {
			c.sum(trace, c.kappa, c.product(part.sum[:1], c.columns[last]), -1)
		}
	}
	for j := range c.of {
		if c.kappa == 0 && c.Labels != nil {
			c.sum(trace, 1, c.label(j), -1)
			c.sum(trace, 1, c.label(j), 1)
		}
	}
}

// productReach is how many standard deviations the noise of none of the sums of Products is
// from 0, but for a chance of 2^-100: each is subgaussian.
func productReach(columns int) float64 {
	d := float64(columns + 2)
	return math.Sqrt(2 * (math.Log(32*d*d) - math.Log(leastChance)))
}
