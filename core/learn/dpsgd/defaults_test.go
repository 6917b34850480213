package dpsgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// The defaults keep what they promise, and with a thousandth less noise would
// not; q, b and T follow from the number of records that is given.
func TestDefaults(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	for _, c := range []struct{ records, rate float64 }{
		{1, 0.5}, {300, 0.5}, {512, 0.5}, {1024, 0.25}, {5120, 0.05}, {1e9, 0.05},
	} {
		for _, epsilon := range []float64{0.1, 1, 10} {
			plan, err := Defaults(schema, glm.Logistic{}, guaranteed(epsilon), c.records)
			require.NoError(t, err)
			assert.Equal(t, c.rate, plan.Rate)
			assert.Equal(t, c.rate*c.records, plan.Batch)
			assert.Equal(t, 1000, plan.Steps)
			event, err := plan.Event()
			require.NoError(t, err)
			for _, less := range []struct {
				factor float64
				keeps  bool
			}{{1, true}, {0.999, false}} {
				event.NoiseMultiplier = plan.NoiseMultiplier * less.factor
				price, err := account.Of(event, account.Auto, pld.Options{Accuracy: 1e-4})
				require.NoError(t, err)
				delta, err := curve.DeltaUpper(price, epsilon)
				require.NoError(t, err)
				assert.Equal(
					t, less.keeps, delta <= 1e-5, "ε = %g, factor %g", epsilon, less.factor,
				)
			}
		}
	}
}

// A wrong number of records changes q or the step, and the price covers it: what
// is released is what the event says.
func TestDefaultsFitWithAWrongNumberOfRecords(t *testing.T) {
	nativetest.Only(t)
	for _, records := range []float64{3, 300, 1e7} {
		for _, loss := range learntest.Losses(t) {
			problem := learntest.Clinic()
			problem.Loss = loss
			plan, err := Defaults(problem.Data.Schema, loss, guaranteed(1), records)
			require.NoError(t, err)
			model, _, err := Fit(t.Context(), problem, plan, randomtest.New(1), nil)
			require.NoError(t, err, "%g records, %T", records, loss)
			event, err := plan.Event()
			require.NoError(t, err)
			_, err = learn.NewRelease(event, guaranteed(1), objective.BoundAuto, model)
			require.NoError(t, err)
		}
	}
}

// With the right number the clinic is learnt: 300 records of which the best line
// has two thirds right.
func TestDefaultsLearn(t *testing.T) {
	problem := learntest.Clinic()
	plan, err := Defaults(problem.Data.Schema, problem.Loss, guaranteed(4), 300)
	require.NoError(t, err)
	right := 0.0
	for seed := range 8 {
		model, _, err := Fit(t.Context(), problem, plan, randomtest.New(uint64(seed)), nil)
		require.NoError(t, err)
		right += model.Evaluate(problem.Data).Accuracy() / 8
	}
	assert.Greater(t, right, 0.68)
}

func TestDefaultsRefuse(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	number := *schema
	number.Label = data.Label{Name: "y", Type: data.NumericLabel, Max: 1, Provenance: data.Public}
	for _, c := range []struct {
		field   string
		schema  *data.Schema
		keep    privacy.Guarantee
		records float64
	}{
		{"records", schema, guaranteed(1), 0},
		{"records", schema, guaranteed(1), math.Inf(1)},
		{"records", schema, guaranteed(1), math.NaN()},
		{"epsilon", schema, guaranteed(0), 300},
		{"adjacency", schema, privacy.Guarantee{Epsilon: 1, Delta: 1e-5}, 300},
		{"adjacency", schema, privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.ReplaceOne}, 300},
		{"loss", &number, guaranteed(1), 300},
	} {
		_, err := Defaults(c.schema, glm.Logistic{}, c.keep, c.records)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, c.field)
		assert.Equal(t, c.field, parameter.Field)
	}
}
