package expect

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/methods"
)

// What is simulated is what the learners do: on the same records, they lose as
// much on average.
func TestAsTheLearners(t *testing.T) {
	if testing.Short() {
		t.Skip("run whole: what is computed does not differ by platform, and takes long")
	}
	const records, runs = 600, 25
	s := mixed(two)
	loss := glm.Logistic{}
	stream := seeded.New("test/records")
	p := draw(stream, s)
	x, scores := p.records(stream, records)
	test := &fresh{kind: data.TwoClasses, signal: Medium}
	test.x, test.scores = p.records(stream, tested)
	d := &data.Dataset{Schema: s, X: x, Y: Medium.labels(stream, data.TwoClasses, scores)}
	require.NoError(t, learn.CheckRows(d, s.RowNorm()))
	problem := learn.Problem{Data: d, Loss: loss}

	// The budget of each, so that it learns something of 600 records.
	budget := map[string]float64{"amp-paper": 2, "outpert": 8}
	for _, m := range methods.For(data.TwoClasses) {
		name, epsilon := m.Name, 1.0
		if own, ok := budget[name]; ok {
			epsilon = own
		}
		chosen, err := methods.Choose(
			name,
			learn.Asked{Schema: s, Loss: loss, Guarantee: guaranteed(epsilon), Records: records},
		)
		require.NoError(t, err, name)
		trial, err := chosen.Trial()
		if name == "outptr" { // the data themselves choose its noise
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, name)
		f := fits{ctx: t.Context(), loss: loss, share: 1, norm: s.RowNorm(), on: []*data.Dataset{d}}
		score := func(fit learn.Trial, stream string) (out sample) {
			for run := range runs {
				theta, err := f.fit(fit, seeded.New("test/"+stream+"/"+strconv.Itoa(run)))
				require.NoError(t, err, name)
				out = append(out, test.score(theta))
			}
			return out
		}
		var there sample
		for run := range runs {
			model, _, err := chosen.Fit(
				t.Context(), problem, seeded.New("test/noise/"+strconv.Itoa(run)), learn.Watch{},
			)
			require.NoError(t, err, name)
			there = append(there, test.score([][]float64{model.Coefficients}))
		}
		here := score(trial, "noise")
		t.Logf(
			"%s: %.4f ± %.4f here, %.4f ± %.4f there", name, here.mean(), here.error(),
			there.mean(), there.error(),
		)
		assert.InDelta(
			t, there.mean(), here.mean(), 4*math.Hypot(here.error(), there.error()), name,
		)
		// Four times the noise would be noticed.
		other := score(louder(trial, 4), "other")
		assert.Greater(
			t, there.mean()-other.mean(), 4*math.Hypot(other.error(), there.error()), name,
		)
	}
}

// louder is the fit with its noise multiplied.
func louder(f learn.Trial, factor float64) learn.Trial {
	if f.Sigma == 0 {
		f.Out *= factor
	}
	f.Sigma *= factor
	if f.Steps != nil {
		steps := *f.Steps
		steps.Sigmas = make([]float64, len(steps.Sigmas))
		for t, sigma := range f.Steps.Sigmas {
			steps.Sigmas[t] = factor * sigma
		}
		f.Steps = &steps
	}
	return f
}

// A step takes so many of m rows that the choice of them is worth that of n.
func TestInStep(t *testing.T) {
	assert.Equal(t, 600, inStep(600, 600, 1))
	assert.Equal(t, 300, inStep(600, 600, 0.5), "as many as are expected")
	assert.Equal(t, 2500, inStep(2500, 1e9, 0.05), "of very many, choice is no matter")
	for _, c := range []struct{ n, q float64 }{{10_000, 0.05}, {2_500, 0.25}} {
		k := float64(inStep(2_500, c.n, c.q))
		assert.InDelta(t, (1-c.q)/(c.q*c.n), 1/k-1/2_500.0, 1e-5)
	}
}
