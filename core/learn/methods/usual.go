package methods

import (
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
)

// Border is the product of a public number of records and ε below which a fit of such a
// label takes noisy steps, unless another method is named; see [Usual].
func Border(label data.LabelType) float64 {
	if label == data.TwoClasses {
		return 10_000
	}
	return 100_000
}

// Usual is the name of the method for a fit for which none is named. It is decided by
// public things alone:
//
//	two classes                  "steps" where N·ε < 10,000, N the records that were declared
//	several classes, a number    "steps" where N·ε < 100,000
//	all others                   [Default], objective perturbation
//
// The others are another loss than the label's usual one, a Tuning (which
// is of objective perturbation), and fits with no declared N: steps have to be told N.
//
// The borders were chosen by accuracy on one half of the tables and confirmed on the other
// (core/learn/measured.md). For accuracy alone that of two classes could be 40,000, for 0.02 to
// 0.07 points. It is left at 10,000, for a fit by objective perturbation tells more: package
// differences finds more in it, and it alone has privacy reports. With no border, steps lose 0.7
// points of Adult at ε = 8. Of several classes nothing is gained above 100,000. Of numbers one
// table gains a little by steps there, and another loses as little.
//
// Neighbours that replace a record take twice the noise, as half of ε would, so the border is on
// the safe side there.
func Usual(a learn.Asked) string {
	if a.Schema == nil || a.Loss == nil || !(a.Records > 0) || tuned(a.Tuning) ||
		learn.LossName(a.Loss) != learn.LossName(learn.DefaultLoss(&a.Schema.Label)) {
		return Default
	}
	if a.Records*a.Guarantee.Epsilon < Border(a.Schema.Label.Type) {
		return dpgd.MeanLearner.Name
	}
	return Default
}

// Rows is the schema by which the rows of such a fit are best made, by public things alone: the
// one that is asked for, or, for noisy steps towards a number, one that divides all rows by the
// same length (data.Scale) where rows were to be clipped. A row of many numbers is mostly longer
// than 1; clipped, it is divided by its own length, and the label is then no linear function of
// it. See dpgd.MeanDefaults for what that costs. Data has to be read by it before the fit. A
// schema that says "scale" is left as it is, also for methods that predict worse by it.
func Rows(name string, a learn.Asked) *data.Schema {
	name, _ = named(name, a)
	if name != dpgd.MeanLearner.Name || a.Schema.Label.Type != data.NumericLabel ||
		a.Schema.Rows.Norm != data.Clip {
		return a.Schema
	}
	scaled := *a.Schema
	scaled.Rows.Norm = data.Scale
	return &scaled
}

// tuned reports whether something of objective perturbation is overridden.
func tuned(t learn.Tuning) bool {
	if t.Bound == objective.BoundAuto {
		t.Bound = ""
	}
	return t != learn.Tuning{}
}
