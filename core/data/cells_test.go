package data

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func cellSchema() *CellSchema {
	return &CellSchema{
		Attributes: []Attribute{
			{
				Name:       "age",
				Min:        0,
				Max:        100,
				Cuts:       []float64{30, 45.5},
				Missing:    Rule{Action: Drop},
				Provenance: Public,
			},
			{
				Name:       "sex",
				Levels:     []Level{{"woman", []string{"F", "f"}}, {"man", []string{"M"}}},
				Unknown:    Rule{Action: Drop},
				Provenance: Public,
			},
		},
		Label: Label{
			Name:       "ill",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: Public,
		},
	}
}

func readCells(t *testing.T, schema *CellSchema, text string) (*Cells, error) {
	t.Helper()
	require.NoError(t, schema.Validate())
	return ReadCells([]Part{{Reader: strings.NewReader(text)}}, schema, ReadOptions{})
}

func TestCellsAreCountedByLevel(t *testing.T) {
	cells, err := readCells(t, cellSchema(), `ill,note,sex,age
no,a,F,29.999999999999996
no,b,f,30
yes,c,M,45.5
yes,d,M,45.49999999999999
yes,e,M,1000
no,f,M,-3
no,g,X,50
no,h,F,
`)
	require.NoError(t, err)
	// By age, then sex: (below 30, F), (below 30, M), (30 to below 45.5, F), …
	assert.Equal(t, []int64{0, 0, 0, 1, 0, 2}, cells.Positives)
	assert.Equal(t, []int64{1, 1, 1, 0, 0, 0}, cells.Negatives)
	assert.Equal(t, []uint32{0, 4, 11, 7, 11, 2}, cells.Rows)
	assert.Equal(t, 2, cells.Dropped)
	assert.Equal(
		t, []string{"below 30", "30 to below 45.5", "45.5 or more"},
		cells.Schema.Attributes[0].LevelNames(),
	)
	assert.Equal(t, []string{"woman", "man"}, cells.Schema.Attributes[1].LevelNames())

	some := cells.Select([]int{0, 4, 4})
	assert.Equal(t, []int64{0, 0, 0, 0, 0, 2}, some.Positives)
	assert.Equal(t, []int64{1, 0, 0, 0, 0, 0}, some.Negatives)
	_, err = cells.MarshalJSON()
	assert.Error(t, err)
}

func TestCellsSayWhatIsWrongWithAFile(t *testing.T) {
	for text, want := range map[string]string{
		"age,ill\n1,yes\n":                  "sex",
		"age,sex,ill\nold,F,yes\n":          "row 2, column \"age\"",
		"age,sex,ill\n30,F,perhaps\n":       "column \"ill\"",
		"age,sex,ill\n":                     "no record",
		"age,sex,ill\n30,F,yes\n4,M,yes\n":  "every record is of the positive class",
		"age,sex,ill\n,F,yes\n30,X,no\n":    "left out",
		"age,sex,ill\n30,F,yes\n50,M,yes\n": "every record is of the positive class",
		"age,sex,ill\n30,F\n":               "field",
	} {
		_, err := readCells(t, cellSchema(), text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want)
	}
}

func TestCellSchemasAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		spoil       func(*CellSchema)
		field, want string
	}{
		{func(s *CellSchema) { s.Attributes = nil }, "attributes", "at least one"},
		{func(s *CellSchema) { s.Attributes[0].Cuts = []float64{45, 30} }, "attributes[0].cuts[1]", "above the cut before"},
		{func(s *CellSchema) { s.Attributes[0].Cuts = []float64{30, 30} }, "attributes[0].cuts[1]", "above the cut before"},
		{func(s *CellSchema) { s.Attributes[0].Cuts = []float64{100} }, "attributes[0].cuts[0]", "between the bounds"},
		{func(s *CellSchema) { s.Attributes[0].Cuts = nil }, "attributes[0]", "another level"},
		{func(s *CellSchema) { s.Attributes[1].Cuts = []float64{1} }, "attributes[1]", "either"},
		{func(s *CellSchema) { s.Attributes[1].Levels = s.Attributes[1].Levels[:1] }, "attributes[1]", "another level"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "" }, "attributes[1].levels[1].name", "public name"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "woman" }, "attributes[1].levels[1].name", "different"},
		// People go by the names, and programs by the values.
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "woman\u200b" }, "attributes[1].levels[1].name", "to the eye"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "wo\ufe0fman" }, "attributes[1].levels[1].name", "to the eye"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "\u2060" }, "attributes[1].levels[1].name", "public name"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Name = "f" }, "attributes[1].levels[1].name", "wrong one"},
		{func(s *CellSchema) { s.Attributes[1].Levels[0].Name = "M\u00ad" }, "attributes[1].levels[0].name", "wrong one"},
		{func(s *CellSchema) {
			s.Attributes[1].Levels = []Level{{"F", []string{"M"}}, {"M", []string{"F", "M\u200b"}}}
		}, "attributes[1].levels[0].name", "wrong one"},
		{func(s *CellSchema) {
			s.Attributes[1].Levels = []Level{{"woman", []string{"M"}}, {"M", []string{"F", "M\u200b"}}}
		}, "attributes[1].levels[1].name", "wrong one"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Values = nil }, "attributes[1].levels[1].values", "values"},
		{func(s *CellSchema) { s.Attributes[1].Levels[1].Values = []string{"F"} }, "attributes[1]", ""},
		{func(s *CellSchema) { s.Attributes[1].Name = "age" }, "attributes[1].name", "once"},
		{func(s *CellSchema) { s.Attributes[1].Missing = Rule{Action: UseZero} }, "attributes[1].missing", "part of a level"},
		{func(s *CellSchema) { s.Label.Type = NumericLabel }, "label.type", "yes or no"},
		{func(s *CellSchema) { s.Label.Name = "age" }, "label.name", ""},
		{func(s *CellSchema) {
			for i := range 16 {
				s.Attributes = append(
					s.Attributes,
					Attribute{
						Name: string(rune('a' + i)), Max: 1, Cuts: []float64{0.5},
						Provenance: Public,
					},
				)
			}
		}, "attributes[", "merge"},
	} {
		s := cellSchema()
		c.spoil(s)
		err := s.Validate()
		var wrong *SchemaError
		require.ErrorAs(t, err, &wrong, c.field)
		assert.Contains(t, wrong.Field, c.field)
		assert.Contains(t, wrong.Want, c.want)
		_, err = NewCellCounter(s, ReadOptions{})
		assert.Error(t, err)
	}
}

// A counter gives the same, whatever the pieces in which the text comes.
// A name may be a value of its own level, whatever else looks like it.
func TestALevelMayHaveTheNameOfItsValue(t *testing.T) {
	s := cellSchema()
	s.Attributes[1].Levels = []Level{{"F", []string{"F"}}, {"other", []string{"M", "F\u200b", "none"}}}
	assert.NoError(t, s.Validate())
}

func TestCellsDoNotDependOnPieces(t *testing.T) {
	text := "age,sex,ill\n" + strings.Repeat("29,F,no\n31,M,yes\n77,f,yes\n", 50)
	whole, err := readCells(t, cellSchema(), text)
	require.NoError(t, err)
	c, err := NewCellCounter(cellSchema(), ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, c.Begin(""))
	for i := 0; i < len(text); i += 7 {
		require.NoError(t, c.Write([]byte(text[i:min(i+7, len(text))])))
	}
	pieces, err := c.Close()
	require.NoError(t, err)
	assert.Equal(t, whole.Rows, pieces.Rows)
	assert.Equal(t, whole.Positives, pieces.Positives)
}

func TestACellSchemaIsReadAsItWasWritten(t *testing.T) {
	s := cellSchema()
	s.Attributes[1].Provenance = Suggested
	s.Attributes[0].Reason = "code book, page 3"
	tree, err := s.Tree()
	require.NoError(t, err)
	again, err := CellSchemaFromTree("", tree)
	require.NoError(t, err)
	s.MissingValues = DefaultMissingValues
	assert.Equal(t, s, again)

	read, err := ParseCellSchema([]byte(`{"version": 1,
	  "attributes": [
	    {"name": "age", "type": "numeric", "min": 0, "max": 100, "cuts": [30, 45.5],
	     "missing": "drop", "provenance": "public", "reason": "code book, page 3"},
	    {"name": "sex", "type": "categorical", "provenance": "suggested", "unknown": "drop",
	     "levels": [{"name": "woman", "values": ["F", "f"]}, {"name": "man", "values": ["M"]}]}],
	  "label": {"name": "ill", "negative": ["no"], "positive": ["yes"], "provenance": "public"}}`))
	require.NoError(t, err)
	assert.Equal(t, s, read)
	assert.Equal(t, []string{
		"The levels of \"sex\" were read off the private file and nobody has confirmed that they are public knowledge. What they reveal, such as where the values lie or that somebody in the file has a rare one, is not covered by the guarantee.",
		namesCaveat,
	}, read.Caveats())
	read.Label.Provenance = Suggested
	assert.Len(t, read.Caveats(), 3)
}

