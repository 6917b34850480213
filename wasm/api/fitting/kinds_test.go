package fitting

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/evaluate"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// withLabel is ageSchema with another label.
func withLabel(label map[string]any) map[string]any {
	schema := ageSchema()
	schema["version"] = 2.0
	label["name"], label["provenance"] = "outcome", "public"
	schema["label"] = label
	return schema
}

func severalSchema() map[string]any {
	return withLabel(
		map[string]any{
			"type":    "classes",
			"classes": []any{[]any{"well"}, []any{"ill"}, []any{"dead"}},
		},
	)
}

func numberSchema() map[string]any {
	return withLabel(map[string]any{"type": "numeric", "min": 0.0, "max": 30.0})
}

// outcomes is a file in which age says something about the outcome.
func outcomes(n int, outcome func(age int) string) string {
	var b strings.Builder
	b.WriteString("age,ward,outcome\n")
	for i := range n {
		age := i * 37 % 101
		fmt.Fprintf(&b, "%d,%s,%s\n", age, []string{"A", "B"}[i%2], outcome(age))
	}
	return b.String()
}

func threeOutcomes(age int) string { return []string{"well", "ill", "dead"}[min(age/34, 2)] }
func days(age int) string          { return fmt.Sprint(25 - age/5) }

func (e *edge) opens(schema any, text string) map[string]any {
	e.t.Helper()
	reply, err := e.open(schema, text)
	require.Nil(e.t, err, "%v", err)
	return reply
}

func TestSeveralClassesFromFileToPrediction(t *testing.T) {
	e := newEdge(t)
	opened := e.opens(severalSchema(), outcomes(3000, threeOutcomes))
	counts := opened["classes"].([]any)
	require.Len(t, counts, 3)
	assert.Equal(t, 3000, counts[0].(int)+counts[1].(int)+counts[2].(int))

	params := budget(float64(opened["dataset"].(int)))
	params["epsilon"], params["loss"] = 4.0, "logistic"
	fitsSeveral(e, params, "composition", "pld", []any{1, 2, 3})
	delete(params, "loss")
	fitsSeveral(e, params, "approximate-minima-perturbation", "closed", nil)
}

// fitsSeveral fits, prices and predicts three outcomes by an event of this mechanism, priced
// so, and tells of these classes on the way.
func fitsSeveral(e *edge, params map[string]any, mechanism, method string, told []any) {
	t := e.t
	t.Helper()
	var classes []any
	reply, failed := e.service.Answer("fit", params, func(update map[string]any) {
		if class, ok := update["class"]; ok &&
			(len(classes) == 0 || classes[len(classes)-1] != class) {
			classes = append(classes, class)
		}
	})
	require.Nil(t, failed, "%v", failed)
	assert.Equal(t, told, classes)
	exact := exactOf(e, reply, params["dataset"])
	assert.Greater(t, exact["accuracy"], 0.6)
	assert.Len(t, exact["matrix"], 3)
	assert.NotContains(t, exact, "confusion")

	release := reply["release"].(map[string]any)
	assert.Equal(t, 2.0, release["version"])
	assert.Equal(t, mechanism, release["event"].(map[string]any)["mechanism"])
	assert.Equal(t, method, release["guarantee"].(map[string]any)["method"])
	priced := e.ask("reprice", map[string]any{"release": release})
	assert.Equal(t, true, priced["holds"], "%v", priced["problems"])
	assert.LessOrEqual(t, priced["delta"], 1e-5)

	p := e.ask("predict", map[string]any{"release": release, "rows": []any{"5,A", "95,B"}})["predictions"].([]any)
	assert.Equal(t, "well", p[0].(map[string]any)["label"])
	assert.Equal(t, "dead", p[1].(map[string]any)["label"])
	assert.Len(t, p[0].(map[string]any)["probabilities"], 3)
	assert.NotContains(t, p[0], "positive")
}

func TestANumberFromFileToPrediction(t *testing.T) {
	e := newEdge(t)
	opened := e.opens(numberSchema(), outcomes(3000, days))
	assert.Equal(t, map[string]any{}, opened["classes"])
	params := budget(float64(opened["dataset"].(int)))
	reply := e.ask("fit", params)
	exact := exactOf(e, reply, params["dataset"])
	assert.Greater(t, exact["rSquared"], 0.2)
	assert.NotContains(t, exact, "accuracy")
	release := reply["release"].(map[string]any)
	assert.Equal(t, "squared", release["model"].(map[string]any)["loss"])
	assert.Equal(t, "glm", release["guarantee"].(map[string]any)["bound"])
	assert.Equal(t, true, e.ask("reprice", map[string]any{"release": release})["holds"])
	p := e.ask("predict", map[string]any{"release": release, "rows": []any{"0,A", "100,A"}})["predictions"].([]any)
	young, old := p[0].(map[string]any)["value"].(float64), p[1].(map[string]any)["value"].(float64)
	assert.Greater(t, young, old+3)
	assert.True(t, old >= 0 && young <= 30)
	assert.NotContains(t, p[0], "label")
}

