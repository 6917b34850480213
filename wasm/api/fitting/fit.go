package fitting

import (
	"context"
	"math"
	"strings"
	"time"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// fit prepares {dataset, method?, loss?, huberWidth?, adjacency, epsilon, delta,
// …} (see readMethod). Its reply is a release, which may be published, and
// diagnostics, which may not. The noise is chosen from public things before the
// data is looked at.
func (s *Session) fit(call *api.Call) (*api.Purchase, error) {
	start := time.Now()
	id := call.Fields.Int("dataset")
	dataset, err := s.dataset(call.Fields)
	if err != nil {
		return nil, err
	}
	asked := readMethod(call.Fields, dataset.Schema)
	var workers []float64
	if call.Fields.Has("workers") {
		workers = call.Fields.Numbers("workers")
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}

	call.Progress(map[string]any{"phase": "calibrating"})
	problem := learn.Problem{Data: dataset, Loss: asked.loss}
	fit, err := asked.choose(dataset.Schema)
	if err != nil {
		return nil, err
	}
	if fit.sums && len(workers) > 0 && pays(dataset) {
		problem.Spread = s.spread(workers)
	}
	if fit.check != nil {
		if err := fit.check(problem); err != nil {
			return nil, asAsked(err)
		}
	}
	run := func() (map[string]any, error) {
		model, diagnostics, err := fit.run(call, problem, s.source)
		if err != nil {
			return nil, asAsked(err)
		}

		call.Progress(map[string]any{"phase": "releasing"})
		release, err := learn.NewRelease(fit.event, asked.request.Guarantee, fit.bound, model)
		if err != nil {
			return nil, err
		}
		if fit.noise != nil {
			s.keep(id, release, *fit.noise)
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		private, err := exactly(model, dataset)
		if err != nil {
			return nil, err
		}
		iterations, norm := 0, 0.0
		for _, d := range diagnostics {
			iterations += d.Iterations
			norm = math.Max(norm, d.Certificate.Upper()+d.SamplerError)
		}
		private["iterations"] = iterations
		if fit.tau > 0 {
			private["gradientNorm"], private["tau"] = norm, fit.tau
		}
		private["milliseconds"] = float64(time.Since(start)) / float64(time.Millisecond)
		return map[string]any{"release": tree, "diagnostics": private}, nil
	}
	return &api.Purchase{Event: fit.event, Dataset: id, Run: run}, nil
}

// eachClass fits one vector a class.
func eachClass(call *api.Call, problem learn.Problem, one privacy.ApproximateMinima, source random.Source, classes int) (learn.Model, []*learn.Diagnostics, error) {
	told, class := solving(call, 0, classes), 0
	return ovr.Fit(context.Background(), problem, one, approximateMinima, source, func(p ovr.Progress) {
		if p.Class != class {
			class = p.Class
			told = solving(call, class, classes)
		}
		told(p.Progress)
	})
}

// approximateMinima is amp.Fit without options.
func approximateMinima(ctx context.Context, problem learn.Problem, event privacy.ApproximateMinima, source random.Source, progress func(solve.Progress)) (learn.Model, *learn.Diagnostics, error) {
	return amp.Fit(ctx, problem, event, source, progress)
}

// readLoss reads the fields "loss" and "huberWidth", which may be left out, for
// a label.
func readLoss(f *privacy.Fields, label *data.Label) glm.Loss {
	out := learn.DefaultLoss(label)
	if f.Has("loss") {
		name := f.Text("loss")
		width := learn.DefaultHuberWidth
		if name == learn.HuberLoss {
			width = f.NumberOr("huberWidth", width)
		}
		loss, err := learn.ParseLoss(name, width)
		if err == nil {
			err = learn.CheckLoss(loss, label)
		}
		if err != nil {
			f.Fail(renamed(err, "huber_width", "huberWidth"))
			return out
		}
		out = loss
	}
	return out
}

// asAsked names a parameter of the event, which the learner refuses, as the
// caller does: only tau can be one that the caller gave.
func asAsked(err error) error {
	if p, ok := err.(*privacy.ParameterError); ok {
		return &privacy.ParameterError{Field: strings.TrimPrefix(p.Field, "event."), Value: p.Value, Want: p.Want}
	}
	return err
}

// renamed names a parameter as the caller does.
func renamed(err error, field, name string) error {
	if p, ok := err.(*privacy.ParameterError); ok && p.Field == field {
		return &privacy.ParameterError{Field: name, Value: p.Value, Want: p.Want}
	}
	return err
}

// solving tells the caller where the solver stands. Its fraction is that of
// the orders of magnitude by which the gradient has to shrink; of several
// classes, each has its part of the whole.
func solving(call *api.Call, class, classes int) func(solve.Progress) {
	first := math.NaN()
	return func(p solve.Progress) {
		if math.IsNaN(first) {
			first = p.GradientNorm
		}
		update := map[string]any{
			"phase":        "solving",
			"iteration":    p.Iteration,
			"gradientNorm": p.GradientNorm,
			"target":       p.Tolerance,
		}
		if share := math.Log(first/p.GradientNorm) / math.Log(first/p.Tolerance); share >= 0 {
			update["fraction"] = (float64(class) + math.Min(share, 1)) / float64(max(classes, 1))
		}
		if classes > 0 {
			update["class"] = class + 1
			update["classes"] = classes
		}
		if math.IsNaN(p.GradientNorm) {
			delete(update, "gradientNorm")
		}
		call.Progress(update)
	}
}
