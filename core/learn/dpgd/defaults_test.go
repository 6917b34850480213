package dpgd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// Of numbers on rows that lie in nearly one direction the steps come to rest: with hardly
// any noise they explain nearly all that there is.
func TestTheDefaultsComeToRestOnNumbers(t *testing.T) {
	schema := *learntest.Schema(2, 0.5)
	schema.Label.Type, schema.Label.Min, schema.Label.Max = data.NumericLabel, -1, 1
	source := randomtest.New(3)
	var rows [][]float64
	var y []float64
	squares := 0.0
	for range 400 {
		a, b := learntest.Uniform(source), learntest.Uniform(source)
		rows = append(rows, []float64{0.5 + 0.2*a, 0.5 + 0.2*b, 0.5})
		y = append(y, 0.5*(a-b)+0.3)
		squares += 0.25 * (a - b) * (a - b)
	}
	problem := learntest.Problem(&schema, rows, y)
	problem.Loss = glm.Squared{}
	guarantee := privacy.Guarantee{Epsilon: 50, Delta: 1e-5, Adjacency: privacy.AddRemove}
	plan, err := Defaults(&schema, glm.Squared{}, guarantee, 400).Plan()
	require.NoError(t, err)
	model, _, err := Fit(t.Context(), problem, plan, randomtest.New(5), nil)
	require.NoError(t, err)
	errors := 0.0
	for i, row := range rows {
		off := learntest.Dot(row, model.Coefficients) - y[i]
		errors += off * off
	}
	assert.Less(t, errors, 0.3*squares)
}
