package derived

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/learn/suffstats"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/report"
)

// released is a fit by suffstats, and as the schema has it: two columns and an intercept.
func released(t *testing.T, seed uint64) *learn.Release {
	t.Helper()
	return releasedAt(t, seed, 2)
}

func releasedAt(t *testing.T, seed uint64, epsilon float64) *learn.Release {
	t.Helper()
	source := randomtest.New(seed)
	var x [][]float64
	var y []float64
	for range 500 {
		a, b := 0.7*learntest.Uniform(source), 0.7*learntest.Uniform(source)
		x, y = append(x, []float64{a, b, 0.5}), append(y, a-0.5*b)
	}
	problem := learntest.Problem(learntest.Schema(2, 0.5), x, nil)
	problem.Data = learntest.Numeric(problem.Data, -1, 3)
	problem.Data.Y, problem.Loss = y, glm.Squared{}
	g := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5}
	plan, err := suffstats.NewPlan(g, 3, problem.Data.Schema.RowNorm())
	require.NoError(t, err)
	model, _, err := suffstats.Fit(context.Background(), problem, plan, source, nil)
	require.NoError(t, err)
	event, err := plan.Event()
	require.NoError(t, err)
	release, err := learn.NewRelease(event, g, objective.BoundAuto, model)
	require.NoError(t, err)
	return release
}

func text(t *testing.T, tree map[string]any) []byte {
	t.Helper()
	out, err := json.Marshal(tree)
	require.NoError(t, err)
	return out
}

var questions = map[string]learn.Question{
	"as it was fitted":     {},
	"another ridge":        {Ridge: 4},
	"a column left out":    {Columns: []string{"x2"}},
	"another target":       {Target: "x1"},
	"of a mean":            {Target: "x2", Columns: []string{}},
	"without an intercept": {NoIntercept: true},
}

// A document says what the release's moments make of the question, names the release, and is
// believed by whoever has both.
func TestADerivedModelIsCheckedAgainstItsRelease(t *testing.T) {
	release := released(t, 1)
	own, err := report.Fingerprint(release)
	require.NoError(t, err)
	for name, q := range questions {
		m, err := Of(release, q)
		require.NoError(t, err, name)
		tree := m.Tree()
		assert.Equal(t, own, tree["release"])
		assert.Len(t, tree["columns"], len(tree["coefficients"].([]any)))
		back, err := Check(release, text(t, tree))
		require.NoError(t, err, name)
		assert.Equal(t, text(t, tree), text(t, back.Tree()), "it is read as it was written")
		for _, field := range []string{"errors", "records", "r_squared", "intercept_error"} {
			if q.NoIntercept {
				assert.NotContains(t, tree, field, name)
			} else {
				assert.Contains(t, tree, field, name)
			}
		}
	}
	m, err := Of(release, learn.Question{})
	require.NoError(t, err)
	assert.InDeltaSlice(t, release.Model.Coefficients, m.Regression.Coefficients, 1e-12)
	assert.True(t, m.Tree()["label"].(bool))
	assert.Equal(t, release.Schema.Label.Name, m.Tree()["target"])
}

// Rounding errors of another machine are let through; whatever was changed is not.
func TestADerivedModelThatWasChanged(t *testing.T) {
	release := released(t, 1)
	m, err := Of(release, learn.Question{Target: "x1"})
	require.NoError(t, err)
	fresh := func() map[string]any {
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text(t, m.Tree()), &tree))
		return tree
	}
	refused := func(field string, tree map[string]any) {
		_, err := CheckTree(release, tree)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}

	rounded := *m
	rounded.Regression.Coefficients = append([]float64(nil), m.Regression.Coefficients...)
	rounded.Regression.Coefficients[0] *= 1 + 0x1p-40
	rounded.Regression.RSquared += 0x1p-40
	rounded.Units = rounded.Regression.InUnits(&release.Schema.Label)
	_, err = Check(release, text(t, rounded.Tree()))
	assert.NoError(t, err)

	for field, tree := range fresh() {
		changed := fresh()
		switch value := tree.(type) {
		case float64:
			changed[field] = value + 1
		case string:
			changed[field] = value + "1"
		case bool:
			changed[field] = !value
		case []any:
			switch value[0].(type) {
			case float64:
				changed[field].([]any)[0] = value[0].(float64) + 0.01
			case string:
				changed[field] = value[1:]
			default:
				changed[field].([]any)[0].(map[string]any)["coefficient"] = 1.0
			}
		}
		if field == "library" { // of another version, which may have written it too
			_, err := CheckTree(release, changed)
			assert.NoError(t, err)
			continue
		}
		_, err := CheckTree(release, changed)
		assert.Error(t, err, field)
		delete(changed, field)
		_, err = CheckTree(release, changed)
		assert.Error(t, err, field+" left out")
	}
	more := fresh()
	more["accuracy"] = 1.0
	refused("accuracy", more)

	without, err := Of(release, learn.Question{Target: "x1", NoIntercept: true})
	require.NoError(t, err)
	for _, errors := range []any{[]any{}, []any{0.0}} {
		tree := without.Tree()
		require.NotContains(t, tree, "errors")
		tree["errors"] = errors
		refused("errors", tree)
	}

	other := fresh()
	_, err = CheckTree(released(t, 2), other)
	assert.ErrorContains(t, err, "fingerprint")
	_, err = Check(release, []byte("{"))
	assert.Error(t, err)
	refused("target", func() map[string]any { c := fresh(); c["target"] = "x9"; return c }())
}

