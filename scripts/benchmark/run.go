package main

import (
	"context"
	"math"
	"sync"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/methods"
	"cloister/core/learn/plain"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/scripts/tables"
)

// What stands beside the methods, and spends nothing.
const (
	majority = "majority"    // the most frequent class, or the mean, of the training part
	plainly  = "not private" // the linear model without noise; one a class of several
)

// usual is what a fit takes whose method is not named, but whose number of records is.
const usual = "default"

const (
	delta  = 1e-5
	lambda = 0.01 // of the model without noise, so that its minimum is unique
)

// table is a data set, with the fits whose noise is chosen already.
type table struct {
	name   string
	all    *data.Dataset
	scaled *data.Dataset // the same by methods.Rows, where that is another schema

	mu     sync.Mutex
	chosen map[cell]learn.Chosen // of split 0
}

func load(name string) (*table, error) {
	all, err := tables.Load(name, func(*data.Schema) {})
	if err != nil {
		return nil, err
	}
	t := &table{name: name, all: all, chosen: map[cell]learn.Chosen{}}
	schema := methods.Rows(dpgd.MeanLearner.Name, learn.Asked{Schema: all.Schema})
	if schema != all.Schema {
		t.scaled, err = tables.Load(name, func(s *data.Schema) { s.Rows = schema.Rows })
	}
	return t, err
}

// records are the table as a fit reads it.
func (t *table) records(method string, epsilon float64) *data.Dataset {
	if method == usual {
		method = ""
	}
	n := oneDigit(math.Floor(0.8 * float64(t.all.X.Rows())))
	if methods.Rows(method, asked(t.all.Schema, epsilon, n)) != t.all.Schema {
		return t.scaled
	}
	return t.all
}

// asked is a fit of the label's usual loss to n records.
func asked(schema *data.Schema, epsilon, n float64) learn.Asked {
	return learn.Asked{
		Schema: schema, Loss: learn.DefaultLoss(&schema.Label), Records: n,
		Guarantee: privacy.Guarantee{
			Epsilon: epsilon, Delta: delta, Adjacency: privacy.AddRemove,
		},
	}
}

// model gives a row's margins, one a class of several classes.
type model interface{ Margins(data.Row) []float64 }

func (t *table) run(ctx context.Context, c cell) (result, error) {
	train, test := tables.Split(t.records(c.method, c.epsilon), uint64(c.split))
	m, err := t.fit(ctx, c, train)
	if err != nil {
		return result{}, err
	}
	r := result{cell: c}
	r.score, r.auc = score(m, test)
	return r, nil
}

func (t *table) fit(ctx context.Context, c cell, train *data.Dataset) (model, error) {
	switch c.method {
	case majority:
		return constant(train), nil
	case plainly:
		return withoutNoise(ctx, train)
	}
	if p, ok := pointNamed(c.method); ok {
		return p.descend(ctx, c.epsilon, train)
	}
	chosen, err := t.choose(c, train)
	if err != nil {
		return nil, err
	}
	problem := learn.Problem{Data: train, Loss: learn.DefaultLoss(&train.Schema.Label)}
	m, _, err := chosen.Fit(ctx, problem, random.Secure(), learn.Watch{})
	return m, err
}

// choose chooses the noise once for all splits, which have as many records.
func (t *table) choose(c cell, train *data.Dataset) (learn.Chosen, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := cell{method: c.method, epsilon: c.epsilon}
	if chosen, ok := t.chosen[key]; ok {
		return chosen, nil
	}
	name := c.method
	if name == usual {
		name = ""
	}
	n := oneDigit(float64(train.X.Rows()))
	chosen, err := methods.Choose(name, asked(train.Schema, c.epsilon, n))
	t.chosen[key] = chosen
	return chosen, err
}

// oneDigit rounds a number above 0 to one digit.
func oneDigit(n float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	return math.Round(n/unit) * unit
}

// linear are models of one vector each, without privacy.
type linear []learn.Unprotected

func (l linear) Margins(row data.Row) []float64 {
	out := make([]float64, len(l))
	for k, one := range l {
		out[k] = one.Margin(row)
	}
	return out
}

func withoutNoise(ctx context.Context, train *data.Dataset) (linear, error) {
	label := &train.Schema.Label
	parts := []*data.Dataset{train}
	if label.Type == data.SeveralClasses {
		parts = nil
		for k := range label.Classes {
			parts = append(parts, against(train, k))
		}
	}
	var out linear
	for _, part := range parts {
		problem := learn.Problem{Data: part, Loss: learn.DefaultLoss(&part.Schema.Label)}
		m, _, err := plain.Fit(ctx, problem, lambda, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// against is the data set with class k as the positive one, and all others as the other.
func against(d *data.Dataset, k int) *data.Dataset {
	schema := *d.Schema
	schema.Label = data.Label{
		Name: d.Schema.Label.Name, Negative: []string{"other"}, Positive: []string{"this"},
		Provenance: data.Public,
	}
	y := make([]float64, len(d.Y))
	for i, class := range d.Y {
		y[i] = -1
		if class == float64(k) {
			y[i] = 1
		}
	}
	return &data.Dataset{Schema: &schema, X: d.X, Y: y}
}

// same predicts the same of every record.
type same []float64

func (s same) Margins(data.Row) []float64 { return s }

func constant(train *data.Dataset) same {
	label := &train.Schema.Label
	if label.Type == data.SeveralClasses {
		counts := make(same, len(label.Classes))
		for _, class := range train.Y {
			counts[int(class)]++
		}
		return counts
	}
	mean := 0.0
	for _, y := range train.Y {
		mean += y / float64(len(train.Y))
	}
	return same{mean}
}
