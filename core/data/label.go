package data

import "strconv"

// LabelType says what kind of thing is predicted.
type LabelType string

const (
	// TwoClasses: one of two classes, −1 and +1. It is the zero value, and has
	// no name in files.
	TwoClasses LabelType = ""

	// SeveralClasses: one of three classes or more.
	SeveralClasses LabelType = "classes"

	// NumericLabel: a number between public bounds.
	NumericLabel LabelType = "numeric"
)

// MaxClasses is the most classes that a label may have.
const MaxClasses = 256

// Label is the column to be predicted.
type Label struct {
	Name string
	Type LabelType

	// TwoClasses: spellings of the class −1, coded −1 in Dataset.Y, and of the
	// class +1. The first spelling of a class is its name.
	Negative []string
	Positive []string

	// SeveralClasses: the public list of the classes, each by its spellings. A
	// record of Classes[k] is coded k in Dataset.Y.
	Classes [][]string

	// NumericLabel: public bounds. A value outside is moved to the nearer
	// bound, then coded 2(x − Min)/(Max − Min) − 1, from −1 to 1.
	Min, Max float64

	Missing    Rule // Refuse or Drop
	Provenance Provenance
	Purchase   Purchase // of a number's bounds that are Bought; else zero

	// Reason is why all this is public knowledge, in the words of whoever declared it
	// Public: "code book, page 3". It may be empty. It is printed in a release, for
	// people to judge the declaration by. No guarantee and no check depends on it.
	Reason string
}

// ClassNames are the names of the classes in the order of their codes (the
// negative one first, where there are two); none for a numeric label.
func (l *Label) ClassNames() []string {
	var names []string
	for _, spellings := range l.classes() {
		names = append(names, spellings[0])
	}
	return names
}

// classes are the spellings of each class in the order of their codes.
func (l *Label) classes() [][]string {
	switch l.Type {
	case TwoClasses:
		return [][]string{l.Negative, l.Positive}
	case SeveralClasses:
		return l.Classes
	}
	return nil
}

// code is what Dataset.Y holds for class k of classes.
func (l *Label) code(k int) float64 {
	if l.Type == TwoClasses {
		return float64(2*k - 1)
	}
	return float64(k)
}

// scaled is the code of a numeric label's value x, bounds applied, and whether
// they were.
func (l *Label) scaled(x float64) (code float64, clamped bool) {
	inside := min(max(x, l.Min), l.Max)
	// (x − Min)/(Max − Min) is at most 1 also after rounding, and 2t − 1 is
	// rounded once.
	return 2*((inside-l.Min)/(l.Max-l.Min)) - 1, inside != x
}

// Original is the value, in the units of the file, that a code of a numeric
// label stands for; one outside [−1, 1] is that of the nearer bound.
func (l *Label) Original(code float64) float64 {
	share := (min(max(code, -1), 1) + 1) / 2
	return min(max(l.Min+float64(share*(l.Max-l.Min)), l.Min), l.Max)
}

// PerCode is how many of the label's units one unit of the code is.
func (l *Label) PerCode() float64 { return (l.Max - l.Min) / 2 }

// AgainstRest is the label of two classes that is positive for class k of
// several and negative for all others. It panics if there is no class k.
func (l *Label) AgainstRest(k int) Label {
	out := Label{Name: l.Name, Positive: l.Classes[k], Missing: l.Missing, Provenance: l.Provenance}
	for other, spellings := range l.Classes {
		if other != k {
			out.Negative = append(out.Negative, spellings...)
		}
	}
	return out
}

// AgainstRest returns the data set of two classes with these rows and labels
// +1 for class k and −1 for all others; X, Tally and Ends are shared. It panics
// unless the label has several classes, k among them.
func (d *Dataset) AgainstRest(k int) *Dataset {
	schema := *d.Schema
	schema.Label = d.Schema.Label.AgainstRest(k)
	return &Dataset{
		Schema: &schema, X: d.X, Y: LabelsAgainstRest(d.Y, k), Tally: d.Tally, Ends: d.Ends,
	}
}

