package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// matrices are what a plan's matrices release, all but without noise.
func matrices(
	t testing.TB, m Mechanism, s sample, source random.Source,
) (below, rest *solve.Packed) {
	t.Helper()
	sigma := m.hessianNorm() / 512 // the least that the lattice allows is some 1000th
	p, err := Release(
		m, Plan{Hessian: sigma, Rest: true},
		learntest.Problem(learntest.Schema(len(m.Theta), 0), s.x, s.y), nil, source,
	)
	require.NoError(t, err)
	return p.Hessian, p.Rest
}

func hessianAt(t testing.TB, s sample, c lossCase, theta []float64) *solve.Packed {
	h := solve.NewPacked(len(theta))
	s.part(t, c.loss, c.clip).Derivatives(theta, make([]float64, len(theta)), h)
	return h
}

// What is released from below is below the Hessian at θ*, wherever the output step
// came from; and with the rest it is the Hessian at Theta. It is short of it by no
// more with many columns than with a few.
func TestHessianFromBelow(t *testing.T) {
	for _, d := range []int{3, 40} {
		source := randomtest.New(uint64(d))
		s := draw(t, source, 600, d, false)
		c := lossCase{"clipped", glm.Logistic{}, 0.55}
		x := trial{c: c, lambda: 1, sigma: 2, amp: true}
		b := make([]float64, d)
		require.NoError(t, random.Gaussian(source, b, x.sigma))
		star := s.minimiser(t, c.loss, c.clip, x.lambda, b)
		over, narrow := 0, 0
		for range 10 {
			theta, err := learn.AddLatticeNoise(star, 0x1p-5, 0x1p-30, source)
			require.NoError(t, err)
			m, err := NewMechanism(x.event(d), c.loss, theta)
			require.NoError(t, err)
			noise := 4 * math.Sqrt(float64(d)) * m.hessianNorm() / 512 * math.Sqrt2
			exceeds := func(a, b *solve.Packed) bool { // a ⪯ b not so, by more than the noise
				less := solve.NewPacked(d)
				for k := range less.At {
					less.At[k] = b.At[k] - a.At[k]
				}
				e, err := solve.Decompose(less)
				require.NoError(t, err)
				return e.Values[0] < -noise
			}
			below, rest := matrices(t, m, s, source)
			if exceeds(below, hessianAt(t, s, c, star)) {
				over++
			}
			whole := solve.NewPacked(d)
			for k := range whole.At {
				whole.At[k] = below.At[k] + rest.At[k]
			}
			at := hessianAt(t, s, c, theta)
			assert.False(t, exceeds(whole, at) || exceeds(at, whole))
			// A hundredth of the window is not enough.
			m.Output.Sigma /= 100
			below, _ = matrices(t, m, s, source)
			if exceeds(below, hessianAt(t, s, c, star)) {
				narrow++
			}
		}
		t.Logf("d = %d: above the Hessian in %d of 10, with a narrow window in %d", d, over, narrow)
		assert.Zero(t, over)
		assert.Greater(t, narrow, 2)
	}
	m := mechanism(t)
	m.Output = OutputStep{Shift: 1e-6, Sigma: 1}
	few := m.radius(1e-10)
	m.Theta = make([]float64, 7)
	seven := m.radius(1e-10)
	m.Theta = make([]float64, 8)
	eight := m.radius(1e-10)
	m.Theta = make([]float64, 200)
	assert.Less(t, m.radius(1e-10), few*1.15)
	assert.Less(t, seven, eight)
	assert.Equal(t, eight, m.radius(1e-10), "from 8 columns on it does not grow")
}

// A record moves all that a plan releases by no more than its events say: what two
// data sets that differ in it come to with one and the same noise.
func TestEventsCoverEveryRecord(t *testing.T) {
	const d = 3
	source := randomtest.New(8)
	s := draw(t, source, 30, d, false)
	c := lossCase{"clipped", glm.Logistic{}, 0.5}
	x := trial{c: c, lambda: 1, sigma: 2, amp: true}
	theta := []float64{0.8, -0.5, 0.3}
	m, err := NewMechanism(x.event(d), c.loss, theta)
	require.NoError(t, err)
	m.Output.Sigma = 0.02
	plan := Plan{Hessian: 0.25, Rest: true, Scores: 0.25}
	release := func(s sample) Published {
		p, err := Release(
			m, plan, learntest.Problem(learntest.Schema(d, 0), s.x, s.y), nil, randomtest.New(1),
		)
		require.NoError(t, err)
		return p
	}
	moved := func(a, b *solve.Packed) (square float64) { // the GOE norm, squared
		for i := range d {
			for j := range i + 1 {
				by := a.Row(i)[j] - b.Row(i)[j]
				if square += by * by; i == j {
					square -= by * by / 2
				}
			}
		}
		return square
	}
	events, err := plan.Events(m)
	require.NoError(t, err)
	without := release(s)
	most, twice, both := 0.0, 0.0, 0
	more := draw(t, source, 400, d, false)
	for i, row := range more.x {
		length := math.Sqrt(inner(row, row))
		for j := range row {
			row[j] *= (1 - 1e-12) / length
		}
		with := release(s.with(row, more.y[i]))
		below, rest := moved(with.Hessian, without.Hessian), moved(with.Rest, without.Rest)
		if below > 1e-4 && rest > 1e-4 {
			both++
		}
		most = math.Max(most, math.Sqrt(below+rest))
		assert.LessOrEqual(t, math.Sqrt(below+rest), events[0].Sensitivity)
		assert.LessOrEqual(t, math.Sqrt(moved(with.Scores, without.Scores)), events[1].Sensitivity)
		// Were the Hessian at Theta released beside that from below, the two would move further.
		whole := solve.NewPacked(d)
		for k := range whole.At {
			whole.At[k] = with.Hessian.At[k] + with.Rest.At[k] - without.Rest.At[k]
		}
		twice = math.Max(twice, math.Sqrt(below+moved(whole, without.Hessian)))
	}
	t.Logf(
		"moved by %.4f at most, of %.4f that the event says; %.4f if not split; %d in both", most,
		events[0].Sensitivity, twice, both,
	)
	assert.Greater(t, most, 0.95*events[0].Sensitivity)
	assert.Greater(t, twice, 1.2*events[0].Sensitivity)
	assert.Greater(t, both, 20)
}