func TestLossesByName(t *testing.T) {
	e := newEdge(t)
	dataset := opened(e, sickRows(1000))
	bounds := map[string]string{"logistic": "control", "huber": "control", "squared": "glm"}
	for loss, bound := range bounds {
		params := budget(dataset)
		params["loss"] = loss
		reply := e.ask("fit", params)
		release := reply["release"].(map[string]any)
		assert.Equal(t, loss, release["model"].(map[string]any)["loss"])
		assert.Equal(t, bound, release["guarantee"].(map[string]any)["bound"])
		exact := exactOf(e, reply, dataset)
		assert.Greater(t, exact["accuracy"], 0.6, loss)
		p := e.ask("predict", map[string]any{"release": release, "rows": []any{"95,A"}})["predictions"].([]any)[0].(map[string]any)
		if loss == "huber" {
			assert.NotContains(t, p, "probability", "its margins stand for none")
			assert.NotContains(t, exact, "logLoss")
			assert.Equal(t, 1.0, release["model"].(map[string]any)["huber_width"])
		} else {
			assert.Contains(t, p, "probability")
		}
	}
	params := budget(dataset)
	params["loss"], params["huberWidth"] = "huber", 2.0
	release := e.ask("fit", params)["release"].(map[string]any)
	assert.Equal(t, 0.25, release["event"].(map[string]any)["smoothness"])
}

func TestAnEvaluationIsBoughtAndStandsInTheRelease(t *testing.T) {
	for name, c := range map[string]struct {
		schema  map[string]any
		text    func(n int) string
		figures []string
	}{
		"two classes": {ageSchema(), sickRows, []string{"accuracy", "logLoss"}},
		"classes":     {severalSchema(), func(n int) string { return outcomes(n, threeOutcomes) }, []string{"accuracy", "logLoss"}},
		"a number":    {numberSchema(), func(n int) string { return outcomes(n, days) }, []string{"meanSquaredError", "rSquared"}},
	} {
		e := newEdge(t)
		dataset := float64(e.opens(c.schema, c.text(1000))["dataset"].(int))
		heldOut := float64(e.opens(c.schema, c.text(777))["dataset"].(int))
		release := e.ask("fit", budget(dataset))["release"]
		ask := map[string]any{
			"release":   release,
			"dataset":   heldOut,
			"adjacency": "add-remove",
			"epsilon":   1.0,
		}
		reply := e.ask("evaluate", ask)
		figures, exact := reply["figures"].(map[string]any), reply["exact"].(map[string]any)
		assert.Equal(t, 777, exact["rows"])
		records := figures["records"].(map[string]any)
		assert.InDelta(t, 777, records["estimate"], 150)
		assert.NotEqual(
			t, 777.0, records["estimate"], "the number of held-out records is private too",
		)
		for _, figure := range c.figures {
			i := figures[figure].(map[string]any)
			assert.True(
				t,
				i["low"].(float64) <= i["estimate"].(float64) &&
					i["estimate"].(float64) <= i["high"].(float64),
				name+" "+figure,
			)
			assert.Contains(t, exact, figure)
		}
		made := reply["release"].(map[string]any)
		assert.Equal(t, 2.0, made["version"])
		assert.ElementsMatch(
			t,
			[]string{
				"format",
				"version",
				"library",
				"schema",
				"event",
				"guarantee",
				"model",
				"evaluation",
			},
			keys(made),
		)
		priced := e.ask("reprice", map[string]any{"release": made})
		assert.Equal(t, true, priced["holds"], "%v", priced["problems"])
		assert.Equal(t, figures, priced["figures"], "whoever has the file computes the same")

		made["evaluation"].(map[string]any)["epsilon"] = 0.5
		assert.Equal(t, false, e.ask("reprice", map[string]any{"release": made})["holds"], name)
		made["evaluation"].(map[string]any)["epsilon"] = 1.0
		// What does not hold is not evaluated.
		made["guarantee"].(map[string]any)["epsilon"] = 0.1
		ask["release"] = made
		err := e.refused("evaluate", ask)
		assert.Equal(t, api.CodeRelease, err.Code)
	}
}

