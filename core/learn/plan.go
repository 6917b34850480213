package learn

import (
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// CheckRange returns a *privacy.ParameterError unless x is from 2^-300 to 2^300, or is
// 0 where 0 is allowed. In that range products of a few parameters neither overflow nor
// underflow.
func CheckRange(field string, x float64, zero bool) error {
	if x >= 0x1p-300 && x <= 0x1p300 || zero && x == 0 {
		return nil
	}
	want := "a number above 0 (from 2^-300 to 2^300)"
	if zero {
		want = "0, or a number from 2^-300 to 2^300"
	}
	return &privacy.ParameterError{Field: field, Value: privacy.Number(x), Want: want}
}

// CheckPlan returns an error unless a plan that was made for so many columns and
// rows up to rowNorm is one for this problem: first by public things, a
// *privacy.ParameterError for the field "schema", "plan.dimension" or
// "plan.row_norm"; then that of [Problem.Check].
func (p Problem) CheckPlan(dimension int, rowNorm float64) error {
	schema := p.Data.Schema
	if schema == nil {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	wrong := func(d int, whose string) error {
		return &privacy.ParameterError{
			Field: "plan.dimension",
			Value: strconv.Itoa(dimension),
			Want:  strconv.Itoa(d) + ", the number of columns" + whose,
		}
	}
	if d := p.Dimension(); dimension != d {
		return wrong(d, "")
	}
	if d := schema.Dimension(); dimension != d {
		return wrong(d, " of the schema")
	}
	if norm := schema.RowNorm(); !(rowNorm >= norm) {
		return &privacy.ParameterError{
			Field: "plan.row_norm",
			Value: privacy.Number(rowNorm),
			Want:  "at least " + privacy.Number(norm) + ", the longest row that the schema allows",
		}
	}
	return p.Check(rowNorm)
}

// CheckRegression is CheckPlan for a learner of least squares, whose labels are numbers.
func (p Problem) CheckRegression(dimension int, rowNorm float64) error {
	if err := p.CheckRecords(); err != nil {
		return err
	}
	if s := p.Data.Schema; s != nil && s.Label.Type != data.NumericLabel {
		return &privacy.ParameterError{
			Field: "label", Value: strconv.Quote(string(s.Label.Type)), Want: "a number",
		}
	}
	if name := LossName(p.Loss); name != SquaredLoss {
		return &privacy.ParameterError{
			Field: "loss", Value: strconv.Quote(name), Want: `"squared"`,
		}
	}
	return p.CheckPlan(dimension, rowNorm)
}

// DefaultClip is C, for rows of norm up to R, of the learners that perturb sums
// or minimisers, where none is asked for: R/2 for the logistic loss, R for others
// of labels −1 and +1, which are then never clipped, and R/4 for the squared one.
// (Package amp has its own, calibrate.DefaultClip.)
func DefaultClip(loss glm.Loss, rowNorm float64) float64 {
	switch loss.Class() {
	case privacy.LossLogistic:
		return 0.5 * rowNorm
	case privacy.LossGLM:
		return 0.25 * rowNorm
	}
	return rowNorm
}
