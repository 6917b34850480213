package lab

import (
	"cloister/core/account"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/privacy"
	"cloister/core/solve"
	"cloister/core/solve/lbfgs"
)

// ampDefault is what this library does unless it is told otherwise.
func ampDefault() Method {
	return Method{
		Name: "amp", Title: "AMP, our default", Family: FamilyObjective, Standing: Private,
		About:    "Approximate minima perturbation with this library's defaults: nothing tuned, priced by our bound for the logistic loss. The constants behind the defaults were chosen once, by test accuracy on Adult, breast cancer and synthetic data; runs on these sets share that choice.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			schema := j.train.Schema
			return fitMinima(j, "amp", func() (privacy.ApproximateMinima, error) {
				return account.CalibrateMinima(amp.Request(schema, j.guarantee, account.BoundAuto))
			})
		},
	}
}

// ampPaper is the paper's own mechanism.
func ampPaper() Method {
	return Method{
		Name: "amp-paper", Title: "AMP, the paper's", Family: FamilyObjective, Standing: Private,
		About:    "Approximate minima perturbation as Redberg, Koskela & Wang set it: τ = 0.01, σ_out = 0.15, C = √2, σ = 1.3 σ_G, the smallest λ by their RDP bound.",
		Encoding: PaperEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			schema := j.train.Schema
			return fitMinima(j, "amp-paper", func() (privacy.ApproximateMinima, error) {
				return amp.Paper(schema, glm.Logistic{}, j.guarantee)
			})
		},
	}
}

// manyColumns is from where on fits are solved without Hessians.
const manyColumns = 500

// fitMinima fits with what calibrate gives, which is the same for all trials:
// it looks at R, d, ε and δ.
func fitMinima(j *job, rule string, calibrate func() (privacy.ApproximateMinima, error)) (outcome, error) {
	schema := j.train.Schema
	key := rule + "/" + number(schema.RowNorm()) + "/" + decimal(schema.Dimension()) + "/" + number(j.guarantee.Epsilon) + "/" + number(j.guarantee.Delta)
	event, err := j.prices.events.get(key, func() (privacy.Event, error) { return calibrate() })
	if err != nil {
		return outcome{}, err
	}
	solver := solve.Newton
	if schema.Dimension() > manyColumns {
		solver = lbfgs.Solve
	}
	model, _, err := amp.Fit(j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, event.(privacy.ApproximateMinima), j.source, nil, amp.Solver(solver))
	return outcome{model: model, event: event}, err
}
