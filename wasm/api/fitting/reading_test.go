package fitting

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/ledger"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

func TestADatasetIsReadInPieces(t *testing.T) {
	e := newEdge(t)
	reading := e.ask("read.open", map[string]any{"purpose": "dataset", "schema": ageSchema(), "size": float64(len(ageRows))})["reading"]
	id := map[string]any{"reading": float64(reading.(int))}
	e.ask("read.part", id)
	for _, piece := range strings.SplitAfter(ageRows, "A") {
		rows := e.ask("read.append", map[string]any{"reading": id["reading"], "bytes": []byte(piece)})["rows"]
		assert.LessOrEqual(t, rows, 4) // what is parsed lags behind what is sent
	}
	reply := e.ask("read.finish", id)
	assert.Equal(t, 4, reply["rows"])
	assert.Equal(t, map[string]any{"positive": 2, "negative": 2}, reply["classes"])
	assert.Len(t, reply["columns"], 4)
	assert.Equal(
		t, ageSchema()["features"].([]any)[0].(map[string]any)["name"],
		reply["schema"].(map[string]any)["features"].([]any)[0].(map[string]any)["name"],
	)
	tally := reply["tally"].(map[string]any)
	assert.Equal(t, float64(len(ageRows)), tally["bytes"])
	assert.Equal(t, 4, tally["kept"])

	// A reading ends when it is finished, and the dataset when it is freed.
	assert.Equal(t, api.CodeDatasetLost, e.refused("read.finish", id).Code)
	e.ask("dataset.free", map[string]any{"dataset": float64(reply["dataset"].(int))})
}

func TestFilesThatDoNotFitTheSchema(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		column string
		row    int
		says   string
	}{
		"not a CSV":            {text: "PK\x03\x04\x00\x00\x00\x00", says: "CSV"},
		"empty":                {text: "", says: "empty"},
		"zero rows":            {text: "age,ward,sick\n", says: "no record"},
		"ragged row":           {text: "age,ward,sick\n30,A,no\n70,B\n", row: 3, says: "2 fields"},
		"label column missing": {text: "age,ward\n30,A\n", row: 1, column: "sick", says: "no column"},
		"third label value":    {text: "age,ward,sick\n30,A,no\n70,B,perhaps\n", row: 3, column: "sick", says: `"perhaps"`},
		"one class only":       {text: "age,ward,sick\n30,A,no\n70,B,no\n", column: "sick", says: "of the negative class"},
		"unknown category":     {text: "age,ward,sick\n30,A,no\n70,C,yes\n", row: 3, column: "ward", says: `"C"`},
		"NaN":                  {text: "age,ward,sick\nNaN,A,no\n", row: 2, column: "age", says: `"NaN" is not a finite number`},
		"infinity":             {text: "age,ward,sick\n30,A,no\nInf,A,no\n", row: 3, column: "age", says: `"Inf" is not a finite number`},
		"too large":            {text: "age,ward,sick\n1e400,A,no\n", row: 2, column: "age", says: "too large"},
		"text for a number":    {text: "age,ward,sick\nthirty,A,no\n", row: 2, column: "age", says: `"thirty" is not a number`},
		"missing value":        {text: "age,ward,sick\n?,A,no\n", row: 2, column: "age", says: "missing"},
		"quote never closed":   {text: "age,ward,sick\n30,\"A,no\n", row: 2, column: "ward", says: "never closed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t)
			_, err := e.open(ageSchema(), c.text)
			require.NotNil(t, err)
			assert.Equal(t, api.CodeData, err.Code, err.Message)
			assert.Equal(t, c.row, err.Row, err.Message)
			assert.Equal(t, c.column, err.Column, err.Message)
			assert.Contains(t, err.Message, c.says)
			assert.Regexp(t, `[.!?]$`, err.Message)

			// The session is usable afterwards.
			_, err = e.open(ageSchema(), ageRows)
			assert.Nil(t, err)
		})
	}
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	feature := func(s map[string]any, i int) map[string]any {
		return s["features"].([]any)[i].(map[string]any)
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		field  string
		says   string
	}{
		"wrong version":       {func(s map[string]any) { s["version"] = 8.0 }, "version", "is 8"},
		"no version":          {func(s map[string]any) { delete(s, "version") }, "version", "missing"},
		"bounds upside down":  {func(s map[string]any) { feature(s, 0)["min"] = 200.0 }, "features[0].min", "below max"},
		"equal bounds":        {func(s map[string]any) { feature(s, 0)["min"] = 100.0 }, "features[0].min", "below max"},
		"a feature twice":     {func(s map[string]any) { feature(s, 1)["name"] = "age" }, "features[1].name", "age"},
		"label as a feature":  {func(s map[string]any) { feature(s, 1)["name"] = "sick" }, "label.name", "sick"},
		"unknown field":       {func(s map[string]any) { s["colour"] = "red" }, "colour", "no meaning"},
		"provenance left out": {func(s map[string]any) { delete(feature(s, 0), "provenance") }, "features[0].provenance", "no default"},
		"unknown norm":        {func(s map[string]any) { s["rows"] = map[string]any{"norm": "max"} }, "rows.norm", `"clip"`},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEdge(t)
			schema := ageSchema()
			c.change(schema)
			for _, err := range []*api.Error{
				e.refused("schema.check", map[string]any{"schema": schema}),
				e.refused("read.open", map[string]any{"purpose": "dataset", "schema": schema}),
			} {
				assert.Equal(t, api.CodeSchema, err.Code)
				assert.Equal(t, c.field, err.Field, err.Message)
				assert.Contains(t, err.Message, c.says)
			}
		})
	}
}

