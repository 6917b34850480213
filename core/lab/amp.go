package lab

import (
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
		fit: func(j *job) (outcome, error) { return fitMinima(j, "amp") },
	}
}

// ampPaper is the paper's own mechanism.
func ampPaper() Method {
	return Method{
		Name: "amp-paper", Title: "AMP, the paper's", Family: FamilyObjective, Standing: Private,
		About:    "Approximate minima perturbation as Redberg, Koskela & Wang set it: τ = 0.01, σ_out = 0.15, C = √2, σ = 1.3 σ_G, the smallest λ by their RDP bound.",
		Encoding: PaperEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) { return fitMinima(j, "amp-paper") },
	}
}

// manyColumns is from where on fits are solved without Hessians.
const manyColumns = 500

// fitMinima fits by approximate minima perturbation, and many columns without
// Hessians.
func fitMinima(j *job, method string) (outcome, error) {
	fit, err := j.choose(method)
	if err != nil {
		return outcome{}, err
	}
	solver := solve.Newton
	if j.train.Schema.Dimension() > manyColumns {
		solver = lbfgs.Solve
	}
	problem, event := learn.Problem{
		Data: j.train,
		Loss: glm.Logistic{},
	}, fit.Event.(privacy.ApproximateMinima)
	model, _, err := amp.Fit(j.ctx, problem, event, j.source, nil, amp.Solver(solver))
	return outcome{model: model, event: fit.Event}, err
}
