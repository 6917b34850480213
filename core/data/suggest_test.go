package data

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func suggest(t *testing.T, text string, options SuggestOptions) *Suggestion {
	t.Helper()
	s, err := Suggest(strings.NewReader(text), options)
	require.NoError(t, err)
	require.NoError(t, s.Schema.Validate())
	return s
}

func TestSuggest(t *testing.T) {
	var text strings.Builder
	text.WriteString(
		"id;person_id;name;age;share;group;constant;mostly;mixed;coded;;twice;twice;outcome;place\n",
	)
	for i := range 100 {
		n := strconv.Itoa(i)
		mostly, mixed := "", n
		if i%3 == 0 {
			mostly = "7"
		}
		if i == 50 {
			mixed = "unknown"
		}
		text.WriteString(strings.Join([]string{
			strconv.Itoa(
				i + 1,
			), strconv.Itoa(i * 7919 % 1009), "person " + n, strconv.Itoa(18 + i%70),
			strconv.FormatFloat(float64(i)/400, 'g', -1, 64),
			[]string{"b", "a", "?"}[i%3], "x", mostly, mixed,
			strconv.Itoa(i % 2), "", "1", "2", []string{"Yes", "no", "yes", "No."}[i%4],
			[]string{"u", "v", "w"}[i%3],
		}, ";") + "\n")
	}
	got := suggest(t, text.String(), SuggestOptions{})
	drop := Rule{Action: Drop}
	require.Equal(t, &Schema{
		Features: []Feature{
			{Name: "age", Type: Numeric, Min: 10, Max: 90, Missing: drop, Provenance: Suggested},
			{Name: "share", Type: Numeric, Min: 0, Max: 0.25, Missing: drop, Provenance: Suggested},
			{
				Name:       "group",
				Type:       Categorical,
				Categories: []string{"a", "b"},
				Missing:    Rule{Action: Indicate},
				Provenance: Suggested,
			},
			{Name: "coded", Type: Numeric, Min: 0, Max: 1, Missing: drop, Provenance: Suggested},
			{
				Name:       "place",
				Type:       Categorical,
				Categories: []string{"u", "v", "w"},
				Missing:    drop,
				Provenance: Suggested,
			},
		},
		Label: Label{
			Name:       "outcome",
			Negative:   []string{"No.", "no"},
			Positive:   []string{"Yes", "yes"},
			Missing:    drop,
			Provenance: Suggested,
		},
		Rows:          Rows{Clip},
		Intercept:     0.5,
		MissingValues: []string{"", "?", "NA"},
	}, got.Schema)
	require.Equal(t, []LeftOut{
		{"id", "seems to number or identify the records"},
		{"person_id", "seems to number or identify the records"},
		{
			"name",
			"has too many different texts to be a category, as names, identifiers and free text have",
		},
		{"constant", "has the same value in every record"},
		{"mostly", "has no value in more than half of the records"},
		{
			"mixed",
			`has numbers and texts mixed, such as "unknown" in row 52; list such texts under missing_values if they mean that the value is missing`,
		},
		{"", "has no name"},
		{"twice", "shares its name with another column"},
		{"twice", "shares its name with another column"},
	}, got.LeftOut)
	require.False(t, got.Schema.CoversEverything())
	require.Len(t, got.Schema.Caveats(), 5)
	require.Equal(t, []Missing{{"group", 33, 100}, {"mostly", 66, 100}}, got.Missing)

	again := suggest(t, text.String(), SuggestOptions{})
	require.Equal(t, got, again)

	// The schema reads the file it was read off.
	d, err := Read(strings.NewReader(text.String()), got.Schema, ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 100, d.X.Rows(), "a third has no group, and stays")

	chosen := suggest(t, text.String(), SuggestOptions{Label: "place", Positive: []string{"v"}})
	require.Equal(
		t,
		Label{
			Name:       "place",
			Negative:   []string{"u", "w"},
			Positive:   []string{"v"},
			Missing:    drop,
			Provenance: Suggested,
		},
		chosen.Schema.Label,
	)
	require.Equal(t, "outcome", chosen.Schema.Features[4].Name)
	require.Len(t, chosen.Schema.Features[4].Categories, 4)
	require.Equal(
		t, "coded", suggest(t, text.String(), SuggestOptions{Label: "coded"}).Schema.Label.Name,
	)
}

