package fitting

import (
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// keeping is the rows of some blocks that another worker handed over: see scattered.
type keeping struct {
	first, blocks int
	columns       int
	sparse        bool
	rows          *data.Gathering
	bytes         int           // of the rows, about
	dataset       *data.Dataset // once all rows are there
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
	if k != nil && k.dataset == nil && block >= k.first && block < k.first+k.blocks {
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

// applyShard takes {loss, huberWidth, clip, rowNorm}, what sums are to be taken of. No rows come
// after it.
func (s *Session) applyShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	loss, rowNorm := readClipped(f), f.Number("rowNorm")
	k := s.shard.kept
	if k == nil {
		f.Bad("rowNorm", "that of rows that are kept")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if k.dataset == nil {
		k.dataset, k.rows = k.rows.Dataset(nil), nil
	}
	rows := learn.RowsOf(k.dataset, loss, rowNorm)
	s.shard.blocks = learn.BlocksOf(rows, 0, k.dataset.Ends)[k.first : k.first+k.blocks]
	return nil, nil
}
