package expect

import (
	"fmt"
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
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// What is simulated is what the learners do: on the same records, they lose as
// much on average.
func TestAsTheLearners(t *testing.T) {
	nativetest.Only(t)
	// The budget of each, so that it learns something of 600 records.
	asTheLearners(t, two, glm.Logistic{}, map[string]float64{"amp-paper": 2, "outpert": 8})
	asTheLearners(t, number, glm.Squared{}, map[string]float64{
		"amp-paper": 20, "outpert": 200, "dpsgd": 3,
	})
	asTheLearners(t, several, glm.Softmax{}, map[string]float64{"amp": 4})
	asTheLearners(t, several, glm.Logistic{}, map[string]float64{"amp": 4})
}

func asTheLearners(t *testing.T, label data.Label, loss glm.Loss, budget map[string]float64) {
	const records, runs = 600, 25
	s := mixed(label)
	stream := seeded.New("test/records")
	p := draw(stream, s)
	x, scores := p.records(stream, records)
	test := &fresh{kind: label.Type, truth: truth{Signal: Medium}}
	test.x, test.scores = p.records(stream, tested)
	d := &data.Dataset{Schema: s, X: x, Y: test.labels(stream, label.Type, scores)}
	problem := learn.Problem{Data: d, Loss: loss}
	for _, m := range methods.For(label.Type) {
		if methods.CheckLoss(m, loss, &s.Label) != nil ||
			methods.CheckAdjacency(m, privacy.AddRemove) != nil {
			continue
		}
		epsilon := 1.0
		if own, ok := budget[m.Name]; ok {
			epsilon = own
		}
		name := fmt.Sprintf("%T by %s", loss, m.Name)
		chosen, err := methods.Choose(
			m.Name,
			learn.Asked{Schema: s, Loss: loss, Guarantee: guaranteed(epsilon), Records: records},
		)
		require.NoError(t, err, name)
		trial, err := chosen.Trial()
		if m.Name == "outptr" || m.Name == "ops-ptr" {
			require.Error(t, err, name) // the data themselves choose its noise
			continue
		}
		require.NoError(t, err, name)
		f := fits{ctx: t.Context(), loss: loss, share: 1, norm: s.RowNorm(), all: d}
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
			there = append(there, test.score(vectors(model.Coefficients, model.Vectors())))
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
	f.Sigma *= factor
	f.Out *= factor
	if f.Steps != nil {
		steps := *f.Steps
		steps.Sigmas = make([]float64, len(steps.Sigmas))
		for t, sigma := range f.Steps.Sigmas {
			steps.Sigmas[t] = factor * sigma
		}
		f.Steps = &steps
	}
	if f.Moments != nil {
		moments := *f.Moments
		moments.MatrixSigma *= factor
		moments.VectorSigma *= factor
		f.Moments = &moments
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