func TestRequestsForOtherKindsThatAreWrong(t *testing.T) {
	e := newEdge(t)
	several := float64(e.opens(severalSchema(), outcomes(300, threeOutcomes))["dataset"].(int))
	number := float64(e.opens(numberSchema(), outcomes(300, days))["dataset"].(int))
	two := opened(e, sickRows(300))
	for _, c := range []struct {
		dataset float64
		set     map[string]any
		field   string
	}{
		{number, map[string]any{"loss": "logistic"}, "loss"},
		{two, map[string]any{"loss": "hinge"}, "loss"},
		{two, map[string]any{"loss": 3.0}, "loss"},
		{two, map[string]any{"loss": "huber", "huberWidth": -1.0}, "huberWidth"},
		{two, map[string]any{"loss": "huber", "huberWidth": math.NaN()}, "huberWidth"},
		{two, map[string]any{"loss": "huber", "huberWidth": 1e-9}, "huberWidth"},
		{two, map[string]any{"loss": "huber", "huberWidth": 1e-9, "method": "outpert", "records": 300.0}, "huberWidth"},
		{two, map[string]any{"loss": "huber", "huberWidth": 1e-9, "method": "amp-paper"}, "huberWidth"},
		{several, map[string]any{"loss": "huber", "huberWidth": 1e-9}, "huberWidth"},
		{two, map[string]any{"huberWidth": 1.0}, "huberWidth"},
		{two, map[string]any{"loss": "squared", "bound": "logistic"}, "bound"},
		{several, map[string]any{"adjacency": "replace-one", "loss": "logistic"}, "adjacency"},
		{several, map[string]any{"bound": "profile"}, "bound"},
		{several, map[string]any{"clip": 0.5}, "lipschitz"},
		{two, map[string]any{"loss": "softmax"}, "loss"},
		{several, map[string]any{"epsilon": 0.0}, "epsilon"},
	} {
		params := budget(c.dataset)
		for name, value := range c.set {
			params[name] = value
		}
		err := e.refused("fit", params)
		assert.Equal(t, api.CodeParameter, err.Code, "%v", c.set)
		assert.Equal(t, c.field, err.Field, "%v: %s", c.set, err.Message)
	}

	release := e.ask("fit", budget(two))["release"]
	for _, c := range []struct {
		set   map[string]any
		field string
	}{
		{map[string]any{"epsilon": nil}, "epsilon"},
		{map[string]any{"epsilon": math.Inf(1)}, "epsilon"},
		{map[string]any{"epsilon": -1.0}, "epsilon"},
		{map[string]any{"adjacency": nil}, "adjacency"},
		{map[string]any{"bins": 7.0}, "bins"},
		{map[string]any{"bins": 2.5}, "bins"},
		{map[string]any{"lossBound": -4.0}, "lossBound"},
		{map[string]any{"dataset": several}, "schema"},
		{map[string]any{"colour": "red"}, "colour"},
		{map[string]any{"release": nil}, "release"},
	} {
		params := map[string]any{
			"release":   release,
			"dataset":   two,
			"adjacency": "add-remove",
			"epsilon":   1.0,
		}
		for name, value := range c.set {
			params[name] = value
		}
		err := e.refused("evaluate", params)
		assert.Equal(t, c.field, err.Field, "%v: %s", c.set, err.Message)
	}
	_, err := e.read(
		map[string]any{"purpose": "suggest", "label": "sick", "labelType": "ordinal"}, ageRows,
	)
	assert.Equal(t, "labelType", err.Field)
}

// The same bits give the same fit and evaluation. The numbers are from our own
// run, natively; the same test under js/wasm shows that the two agree.
func TestOtherKindsAreReproducible(t *testing.T) {
	run := func(schema map[string]any, text string) map[string]any {
		e := newEdge(t)
		dataset := float64(e.opens(schema, text)["dataset"].(int))
		release := e.ask("fit", budget(dataset))["release"]
		return e.ask(
			"evaluate",
			map[string]any{"release": release, "dataset": dataset, "adjacency": "replace-one", "epsilon": 1.0},
		)["release"].(map[string]any)
	}
	close := func(want, got any) {
		t.Helper()
		require.IsType(t, 0.0, got)
		assert.InEpsilon(t, want, got, 1e-9)
	}
	first, again := run(
		severalSchema(), outcomes(200, threeOutcomes),
	), run(
		severalSchema(), outcomes(200, threeOutcomes),
	)
	assert.Equal(t, first, again)
	number := run(numberSchema(), outcomes(200, days))
	close(-0.48423099750652909, number["model"].(map[string]any)["coefficients"].([]any)[0])
	close(-8.88507080078125, number["evaluation"].(map[string]any)["sums"].([]any)[1])
}

