package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The oracles are descents that are tuned on the test part, and do not pay for that. Each is
// the best of a grid of 45 at the same ε and δ. No such fit can be had: they are what a rival
// could reach who knew the answer.
const (
	descents = "gd"  // on all records, momentum 0.9; one softmax of several classes
	samples  = "sgd" // DP-SGD: on samples of about 256 records, Adam; one vector only

	oracle = "oracle " // before the name of a grid: its best
	apart  = " apart"  // after that: the best of the other half of the splits
)

// point is one descent of a grid. Steps are passes over the records. Rows are as the schema
// has them, and the last θ is what counts. Grids are those of the laboratory (core/lab),
// which adds no epochs to DP-SGD's.
type point struct {
	family string
	steps  int     // T, or epochs
	rate   float64 // of the mean objective
	clip   float64 // in units of the row norm R
}

func (p point) name() string {
	return fmt.Sprintf("%s T=%d rate=%g clip=%g", p.family, p.steps, p.rate, p.clip)
}

// grid is that of a family for such a label; quick, a fifth of it. A number's loss has the same
// curvature everywhere: steps much longer than the last of its rates swing without end.
func grid(family string, label data.LabelType, quick bool) []point {
	steps, rates := []int{30, 100, 300}, []float64{0.3, 1, 3, 10, 30}
	if label == data.NumericLabel {
		rates = []float64{0.1, 0.3, 1, 1.7, 2.4}
	}
	if family == samples {
		steps, rates = []int{10, 30, 60}, []float64{0.003, 0.01, 0.03, 0.1, 0.3}
		if label == data.SeveralClasses {
			return nil
		}
	}
	clips := []float64{1, 0.5, 0.25}
	if quick {
		rates, clips = rates[1:4], clips[1:2]
	}
	var out []point
	for _, t := range steps {
		for _, rate := range rates {
			for _, clip := range clips {
				out = append(out, point{family, t, rate, clip})
			}
		}
	}
	return out
}

// pointNamed is the point of that name.
func pointNamed(name string) (p point, ok bool) {
	n, err := fmt.Sscanf(name, "%s T=%d rate=%g clip=%g", &p.family, &p.steps, &p.rate, &p.clip)
	return p, err == nil && n == 4
}

// multipliers are those of DP-SGD's noise, which take seconds to find.
var multipliers sync.Map // by a string

// descend runs a point. One that leaves the numbers counts as θ = 0.
func (p point) descend(
	ctx context.Context, epsilon float64, train *data.Dataset,
) (model, error) {
	schema := train.Schema
	problem := learn.Problem{Data: train, Loss: learn.DefaultLoss(&schema.Label)}
	guarantee := privacy.Guarantee{Epsilon: epsilon, Delta: delta, Adjacency: privacy.AddRemove}
	records := oneDigit(float64(train.X.Rows()))
	m, err := p.fit(ctx, problem, guarantee, records)
	if _, diverged := errors.AsType[*learn.DivergedError](err); diverged {
		return make(same, max(1, len(schema.Label.Classes))), nil
	}
	return m, err
}

func (p point) fit(
	ctx context.Context, problem learn.Problem, guarantee privacy.Guarantee, records float64,
) (learn.Model, error) {
	schema := problem.Data.Schema
	if p.family == samples {
		plan, err := p.sampled(schema, guarantee, records)
		if err != nil {
			return learn.Model{}, err
		}
		m, _, err := dpsgd.Fit(ctx, problem, plan, random.Secure(), nil)
		return m, err
	}
	request := dpgd.Request{
		Guarantee: guarantee, Schedule: dpgd.ScheduleConstant, Loss: problem.Loss,
		Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: records,
		Clip: p.clip * schema.RowNorm(), Steps: p.steps, Rate: p.rate, Momentum: 0.9,
	}
	if schema.Label.Type == data.SeveralClasses {
		request.Classes = len(schema.Label.Classes)
		request.Dimension *= request.Classes
	}
	plan, err := request.Plan()
	if err != nil {
		return learn.Model{}, err
	}
	m, _, err := dpgd.Fit(ctx, problem, plan, random.Secure(), nil)
	return m, err
}