func TestASchemaThatIsNoObjectIsRefused(t *testing.T) {
	e := newEdge(t)
	assert.Equal(
		t, api.CodeSchema, e.refused("schema.check", map[string]any{"schema": "age: 30"}).Code,
	)
	assert.Equal(t, "schema", e.refused("schema.check", map[string]any{}).Field)
}

func TestWhatASchemaSaysByItself(t *testing.T) {
	e := newEdge(t)
	schema := ageSchema()
	schema["features"].([]any)[1].(map[string]any)["provenance"] = "suggested"
	reply := e.ask("schema.check", map[string]any{"schema": schema})
	assert.InDelta(t, 1.4142135623730951, reply["rowNorm"], 1e-15)
	assert.Equal(t, 4, reply["dimension"])
	assert.Equal(t, []any{"ward"}, reply["suggested"])
	assert.Len(t, reply["caveats"], 2)
	assert.Equal(t, "(intercept)", reply["columns"].([]any)[3].(map[string]any)["name"])
	// Defaults are written out.
	assert.Equal(
		t, "error",
		reply["schema"].(map[string]any)["features"].([]any)[0].(map[string]any)["missing"],
	)
}

func TestAFileThatIsTooLargeIsRefusedUnread(t *testing.T) {
	e := newEdge(t)
	for _, purpose := range []string{"dataset", "suggest"} {
		for _, size := range []float64{1 << 31, MaxBytes + 1, 1e300} {
			params := map[string]any{"purpose": purpose, "size": size}
			if purpose == "dataset" {
				params["schema"] = ageSchema()
			}
			err := e.refused("read.open", params)
			assert.Equal(t, api.CodeTooLarge, err.Code)
			assert.Contains(t, err.Message, "512 MiB")
		}
	}
}

func TestTheClientHasTheSameLimits(t *testing.T) {
	text, err := os.ReadFile("../../../site/src/client/limits.ts")
	require.NoError(t, err)
	for name, bytes := range map[string]int{"MAX_BYTES": MaxBytes, "LARGE": data.Large} {
		found := regexp.MustCompile(`(?m)^export const ` + name + ` = 2 \*\* (\d+);$`).
			FindSubmatch(text)
		require.NotNil(t, found, "%s is a power of two in site/src/client/limits.ts", name)
		power, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		assert.Equal(t, bytes, 1<<power)
	}
}

func TestASuggestionIsMarkedAsOne(t *testing.T) {
	e := newEdge(t)
	reply, err := e.read(
		map[string]any{"purpose": "suggest", "label": "sick"},
		"site,age,ward,sick\n1,30,A,no\n1,70,B,yes\n1,45,A,yes\n1,20,B,no\n",
	)
	require.Nil(t, err)
	schema := reply["schema"].(map[string]any)
	for _, f := range schema["features"].([]any) {
		assert.Equal(t, "suggested", f.(map[string]any)["provenance"])
	}
	assert.Equal(t, "suggested", schema["label"].(map[string]any)["provenance"])
	assert.Equal(t, "site", reply["leftOut"].([]any)[0].(map[string]any)["column"])

	_, err = e.read(map[string]any{"purpose": "suggest", "label": "gone"}, ageRows)
	require.NotNil(t, err)
	assert.Equal(t, api.CodeData, err.Code)
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	e := newEdge(t)
	for _, c := range []struct {
		method string
		params map[string]any
		field  string
	}{
		{"read.open", map[string]any{"purpose": "dance"}, "purpose"},
		{"read.open", map[string]any{"purpose": "dataset", "schema": ageSchema(), "colour": "red"}, "colour"},
		{"read.open", map[string]any{"purpose": "suggest", "positive": []any{1.0}}, "positive"},
		{"read.append", map[string]any{"reading": 99.0, "bytes": []byte{}}, "reading"},
		{"read.append", map[string]any{}, "reading"},
		{"dataset.free", map[string]any{}, "dataset"},
		{"fly", map[string]any{}, "method"},
	} {
		err := e.refused(c.method, c.params)
		assert.Equal(t, c.field, err.Field, err.Message)
	}
}

