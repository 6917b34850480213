package fitting

import (
	"context"
	"slices"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/sharpest"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/expect"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// The ways to fit, as the field "method" names them.
const (
	methodDefault = "amp"       // approximate minima perturbation, package amp's defaults
	methodPaper   = "amp-paper" // the same as Redberg, Koskela & Wang 2023 set it (amp.Paper)
	methodOutput  = "outpert"   // output perturbation
	methodDescent = "dpgd"      // noisy gradient descent (dpgd.Defaults)
	methodSampled = "dpsgd"     // noisy gradient descent on samples of the records (dpsgd.Defaults)
)

// asking is what a fit is asked to be: public things alone.
type asking struct {
	method  string
	request account.Request // of a method other than the default: its guarantee alone
	loss    glm.Loss
	records float64 // a public number of records, for the methods that need one
}

// readMethod reads what a fit to data of this schema is asked to be: method?,
// and then for the default what readFit reads; for the others loss?, huberWidth?,
// adjacency, epsilon, delta and, but for "amp-paper", records, about how many
// records there are as is publicly known. What else the default takes is
// theirs to choose, and refused.
func readMethod(f *privacy.Fields, schema *data.Schema) asking {
	a := asking{method: f.TextOr("method", methodDefault)}
	switch a.method {
	case methodPaper, methodOutput, methodDescent, methodSampled:
	case methodDefault:
		a.request, a.loss = readFit(f, schema)
		return a
	default:
		f.Bad("method", `"amp", "amp-paper", "outpert", "dpgd" or "dpsgd"`)
	}
	if schema.Label.Type == data.SeveralClasses {
		f.Fail(&privacy.ParameterError{Field: "method", Value: strconv.Quote(a.method), Want: `"amp", or left out, for a label of several classes`})
	}
	a.loss = readLoss(f, &schema.Label)
	a.request.Guarantee = privacy.Guarantee{Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon"), Delta: f.Number("delta")}
	f.Fail(a.request.Guarantee.Validate())
	if (a.method == methodPaper || a.method == methodSampled) && a.request.Guarantee.Adjacency == privacy.ReplaceOne {
		// σ = 1.3 σ_G is below what any λ needs when one record's gradient counts
		// twice; and in a Poisson sample a record that is replaced counts as two.
		f.Fail(&privacy.ParameterError{Field: "method", Value: strconv.Quote(a.method), Want: `another for "replace-one": this one is for records added or removed`})
	}
	if a.method != methodPaper {
		a.records = f.Number("records")
		f.Fail(learn.CheckRange(f.Path("records"), a.records, false))
	}
	return a
}

// chosen is a fit whose noise is chosen.
type chosen struct {
	event privacy.Event              // what it is charged for
	bound account.Bound              // that prices it
	tau   float64                    // what the solver must certify; 0 where nothing is solved
	noise *[]float64                 // where a report can be made of the fit: b, once it has run
	trial func() (expect.Fit, error) // as trials on made-up records take it; of several classes, one vector's
	sums  bool                       // of the data it needs sums alone, which other workers may take
	check func(learn.Problem) error
	run   func(*api.Call, learn.Problem, random.Source) (learn.Model, []*learn.Diagnostics, error)
}

// choose chooses the noise, without looking at a record.
func (a asking) choose(schema *data.Schema) (chosen, error) {
	switch a.method {
	case methodPaper:
		event, err := amp.Paper(schema, a.loss, a.request.Guarantee)
		return minima(event, event, account.BoundRDP, 0), err
	case methodOutput:
		plan, err := outpert.Request{
			Guarantee: a.request.Guarantee, Loss: a.loss, Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: a.records,
		}.Plan()
		if err != nil {
			return chosen{}, err
		}
		event, err := plan.Event()
		trial := func() (expect.Fit, error) { return expect.Output(plan), nil }
		return chosen{event: event, bound: account.BoundAuto, tau: plan.Tau, trial: trial, sums: true, run: func(call *api.Call, p learn.Problem, source random.Source) (learn.Model, []*learn.Diagnostics, error) {
			return alone(outpert.Fit(context.Background(), p, plan, source, solving(call, 0, 0)))
		}}, err
	case methodDescent:
		plan, err := dpgd.Defaults(schema, a.loss, a.request.Guarantee, a.records).Plan()
		if err != nil {
			return chosen{}, err
		}
		event, err := plan.Event()
		trial := func() (expect.Fit, error) { return expect.Descent(plan) }
		return chosen{event: event, bound: account.BoundAuto, trial: trial, run: func(call *api.Call, p learn.Problem, source random.Source) (learn.Model, []*learn.Diagnostics, error) {
			return alone(dpgd.Fit(context.Background(), p, plan, source, stepping(call, len(plan.Sigmas))))
		}}, err
	case methodSampled:
		plan, err := dpsgd.Defaults(schema, a.loss, a.request.Guarantee, a.records)
		if err != nil {
			return chosen{}, err
		}
		event, err := plan.Event()
		trial := func() (expect.Fit, error) { return expect.Sampled(plan, schema.Dimension()) }
		return chosen{event: event, bound: account.BoundAuto, trial: trial, run: func(call *api.Call, p learn.Problem, source random.Source) (learn.Model, []*learn.Diagnostics, error) {
			return alone(dpsgd.Fit(context.Background(), p, plan, source, stepping(call, plan.Steps)))
		}}, err
	}
	classes := len(schema.Label.Classes)
	one, event, err := calibrated(a.request, classes)
	return minima(one, event, a.request.Bound, classes), err
}

// minima is a fit by approximate minima perturbation: one fits one vector, event
// is all of it, of so many classes (0: there is one vector).
func minima(one privacy.ApproximateMinima, event privacy.Event, bound account.Bound, classes int) chosen {
	b := new([]float64)
	return chosen{
		event: event, bound: bound, tau: one.Tau, noise: b,
		trial: func() (expect.Fit, error) { return expect.Minima(one), nil },
		sums:  classes == 0,
		check: func(p learn.Problem) error { return amp.Check(p, one) },
		run: func(call *api.Call, p learn.Problem, source random.Source) (learn.Model, []*learn.Diagnostics, error) {
			if classes == 0 {
				return alone(amp.Fit(context.Background(), p, one, source, solving(call, 0, 0), amp.Noise(func(noise []float64) { *b = slices.Clone(noise) })))
			}
			return eachClass(call, p, one, source, classes)
		},
	}
}

func alone(model learn.Model, diagnostics *learn.Diagnostics, err error) (learn.Model, []*learn.Diagnostics, error) {
	return model, []*learn.Diagnostics{diagnostics}, err
}

// promise is the guarantee and what proves it, as api.Promise spells it; without
// a bound where no objective is perturbed.
func (a asking) promise() (map[string]any, error) {
	g := a.request.Guarantee
	switch a.method {
	case methodPaper:
		return api.Promise(g, account.BoundRDP), nil
	case methodOutput, methodDescent, methodSampled:
		by := sharpest.Closed
		if a.method == methodSampled {
			by = sharpest.Distribution
		}
		return map[string]any{"adjacency": g.Adjacency.String(), "epsilon": g.Epsilon, "delta": g.Delta, "theorem": learn.Theorem(by, "")}, nil
	}
	bound, err := a.request.Bound.Resolve(a.request.Loss)
	return api.Promise(g, bound), err
}

// stepping tells the caller which of the steps is being taken.
func stepping(call *api.Call, steps int) func(solve.Progress) {
	return func(p solve.Progress) {
		call.Progress(map[string]any{
			"phase": "solving", "iteration": p.Iteration, "gradientNorm": p.GradientNorm, "fraction": float64(p.Iteration) / float64(steps),
		})
	}
}
