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
// is the number t > 0 that the row was divided by; no other entry is above t, nor is the intercept
// κ below κt. Where a missing or unknown category is no row of zeros, one of them is t: its
// feature is then called certain. Let s be the sum of a feature's columns, or its number. Then
//
//	x ≥ 0,  κs ≤ x_κ;  s ≤ t, and s = t where it is certain, if t is one of the columns;
//	a number is half of its column of missing values, where that is not 0, and never less.
//
// Row i of M is a sum of rows x of weights w·xᵢ ≥ 0, so all of it holds of row i, and with t = xᵢ
// if column i is one of a category; otherwise t is the sum of any feature that is certain. It
// holds of κ·Σ w(1 ± y)x too. And the features of a row have a length of 1 at most, and of 1 where
// a feature is certain, or all rows are brought to it but for those of zeros (data.Unit), so that
//
//	κ²·tr ≤ M_κκ, the same where a feature is certain;
//	κ·tr no less than every sum over M_κ of a feature's columns, nor tr than any |Σ w·y·xⱼ|, if
//	all rows but those of zeros have length 1; nor than Σ w·y² where a feature is certain.
//
// Where all rows are divided by the same (data.Scale), t is known: κs ≤ t·x_κ, the same where s is
// certain. A row is then no shorter than t if a feature is certain, so that t² takes the place of
// 1: κ²·tr ≥ t²·M_κκ, and tr ≥ t²·Σ w·y².
//
// The length is 1 but for a part of 2^-40 (data.Schema.RowNorm). Of a sum with weights wₖ the
// noise is subgaussian, its parameter Sigma·√(2Σwₖ²) at most. There are 8(d+2)² sums at most.
func (p Products) Below(schema *data.Schema, m *solve.Packed) float64 {
	c := newProductCheck(p, schema, m)
	last := m.N - 1
	for i := range m.N {
		c.row(i, func(j int) entry { return c.at(i, j) })
	}
	if c.kappa > 0 {
		for _, sign := range []float64{1, -1} {
			if p.Labels == nil {
				break
			}
			c.row(last, func(j int) entry { return c.at(last, j).with(c.label(j), sign*c.kappa) })
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

// with adds weight times another entry.
func (e entry) with(other entry, weight float64) entry {
	e.value += weight * other.value
	e.size += math.Abs(weight) * other.size
	e.sigma = math.Hypot(e.sigma, weight*other.sigma)
	e.rounding += math.Abs(weight) * other.rounding
	if weight < 0 {
		other.more, other.less = other.less, other.more
	}
	e.more, e.less = e.more || other.more, e.less || other.less
	return e
}

// A columnPart is a feature's columns from..end-1, of which one at most is not 0.
type columnPart struct {
	from, end    int
	one, certain bool // that one is the row's t; and there always is one
}

type productCheck struct {
	Products
	m       *solve.Packed
	kappa   float64
	parts   []columnPart
	of      []int   // the part of every column but the intercept's
	halves  []int   // columns of numbers that have one of missing values behind them
	certain int     // a part; −1 if there is none
	unit    bool    // rows that are not 0 have length 1
	scale   float64 // what t is of every row; 0 if rows differ
	below   float64
}

func newProductCheck(p Products, schema *data.Schema, m *solve.Packed) *productCheck {
	c := &productCheck{Products: p, m: m, kappa: schema.Intercept, certain: -1}
	c.unit = schema.Rows.Norm == data.Unit
	if schema.Rows.Norm == data.Scale {
		c.scale = schema.RowScale()
	}
	add := func(width int, one, certain bool) {
		if certain {
			c.certain = len(c.parts)
			c.unit = c.unit || schema.Rows.Norm == data.Clip // a row of one is not shorter than 1
		}
		for range width {
			c.of = append(c.of, len(c.parts))
		}
		c.parts = append(c.parts, columnPart{len(c.of) - width, len(c.of), one, certain})
	}
	for k := range schema.Features {
		f := &schema.Features[k]
		if f.Type == data.Numeric {
			add(1, false, false)
			if f.Missing.Action == data.Indicate {
				c.halves = append(c.halves, len(c.of)-1)
				add(1, true, false)
			}
		} else {
			add(f.Width(), true,
				f.Missing.Action != data.UseZero && f.Unknown.Action != data.UseZero)
		}
	}
	return c
}

func (p Products) entry(x, sigma float64) entry {
	moved := math.Abs(x) >= p.Last
	return entry{x, math.Abs(x), sigma, p.Rounding, moved && x > 0, moved && x < 0}
}

func (c *productCheck) at(i, j int) entry {
	sigma := c.Sigma
	if i == j {
		sigma *= math.Sqrt2
	}
	return c.entry(c.m.Row(max(i, j))[min(i, j)], sigma)
}

func (c *productCheck) label(j int) entry { return c.entry(c.Labels[j], c.LabelSigma) }

// notBelow is told of a sum that is not below 0.
func (c *productCheck) notBelow(e entry) {
	reach := c.Far*e.sigma + e.rounding
	if !e.more && e.value < -reach*(1+0x1p-20)-e.size*0x1p-40 {
		c.below = e.value
	}
}

func sumOf(part columnPart, at func(int) entry) (sum entry) {
	for j := part.from; j < part.end; j++ {
		sum = sum.with(at(j), 1)
	}
	return sum
}

// row checks a sum of rows of weights ≥ 0: those of column i, if it is one of a category.
func (c *productCheck) row(i int, at func(j int) entry) {
	var zero entry
	for j := range c.m.N {
		c.notBelow(at(j))
	}
	for _, j := range c.halves {
		c.notBelow(zero.with(at(j), 2).with(at(j+1), -1))
		if i == j+1 {
			c.notBelow(at(i).with(at(j), -2))
		}
	}
	// What t is: column i, or else a feature that is certain.
	t, its := zero, c.certain
	if i < len(c.of) && c.parts[c.of[i]].one {
		t, its = at(i), c.of[i]
		for j := c.parts[its].from; j < c.parts[its].end; j++ {
			if j != i {
				c.notBelow(zero.with(at(j), -1))
			}
		}
	} else if its >= 0 {
		t = sumOf(c.parts[its], at)
	}
	for k, part := range c.parts {
		s := sumOf(part, at)
		if c.kappa > 0 {
			c.notBelow(at(len(c.of)).with(s, -c.kappa))
		}
		if c.kappa > 0 && c.scale > 0 {
			t := zero.with(at(len(c.of)), c.scale/c.kappa)
			c.notBelow(t.with(s, -1))
			if part.certain {
				c.notBelow(s.with(t, -1))
			}
		}
		if its < 0 || k == its {
			continue
		}
		c.notBelow(t.with(s, -1))
		if part.certain {
			c.notBelow(s.with(t, -1))
		}
	}
}

// lengths checks the trace without the intercept.
func (c *productCheck) lengths() {
	trace := entry{}
	for j := range c.of {
		trace = trace.with(c.at(j, j), 1)
	}
	last, least := len(c.of), 1.0 // square of a row's length where a feature is certain
	if c.scale > 0 {
		least = c.scale * c.scale
	}
	var zero entry
	if c.kappa > 0 {
		square := c.kappa * c.kappa
		c.notBelow(c.at(last, last).with(trace, -square))
		if c.certain >= 0 {
			c.notBelow(zero.with(trace, square/least).with(c.at(last, last), -1))
		}
	}
	if c.certain >= 0 && c.Labels != nil {
		c.notBelow(zero.with(trace, 1/least).with(c.entry(c.Square, c.SquareSigma), -1))
	}
	if !c.unit {
		return
	}
	for _, part := range c.parts {
		if c.kappa > 0 {
			s := sumOf(part, func(j int) entry { return c.at(last, j) })
			c.notBelow(zero.with(trace, c.kappa).with(s, -1))
		}
	}
	for j := range c.of {
		if c.kappa == 0 && c.Labels != nil {
			c.notBelow(trace.with(c.label(j), -1))
			c.notBelow(trace.with(c.label(j), 1))
		}
	}
}

// productReach is how many standard deviations the noise of none of the sums of Products is
// from 0, but for a chance of 2^-100: each is subgaussian.
func productReach(columns int) float64 {
	d := float64(columns + 2)
	return math.Sqrt(2 * (math.Log(8*d*d) - math.Log(leastChance)))
}
