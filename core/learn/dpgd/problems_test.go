package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// schemaOf has n public numeric features from 0 to 1, and intercept kappa.
func schemaOf(n int, kappa float64) *data.Schema {
	s := &data.Schema{
		Label:     data.Label{Name: "y", Negative: []string{"no"}, Positive: []string{"yes"}, Provenance: data.Public},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: kappa,
	}
	for j := range n {
		s.Features = append(s.Features, data.Feature{Name: "x" + string(rune('A'+j)), Type: data.Numeric, Max: 1, Provenance: data.Public})
	}
	return s
}

// problemOf is the logistic problem of dense rows, whose last entry is κ if
// the schema has one.
func problemOf(schema *data.Schema, x [][]float64, y []float64) learn.Problem {
	m := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	for _, row := range x {
		for j, v := range row {
			if v != 0 {
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, v)
			}
		}
		m.RowStart = append(m.RowStart, len(m.Index))
	}
	return learn.Problem{Data: &data.Dataset{Schema: schema, X: m, Y: y}, Loss: glm.Logistic{}}
}

func uniform(source *randomtest.Seeded) float64 {
	word, _ := source.Uint64()
	return float64(word>>11) * 0x1p-53
}

func gaussians(t testing.TB, source random.Source, n int) []float64 {
	draws := make([]float64, n)
	require.NoError(t, random.Gaussian(source, draws, 1))
	return draws
}

func lengthOf(x []float64) float64 {
	length := 0.0
	for _, v := range x {
		length = math.Hypot(length, v)
	}
	return length
}

// What could not be released is not fitted.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	problem := problemOf(schemaOf(2, 0.5), [][]float64{{0.2, 0.1, 0.5}}, []float64{1})
	numeric := *problem.Data.Schema
	numeric.Label = data.Label{Name: "y", Type: data.NumericLabel, Max: 1, Provenance: data.Public}
	plan := auditPlan(t, privacy.AddRemove, 1)
	for name, p := range map[string]learn.Problem{
		"logistic of a number": {Data: &data.Dataset{Schema: &numeric, X: problem.Data.X, Y: problem.Data.Y}, Loss: glm.Logistic{}},
		"none":                 {Data: problem.Data},
	} {
		_, _, err := Fit(t.Context(), p, plan, &randomtest.Script{}, nil)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "loss", wrong.Field, name)
	}
}
