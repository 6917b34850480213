package learn_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/solve"
)

// withIndicators is a schema of a number, a logarithmic one and a category, each with an
// indicator of missing values.
func withIndicators() *data.Schema {
	indicate := data.Rule{Action: data.Indicate}
	return &data.Schema{
		Features: []data.Feature{
			{
				Name: "age", Type: data.Numeric, Min: 20, Max: 70, Missing: indicate,
				Provenance: data.Public,
			},
			{
				Name: "dose", Type: data.Numeric, Min: 0, Max: 99, Log: true, Missing: indicate,
				Provenance: data.Public,
			},
			{
				Name: "ward", Type: data.Categorical, Categories: []string{"A", "B"},
				Missing: indicate, Provenance: data.Public,
			},
		},
		Label: data.Label{
			Name: "ill", Negative: []string{"no"}, Positive: []string{"yes"},
			Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip}, Intercept: 0.5,
	}
}

// valuesOfRecords are records of withIndicators with their values, by hand, in the file's units.
var valuesOfRecords = []struct {
	age, dose, ward string
	values          [7]float64
}{
	{"30", "9", "A", [7]float64{30, 0, math.Log1p(9), 0, 1, 0, 0}},
	{"", "9", "B", [7]float64{45, 1, math.Log1p(9), 0, 0, 1, 0}},
	{"70", "", "", [7]float64{70, 0, math.Log1p(99) / 2, 1, 0, 0, 1}},
}

// In the units of the file a record with missing values has the margin of its row: a number
// counts as the middle of its bounds, a logarithm as half the largest.
func TestOriginalsOfMissingValuesGiveTheMargin(t *testing.T) {
	schema := withIndicators()
	theta := []float64{1.5, -0.7, 0.3, 0.9, 2, -1, 0.25, -0.4}
	problem := learn.Problem{Data: &data.Dataset{Schema: schema}, Loss: glm.Logistic{}}
	model := learn.NewModel(problem, math.Inf(1), theta)
	originals, constant := model.Originals(0)
	require.Len(t, originals, 7)
	missing := learn.Original{Feature: "age", Coefficient: -0.7, Unit: "missing"}
	assert.Equal(t, missing, originals[1])
	assert.Equal(t, map[string]any{"feature": "ward", "coefficient": 0.25, "unit": "missing"},
		originals[6].Tree())
	for _, c := range valuesOfRecords {
		record := map[string]string{"age": c.age, "dose": c.dose, "ward": c.ward}
		row, _, err := schema.Encode(record)
		require.NoError(t, err)
		entries := []float64{
			(c.values[0] - 20) / 50, c.values[1], c.values[2] / math.Log1p(99), c.values[3],
			c.values[4], c.values[5], c.values[6],
		}
		square, sum := 0.0, constant
		for j, o := range originals {
			sum += o.Coefficient * c.values[j]
			square += entries[j] * entries[j]
		}
		want := sum/max(1, math.Sqrt(square)) + model.Intercept(0)
		assert.InDelta(t, want, model.Margins(row)[0], 1e-12)
	}
}

// By hand: E‖v‖² is 1/3 + 1/3 + 1 without the indicators, which a centring leaves where they
// are: most values are there, and then they are 0.
func TestPublicCentringLeavesIndicatorsAtZero(t *testing.T) {
	schema := withIndicators()
	c := learn.PublicCentring(schema)
	length := math.Sqrt(5. / 3)
	for j, want := range []float64{0.5, 0, 0.5, 0, 0.5, 0.5, 0} {
		assert.InDelta(t, want/length, c.Mean[j], 1e-15)
	}
	require.NoError(t, c.Check(schema.Dimension()))
	for i := range schema.Features {
		schema.Features[i].Missing = data.Rule{}
	}
	scale := learn.PublicCentring(schema).Scale // of age, dose and two wards
	assert.Equal(t, scale, []float64{c.Scale[0], c.Scale[2], c.Scale[4], c.Scale[5]})
	for _, j := range []int{1, 3, 6} {
		assert.Equal(t, c.Scale[4], c.Scale[j], "an indicator counts as a category does")
	}
}

// A feature's name stands for all columns of its categories, with that of its missing ones;
// a number and its indicator are each asked for by their own name.
func TestColumnsOfMissingValuesAreNamed(t *testing.T) {
	schema := withIndicators()
	schema.Label = data.Label{
		Name: "days", Type: data.NumericLabel, Max: 40, Provenance: data.Public,
	}
	d := schema.Dimension()
	model := learn.NewModel(
		learn.Problem{Data: &data.Dataset{Schema: schema}, Loss: glm.Squared{}}, math.Inf(1),
		make([]float64, d),
	)
	model.Moments = &learn.Moments{
		Matrix: solve.NewPacked(d), Vector: make([]float64, d), Intercept: schema.Intercept,
		MatrixSigma: 1e-9, VectorSigma: 1e-9, SquareSigma: 1e-9, Grid: 0x1p-60,
		Ridge: 1, Square: 9,
	}
	for j := range d {
		model.Moments.Matrix.Row(j)[j] = 5
	}
	for name, want := range map[string][]string{
		"ward":           {"ward=A", "ward=B", "ward is missing"},
		"age":            {"age"},
		"age is missing": {"age is missing"},
	} {
		r, err := model.Regress(learn.Question{
			Columns: []string{name}, Ridge: 1, NoIntercept: true,
		})
		require.NoError(t, err)
		var got []string
		for _, c := range r.Columns {
			got = append(got, c.Name)
		}
		assert.Equal(t, want, got)
	}
	units, err := model.Regress(learn.Question{Target: "age is missing", Ridge: 1})
	require.NoError(t, err)
	assert.Equal(t, "missing", units.InUnits(&schema.Label).TargetUnit)
}

// A release holds its schema: that of version 6 is read again, and refused as another version.
func TestAReleaseOfASchemaWithIndicators(t *testing.T) {
	text, err := json.Marshal(release(t, "public"))
	require.NoError(t, err)
	for version, want := range map[float64]string{
		5: `missing is "indicator"`,
		6: "model.columns is a list: it must be the columns of the schema, in its order",
	} {
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		schema := tree["schema"].(map[string]any)
		schema["version"] = version
		schema["features"].([]any)[0].(map[string]any)["missing"] = "indicator"
		changed, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = learn.ParseRelease(changed)
		assert.ErrorContains(t, err, want)
	}
}

// Where all rows are divided by the same length, the margin is linear in the file's units.
func TestOriginalsOfScaledRowsAreLinear(t *testing.T) {
	schema := withIndicators()
	schema.Rows.Norm = data.Scale
	theta := []float64{1.5, -0.7, 0.3, 0.9, 2, -1, 0.25, -0.4}
	problem := learn.Problem{Data: &data.Dataset{Schema: schema}, Loss: glm.Logistic{}}
	model := learn.NewModel(problem, math.Inf(1), theta)
	originals, constant := model.Originals(0)
	for _, c := range valuesOfRecords {
		record := map[string]string{"age": c.age, "dose": c.dose, "ward": c.ward}
		row, _, err := schema.Encode(record)
		require.NoError(t, err)
		sum := constant + model.Intercept(0)
		for j, o := range originals {
			sum += o.Coefficient * c.values[j]
		}
		assert.InDelta(t, model.Margins(row)[0], sum, 1e-12)
	}
}
