package plane

import (
	"context"
	"strconv"

	"cloister/core/account"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Method is a private learner, with its defaults for the logistic loss.
type Method string

const (
	Objective Method = "objective-perturbation" // package amp
	Output    Method = "output-perturbation"    // package outpert, n taken for public
	Descent   Method = "gradient-descent"       // package dpgd, n taken for public
)

// Methods are all there are.
var Methods = []Method{Objective, Output, Descent}

// MaxDraws is the largest number of draws of the noise.
const MaxDraws = 200

// Request asks for private lines through the points of a Plane.
type Request struct {
	Method    Method
	Guarantee privacy.Guarantee

	// The draws First, First + 1, …, Draws of them in all. Draw k is the same noise
	// at every ε but for its scale, so that lines move as ε does.
	First, Draws int
}

// Fits is what a Request is answered with.
type Fits struct {
	Lines []Line

	// Event says what each of the fits would be charged for.
	Event privacy.Event
}

// learner is a method with its noise chosen.
type learner struct {
	event privacy.Event
	fit   func(ctx context.Context, source random.Source) (learn.Model, error)
}

// Fits runs the learner once a draw. Errors: a *privacy.ParameterError, an
// *account.InfeasibleError where no noise gives the guarantee, the context's, or a
// *learn.Refusal.
func (p *Plane) Fits(ctx context.Context, r Request) (Fits, error) {
	if r.First < 0 || r.Draws < 1 || r.First+r.Draws > MaxDraws {
		return Fits{}, &privacy.ParameterError{Field: "draws", Value: strconv.Itoa(r.First + r.Draws), Want: "from 1 to 200"}
	}
	if err := r.Guarantee.Validate(); err != nil {
		return Fits{}, err
	}
	chosen, err := p.learner(r)
	if err != nil {
		return Fits{}, err
	}
	out := Fits{Lines: make([]Line, r.Draws), Event: chosen.event}
	for k := range out.Lines {
		name := "plane/noise/" + strconv.Itoa(p.points.Seed) + "/" + strconv.Itoa(r.First+k)
		model, err := chosen.fit(ctx, seeded.New(name))
		if err != nil {
			return Fits{}, err
		}
		out.Lines[k] = p.line(model.Coefficients)
	}
	return out, nil
}

func (p *Plane) learner(r Request) (learner, error) {
	problem, schema, records := p.problem(), p.fitted.Schema, float64(p.points.Count)
	switch r.Method {
	case Objective:
		event, err := account.CalibrateMinima(amp.Request(schema, r.Guarantee, account.BoundAuto))
		return learner{event, func(ctx context.Context, source random.Source) (learn.Model, error) {
			model, _, err := amp.Fit(ctx, problem, event, source, nil)
			return model, err
		}}, err
	case Output:
		plan, err := outpert.Request{
			Guarantee: r.Guarantee, Loss: glm.Logistic{}, Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: records,
		}.Plan()
		if err != nil {
			return learner{}, err
		}
		event, err := plan.Event()
		return learner{event, func(ctx context.Context, source random.Source) (learn.Model, error) {
			model, _, err := outpert.Fit(ctx, problem, plan, source, nil)
			return model, err
		}}, err
	case Descent:
		plan, err := dpgd.Defaults(schema, glm.Logistic{}, r.Guarantee, records).Plan()
		if err != nil {
			return learner{}, err
		}
		event, err := plan.Event()
		return learner{event, func(ctx context.Context, source random.Source) (learn.Model, error) {
			model, _, err := dpgd.Fit(ctx, problem, plan, source, nil)
			return model, err
		}}, err
	}
	return learner{}, &privacy.ParameterError{Field: "method", Value: strconv.Quote(string(r.Method)), Want: "objective-perturbation, output-perturbation or gradient-descent"}
}
