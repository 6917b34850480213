package data

// Dataset is a design matrix with its labels, made from a file by a schema.
// All of it is private: it has no JSON form, and nothing in it may be
// published unless it is paid for (theory §7).
type Dataset struct {
	// Schema is what the file was read with.
	Schema *Schema

	// X has one row a record that was kept, and the columns of
	// Schema.Columns(): the intercept, if there is one, is the last. The exact
	// Euclidean norm of every row is at most Schema.RowNorm().
	X *Matrix

	// Y codes the label of every row of X as the schema's Label says: −1 or +1
	// for two classes, the number of the class for several, from −1 to +1 for a
	// number.
	Y []float64

	// Tally counts what reading did to the rows.
	Tally Tally

	// Layout is how the file is laid out.
	Layout Layout

	// Ends are the ends of the blocks that the rows of a file of known size, a
	// large one, are cut into: block k holds the rows from Ends[k−1] (0 for the
	// first) to Ends[k]−1, and may have none. Sums over the rows are those of the
	// blocks, added in their order, whichever worker takes them. nil: one block.
	Ends []int
}

// BlockEnds are Ends, or the end of all rows where they are one block.
func (d *Dataset) BlockEnds() []int {
	if len(d.Ends) == 0 {
		return []int{d.X.Rows()}
	}
	return d.Ends
}

// Select returns a data set of the given rows, in the order given. Its tally is empty,
// because nothing was read.
func (d *Dataset) Select(rows []int) *Dataset {
	y := make([]float64, len(rows))
	for k, i := range rows {
		y[k] = d.Y[i]
	}
	return &Dataset{Schema: d.Schema, X: d.X.Select(rows), Y: y}
}

// Tally counts what reading did. It is for the data holder alone: every count in it is
// private.
type Tally struct {
	Bytes   int64 // bytes read
	Rows    int   // records read, headers not counted
	Kept    int   // records that became rows of the matrix
	Dropped int   // Rows − Kept: records that a "drop" rule left out

	Features     []FeatureTally // in the order of Schema.Features
	LabelMissing int            // records without a label
	// numeric labels: records outside the bounds, moved to the nearer one
	LabelClamped int
}

// FeatureTally counts, over all records read, the fields of one feature that
// were not used as they stood.
type FeatureTally struct {
	Missing int // missing, by the schema's markers
	Unknown int // categorical: not among the categories
	Clamped int // numeric: outside the bounds, moved to the nearer one
}
