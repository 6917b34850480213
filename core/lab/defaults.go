package lab

import (
	"strings"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
)

// choose chooses the noise of one of the library's own methods, by its defaults,
// once for all trials: it rests on R, d, ε, δ and n, which is taken for public.
func (j *job) choose(method string) (learn.Chosen, error) {
	schema, records := j.train.Schema, j.train.X.Rows()
	key := strings.Join([]string{
		method, number(schema.RowNorm()), decimal(schema.Dimension()),
		number(j.guarantee.Epsilon), number(j.guarantee.Delta), decimal(records),
	}, "/")
	return j.prices.chosen.get(key, func() (learn.Chosen, error) {
		return methods.Choose(method, learn.Asked{
			Schema: schema, Loss: glm.Logistic{}, Guarantee: j.guarantee, Records: float64(records),
		})
	})
}

// fitDefaults fits by one of the library's own methods, with its defaults.
func fitDefaults(j *job, method string) (outcome, error) {
	fit, err := j.choose(method)
	if err != nil {
		return outcome{}, err
	}
	model, _, err := fit.Fit(
		j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, j.source, learn.Watch{},
	)
	return outcome{model: model, event: fit.Event}, err
}