// The same for several classes, of a fixed event: those that are calibrated
// change where pricing becomes sharper.
func TestSeveralClassesAreReproducible(t *testing.T) {
	schema, err := data.SchemaFromTree("", severalSchema())
	require.NoError(t, err)
	d, err := data.Read(strings.NewReader(outcomes(200, threeOutcomes)), schema, data.ReadOptions{})
	require.NoError(t, err)
	event := privacy.ApproximateMinima{
		Objective: privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: schema.RowNorm(),
			Lipschitz:  0.5,
			Smoothness: 0.25, Lambda: 0.75, Sigma: 1.5, Dimension: schema.Dimension(),
		},
		Tau: 1.2e-6, SigmaOut: 0x1p-10, Grid: 0x1p-40,
	}
	minima := func(
		ctx context.Context, p learn.Problem, event privacy.ApproximateMinima, source random.Source,
		told func(solve.Progress),
	) (learn.Model, *learn.Diagnostics, error) {
		return amp.Fit(ctx, p, event, source, told)
	}
	model, _, err := ovr.Fit(
		t.Context(), learn.Problem{Data: d, Loss: glm.Logistic{}}, event, minima,
		randomtest.New(2027), nil,
	)
	require.NoError(t, err)
	assessment, err := evaluate.Run(
		t.Context(), model, d, evaluate.Plan{Adjacency: privacy.AddRemove, Epsilon: 1},
		randomtest.New(2028),
	)
	require.NoError(t, err)
	figures := assessment.Figures(model)
	for i, got := range []float64{
		model.Coefficients[0], model.Coefficients[5], model.Coefficients[11], figures.Accuracy.Low,
		figures.LogLoss.High,
	} {
		assert.InEpsilon(
			t,
			[]float64{
				-7.7990004483972371, -0.46793383334988903, -1.9222472060455402,
				0.59686018549152264, 1.0573975549021262,
			}[i],
			got, 1e-9,
		)
	}
}

func TestSuggestionsOfOtherLabels(t *testing.T) {
	e := newEdge(t)
	reply, err := e.read(
		map[string]any{"purpose": "suggest", "label": "outcome", "labelType": "classes"},
		outcomes(300, threeOutcomes),
	)
	require.Nil(t, err, "%v", err)
	assert.Equal(t, "classes", reply["schema"].(map[string]any)["label"].(map[string]any)["type"])
	reply, err = e.read(
		map[string]any{"purpose": "suggest", "label": "outcome", "labelType": "numeric"},
		outcomes(300, days),
	)
	require.Nil(t, err, "%v", err)
	assert.Equal(t, 4.0, reply["schema"].(map[string]any)["label"].(map[string]any)["min"])
}

func TestThePlanOfAFitIsWhatItIsChargedFor(t *testing.T) {
	for name, test := range map[string]struct {
		schema  map[string]any
		outcome func(int) string
		more    map[string]any
	}{
		"two classes":         {ageSchema(), nil, nil},
		"two classes, Huber":  {ageSchema(), nil, map[string]any{"loss": "huber", "huberWidth": 0.25}},
		"several classes":     {severalSchema(), threeOutcomes, nil},
		"numbers":             {numberSchema(), days, nil},
		"two classes, radius": {ageSchema(), nil, map[string]any{"radius": 3.0}},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t)
			text := sickRows(300)
			if test.outcome != nil {
				text = outcomes(300, test.outcome)
			}
			ask := map[string]any{"adjacency": "add-remove", "epsilon": 2.0, "delta": 1e-5}
			for key, value := range test.more {
				ask[key] = value
			}
			ask["schema"] = test.schema
			planned := e.ask("plan", ask)
			delete(ask, "schema")
			ask["dataset"] = e.opens(test.schema, text)["dataset"]
			release := e.ask("fit", ask)["release"].(map[string]any)
			assert.Equal(t, release["event"], planned["event"])
			assert.Equal(
				t, release["guarantee"].(map[string]any)["bound"],
				planned["guarantee"].(map[string]any)["bound"],
			)
		})
	}
}
