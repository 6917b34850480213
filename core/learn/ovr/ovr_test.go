package ovr_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func threeClasses() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{{Name: "x", Type: data.Numeric, Max: 1, Provenance: data.Public}},
		Label: data.Label{
			Name:       "y",
			Type:       data.SeveralClasses,
			Classes:    [][]string{{"a"}, {"b"}, {"c"}},
			Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip}, Intercept: 0.5,
	}
}

func three(y ...float64) *data.Dataset {
	d := &data.Dataset{
		Schema: threeClasses(),
		X:      &data.Matrix{RowStart: []int{0}, Columns: 2},
		Y:      y,
	}
	for i := range y {
		d.X.Index = append(d.X.Index, 0, 1)
		d.X.Value = append(d.X.Value, float64(i+1)/float64(len(y)+1), 0.5)
		d.X.RowStart = append(d.X.RowStart, len(d.X.Index))
	}
	return d
}

// What the learner is given: the same rows, the class against the rest, the
// plan and the source as they are; what it returns is put in order.
func TestEachClassIsFittedAgainstTheRest(t *testing.T) {
	d := three(0, 2, 1, 2)
	source := randomtest.New(1)
	var seen [][]float64
	learner := func(
		_ context.Context, p learn.Problem, plan float64, from random.Source,
		progress func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		assert.Equal(t, 0.25, plan)
		assert.Equal(t, random.Source(source), from)
		assert.Same(t, d.X, p.Data.X)
		assert.Equal(t, data.TwoClasses, p.Data.Schema.Label.Type)
		require.NoError(t, p.Check(2))
		progress(solve.Progress{Iteration: 7})
		k := float64(len(seen))
		seen = append(seen, p.Data.Y)
		return learn.NewModel(p, 0.5, []float64{k, -k}), &learn.Diagnostics{Iterations: int(k)}, nil
	}
	var told []int
	model, diagnostics, err := ovr.Fit(
		context.Background(),
		learn.Problem{Data: d, Loss: glm.Logistic{}},
		0.25,
		learner,
		source,
		func(p ovr.Progress) {
			assert.Equal(t, 7, p.Iteration)
			told = append(told, p.Class)
		},
	)
	require.NoError(t, err)
	assert.Equal(t, [][]float64{{1, -1, -1, -1}, {-1, -1, 1, -1}, {-1, 1, -1, 1}}, seen)
	assert.Equal(t, []int{0, 1, 2}, told)
	assert.Equal(t, []float64{0, 0, 1, -1, 2, -2}, model.Coefficients)
	assert.Same(t, d.Schema, model.Schema)
	assert.Equal(t, 0.5, model.Clip)
	require.Len(t, diagnostics, 3)
	assert.Equal(t, 2, diagnostics[2].Iterations)
}

func TestWhatCannotBeFitted(t *testing.T) {
	refusal := errors.New("refused")
	calls := 0
	learner := func(
		_ context.Context, p learn.Problem, _ int, _ random.Source, _ func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		if calls++; calls == 2 {
			return learn.Model{}, nil, refusal
		}
		return learn.NewModel(p, 1, []float64{1, 1}), &learn.Diagnostics{}, nil
	}
	fit := func(d *data.Dataset) error {
		model, diagnostics, err := ovr.Fit(
			context.Background(), learn.Problem{Data: d, Loss: glm.Logistic{}}, 0, learner,
			randomtest.New(1), nil,
		)
		if err != nil {
			assert.Empty(t, model.Coefficients)
			assert.Nil(t, diagnostics)
		}
		return err
	}
	assert.ErrorIs(t, fit(three(0, 1, 2)), refusal, "nothing comes of the classes that were fitted")
	assert.Equal(t, 2, calls)
	var row *learn.RowError
	for _, y := range []float64{3, -1, 0.5, math.NaN()} {
		require.ErrorAs(t, fit(three(0, y)), &row)
		assert.Equal(t, 1, row.Row)
	}
	var wrong *privacy.ParameterError
	two := three(0, 1)
	two.Schema.Label = data.Label{
		Name:       "y",
		Negative:   []string{"a"},
		Positive:   []string{"b"},
		Provenance: data.Public,
	}
	require.ErrorAs(t, fit(two), &wrong)
	assert.Equal(t, "label", wrong.Field)
	require.ErrorAs(t, fit(&data.Dataset{X: two.X, Y: two.Y}), &wrong)
}

