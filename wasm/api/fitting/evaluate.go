package fitting

import (
	"math"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/evaluate"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// evaluate prepares {release, dataset, adjacency, epsilon, bins?, lossBound?}:
// how the release's model does on the records of the dataset, which must have
// been opened with the release's schema: the same columns, rows and label, down to
// the order and the spellings of its classes or its bounds, or an accuracy would
// be one of something else. Its reply is the release with the
// evaluation in it, in the place of one that it had, and the figures that
// follow; and the exact ones, which may not be published.
func (s *Session) evaluate(call *api.Call) (*api.Purchase, error) {
	f := call.Fields
	release, err := readRelease(f)
	if err != nil {
		return nil, err
	}
	id := f.Int("dataset")
	if _, err := s.schemaOf(id); err != nil {
		return nil, err
	}
	plan := readEvaluation(f)
	if err := f.Done(); err != nil {
		return nil, err
	}
	if err := holds(release.Verify(), "it is not evaluated"); err != nil {
		return nil, err
	}
	event, err := plan.Event(release.Model)
	if err != nil {
		return nil, planned(err)
	}
	private, err := s.exactly(id, release)
	if err != nil {
		return nil, err
	}
	blocks, err := s.tally(id, release, plan)
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		assessment, err := evaluate.Tallied(release.Model, blocks, plan, s.source)
		if err != nil {
			return nil, err
		}
		release.Assessment = assessment
		if finding, failed := release.VerifyAssessment().Failed(); failed {
			return nil, &learn.ClaimError{Finding: finding}
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"release": tree, "figures": figures(release.Model, assessment), "exact": private,
		}, nil
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

func readEvaluation(f *privacy.Fields) evaluate.Plan {
	return evaluate.Plan{
		Adjacency: f.Adjacency(),
		Epsilon:   f.Number("epsilon"),
		Bins:      f.IntOr("bins", 0),
		LossBound: f.NumberOr("lossBound", 0),
	}
}

// holds is an error if something of a release is not so; so says what is not done then.
func holds(found learn.Findings, so string) error {
	finding, failed := found.Failed()
	if !failed {
		return nil
	}
	return &api.Error{
		Code:  api.CodeRelease,
		Field: "release",
		Message: "This release does not hold, so " + so + ": " + api.Sentence(
			finding.Text,
		),
	}
}

// evaluateScorecard prepares {release, dataset, adjacency, epsilon}: how many records of each class
// a card says yes and no to, of a reading for the purpose "scorecard" by the card's own schema. Its
// reply is the card with the evaluation in it, in the place of one that it had, and what follows.
// There are no exact figures beside it.
func (s *Session) evaluateScorecard(call *api.Call) (*api.Purchase, error) {
	f := call.Fields
	release, err := readScorecard(f)
	if err != nil {
		return nil, err
	}
	id := f.Int("dataset")
	cells, ok := s.cells[id]
	if !ok {
		return nil, lost(id)
	}
	plan := evaluate.Plan{Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon")}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if err := holds(release.Verify(), "it is not evaluated"); err != nil {
		return nil, err
	}
	event, err := release.EvaluationEvent(plan)
	if err == nil {
		err = release.Measures(cells)
	}
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		if err := release.Evaluate(cells, plan, s.source); err != nil {
			return nil, err
		}
		if finding, failed := release.Verify().Failed(); failed {
			return nil, &learn.ClaimError{Finding: finding}
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"release": tree, "figures": figures(release.Classifier(), release.Assessment),
		}, nil
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

// planned names a parameter of the plan as the caller does.
func planned(err error) error {
	return renamed(err, "loss_bound", "lossBound")
}

// figures are what a model's evaluation says.
func figures(model learn.Model, assessment *learn.Assessment) map[string]any {
	f := assessment.Figures(model)
	out := map[string]any{
		"level":     learn.IntervalLevel,
		"epsilon":   assessment.Epsilon,
		"adjacency": assessment.Adjacency.String(),
		"records":   interval(f.Records),
	}
	for name, figure := range map[string]*learn.Interval{
		"accuracy": f.Accuracy, "logLoss": f.LogLoss, "meanSquaredError": f.MeanSquaredError, "rSquared": f.RSquared,
	} {
		if figure != nil {
			out[name] = interval(*figure)
		}
	}
	table := make([]any, len(f.Table))
	for k, bin := range f.Table {
		table[k] = map[string]any{
			"low":     bin.Low,
			"high":    bin.High,
			"records": interval(bin.Records),
			"outcome": interval(bin.Outcome),
		}
	}
	out["table"] = table
	return out
}

func interval(i learn.Interval) map[string]any {
	return map[string]any{"estimate": i.Estimate, "low": i.Low, "high": i.High}
}

// exact answers {release, dataset}: how the release's model does on the records
// of the dataset, opened with its schema, such as those that it was fitted to. It
// is for the data holder alone.
func (s *Session) exact(call *api.Call) (map[string]any, error) {
	release, err := readRelease(call.Fields)
	if err != nil {
		return nil, err
	}
	id := call.Fields.Int("dataset")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	return s.exactly(id, release)
}

// exactly says how a release's model does on a data set, without noise: for the data holder alone.
// A figure that there is none of is left out.
func (s *Session) exactly(id int, release *learn.Release) (map[string]any, error) {
	model := release.Model
	blocks, err := s.exactSums(id, release)
	if err != nil {
		return nil, err
	}
	e := evaluate.ExactOf(model, blocks)
	out := map[string]any{"rows": e.Rows}
	for name, x := range map[string]float64{
		"accuracy": e.Accuracy(), "baseline": e.Baseline(), "logLoss": e.LogLoss,
		"meanSquaredError": e.MeanSquaredError, "rSquared": e.RSquared(),
	} {
		if !math.IsNaN(x) {
			out[name] = x
		}
	}
	switch model.Schema.Label.Type {
	case data.TwoClasses:
		out["confusion"] = map[string]any{
			"truePositive":  e.Confusion[1][1],
			"falsePositive": e.Confusion[0][1],
			"trueNegative":  e.Confusion[0][0],
			"falseNegative": e.Confusion[1][0],
		}
	case data.SeveralClasses:
		matrix := make([]any, len(e.Confusion))
		for k, row := range e.Confusion {
			list := make([]any, len(row))
			for j, n := range row {
				list[j] = n
			}
			matrix[k] = list
		}
		out["matrix"] = matrix
	}
	return out, nil
}
