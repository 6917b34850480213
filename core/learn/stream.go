package learn

import (
	"io"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/solve"
)

// Stream is the records of a file that is larger than memory, for a [Problem] of a learner that
// needs sums alone (Chosen.Sums). A fit reads the file once for each sum. Given the same noise, it
// releases what a fit of the same file in memory releases, to the last bit.
type Stream struct {
	File *data.Stream

	// Workers is how many blocks are read at once; 0 stands for 1.
	Workers int

	// PieceRows is how many rows of a block are in memory at once, about; 0 stands for 8,192. It
	// bears on no result.
	PieceRows int

	// Failed is called if the file cannot be read, or has changed. Cancel the fit: its result is
	// no model of the file. It may be called by several goroutines.
	Failed func(error)

	// Around, if it is not nil, is put around the part of each block, to keep its sums.
	Around func(block int, part *solve.Streamed) solve.Part
}

// OpenStream makes the first pass over a file of at least data.Large bytes (data.OpenStream) and
// checks its rows as [Problem.Check] does those of a data set in memory.
func OpenStream(
	file io.ReaderAt, size int64, schema *data.Schema, options data.ReadOptions,
) (*data.Stream, error) {
	rows := 0
	return data.OpenStream(file, size, schema, options, func(d *data.Dataset) error {
		err := CheckRowsOf(d, schema.RowNorm())
		if wrong, ok := err.(*RowError); ok {
			wrong.Row += rows
		}
		rows += len(d.Y)
		return err
	})
}

// parts are the blocks of the file with a loss.
func (s *Stream) parts(loss glm.Clipped, rowNorm float64) []solve.Part {
	room := make(chan struct{}, max(1, s.Workers))
	parts := make([]solve.Part, data.Blocks)
	for k := range parts {
		part := &solve.Streamed{
			Stream:  &streamBlock{s, k, loss, rowNorm},
			Columns: s.File.Schema().Dimension(), Room: room, Failed: s.Failed,
		}
		parts[k] = part
		if s.Around != nil {
			parts[k] = s.Around(k, part)
		}
	}
	return parts
}

// streamBlock is one block as a solver takes it.
type streamBlock struct {
	of      *Stream
	block   int
	loss    glm.Clipped
	rowNorm float64
}

func (b *streamBlock) Rows() (rows, entries int) { return b.of.File.Block(b.block) }

func (b *streamBlock) Costly() bool { return b.of.File.Index().Dense }

func (b *streamBlock) Each(multiple int, take func(*solve.Rows)) error {
	rows := b.of.PieceRows
	if rows <= 0 {
		rows = defaultPieceRows
	}
	rows = max(1, rows/multiple) * multiple
	return b.of.File.Read(b.block, rows, func(d *data.Dataset) error {
		take(rowsOf(d, b.loss, b.rowNorm))
		return nil
	})
}

const defaultPieceRows = 8192