func TestACellSchemaIsReadStrictly(t *testing.T) {
	plain := func() map[string]any {
		tree, err := cellSchema().Tree()
		require.NoError(t, err)
		return tree
	}
	attribute := func(tree map[string]any, g int) map[string]any {
		return tree["attributes"].([]any)[g].(map[string]any)
	}
	for _, c := range []struct {
		spoil func(map[string]any)
		field string
	}{
		{func(m map[string]any) { m["version"] = 2.0 }, "version"},
		{func(m map[string]any) { delete(m, "version") }, "version"},
		{func(m map[string]any) { m["features"] = []any{} }, "features"},
		{func(m map[string]any) { m["attributes"] = "age" }, "attributes"},
		{func(m map[string]any) { attribute(m, 0)["type"] = "text" }, "attributes[0].type"},
		{func(m map[string]any) { attribute(m, 0)["levels"] = []any{} }, "attributes[0].levels"},
		{func(m map[string]any) { attribute(m, 0)["cuts"] = []any{"30"} }, "attributes[0].cuts[0]"},
		{func(m map[string]any) { attribute(m, 0)["cuts"] = []any{300.0} }, "attributes[0].cuts[0]"},
		{func(m map[string]any) { delete(attribute(m, 0), "provenance") }, "attributes[0].provenance"},
		{func(m map[string]any) { attribute(m, 0)["provenance"] = "bought" }, "attributes[0].provenance"},
		{func(m map[string]any) { attribute(m, 0)["missing"] = 3.0 }, "attributes[0].missing"},
		{func(m map[string]any) { attribute(m, 1)["cuts"] = []any{} }, "attributes[1].cuts"},
		{func(m map[string]any) { attribute(m, 1)["levels"] = []any{"F"} }, "attributes[1].levels[0]"},
		{func(m map[string]any) {
			attribute(m, 1)["levels"].([]any)[0].(map[string]any)["points"] = 1.0
		}, "attributes[1].levels[0].points"},
		{func(m map[string]any) {
			attribute(m, 1)["levels"].([]any)[0].(map[string]any)["values"] = []any{"?"}
		}, "attributes[1]"},
		{func(m map[string]any) { m["label"].(map[string]any)["type"] = "numeric" }, "label"},
		{func(m map[string]any) { m["missing_values"] = []any{1.0} }, "missing_values[0]"},
	} {
		tree := plain()
		c.spoil(tree)
		_, err := CellSchemaFromTree("schema", tree)
		var wrong *SchemaError
		require.ErrorAs(t, err, &wrong, c.field)
		assert.True(
			t,
			strings.HasPrefix(wrong.Field, "schema."+c.field),
			"%s, not %s",
			wrong.Field,
			c.field,
		)
	}
}

// One record has the levels that a file's record has.
func TestLevelsOfOneRecord(t *testing.T) {
	s := cellSchema()
	for text, want := range map[string][]int{
		"29.999999999999996,F": {0, 0}, "30,f": {1, 0}, "45.5,M": {2, 1}, "1000,M": {2, 1}, "-3,M": {0, 1},
	} {
		age, sex, _ := strings.Cut(text, ",")
		levels, err := s.LevelsOf(map[string]string{"age": age, "sex": sex})
		require.NoError(t, err)
		assert.Equal(t, want, levels)
		cells, err := readCells(t, s, "age,sex,ill\n"+text+",yes\n1,F,no\n")
		require.NoError(t, err)
		assert.Equal(t, uint32(2*(2*want[0]+want[1])+1), cells.Rows[0])
	}
	for _, record := range []map[string]string{
		{"age": "3"}, {"age": "", "sex": "F"}, {"age": "3", "sex": "X"}, {"age": "x", "sex": "F"},
	} {
		_, err := s.LevelsOf(record)
		var wrong *Error
		require.ErrorAs(t, err, &wrong)
	}
}
