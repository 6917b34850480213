package data

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func ExampleParseSchema() {
	schema, err := ParseSchema([]byte(`{
		"version": 1,
		"features": [
			{"name": "age", "type": "numeric", "provenance": "public",
			 "min": 0, "max": 120, "missing": 40},
			{"name": "income", "type": "numeric", "provenance": "public",
			 "min": 0, "max": 1000000, "log": true, "missing": "drop"},
			{"name": "smokes", "type": "categorical", "provenance": "suggested",
			 "categories": ["no", "yes", "used to"],
			 "missing": "zero", "unknown": {"category": "no"}}
		],
		"label": {"name": "ill", "negative": ["0"], "positive": ["1"], "provenance": "public"},
		"rows": {"norm": "clip"},
		"intercept": 1
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, column := range schema.Columns() {
		fmt.Println(column.Name)
	}
	fmt.Println("row norm:", schema.RowNorm())
	fmt.Println("covers everything:", schema.CoversEverything())
	// Output:
	// age
	// income
	// smokes=no
	// smokes=yes
	// smokes=used to
	// (intercept)
	// row norm: 1.4142135623730951
	// covers everything: false
}

// small is a valid schema in JSON, on which tests make one change.
const small = `{"version":1,"features":[` +
	`{"name":"x","type":"numeric","min":0,"max":10,"provenance":"public"},` +
	`{"name":"c","type":"categorical","categories":["a","b"],"provenance":"public"}],` +
	`"label":{"name":"y","negative":["no"],"positive":["yes"],"provenance":"public"},` +
	`"rows":{"norm":"clip"},"intercept":1}`

func smallSchema(t testing.TB, changes ...string) *Schema {
	t.Helper()
	schema, err := ParseSchema([]byte(strings.NewReplacer(changes...).Replace(small)))
	require.NoError(t, err)
	return schema
}

func TestSchemaErrors(t *testing.T) {
	for _, c := range []struct{ old, new, message string }{
		{`"version":1`, `"version":8`, `version is 8: it must be 1, 2, 3, 4, 5, 6 or 7, the versions of the schema format that this library reads`},
		{`"version":1`, `"version":1.5`, `version is 1.5: it must be 1, 2, 3, 4, 5, 6 or 7, the versions of the schema format that this library reads`},
		{`"version":1,`, ``, `version is missing: it must be 1, 2, 3, 4, 5, 6 or 7, the versions of the schema format that this library reads`},
		{`"version":1`, `"version":"1"`, `version is "1": it must be 1, 2, 3, 4, 5, 6 or 7, the versions of the schema format that this library reads`},
		{`"version":1`, `"version":1,"colour":3`, `colour has no meaning in a schema: it must be left out, or spelt as the documentation has it`},
		{`"version":1`, `"version":1,"Features":[]`, `Features has no meaning in a schema: it must be left out, or spelt as the documentation has it`},
		{`"name":"x"`, `"name":"x\ud800"`, `the schema has an escape for half of a character, at line 1, column 36: it must be text: both halves, or none`},
		{`"version":1`, `"version":1,"version":1`, `version is given twice: it must be given once`},
		{`"name":"x"`, `"name":"x","name":"z"`, `features[0].name is given twice: it must be given once`},
		{`"min":0`, `"min":10`, `features[0].min is 10: it must be below max, which is 10`},
		{`"min":0`, `"min":11`, `features[0].min is 11: it must be below max, which is 10`},
		{`"min":0`, `"min":"0"`, `features[0].min is "0": it must be a number, the public lower bound`},
		{`"min":0,`, ``, `features[0].min is missing: it must be a number, the public lower bound`},
		{`"max":10`, `"max":1e400`, `features[0].max is 1e400: it must be a number below 1.8e308`},
		{`"min":0,"max":10`, `"min":-1e308,"max":1e308`, `features[0].max is too far from min: it must be such that max − min is a finite double`},
		{`"min":0,"max":10`, `"min":0,"max":1e-320`, `features[0].max is too close to min: it must be at least 1e-200 above it`},
		{`"max":10`, `"max":NaN`, `the schema is not JSON (invalid character 'N' looking for beginning of value, at line 1, column 69): it must be a JSON object as the documentation has it`},
		{`"max":10`, `"max":10,"log":1`, `features[0].log is 1: it must be true or false`},
		{`"max":10`, `"max":10,"categories":["a"]`, `features[0].categories has no meaning for a numeric feature: it must be left out, or spelt as the documentation has it`},
		{`"max":10`, `"max":10,"missing":"zero"`, `features[0].missing is "zero": it must be "error", "drop", "indicator" or a number`},
		{`"max":10`, `"max":10,"missing":11`, `features[0].missing is 11: it must be between min and max`},
		{`"max":10`, `"max":10,"missing":{"category":"a"}`, `features[0].missing is {"category": "a"}: it must be "error", "drop", "indicator" or a number`},
		{`"name":"c"`, `"name":"x"`, `features[1].name is "x", as features[0] is: it must be listed once`},
		{`"name":"c"`, `"name":" c"`, `features[1].name is " c": it must be without spaces at its ends, because reading trims them`},
		{`"name":"c"`, `"name":""`, `features[1].name is missing or empty: it must be some text`},
		{`"type":"categorical"`, `"type":"ordinal"`, `features[1].type is "ordinal": it must be "numeric" or "categorical"`},
		{`["a","b"]`, `["a","b","a"]`, `features[1].categories[2] is "a", as [0] is: it must be listed once`},
		{`["a","b"]`, `[]`, `features[1].categories is empty: it must be a list of at least one category`},
		{`["a","b"]`, `["a",1]`, `features[1].categories[1] is 1: it must be text in quotes`},
		{`["a","b"]`, `["a","NA"]`, `features[1].categories[1] is "NA", which is among missing_values too: it must be one or the other`},
		{`["a","b"]`, `["a","b"],"unknown":"ignore"`, `features[1].unknown is "ignore": it must be "error", "drop", "zero" or {"category": "…"}`},
		{`["a","b"]`, `["a","b"],"unknown":3`, `features[1].unknown is 3: it must be "error", "drop", "zero" or {"category": "…"}`},
		{`["a","b"]`, `["a","b"],"unknown":{"category":"d"}`, `features[1].unknown.category is "d": it must be one of the feature's categories`},
		{`["a","b"]`, `["a","b"],"unknown":{"category":"a","x":1}`, `features[1].unknown.x has no meaning: it must be left out, or spelt as the documentation has it`},
		{`"public"}]`, `"secret"}]`, `features[1].provenance is "secret": it must be "public" (known without looking at this file), "suggested" (read off this file) or, from version 3 on, "bought" (a private release of its own); it has no default`},
		{`,"provenance":"public"}]`, `}]`, `features[1].provenance is missing: it must be "public" (known without looking at this file), "suggested" (read off this file) or, from version 3 on, "bought" (a private release of its own); it has no default`},
		{`"name":"y"`, `"name":"x"`, `label.name is "x", as features[0] is: it must be a column that is not a feature: a model cannot predict a column from itself`},
		{`["yes"]`, `["yes","no"]`, `label.positive[1] is "no", which is among the negative spellings too: it must be a spelling of one class only`},
		{`["yes"]`, `[]`, `label.positive is empty: it must be a list of at least one spelling`},
		{`["yes"]`, `["yes"],"missing":"zero"`, `label.missing is "zero": it must be "error" or "drop"`},
		{`["no"]`, `["?"]`, `label.negative[0] is "?", which is among missing_values too: it must be one or the other`},
		{`"clip"`, `"max"`, `rows.norm is "max": it must be "clip" (scale down rows longer than 1), "unit" (scale every row to length 1) or "scale" (divide all by the length of the longest that is possible)`},
		{`,"rows":{"norm":"clip"}`, ``, `rows is missing: it must be an object`},
		{`"intercept":1`, `"intercept":-1`, `intercept is -1: it must be a number from 0 (no intercept) to 1e6; 0.5 is usual`},
		{`,"intercept":1`, ``, `intercept is missing: it must be a number from 0 (no intercept) to 1e6; 0.5 is usual`},
		{`"intercept":1`, `"intercept":1,"missing_values":["?"," "]`, `missing_values[1] is " ": it must be without spaces at its ends, because reading trims them`},
		{`"intercept":1}`, `"intercept":1} {}`, `the schema has text after its closing brace, at line 1, column 293: it must be one JSON object and nothing else`},
		{`"intercept":1}`, `"intercept":1`, `the schema is not JSON (it ends too early, at line 1, column 291): it must be a JSON object as the documentation has it`},
		{small, ``, `the schema is not JSON (it ends too early, at line 1, column 1): it must be a JSON object as the documentation has it`},
		{small, `[1]`, `the schema is a list: it must be an object`},
		{small, strings.Repeat("[", 100), `[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0] is nested too deeply: it must be as the documentation has it`},
		{`"name":"x"`, "\"name\":\"\xff\"", `the schema is not UTF-8 text: it must be saved as UTF-8`},
	} {
		require.Contains(t, small, c.old)
		_, err := ParseSchema([]byte(strings.Replace(small, c.old, c.new, 1)))
		require.EqualError(t, err, c.message, "%s for %s", c.new, c.old)
		require.IsType(t, &SchemaError{}, err)
	}
}

// Schemas made in Go or handed over as trees can hold what JSON cannot.
func TestSchemaRefusesWhatIsNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, change := range []func(*Schema){
			func(s *Schema) { s.Features[0].Min = x },
			func(s *Schema) { s.Features[0].Max = x },
			func(s *Schema) { s.Features[0].Missing = Rule{Action: UseValue, Value: x} },
			func(s *Schema) { s.Intercept = x },
		} {
			schema := smallSchema(t)
			change(schema)
			require.Error(t, schema.Validate())
			_, err := schema.MarshalJSON()
			require.Error(t, err)
			_, err = NewParser(schema, ReadOptions{})
			require.IsType(t, &SchemaError{}, err)
		}
		for _, name := range []string{"min", "max"} {
			tree, err := smallSchema(t).Tree()
			require.NoError(t, err)
			tree["features"].([]any)[0].(map[string]any)[name] = x
			_, err = SchemaFromTree("request.schema", tree)
			require.ErrorContains(t, err, "request.schema.features[0]."+name+" is ")
		}
	}
}

