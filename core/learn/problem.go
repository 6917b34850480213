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
	// rows of a large file and the ends of their blocks (data.Dataset.Ends). It returns
	// a part for each block, in their order, whose sums are those of solve.NewBlocks to
	// the last bit. A learner that uses Rows does not use it.
	Spread func(rows *solve.Rows, ends []int) []solve.Part
}

// Parts is Rows, block by block where the rows are cut into blocks.
func (p Problem) Parts(threshold, rowNorm float64) ([]solve.Part, error) {
	rows, err := p.Rows(threshold, rowNorm)
	if err != nil {
		return nil, err
	}
	if p.Data.Ends == nil {
		return []solve.Part{rows}, nil
	}
	if p.Spread != nil {
		return p.Spread(rows, p.Data.Ends), nil
	}
	blocks := solve.NewBlocks(rows, p.Data.Ends)
	parts := make([]solve.Part, len(blocks))
	for k, block := range blocks {
		parts[k] = block
	}
	return parts, nil
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
	if _, softmax := p.Loss.(glm.Softmax); softmax {
		return CheckRowsOf(p.Data, rowNorm)
	}
	return CheckRows(p.Data, rowNorm)
}

// Dimension is the number of coefficients, that of the intercept included.
func (p Problem) Dimension() int { return p.Data.X.Columns }

// Scores is Σ ℓ(Θ; z) of a softmax over the records as a solver takes it. It shares the data
// set's memory.
func (p Problem) Scores() *solve.Scores {
	return &solve.Scores{Rows: design(p.Data), Classes: len(p.Data.Schema.Label.Classes)}
}

// Rows is Σ ℓ(θ; z) over the records as a solver takes it, the gradient of each
// record clipped at threshold (+Inf: not); rowNorm is an upper bound on the
// norm of every row. It shares the data set's memory. An error is that of
// glm.Clip.
func (p Problem) Rows(threshold, rowNorm float64) (*solve.Rows, error) {
	loss, err := glm.Clip(p.Loss, threshold)
	if err != nil {
		return nil, err
	}
	rows := design(p.Data)
	rows.Loss, rows.Norm = loss, []float64{rowNorm}
	if n := p.Data.X.Rows(); loss.Active(rowNorm) && n > 0 {
		rows.Norm = make([]float64, n)
		rows.Norms(rows.Norm)
	}
	return rows, nil
}