func TestSuggestDecimalCommas(t *testing.T) {
	got := suggest(
		t, "weight;size;code;y\n60,5;1;1,2\"x;0\n71;1,5;b;1\n80,25;2;b;0\n",
		SuggestOptions{Label: "y"},
	)
	require.Equal(t, []LeftOut{
		{
			"weight",
			`has numbers written with a comma, such as "60,5" in row 2; save the file with a decimal point and without separators of thousands`,
		},
		{
			"size",
			`has numbers written with a comma, such as "1,5" in row 3; save the file with a decimal point and without separators of thousands`,
		},
	}, got.LeftOut)
	for text, want := range map[string]bool{
		"60,5": true, "-60,5": true, "1,234": true, "1,5e3": true, "1.5,2": false, "1e5,2": false,
		"1,2,3": false, ",5": false, "1,": false, "1,-5": false, "a,5": false, "1;5": false,
	} {
		require.Equal(t, want, withComma([]byte(text)), text)
	}
}

func TestSuggestErrors(t *testing.T) {
	for _, c := range []struct {
		text    string
		options SuggestOptions
		message string
	}{
		{"", SuggestOptions{}, `the file is empty. Choose a CSV file with a header row and at least one record.`},
		{"a,b\n", SuggestOptions{}, `there is a header but no record. Choose a file with at least one record below the header.`},
		{"a,b\n1,2\n3\n", SuggestOptions{}, `row 3: the record has 1 field, the first line has 2. Give every record as many fields as the first line; a field that holds the delimiter or a line break stands in double quotes.`},
		{"a,b\n1,x\n2,y\n3,z\n", SuggestOptions{}, `no column has exactly two values, so none is an outcome of two classes. Name the column to predict, and which of its values make the positive class.`},
		{"a,b\n1,x\n2,y\n3,z\n", SuggestOptions{Label: "b"}, `column "b": it has 3 values, "x", "y" and "z". A label has two; say which of these make the positive class.`},
		{"a,b\n1,x\n2,y\n3,z\n", SuggestOptions{Label: "b", Positive: []string{"w"}}, `column "b": its values, "x", "y" and "z", are not divided by the positive class "w". Choose some of them, not all, as the positive class.`},
		{"a,b\n1,x\n2,y\n3,z\n", SuggestOptions{Label: "c"}, `column "c": the file has no column of this name; it has "a" and "b". The first row must name the columns as the schema does, letter for letter.`},
		{"a,b\n1,x\n2,y\n3,z\n", SuggestOptions{Label: "a", MaxCategories: 2}, `column "a": it has more than 2 different values. A label has few.`},
		{"a,b\n1,x\n1,y\n", SuggestOptions{}, `no column can be a feature: the first, "a", has the same value in every record. A feature has numbers, or a limited number of texts, and more than one value.`},
		{"b\nx\ny\n", SuggestOptions{}, `no column can be a feature: the label is the only one. A feature has numbers, or a limited number of texts, and more than one value.`},
		{"a,b\n1,caf\xe9\n", SuggestOptions{}, `row 2, column "b": "caf\xe9" is not UTF-8 text. Save the file as "CSV UTF-8".`},
		{"\xe9,b\n1,2\n", SuggestOptions{}, `row 1: the name "\xe9" is not UTF-8 text. Save the file as "CSV UTF-8".`},
	} {
		_, err := Suggest(strings.NewReader(c.text), c.options)
		require.EqualError(t, err, c.message)
		refused := new(Error)
		require.ErrorAs(t, err, &refused)
		// Whoever asks for another column is told which there are.
		require.Equal(t, refused.Kind == NoLabel, refused.Line != nil, c.message)
	}
	_, err := NewSuggester(SuggestOptions{Delimiter: 'x'})
	require.ErrorContains(t, err, "cannot separate fields")
}

