package fitting

import (
	"context"
	"math"
	"strings"
	"time"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/privacy"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// fit prepares {dataset, adjacency, epsilon, delta, …} (see api.ReadCalibration).
// Its reply is a release, which may be published, and diagnostics, which may
// not. The noise is chosen from public things before the data is looked at.
func (s *Session) fit(call *api.Call) (*api.Purchase, error) {
	start := time.Now()
	id := call.Fields.Int("dataset")
	dataset, err := s.dataset(call.Fields)
	if err != nil {
		return nil, err
	}
	schema := dataset.Schema
	request := api.ReadCalibration(call.Fields, schema.RowNorm(), schema.Dimension())
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}

	call.Progress(map[string]any{"phase": "calibrating"})
	event, err := account.CalibrateMinima(request)
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		problem := learn.Problem{Data: dataset, Loss: glm.Logistic{}}
		model, diagnostics, err := amp.Fit(context.Background(), problem, event, s.source, solving(call))
		if err != nil {
			return nil, asked(err)
		}

		call.Progress(map[string]any{"phase": "releasing"})
		release, err := learn.NewRelease(event, request.Guarantee, request.Bound, model)
		if err != nil {
			return nil, err
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		private := evaluated(release, dataset)
		private["iterations"] = diagnostics.Iterations
		private["gradientNorm"] = diagnostics.Certificate.Upper() + diagnostics.SamplerError
		private["tau"] = event.Tau
		private["milliseconds"] = float64(time.Since(start)) / float64(time.Millisecond)
		return map[string]any{"release": tree, "diagnostics": private}, nil
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

// asked names a parameter of the event, which the learner refuses, as the
// caller does: only tau can be one that the caller gave.
func asked(err error) error {
	if p, ok := err.(*privacy.ParameterError); ok {
		return &privacy.ParameterError{Field: strings.TrimPrefix(p.Field, "event."), Value: p.Value, Want: p.Want}
	}
	return err
}

// solving tells the caller where the solver stands. Its fraction is that of
// the orders of magnitude by which the gradient has to shrink.
func solving(call *api.Call) func(solve.Progress) {
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
			update["fraction"] = math.Min(share, 1)
		}
		if math.IsNaN(p.GradientNorm) {
			delete(update, "gradientNorm")
		}
		call.Progress(update)
	}
}

// evaluated says how the released model does on the data it was fitted to, in
// one pass over it.
func evaluated(release *learn.Release, dataset *data.Dataset) map[string]any {
	var hits, misses [2]int // by true class: negative, positive
	loss := 0.0
	for i, y := range dataset.Y {
		row := dataset.X.Row(i)
		margin := release.Model.Margin(row)
		loss -= math.Log(learn.Probability(y*margin, release.Cut(row)))
		class := 0
		if y > 0 {
			class = 1
		}
		if (margin >= 0) == (y > 0) {
			hits[class]++
		} else {
			misses[class]++
		}
	}
	n := float64(len(dataset.Y))
	negatives, positives := hits[0]+misses[0], hits[1]+misses[1]
	return map[string]any{
		"rows":     len(dataset.Y),
		"accuracy": float64(hits[0]+hits[1]) / n,
		"baseline": float64(max(negatives, positives)) / n,
		"logLoss":  loss / n,
		"confusion": map[string]any{
			"truePositive":  hits[1],
			"falsePositive": misses[0],
			"trueNegative":  hits[0],
			"falseNegative": misses[1],
		},
	}
}
