package evaluate

import (
	"context"
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Run evaluates the model on held-out records by the plan, with noise from
// source, and returns what may be published. The data set must be read with the
// model's schema; records that the model was fitted to are allowed, but then
// both guarantees are about one file and add up.
//
// Errors: a *privacy.ParameterError for the plan or for a data set of another schema,
// the context's or the source's. Charge for the plan's event before calling, and keep
// the charge whatever comes back.
func Run(
	ctx context.Context, model learn.Model, heldOut *data.Dataset, plan Plan, source random.Source,
) (*learn.Assessment, error) {
	if _, err := plan.Event(model); err != nil {
		return nil, err
	}
	blocks, err := Tally(ctx, model, heldOut, plan)
	if err != nil {
		return nil, err
	}
	return Tallied(model, blocks, plan, source)
}

// Tally returns what [Tallied] adds noise to: one list of numbers for each block of the data set,
// or for all its records if it has none. Use it for records of which several workers have some
// blocks each. The numbers are whole, as private as the records, and for Tallied alone. Errors
// are those of Run.
func Tally(
	ctx context.Context, model learn.Model, d *data.Dataset, plan Plan,
) ([][]float64, error) {
	plan = plan.withDefaults(model)
	if err := plan.check(model, model.AssessmentLayout()); err != nil {
		return nil, err
	}
	if err := sameRows(model, d); err != nil {
		return nil, err
	}
	var out [][]float64
	first := 0
	for _, end := range d.BlockEnds() {
		c, err := tally(ctx, model, d, first, end, plan)
		if err != nil {
			return nil, err
		}
		out, first = append(out, c.numbers()), end
	}
	return out, nil
}

// Tallied is [Run] for records that [Tally] counted by the same model and plan: the lists of all
// their blocks, in any order. Each record must be in one block. Charge first, as for Run. Errors
// are those of the plan and of source; it panics for lists of another model or plan.
func Tallied(
	model learn.Model, blocks [][]float64, plan Plan, source random.Source,
) (*learn.Assessment, error) {
	plan = plan.withDefaults(model)
	event, err := plan.Event(model)
	if err != nil {
		return nil, err
	}
	total := newCounts(model, plan)
	for _, numbers := range blocks {
		total.addNumbers(numbers)
	}
	scale := uint64(plan.scale(model.AssessmentLayout()))
	return total.released(plan, event, scale, source)
}

// Counted is [Run] for records that were counted elsewhere, for a model without probabilities of
// two classes, such as learn.ClassifierOf has: records[p][c] are those of class c that the model
// puts in class p. One record must count once in all. Charge first, as for Run. Errors are those
// of the plan and of source; it panics for another model.
func Counted(
	model learn.Model, records [2][2]int64, plan Plan, source random.Source,
) (*learn.Assessment, error) {
	plan = plan.withDefaults(model)
	event, err := plan.Event(model)
	if err != nil {
		return nil, err
	}
	layout := model.AssessmentLayout()
	if plan.Bins != len(records) || layout.Columns != len(records[0]) || layout.Sums != 0 {
		panic("evaluate: counts of another model")
	}
	c := &counts{}
	for _, row := range records {
		c.cells = append(c.cells, []int64{row[0] * unit, row[1] * unit})
	}
	return c.released(plan, event, uint64(plan.scale(layout)), source)
}

// counts are the numbers of an assessment without noise, in steps of the
// lattice: what must not leave this package but through released.
type counts struct {
	cells [][]int64
	sums  []int64
}

// released adds noise to every number.
func (c *counts) released(
	plan Plan, event privacy.Event, scale uint64, source random.Source,
) (*learn.Assessment, error) {
	a := &learn.Assessment{
		Adjacency: plan.Adjacency, Epsilon: plan.Epsilon, Event: event, LossBound: plan.LossBound,
		Cells: make([][]float64, len(c.cells)),
	}
	var err error
	for k, row := range c.cells {
		if a.Cells[k], err = noisy(row, scale, source); err != nil {
			return nil, err
		}
	}
	a.Sums, err = noisy(c.sums, scale, source)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func noisy(numbers []int64, scale uint64, source random.Source) ([]float64, error) {
	out := make([]float64, len(numbers))
	for i, n := range numbers {
		noise, err := random.DiscreteLaplace(source, scale)
		if err != nil {
			return nil, err
		}
		// Steps beyond 2^53 are no float64; ε is then so small that nothing is
		// left to be read off the number.
		n = min(max(n+noise, -mostSteps), mostSteps)
		out[i] = float64(n) * learn.AssessmentUnit
	}
	return out, nil
}

const mostSteps = 1<<53 - 1

// tally counts the records from first to end−1.
func tally(
	ctx context.Context, model learn.Model, d *data.Dataset, first, end int, plan Plan,
) (*counts, error) {
	total := solve.Shares(end-first, 4*plan.Bins,
		func() *counts { return newCounts(model, plan) },
		func(from, to int, c *counts) {
			var p learn.Prediction // of one record after the other
			for i := first + from; i < first+to && (i%4096 != 0 || ctx.Err() == nil); i++ {
				model.PredictInto(&p, d.X.Row(i))
				c.add(model, p, d.Y[i], plan)
			}
		}, (*counts).addAll)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return total, nil
}

func newCounts(model learn.Model, plan Plan) *counts {
	layout := model.AssessmentLayout()
	c := &counts{cells: make([][]int64, plan.Bins), sums: make([]int64, layout.Sums)}
	for k := range c.cells {
		c.cells[k] = make([]int64, layout.Columns)
	}
	return c
}

// addAll adds the counts of other records.
func (c *counts) addAll(others *counts) {
	for k, cell := range others.cells {
		for j, n := range cell {
			c.cells[k][j] += n
		}
	}
	for k, n := range others.sums {
		c.sums[k] += n
	}
}

// numbers are all of them in one list. They are below 2^53: 2^16 a record.
func (c *counts) numbers() []float64 {
	var out []float64
	for _, row := range append(slices.Clone(c.cells), c.sums) {
		for _, n := range row {
			out = append(out, float64(n))
		}
	}
	return out
}

// addNumbers adds the counts of a list that numbers made.
func (c *counts) addNumbers(list []float64) {
	for _, row := range append(slices.Clone(c.cells), c.sums) {
		for j := range row {
			if len(list) == 0 {
				panic("evaluate: numbers of another model or plan")
			}
			row[j] += int64(list[0])
			list = list[1:]
		}
	}
	if len(list) > 0 {
		panic("evaluate: numbers of another model or plan")
	}
}

// sameRows checks that a data set's rows and labels are those that the model is about.
func sameRows(model learn.Model, d *data.Dataset) error {
	if d.Schema == nil || d.X.Columns != len(model.Columns) {
		return otherSchema()
	}
	return CheckSchema(model, d.Schema)
}

// CheckSchema returns a *privacy.ParameterError unless rows and labels that are read with the
// schema are what the model is about. [Tally] and [ExactSums] check it themselves, but they cannot
// where the rows' schema is elsewhere.
func CheckSchema(model learn.Model, schema *data.Schema) error {
	if !slices.Equal(schema.Columns(), model.Columns) || schema.Rows != model.Schema.Rows ||
		!sameLabel(&schema.Label, &model.Schema.Label) {
		return otherSchema()
	}
	return nil
}

func otherSchema() error {
	return &privacy.ParameterError{
		Field: "schema",
		Value: "another than the model's",
		Want:  "the one that the model was fitted with, so that rows mean the same",
	}
}

// sameLabel reports whether a code means the same under both: the same field of
// the file, the same spellings of the same classes in the same order, and the same
// bounds of a number. How missing labels are treated, and where the bounds are
// from, are no part of that.
func sameLabel(a, b *data.Label) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Min == b.Min && a.Max == b.Max &&
		slices.Equal(a.Negative, b.Negative) && slices.Equal(a.Positive, b.Positive) &&
		slices.EqualFunc(a.Classes, b.Classes, slices.Equal)
}

// add counts one record: at most 1 (unit) in each of the numbers that
// learn.Layout.Changes counts.
func (c *counts) add(model learn.Model, p learn.Prediction, y float64, plan Plan) {
	low, high := model.BinRange()
	switch label := &model.Schema.Label; label.Type {
	case data.NumericLabel:
		cell := c.cells[bin(p.Value, low, high, plan.Bins)]
		t := (y + 1) / 2
		off := t - (p.Value-low)/(high-low)
		cell[0] += unit
		cell[1] += steps(t)
		c.sums[0] += steps(t * t)
		c.sums[1] += steps(off * off)
		return
	case data.SeveralClasses:
		confidence, column := high, 0
		if p.Probabilities != nil {
			confidence = p.Probabilities[p.Class]
		}
		if float64(p.Class) == y {
			column = 1
		}
		c.cells[bin(confidence, low, high, plan.Bins)][column] += unit
	default:
		k, column := p.Class, 0
		if model.AssessmentLayout().HasLoss() {
			// Whatever rounding says, the bins of the predicted class.
			half := plan.Bins / 2
			k = bin(p.Probability(), low, high, plan.Bins)
			if p.Class == 1 {
				k = max(k, half)
			} else {
				k = min(k, half-1)
			}
		}
		if y > 0 {
			column = 1
		}
		c.cells[k][column] += unit
	}
	if len(c.sums) > 0 {
		c.sums[0] += steps(logLoss(p, y, model) / plan.LossBound)
	}
}

// logLoss is −log of the probability of the record's own class.
func logLoss(p learn.Prediction, y float64, model learn.Model) float64 {
	class := int(y)
	if model.Schema.Label.Type == data.TwoClasses {
		class = (int(y) + 1) / 2
	}
	return -math.Log(p.Probabilities[class])
}

// bin is that of x among equal ones from low to high.
func bin(x, low, high float64, bins int) int {
	return min(max(int((x-low)/(high-low)*float64(bins)), 0), bins-1)
}

// steps is a share of a record, cut off at 0 and 1, in whole steps of the
// lattice: never more than unit, and 0 for NaN.
func steps(share float64) int64 {
	if !(share > 0) {
		return 0
	}
	return int64(math.Round(math.Min(share, 1) * float64(unit)))
}
