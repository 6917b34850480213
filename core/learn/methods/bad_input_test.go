package methods

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/learn/ops"
	"cloister/core/learn/suffstats"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// numbers are the methods for numbers that are made of moments, posterior samples and output
// perturbation, each with the neighbours it is for.
var numbers = map[string]privacy.Adjacency{
	"suffstats": privacy.AddRemove, "ops-ptr": privacy.AddRemove, "ops": privacy.ReplaceOne,
	"outpert": privacy.AddRemove,
}

func numeric(p learn.Problem) learn.Problem {
	return learn.Problem{Data: learntest.Numeric(p.Data, -1, 1), Loss: glm.Squared{}}
}

// Fewer records than columns, none, columns that are copies, all 0 or constant: by each method, and
// by AdaSSP as published, an answer of finite numbers, which is what a release can hold.
func TestDegenerateTablesHaveFiniteAnswers(t *testing.T) {
	for table, p := range learntest.Degenerate() {
		p = numeric(p)
		for name, adjacency := range numbers {
			for _, epsilon := range []float64{0.1, 30} {
				if testing.Short() && epsilon < 1 {
					continue // natively
				}
				asked := askedOf(p, adjacency)
				asked.Guarantee.Epsilon = epsilon
				asked.Records = float64(max(1, p.Data.X.Rows()))
				fit, err := Choose(name, asked)
				require.NoError(t, err, name)
				model, _, err := fit.Fit(t.Context(), p, randomtest.New(3), learn.Watch{})
				require.NoError(t, err, "%s, %s", name, table)
				learntest.RequireFinite(
					t, model.Coefficients, p.Dimension(), name+", "+table)
				release, err := learn.NewRelease(fit.Event, asked.Guarantee, fit.Bound, model)
				require.NoError(t, err, "%s, %s", name, table)
				_, failed := release.Verify().Failed()
				assert.False(t, failed, "%s, %s", name, table)
			}
		}
		published := suffstats.Published{
			Epsilon: 1, Delta: 1e-6, Dimension: p.Dimension(), RowNorm: p.Data.Schema.RowNorm(),
		}
		model, err := published.Fit(t.Context(), p, randomtest.New(3))
		require.NoError(t, err, table)
		learntest.RequireFinite(t, model.Coefficients, p.Dimension(), "published, "+table)
	}
}

// Without bounds for a column, the label or rows nothing holds, and there is no data set to fit:
// the schema names what is missing, as a text and as a value.
func TestBoundsThatAreMissingAreNamed(t *testing.T) {
	const csv = "a,y\n0.5,0.2\n"
	whole := func() data.Schema {
		return data.Schema{
			Features: []data.Feature{{
				Name: "a", Type: data.Numeric, Min: -1, Max: 1, Provenance: data.Public,
			}},
			Label: data.Label{
				Name: "y", Type: data.NumericLabel, Min: -1, Max: 1, Provenance: data.Public,
			},
			Rows: data.Rows{Norm: data.Clip},
		}
	}
	good := whole()
	_, err := data.Read(strings.NewReader(csv), &good, data.ReadOptions{})
	require.NoError(t, err)
	text, err := good.MarshalJSON()
	require.NoError(t, err)
	for field, spoil := range map[string]func(s *data.Schema){
		"label.min": func(s *data.Schema) { s.Label.Min, s.Label.Max = 0, 0 },
		"label.max": func(s *data.Schema) { s.Label.Max = math.Inf(1) },
		"features[0].min": func(s *data.Schema) {
			s.Features[0].Min, s.Features[0].Max = 0, 0
		},
		"features[0].max": func(s *data.Schema) { s.Features[0].Max = math.NaN() },
		"rows.norm":       func(s *data.Schema) { s.Rows.Norm = "" },
	} {
		schema := whole()
		spoil(&schema)
		_, err := data.Read(strings.NewReader(csv), &schema, data.ReadOptions{})
		var wrong *data.SchemaError
		require.ErrorAs(t, err, &wrong, field)
		assert.Equal(t, field, wrong.Field)

		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		path := strings.Split(strings.Replace(field, "[0]", "", 1), ".")
		at := tree[path[0]]
		if list, ok := at.([]any); ok {
			at = list[0]
		}
		require.Contains(t, at, path[1])
		delete(at.(map[string]any), path[1])
		without, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = data.ParseSchema(without)
		require.ErrorAs(t, err, &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
}

// A ridge that is too small for the leverage that is asked for: named.
func TestARidgeThatIsTooSmallIsNamed(t *testing.T) {
	g := guarantee(privacy.ReplaceOne)
	fixed, err := ops.NewFixed(g, false, 3, 1, 300, 0)
	require.NoError(t, err)
	for _, lambda := range []float64{0, 1.9, -1, math.NaN(), math.Inf(1)} {
		spoilt := fixed
		spoilt.Lambda = lambda
		assert.Equal(t, "lambda", fieldOf(t, spoilt.Validate(), "ops"), "%g", lambda)
	}
	plan, err := ops.NewPlan(guarantee(privacy.AddRemove), 3, 1)
	require.NoError(t, err)
	for _, lambda := range []float64{0, 1, 1.9} { // a leverage of more than ½, and no eigenvalue
		_, ok := plan.Choose(lambda, 0)
		assert.False(t, ok, "%g", lambda)
	}
}
