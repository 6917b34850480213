package cards

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
)

// logistic is private logistic regression as this library does it unless it is told otherwise: a
// column for each level, rows of norm 1, the default method and its defaults, nothing tuned.
type logistic struct {
	mutex  sync.Mutex
	chosen map[privacy.Guarantee]learn.Chosen
}

func (l *logistic) right(
	ctx context.Context, p Part, guarantee privacy.Guarantee, source random.Source,
) (held, fitted float64, err error) {
	train, err := regression(p.fit)
	if err != nil {
		return 0, 0, err
	}
	test, err := regression(p.held)
	if err != nil {
		return 0, 0, err
	}
	choice, err := l.choose(train, guarantee)
	if err != nil {
		return 0, 0, err
	}
	model, _, err := choice.Fit(
		ctx, learn.Problem{Data: train, Loss: glm.Logistic{}}, source, learn.Watch{},
	)
	if err != nil {
		return 0, 0, err
	}
	return model.Evaluate(test).Accuracy(), model.Evaluate(train).Accuracy(), nil
}

// choose is the same for all splits: it depends on the levels, the guarantee, and on how many
// records there are, which is the same in all.
func (l *logistic) choose(
	train *data.Dataset, guarantee privacy.Guarantee,
) (learn.Chosen, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if choice, ok := l.chosen[guarantee]; ok {
		return choice, nil
	}
	choice, err := methods.Choose(methods.Default, learn.Asked{
		Schema: train.Schema, Loss: glm.Logistic{}, Guarantee: guarantee,
		Records: float64(train.X.Rows()),
	})
	if err == nil {
		l.chosen[guarantee] = choice
	}
	return choice, err
}

// regression is the same records for a regression: a category for each level of each attribute.
func regression(cells *data.Cells) (*data.Dataset, error) {
	sizes := cells.Schema.Sizes()
	schema := &data.Schema{
		Label: data.Label{
			Name: "Y", Negative: []string{"0"}, Positive: []string{"1"}, Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip}, Intercept: data.DefaultIntercept,
	}
	var text strings.Builder
	for g, n := range sizes {
		feature := data.Feature{
			Name: cells.Schema.Attributes[g].Name, Type: data.Categorical, Provenance: data.Public,
		}
		for l := range n {
			feature.Categories = append(feature.Categories, strconv.Itoa(l))
		}
		schema.Features = append(schema.Features, feature)
		text.WriteString(feature.Name + ",")
	}
	text.WriteString("Y\n")
	for _, row := range cells.Rows {
		cell, levels := int(row>>1), make([]string, len(sizes))
		for g := len(sizes) - 1; g >= 0; g-- {
			levels[g] = strconv.Itoa(cell % sizes[g])
			cell /= sizes[g]
		}
		text.WriteString(strings.Join(levels, ",") + "," + strconv.Itoa(int(row&1)) + "\n")
	}
	return data.Read(strings.NewReader(text.String()), schema, data.ReadOptions{})
}
