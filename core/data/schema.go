// Package data reads a CSV file by a public schema, and makes the sparse design matrix
// that a private learner needs.
//
// Each record becomes a row of bounded norm by a rule that depends only on that record
// and the schema. Bounds and categories are declared, never measured. So neighbouring
// files (one record more or less) become neighbouring matrices (one row more or less,
// or none). Whatever is guaranteed about the matrix is guaranteed about the file.
//
// [Suggest] proposes a schema from a file, and so looks at private data. Each suggested
// feature is marked [Suggested] until a person confirms that it is public knowledge. A
// release made with unconfirmed features says that its guarantee does not cover what
// the schema itself reveals.
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

// DefaultMissingValues are the default spellings of a missing value: the empty field,
// "?" and "NA". "NaN" is not one of them, because in a file of numbers it is as often
// the trace of a failed computation.
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

	Missing Rule // what a missing value becomes; Indicate gives it a column of its own
	Unknown Rule // categorical: what a value outside Categories becomes

	Provenance Provenance
	Purchase   Purchase // of bounds or categories that are Bought; else zero
	Reason     string   // see Label.Reason
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

	// Scale divides every row by the same length: that of the longest row that the schema
	// allows. Use it where a model has to be a linear function of the features, as of a
	// numeric label; the other two divide a row by its own length. Rows are mostly shorter
	// than 1 by it, so it suits learners that scale rows themselves (learn.PublicCentring).
	Scale Norm = "scale"
)

// DefaultIntercept is the κ of suggested schemas. With a larger one the model learns
// the base rate more freely, but every row is longer, which costs noise. On data of a
// hundred columns 0.1 to 0.5 do equally well and 1 costs some 0.1 % of accuracy; on
// data of three columns 0.1 costs up to 8 % and 0.5 to 1 do best.
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
