package lab

import (
	"context"
	"math"
	"strconv"
)

// Probe is what a method makes of a small made-up set, to eight digits: a short
// name for what the method does. Results of another probe than today's are
// results of another computation, whatever revision they carry; so a change of
// a default, of a solver or of a calibration is not overlooked.
func Probe(ctx context.Context, method string) (string, error) {
	m, err := FindMethod(method)
	if err != nil {
		return "", err
	}
	d := synthetic2D()
	d.rows, d.labels = d.rows[:400], d.labels[:400]
	settings := m.Settings(Quick)
	cell := Cell{Set: Given, Method: method, Setting: settings[len(settings)/2], Epsilon: 1, Delta: DefaultDelta, Trial: 1, Effort: Quick}
	if m.Standing == NotPrivate {
		cell.Epsilon = math.Inf(1)
	}
	result, err := On(d.encode(m.Encoding)).Run(ctx, cell)
	if err != nil {
		return "", err
	}
	return strconv.FormatFloat(result.Loss, 'g', 8, 64), nil
}
