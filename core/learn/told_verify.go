package learn

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/privacy"
)

// check returns a *privacy.ParameterError unless a model of this kind can come from such a fit.
func (m Model) checkTold() error {
	if m.Told == nil {
		return nil
	}
	loss, label := SquaredLoss, data.NumericLabel
	if _, curvature := m.Told.(TestedCurvature); curvature {
		loss, label = LogisticLoss, data.TwoClasses
	}
	if LossName(m.Loss) == loss && m.Schema.Label.Type == label && m.Lambda == 0 &&
		math.IsInf(m.Clip, 1) && m.Moments == nil {
		return nil
	}
	return &privacy.ParameterError{
		Field: "told", Value: `of "` + m.Told.of() + `"`,
		Want: "left out, but for the " + loss + " loss of a " + kindOf(label) +
			", with neither clip, lambda nor moments",
	}
}

func kindOf(label data.LabelType) string {
	if label == data.NumericLabel {
		return "number"
	}
	return "label of two classes"
}

// verifyTold checks that the noise is what the tests' noisy numbers and the event make it: the
// same arithmetic as the fit's, once more.
func (r *Release) verifyTold(event privacy.Event, check checker) {
	good := "The noise of the coefficients is what the noisy results of the tests, which are released too, and the mechanism make it."
	if _, fixed := r.Model.Told.(FixedSample); fixed {
		good = "The noise of the coefficients is what the mechanism and the number of records, which is taken for public, make it."
	}
	check(
		"told", r.Model.Told.follows(event, r.Schema.RowNorm(), r.Model.Vector(0)), good,
		"The noise of the coefficients is not what the mechanism and what else is said of the fit make it, so this event says nothing of them.",
	)
}

// verifyTests checks that the tests can have told what the file says of them. Noise follows from
// it, so that whoever makes it up chooses the noise, at the same ε.
func (r *Release) verifyTests(event privacy.Event, check checker) {
	if _, fixed := r.Model.Told.(FixedSample); fixed {
		return
	}
	check(
		"tests", r.Model.Told.possible(
			event, r.Schema.RowNorm(), r.Model.Vector(0), calibrate.MostRecords,
		),
		"The noisy results of the tests are such as some table gives, and such coefficients with it.",
		"No table, of as many records as can be read, gives such noisy results of the tests and such coefficients, so they are not what the tests told.",
	)
}

// longestTold is verifyReach's bound for such a fit.
func (r *Release) longestTold(draws float64) float64 {
	return r.Model.Told.longest(r.Schema.RowNorm(), draws, calibrate.MostRecords)
}

// tooShortTold reports whether no such noise leaves coefficients as short as these.
func (r *Release) tooShortTold() bool {
	theta := r.Model.Vector(0)
	draws := math.Sqrt(float64(len(theta))) + 40
	return TooShort(theta, func(near float64) float64 {
		return r.Model.Told.near(near, r.Schema.RowNorm(), draws, calibrate.MostRecords)
	})
}
