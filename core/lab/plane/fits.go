package plane

import (
	"context"
	"strconv"

	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
)

// Method is how the picture, and the pages around it, name a learner, which fits
// with its defaults for the logistic loss.
type Method string

const (
	Objective Method = "objective-perturbation"
	Output    Method = "output-perturbation" // n taken for public
	Descent   Method = "gradient-descent"    // n taken for public
)

// Methods are all there are.
var Methods = []Method{Objective, Output, Descent}

// learners are the methods' own. They are not asked for by name (package methods):
// the picture is a download of its own, and a fifth larger with the other learners.
var learners = map[Method]*learn.Method{
	Objective: &amp.Learner, Output: &outpert.Learner, Descent: &dpgd.Learner,
}

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

// Fits is the answer to a Request.
type Fits struct {
	Lines []Line

	// Event is what each of the fits would be charged.
	Event privacy.Event
}

// Fits runs the learner once a draw. Errors: a *privacy.ParameterError, an
// *account.InfeasibleError where no noise gives the guarantee, the context's, or a
// *learn.Refusal.
func (p *Plane) Fits(ctx context.Context, r Request) (Fits, error) {
	if r.First < 0 || r.Draws < 1 || r.First+r.Draws > MaxDraws {
		return Fits{}, &privacy.ParameterError{
			Field: "draws",
			Value: strconv.Itoa(r.First + r.Draws),
			Want:  "from 1 to 200",
		}
	}
	if err := r.Guarantee.Validate(); err != nil {
		return Fits{}, err
	}
	chosen, err := p.choose(r)
	if err != nil {
		return Fits{}, err
	}
	out := Fits{Lines: make([]Line, r.Draws), Event: chosen.Event}
	for k := range out.Lines {
		name := "plane/noise/" + strconv.Itoa(p.points.Seed) + "/" + strconv.Itoa(r.First+k)
		model, _, err := chosen.Fit(ctx, p.problem(), seeded.New(name), learn.Watch{})
		if err != nil {
			return Fits{}, err
		}
		out.Lines[k] = p.line(model.Coefficients)
	}
	return out, nil
}

// choose chooses the noise for the plane's points, whose number is public.
func (p *Plane) choose(r Request) (learn.Chosen, error) {
	learner, ok := learners[r.Method]
	if !ok {
		return learn.Chosen{}, &privacy.ParameterError{
			Field: "method", Value: strconv.Quote(string(r.Method)),
			Want: "objective-perturbation, output-perturbation or gradient-descent",
		}
	}
	return learner.Choose(learn.Asked{
		Schema: p.fitted.Schema, Loss: glm.Logistic{}, Guarantee: r.Guarantee,
		Records: float64(p.points.Count),
	})
}
