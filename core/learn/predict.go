package learn

import (
	"math"

	"cloister/core/data"
	"cloister/core/glm"
)

// Prediction is what a model says of one record.
type Prediction struct {
	// Margins are xᵀθ, one a class for a label of several, else one.
	Margins []float64

	// Class is the class that is likeliest, by its place in
	// Label.ClassNames(): for two classes 1 is the positive one. 0 for a
	// numeric label. With weights it is the likelier one among records that count by them, and
	// may be the one of the smaller probability.
	Class int

	// Probabilities are those of the classes in their order; nil for a numeric
	// label, and for the Huber loss and the rounded hinge, whose margins stand for none.
	Probabilities []float64

	// Value is the predicted value of a numeric label, in the units of the file and
	// within the label's bounds; else 0.
	Value float64

	Notes []data.Note
}

// Probability is that of the positive class; NaN if there is none.
func (p Prediction) Probability() float64 {
	if len(p.Probabilities) != 2 {
		return math.NaN()
	}
	return p.Probabilities[1]
}

// Positive reports whether the likelier of two classes is the positive one.
func (p Prediction) Positive() bool { return p.Class == 1 && len(p.Margins) == 1 }

// PredictRow applies the model to one row of the design matrix.
//
// Of two classes the positive one is likelier where the margin is 0 or more: with weights,
// among records that count by them. Probabilities are those among the records as they come. Of
// several it is the one whose margin against the rest is the largest, the first
// of equals; their probabilities are those against the rest, scaled to sum to
// 1. With the softmax it is the one whose score is the largest, and the probabilities are
// the softmax of the scores.
func (m Model) PredictRow(row data.Row) Prediction {
	var p Prediction
	m.PredictInto(&p, row)
	return p
}

// PredictInto is [Model.PredictRow] for many rows in turn: it writes over p, whose slices it
// uses again.
func (m Model) PredictInto(p *Prediction, row data.Row) {
	probabilities := p.Probabilities[:0]
	*p = Prediction{Margins: m.margins(p.Margins[:0], row)}
	switch m.Schema.Label.Type {
	case data.NumericLabel:
		p.Value = m.Schema.Label.Original(p.Margins[0])
		return
	case data.TwoClasses:
		if p.Margins[0] >= 0 {
			p.Class = 1
		}
		if m.hasProbabilities() {
			negative, positive := m.probabilities(p.Margins[0], m.cut(row))
			p.Probabilities = append(probabilities, negative, positive)
		}
		return
	}
	for k, margin := range p.Margins {
		if margin > p.Margins[p.Class] {
			p.Class = k
		}
	}
	if !m.hasProbabilities() {
		return
	}
	p.Probabilities = append(probabilities, p.Margins...)
	if m.joint() {
		glm.Softmax{}.Probabilities(p.Probabilities)
		return
	}
	c, sum := m.cut(row), 0.0
	for k, margin := range p.Margins {
		_, p.Probabilities[k] = m.probabilities(margin, c)
		sum += p.Probabilities[k]
	}
	for k := range p.Probabilities {
		if sum > 0 {
			p.Probabilities[k] /= sum
		} else {
			p.Probabilities[k] = 1 / float64(len(p.Margins)) // all are as good as impossible
		}
	}
}

func (m Model) hasProbabilities() bool {
	switch m.Loss.(type) {
	case glm.Huber, glm.RoundedHinge:
		return false
	}
	return true
}

// countsClasses reports whether an assessment counts by the class that is predicted, not by its
// probability.
func (m Model) countsClasses() bool {
	_, weighted := m.Loss.(glm.WeightedLogistic)
	return weighted || !m.hasProbabilities()
}

// probabilities of the classes −1 and +1 of two, for a margin and a slope cut off at c.
func (m Model) probabilities(margin, c float64) (negative, positive float64) {
	switch l := m.Loss.(type) {
	case glm.Squared:
		return squaredProbability(-margin, c), squaredProbability(margin, c)
	case glm.ShiftedLogistic:
		return ShiftedProbabilities(margin, l.Shift(), c)
	case glm.WeightedLogistic:
		return weightedProbabilities(margin, l, c)
	}
	return Probabilities(margin, c)
}

// cut is the c of [Probability] for one row: C/‖x‖, C the threshold at which
// the fit clipped gradients.
func (m Model) cut(row data.Row) float64 {
	squares := 0.0
	for _, v := range row.Value {
		squares += float64(v * v)
	}
	return m.Clip / math.Sqrt(squares)
}

// Predict encodes one record by the release's schema, exactly as a file's
// records are encoded, and applies the model. Errors are of type *data.Error.
func (r *Release) Predict(record map[string]string) (Prediction, error) {
	encoder, err := data.NewEncoder(r.Schema)
	if err != nil {
		return Prediction{}, err
	}
	row, notes, err := encoder.Encode(record)
	return r.predicted(row, notes, err)
}

// PredictText is Predict for one record as CSV text; see data.Encoder.
func (r *Release) PredictText(text string) (Prediction, error) {
	encoder, err := data.NewEncoder(r.Schema)
	if err != nil {
		return Prediction{}, err
	}
	row, notes, err := encoder.EncodeText(text)
	return r.predicted(row, notes, err)
}

func (r *Release) predicted(row data.Row, notes []data.Note, err error) (Prediction, error) {
	if err != nil {
		return Prediction{}, err
	}
	p := r.Model.PredictRow(row)
	p.Notes = notes
	return p, nil
}
