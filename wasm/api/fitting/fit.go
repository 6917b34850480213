package fitting

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// fit prepares {dataset, method?, loss?, huberWidth?, adjacency, epsilon, delta,
// …} (see readChoosing). Its reply is a release, which may be published, and
// diagnostics, which may not. The noise is chosen from public things before the
// data is looked at.
func (s *Session) fit(call *api.Call) (*api.Purchase, error) {
	start := time.Now()
	id := call.Fields.Int("dataset")
	schema, err := s.schemaOf(id)
	if err != nil {
		return nil, err
	}
	asked := readChoosing(call.Fields, schema)
	var workers []float64
	if call.Fields.Has("workers") {
		workers = call.Fields.Numbers("workers")
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}

	call.Progress(map[string]any{"phase": "calibrating"})
	fit, err := s.choose(asked)
	if err != nil {
		return nil, err
	}
	problem := learn.Problem{Loss: asked.Loss}
	parted := s.parted[id]
	if parted != nil && (fit.Sums || fit.ClassSums) && len(workers) == 0 {
		problem = parted.problem(asked.Loss)
	} else if problem.Data, err = s.rowsOf(id); err != nil {
		return nil, err
	}
	if len(workers) > 0 {
		problem.Spread = s.spread(workers)
	}
	if fit.Check != nil {
		if err := fit.Check(problem); err != nil {
			return nil, asAsked(err)
		}
	}
	run := func() (map[string]any, error) {
		call.Progress(map[string]any{"phase": "solving"}) // From here on the cost counts.
		var b []float64
		keep := func(noise []float64) { b = slices.Clone(noise) }
		watch := learn.Watch{Progress: telling(call), Noise: keep}
		ctx, done := context.Background(), func(err error) error { return err }
		if problem.Elsewhere != nil {
			ctx, done = parted.fitting()
		}
		model, diagnostics, err := fit.Fit(ctx, problem, s.source, watch)
		if err = done(err); err != nil {
			return nil, asAsked(err)
		}

		call.Progress(map[string]any{"phase": "releasing"})
		release, err := learn.NewRelease(fit.Event, asked.Guarantee, fit.Bound, model)
		if err != nil {
			return nil, err
		}
		if asked.field != "" {
			if err := release.State(learn.PrivateSelection); err != nil {
				return nil, err
			}
		}
		if b != nil {
			s.keep(id, release, b)
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		iterations, norm := 0, 0.0
		for _, d := range diagnostics {
			iterations += d.Iterations
			norm = math.Max(norm, d.Certificate.Upper()+d.SamplerError)
		}
		private := map[string]any{"rows": problem.Records(), "iterations": iterations}
		if fit.Tau > 0 {
			private["gradientNorm"], private["tau"] = norm, fit.Tau
		}
		private["milliseconds"] = float64(time.Since(start)) / float64(time.Millisecond)
		return map[string]any{"release": tree, "diagnostics": private}, nil
	}
	var bought []api.Bought
	for _, p := range asked.Schema.Purchases() {
		bought = append(bought, api.Bought(p))
	}
	return &api.Purchase{Event: fit.Event, Dataset: id, Bought: bought, Run: run}, nil
}

// readLoss reads the fields "loss", "huberWidth", "shift" and "positiveWeight", which may be left
// out, for a label.
func readLoss(f *privacy.Fields, label *data.Label) glm.Loss {
	out := learn.DefaultLoss(label)
	if f.Has("loss") {
		name := f.Text("loss")
		width := learn.DefaultHuberWidth
		switch name {
		case learn.HuberLoss:
			width = f.NumberOr("huberWidth", width)
		case learn.ShiftedLoss, learn.HingeLoss:
			width = f.NumberOr("shift", glm.DefaultShift)
		case learn.WeightedLoss:
			width = f.Number("positiveWeight")
		}
		loss, err := learn.ParseLoss(name, width)
		if err == nil {
			err = learn.CheckLoss(loss, label)
		}
		if err != nil {
			err = renamed(err, "huber_width", "huberWidth")
			f.Fail(renamed(err, "positive_weight", "positiveWeight"))
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
		return &privacy.ParameterError{
			Field: strings.TrimPrefix(p.Field, "event."),
			Value: p.Value,
			Want:  p.Want,
		}
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