// LabelsAgainstRest are +1 for class k and −1 for all others, of labels of several classes.
func LabelsAgainstRest(y []float64, k int) []float64 {
	out := make([]float64, len(y))
	for i, class := range y {
		out[i] = -1
		if class == float64(k) {
			out[i] = 1
		}
	}
	return out
}

func (l *Label) validate(missing map[string]bool) *SchemaError {
	if err := checkText("label.name", l.Name, true); err != nil {
		return err
	}
	if err := l.Provenance.validate("label", l.Purchase, l.Type == NumericLabel); err != nil {
		return err
	}
	if err := checkReason("label", l.Reason, l.Provenance); err != nil {
		return err
	}
	var err *SchemaError
	switch l.Type {
	case TwoClasses:
		err = l.validateTwo(missing)
	case SeveralClasses:
		err = l.validateSeveral(missing)
	case NumericLabel:
		err = l.validateNumeric()
	default:
		err = &SchemaError{
			"label.type",
			given(string(l.Type)),
			`"classes" or "numeric", or left out for two classes`,
		}
	}
	if err != nil {
		return err
	}
	if (l.Missing != Rule{}) && (l.Missing != Rule{Action: Drop}) {
		return &SchemaError{"label.missing", "is " + l.Missing.String(), `"error" or "drop"`}
	}
	return nil
}

func (l *Label) validateTwo(missing map[string]bool) *SchemaError {
	if l.Classes != nil || l.Min != 0 || l.Max != 0 {
		return &SchemaError{
			"label",
			"has classes, min or max though it has no type",
			"without them, or of a type",
		}
	}
	seen := map[string]string{}
	if err := checkSpellings("label.negative", "the negative spellings", l.Negative, missing, seen); err != nil {
		return err
	}
	return checkSpellings("label.positive", "the positive ones", l.Positive, missing, seen)
}

func (l *Label) validateSeveral(missing map[string]bool) *SchemaError {
	if l.Negative != nil || l.Positive != nil || l.Min != 0 || l.Max != 0 {
		return &SchemaError{
			"label",
			"has negative, positive, min or max though it is of several classes",
			"without them",
		}
	}
	if n := len(l.Classes); n < 3 || n > MaxClasses {
		return &SchemaError{
			"label.classes",
			"has " + strconv.Itoa(n) + " classes",
			"a list of 3 to 256; two classes are given as negative and positive, without a type",
		}
	}
	seen := map[string]string{}
	for k, spellings := range l.Classes {
		path := "label.classes[" + strconv.Itoa(k) + "]"
		if err := checkSpellings(path, "those of "+path, spellings, missing, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkSpellings checks the spellings of one class; seen has those of the
// classes before, each with the name of its list.
func checkSpellings(
	path, name string, texts []string, missing map[string]bool, seen map[string]string,
) *SchemaError {
	if len(texts) == 0 {
		return &SchemaError{path, "is empty", "a list of at least one spelling"}
	}
	if err := checkTexts(path, texts, true); err != nil {
		return err
	}
	if err := checkNotMissing(path, texts, missing); err != nil {
		return err
	}
	for i, text := range texts {
		if other, taken := seen[text]; taken {
			return &SchemaError{
				path + "[" + strconv.Itoa(i) + "]",
				"is " + quoted(text) + ", which is among " + other + " too",
				"a spelling of one class only",
			}
		}
		seen[text] = name
	}
	return nil
}

func (l *Label) validateNumeric() *SchemaError {
	if l.Negative != nil || l.Positive != nil || l.Classes != nil {
		return &SchemaError{
			"label",
			"has negative, positive or classes though it is numeric",
			"without them",
		}
	}
	f := Feature{Type: Numeric, Min: l.Min, Max: l.Max}
	return f.validateNumeric("label")
}
