package learntest

import (
	"errors"
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

// Fit is a learner's Fit with everything fixed except the source.
type Fit func(source random.Source) (learn.Model, *learn.Diagnostics, error)

// DeterminedByItsSource checks that the same seed gives the same model, and that
// another seed gives other coefficients.
func DeterminedByItsSource(t *testing.T, fit Fit) {
	t.Helper()
	of := func(seed uint64) learn.Model {
		model, _, err := fit(randomtest.New(seed))
		require.NoError(t, err)
		return model
	}
	one := of(1)
	assert.Equal(t, one, of(1))
	assert.NotEqual(t, one.Coefficients, of(2).Coefficients)
}

// FailsWithItsSource checks that a source which fails, after any of the first
// words that a fit reads or after some of the others, is the end of it: the error
// is the source's, and nothing comes out.
func FailsWithItsSource(t *testing.T, fit Fit) {
	t.Helper()
	words := &counted{source: randomtest.New(1)}
	_, _, err := fit(words)
	require.NoError(t, err)
	require.Positive(t, words.read)
	dry := errors.New("no entropy")
	for n := 0; n < words.read; n += 1 + n/50 {
		model, diagnostics, err := fit(randomtest.NewFailAfter(1, n, dry))
		require.ErrorIs(t, err, dry, "after %d of %d words", n, words.read)
		assert.Empty(t, model)
		assert.Nil(t, diagnostics)
	}
}

type counted struct {
	source random.Source
	read   int
}

func (c *counted) Uint64() (uint64, error) {
	c.read++
	return c.source.Uint64()
}

// RefusesRowsThatBreakThePromise checks that a row which is longer than the
// schema says, or is not finite, is named before any noise is drawn. The problems
// have the schema of [Clinic].
func RefusesRowsThatBreakThePromise(
	t *testing.T, fit func(problem learn.Problem, source random.Source) error,
) {
	t.Helper()
	for _, row := range [][]float64{
		{0.8, 0.61, 0.5}, {math.NaN(), 0, 0.5}, {0.1, math.Inf(1), 0.5},
	} {
		script := &randomtest.Script{}
		err := fit(Problem(Schema(2, 0.5), [][]float64{{0, 0, 0.5}, row}, []float64{1, 1}), script)
		var wrong *learn.RowError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, 1, wrong.Row)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
}

// RefusesLossesThatDoNotSuitTheLabel checks that a model which could not be released is
// never fitted, and so never charged for. The problems have the schema of [Clinic], but
// for the label of one.
func RefusesLossesThatDoNotSuitTheLabel(
	t *testing.T, fit func(problem learn.Problem, source random.Source) error,
) {
	t.Helper()
	problem := Problem(Schema(2, 0.5), [][]float64{{0.2, 0.1, 0.5}}, []float64{1})
	for name, p := range map[string]learn.Problem{
		"logistic of a number": {Data: Numeric(problem.Data, -1, 1), Loss: glm.Logistic{}},
		"none":                 {Data: problem.Data},
	} {
		script := &randomtest.Script{}
		err := fit(p, script)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "loss", wrong.Field, name)
		assert.Zero(t, script.Read, "no noise was drawn")
	}
}

// Numeric is the same data set, its labels numbers between these bounds.
func Numeric(d *data.Dataset, low, high float64) *data.Dataset {
	schema := *d.Schema
	schema.Label = data.Label{
		Name:       "y",
		Type:       data.NumericLabel,
		Min:        low,
		Max:        high,
		Provenance: data.Public,
	}
	return &data.Dataset{Schema: &schema, X: d.X, Y: d.Y}
}

// Several is the same data set, its label one of three classes: the negative is the
// first, and every other positive the second.
func Several(d *data.Dataset) *data.Dataset {
	schema := *d.Schema
	schema.Label = data.Label{
		Name:       "y",
		Type:       data.SeveralClasses,
		Classes:    [][]string{{"a"}, {"b"}, {"c"}},
		Provenance: data.Public,
	}
	y := make([]float64, len(d.Y))
	for i, sign := range d.Y {
		if sign > 0 {
			y[i] = float64(1 + i%2)
		}
	}
	return &data.Dataset{Schema: &schema, X: d.X, Y: y}
}
