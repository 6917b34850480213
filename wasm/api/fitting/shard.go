package fitting

import (
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// What a worker answers that takes sums for another one, which fits and whose
// rows it has copies of. It sees no noise and no budget, and what it answers goes
// to that worker alone.

// shard is the copies: arrays that are made at once, as long as they will be,
// and then filled piece by piece.
type shard struct {
	rows   *solve.Rows
	blocks []solve.Block
	empty  [][]byte // what is not filled yet
}

// openShard takes {ends, norms, entries, columns, sparse, loss, huberWidth, clip},
// huberWidth being the number that any loss has (learn.LossParameter), and makes room for
// rows, in blocks that end at ends, in the place of those that
// it has. See shardOf.
func (s *Session) openShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	var ends []int
	for _, end := range f.Numbers("ends") {
		ends = append(ends, int(end))
	}
	if len(ends) == 0 {
		ends = []int{0}
	}
	norms, entries, columns, sparse := f.Int("norms"), f.Int("entries"), f.Int("columns"), f.Bool(
		"sparse",
	)
	loss, err := learn.ParseLoss(f.Text("loss"), f.Number("huberWidth"))
	clip := f.Number("clip")
	f.Fail(err)
	clipped, err := glm.Clip(loss, clip)
	f.Fail(err)
	if err := f.Done(); err != nil {
		return nil, err
	}
	s.shard = shard{} // its memory can be used again
	rows := solve.NewRows(ends[len(ends)-1], norms, entries, columns, sparse)
	rows.Loss = clipped
	s.shard = shard{rows, solve.NewBlocks(rows, ends), rows.Memory()}
	return nil, nil
}

// fillShard takes {bytes}, the next of solve.Rows.Memory.
func (s *Session) fillShard(call *api.Call) (map[string]any, error) {
	bytes, _ := call.Fields.Any("bytes").([]byte)
	h := &s.shard
	for len(bytes) > 0 && len(h.empty) > 0 {
		n := copy(h.empty[0], bytes)
		bytes, h.empty[0] = bytes[n:], h.empty[0][n:]
		for len(h.empty) > 0 && len(h.empty[0]) == 0 {
			h.empty = h.empty[1:]
			if len(h.empty) == 0 {
				h.rows.Rebase()
			}
		}
	}
	if len(bytes) > 0 {
		call.Fields.Bad("bytes", "no more than there is room for")
	}
	return nil, nil
}

// shardOf is rows in blocks as openShard is told of them.
func shardOf(rows *solve.Rows, blocks []solve.Block) map[string]any {
	var ends []any
	end := 0
	for _, b := range blocks {
		end += len(b.Label)
		ends = append(ends, float64(end))
	}
	width := 1.0
	if field, value := learn.LossParameter(rows.Loss.Loss()); field != "" {
		width = value
	}
	return map[string]any{
		"ends": ends, "norms": float64(len(rows.Norm)), "entries": float64(rows.Entries()),
		"columns": float64(rows.Columns), "sparse": !rows.Costly(),
		"loss": learn.LossName(
			rows.Loss.Loss(),
		), "huberWidth": width, "clip": rows.Loss.Threshold(),
	}
}

// ofLength reports whether theta is a point for so many columns: one that is
// certified may be the sum of two halves.
func ofLength(theta []float64, columns int, next solve.Sums) bool {
	return len(theta) == columns || next == solve.Certified && len(theta) == 2*columns
}

// takeSums answers {theta, every, next} with the numbers of each block, one in
// every of whose rows counts. They go as bytes: NaN is among them.
func (s *Session) takeSums(call *api.Call) (map[string]any, error) {
	f := call.Fields
	bytes, _ := f.Any("theta").([]byte)
	theta := solve.Floats(bytes)
	every, next := f.Int("every"), solve.Sums(f.Int("next"))
	h := &s.shard
	if h.rows == nil || len(h.empty) > 0 || !ofLength(theta, h.rows.Columns, next) || every < 1 ||
		every > 1 && next == solve.Certified {
		f.Bad("theta", "a point for the rows that are kept")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	columns := h.rows.Columns
	out := make([]float64, 0, len(h.blocks)*next.Numbers(columns))
	for _, block := range h.blocks {
		if every > 1 {
			block = block.Thin(every).(solve.Block)
		}
		out = append(out, block.Numbers(theta, next)...)
	}
	return map[string]any{"numbers": solve.Bytes(out)}, nil
}
