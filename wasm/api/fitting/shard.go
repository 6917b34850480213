package fitting

import (
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// What a worker answers that takes sums for another one, which fits and whose rows it has copies
// of, or a part of which it keeps; of rows that it keeps, the losses one by one too. It sees
// nothing of a ledger, and of noise only what exact losses are computed from (report.Optimum), of
// which it keeps nothing. What it answers goes to that worker alone.

// shard is the copies: arrays that are made at once, as long as they will be,
// and then filled piece by piece. Or it is rows that are kept here alone: see scattered.
type shard struct {
	kept *keeping // nil: copies

	rows   *solve.Rows
	ends   []int
	blocks []solve.Apart
	empty  [][]byte // what is not filled yet
}

// pose is what sums over rows are taken of, but for labels and norms.
type pose struct {
	norms, classes int // classes of a softmax; 0: a loss
	loss           glm.Clipped
}

// readPose reads {norms, classes} and, unless there are classes or moments are to be taken,
// {loss, huberWidth, clip}, huberWidth being the number that any loss has (learn.LossParameter).
func readPose(f *privacy.Fields) pose {
	p := pose{norms: f.Int("norms"), classes: f.Int("classes")}
	if f.Has("loss") {
		p.loss = readClipped(f)
	}
	return p
}

// readClipped reads {loss, huberWidth, clip}: see lossOf.
func readClipped(f *privacy.Fields) glm.Clipped {
	loss, err := learn.ParseLoss(f.Text("loss"), f.Number("huberWidth"))
	clip := f.Number("clip")
	f.Fail(err)
	clipped, err := glm.Clip(loss, clip)
	f.Fail(err)
	return clipped
}

// lossOf is a loss as readClipped reads it.
func lossOf(clipped glm.Clipped) map[string]any {
	loss := clipped.Loss()
	out := map[string]any{
		"loss": learn.LossName(loss), "huberWidth": 1.0, "clip": clipped.Threshold(),
	}
	if field, value := learn.LossParameter(loss); field != "" {
		out["huberWidth"] = value
	}
	return out
}

// openShard takes {ends, entries, columns, sparse} and a pose, and makes room for
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
	entries, columns, sparse := f.Int("entries"), f.Int("columns"), f.Bool("sparse")
	pose := readPose(f)
	if err := f.Done(); err != nil {
		return nil, err
	}
	s.shard = shard{} // its memory can be used again
	rows := solve.NewRows(ends[len(ends)-1], pose.norms, entries, columns, sparse)
	s.shard = shard{rows: rows, ends: ends}
	s.shard.pose(pose)
	s.shard.empty = rows.Memory()
	return nil, nil
}

// poseShard takes a pose. The rows stay what they are: labels and norms are to be filled anew.
func (s *Session) poseShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	pose := readPose(f)
	h := &s.shard
	if h.rows == nil || len(h.empty) > 0 {
		f.Bad("norms", "those of rows that are kept")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	h.pose(pose)
	h.empty = h.rows.Posed()
	return nil, nil
}

func (h *shard) pose(p pose) {
	if len(h.rows.Norm) != p.norms {
		h.rows.Norm = make([]float64, p.norms)
	}
	h.rows.Loss = p.loss
	h.blocks = learn.BlocksOf(h.rows, p.classes, h.ends)
}

// fillShard takes {bytes}, the next of solve.Rows.Memory, or of Posed.
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

// shardOf is rows in blocks as openShard is told of them, or, if they are there, poseShard.
func shardOf(rows *solve.Rows, classes int, ends []int, there bool) map[string]any {
	out := map[string]any{}
	if rows.Loss.Loss() != nil {
		out = lossOf(rows.Loss)
	}
	out["norms"], out["classes"] = float64(len(rows.Norm)), float64(classes)
	if there {
		return out
	}
	list := make([]any, len(ends))
	for k, end := range ends {
		list[k] = float64(end)
	}
	out["ends"], out["entries"] = list, float64(rows.Entries())
	out["columns"], out["sparse"] = float64(rows.Columns), !rows.Costly()
	return out
}

// ofLength reports whether theta is a point for so many coefficients: one that is
// certified may be the sum of two halves, and moments are taken at a step.
func ofLength(theta []float64, dim int, next solve.Sums) bool {
	if next == solve.Moments {
		return len(theta) == 1
	}
	return len(theta) == dim || next == solve.Certified && len(theta) == 2*dim
}

// takeSums answers {theta, every, next} with the numbers of each block, one in
// every of whose rows counts. They go as bytes: NaN is among them.
func (s *Session) takeSums(call *api.Call) (map[string]any, error) {
	f := call.Fields
	bytes, _ := f.Any("theta").([]byte)
	theta := solve.Floats(bytes)
	every, next := f.Int("every"), solve.Sums(f.Int("next"))
	h := &s.shard
	if len(h.blocks) == 0 || len(h.empty) > 0 || !ofLength(theta, h.blocks[0].Dim(), next) ||
		h.blocks[0].Count(next) == 0 || every < 1 ||
		every > 1 && (next == solve.Certified || next == solve.Moments) {
		f.Bad("theta", "a point for the rows that are kept")
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	out := make([]float64, 0, len(h.blocks)*h.blocks[0].Count(next))
	for _, block := range h.blocks {
		if every > 1 {
			block = block.Thin(every).(solve.Apart)
		}
		out = append(out, block.Numbers(theta, next)...)
	}
	return map[string]any{"numbers": solve.Bytes(out)}, nil
}