func TestSchemaRefusesWhatDoesNotBelong(t *testing.T) {
	for _, change := range []func(*Schema){
		func(s *Schema) { s.Features = nil },
		func(s *Schema) { s.Features[0].Categories = []string{"a"} },
		func(s *Schema) { s.Features[0].Unknown = Rule{Action: Drop} },
		func(s *Schema) { s.Features[0].Missing = Rule{Action: Drop, Value: 1} },
		func(s *Schema) { s.Features[0].Missing = Rule{Action: 77} },
		func(s *Schema) { s.Features[0].Missing = Rule{Action: Indicate, Value: 1} },
		func(s *Schema) { s.Features[1].Missing = Rule{Action: Indicate, Category: "a"} },
		func(s *Schema) { s.Features[1].Unknown = Rule{Action: Indicate} },
		func(s *Schema) { s.Label.Missing = Rule{Action: Indicate} },
		func(s *Schema) { s.Features[1].Max = 1 },
		func(s *Schema) { s.Features[1].Log = true },
		func(s *Schema) { s.Features[1].Missing = Rule{Action: UseValue} },
		func(s *Schema) { s.Features[1].Type = "" },
		func(s *Schema) { s.Features[1].Provenance = "" },
		func(s *Schema) { s.Label.Provenance = "" },
		func(s *Schema) { s.Label.Missing = Rule{Action: UseZero} },
		func(s *Schema) { s.Rows.Norm = "" },
		func(s *Schema) { s.Intercept = 2e6 },
		func(s *Schema) { s.Features[1].Categories = manyTexts(maxColumns) },
	} {
		schema := smallSchema(t)
		change(schema)
		require.Error(t, schema.Validate())
	}
	require.Error(t, (&Schema{}).Validate())
}