// A model of a release that promises too much would be said to cost what that promises: it is
// not made, and one that somebody made is not believed.
func TestAModelOfAForgedReleaseIsNotBelieved(t *testing.T) {
	release := released(t, 1)
	m, err := Of(release, learn.Question{})
	require.NoError(t, err)
	release.Guarantee.Epsilon /= 2
	_, err = Of(release, learn.Question{})
	var lie *learn.ClaimError
	require.ErrorAs(t, err, &lie)
	assert.Equal(t, "guarantee", lie.Finding.Claim)
	m.Release, err = report.Fingerprint(release)
	require.NoError(t, err)
	_, err = CheckTree(release, m.Tree())
	assert.ErrorAs(t, err, &lie)
}

// A release of any other method has nothing that another model could be computed from.
func TestReleasesWithoutMoments(t *testing.T) {
	release := released(t, 1)
	release.Model.Moments = nil
	_, err := Of(release, learn.Question{})
	assert.ErrorContains(t, err, "moments")
}

// A label's coefficient is per unit of the column, in the label's units.
func TestTheUnitsAreTheLabels(t *testing.T) {
	release := released(t, 1)
	m, err := Of(release, learn.Question{})
	require.NoError(t, err)
	column := release.Model.Columns[0]
	want := m.Regression.Coefficients[0] * column.Scale * 2 // half of 3 − (−1)
	got := m.Tree()["original"].([]any)[0].(map[string]any)
	assert.InEpsilon(t, want, got["coefficient"].(float64), 1e-12)
	assert.Equal(t, column.Feature, got["feature"])
	assert.Positive(t, got["error"])
	assert.False(t, math.IsNaN(m.Units.InterceptError))
	assert.Equal(t, data.InterceptName, m.Tree()["columns"].([]any)[2])
}

// Standard errors are far apart where there are many records and a rare column. The smallest is
// held to as the largest is: none may be said to be next to nothing, or below it.
func TestASmallStandardErrorIsHeldToToo(t *testing.T) {
	release := releasedAt(t, 1, 20)
	moments := release.Model.Moments
	grid := moments.Grid
	moments.Ridge, moments.Vector[1] = 1.0/16, 4
	for i, x := range []float64{8e6, 0, 0.1, 4e6, 0, 4e6} {
		moments.Matrix.At[i] = math.Round((x+float64(i)/64)/grid) * grid
	}
	spectrum, err := moments.Spectrum()
	require.NoError(t, err)
	release.Model.Coefficients = spectrum.Coefficients(moments.Ridge)
	finding, failed := release.Verify().Failed()
	require.False(t, failed, finding.Text)
	m, err := Of(release, learn.Question{})
	require.NoError(t, err)
	honest := m.Regression.StandardErrors
	require.Less(t, honest[0], honest[1]*0x1p-20)
	_, err = Check(release, text(t, m.Tree()))
	require.NoError(t, err)
	for _, smallest := range []float64{0, -honest[0], honest[0] / 2, honest[0] * (1 + 0x1p-18)} {
		m.Regression.StandardErrors = []float64{smallest, honest[1], honest[2]}
		m.Units = m.Regression.InUnits(&release.Schema.Label)
		_, err := Check(release, text(t, m.Tree()))
		assert.Error(t, err, "%v in the place of %v", smallest, honest[0])
	}
}
