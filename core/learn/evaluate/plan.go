// Package evaluate measures a model on records that it was not fitted to. Use [Run] for
// figures that may be published: they are a differentially private release with its own
// event and guarantee. Use [Exactly] for the exact figures, which are only for the data
// holder.
//
// The mechanism counts records in cells, by their prediction and their label, and sums
// bounded numbers over the cells (learn.Assessment has the table). One record changes few
// of those numbers, each by at most 1. So discrete Laplace noise on each makes the whole
// ε-differentially private (Dwork, McSherry, Nissim & Smith 2006). Everything else
// (accuracy, loss, calibration and their intervals) is computed from the noisy numbers. The
// number of held-out records is protected like the rest.
//
// A record adds a whole multiple of 2^-16 to a number. It depends only on the record
// and the public model, and is at most 1 exactly. Sums are of whole numbers, and noise
// is drawn on the same lattice by exact arithmetic. So no floating-point error reaches
// the guarantee.
package evaluate

import (
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Plan is how a model is evaluated. All of it is public.
type Plan struct {
	Adjacency privacy.Adjacency // no default
	Epsilon   float64           // of the evaluation alone; δ is 0
	Bins      int               // of the calibration table; 0 is the model's default
	// nats, at which each record's log loss is cut off; 0 is learn.DefaultLossBound
	LossBound float64
}

// unit is how many steps of the lattice one record is.
const unit = int64(1 / learn.AssessmentUnit)

// Event is what an evaluation of the model by this plan costs. Its discrete
// Laplace noise has the smallest whole scale, in units of 2^-16, whose Epsilon
// is not above the plan's. A plan that cannot be carried out is a
// *privacy.ParameterError for the field "adjacency", "epsilon", "bins" or
// "loss_bound".
func (p Plan) Event(model learn.Model) (privacy.Event, error) {
	p = p.withDefaults(model)
	layout := model.AssessmentLayout()
	if err := p.check(model, layout); err != nil {
		return nil, err
	}
	return layout.AssessmentEvent(p.Adjacency, p.scale(layout)), nil
}

// scale is the whole number not below changes·unit/ε; the quotient may be
// rounded down by half an ulp.
func (p Plan) scale(layout learn.Layout) float64 {
	return math.Ceil(
		float64(layout.Changes(p.Adjacency)) * float64(unit) / p.Epsilon * (1 + 0x1p-52),
	)
}

func (p Plan) withDefaults(model learn.Model) Plan {
	if p.Bins == 0 {
		p.Bins = model.DefaultBins()
	}
	if p.LossBound == 0 && model.AssessmentLayout().HasLoss() {
		p.LossBound = learn.DefaultLossBound
	}
	return p
}

func (p Plan) check(model learn.Model, layout learn.Layout) error {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return err
	}
	if err := privacy.CheckEpsilon(p.Epsilon); err != nil {
		return err
	}
	if scale := p.scale(layout); !(scale <= random.MaxLaplaceScale) {
		return &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(p.Epsilon),
			Want:  "at least 1e-9 for an evaluation",
		}
	}
	if err := model.CheckBins(p.Bins); err != nil {
		return err
	}
	return layout.CheckLossBound(p.LossBound)
}
