package scorecard

import (
	"reflect"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/evaluate"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Classifier is the card as an evaluation sees it: it puts a record in one of two classes.
func (r *Release) Classifier() learn.Model { return learn.ClassifierOf(r.Schema.Label) }

// EvaluationEvent is what an evaluation of the card by this plan costs the records that it is
// measured on. Errors are those of [evaluate.Plan.Event].
func (r *Release) EvaluationEvent(plan evaluate.Plan) (privacy.Event, error) {
	return plan.Event(r.Classifier())
}

// Evaluate says with noise how many held-out records of each class the card says yes and no to:
// what a reader may know of how good it is. It is another purchase, for the people of that file,
// and the release keeps it. Charge for [Release.EvaluationEvent] first, and keep the charge
// whatever comes back.
//
// The four counts have discrete Laplace noise. One record that is added or removed changes one of
// them by 1, and one that is replaced two; so the whole is ε-differentially private, with δ = 0
// (package evaluate).
//
// An error is a *privacy.ParameterError for the plan or for cells of another schema, or that of
// the source.
func (r *Release) Evaluate(heldOut *data.Cells, plan evaluate.Plan, source random.Source) error {
	if err := r.Measures(heldOut); err != nil {
		return err
	}
	assessment, err := evaluate.Counted(r.Classifier(), r.confusion(heldOut), plan, source)
	if err == nil {
		r.Assessment = assessment
	}
	return err
}

// Measures is a *privacy.ParameterError unless the cells are of the card's own schema.
func (r *Release) Measures(heldOut *data.Cells) error {
	if heldOut.Schema == r.Schema || reflect.DeepEqual(heldOut.Schema, r.Schema) {
		return nil
	}
	return &privacy.ParameterError{
		Field: "schema",
		Value: "another than the card's",
		Want:  "the card's own, so that levels mean the same",
	}
}

// confusion counts records by what the card says of them and by their class: private.
func (r *Release) confusion(cells *data.Cells) (counts [2][2]int64) {
	sizes := r.Schema.Sizes()
	levels := make([]int, len(sizes))
	for cell := range cells.Positives {
		rest := cell
		for g := len(sizes) - 1; g >= 0; g-- {
			levels[g] = rest % sizes[g]
			rest /= sizes[g]
		}
		says := 0
		if _, yes := r.Score(levels); yes {
			says = 1
		}
		counts[says][0] += cells.Negatives[cell]
		counts[says][1] += cells.Positives[cell]
	}
	return counts
}
