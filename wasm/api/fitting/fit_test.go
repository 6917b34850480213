package fitting

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// sickRows is a file in which age and ward say something about sickness.
func sickRows(n int) string {
	var b strings.Builder
	b.WriteString("age,ward,sick\n")
	for i := range n {
		age := i * 37 % 101
		ward, sick := "A", "no"
		if i%3 == 0 {
			ward = "B"
		}
		if age+30*(i%3%2) > 60 {
			sick = "yes"
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", age, ward, sick)
	}
	return b.String()
}

func opened(e *edge, text string) float64 {
	e.t.Helper()
	reply, err := e.open(ageSchema(), text)
	require.Nil(e.t, err, "%v", err)
	return float64(reply["dataset"].(int))
}

func budget(dataset float64) map[string]any {
	return map[string]any{
		"dataset":   dataset,
		"adjacency": "add-remove",
		"epsilon":   1.0,
		"delta":     1e-5,
	}
}

func TestAFitIsAReleaseThatHoldsAndDiagnosticsBesideIt(t *testing.T) {
	e := newEdge(t)
	dataset := opened(e, sickRows(3000))
	var phases []string
	fractions := []float64{}
	reply, failed := e.service.Answer("fit", budget(dataset), func(update map[string]any) {
		phase := update["phase"].(string)
		if len(phases) == 0 || phases[len(phases)-1] != phase {
			phases = append(phases, phase)
		}
		if fraction, ok := update["fraction"].(float64); ok {
			fractions = append(fractions, fraction)
		}
	})
	require.Nil(t, failed, "%v", failed)
	assert.Equal(t, []string{"calibrating", "solving", "releasing"}, phases)
	require.NotEmpty(t, fractions)
	assert.Equal(t, 1.0, fractions[len(fractions)-1])

	private := reply["diagnostics"].(map[string]any)
	assert.Equal(t, 3000, private["rows"])
	assert.LessOrEqual(t, private["gradientNorm"], private["tau"])
	assert.ElementsMatch(
		t, []string{"rows", "iterations", "gradientNorm", "tau", "milliseconds"}, keys(private),
		"how it does on the rows is asked for by itself",
	)

	tree := reply["release"].(map[string]any)
	priced := e.ask("reprice", map[string]any{"release": tree})
	assert.Equal(t, true, priced["holds"], "%v", priced["problems"])
	prediction := e.ask("predict", map[string]any{"release": tree, "rows": []any{"95,A"}})["predictions"].([]any)[0].(map[string]any)
	assert.Equal(t, "yes", prediction["label"])

	// Nothing that was computed from the data without noise is in the release.
	assert.ElementsMatch(
		t, []string{"format", "version", "library", "schema", "event", "guarantee", "model"},
		keys(tree),
	)
	assert.ElementsMatch(
		t, []string{"adjacency", "epsilon", "delta", "bound", "theorem", "covers", "caveats"},
		keys(tree["guarantee"].(map[string]any)),
	)
	assert.ElementsMatch(
		t,
		[]string{"loss", "columns", "coefficients", "intercept", "original", "original_constant"},
		keys(tree["model"].(map[string]any)),
	)
}

// exactOf asks for the figures of a fit on the rows that it was made of.
func exactOf(e *edge, reply map[string]any, dataset any) map[string]any {
	return e.ask("exact", map[string]any{"release": reply["release"], "dataset": dataset})
}

func TestTheFiguresOfTheRowsComeWhenAskedForAndStayOutOfTheRelease(t *testing.T) {
	e := newEdge(t)
	dataset := opened(e, sickRows(3000))
	reply := e.ask("fit", budget(dataset))
	before, err := json.Marshal(reply["release"])
	require.NoError(t, err)
	exact := exactOf(e, reply, dataset)
	assert.Equal(t, 3000, exact["rows"])
	assert.Greater(t, exact["accuracy"], 0.8)
	assert.Less(t, exact["logLoss"], math.Ln2)
	confusion := exact["confusion"].(map[string]any)
	total, right := 0, confusion["truePositive"].(int)+confusion["trueNegative"].(int)
	for _, count := range confusion {
		total += count.(int)
	}
	assert.Equal(t, 3000, total)
	assert.InDelta(t, exact["accuracy"], float64(right)/3000, 1e-15)

	after, err := json.Marshal(reply["release"])
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	evaluated := e.ask("evaluate", map[string]any{
		"release": reply["release"], "dataset": dataset, "adjacency": "add-remove", "epsilon": 1.0,
	})
	assert.Equal(t, exact, evaluated["exact"], "an evaluation on the same rows has the same")
	assert.Equal(t, exact, exactOf(e, evaluated, dataset))

	// Those of other rows, and what is refused.
	assert.Equal(t, 500, exactOf(e, reply, opened(e, sickRows(500)))["rows"])
	release := reply["release"].(map[string]any)
	numbers := e.opens(numberSchema(), outcomes(300, days))["dataset"].(int)
	for _, c := range []struct{ params, code, field any }{
		{map[string]any{"dataset": dataset}, "parameter", "release"},
		{map[string]any{"release": release, "dataset": 99.0}, "dataset-lost", "dataset"},
		{map[string]any{"release": map[string]any{}, "dataset": dataset}, "release", "format"},
		{map[string]any{"release": release, "dataset": float64(numbers)}, "parameter", "schema"},
		{both(budget(dataset), map[string]any{"release": release}), "parameter", "adjacency"},
	} {
		_, failed := e.service.Answer("exact", c.params.(map[string]any), nil)
		require.NotNil(t, failed, "%v", c)
		assert.Equal(t, c.code, string(failed.Code), "%v", failed)
		assert.Equal(t, c.field, failed.Field, "%v", failed)
	}
}

func keys(tree map[string]any) []string {
	var out []string
	for key := range tree {
		out = append(out, key)
	}
	return out
}

func TestEveryBoundAndBothAdjacenciesFit(t *testing.T) {
	e := newEdge(t)
	dataset := opened(e, sickRows(500))
	for _, bound := range []string{"control", "logistic", "signed", "glm", "profile", "rdp", "kifer"} {
		params := budget(dataset)
		params["bound"] = bound
		release := e.ask("fit", params)["release"].(map[string]any)
		assert.Equal(t, bound, release["guarantee"].(map[string]any)["bound"])
		priced := e.ask("reprice", map[string]any{"release": release})
		assert.Equal(t, true, priced["holds"], bound)
		best := priced["best"].(map[string]any)
		assert.LessOrEqual(t, best["epsilon"], priced["epsilon"], bound)
		assert.LessOrEqual(t, priced["epsilon"], 1.0, bound)
	}
	params := budget(dataset)
	params["adjacency"] = "replace-one"
	release := e.ask("fit", params)["release"].(map[string]any)
	assert.Equal(t, "replace-one", release["event"].(map[string]any)["adjacency"])
}

func TestASuggestedSchemaMarksTheRelease(t *testing.T) {
	e := newEdge(t)
	schema := ageSchema()
	schema["features"].([]any)[0].(map[string]any)["provenance"] = "suggested"
	reply, err := e.open(schema, sickRows(200))
	require.Nil(t, err)
	guarantee := e.ask(
		"fit", budget(float64(reply["dataset"].(int))),
	)["release"].(map[string]any)["guarantee"].(map[string]any)
	assert.Equal(t, false, guarantee["covers"])
	assert.Len(t, guarantee["caveats"], 2)
}

func TestBadBudgetsNameTheField(t *testing.T) {
	e := newEdge(t)
	dataset := opened(e, ageRows)
	for field, values := range map[string][]any{
		"epsilon":   {0.0, -1.0, math.NaN(), math.Inf(1), "much", nil},
		"delta":     {0.0, 1.0, -1.0, math.NaN(), nil},
		"adjacency": {nil, "any"},
		"bound":     {"best"},
		"tau":       {0.0, 1e-30},
		"colour":    {"red"},
	} {
		for _, value := range values {
			params := budget(dataset)
			params[field] = value
			err := e.refused("fit", params)
			if field == "colour" {
				assert.Equal(t, "colour", err.Field)
				continue
			}
			assert.Equal(t, api.CodeParameter, err.Code)
			assert.Equal(t, field, err.Field, "%v: %s", value, err.Message)
		}
	}
	assert.Equal(t, api.CodeDatasetLost, e.refused("fit", budget(99)).Code)
	e.ask("dataset.free", map[string]any{"dataset": dataset})
	assert.Equal(t, api.CodeDatasetLost, e.refused("fit", budget(dataset)).Code)
}

type exhausted struct {
	left int
	err  error
}

func (s *exhausted) Uint64() (uint64, error) {
	if s.left--; s.left < 0 {
		return 0, s.err
	}
	return 0x9e3779b97f4a7c15 * uint64(s.left+1), nil
}

func TestWithoutEntropyNothingIsReleased(t *testing.T) {
	for _, source := range []random.Source{
		&exhausted{0, errors.New("the device is gone")},
		&exhausted{6, errors.New("the device is gone")},
		stuck{},
	} {
		e := &edge{t, wiretest.Hold(NewSession(source).Service())}
		dataset := opened(e, ageRows)
		err := e.refused("fit", budget(dataset))
		assert.Equal(t, api.CodeEntropy, err.Code, err.Message)
		assert.Contains(t, err.Message, "nothing was released")
	}
}

type stuck struct{}

func (stuck) Uint64() (uint64, error) { return 0, nil }

func TestTheSameBitsGiveTheSameRelease(t *testing.T) {
	fit := func() any {
		e := &edge{t, wiretest.Hold(NewSession(randomtest.New(7)).Service())}
		return e.ask("fit", budget(opened(e, sickRows(100))))["release"]
	}
	assert.Equal(t, fit(), fit())
}
