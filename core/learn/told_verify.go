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
			calibrate.MostRecords*mostEigenvalue(r.Schema),
		),
		"The noisy results of the tests are such as some table gives, and such coefficients with it.",
		"No table, of as many records as can be read, gives such noisy results of the tests and such coefficients, so they are not what the tests told.",
	)
}

// mostEigenvalue bounds the smallest eigenvalue of XᵀX, a record.
//
// Theorem. It is 0 where columns are dependent. Else it is no more than the mean of some elements
// of the diagonal: those of all features add up to 1 a record at most, and those of one category
// to t² ≤ 1, or r², r = data.Schema.RowScale, if all rows are divided by the same. ∎
func mostEigenvalue(s *data.Schema) float64 {
	columns := s.Dimension()
	if len(dependent(s, make([]float64, columns))) > 0 {
		return 0
	}
	top := 1.0
	if s.Rows.Norm == data.Scale {
		top = s.RowScale() * s.RowScale()
	}
	if s.Intercept > 0 {
		columns--
	}
	most := 1 / float64(columns)
	for k := range s.Features {
		f, width := &s.Features[k], 1
		if f.Type == data.Categorical {
			width = f.Width()
		}
		most = math.Min(most, top/float64(width))
	}
	return most
}

// tooShortTold reports whether no such noise leaves coefficients as short as these.
func (r *Release) tooShortTold() bool {
	theta := r.Model.Vector(0)
	draws := math.Sqrt(float64(len(theta))) + 40
	return TooShort(theta, func(near float64) float64 {
		return r.Model.Told.near(near, r.Schema.RowNorm(), draws, calibrate.MostRecords)
	})
}
