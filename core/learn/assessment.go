package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Assessment is what was released, with noise, about how a model does on
// records that it was not fitted to. It is Epsilon-differentially private, with
// δ = 0, for the file of those records, whose number is private too under
// add/remove.
//
// Records are counted by what the model says of them. A row of Cells is a bin,
// of equal widths over the range of what is binned:
//
//	label      binned                          Cells[bin]             Sums
//	two        probability of the positive     negative, positive     Σ loss
//	several    probability of the likeliest,   wrong, right           Σ loss
//	           1/K to 1
//	numeric    value predicted, Min to Max     records, Σ t           Σ t², Σ e²
//
// loss is the log loss, −log of the probability of the record's own class, cut
// off at LossBound and divided by it; t the label's place between its bounds,
// 0 to 1; e the difference of t and the same of the value predicted. A model
// without probabilities (Huber, rounded hinge) has one bin a class, or one for several
// classes, and no Sums. So has one with weights: what is asked of it is how many records of each
// class it finds, and its classes do not part at a probability of ½.
//
// Every number is in units of records, plus discrete Laplace noise on the
// lattice of [AssessmentUnit], all of the same scale.
type Assessment struct {
	Adjacency privacy.Adjacency
	Epsilon   float64
	Event     privacy.Event
	LossBound float64 // nats; 0 where there is no log loss
	Cells     [][]float64
	Sums      []float64
}

// ClassifierOf is the model that an assessment of a scorecard is of: it puts records in one of the
// label's two classes, without probabilities. It has no columns, and predicts nothing by itself.
func ClassifierOf(label data.Label) Model {
	return Model{Schema: &data.Schema{Label: label}, Loss: glm.Huber{}}
}

// AssessmentUnit is the spacing of the numbers of an assessment, in records.
const AssessmentUnit = 0x1p-16

// Layout describes the numbers of an assessment of a model.
type Layout struct {
	Columns int // numbers of a bin
	Sums    int // numbers beside the bins
	touched int // numbers of its bin that one record counts in
	loss    bool
}

// AssessmentLayout returns the form that an assessment of the model has.
func (m Model) AssessmentLayout() Layout {
	switch {
	case m.Schema.Label.Type == data.NumericLabel:
		return Layout{Columns: 2, Sums: 2, touched: 2}
	case m.countsClasses():
		return Layout{Columns: 2, touched: 1}
	}
	return Layout{Columns: 2, Sums: 1, touched: 1, loss: true}
}

// HasLoss reports whether the assessment has a log loss.
func (l Layout) HasLoss() bool { return l.loss }

// Changes is how many numbers a change of one record can change, each by at most 1
// record. A record that is added or removed changes the counts of its bin that it falls
// under, and the sums. A record that is replaced changes those of two bins, and the
// sums.
func (l Layout) Changes(adjacency privacy.Adjacency) int {
	if adjacency == privacy.ReplaceOne {
		return 2*l.touched + l.Sums
	}
	return l.touched + l.Sums
}

// AssessmentEvent is what an assessment of this form costs with noise of the
// given scale, in units of AssessmentUnit. The numbers that one record changes
// are a composition of discrete Laplace mechanisms of sensitivity 1 record, and
// the others of none.
func (l Layout) AssessmentEvent(adjacency privacy.Adjacency, scale float64) privacy.Event {
	return privacy.Composition{Adjacency: adjacency, Parts: []privacy.Part{{
		Event: privacy.DiscreteLaplace{
			Adjacency:   adjacency,
			Sensitivity: int(1 / AssessmentUnit),
			Scale:       scale,
		},
		Count: l.Changes(adjacency),
	}}}
}

