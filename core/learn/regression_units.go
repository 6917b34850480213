package learn

import (
	"math"

	"cloister/core/data"
)

// Units is a regression in the units of the file. A record with values x has
//
//	target = (Constant + Σ coefficient·x)/N + Intercept,
//
// N and x as Model.Originals says. The target is the label in its units. If it is another
// column, it is that column's value divided by N, which is what the rows have: 1/N or 0 of a
// category, log1p(value − offset)/N of a logarithmic column (TargetUnit, TargetOffset).
type Units struct {
	TargetUnit   string
	TargetOffset float64

	Coefficients []Original // without the intercept
	Constant     float64
	Intercept    float64 // 0 without one

	// Standard errors of Coefficients and Intercept, where the regression has them; else nil
	// and NaN.
	StandardErrors []float64
	InterceptError float64
}

// InUnits returns the regression in the units of the file: those of the label, whose values
// −1 and 1 stand for its bounds, or of the target's column.
func (r Regression) InUnits(label *data.Label) Units {
	half := (label.Max - label.Min) / 2
	out := Units{TargetUnit: "1", Intercept: label.Min + half, InterceptError: math.NaN()}
	if r.Target != nil {
		of, _ := original(*r.Target, 1)
		half, out.TargetUnit, out.TargetOffset = 1/r.Target.Scale, of.Unit, of.Offset
		out.Intercept = 0
		if of.Unit == "1" {
			out.Constant = r.Target.Offset
		}
	}
	for j, column := range r.Columns {
		factor := half * column.Scale
		if column.Intercept {
			out.Intercept += float64(factor * r.Coefficients[j])
			if r.StandardErrors != nil {
				out.InterceptError = factor * r.StandardErrors[j]
			}
			continue
		}
		c, shift := original(column, factor*r.Coefficients[j])
		out.Coefficients, out.Constant = append(out.Coefficients, c), out.Constant-shift
		if r.StandardErrors != nil {
			out.StandardErrors = append(out.StandardErrors, factor*r.StandardErrors[j])
		}
	}
	return out
}