// Whatever a file is read for, its content is the same.
func TestContentIsTakenByEveryReading(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	read := func(params map[string]any) int {
		reply, err := e.read(params, ageRows)
		require.Nil(t, err)
		for _, name := range []string{"dataset", "content"} {
			if id, ok := reply[name]; ok {
				return id.(int)
			}
		}
		t.Fatal("no number for the content")
		return 0
	}
	of := func(id int) ledger.Identity {
		content, err := session.Content(id)
		require.NoError(t, err)
		return content
	}
	dataset := read(map[string]any{"purpose": "dataset", "schema": ageSchema()})
	proposed := read(map[string]any{"purpose": "suggest", "label": "sick"})
	alone := read(map[string]any{"purpose": "content"})
	assert.Equal(t, of(dataset), of(proposed))
	assert.Equal(t, of(dataset), of(alone))

	// It can be taken elsewhere, and must be then.
	digest := of(dataset).List
	open := map[string]any{
		"reading": float64(
			e.ask("read.open", map[string]any{"purpose": "dataset", "schema": ageSchema(), "apart": true})["reading"].(int),
		),
	}
	e.ask("read.part", open)
	e.ask("read.append", map[string]any{"reading": open["reading"], "bytes": []byte(ageRows)})
	for _, wrong := range []any{nil, "digest", []byte{1, 2}} {
		assert.Equal(
			t,
			"digest",
			e.refused(
				"read.finish", map[string]any{"reading": open["reading"], "digest": wrong},
			).Field,
		)
	}
	apart := e.ask("read.finish", map[string]any{"reading": open["reading"], "digest": digest[:]})["dataset"].(int)
	assert.Equal(t, of(dataset), of(apart))

	// The whole digest is taken with it, or of the file when it is read again.
	both := ledger.Content{Whole: true}
	both.Write([]byte(ageRows))
	want := both.Sum()
	at := read(map[string]any{"purpose": "dataset", "schema": ageSchema(), "whole": true})
	assert.Equal(t, want, of(at))
	again := map[string]any{"purpose": "content", "of": float64(dataset)}
	assert.Equal(t, dataset, read(again))
	assert.Equal(t, want, of(dataset))
	_, failed := e.read(
		map[string]any{"purpose": "content", "of": float64(proposed)}, ageRows+ageRows,
	)
	require.NotNil(t, failed)
	assert.Equal(t, api.CodeDatasetLost, failed.Code, "it has changed")
	assert.False(t, of(proposed).Both)
	again["of"] = 99.0
	assert.Equal(t, api.CodeDatasetLost, e.refused("read.open", again).Code)

	// It is no data set, and it can be freed.
	assert.Equal(
		t, api.CodeDatasetLost, e.refused("fit", map[string]any{"dataset": float64(alone)}).Code,
	)
	e.ask("dataset.free", map[string]any{"dataset": float64(alone)})
	_, gone := session.Content(alone)
	require.Error(t, gone)
}

func TestAMatrixThatIsTooLargeIsRefused(t *testing.T) {
	e := newEdge(t)
	_, err := e.read(
		map[string]any{"purpose": "dataset", "schema": ageSchema(), "room": 100.0}, ageRows,
	)
	require.NotNil(t, err)
	assert.Equal(t, api.CodeTooLarge, err.Code)
	assert.Contains(t, err.Message, "Take a random sample of its records")
	for _, room := range []any{0.0, -1.0, "much"} {
		err := e.refused(
			"read.open", map[string]any{"purpose": "dataset", "schema": ageSchema(), "room": room},
		)
		assert.Equal(t, "room", err.Field)
	}
}
