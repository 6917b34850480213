package lab

import (
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/outpert"
)

// outputPerturbation solves first and adds noise to the solution.
func outputPerturbation() Method {
	return Method{
		Name: "outpert", Title: "Output perturbation", Family: FamilyOutput, Standing: Private,
		About:    "The minimiser of a strongly convex objective with Gaussian noise added (Chaudhuri et al. 2011), this library's defaults, whose constants were chosen on Adult and breast cancer; λ rests on n, and n is taken for public.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			schema := j.train.Schema
			plan, err := outpert.Request{
				Guarantee: j.guarantee, Loss: glm.Logistic{},
				Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: float64(j.train.X.Rows()),
			}.Plan()
			if err != nil {
				return outcome{}, err
			}
			event, err := plan.Event()
			if err != nil {
				return outcome{}, err
			}
			model, _, err := outpert.Fit(j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, plan, j.source, nil)
			return outcome{model: model, event: event}, err
		},
	}
}
