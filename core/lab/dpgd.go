package lab

import (
	"errors"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/privacy"
)

// condition is (M − μ)/μ, which λ = NβR²/condition is chosen for: a descent takes
// some condition steps times a logarithm to converge.
const (
	condition      = 200.0
	quickCondition = 50.0
)

// dpgdAdaptive is Fay et al.'s data-independent schedule.
func dpgdAdaptive() Method {
	return Method{
		Name: "dpgd-adaptive", Title: "DP-GD, falling noise", Family: FamilyDescent, Standing: Private,
		About:    "Gradient descent on all records with the noise of Fay et al. 2023, Proposition 3c, which falls as the gradient's bound does; λ makes the condition number 201. Priced exactly; n is taken for public.",
		Encoding: DefaultEncoding, Revision: 2,
		fit: func(j *job) (outcome, error) {
			return descendAll(j, scheduled(j, dpgd.ScheduleStronglyConvex))
		},
	}
}

// dpgdAllocated is the best allocation of the budget under the same bound.
func dpgdAllocated() Method {
	return Method{
		Name: "dpgd-allocated", Title: "DP-GD, allocated noise", Family: FamilyDescent, Standing: Private,
		About:    "The same with the noise that makes the bound on the excess risk least: it falls half as fast. n is taken for public.",
		Encoding: DefaultEncoding, Revision: 2,
		fit: func(j *job) (outcome, error) {
			return descendAll(j, scheduled(j, dpgd.ScheduleAllocated))
		},
	}
}

// dpgdConstant is what this library does unless it is told otherwise.
func dpgdConstant() Method {
	return Method{
		Name: "dpgd-constant", Title: "DP-GD, constant noise", Family: FamilyDescent, Standing: Private,
		About:    "Gradient descent on all records with this library's defaults: 100 steps of the same noise, momentum 0.9, no regulariser; the step size rests on n, and n is taken for public. Some of the defaults were chosen on Adult and breast cancer.",
		Encoding: DefaultEncoding, Revision: 2,
		fit: func(j *job) (outcome, error) {
			out, err := fitDefaults(j, "dpgd")
			if event, ok := out.event.(privacy.GradientDescent); ok {
				out.detail = decimal(len(event.Sigmas)) + " steps"
			}
			return out, err
		},
	}
}

// scheduled asks for a schedule of theory, which needs a regulariser.
func scheduled(j *job, schedule dpgd.Schedule) dpgd.Request {
	schema := j.train.Schema
	records, condition := float64(j.train.X.Rows()), condition
	if j.effort == Quick {
		condition = quickCondition
	}
	return dpgd.Request{
		Guarantee: j.guarantee, Schedule: schedule, Loss: glm.Logistic{},
		Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: records,
		Lambda: records * glm.Logistic{}.MaxCurvature() *
			schema.RowNorm() * schema.RowNorm() / condition,
	}
}

func descendAll(j *job, request dpgd.Request) (outcome, error) {
	plan, err := request.Plan()
	detail := decimal(len(plan.Sigmas)) + " steps"
	if wrong, ok := errors.AsType[*privacy.ParameterError](err); ok && wrong.Field == "epsilon" {
		// The schedule's first step costs more than there is: θ stays 0.
		plan = dpgd.Plan{
			Adjacency: j.guarantee.Adjacency,
			Dimension: request.Dimension,
			RowNorm:   request.RowNorm,
			Clip:      request.RowNorm,
			Lambda:    request.Lambda,
		}
		err, detail = nil, "not one step could be paid for"
	}
	if err != nil {
		return outcome{}, err
	}
	event, err := plan.Event()
	if err != nil {
		return outcome{}, err
	}
	model, _, err := dpgd.Fit(
		j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, plan, j.source, nil,
	)
	return outcome{model: model, event: event, detail: detail}, err
}
