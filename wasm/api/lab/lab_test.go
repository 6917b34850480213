package lab

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/lab"
	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

var errLost = errors.New("lost")

// service has one data set, number 7: flowers made up here, twenty of them.
func service(t *testing.T) *wiretest.Service {
	schema, err := data.SchemaFromTree("", map[string]any{
		"version": 1.0,
		"features": []any{
			map[string]any{
				"name":       "length",
				"type":       "numeric",
				"min":        0.0,
				"max":        10.0,
				"provenance": "public",
			},
		},
		"label": map[string]any{
			"name":       "kind",
			"negative":   []any{"a"},
			"positive":   []any{"b"},
			"provenance": "public",
		},
		"rows": map[string]any{"norm": "clip"}, "intercept": 0.5,
	})
	require.NoError(t, err)
	parser, err := data.NewParser(schema, data.ReadOptions{})
	require.NoError(t, err)
	text := "length,kind\n"
	for i := range 40 {
		text += string(rune('0'+i%10)) + "," + string("aabbb"[i%10/2]) + "\n"
	}
	require.NoError(t, parser.Write([]byte(text)))
	dataset, err := parser.Close()
	require.NoError(t, err)
	return wiretest.Hold(Service(func(f *privacy.Fields) (*data.Dataset, error) {
		if f.Int("dataset") != 7 {
			return nil, errLost
		}
		return dataset, nil
	}))
}

func request(change map[string]any) map[string]any {
	out := map[string]any{
		"sets":     []any{"synthetic-2d"},
		"methods":  []any{"amp"},
		"epsilons": []any{1.0, 4.0},
		"trials":   2.0,
		"effort":   "quick",
	}
	for name, value := range change {
		out[name] = value
		if value == nil {
			delete(out, name)
		}
	}
	return out
}

// The handler gives what the package gives, run by run, and tells of each as it
// comes.
func TestRunIsThePackages(t *testing.T) {
	var told []map[string]any
	reply, failed := service(
		t,
	).Answer("lab.run", request(nil), func(u map[string]any) { told = append(told, u) })
	require.Nil(t, failed, "%v", failed)
	results := reply["results"].([]any)
	require.Len(t, results, 4)
	require.Len(t, told, 4)
	cells, err := lab.Plan{
		Sets:     []string{"synthetic-2d"},
		Methods:  []string{"amp"},
		Epsilons: []float64{1, 4},
		Delta:    1e-5,
		Trials:   2,
		Effort:   lab.Quick,
	}.Cells()
	require.NoError(t, err)
	laboratory := lab.New(nil)
	for i, cell := range cells {
		want, err := laboratory.Run(context.Background(), cell)
		require.NoError(t, err)
		got := results[i].(map[string]any)
		assert.Equal(t, want.Accuracy, got["accuracy"])
		assert.Equal(t, want.Loss, got["loss"])
		assert.Equal(t, want.Key, got["key"])
		assert.Equal(t, "private", got["standing"])
		assert.Equal(t, got, told[i]["result"])
		assert.Equal(t, float64(i+1)/4, told[i]["fraction"])
	}
	summaries := reply["summaries"].([]any)
	require.Len(t, summaries, 2)
	first := summaries[0].(map[string]any)
	a, b := results[0].(map[string]any)["accuracy"].(float64), results[2].(map[string]any)["accuracy"].(float64)
	assert.InDelta(t, (a+b)/2, first["accuracy"], 1e-15)
	assert.InDelta(t, 1.96*math.Abs(a-b)/2, first["halfWidth"], 1e-15)
	assert.Equal(t, 2, first["trials"])
}

func TestRunOnADataset(t *testing.T) {
	reply, failed := service(
		t,
	).Answer("lab.run", request(map[string]any{"sets": nil, "dataset": 7.0}), nil)
	require.Nil(t, failed, "%v", failed)
	first := reply["results"].([]any)[0].(map[string]any)
	assert.Equal(t, "given", first["set"])
	assert.Equal(t, 8, first["tested"])
	assert.Equal(t, "experiment: not private", first["standing"])
	assert.Equal(
		t, "experiment: not private", reply["summaries"].([]any)[0].(map[string]any)["standing"],
	)
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for _, c := range []struct {
		change         map[string]any
		field, message string
	}{
		{map[string]any{"sets": []any{"mnist"}}, "sets", "choose from adult"},
		{map[string]any{"methods": []any{"magic"}}, "methods", "choose from amp"},
		{map[string]any{"methods": []any{1.0}}, "methods", "a list of texts"},
		{map[string]any{"epsilons": []any{-1.0}}, "epsilon", "epsilon is -1"},
		{map[string]any{"effort": "some"}, "effort", `"full" or "quick"`},
		{map[string]any{"trials": 1e5}, "trials", "at most 100000"},
		{map[string]any{"sets": []any{"iris"}}, "files", "The file iris.csv of a published data set was not given."},
		{map[string]any{"sets": []any{"iris"}, "files": map[string]any{"iris.csv": "text"}}, "files", "bytes"},
		{map[string]any{"surprise": 1.0}, "surprise", "surprise"},
		{map[string]any{"dataset": 7.0}, "sets", "sets"}, // both
	} {
		_, failed := service(t).Answer("lab.run", request(c.change), nil)
		require.NotNil(t, failed, "%v", c.change)
		assert.Equal(t, api.CodeParameter, failed.Code, failed.Message)
		assert.Equal(t, c.field, failed.Field)
		assert.Contains(t, failed.Message, c.message)
	}
	_, failed := service(
		t,
	).Answer("lab.run", request(map[string]any{"sets": nil, "dataset": 8.0}), nil)
	assert.ErrorIs(t, failed, errLost)
	_, failed = service(
		t,
	).Answer("lab.run", request(map[string]any{"sets": []any{"iris"}, "files": map[string]any{"iris.csv": []byte("a,b\n1,2\n")}}), nil)
	require.NotNil(t, failed)
	assert.Contains(t, failed.Message, "iris.csv")
}

func TestContentsListsWhatThereIs(t *testing.T) {
	reply, failed := service(t).Answer("lab.contents", map[string]any{}, nil)
	require.Nil(t, failed)
	assert.Len(t, reply["sets"], len(lab.Sets()))
	assert.Len(t, reply["methods"], len(lab.Methods()))
	assert.Len(t, reply["published"], len(lab.PublishedAccuracies()))
	for i, tree := range reply["sets"].([]any) {
		set := tree.(map[string]any)
		assert.Equal(t, len(lab.Sets()[i].Files) > 0, set["schema"] != nil)
	}
}
