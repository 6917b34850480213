package lab

import (
	"context"
	"strconv"
)

// PathProbe is to schedules what Probe is to methods: a schedule's results on a small
// made-up set, for λ = 0 and for λ = 0.1, to eight digits each.
func PathProbe(ctx context.Context, schedule string) (string, error) {
	small := synthetic2D()
	small.rows, small.labels = small.rows[:400], small.labels[:400]
	set := small.standardised()
	text := ""
	for _, lambda := range []float64{0, 0.1} {
		p := Path{Set: "synthetic-2d", Lambda: lambda, Schedule: schedule, Repetition: 1}
		if err := p.check(); err != nil {
			return "", err
		}
		w := newWalk(set, p)
		if err := w.run(ctx); err != nil {
			return "", err
		}
		points := w.pointsOf()
		if text != "" {
			text += " "
		}
		text += strconv.FormatFloat(points[len(points)-1].Gradient, 'g', 8, 64)
	}
	return text, nil
}
