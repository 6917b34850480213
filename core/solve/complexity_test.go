package solve

import (
	"context"
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How many gradients of single records the solvers need as n grows, in the
// regime of Redberg, Koskela & Wang 2023, appendix G: a sum over records, λ
// fixed (and at least β), the gradient's norm to be brought below a power of 1/n.
// Their counts are O(n log n) for SAG (Theorem G.1) and O(n² log n) for gradient
// descent with step 1/(nβ + λ).
//
// The records are such that the worst case happens: they have nothing to say
// along one direction, where the curvature is λ and no more while along others it
// is of the order of n.

const complexityLambda = 0.5 // 2β for rows of norm 1

func complexityObjective(t *testing.T, n int) *Objective {
	d := seeded(uint64(n))
	r := &Rows{
		Columns:   3,
		BlockRows: n,
		Block:     [][]float64{nil},
		Loss:      logistic(t),
		Norm:      []float64{1},
	}
	for range n {
		angle := 2 * math.Pi * d.uniform()
		x := []float64{math.Cos(angle), math.Sin(angle), 0}
		label := -1.0
		if d.uniform() < 1/(1+math.Exp(-3*x[0])) {
			label = 1
		}
		r.Block[0], r.Label = append(r.Block[0], x...), append(r.Label, label)
	}
	return NewObjective(complexityLambda, []float64{3, -2, 4}, r)
}

// gradientDescent takes steps of 1/(nβ + λ) and returns how many it took.
func gradientDescent(ctx context.Context, o *Objective, n int, tolerance float64) (steps int) {
	theta, gradient := make([]float64, o.Dim()), make([]float64, o.Dim())
	step := 1 / (float64(n)/4 + o.Lambda)
	for ctx.Err() == nil {
		o.Derivatives(theta, gradient, nil)
		if steps++; norm(gradient) <= tolerance {
			break
		}
		axpy(-step, gradient, theta)
	}
	return steps
}

// exponent is p of the least-squares fit log y = p log x + constant.
func exponent(x, y []float64) float64 {
	var mx, my, xy, xx float64
	n := float64(len(x))
	for i := range x {
		mx += math.Log(x[i]) / n
		my += math.Log(y[i]) / n
	}
	for i := range x {
		xy += (math.Log(x[i]) - mx) * (math.Log(y[i]) - my)
		xx += (math.Log(x[i]) - mx) * (math.Log(x[i]) - mx)
	}
	return xy / xx
}

func TestAuditOfComplexity(t *testing.T) {
	long := os.Getenv("CLOISTER_AUDIT") == "long"
	sizes := []int{1e3, 1e4, 1e5}
	if long {
		sizes = append(sizes, 1e6)
	}
	if runtime.GOARCH == "wasm" {
		sizes = sizes[:2]
	}
	tolerance := func(n int) float64 { return 1 / float64(n) }
	var ns, perLog, steps []float64
	for _, n := range sizes {
		result, err := SAG(t.Context(), complexityObjective(t, n), Options{Tolerance: tolerance(n)})
		require.NoError(t, err)
		evaluations := float64(result.Evaluations)
		t.Logf(
			"SAG, n = %7d: %11.0f gradients of a record, %.1f n log n", n, evaluations,
			evaluations/(float64(n)*math.Log(float64(n))),
		)
		ns = append(ns, float64(n))
		steps = append(steps, evaluations)
		perLog = append(perLog, evaluations/math.Log(float64(n)))
	}
	t.Logf(
		"SAG: exponent %.3f, %.3f without the logarithm", exponent(ns, steps), exponent(ns, perLog),
	)
	assert.InDelta(t, 1, exponent(ns, perLog), 0.15)
	assert.Less(t, exponent(ns, steps), 1.25)

	sizes = []int{250, 500, 1000}
	if long {
		sizes = append(sizes, 2000, 4000, 8000, 16000)
	}
	ns, perLog = nil, nil
	for _, n := range sizes {
		evaluations := float64(n) * float64(
			gradientDescent(t.Context(), complexityObjective(t, n), n, tolerance(n)),
		)
		t.Logf(
			"gradient descent, n = %5d: %11.0f gradients of a record, %.2f n² log n", n,
			evaluations, evaluations/(float64(n)*float64(n)*math.Log(float64(n))),
		)
		ns = append(ns, float64(n))
		perLog = append(perLog, evaluations/math.Log(float64(n)))
	}
	t.Logf("gradient descent: exponent %.3f without the logarithm", exponent(ns, perLog))
	assert.InDelta(t, 2, exponent(ns, perLog), 0.15)

	// A few passes over the records do for Newton's method, however many there are.
	for _, n := range []int{1e3, 1e4} {
		result, err := Newton(
			t.Context(), complexityObjective(t, n), Options{Tolerance: tolerance(n)},
		)
		require.NoError(t, err)
		assert.Less(t, result.Iterations, 20)
	}
}
