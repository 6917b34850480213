package learn

import (
	"io"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/solve"
)

// Stream is the records of a file that is larger than memory, for a learner that needs sums alone
// (Chosen.Sums). A fit reads the file once for each sum. Given the same noise, it
// releases what a fit of the same file in memory releases, to the last bit.
type Stream struct {
	file *data.Stream

	// Take returns the numbers of the sums of these blocks (solve.Sums), each as [Pass.Of] has
	// them, wherever they are taken. Nothing that it gets has noise in it, but for the point.
	Take func(pass Pass, blocks []int) ([][]float64, error)

	// Failed is called with the error of Take. Cancel the fit: its result is no model of the file.
	Failed func(error)
}

// Pass is the sums that a fit asks for at once. It has a JSON form, so that another machine can
// take them.
type Pass struct {
	Theta     []byte     `json:"theta"` // solve.Bytes of the point
	Next      solve.Sums `json:"next"`
	Every     int        `json:"every"` // one row in so many counts, so often
	Loss      string     `json:"loss"`
	Parameter float64    `json:"parameter"` // of the loss (LossParameter)
	Threshold *float64   `json:"threshold"` // of each gradient; nil: not clipped
	RowNorm   float64    `json:"row_norm"`
}

// Problem is that of the stream's records.
func (s *Stream) Problem(loss glm.Loss) Problem {
	return Problem{Data: &data.Dataset{Schema: s.file.Schema()}, Loss: loss, Elsewhere: s}
}

// Rows implements Elsewhere.
func (s *Stream) Rows() int { return s.file.Rows() }

// OpenStream makes the first pass over a file of at least data.Large bytes, by so many workers
// (data.OpenStream), and checks its rows as [Problem.Check] does those of a data set in memory.
// Errors are those of data.OpenStream, and a *RowError or *privacy.ParameterError.
func OpenStream(
	file io.ReaderAt, size int64, schema *data.Schema, options data.ReadOptions, workers int,
) (*Stream, error) {
	check := func(before int, piece *data.Dataset) error {
		err := CheckRowsOf(piece, schema.RowNorm())
		if wrong, ok := err.(*RowError); ok {
			wrong.Row += before
		}
		return err
	}
	stream, err := data.OpenStream(file, size, schema, options, workers, check)
	if err != nil {
		return nil, err
	}
	return &Stream{file: stream}, nil
}

// ResumeStream opens a stream again without the first pass. The index must be what
// OpenStream found (Stream.Index): its rows were checked then. Errors are those of
// data.ResumeStream.
func ResumeStream(
	file io.ReaderAt, schema *data.Schema, index data.StreamIndex,
) (*Stream, error) {
	stream, err := data.ResumeStream(file, schema, index)
	if err != nil {
		return nil, err
	}
	return &Stream{file: stream}, nil
}

// KeepRows has the file keep its rows (data.Stream.KeepRows). Rows that are read back are checked
// as those of the file were.
func (s *Stream) KeepRows(store data.RowStore, maker string) error {
	bound := s.file.Schema().RowNorm()
	return s.file.KeepRows(store, maker, func(piece *data.Dataset) error {
		return CheckRowsOf(piece, bound)
	})
}

// File is the file as package data has it.
func (s *Stream) File() *data.Stream { return s.file }

// Of reads a block of the file, from 0 to data.Blocks − 1, and returns the numbers of its sums.
// About pieceRows of its rows are in memory at once; that bears on no result. Errors are those of
// data.Stream.Read, and a *privacy.ParameterError for a loss that is none.
func (p Pass) Of(file *data.Stream, block, pieceRows int) ([]float64, error) {
	loss, err := ParseLoss(p.Loss, p.Parameter)
	if err != nil {
		return nil, err
	}
	clipped, err := glm.Clip(loss, p.threshold())
	if err != nil {
		return nil, err
	}
	rows := &solve.Streamed{
		Stream:  &streamBlock{file, block, pieceRows, clipped, p.RowNorm},
		Columns: file.Schema().Dimension(), Every: p.Every,
	}
	return rows.Sums(solve.Floats(p.Theta), p.Next)
}

// streamBlock is one block as a solver takes it.
type streamBlock struct {
	file      *data.Stream
	block     int
	pieceRows int
	loss      glm.Clipped
	rowNorm   float64
}

func (b *streamBlock) Rows() (rows, entries int) { return b.file.Block(b.block) }

func (b *streamBlock) Each(multiple int, take func(*solve.Rows)) error {
	rows := max(1, b.pieceRows/multiple) * multiple
	return b.file.Read(b.block, rows, func(d *data.Dataset) error {
		take(RowsOf(d, b.loss, b.rowNorm))
		return nil
	})
}
