package report

import (
	"testing"

	"cloister/core/data"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// All of Adult is 36,177 of these.
func BenchmarkExactLoss(b *testing.B) {
	const d = 105
	all := draw(b, randomtest.New(1), 300, d, false)
	theta := make([]float64, d)
	exact, err := NewExact(
		solve.NewObjective(1, nil, all.part(b, figureLoss.loss, figureLoss.clip)), theta, 1,
	)
	if err != nil {
		b.Fatal(err)
	}
	record := recordOf(b, figureLoss, all.x[0], all.y[0], theta)
	// as many entries as Adult has
	record.Row = data.Row{Index: record.Row.Index[:14], Value: record.Row.Value[:14]}
	for b.Loop() {
		exact.Loss(record, true)
	}
}

func BenchmarkRow(b *testing.B) {
	const d = 105
	s := sphere(b, 300, d, 1)
	reader, _, _ := released(b, s, 1, 1, gaussianPlan(b, 1, 1), 1)
	row := rowOf(s.x[0])
	for b.Loop() {
		if _, err := reader.Row(row, s.y[0]); err != nil {
			b.Fatal(err)
		}
	}
}
