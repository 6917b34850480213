package methods

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
)

func usually(label data.LabelType, records, epsilon float64) learn.Asked {
	schema := *learntest.Schema(2, 0.5)
	schema.Label.Type = label
	switch label {
	case data.NumericLabel:
		schema.Label.Min, schema.Label.Max = 0, 1
	case data.SeveralClasses:
		schema.Label.Classes = [][]string{{"a"}, {"b"}, {"c"}}
	}
	return learn.Asked{
		Schema: &schema, Loss: learn.DefaultLoss(&schema.Label), Records: records,
		Guarantee: privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove},
	}
}

// The method is that of the table, and the border is where it is said to be.
func TestTheUsualMethodIsOfPublicNumbers(t *testing.T) {
	for _, c := range []struct {
		label            data.LabelType
		records, epsilon float64
		want             string
	}{
		{data.TwoClasses, 0, 0.1, "amp"}, // nothing declared
		{data.TwoClasses, 10, 0.1, "steps"},
		{data.TwoClasses, 9_999, 1, "steps"},
		{data.TwoClasses, 10_000, 1, "amp"},
		{data.TwoClasses, 1_000, 9.9, "steps"},
		{data.TwoClasses, 1_000, 10, "amp"},
		{data.TwoClasses, 1e6, 0.0099, "steps"},
		{data.NumericLabel, 0, 1, "amp"},
		{data.NumericLabel, 10, 0.1, "steps"},
		{data.NumericLabel, 99_999, 1, "steps"},
		{data.NumericLabel, 100_000, 1, "amp"},
		{data.SeveralClasses, 0, 1, "amp"},
		{data.SeveralClasses, 100, 0.1, "steps"},
		{data.SeveralClasses, 99_999, 1, "steps"},
		{data.SeveralClasses, 100_000, 1, "amp"},
	} {
		asked := usually(c.label, c.records, c.epsilon)
		assert.Equal(t, c.want, Usual(asked), "%+v", c)
		asked.Guarantee.Adjacency = privacy.ReplaceOne
		assert.Equal(t, c.want, Usual(asked), "%+v", c)
	}
}

// Rows are scaled for steps towards a number, and for nothing else.
func TestRowsSuitTheFit(t *testing.T) {
	for _, c := range []struct {
		name  string
		label data.LabelType
		norm  data.Norm
		want  data.Norm
	}{
		{"", data.NumericLabel, data.Clip, data.Scale},
		{"steps", data.NumericLabel, data.Clip, data.Scale},
		{"steps", data.NumericLabel, data.Unit, data.Unit},
		{"amp", data.NumericLabel, data.Clip, data.Clip},
		{"suffstats", data.NumericLabel, data.Clip, data.Clip},
		{"", data.TwoClasses, data.Clip, data.Clip},
		{"", data.SeveralClasses, data.Clip, data.Clip},
	} {
		asked := usually(c.label, 1000, 1)
		asked.Schema.Rows.Norm = c.norm
		got := Rows(c.name, asked)
		assert.Equal(t, c.want, got.Rows.Norm, "%+v", c)
		assert.Equal(t, c.norm, asked.Schema.Rows.Norm, "the schema itself stays")
		assert.Equal(t, c.want != c.norm, got != asked.Schema)
	}
}

// What only objective perturbation takes asks for it.
func TestATuningAsksForTheMethodThatTakesIt(t *testing.T) {
	asked := usually(data.TwoClasses, 1000, 1)
	asked.Tuning.Bound = objective.BoundAuto
	assert.Equal(t, "steps", Usual(asked))
	fit, err := Choose("", asked)
	require.NoError(t, err)
	assert.IsType(t, privacy.GradientDescent{}, fit.Event)
	for _, tuning := range []learn.Tuning{
		{Bound: objective.BoundProfile}, {Clip: 1}, {Lambda: 1}, {Radius: 1}, {Tau: 1},
	} {
		asked.Tuning = tuning
		assert.Equal(t, "amp", Usual(asked))
	}
	asked = usually(data.TwoClasses, 1000, 1)
	asked.Loss = glm.Squared{}
	assert.Equal(t, "amp", Usual(asked), "measured for the usual loss alone")
	asked = usually(data.SeveralClasses, 1000, 1)
	asked.Loss = glm.Logistic{}
	assert.Equal(t, "amp", Usual(asked), "one against the rest")
}

// A fit without a name is the fit that has the usual name, and so are its trials.
func TestAFitWithoutANameIsTheUsualOne(t *testing.T) {
	for _, c := range []struct {
		label   data.LabelType
		records float64
	}{{data.TwoClasses, 0}, {data.TwoClasses, 2_000}, {data.SeveralClasses, 20_000}} {
		records := c.records
		asked := usually(c.label, records, 1)
		trials, err := Trials("", asked)
		require.NoError(t, err)
		for _, epsilon := range []float64{0.5, 4.9, 5.1} {
			asked.Guarantee.Epsilon = epsilon
			want := "amp"
			if records > 0 && epsilon < 5 {
				want = "steps"
			}
			got, err := Choose("", asked)
			require.NoError(t, err)
			named, err := Choose(want, asked)
			require.NoError(t, err)
			assert.Equal(t, named.Event, got.Event)
			trial, err := trials(epsilon)
			require.NoError(t, err)
			if c.label == data.SeveralClasses && want == "amp" {
				assert.Nil(t, trial.Steps, "estimated, and so of about as much noise")
				continue
			}
			expected, err := named.Trial()
			require.NoError(t, err)
			assert.Equal(t, expected, trial)
		}
	}
}
