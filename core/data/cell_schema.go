package data

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// CellSchema says into which cells records are counted: an attribute is a column
// whose values are divided into few named levels, by what is public, and a cell
// is a combination of one level of each. All of it is fixed before a file is
// looked at.
type CellSchema struct {
	Attributes []Attribute
	Label      Label // of two classes

	// MissingValues are the spellings of a missing value; nil stands for
	// DefaultMissingValues.
	MissingValues []string
}

// Attribute is a column and its levels: Cuts for a numeric one, Levels for a
// categorical one, and not both.
type Attribute struct {
	Name string // as in the file's header

	// Numeric: public bounds, and cut points strictly between them, in growing
	// order. Level 0 is what is below the first cut, level i what is at least
	// cut i − 1 and below cut i. A value outside the bounds is in the first or the last.
	Min, Max float64
	Cuts     []float64

	// Categorical: the levels, each with the values that it stands for.
	Levels []Level

	Missing Rule // Refuse or Drop
	Unknown Rule // of a value of no level: Refuse or Drop

	Provenance Provenance // Public or Suggested

	// Reason is why the levels are public knowledge, in the words of whoever declared
	// them Public, for people to judge by; it may be empty.
	Reason string
}

// Level is one level of a categorical attribute.
type Level struct {
	Name   string
	Values []string
}

// Numeric is whether the attribute is divided by cut points.
func (a *Attribute) Numeric() bool { return a.Levels == nil }

// LevelNames are the names of the levels, in their order; of a numeric
// attribute "below 30", "30 to below 45", "45 or more".
func (a *Attribute) LevelNames() []string {
	if !a.Numeric() {
		names := make([]string, len(a.Levels))
		for i, level := range a.Levels {
			names[i] = level.Name
		}
		return names
	}
	if len(a.Cuts) == 0 {
		return []string{"any"}
	}
	names := []string{"below " + number(a.Cuts[0])}
	for i, cut := range a.Cuts[1:] {
		names = append(names, number(a.Cuts[i])+" to below "+number(cut))
	}
	return append(names, number(a.Cuts[len(a.Cuts)-1])+" or more")
}

// level is the level of a number.
func (a *Attribute) level(x float64) int {
	return sort.Search(len(a.Cuts), func(i int) bool { return x < a.Cuts[i] })
}

// Sizes are how many levels each attribute has.
func (s *CellSchema) Sizes() []int {
	sizes := make([]int, len(s.Attributes))
	for g := range s.Attributes {
		if sizes[g] = len(s.Attributes[g].Levels); s.Attributes[g].Numeric() {
			sizes[g] = len(s.Attributes[g].Cuts) + 1
		}
	}
	return sizes
}

// MostCells is the largest number of cells that are counted.
const MostCells = 1 << 16

// Validate returns a *SchemaError for what is no such schema: no attribute, one with
// less than two levels, cut points out of order or outside the bounds, a level
// without a name or a value, or whose name looks like that of another or is a value of
// another (people go by the names on a card, and programs by the values), what
// [Schema.Validate] finds of the columns and the label, or more than MostCells cells.
func (s *CellSchema) Validate() error {
	if err := s.validate(); err != nil {
		return err
	}
	return nil
}

func (s *CellSchema) validate() *SchemaError {
	if len(s.Attributes) == 0 {
		return &SchemaError{"attributes", "is empty", "a list of at least one attribute"}
	}
	cells := 1
	for g, size := range s.Sizes() {
		path := "attributes[" + strconv.Itoa(g) + "]"
		if err := s.Attributes[g].validate(path); err != nil {
			return err
		}
		if cells *= size; cells > MostCells {
			return &SchemaError{
				path,
				"makes more than 65536 combinations of levels together with those before it",
				"fewer: merge some levels or leave out an attribute",
			}
		}
	}
	if s.Label.Type != TwoClasses {
		return &SchemaError{
			"label.type",
			given(string(s.Label.Type)),
			"left out: a scorecard says yes or no",
		}
	}
	if err := s.columns().validate(); err != nil {
		if rest, found := strings.CutPrefix(err.Field, "features["); found {
			err.Field = "attributes[" + rest
		}
		return err
	}
	return nil
}