func TestSuggestOfParts(t *testing.T) {
	s, err := NewSuggester(SuggestOptions{})
	require.NoError(t, err)
	require.NoError(t, s.Begin("1"))
	require.NoError(t, s.Write([]byte("a,y\n1,no\n5,yes\n")))
	require.NoError(t, s.Begin("2"))
	require.NoError(t, s.Write([]byte("y,a\nyes,20\nno,-3\n")))
	got, err := s.Close()
	require.NoError(t, err)
	require.Equal(t, -5.0, got.Schema.Features[0].Min)
	require.Equal(t, 20.0, got.Schema.Features[0].Max)

	s, err = NewSuggester(SuggestOptions{})
	require.NoError(t, err)
	require.NoError(t, s.Begin("1"))
	require.NoError(t, s.Write([]byte("a,y\n1,no\n5,yes\n")))
	require.NoError(t, s.Begin("2"))
	require.NoError(t, s.Write([]byte("a,z\n1,no\n5,yes\n")))
	_, err = s.Close()
	require.EqualError(
		t,
		err,
		`2, row 1, column "z": the first file has no column of this name. Files that are read together must have the same columns.`,
	)
}

func TestOutward(t *testing.T) {
	for _, c := range []struct{ lo, hi, wantLo, wantHi float64 }{
		{17, 90, 10, 90}, {1, 16, 0, 16}, {0, 99999, 0, 100000}, {12285, 1490400, 0, 1600000}, {0, 4356, 0, 4500}, {1, 99, 0, 100},
		{0, 1, 0, 1}, {-1, 1, -1, 1}, {0.1, 0.7, 0.1, 0.7}, {0.137, 0.732, 0.1, 0.8}, {-0.031, 0.002, -0.035, 0.005},
		{1e-9, 3e-9, 1e-9, 3e-9}, {-5e20, 7e22, -1e22, 7e22},
	} {
		lo, hi := outward(c.lo, c.hi)
		require.Equal(t, [2]float64{c.wantLo, c.wantHi}, [2]float64{lo, hi}, "%g to %g", c.lo, c.hi)
	}
	var s sequence
	for range 20000 {
		a, b := math.Ldexp(
			s.unit()-0.5, s.below(2100)-1060,
		), math.Ldexp(
			s.unit()-0.5, s.below(2100)-1060,
		)
		if s.below(2) == 0 {
			b = a * (1 + s.unit()*0x1p-40)
		}
		if a = min(a, math.MaxFloat64); a == b {
			continue
		}
		lo, hi := outward(min(a, b), max(a, b))
		require.LessOrEqual(t, lo, min(a, b))
		require.GreaterOrEqual(t, hi, max(a, b))
	}
}

// Adult without a schema: all that is left to do by hand is to confirm.
func TestSuggestAdult(t *testing.T) {
	s, err := NewSuggester(SuggestOptions{})
	require.NoError(t, err)
	for _, name := range []string{"adult.train.csv", "adult.test.csv"} {
		require.NoError(t, s.Begin(name))
		require.NoError(t, s.Write(published(t, name)))
	}
	got, err := s.Close()
	require.NoError(t, err)
	require.Empty(t, got.LeftOut)
	require.Equal(t, []string{"<=50K", "<=50K."}, got.Schema.Label.Negative)
	require.Equal(t, []string{">50K", ">50K."}, got.Schema.Label.Positive)
	require.Len(t, got.Schema.Columns(), 106+3, "Never-worked is among the categories")
	for k, f := range fixture(t, "adult").Features {
		require.Equal(t, f.Name, got.Schema.Features[k].Name)
		require.Equal(t, f.Type, got.Schema.Features[k].Type)
		require.Subset(t, got.Schema.Features[k].Categories, f.Categories)
	}
	d, err := ReadParts(adult(t), got.Schema, ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 48842, d.X.Rows(), "none is left out")
	require.Zero(t, d.Tally.Dropped)

	iris := published(t, "iris.csv")
	chosen, err := Suggest(
		bytes.NewReader(iris), SuggestOptions{Label: "species", Positive: []string{"virginica"}},
	)
	require.NoError(t, err)
	require.Len(t, chosen.Schema.Features, 4)
	d, err = Read(bytes.NewReader(iris), chosen.Schema, ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 150, d.X.Rows())
}
