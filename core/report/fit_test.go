package report

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// reportedFit is the release of a fit, what a report takes from it, and the noise of its
// objective.
func reportedFit(
	t testing.TB, problem learn.Problem, event privacy.ApproximateMinima,
	guarantee privacy.Guarantee, source random.Source,
) (release *learn.Release, m Mechanism, b []float64) {
	t.Helper()
	model, _, err := amp.Fit(
		t.Context(), problem, event, source, nil,
		amp.Noise(func(noise []float64) { b = append(b, noise...) }),
	)
	require.NoError(t, err)
	release, err = learn.NewRelease(event, guarantee, objective.BoundAuto, model)
	require.NoError(t, err)
	m, err = MechanismOf(release)
	require.NoError(t, err)
	return release, m, b
}

// Reports of the learner's own releases: θ*, solved for anew from the noise that
// the fit hands over, is where the output step says, and the bounds hold for the
// exact losses there.
func TestReportsOfRealFits(t *testing.T) {
	problem := learntest.Clinic()
	schema := problem.Data.Schema
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	event, err := calibrate.Minima(amp.Request(schema, guarantee, objective.BoundAuto))
	require.NoError(t, err)
	o := event.Objective
	d := o.Dimension
	all := sample{y: problem.Data.Y}
	for i := range problem.Data.X.Rows() {
		x := make([]float64, d)
		row := problem.Data.X.Row(i)
		for k, j := range row.Index {
			x[j] = row.Value[k]
		}
		all.x = append(all.x, x)
	}
	c := lossCase{"clipped", problem.Loss, o.Lipschitz}
	source := randomtest.New(12)
	bounds, failed, narrower := 0, 0, 0
	for range 20 {
		release, m, b := reportedFit(t, problem, event, guarantee, source)
		theta := all.minimiser(t, c.loss, c.clip, o.Lambda, b)
		distance := 0.0
		for j, v := range theta {
			distance = math.Hypot(distance, v-m.Theta[j])
		}
		assert.Less(t, distance, m.radius(1e-10))
		assert.Greater(t, distance, m.Output.Sigma/10) // there is an output step

		plan, err := Calibrate(m, guarantee, Shares{Gradient: 6, Hessian: 1, Least: 1})
		require.NoError(t, err)
		p, err := Release(m, plan, problem, b, source)
		require.NoError(t, err)
		free, err := New(release, Published{}, 0.01, Scope{Everybody: true})
		require.NoError(t, err)
		paid, err := New(release, p, 0.01, Scope{Everybody: true})
		require.NoError(t, err)
		one, err := Open(release, free)
		require.NoError(t, err)
		two, err := Open(release, paid)
		require.NoError(t, err)
		exact := exactAt(t, all, c, o.Lambda, o.Sigma, theta)
		losses, err := Losses(t.Context(), m, problem, b)
		require.NoError(t, err)
		for i, x := range all.x {
			truth := exact.Loss(recordOf(t, c, x, all.y[i], theta), true)
			assert.InDelta(t, truth, losses[i], 1e-5)
			first, err := one.Row(problem.Data.X.Row(i), all.y[i])
			require.NoError(t, err)
			second, err := two.Row(problem.Data.X.Row(i), all.y[i])
			require.NoError(t, err)
			for _, r := range []Range{first.In, second.In} {
				bounds++
				if truth < r.Low || truth > r.High {
					failed++
				}
			}
			if second.In.High-second.In.Low < first.In.High-first.In.Low {
				narrower++
			}
		}
	}
	assert.Zero(t, failed) // all bounds of a fit hold together but for 1 %
	assert.Greater(t, narrower, bounds/4)
}

// All of Adult's true losses, in a time that a page can wait.
func TestLossesOfAdult(t *testing.T) {
	if testing.Short() {
		t.Skip("reads and fits all of Adult")
	}
	t.Chdir("matrix") // as deep as those that learntest is made for
	dataset := learntest.Adult(t, learntest.AdultSchema(t))
	problem := learn.Problem{Data: dataset, Loss: glm.Logistic{}}
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	event, err := calibrate.Minima(amp.Request(dataset.Schema, guarantee, objective.BoundAuto))
	require.NoError(t, err)
	var b []float64
	model, _, err := amp.Fit(
		t.Context(), problem, event, randomtest.New(1), nil,
		amp.Noise(func(noise []float64) { b = append(b, noise...) }),
	)
	require.NoError(t, err)
	m, err := NewMechanism(event, problem.Loss, model.Coefficients)
	require.NoError(t, err)
	start := time.Now()
	losses, err := Losses(t.Context(), m, problem, b)
	require.NoError(t, err)
	took := time.Since(start)
	reader, err := NewReader(m, Published{}, 0.01, Scope{People: 1})
	require.NoError(t, err)
	start = time.Now()
	failed, most, sum := 0, 0.0, 0.0
	for i, loss := range losses {
		bound, err := reader.Row(dataset.X.Row(i), dataset.Y[i])
		require.NoError(t, err)
		if loss < bound.In.Low || loss > bound.In.High {
			failed++
		}
		most, sum = math.Max(most, math.Abs(loss)), sum+math.Abs(loss)
	}
	t.Logf(
		"%d losses in %v, bounds in %v; mean %.3f, largest %.3f, ε = 1; outside their bounds %d",
		len(losses), took, time.Since(start), sum/float64(len(losses)), most, failed,
	)
	assert.Less(t, failed, len(losses)/20)
}
