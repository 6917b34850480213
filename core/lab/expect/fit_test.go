package expect

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
)

// What is simulated is what the learners do: on the same records, they lose as
// much on average.
func TestAsTheLearners(t *testing.T) {
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

	minima, err := account.CalibrateMinima(amp.Defaults(s, loss, guaranteed(1), account.BoundAuto))
	require.NoError(t, err)
	published, err := amp.Paper(s, loss, guaranteed(2))
	require.NoError(t, err)
	output, err := outpert.Request{Guarantee: guaranteed(8), Loss: loss, Dimension: s.Dimension(), RowNorm: s.RowNorm(), Records: records}.Plan()
	require.NoError(t, err)
	descent, err := dpgd.Defaults(s, loss, guaranteed(1), records).Plan()
	require.NoError(t, err)
	sampled, err := dpsgd.Defaults(s, loss, guaranteed(1), records)
	require.NoError(t, err)
	descentFit, err := Descent(descent)
	require.NoError(t, err)
	sampledFit, err := Sampled(sampled, s.Dimension())
	require.NoError(t, err)
	minimise := func(event privacy.ApproximateMinima) func(*seeded.Stream) (learn.Model, *learn.Diagnostics, error) {
		return func(noise *seeded.Stream) (learn.Model, *learn.Diagnostics, error) {
			return amp.Fit(t.Context(), problem, event, noise, nil)
		}
	}
	for name, c := range map[string]struct {
		fit   Fit
		learn func(*seeded.Stream) (learn.Model, *learn.Diagnostics, error)
	}{
		"amp":       {Minima(minima), minimise(minima)},
		"amp-paper": {Minima(published), minimise(published)},
		"outpert": {Output(output), func(noise *seeded.Stream) (learn.Model, *learn.Diagnostics, error) {
			return outpert.Fit(t.Context(), problem, output, noise, nil)
		}},
		"dpgd": {descentFit, func(noise *seeded.Stream) (learn.Model, *learn.Diagnostics, error) {
			return dpgd.Fit(t.Context(), problem, descent, noise, nil)
		}},
		"dpsgd": {sampledFit, func(noise *seeded.Stream) (learn.Model, *learn.Diagnostics, error) {
			return dpsgd.Fit(t.Context(), problem, sampled, noise, nil)
		}},
	} {
		f := fits{ctx: t.Context(), loss: loss, share: 1, norm: s.RowNorm(), on: []*data.Dataset{d}}
		score := func(fit Fit, stream string) (out sample) {
			for run := range runs {
				theta, err := f.fit(fit, seeded.New("test/"+stream+"/"+strconv.Itoa(run)))
				require.NoError(t, err, name)
				out = append(out, test.score(theta))
			}
			return out
		}
		var there sample
		for run := range runs {
			model, _, err := c.learn(seeded.New("test/noise/" + strconv.Itoa(run)))
			require.NoError(t, err, name)
			there = append(there, test.score([][]float64{model.Coefficients}))
		}
		here := score(c.fit, "noise")
		t.Logf("%s: %.4f ± %.4f here, %.4f ± %.4f there", name, here.mean(), here.error(), there.mean(), there.error())
		assert.InDelta(t, there.mean(), here.mean(), 4*math.Hypot(here.error(), there.error()), name)
		// Four times the noise would be noticed.
		other := score(c.fit.louder(4), "other")
		assert.Greater(t, there.mean()-other.mean(), 4*math.Hypot(other.error(), there.error()), name)
	}
}

// louder is the fit with its noise multiplied.
func (f Fit) louder(factor float64) Fit {
	if f.sigma == 0 {
		f.out *= factor
	}
	f.sigma *= factor
	if f.descent != nil {
		d := *f.descent
		d.sigmas = make([]float64, len(d.sigmas))
		for t, sigma := range f.descent.sigmas {
			d.sigmas[t] = factor * sigma
		}
		f.descent = &d
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

func TestAPlanThatATrialDoesNotKnowIsRefused(t *testing.T) {
	plan, err := dpsgd.Defaults(mixed(two), glm.Logistic{}, guaranteed(1), 600)
	require.NoError(t, err)
	for field, spoil := range map[string]func(*dpsgd.Plan){
		"optimiser.method": func(p *dpsgd.Plan) { p.Optimiser = dpsgd.NewAdam(0.1) },
		"average":          func(p *dpsgd.Plan) { p.Average = 10 },
	} {
		bad := plan
		spoil(&bad)
		_, err := Sampled(bad, 5)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, field, parameter.Field)
	}
	for field, plan := range map[string]dpgd.Plan{"lambda": {Lambda: 1}, "radius": {Radius: 1}} {
		_, err := Descent(plan)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, field, parameter.Field)
	}
}
