package learn

import (
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Problem is what a learner solves: minimise the sum of a loss over the
// records of a data set, plus what the learner adds.
type Problem struct {
	Data *data.Dataset
	Loss glm.Loss

	// Spread lets other workers compute some of the sums; nil means none. It gets the
	// rows of a large file, how many classes their softmax is of (0: the rows have a loss),
	// and the ends of their blocks (data.Dataset.Ends). It returns a part for each block, in
	// their order, whose sums are those of solve.NewBlocks or solve.NewScoreBlocks to the last
	// bit; or none, if that is not worth it. A learner that uses Rows or Scores does not use it.
	Spread func(rows *solve.Rows, classes int, ends []int) []solve.Apart

	// Elsewhere has the records where they do not fit into memory (see [Stream]), else it is nil.
	// Data then has the schema alone, and only a learner that needs nothing but sums can take the
	// problem. Of several classes it must be an [ElsewhereOfClasses].
	Elsewhere Elsewhere
}

// Elsewhere is records that are not in memory. They were checked as [Problem.Check] does.
type Elsewhere interface {
	// Rows is the number of records.
	Rows() int

	// Parts are those of Problem.Parts, the loss clipped.
	Parts(loss glm.Clipped, rowNorm float64) []solve.Part
}

// ElsewhereOfClasses is records elsewhere whose label is of several classes.
type ElsewhereOfClasses interface {
	Elsewhere

	// AgainstRest is the same records with the labels of data.Dataset.AgainstRest.
	AgainstRest(class int) Elsewhere

	// ScoreParts are those of Problem.ScoreParts.
	ScoreParts() []solve.Part
}

// AgainstRest is the problem of two classes, class k of several and all others. It panics for
// records elsewhere that are no [ElsewhereOfClasses].
func (p Problem) AgainstRest(k int) Problem {
	one := Problem{Data: p.Data.AgainstRest(k), Loss: p.Loss, Spread: p.Spread}
	if p.Elsewhere != nil {
		one.Elsewhere = p.elsewhereOfClasses().AgainstRest(k)
	}
	return one
}

func (p Problem) elsewhereOfClasses() ElsewhereOfClasses {
	records, ok := p.Elsewhere.(ElsewhereOfClasses)
	if !ok {
		panic("learn: several classes are asked of records elsewhere that cannot tell them")
	}
	return records
}

// Records is the number of records.
func (p Problem) Records() int {
	if p.Elsewhere != nil {
		return p.Elsewhere.Rows()
	}
	return p.Data.X.Rows()
}

// Parts is Rows, block by block where the rows are cut into blocks.
func (p Problem) Parts(threshold, rowNorm float64) ([]solve.Part, error) {
	if p.Elsewhere != nil {
		loss, err := glm.Clip(p.Loss, threshold)
		if err != nil {
			return nil, err
		}
		return p.Elsewhere.Parts(loss, rowNorm), nil
	}
	rows, err := p.Rows(threshold, rowNorm)
	if err != nil {
		return nil, err
	}
	if p.Data.Ends == nil {
		return []solve.Part{rows}, nil
	}
	return asParts(p.Blocks(rows, 0)), nil
}

// Blocks are the rows block by block, of a data set that is cut into blocks, wherever their sums
// are taken; of a softmax if there are classes.
func (p Problem) Blocks(rows *solve.Rows, classes int) []solve.Apart {
	ends := p.Data.Ends
	if p.Spread != nil {
		if parts := p.Spread(rows, classes, ends); parts != nil {
			return parts
		}
	}
	return BlocksOf(rows, classes, ends)
}

// BlocksOf are the blocks that end at these rows, with sums that are taken here.
func BlocksOf(rows *solve.Rows, classes int, ends []int) []solve.Apart {
	out := make([]solve.Apart, len(ends))
	if classes > 0 {
		scores := &solve.Scores{Rows: rows, Classes: classes}
		for k, block := range solve.NewScoreBlocks(scores, ends) {
			out[k] = block
		}
		return out
	}
	for k, block := range solve.NewBlocks(rows, ends) {
		out[k] = block
	}
	return out
}

// EvenBlocks are n rows in blocks of data.BlockRows, wherever their data set is cut.
func EvenBlocks(rows *solve.Rows, n int) []solve.Part {
	var ends []int
	for end := data.BlockRows; end < n; end += data.BlockRows {
		ends = append(ends, end)
	}
	return asParts(BlocksOf(rows, 0, append(ends, n)))
}

func asParts(blocks []solve.Apart) []solve.Part {
	out := make([]solve.Part, len(blocks))
	for k, block := range blocks {
		out[k] = block
	}
	return out
}

// Check returns an error unless a learner of one vector θ can take the problem:
// a *privacy.ParameterError for the field "label" (several classes, which are
// fitted one against the rest), "loss" or "schema", or a *RowError for a row
// that is longer than rowNorm or has a label that the schema does not allow.
func (p Problem) Check(rowNorm float64) error {
	if p.Data.Schema == nil {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	if err := CheckLoss(p.Loss, &p.Data.Schema.Label); err != nil {
		return err
	}
	if p.Elsewhere != nil { // whose rows OpenStream has checked, by the schema's norm
		if least := p.Data.Schema.RowNorm(); !(rowNorm >= least) {
			return &privacy.ParameterError{
				Field: "row_norm", Value: privacy.Number(rowNorm),
				Want: "at least " + privacy.Number(least) + ", by which the rows were checked",
			}
		}
		return nil
	}
	if _, softmax := p.Loss.(glm.Softmax); softmax {
		return CheckRowsOf(p.Data, rowNorm)
	}
	return CheckRows(p.Data, rowNorm)
}

// Dimension is the number of coefficients, that of the intercept included.
func (p Problem) Dimension() int {
	if p.Elsewhere != nil {
		return p.Data.Schema.Dimension()
	}
	return p.Data.X.Columns
}

// Scores is Σ ℓ(Θ; z) of a softmax over the records as a solver takes it. It shares the data
// set's memory.
func (p Problem) Scores() *solve.Scores {
	p.mustBeInMemory()
	return &solve.Scores{Rows: design(p.Data), Classes: len(p.Data.Schema.Label.Classes)}
}

// ScoreParts is Scores, block by block where the rows are cut into blocks. It panics as AgainstRest
// does.
func (p Problem) ScoreParts() []solve.Part {
	if p.Elsewhere != nil {
		return p.elsewhereOfClasses().ScoreParts()
	}
	scores := p.Scores()
	if p.Data.Ends == nil {
		return []solve.Part{scores}
	}
	return asParts(p.Blocks(scores.Rows, scores.Classes))
}

// Design is the rows without a loss. They share the data set's memory.
func (p Problem) Design() *solve.Rows {
	p.mustBeInMemory()
	return design(p.Data)
}

// Rows is Σ ℓ(θ; z) over the records as a solver takes it, the gradient of each
// record clipped at threshold (+Inf: not); rowNorm is an upper bound on the
// norm of every row. It shares the data set's memory. An error is that of
// glm.Clip.
func (p Problem) Rows(threshold, rowNorm float64) (*solve.Rows, error) {
	p.mustBeInMemory()
	loss, err := glm.Clip(p.Loss, threshold)
	if err != nil {
		return nil, err
	}
	return RowsOf(p.Data, loss, rowNorm), nil
}

// RowsOf is Problem.Rows of a data set, the loss clipped already.
func RowsOf(d *data.Dataset, loss glm.Clipped, rowNorm float64) *solve.Rows {
	rows := design(d)
	rows.Loss, rows.Norm = loss, []float64{rowNorm}
	if n := d.X.Rows(); loss.Active(rowNorm) && n > 0 {
		rows.Norm = make([]float64, n)
		rows.Norms(rows.Norm)
	}
	return rows
}

// mustBeInMemory panics if a learner that needs more than sums was given records elsewhere.
func (p Problem) mustBeInMemory() {
	if p.Elsewhere != nil {
		panic("learn: this learner needs rows in memory")
	}
}