func manyTexts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "c" + fmt.Sprint(i)
	}
	return out
}

func TestSchemaRoundTrip(t *testing.T) {
	schema := &Schema{
		Features: []Feature{
			{
				Name:       "x",
				Type:       Numeric,
				Min:        -0.1,
				Max:        1.0 / 3,
				Missing:    Rule{Action: UseValue, Value: 0.25},
				Provenance: Public,
			},
			{
				Name:       "zero",
				Type:       Numeric,
				Min:        -1,
				Max:        0,
				Log:        true,
				Missing:    Rule{Action: UseValue},
				Provenance: Suggested,
			},
			{Name: "c", Type: Categorical, Categories: []string{"<=50K", "a\"b", "é\n"},
				Missing: Rule{
					Action:   UseCategory,
					Category: "<=50K",
				}, Unknown: Rule{Action: UseZero}, Provenance: Public},
			{
				Name:       "d",
				Type:       Categorical,
				Categories: []string{"1"},
				Missing:    Rule{Action: Drop},
				Provenance: Public,
			},
		},
		Label: Label{
			Name:       "y",
			Negative:   []string{"0", "no"},
			Positive:   []string{"1"},
			Missing:    Rule{Action: Drop},
			Provenance: Suggested,
		},
		Rows:          Rows{Unit},
		Intercept:     0.1,
		MissingValues: []string{},
	}
	text := readAgain(t, schema)
	require.Contains(t, string(text), `"<=50K"`, "legible")

	// Inside another document, as in a release.
	outer, err := json.Marshal(map[string]any{"schema": schema})
	require.NoError(t, err)
	var back struct{ Schema *Schema }
	require.NoError(t, json.Unmarshal(outer, &back))
	require.Equal(t, schema, back.Schema)

	// Defaults are spelt out.
	text, err = smallSchema(t).MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, `{"version":1,"features":[`+
		`{"name":"x","type":"numeric","min":0,"max":10,"log":false,"missing":"error","provenance":"public"},`+
		`{"name":"c","type":"categorical","categories":["a","b"],"missing":"error","unknown":"error","provenance":"public"}],`+
		`"label":{"name":"y","negative":["no"],"positive":["yes"],"missing":"error","provenance":"public"},`+
		`"rows":{"norm":"clip"},"intercept":1,"missing_values":["","?","NA"]}`, string(text))

	bom, err := ParseSchema([]byte("\xef\xbb\xbf" + small))
	require.NoError(t, err)
	require.Equal(t, smallSchema(t), bom)
}

