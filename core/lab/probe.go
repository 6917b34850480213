package lab

import (
	"context"
	"math"
	"strconv"
)

// Probe is a method's results on two small made-up sets, to eight digits each. It
// identifies what the method computes. Stored results with another probe come from
// another computation, whatever their revision. So no change of a default, a solver or
// a calibration is overlooked. One set has two columns, the other more than
// manyColumns, where defaults and the solver are others.
func Probe(ctx context.Context, method string) (string, error) {
	m, err := FindMethod(method)
	if err != nil {
		return "", err
	}
	narrow := synthetic2D()
	narrow.rows, narrow.labels = narrow.rows[:400], narrow.labels[:400]
	wide := clusters{
		records:     150,
		features:    manyColumns + 20,
		informative: 5,
		separation:  2,
		seed:        "probe",
		radius:      24,
	}.draw()
	settings := m.Settings(Quick)
	cell := Cell{
		Set:     Given,
		Method:  method,
		Setting: settings[len(settings)/2],
		Epsilon: 1,
		Delta:   DefaultDelta,
		Trial:   1,
		Effort:  Quick,
	}
	if m.Standing == NotPrivate {
		cell.Epsilon = math.Inf(1)
	}
	text := ""
	for _, d := range []*dense{narrow, wide} {
		result, err := On(d.encode(m.Encoding)).Run(ctx, cell)
		if err != nil {
			return "", err
		}
		if text != "" {
			text += " "
		}
		text += strconv.FormatFloat(result.Loss, 'g', 8, 64)
	}
	return text, nil
}
