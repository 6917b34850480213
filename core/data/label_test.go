package data

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The schema "small" with other labels.
var (
	several = strings.NewReplacer(
		`"version":1`,
		`"version":2`,
		`"negative":["no"],"positive":["yes"]`,
		`"type":"classes","classes":[["no","No"],["perhaps"],["yes"]]`,
	).Replace(small)
	numeric = strings.NewReplacer(
		`"version":1`,
		`"version":2`,
		`"negative":["no"],"positive":["yes"]`,
		`"type":"numeric","min":-50,"max":150`,
	).Replace(small)
)

func parsed(t testing.TB, text string) *Schema {
	t.Helper()
	schema, err := ParseSchema([]byte(text))
	require.NoError(t, err)
	return schema
}

func TestLabelsOfSeveralClasses(t *testing.T) {
	schema := parsed(t, several)
	require.Equal(t, []string{"no", "perhaps", "yes"}, schema.Label.ClassNames())
	d, err := read(schema, "x,c,y\n1,a,No\n2,b,yes\n3,a,perhaps\n4,a,no\n")
	require.NoError(t, err)
	require.Equal(t, []float64{0, 2, 1, 0}, d.Y)

	for _, c := range []struct{ text, message string }{
		{"x,c,y\n1,a,no\n2,b,never\n", `row 3, column "y": "never" is not a label of any class ("no", "perhaps" and "yes"). ` +
			`Correct it, or add it to the spellings of the class that it means; the list of classes is public and is not read off the file.`},
		{"x,c,y\n1,a,no\n2,b,?\n", `row 3, column "y": the label is missing ("?"). Fill it in, or let the schema's label have missing: "drop", which leaves the record out.`},
		{"x,c,y\n1,a,yes\n2,b,yes\n", `column "y": every record is of the class "yes". ` +
			`A model needs records of more than one; look whether the other classes' spellings in the schema are those of the file.`},
	} {
		_, err := read(schema, c.text)
		require.EqualError(t, err, c.message)
	}

	rest := d.AgainstRest(2)
	require.Equal(t, []float64{-1, 1, -1, -1}, rest.Y)
	require.Equal(
		t,
		Label{
			Name:       "y",
			Negative:   []string{"no", "No", "perhaps"},
			Positive:   []string{"yes"},
			Provenance: Public,
		},
		rest.Schema.Label,
	)
	require.NoError(t, rest.Schema.Validate())
	require.Same(t, d.X, rest.X)
	require.Equal(t, SeveralClasses, d.Schema.Label.Type, "the schema itself stays")
	require.Panics(t, func() { d.AgainstRest(3) })
}

func TestNumericLabels(t *testing.T) {
	schema := parsed(t, numeric)
	require.Empty(t, schema.Label.ClassNames())
	d, err := read(schema, "x,c,y\n1,a,-50\n2,b,50\n3,a,149.5\n4,a,1e9\n4,b,-51\n")
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{-1, 0, 0.995, 1, -1}, d.Y, 1e-15)
	require.Equal(t, 2, d.Tally.LabelClamped)
	for code, value := range map[float64]float64{
		-1: -50, 0: 50, 0.5: 100, 1: 150, 7: 150, -7: -50,
	} {
		require.Equal(t, value, schema.Label.Original(code))
	}
	require.Equal(t, 100.0, schema.Label.PerCode())

	_, err = read(schema, "x,c,y\n1,a,3\n2,b,3\n")
	require.NoError(t, err, "the same number in every record is no reason to refuse")
	for _, c := range []struct{ text, message string }{
		{"x,c,y\n1,a,many\n", `row 2, column "y": "many" is not a number. Write it in digits, such as 39 or 3.5, or list "many" under missing_values in the schema if it means that there is none.`},
		{"x,c,y\n1,a,Inf\n", `row 2, column "y": "Inf" is not a finite number. Write a number from -50 to 150, or list "Inf" under missing_values in the schema if it means that there is none.`},
		{"x,c,y\n1,a,\n", `row 2, column "y": the label is missing. Fill it in, or let the schema's label have missing: "drop", which leaves the record out.`},
	} {
		_, err := read(schema, c.text)
		require.EqualError(t, err, c.message)
	}
	dropping := parsed(t, strings.Replace(numeric, `"max":150`, `"max":150,"missing":"drop"`, 1))
	d, err = read(dropping, "x,c,y\n1,a,\n2,a,7\n")
	require.NoError(t, err)
	require.Equal(t, 1, d.Tally.LabelMissing)
	require.Len(t, d.Y, 1)
}

