package fitting

import (
	"maps"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// keeping is the rows of some blocks for another worker, which handed them over, or has joined the
// range of a file that they were read from here: see scattered.
type keeping struct {
	first, blocks int
	columns       int
	sparse        bool
	rows          *data.Gathering
	bytes         int           // of the rows, about
	dataset       *data.Dataset // once all rows are there
	parser        *data.Parser  // of a range that is read here
}

// readShard takes {schema, names, delimiter, dense, room, from, to, size, first, blocks}, and
// begins to read the range of a file, of so many bytes, that has these blocks, in the place of the
// rows that are here.
func (s *Session) readShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	schema, err := readSchema(f)
	if err != nil {
		return nil, err
	}
	form := data.Form{
		Names: f.Texts("names"), Delimiter: readDelimiter(f), Dense: f.Bool("dense"),
	}
	options := data.ReadOptions{MaxBytes: MaxBytes, MaxMatrixBytes: int64(f.Number("room"))}
	of := data.RangeOf{
		From: int64(f.Number("from")), To: int64(f.Number("to")), Size: int64(f.Number("size")),
		First: f.Int("first"), Blocks: f.Int("blocks"),
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	s.shard = shard{} // its memory can be used again
	parser, err := data.NewRange(schema, options, form, of)
	if err != nil {
		return nil, err
	}
	s.shard.kept = &keeping{first: of.First, blocks: of.Blocks, parser: parser}
	return nil, nil
}

// ranged is the range that is read here.
func (s *Session) ranged(f *privacy.Fields) *keeping {
	k := s.shard.kept
	if k == nil || k.parser == nil {
		f.Bad("bytes", "those of a range that is read here")
	}
	return k
}

// readPart takes {bytes}, the next of the range.
func (s *Session) readPart(call *api.Call) (map[string]any, error) {
	bytes, _ := call.Fields.Any("bytes").([]byte)
	k := s.ranged(call.Fields)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	if err := k.parser.Write(bytes); err != nil {
		return nil, err
	}
	return map[string]any{"rows": k.parser.RowsSoFar()}, nil
}

// endRead ends the range, and answers with what the worker that has the rest of the file needs to
// join it. Anything that is wrong is an error: that worker reads the range then, and says what.
func (s *Session) endRead(call *api.Call) (map[string]any, error) {
	k := s.ranged(call.Fields)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	d, found, err := k.parser.CloseRange()
	k.parser = nil
	if err == nil {
		err = learn.CheckRowsOf(d, d.Schema.RowNorm())
	}
	if err != nil {
		return nil, err
	}
	k.dataset, k.bytes = d, d.X.Bytes()+8*len(d.Y)
	s.pace()
	return map[string]any{"found": solve.Bytes(found.Numbers())}, nil
}

// keepShard takes {first, blocks, columns, sparse, rows, entries}, and makes room for so many rows
// or a few more, in the place of those that it has.
func (s *Session) keepShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	k := &keeping{
		first: f.Int("first"), blocks: f.Int("blocks"), columns: f.Int("columns"),
		sparse: f.Bool("sparse"),
	}
	rows, entries := f.Int("rows"), f.Int("entries")
	if k.first < 0 || k.blocks < 1 || k.first > data.Blocks-k.blocks {
		f.Bad("blocks", "blocks of a file")
	}
	if k.columns < 1 || rows < 0 || entries < 0 {
		f.Bad("columns", "1 or more, and numbers of rows and entries")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	s.shard = shard{} // its memory can be used again
	k.rows = data.Gather(k.first, k.columns, !k.sparse, rows, entries)
	s.shard.kept, k.bytes = k, 12*entries
	s.pace()
	return nil, nil
}

// keepRows takes {block, rows, bytes}, the next rows: labels, where rows begin if they are sparse,
// entries, and then their columns.
func (s *Session) keepRows(call *api.Call) (map[string]any, error) {
	f := call.Fields
	block, rows := f.Int("block"), f.Int("rows")
	bytes, _ := f.Any("bytes").([]byte)
	k := s.shard.kept
	var piece *data.Dataset
	if k != nil && k.rows != nil && block >= k.first && block < k.first+k.blocks {
		piece = k.piece(rows, bytes)
	}
	if piece == nil {
		f.Bad("block", "rows of one of the blocks that are kept")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	k.rows.Add(block, piece)
	return nil, nil
}

// piece is so many rows in the memory of bytes; nil if they are other ones.
func (k *keeping) piece(rows int, bytes []byte) *data.Dataset {
	if rows < 1 || rows > len(bytes)/8 {
		return nil
	}
	labels, bytes := solve.Floats(bytes[:8*rows]), bytes[8*rows:]
	if !k.sparse {
		return data.PieceOf(k.columns, true, labels, nil, nil, solve.Floats(bytes))
	}
	if rows+1 > len(bytes)/8 {
		return nil
	}
	starts, bytes := solve.Ints(bytes[:8*(rows+1)]), bytes[8*(rows+1):]
	entries := len(bytes) / 12
	return data.PieceOf(
		k.columns, false, labels, starts, solve.Int32s(bytes[8*entries:]),
		solve.Floats(bytes[:8*entries]),
	)
}

// sought is what sums are to be taken of over rows that are kept.
type sought struct {
	loss    glm.Clipped
	rowNorm float64
	class   int // of several, against all others; noClass: labels are as they are
	classes int // of a softmax, which needs no more; 0: a loss
}

const noClass = -1

// request is what readSought reads.
func (q sought) request() map[string]any {
	out := map[string]any{"classes": float64(q.classes), "class": float64(q.class)}
	if q.classes == 0 {
		maps.Copy(out, lossOf(q.loss))
		out["rowNorm"] = q.rowNorm
	}
	return out
}

// readSought reads {classes, class} and, unless there are classes, {loss, huberWidth, clip,
// rowNorm}.
func readSought(f *privacy.Fields) sought {
	q := sought{classes: f.Int("classes"), class: f.Int("class")}
	if q.classes == 0 {
		q.loss, q.rowNorm = readClipped(f), f.Number("rowNorm")
	}
	return q
}

// blocks are the rows' blocks, which end there.
func (q sought) blocks(d *data.Dataset, ends []int) []solve.Apart {
	if q.classes > 0 {
		return learn.BlocksOf(learn.Problem{Data: d}.Design(), q.classes, ends)
	}
	if q.class != noClass {
		one := *d
		one.Y = data.LabelsAgainstRest(d.Y, q.class)
		d = &one
	}
	return learn.BlocksOf(learn.RowsOf(d, q.loss, q.rowNorm), 0, ends)
}

// applyShard takes what readSought reads. No rows come after it.
func (s *Session) applyShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	what := readSought(f)
	k := s.kept(f, "classes")
	if err := f.Done(); err != nil {
		return nil, err
	}
	d := k.all()
	s.shard.blocks = what.blocks(d, d.Ends)[k.first : k.first+k.blocks]
	return nil, nil
}

// kept is the rows that are kept here; of a request with this field, which is wrong if there are
// none.
func (s *Session) kept(f *privacy.Fields, field string) *keeping {
	k := s.shard.kept
	if k == nil || k.dataset == nil && k.rows == nil {
		f.Bad(field, "that of rows that are kept")
	}
	return k
}

// all is the rows as a data set. No rows come after it is asked for.
func (k *keeping) all() *data.Dataset {
	if k.dataset == nil {
		k.dataset, k.rows = k.rows.Dataset(nil), nil
	}
	return k.dataset
}