func (a *Attribute) validate(path string) *SchemaError {
	if a.Provenance == Bought {
		return &SchemaError{path + ".provenance", given(string(Bought)), wantCellProvenance}
	}
	if len(a.Cuts) > 0 && a.Levels != nil {
		return &SchemaError{
			path,
			"has both cuts and levels",
			"either: cuts for numbers, levels for categories",
		}
	}
	names := a.LevelNames()
	if len(names) < 2 {
		return &SchemaError{
			path,
			"has one level",
			"given another level, or left out: an attribute that is the same for everybody tells nothing",
		}
	}
	for i, cut := range a.Cuts {
		at := path + ".cuts[" + strconv.Itoa(i) + "]"
		if !(cut > a.Min && cut < a.Max) {
			return &SchemaError{
				at,
				"is " + number(cut),
				"between the bounds, " + number(a.Min) + " and " + number(a.Max),
			}
		}
		if i > 0 && !(cut > a.Cuts[i-1]) {
			return &SchemaError{
				at,
				"is " + number(cut),
				"above the cut before it, which is " + number(a.Cuts[i-1]),
			}
		}
	}
	if err := validateLevels(path, a.Levels); err != nil {
		return err
	}
	for _, rule := range []struct {
		name string
		rule Rule
	}{{"missing", a.Missing}, {"unknown", a.Unknown}} {
		if rule.rule.Action > Drop {
			return &SchemaError{
				path + "." + rule.name,
				"is " + rule.rule.String(),
				`"error" or "drop"; or make the value part of a level`,
			}
		}
	}
	return nil
}

// validateLevels is an error for a level without a name or a value, and for a name that could
// be taken for another level's: people go by the names on a card, and programs by the values.
func validateLevels(path string, levels []Level) *SchemaError {
	const several = -1
	stands := make(map[string]int) // the level that what looks like this is a value of
	for i, level := range levels {
		for _, value := range level.Values {
			look := seenAs(value)
			if of, found := stands[look]; found && of != i {
				stands[look] = several
			} else {
				stands[look] = i
			}
		}
	}
	names := make(map[string]bool, len(levels))
	for i, level := range levels {
		at := path + ".levels[" + strconv.Itoa(i) + "]"
		if err := checkText(at+".name", level.Name, false); err != nil {
			return err
		}
		name := seenAs(level.Name)
		switch of, isValue := stands[name]; {
		case name == "":
			return &SchemaError{
				at + ".name",
				"is missing",
				"a public name for the level, which the card shows",
			}
		case names[name]:
			return &SchemaError{
				at + ".name",
				"is " + quoted(level.Name) + ", as another level is",
				"different for each level, and to the eye",
			}
		case isValue && of != i && !slices.Contains(level.Values, level.Name):
			return &SchemaError{
				at + ".name",
				"is " + quoted(level.Name) + ", as a value of another level is",
				"not a value of another level: whoever goes by the names would take the wrong one",
			}
		case len(level.Values) == 0:
			return &SchemaError{
				at + ".values",
				"is empty",
				"the values of the column that the level stands for",
			}
		}
		names[name] = true
	}
	return nil
}

// seenAs is a text without the characters that are not seen, and with one plain space for
// each run of spaces: two texts of which it is the same look alike on paper.
func seenAs(text string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
		if !unicode.IsSpace(r) && unicode.In(
			r, unicode.Cc, unicode.Cf, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point,
		) {
			return -1
		}
		return r
	}, text), unicode.IsSpace), " ")
}

// columns are the columns of the file, as a schema of features has them.
func (s *CellSchema) columns() *Schema {
	columns := &Schema{Label: s.Label, MissingValues: s.MissingValues, Rows: Rows{Norm: Clip}}
	for g := range s.Attributes {
		a := &s.Attributes[g]
		f := Feature{
			Name:       a.Name,
			Type:       Numeric,
			Min:        a.Min,
			Max:        a.Max,
			Missing:    a.Missing,
			Provenance: a.Provenance,
			Reason:     a.Reason,
		}
		if !a.Numeric() {
			f.Type, f.Unknown, f.Min, f.Max = Categorical, a.Unknown, 0, 0
			for _, level := range a.Levels {
				f.Categories = append(f.Categories, level.Values...)
			}
		}
		columns.Features = append(columns.Features, f)
	}
	return columns
}

// CoversEverything is false if an attribute or the label rests on what is not
// known to be public.
func (s *CellSchema) CoversEverything() bool { return len(s.Caveats()) == 0 }

// Caveats says, in plain words, what a guarantee for these cells leaves out, as
// [Schema.Caveats] does for features.
func (s *CellSchema) Caveats() []string {
	var suggested []string
	label := Schema{Label: s.Label}
	out := label.Caveats()
	for g := range s.Attributes {
		if a := &s.Attributes[g]; a.Provenance == Suggested {
			suggested = append(suggested, a.Name)
		}
	}
	if len(suggested) == 0 {
		return out
	}
	levels := "The levels of " + list(suggested, len(suggested)) +
		" were read off the private file and nobody has confirmed that they are public knowledge. " +
		"What they reveal, such as where the values lie or that somebody in the file has a rare one, is not covered by the guarantee."
	if len(out) == 0 {
		out = []string{namesCaveat}
	}
	return append([]string{levels}, out...)
}