func TestCaveats(t *testing.T) {
	schema := smallSchema(t)
	require.True(t, schema.CoversEverything())
	require.Empty(t, schema.Caveats())

	schema.Features[0].Provenance = Suggested
	require.False(t, schema.CoversEverything())
	schema.Features[0].Missing = Rule{Action: Indicate}
	require.Equal(
		t,
		`The indicators of missing values of "x" were read off the private file and nobody has confirmed that they are public knowledge. `+
			`What they reveal, such as that somebody in the file has no value there, is not covered by the guarantee.`,
		schema.Caveats()[1],
	)
	schema.Features[0].Missing = Rule{}
	names := "The names of the columns are published too, and the guarantee does not cover what they reveal."
	require.Equal(
		t,
		[]string{
			`The bounds of "x" were read off the private file and nobody has confirmed that they are public knowledge. ` +
				`What they reveal, such as about the smallest and the largest value in the file, is not covered by the guarantee.`,
			names,
		},
		schema.Caveats(),
	)

	schema.Features[0].Log = true
	require.Equal(
		t,
		`The logarithmic scales of "x" were read off the private file and nobody has confirmed that they are public knowledge. `+
			`What they reveal, such as that most values in the file are far below the largest, is not covered by the guarantee.`,
		schema.Caveats()[1],
	)
	require.Len(t, schema.Caveats(), 3)
	require.Len(t, schema.EarlierCaveats(), 2)
	schema.Features[0].Log = false
	require.Equal(t, schema.Caveats(), schema.EarlierCaveats())

	schema.Features[1].Provenance = Suggested
	schema.Label.Provenance = Suggested
	caveats := schema.Caveats()
	require.Len(t, caveats, 4)
	require.Contains(t, caveats[1], `The categories of "c"`)
	require.Contains(t, caveats[2], `The label "y"`)
	require.Equal(t, names, caveats[3])
}

// readAgain gives the JSON of a schema, from which and from whose tree the same
// schema is read.
func readAgain(t *testing.T, schema *Schema) []byte {
	t.Helper()
	text, err := schema.MarshalJSON()
	require.NoError(t, err)
	again, err := ParseSchema(text)
	require.NoError(t, err)
	require.Equal(t, schema, again)
	tree, err := schema.Tree()
	require.NoError(t, err)
	again, err = SchemaFromTree("", tree)
	require.NoError(t, err)
	require.Equal(t, schema, again)
	parsed, err := parseTree(text)
	require.NoError(t, err)
	require.Equal(t, parsed, any(tree), "the tree is what the JSON says")
	return text
}

// null is no way of leaving a field out: other readers of the file do not take it for one.
func TestNullIsNotLeftOut(t *testing.T) {
	for _, field := range []string{
		`"missing_values":null`, `"x":{"missing":null}`, `"x":{"log":null}`, `"x":{"reason":null}`,
		`"y":{"missing":null}`, `"y":{"type":null}`,
	} {
		x, y, rest := "", "", ""
		switch inner := strings.TrimSuffix(field[5:], "}"); field[1] {
		case 'x':
			x = "," + inner
		case 'y':
			y = "," + inner
		default:
			rest = "," + field
		}
		_, err := ParseSchema([]byte(`{"version":5,"features":[{"name":"a","type":"numeric","min":0,` +
			`"max":1,"provenance":"public"` + x + `}],"label":{"name":"b","negative":["n"],` +
			`"positive":["p"],"provenance":"public"` + y + `},"rows":{"norm":"clip"},"intercept":1` +
			rest + `}`))
		require.Error(t, err, field)
	}
}

// An escape for half of a character is seen wherever it stands, and no other is taken for one.
func TestHalvesOfCharactersAreSeen(t *testing.T) {
	for text, want := range map[string]int{
		`{}`: -1, `"\ud83d\ude00"`: -1, `"\\ud800"`: -1, `"\n\u00e9\uFFFD"`: -1, `"\uD83D\uDE00\t"`: -1,
		`"\ud800"`: 1, `"\\\uDC00"`: 3, `"\ude00\ud83d"`: 1, `"\ud800\\udc00"`: 1, `"\ud800\ud83d\ude00"`: 1,
		`"\ud83d\ude00\ud83d"`: 13, `"\ud83dx\ude00"`: 1, `"\ud8`: -1, `\`: -1, `"\ud800\`: 1,
	} {
		require.Equal(t, want, halfCharacter([]byte(text)), text)
	}
}