// However wide the bounds, codes stay within [−1, 1] and values within the
// bounds.
func TestNumericLabelsStayInBounds(t *testing.T) {
	for _, bounds := range [][2]float64{
		{0, 1}, {-0.1, 1.0 / 3}, {-1e307, 1e307}, {1e-200, 3e-200}, {1e15, 1e15 + 2},
	} {
		label := Label{
			Name:       "y",
			Type:       NumericLabel,
			Min:        bounds[0],
			Max:        bounds[1],
			Provenance: Public,
		}
		require.Nil(t, label.validate(nil))
		for _, x := range []float64{
			bounds[0], bounds[1], math.Nextafter(bounds[0], bounds[1]), bounds[0]/2 + bounds[1]/2,
			0, 1e308, -1e308,
		} {
			code, clamped := label.scaled(x)
			require.True(t, code >= -1 && code <= 1)
			back := label.Original(code)
			require.True(t, back >= bounds[0] && back <= bounds[1])
			if !clamped {
				require.InDelta(t, x/bounds[1], back/bounds[1], 1e-14)
			}
		}
	}
}

func TestLabelErrors(t *testing.T) {
	for _, c := range []struct{ schema, old, new, message string }{
		{several, `"type":"classes"`, `"type":"ordinal"`, `label.type is "ordinal": it must be "classes" or "numeric", or left out for two classes`},
		{several, `"version":2`, `"version":1`, `label.negative is missing: it must be a list of spellings`},
		{several, `"perhaps"`, `"yes"`, `label.classes[2][0] is "yes", which is among those of label.classes[1] too: it must be a spelling of one class only`},
		{several, `["perhaps"]`, `[]`, `label.classes[1] is empty: it must be a list of at least one spelling`},
		{several, `["perhaps"]`, `"perhaps"`, `label.classes[1] is "perhaps": it must be a list of spellings`},
		{several, `["perhaps"]`, `[7]`, `label.classes[1][0] is 7: it must be text in quotes`},
		{several, `["perhaps"]`, `["NA"]`, `label.classes[1][0] is "NA", which is among missing_values too: it must be one or the other`},
		{several, `,["perhaps"]`, ``, `label.classes has 2 classes: it must be a list of 3 to 256; two classes are given as negative and positive, without a type`},
		{several, `"classes",`, `"classes","min":1,`, `label.min has no meaning for a label of several classes: it must be left out, or spelt as the documentation has it`},
		{numeric, `"max":150`, `"max":-50`, `label.min is -50: it must be below max, which is -50`},
		{numeric, `"max":150`, `"max":"150"`, `label.max is "150": it must be a number, the public upper bound`},
		{numeric, `"max":150`, `"max":150,"positive":["x"]`, `label.positive has no meaning for a numeric label: it must be left out, or spelt as the documentation has it`},
		{numeric, `"max":150`, `"max":150,"missing":7`, `label.missing is 7: it must be "error" or "drop"`},
	} {
		require.Contains(t, c.schema, c.old)
		_, err := ParseSchema([]byte(strings.Replace(c.schema, c.old, c.new, 1)))
		require.EqualError(t, err, c.message, "%s for %s", c.new, c.old)
	}
	// Pages read a label without a type as one of two classes, and one of an empty type as another
	// kind.
	_, err := ParseSchema([]byte(strings.NewReplacer(
		`"version":1`, `"version":2`, `"negative"`, `"type":"","negative"`,
	).Replace(small)))
	require.EqualError(
		t, err, `label.type is "": it must be "classes" or "numeric", or left out for two classes`,
	)
	for _, change := range []func(*Label){
		func(l *Label) { l.Positive = []string{"x"} },
		func(l *Label) { l.Min = 1 },
		func(l *Label) { l.Type = "ordinal" },
		func(l *Label) { l.Type = TwoClasses },
		func(l *Label) { l.Type, l.Max = NumericLabel, 1 },
		func(l *Label) { l.Classes = make([][]string, MaxClasses+1) },
	} {
		schema := parsed(t, several)
		change(&schema.Label)
		require.Error(t, schema.Validate())
	}
}

