// Package data turns the CSV file that a person has into the sparse design
// matrix that a private learner needs, by a public schema.
//
// The schema is the whole of what reading depends on besides the record
// itself: bounds and categories are declared, never measured, and every record
// is turned into a row of bounded norm on its own, by a rule that looks at no
// other record. So neighbouring files (one record more or less) become
// neighbouring matrices (one row more or less, or none), and whatever is
// guaranteed about the matrix is guaranteed about the file.
//
// A schema can also be suggested from a file ([Suggest]). It has then looked
// at private data, says so ([Suggested]) feature by feature until a person
// confirms that the thing is public knowledge, and a release made with it says
// that its guarantee does not cover what the schema itself reveals.
package data

// Schema is what is publicly known about a file and how its records become
// rows. Its JSON form is described at [ParseSchema].
type Schema struct {
	Features  []Feature // in the order of the design matrix's columns
	Label     Label
	Rows      Rows
	Intercept float64 // κ ≥ 0: value of the constant last column; 0 for none

	// MissingValues are the spellings, after spaces around the field are
	// trimmed, that mean "no value here". nil stands for DefaultMissingValues.
	MissingValues []string
}

// DefaultMissingValues are the spellings of a missing value where a schema
// names none: the empty field, "?" and "NA". "NaN" is not among them: in a
// file of numbers it is as often the trace of a failed computation.
var DefaultMissingValues = []string{"", "?", "NA"}

// Type says how the text of a field is understood.
type Type string

const (
	Numeric     Type = "numeric"
	Categorical Type = "categorical"
)

// Feature is one column of the file that the model may use.
type Feature struct {
	Name string // as in the file's header, spaces around it trimmed
	Type Type

	// Numeric: public bounds. A value outside is moved to the nearer bound,
	// then becomes (x − Min)/(Max − Min), or with Log
	// log1p(x − Min)/log1p(Max − Min); both lie in [0, 1].
	Min, Max float64
	Log      bool

	// Categorical: each category has a column of its own that is 1 in the
	// rows of that category, else 0. No reference category is left out: the
	// regulariser makes the coefficients unique, and a record's influence does
	// not depend on which category would have been the reference.
	Categories []string

	Missing Rule // what a missing value becomes
	Unknown Rule // categorical: what a value outside Categories becomes

	Provenance Provenance
	Purchase   Purchase // of bounds or categories that are Bought; else zero
}

// Rows says how a record's features are brought to a bounded norm.
type Rows struct {
	Norm Norm
}

// Norm is the rule by which the features of a row, without the intercept, are
// scaled to have Euclidean norm at most 1.
type Norm string

const (
	// Clip scales a row to norm 1 if it is longer, and leaves it alone if not.
	Clip Norm = "clip"

	// Unit scales every row to norm 1; a row of zeros stays as it is.
	Unit Norm = "unit"
)

// DefaultIntercept is the κ of suggested schemas. A larger one lets the base
// rate be learnt more freely and makes every row longer, which costs noise. On
// data of a hundred columns 0.1 to 0.5 do equally well and 1 costs some 0.1 % of
// accuracy; on data of three columns 0.1 costs up to 8 % and 0.5 to 1 do best.
const DefaultIntercept = 0.5

// Provenance says where a piece of a schema comes from. It has no default.
type Provenance string

const (
	// Public: known without looking at the file, or released already.
	Public Provenance = "public"

	// Suggested: read off the private file, and not confirmed by anyone.
	Suggested Provenance = "suggested"

	// Bought: bounds or categories that were released from the private file under
	// differential privacy, and charged for. The Purchase says by which charge.
	Bought Provenance = "bought"
)

// Purchase is a differentially private release that bounds or categories come from. Its
// guarantee and that of whatever is made with the schema add up.
type Purchase struct {
	Charge  string  // its name in the ledger of the data
	Epsilon float64 // of the whole charge, in nats, whatever else was bought with it
	Delta   float64 // likewise; 0 for bounds
}
