package wire

// Nothing is asked, or answered.
type None struct{}

// A document that the core reads with care: whatever is wrong with it is an error that names the
// place.
//
//ts:type unknown
type Document any

type SchemaCheck struct {
	Schema Document `json:"schema"`
}

// What a file is read for.
type Purpose string

const (
	PurposeDataset    Purpose = "dataset"
	PurposeSuggest    Purpose = "suggest"
	PurposeLookalikes Purpose = "lookalikes"
	PurposeBounds     Purpose = "bounds"
	PurposeCategories Purpose = "categories"
	PurposeScorecard  Purpose = "scorecard"
	PurposeContent    Purpose = "content"
)

type OpenReading struct {
	Purpose Purpose `json:"purpose"`
	// Bytes of all parts together, as they declare them.
	Size float64 `json:"size,omitempty"`
	// The caller takes the digest, and sends it at the end. If this is left out, the worker's
	// script decides: it takes the digest where the browser has a SHA-256.
	Apart bool `json:"apart,omitempty"`
	// The digest that earlier ledgers have is taken too.
	Whole bool `json:"whole,omitempty"`
	// `content`: the number of a file that was read before, whose earlier digest this is for.
	Of float64 `json:"of,omitempty"`
	// All but `content`.
	Header Header `json:"header,omitempty"`
	// Likewise: the sign between fields; a space stands for any run of spaces and tabs.
	Delimiter string `json:"delimiter,omitempty"`
	// All but `content` and `suggest`, with the header "none": what the columns are called, in
	// their order; "" is one that is not used. A name beyond the last column is refused.
	Names []string `json:"names,omitempty" ts:"readonly"`

	// `dataset` and `lookalikes`; and `scorecard`, a card's.
	Schema Document `json:"schema,omitempty"`
	// `dataset`: bytes that the design matrix may take.
	Room float64 `json:"room,omitempty"`
	// Likewise: workers that keep rows of it, and the file, by the numbers that they are asked by.
	Keepers []float64 `json:"keepers,omitempty" ts:"readonly"`
	File    float64   `json:"file,omitempty"`

	// `scorecard`: the largest point that will be asked for.
	Points float64 `json:"points,omitempty"`

	// `suggest`.
	Label     string   `json:"label,omitempty"`
	Positive  []string `json:"positive,omitempty" ts:"readonly"`
	LabelType string   `json:"labelType,omitempty" is:"classes|numeric"`

	// `bounds` and `categories`.
	Columns       []string `json:"columns,omitempty" ts:"readonly"`
	MissingValues []string `json:"missingValues,omitempty" ts:"readonly"`
}

// A reading that is under way, by its number.
type Reading struct {
	Reading float64 `json:"reading"`
}

type ReadPart struct {
	Reading

	Name string `json:"name,omitempty"`
}

type ReadBytes struct {
	Reading

	Bytes []byte `json:"bytes"`
}

type ReadSoFar struct {
	// Records.
	Rows float64 `json:"rows"`

	// Where ranges of the file begin that other workers read, each to the next one or the end.
	// There `read.join` says whether to go on with it.
	Cuts Float64Array `json:"cuts,omitempty"`
}

type ReadJoin struct {
	Reading

	// Bytes of the content before the range, as the digest counts them.
	At float64 `json:"at"`
}

type ReadJoined struct {
	Joined bool    `json:"joined"`
	Rows   float64 `json:"rows"`

	// If it is joined: what its digest adds (content.ts).
	Head    []byte  `json:"head,omitempty"`
	Digests []byte  `json:"digests,omitempty"`
	Tail    []byte  `json:"tail,omitempty"`
	Ends    float64 `json:"ends,omitempty"`
}

type ReadEnd struct {
	Reading

	// Of a reading with `apart`.
	Digest []byte `json:"digest,omitempty"`
}

// What a reading comes to, by its purpose.
type ReadResult interface{ isReadResult() }

func (DatasetSummary[L]) isReadResult() {}
func (Counted) isReadResult()           {}
func (Suggested) isReadResult()         {}
func (ContentAlone) isReadResult()      {}
func (LookedAlike) isReadResult()       {}

// A data set of the session, by its number, with what the data holder may know of it.
type DatasetSummary[L AnyLabel] struct {
	Dataset float64                                                `json:"dataset"`
	Schema  Schema[L]                                              `json:"schema"`
	Rows    float64                                                `json:"rows"`
	Tally   Tally                                                  `json:"tally"`
	Classes ByLabel[L, ClassCounts, []float64, map[string]ANumber] `json:"classes"`
	Columns []Column                                               `json:"columns"`
	Layout  Layout                                                 `json:"layout"`
}

// Rows of each of two classes.
type ClassCounts struct {
	Negative float64 `json:"negative"`
	Positive float64 `json:"positive"`
}

// No number at all: a numeric label has no classes.
//
//ts:type never
type ANumber float64

// A file that was counted, by its number.
type Counted struct {
	Dataset float64 `json:"dataset"`
}

// A schema that was read off a file, and the number that stands for the file.
type Suggested struct {
	Schema    AnySchema      `json:"schema"`
	LeftOut   []UnusedColumn `json:"leftOut"`
	Sentinels []Sentinel     `json:"sentinels"`

	Missing []MissingValues `json:"missing"`
	Layout  Layout          `json:"layout"`
	Content float64         `json:"content"`
}

// Columns of a file that by themselves all but tell the label.
type LookedAlike struct {
	Lookalikes []Lookalike `json:"lookalikes"`
}

// A file by its content alone.
type ContentAlone struct {
	Content float64 `json:"content"`
}

// A data set, or anything numbered like one.
type OfDataset struct {
	Dataset float64 `json:"dataset"`
}