// The composition has the guarantee, by the price that a release is checked by,
// and is worth having: its noise lies between √K times a Gaussian mechanism's
// and K times that of a single fit.
func TestCalibratedFitsComposeToTheGuarantee(t *testing.T) {
	schema := threeClasses()
	for _, c := range []struct {
		class      privacy.LossClass
		smoothness float64
		epsilon    float64
		classes    int
	}{
		{privacy.LossLogistic, 0.25, 0.1, 3}, {privacy.LossLogistic, 0.25, 1, 3}, {privacy.LossLogistic, 0.25, 8, 10},
		{privacy.LossSigned, 1, 1, 3}, {privacy.LossGLM, 1, 1, 3},
	} {
		if testing.Short() && (c.epsilon != 1 || c.class == privacy.LossGLM) {
			continue // calibration tries many prices
		}
		keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: c.epsilon, Delta: 1e-5}
		request := calibrate.MinimaRequest{
			Guarantee:  keep,
			Loss:       c.class,
			RowNorm:    schema.RowNorm(),
			Smoothness: c.smoothness,
			Dimension:  schema.Dimension(),
		}
		one, err := ovr.Calibrate(request, c.classes)
		require.NoError(t, err)
		require.NoError(t, one.Validate())
		single, err := calibrate.Minima(request)
		require.NoError(t, err)
		k := float64(c.classes)
		gaussian, err := calibrate.Gaussian(c.epsilon, 1e-5, one.Objective.Lipschitz)
		require.NoError(t, err)
		assert.Greater(t, one.Objective.Sigma, gaussian*math.Sqrt(k))
		assert.Less(t, one.Objective.Sigma, single.Objective.Sigma*k)
		if c.epsilon < 1 {
			again, err := ovr.Calibrate(request, c.classes)
			require.NoError(t, err)
			assert.Equal(t, one, again)
		}
		if c.classes != 3 {
			continue
		}
		theta := make([]float64, schema.Dimension())
		loss := map[privacy.LossClass]glm.Loss{
			privacy.LossLogistic: glm.Logistic{}, privacy.LossGLM: glm.Squared{},
			privacy.LossSigned: learntest.Huber(t, 0.5),
		}[c.class]
		var models []learn.Model
		for class := range 3 {
			models = append(
				models,
				learn.NewModel(
					learn.Problem{Data: three(0, 1).AgainstRest(class), Loss: loss},
					one.Objective.Lipschitz, theta,
				),
			)
		}
		joined := learn.Join(schema, models)
		_, err = learn.NewRelease(ovr.Event(one, 3), keep, objective.BoundAuto, joined)
		require.NoError(t, err)
		// Two fits are paid for, three made.
		_, err = learn.NewRelease(ovr.Event(one, 2), keep, objective.BoundAuto, joined)
		var claim *learn.ClaimError
		require.ErrorAs(t, err, &claim)
		assert.Equal(t, "mechanism", claim.Finding.Claim)
		// One fit's price, for three.
		_, err = learn.NewRelease(ovr.Event(single, 3), keep, objective.BoundAuto, joined)
		require.ErrorAs(t, err, &claim)
	}
	_, err := ovr.Calibrate(
		calibrate.MinimaRequest{
			Guarantee: privacy.Guarantee{Adjacency: privacy.ReplaceOne, Epsilon: 1, Delta: 1e-5},
		},
		3,
	)
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "adjacency", wrong.Field)
}
