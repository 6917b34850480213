package report

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/random/randomtest"
)

// blocksOf are the blocks of a problem's data set as data sets of their own.
func blocksOf(problem learn.Problem) (out []learn.Problem) {
	first := 0
	for _, end := range problem.Data.Ends {
		var rows []int
		for i := first; i < end; i++ {
			rows = append(rows, i)
		}
		out = append(out, learn.Problem{Data: problem.Data.Select(rows), Loss: problem.Loss})
		first = end
	}
	return out
}

// Records in blocks give what they give in one, whoever has which and on any number of processors:
// what is released to the last bit, and the losses of the same optimum.
func TestBlocksThatOthersHaveGiveTheSame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const d, n = 4, 9001
	source := randomtest.New(3)
	s := draw(t, source, n, d, false)
	problem := learntest.Problem(learntest.Schema(d, 0), s.x, s.y)
	once := problem
	whole := *problem.Data
	whole.Ends = []int{0, 700, 701, 8500, 8500, n}
	problem.Data = &whole
	c := lossCases(t)[1]
	x := trial{all: s, c: c, lambda: 2, sigma: 2, amp: true}
	b := []float64{1, -2, 0.5, 3}
	theta := s.minimiser(t, c.loss, c.clip, x.lambda, b)
	for j := range theta {
		theta[j] += 0x1p-12
	}
	m, err := NewMechanism(x.event(d), c.loss, theta)
	require.NoError(t, err)
	problem.Loss, once.Loss = c.loss, c.loss
	for _, plan := range []Plan{
		{Gradient: 1},
		{Gradient: 1, Hessian: 1},
		{Hessian: 1, Least: 1},
		{Gradient: 1, Hessian: 1, Least: 1, Scores: 1, Rest: true},
	} {
		want, err := Release(m, plan, once, b, randomtest.New(1))
		require.NoError(t, err)
		for _, processors := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(processors)
			have, err := Release(m, plan, problem, b, randomtest.New(1))
			require.NoError(t, err)
			require.Equal(t, want, have, "%+v on %d", plan, processors)
		}
		var sums [][]float64
		for _, block := range blocksOf(problem) {
			more, err := Sums(m, plan, block)
			require.NoError(t, err)
			require.Len(t, more, 1)
			sums = append(more, sums...) // in any order
		}
		have, err := ReleaseSums(m, plan, sums, b, randomtest.New(1))
		require.NoError(t, err)
		require.Equal(t, want, have)
		if plan.Hessian > 0 {
			other, err := ReleaseSums(m, plan, sums[1:], b, randomtest.New(1))
			require.NoError(t, err)
			assert.NotEqual(t, want.Hessian, other.Hessian)
			assert.Panics(t, func() {
				_, _ = ReleaseSums(m, plan, [][]float64{sums[0][1:]}, b, randomtest.New(1))
			})
		}
		assert.Panics(t, func() {
			_, _ = ReleaseSums(m, plan, [][]float64{append(sums[0], 0)}, b, randomtest.New(1))
		})
	}

	want, err := Losses(t.Context(), m, problem, b)
	require.NoError(t, err)
	require.Len(t, want, n)
	o, err := FindOptimum(t.Context(), m, problem, b)
	require.NoError(t, err)
	var have []float64
	for _, block := range blocksOf(problem) {
		own := OptimumFrom(m, o.Numbers())
		require.NotNil(t, own)
		have = append(have, own.Losses(block.Data)...)
	}
	assert.Equal(t, want, have)
	assert.Nil(t, OptimumFrom(m, o.Numbers()[1:]))
	numbers := o.Numbers()
	OptimumFrom(m, numbers).Clear()
	o.Clear()
	for _, cleared := range [][]float64{numbers, o.Numbers(), o.exact.factor.At} {
		assert.Equal(t, make([]float64, len(cleared)), cleared)
	}
	assert.NotContains(t, m.Theta, 0.0, "the model is nobody's secret")
	inOne, err := Losses(t.Context(), m, once, b)
	require.NoError(t, err)
	assert.InDeltaSlice(t, want, inOne, 1e-6) // as the optimum is found
}
