package learn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
)

// Bounds of a label whose distance has no square among doubles make no figure that
// is no number: a page cannot show one.
func TestFiguresOfAWideLabelAreNumbers(t *testing.T) {
	r := named(t, "regression")
	text := strings.NewReplacer(
		"PROVENANCE",
		"public",
		`"version": 1`,
		`"version": 2`,
		`"negative": ["no"], "positive": ["yes"]`,
		`"type": "numeric", "min": -8e307, "max": 8e307`,
	).Replace(schemaText)
	s, err := data.ParseSchema([]byte(text))
	require.NoError(t, err)
	r.Schema, r.Model.Schema = s, s
	for _, squares := range []float64{0, 17.25, 400} {
		r.Assessment.Sums[1] = squares
		_, failed := r.VerifyAssessment().Failed()
		require.False(t, failed)
		f := r.Assessment.Figures(r.Model)
		all := []learn.Interval{f.Records, *f.MeanSquaredError, *f.RSquared}
		for _, bin := range f.Table {
			all = append(all, bin.Records, bin.Outcome)
		}
		for _, i := range all {
			for _, x := range []float64{i.Estimate, i.Low, i.High} {
				assert.False(t, math.IsNaN(x), "%+v", i)
			}
		}
	}
}
