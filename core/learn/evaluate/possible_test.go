package evaluate

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// believed is whether an assessment's numbers are such as records and noise come to.
func believed(t *testing.T, m learn.Model, a *learn.Assessment) bool {
	t.Helper()
	r := learn.Release{Model: m, Assessment: a}
	for _, f := range r.VerifyAssessment() {
		if f.Claim == "evaluation_numbers" {
			return f.True
		}
		require.True(t, f.True, f.Text)
	}
	t.Fatal("no such claim")
	return false
}

// A price is told with the neighbours that it is for: they need not be those of the model's.
func TestThePriceOfAnEvaluationNamesItsNeighbours(t *testing.T) {
	f := fixtures(t)[0]
	d := f.records(100, randomtest.New(19))
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		plan := Plan{Adjacency: adjacency, Epsilon: 1}
		a, err := Run(t.Context(), f.model, d, plan, randomtest.New(20))
		require.NoError(t, err)
		r := learn.Release{Model: f.model, Assessment: a}
		texts := map[string]string{}
		for _, finding := range r.VerifyAssessment() {
			require.True(t, finding.True, finding.Text)
			texts[finding.Claim] = finding.Text
		}
		assert.Contains(t, texts["evaluation_epsilon"], "under "+adjacency.String())
	}
}

// What an evaluation gives out is believed, whatever the records and the noise, next to none too.
func TestHonestNumbersAreBelieved(t *testing.T) {
	source := randomtest.New(17)
	for _, f := range fixtures(t) {
		for _, n := range []int{0, 1, 40, 3000} {
			d := f.records(n, source)
			for _, epsilon := range []float64{1e-6, 0.1, 3, 300, 1e5} {
				for _, bound := range []float64{0.001, 0.5, 4, 1000} {
					plan := Plan{Adjacency: privacy.AddRemove, Epsilon: epsilon}
					if f.model.AssessmentLayout().HasLoss() {
						plan.LossBound = bound
					}
					a, err := Run(t.Context(), f.model, d, plan, source)
					require.NoError(t, err)
					assert.True(t, believed(t, f.model, a), "%s: %d, ε = %g, %g: %+v",
						f.name, n, epsilon, bound, a)
				}
			}
		}
	}
}

// Figures better or worse than the bins allow are those of no records, and are found out: nobody
// is wrong less than not at all, and a loss is what the probabilities make it.
func TestNumbersOfNoRecordsAreFoundOut(t *testing.T) {
	source := randomtest.New(18)
	for _, f := range fixtures(t) {
		for _, c := range []struct {
			what   string
			sums   int // that the assessment has
			change func(a *learn.Assessment)
		}{
			{"fewer than nobody", -1, func(a *learn.Assessment) { a.Cells[0][0] = -3000 }},
			{"no loss", 1, func(a *learn.Assessment) { a.Sums[0] = 3 }},
			{"as much loss as there can be", 1, func(a *learn.Assessment) { a.Sums[0] = 19000 }},
			{"squares of nothing", 2, func(a *learn.Assessment) { a.Sums[0] = 3 }},
			{"squares above the numbers", 2, func(a *learn.Assessment) { a.Sums[0] = 19000 }},
			{"squares below the mean's", 2, func(a *learn.Assessment) { a.Sums[0] /= 2 }},
			{"errors above the range", 2, func(a *learn.Assessment) { a.Sums[1] = 19000 }},
			{"labels beyond their bounds", 2, func(a *learn.Assessment) {
				a.Cells[2][1] = a.Cells[2][0] + 1000
			}},
			{"no errors of others' labels", 2, func(a *learn.Assessment) {
				a.Sums[1], a.Cells[1][1], a.Cells[3][1] = 3, a.Cells[1][0]*0.9, a.Cells[3][0]*0.1
			}},
		} {
			for _, epsilon := range []float64{0.5, 3} {
				a, err := Run(t.Context(), f.model, f.records(20000, source),
					Plan{Adjacency: privacy.AddRemove, Epsilon: epsilon}, source)
				require.NoError(t, err)
				require.True(t, believed(t, f.model, a), f.name)
				if c.sums < 0 || len(a.Sums) == c.sums {
					c.change(a)
					for _, list := range append(a.Cells, a.Sums) {
						for j, x := range list {
							list[j] = math.Round(x/learn.AssessmentUnit) * learn.AssessmentUnit
						}
					}
					assert.False(t, believed(t, f.model, a), "%s: %s", f.name, c.what)
				}
			}
		}
	}
}

