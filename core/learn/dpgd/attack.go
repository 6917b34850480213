package dpgd

import (
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Attack returns the audit of a fit by this plan. The price is that of a Gaussian
// mechanism for each step, which a record reaches whose gradient is clipped in every one.
// Then the sums of all steps differ by C in the first coordinate, and what is released
// adds them up by the plan's weights. The more the weights differ, the less of the price
// one number shows, and the more runs are taken.
// With a centring, made-up records lie on a line through the mean, so that centred ones lie
// in the first coordinate as others do. Records with short rows pull the margin below 0,
// against the noise of all steps.
func Attack(
	schema *data.Schema, loss glm.Loss, plan Plan, suspect learn.Suspect,
) (learn.Attack, error) {
	s := shiftOf(plan)
	if plan.Classes > 0 {
		return s.ofClasses(schema, suspect)
	}
	// A margin below 0 leaves the gradient at least as long as at 0.
	length := math.Min(1, loss.Slope(0, -1)*s.length/plan.Clip)
	test, err := suspect.ShiftedIn(length * s.share)
	if err != nil {
		return learn.Attack{}, err
	}
	record, opposite := learn.Mark{Scale: 1, Label: 1}, learn.Mark{Scale: -1, Label: 1}
	var shared []learn.Mark
	first := []learn.Mark{opposite}
	if plan.Adjacency != privacy.ReplaceOne {
		force := 3 * s.noise / s.gain
		shared = learn.Pulling(loss, s.length, force, s.length*s.gain*force)
		first = shared
	}
	return learn.Attack{
		Without:   s.from(learn.Marks(schema, loss, s.reach, first)),
		With:      s.from(learn.Marks(schema, loss, s.reach, append(shared, record))),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      test,
		Fit:       plan.scaled,
	}, nil
}

// shift is what a record in the first coordinate does to what is released.
type shift struct {
	plan   Plan
	gain   float64 // what a force of 1 in every step moves it by
	noise  float64 // the standard deviation of a coordinate
	share  float64 // of the price, which one coordinate of gradients of length C shows
	reach  float64 // how long the row can be
	length float64 // and how long it is as the steps see it
}

func shiftOf(plan Plan) shift {
	s := shift{plan: plan, reach: plan.RowNorm}
	squares, price := 0.0, 0.0 // price is μ²/C²
	for t, weight := range plan.weights() {
		sigma := plan.Sigmas[t]
		s.gain += weight
		squares += weight * weight * sigma * sigma
		price += 1 / (sigma * sigma)
	}
	s.noise, s.share = math.Sqrt(squares), s.gain/math.Sqrt(squares*price)
	s.length = s.reach
	if plan.Centring != nil {
		s.reach = within(plan.Centring.Mean, plan.RowNorm)
		s.length = plan.Centring.Scale[0] * s.reach
	}
	return s
}

// ofClasses is Attack for a softmax. The record is of class 0. Others with short rows, in its
// direction of class 1 and against it of class 2, hold the score of class 1 far above that of
// class 0 where the record lies, and that of class 2 far above both where its opposite does,
// against the noise of all steps. So the record's gradient points from class 0 to 1, and the
// opposite's from 2 to 0: they are C(e₁ − e₀)/√2 and C(e₀ − e₂)/√2 in the first coordinates.
// Their difference is √3·C long, of the 2C that a replaced record is charged.
func (s shift) ofClasses(schema *data.Schema, suspect learn.Suspect) (learn.Attack, error) {
	replaced := s.plan.Adjacency == privacy.ReplaceOne
	share := math.Min(1, math.Sqrt2*s.length/s.plan.Clip) * s.share
	if replaced {
		share *= math.Sqrt(3) / 2
	}
	test, err := suspect.ShiftedIn(share)
	if err != nil {
		return learn.Attack{}, err
	}
	// A difference of two scores has √2 of the noise. Rows are so short that their own scores
	// come to no more than softness apart, so that they keep their pull.
	force := 3 * math.Sqrt2 * s.noise / s.gain
	scale := math.Min(1, softness/(s.length*s.gain*force))
	n := int(math.Min(math.Ceil(force/(scale*s.length)), mostPulling))
	var shared []learn.Mark
	for range n {
		shared = append(
			shared, learn.Mark{Scale: scale, Label: 1}, learn.Mark{Scale: -scale, Label: 2},
		)
	}
	loss, first := glm.Softmax{}, shared
	if replaced {
		first = append(slices.Clone(shared), learn.Mark{Scale: -1})
	}
	columns := s.plan.columns()
	return learn.Attack{
		Without: s.from(learn.Marks(schema, loss, s.reach, first)),
		With: s.from(
			learn.Marks(schema, loss, s.reach, append(shared, learn.Mark{Scale: 1})),
		),
		Statistic: func(theta []float64) float64 {
			if replaced {
				return 2*theta[0] - theta[columns] - theta[2*columns]
			}
			return theta[0] - theta[columns]
		},
		Test: test,
		Fit:  s.plan.scaled,
	}, nil
}

const (
	softness    = 0.3
	mostPulling = 1000 // to either side
)

// scaled is the fit with this many times the noise.
func (p Plan) scaled(noise float64) (learn.Fit, error) {
	p.Sigmas = slices.Clone(p.Sigmas)
	for t := range p.Sigmas {
		p.Sigmas[t] *= noise
	}
	_, err := p.Event()
	return learn.OneVector(len(p.Sigmas), p.fit), err
}

// within is how far from the mean a row can be in the first coordinate, to both sides, if
// its norm is at most rowNorm. A part in 2^40 is left for rounding.
func within(mean []float64, rowNorm float64) float64 {
	rest := 0.0
	for _, m := range mean[1:] {
		rest += m * m
	}
	return (math.Sqrt(math.Max(0, rowNorm*rowNorm-rest)) - math.Abs(mean[0])) * (1 - 0x1p-40)
}

// from moves the rows of a problem, which are 0 but for the first column, by the mean.
func (s shift) from(p learn.Problem) learn.Problem {
	c := s.plan.Centring
	if c == nil {
		return p
	}
	x := &data.Matrix{RowStart: []int{0}, Columns: p.Data.X.Columns}
	for i := range p.Data.X.Rows() {
		for j, m := range c.Mean {
			if j == 0 {
				m += p.Data.X.Row(i).Value[0]
			}
			if m != 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, m)
			}
		}
		x.RowStart = append(x.RowStart, len(x.Index))
	}
	d := &data.Dataset{Schema: p.Data.Schema, X: x, Y: p.Data.Y}
	return learn.Problem{Data: d, Loss: p.Loss}
}
