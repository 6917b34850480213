package lab

import (
	"errors"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/privacy"
)

// constantSteps is T of the constant schedule, chosen without data.
const constantSteps = 100

// condition is M/μ, which λ = NβR²/50 is chosen for: descents take some 50 steps
// times a logarithm to converge.
const condition = 50

// dpgdAdaptive is Fay et al.'s data-independent schedule.
func dpgdAdaptive() Method {
	return Method{
		Name: "dpgd-adaptive", Title: "DP-GD, falling noise", Family: FamilyDescent, Standing: Private,
		About:    "Gradient descent on all records with the noise of Fay et al. 2023, Proposition 3c, which falls as the gradient's bound does; λ makes the condition number 51. Priced exactly; n is taken for public.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) { return descendAll(j, dpgd.ScheduleStronglyConvex, 0) },
	}
}

// dpgdAllocated is the best allocation of the budget under the same bound.
func dpgdAllocated() Method {
	return Method{
		Name: "dpgd-allocated", Title: "DP-GD, allocated noise", Family: FamilyDescent, Standing: Private,
		About:    "The same with the noise that makes the bound on the excess risk least: it falls half as fast.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) { return descendAll(j, dpgd.ScheduleAllocated, 0) },
	}
}

// dpgdConstant is the plain schedule.
func dpgdConstant() Method {
	return Method{
		Name: "dpgd-constant", Title: "DP-GD, constant noise", Family: FamilyDescent, Standing: Private,
		About:    "The same with 100 steps of the same noise.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) { return descendAll(j, dpgd.ScheduleConstant, constantSteps) },
	}
}

func descendAll(j *job, schedule dpgd.Schedule, steps int) (outcome, error) {
	schema := j.train.Schema
	records := float64(j.train.X.Rows())
	lambda := records * (glm.Logistic{}).MaxCurvature() * schema.RowNorm() * schema.RowNorm() / condition
	plan, err := dpgd.Request{
		Guarantee: j.guarantee, Schedule: schedule, Loss: glm.Logistic{},
		Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Lambda: lambda,
		Records: records, Steps: steps,
	}.Plan()
	detail := decimal(len(plan.Sigmas)) + " steps"
	if wrong, ok := errors.AsType[*privacy.ParameterError](err); ok && wrong.Field == "epsilon" {
		// The schedule's first step costs more than there is: θ stays 0.
		plan = dpgd.Plan{Adjacency: j.guarantee.Adjacency, Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Clip: schema.RowNorm(), Lambda: lambda}
		err, detail = nil, "not one step could be paid for"
	}
	if err != nil {
		return outcome{}, err
	}
	event, err := plan.Event()
	if err != nil {
		return outcome{}, err
	}
	model, _, err := dpgd.Fit(j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, plan, j.source, nil)
	return outcome{model: model, event: event, detail: detail}, err
}