// Losses that are cut off at next to nothing are next to nothing, whatever is predicted.
func TestALossIsCutOffWhereAPlanMay(t *testing.T) {
	source := randomtest.New(19)
	f := fixtures(t)[0]
	a, err := Run(t.Context(), f.model, f.records(100, source),
		Plan{Adjacency: privacy.AddRemove, Epsilon: 1, LossBound: 1e-3}, source)
	require.NoError(t, err)
	for bound, ok := range map[float64]bool{1e-3: true, 1e-4: false, 1e-300: false, 1e4: false} {
		a.LossBound = bound
		_, failed := (&learn.Release{Model: f.model, Assessment: a}).VerifyAssessment().Failed()
		assert.Equal(t, !ok, failed, "%g", bound)
	}
}

// An evaluation of another model is found out where it has records that this one predicts nothing
// like: whose margins are within what the intercept adds and the coefficients' length.
func TestAnEvaluationOfAnotherModelIsFoundOut(t *testing.T) {
	source := randomtest.New(20)
	for _, f := range fixtures(t) {
		d := f.records(20000, source)
		plan := Plan{Adjacency: privacy.AddRemove, Epsilon: 1}
		a, err := Run(t.Context(), f.model, d, plan, source)
		require.NoError(t, err)
		if len(a.Cells) == 1 {
			continue // it is not said what is predicted
		}
		for _, theta := range [][]float64{{0.1, -7}, {0.2, 9}, {0, 0}} {
			other := f.model
			if other.Coefficients = theta; other.Vectors() > 1 {
				// One class is all but certain, or each as likely.
				other.Coefficients = append(slices.Clone(theta), make([]float64, 4)...)
				other.Coefficients[3], other.Coefficients[5] = -theta[1], -theta[1]
			}
			assert.False(t, believed(t, other, a), "%s: %v", f.name, theta)
			own, err := Run(t.Context(), other, d, plan, source)
			require.NoError(t, err)
			assert.True(t, believed(t, other, own), "%s: %v", f.name, theta)
		}
	}
}

// A row has no entry below 0, so a model whose coefficients are all above 0 predicts nothing below
// what the intercept makes it; and rows that are all divided by the same are short.
func TestRecordsAreWhereTheModelPutsRows(t *testing.T) {
	source := randomtest.New(21)
	for _, f := range fixtures(t) {
		if f.model.Vectors() > 1 {
			continue
		}
		for _, norm := range []data.Norm{data.Clip, data.Unit, data.Scale} {
			s := *f.model.Schema
			s.Rows.Norm = norm
			if norm == data.Scale {
				for _, name := range []string{"a", "b", "c"} { // which are 0 in all records
					s.Features = append(s.Features, data.Feature{
						Name: name, Type: data.Categorical, Categories: []string{"yes"},
						Missing: data.Rule{Action: data.UseZero},
						Unknown: data.Rule{Action: data.UseZero}, Provenance: data.Public,
					})
				}
			}
			own := f
			own.model.Schema, own.model.Columns = &s, s.Columns()
			zeros := make([]float64, len(own.model.Columns)-2)
			theta := func(x, intercept float64) []float64 {
				return append(append([]float64{x}, zeros...), intercept)
			}
			own.model.Coefficients = theta(1.6, 0.1)
			d := f.records(20000, source)
			d.Schema, d.X.Columns = &s, len(own.model.Columns)
			for k := range d.X.Index {
				d.X.Index[k] *= int32(len(own.model.Columns) - 1)
				if norm == data.Unit && k%2 == 0 {
					d.X.Value[k] = 1
				} else if k%2 == 0 {
					d.X.Value[k] *= s.RowScale()
				}
			}
			plan := Plan{Adjacency: privacy.AddRemove, Epsilon: 1}
			honest, err := Run(t.Context(), own.model, d, plan, source)
			require.NoError(t, err)
			assert.True(t, believed(t, own.model, honest), "%s, %s", f.name, norm)
			for _, other := range [][]float64{theta(-1.6, -0.1), theta(-1.6, 0.1)} {
				own.model.Coefficients = other
				a, err := Run(t.Context(), own.model, d, plan, source)
				require.NoError(t, err)
				assert.True(t, believed(t, own.model, a), "%s, %s", f.name, norm)
				own.model.Coefficients = theta(1.6, 0.1)
				assert.False(t, believed(t, own.model, a), "%s, %s", f.name, norm)
			}
		}
	}
}