// scale is the noise of the assessment in records, by its event; false if the
// event is not that of such an assessment.
func (a *Assessment) scale(l Layout) (float64, bool) {
	composition, ok := a.Event.(privacy.Composition)
	if !ok || len(composition.Parts) != 1 {
		return 0, false
	}
	laplace, ok := composition.Parts[0].Event.(privacy.DiscreteLaplace)
	if !ok || !sameEvent(a.Event, l.AssessmentEvent(a.Adjacency, laplace.Scale)) {
		return 0, false
	}
	return laplace.Scale * AssessmentUnit, true
}

// CheckBins returns a *privacy.ParameterError for the field "bins" unless an
// assessment of the model can have so many.
func (m Model) CheckBins(bins int) error {
	kind, want := m.Schema.Label.Type, ""
	switch {
	case kind != data.NumericLabel && m.countsClasses():
		if n := classBins(kind); bins != n {
			want = strconv.Itoa(n) + " for a loss whose answers are counted by class"
		}
	case kind == data.TwoClasses && bins%2 != 0:
		want = "an even number, so that one half is between two bins"
	}
	if want == "" && (bins < 1 || bins > maxBins) {
		want = "from 1 to " + strconv.Itoa(maxBins)
	}
	if want == "" {
		return nil
	}
	return &privacy.ParameterError{Field: "bins", Value: strconv.Itoa(bins), Want: want}
}

const maxBins = 1000

// classBins is the number of bins where there are no probabilities.
func classBins(kind data.LabelType) int {
	if kind == data.TwoClasses {
		return 2
	}
	return 1
}

// Default parameters of an assessment. Each bin adds noise to what is summed
// over all of them.
const (
	DefaultBins        = 10
	DefaultNumericBins = 5
	DefaultLossBound   = 4 // nats: the loss of a probability of 1.8 %
)

// DefaultBins is the number of bins of an assessment unless one is asked for.
func (m Model) DefaultBins() int {
	switch kind := m.Schema.Label.Type; {
	case kind == data.NumericLabel:
		return DefaultNumericBins
	case m.countsClasses():
		return classBins(kind)
	}
	return DefaultBins
}

// BinRange is the range of what is binned.
func (m Model) BinRange() (low, high float64) {
	switch label := &m.Schema.Label; label.Type {
	case data.NumericLabel:
		return label.Min, label.Max
	case data.SeveralClasses:
		return 1 / float64(len(label.Classes)), 1
	}
	return 0, 1
}

// check returns an error unless the assessment has the form that one of the
// model has, every number finite.
func (a *Assessment) check(m Model) error {
	l := m.AssessmentLayout()
	if err := m.CheckBins(len(a.Cells)); err != nil {
		return err
	}
	for i, row := range a.Cells {
		if len(row) != l.Columns {
			return &privacy.ParameterError{
				Field: "cells[" + strconv.Itoa(i) + "]",
				Value: strconv.Itoa(len(row)) + " numbers",
				Want:  strconv.Itoa(l.Columns),
			}
		}
		if err := onUnit("cells["+strconv.Itoa(i)+"]", row); err != nil {
			return err
		}
	}
	if len(a.Sums) != l.Sums {
		return &privacy.ParameterError{
			Field: "sums",
			Value: strconv.Itoa(len(a.Sums)) + " numbers",
			Want:  strconv.Itoa(l.Sums),
		}
	}
	if err := onUnit("sums", a.Sums); err != nil {
		return err
	}
	return l.CheckLossBound(a.LossBound)
}

// CheckLossBound returns a *privacy.ParameterError for the field "loss_bound" unless it is one at
// which losses are cut off, or 0 where there is no log loss. A far smaller one would make every
// loss next to nothing.
func (l Layout) CheckLossBound(bound float64) error {
	if !l.loss {
		if bound == 0 {
			return nil
		}
		return &privacy.ParameterError{
			Field: "loss_bound",
			Value: privacy.Number(bound),
			Want:  "left out where there is no log loss",
		}
	}
	if bound >= 1e-3 && bound <= 1e3 {
		return nil
	}
	return &privacy.ParameterError{
		Field: "loss_bound",
		Value: privacy.Number(bound),
		Want:  "from 0.001 to 1000, in nats; 4 is usual",
	}
}

