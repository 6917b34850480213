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
	weights := plan.weights()
	gain, squares, price := 0.0, 0.0, 0.0 // of a force in every step; of the noise; μ²/C²
	for t, sigma := range plan.Sigmas {
		gain += weights[t]
		squares += weights[t] * weights[t] * sigma * sigma
		price += 1 / (sigma * sigma)
	}
	reach, scale := plan.RowNorm, 1.0
	if plan.Centring != nil {
		reach, scale = within(plan.Centring.Mean, plan.RowNorm), plan.Centring.Scale
	}
	// A margin below 0 leaves the gradient at least as long as at 0.
	length := math.Min(1, loss.Slope(0, -1)*scale*reach/plan.Clip)
	test, err := suspect.ShiftedIn(length * gain / math.Sqrt(squares*price))
	if err != nil {
		return learn.Attack{}, err
	}
	record, opposite := learn.Mark{Scale: 1, Label: 1}, learn.Mark{Scale: -1, Label: 1}
	var shared []learn.Mark
	first := []learn.Mark{opposite}
	if plan.Adjacency != privacy.ReplaceOne {
		force := 3 * math.Sqrt(squares) / gain
		shared = learn.Pulling(loss, scale*reach, force, scale*reach*gain*force)
		first = shared
	}
	fit := func(noise float64) (learn.Fit, error) {
		plan := plan
		plan.Sigmas = slices.Clone(plan.Sigmas)
		for t := range plan.Sigmas {
			plan.Sigmas[t] *= noise
		}
		_, err := plan.Event()
		return learn.OneVector(len(plan.Sigmas), plan.fit), err
	}
	return learn.Attack{
		Without:   from(plan.Centring, learn.Marks(schema, loss, reach, first)),
		With:      from(plan.Centring, learn.Marks(schema, loss, reach, append(shared, record))),
		Statistic: func(theta []float64) float64 { return theta[0] },
		Test:      test,
		Fit:       fit,
	}, nil
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
func from(c *learn.Centring, p learn.Problem) learn.Problem {
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
