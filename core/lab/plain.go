package lab

import (
	"math"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/plain"
	"cloister/core/solve"
	"cloister/core/solve/lbfgs"
)

// plainLambda keeps the minimum where it is, and unique.
const plainLambda = 0.01

// withoutNoise is the reference.
func withoutNoise() Method {
	return Method{
		Name: "plain", Title: "No privacy", Family: FamilyPlain, Standing: NotPrivate,
		About:    "Logistic regression as it is, with λ = 0.01.",
		Encoding: PaperEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			problem := learn.Problem{Data: j.train, Loss: glm.Logistic{}}
			if problem.Dimension() <= manyColumns {
				model, _, err := plain.Fit(j.ctx, problem, plainLambda, nil)
				return outcome{model: model}, err
			}
			rows, err := problem.Rows(math.Inf(1), j.train.Schema.RowNorm())
			if err != nil {
				return outcome{}, err
			}
			result, err := lbfgs.Solve(
				j.ctx, solve.NewObjective(plainLambda, nil, rows), solve.Options{Tolerance: 1e-5},
			)
			if err != nil {
				return outcome{}, err
			}
			return outcome{
				model: learn.NewUnprotected("no noise was added", problem, result.Theta),
			}, nil
		},
	}
}
