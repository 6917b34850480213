package dpsgd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/random"
)

// An epoch on 36,177 rows of Adult: 142 steps of some 255 records.
func BenchmarkEpoch(b *testing.B) {
	d := learntest.Adult(b, learntest.AdultSchema(b))
	problem := learn.Problem{
		Data: learntest.Every(d, func(i int) bool { return i%5 != 0 }),
		Loss: glm.Logistic{},
	}
	plan := PaperPlan(36177)
	plan.NoiseMultiplier, plan.Steps, plan.Optimiser = 1, plan.Steps/60, NewAdam(0.01)
	run, err := prepare(problem, plan)
	require.NoError(b, err)
	b.Run("private", func(b *testing.B) {
		source := random.Secure()
		for b.Loop() {
			if _, err := run.descend(b.Context(), plan.Optimiser, source, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			plainEpoch(problem, plan)
		}
	})
}

// plainEpoch is stochastic gradient descent as one writes it: batches of 256 in
// a random order, no clipping, no noise.
func plainEpoch(problem learn.Problem, plan Plan) []float64 {
	d := newDescent(plan.Optimiser, problem.Dimension())
	order := make([]int, problem.Data.X.Rows())
	for i := range order {
		order[i] = i * 7919 % len(order) // 7919 is prime and does not divide the number of rows
	}
	gradient := make([]float64, problem.Dimension())
	for len(order) > 0 {
		n := min(256, len(order))
		clear(gradient)
		for _, i := range order[:n] {
			row := problem.Data.X.Row(i)
			slope := problem.Loss.Slope(row.Dot(d.theta), problem.Data.Y[i])
			for k, j := range row.Index {
				gradient[j] += slope * row.Value[k]
			}
		}
		for j := range gradient {
			gradient[j] /= float64(n)
		}
		d.step(gradient)
		order = order[n:]
	}
	return d.theta
}