// sampled is the plan of DP-SGD, with the least noise by its privacy loss distribution, or
// where each step takes all records by the one Gaussian mechanism that the steps amount to.
func (p point) sampled(
	schema *data.Schema, guarantee privacy.Guarantee, records float64,
) (dpsgd.Plan, error) {
	batches := max(1, int(math.Ceil(records/256)))
	event := privacy.SubsampledGaussian{
		Adjacency: guarantee.Adjacency, Rate: 1 / float64(batches), Steps: p.steps * batches,
	}
	key := fmt.Sprint(event, guarantee)
	find, _ := multipliers.LoadOrStore(key, sync.OnceValues(func() (float64, error) {
		if event.Rate == 1 {
			return calibrate.Gaussian(
				guarantee.Epsilon, guarantee.Delta, math.Sqrt(float64(event.Steps)),
			)
		}
		found, err := calibrate.Descent(event.Rate, event.Steps, guarantee)
		return found.NoiseMultiplier, err
	}))
	var err error
	event.NoiseMultiplier, err = find.(func() (float64, error))()
	return dpsgd.Plan{
		Clip: p.clip * schema.RowNorm(), Batch: event.Rate * records,
		Optimiser: dpsgd.NewAdam(p.rate),
	}.For(event), err
}

// withOracles adds each grid's best to the results, twice, and leaves its points out. The best at
// one ε is that of the largest mean over a set's splits, of those that all points have come to; for
// the AUC it is another's. A mean over few splits is the larger for being the best of 45. So beside
// it stands the best of the other half of the splits: they go to two halves by turns, and what is
// best on one is scored on the other. That is not lucky, but for rows that both halves have, and
// there is none of a single split.
func withOracles(results []result) []result {
	type of struct {
		set, family string
		epsilon     float64
	}
	var out []result
	var order []of
	grids := map[of]map[int]map[string]result{} // by split and point
	for _, r := range results {
		p, ok := pointNamed(r.method)
		if !ok {
			out = append(out, r)
			continue
		}
		key := of{r.set, p.family, r.epsilon}
		if grids[key] == nil {
			grids[key], order = map[int]map[string]result{}, append(order, key)
		}
		if grids[key][r.split] == nil {
			grids[key][r.split] = map[string]result{}
		}
		grids[key][r.split][r.method] = r
	}
	for _, key := range order {
		whole := 0
		for _, points := range grids[key] {
			whole = max(whole, len(points))
		}
		maps.DeleteFunc(grids[key], func(_ int, points map[string]result) bool {
			return len(points) < whole
		})
		halves := [2]map[int]map[string]result{{}, {}}
		for i, split := range slices.Sorted(maps.Keys(grids[key])) {
			halves[i%2][split] = grids[key][split]
		}
		out = append(out, picked(oracle+key.family, grids[key], grids[key])...)
		for i, half := range halves {
			if other := halves[1-i]; len(other) > 0 {
				out = append(out, picked(oracle+key.family+apart, other, half)...)
			}
		}
	}
	return out
}

// picked are the results on some splits of the points that are best on others, or on the same.
func picked(name string, on, of map[int]map[string]result) []result {
	score, auc := bestOf(on, scoreOf), bestOf(on, aucOf)
	var out []result
	for _, split := range slices.Sorted(maps.Keys(of)) {
		r := of[split][score]
		r.method, r.auc = name, of[split][auc].auc
		out = append(out, r)
	}
	return out
}

// bestOf is the point of the largest mean over splits.
func bestOf(grid map[int]map[string]result, figure func(result) float64) (best string) {
	sums := map[string]float64{}
	for _, split := range slices.Sorted(maps.Keys(grid)) {
		for name, r := range grid[split] {
			sums[name] += figure(r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if best == "" || sums[name] > sums[best] {
			best = name
		}
	}
	return best
}