func onUnit(field string, numbers []float64) error {
	for _, x := range numbers {
		if scaled := x / AssessmentUnit; !(math.Abs(scaled) < exactIntegers) ||
			scaled != math.Trunc(scaled) {
			return &privacy.ParameterError{
				Field: field,
				Value: privacy.Number(x),
				Want:  "a whole multiple of 2^-16",
			}
		}
	}
	return nil
}

// VerifyAssessment is the part of Verify that is about the assessment.
func (r *Release) VerifyAssessment() Findings {
	var found Findings
	r.verifyAssessment(found.checker())
	return found
}

// verifyAssessment checks what the release says of its assessment. The noise's
// ε is Σ sensitivity/scale (Dwork, McSherry, Nissim & Smith 2006; for discrete
// noise Ghosh, Roughgarden & Sundararajan 2012).
func (r *Release) verifyAssessment(check checker) {
	a := r.Assessment
	err := a.check(r.Model)
	if err == nil {
		err = a.Event.Validate()
	}
	if err == nil {
		err = privacy.CheckEpsilon(a.Epsilon)
	}
	check(
		"evaluation", err == nil, "The evaluation has the form that one of this model has.",
		"The evaluation: "+reason(err),
	)
	if err != nil {
		return
	}
	l := r.Model.AssessmentLayout()
	scale, ok := a.scale(l)
	check(
		"evaluation_event",
		ok,
		"The evaluation's event is of the noise that such an evaluation has, for all that one record changes.",
		"The evaluation's event is not of the noise that such an evaluation needs, for all that one record changes.",
	)
	if !ok {
		return
	}
	epsilon := float64(l.Changes(a.Adjacency)) / scale
	check(
		"evaluation_epsilon",
		epsilon*(1-0x1p-51) <= a.Epsilon,
		"The evaluation's noise gives the ε stated for it, "+privacy.Number(a.Epsilon)+
			", with δ = 0, under "+a.Adjacency.String()+".",
		"The evaluation's noise gives ε = "+short(epsilon)+", more than the "+
			privacy.Number(a.Epsilon)+" stated for it.",
	)
	// Every number has a draw of its own, of mass tanh(1/(2b)) at most at each point, in
	// units of which b is the scale. See verifyNoise.
	numbers := append(slices.Concat(a.Cells...), a.Sums...)
	check(
		"evaluation_numbers",
		!TooShort(
			numbers, func(r float64) float64 { return (2*r + AssessmentUnit) / (2 * scale) },
		) && !tooWhole(numbers, scale) && a.possible(r.Model, scale),
		"The evaluation's numbers are such as noise of this strength leaves.",
		"Noise of this strength leaves no numbers as small as these, or no such whole ones, or no records come to them, so they are not what the evaluation gave out.",
	)
}

// tooWhole reports whether more of the numbers are whole than noise of this scale, in records,
// leaves: then they are counts without noise.
//
// Theorem. That k numbers of n are whole has a chance of at most C(n, k)·p^k,
// p = u·(1 + 1/(2b)), u = [AssessmentUnit], b the scale, whatever is counted.
//
// Proof. The noise's mass at c + j over whole j, each 1/u points from the next, is at most that
// at its top, u/(2b), and a u-th of the mass between them, which is 1 in all: it falls to both
// sides. Every number has a draw of its own. ∎
//
// A chance below 2^-50 is too small: a card's evaluation has four numbers, and exact ones 2^-62.
func tooWhole(numbers []float64, scale float64) bool {
	n, whole, logs := float64(len(numbers)), 0.0, 0.0 // log C(n, k)p^k
	for _, x := range numbers {
		if x != math.Trunc(x) {
			continue
		}
		logs += math.Log((n-whole)/(whole+1)) + math.Log(AssessmentUnit*(1+1/(2*scale)))
		whole++
	}
	return logs < -50*math.Ln2
}