// A schema is written in the oldest version that can say it.
func TestLabelsRoundTrip(t *testing.T) {
	for text, version := range map[string]string{
		small: "1", several: "2", numeric: "2",
		strings.Replace(small, `"version":1`, `"version":2`, 1): "1",
	} {
		schema := parsed(t, text)
		written, err := schema.MarshalJSON()
		require.NoError(t, err)
		require.Contains(t, string(written), `{"version":`+version)
		require.Equal(t, schema, parsed(t, string(written)))
		tree, err := schema.Tree()
		require.NoError(t, err)
		fromText, err := parseTree(written)
		require.NoError(t, err)
		require.Equal(t, fromText, any(tree))
		again, err := SchemaFromTree("", tree)
		require.NoError(t, err)
		require.Equal(t, schema, again)
	}
}

func TestSuggestedLabels(t *testing.T) {
	const file = "x,grade,score\n1,low,3.5\n2,High,7\n3,mid,-2\n4,high,8.1\n"
	got := suggest(t, file, SuggestOptions{Label: "grade", LabelType: SeveralClasses}).Schema
	require.Equal(
		t,
		Label{
			Name:       "grade",
			Type:       SeveralClasses,
			Classes:    [][]string{{"High", "high"}, {"low"}, {"mid"}},
			Missing:    Rule{Action: Drop},
			Provenance: Suggested,
		},
		got.Label,
	)
	require.Contains(
		t,
		got.Caveats()[1],
		`The label "grade" and the list of its classes were read off the private file`,
	)

	got = suggest(t, file, SuggestOptions{Label: "score", LabelType: NumericLabel}).Schema
	require.Equal(
		t,
		Label{
			Name:       "score",
			Type:       NumericLabel,
			Min:        -2,
			Max:        10,
			Missing:    Rule{Action: Drop},
			Provenance: Suggested,
		},
		got.Label,
	)
	require.Contains(
		t,
		got.Caveats()[2],
		`The label "score" and its bounds were read off the private file`,
	)

	for _, c := range []struct {
		options SuggestOptions
		message string
	}{
		{SuggestOptions{LabelType: NumericLabel}, `no column to predict is named. Name the one whose classes or numbers are to be predicted.`},
		{SuggestOptions{Label: "grade", LabelType: NumericLabel}, `column "grade": it has "low" in row 2, which is not a number. A numeric label has numbers only.`},
		{SuggestOptions{Label: "z", LabelType: SeveralClasses}, `column "z": the file has no column of this name; it has "x", "grade" and "score". The first row must name the columns as the schema does, letter for letter.`},
		{SuggestOptions{Label: "grade", LabelType: SeveralClasses, Positive: []string{"low"}}, `a positive class is named for a label that has none. Leave one of the two out.`},
		{SuggestOptions{Label: "grade", LabelType: "ordinal"}, `there are no labels of the kind "ordinal". Ask for "classes" or "numeric", or for neither.`},
		{SuggestOptions{Label: "score", LabelType: SeveralClasses, MaxCategories: 2}, `column "score": it has more than 2 different values. A label has few.`},
	} {
		_, err := Suggest(strings.NewReader(file), c.options)
		require.EqualError(t, err, c.message)
	}
	_, err := Suggest(
		strings.NewReader("x,y\n1,a\n2,b\n"), SuggestOptions{Label: "y", LabelType: SeveralClasses},
	)
	require.EqualError(
		t,
		err,
		`column "y": it has 2 values, "a" and "b". A label of several classes has three or more.`,
	)
	_, err = Suggest(
		strings.NewReader("x,y\n1,3\n2,3\n"), SuggestOptions{Label: "y", LabelType: NumericLabel},
	)
	require.EqualError(
		t,
		err,
		`column "y": it has the same value in every record. A numeric label has more than one.`,
	)
}

// All three classes of Iris, by the schema that is suggested for it.
func TestIrisOfThreeClasses(t *testing.T) {
	file := published(t, "iris.csv")
	found, err := Suggest(
		newReader(file), SuggestOptions{Label: "species", LabelType: SeveralClasses},
	)
	require.NoError(t, err)
	require.Equal(t, []string{"setosa", "versicolor", "virginica"}, found.Schema.Label.ClassNames())
	d, err := Read(newReader(file), found.Schema, ReadOptions{})
	require.NoError(t, err)
	counts := map[float64]int{}
	for _, y := range d.Y {
		counts[y]++
	}
	require.Equal(t, map[float64]int{0: 50, 1: 50, 2: 50}, counts)
}
