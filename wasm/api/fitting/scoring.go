package fitting

import (
	"context"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/evaluate"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// How a model does on a data set, of which other workers may keep a part of the rows, and what a
// report of it is made from. What is counted is the same to the last bit, however many they are: it
// is counted by block.

// question is what is asked of the records of a data set, block by block.
type question struct {
	// Keepers are asked for theirs by this method, with the release and these parameters.
	method string
	params map[string]any

	count blockwise

	// perRow is how many numbers there are of each record; 0: each block has as many numbers.
	perRow int
}

// blockwise returns one list of numbers for each block of a data set.
type blockwise func(*data.Dataset) ([][]float64, error)

// tally is evaluate.Tally of a data set.
func (s *Session) tally(
	id int, release *learn.Release, plan evaluate.Plan,
) ([][]float64, error) {
	return s.byBlock(id, release, question{
		method: "shard.tally",
		params: map[string]any{
			"adjacency": plan.Adjacency.String(), "epsilon": plan.Epsilon,
			"bins": float64(plan.Bins), "lossBound": plan.LossBound,
		},
		count: tallied(release.Model, plan),
	})
}

// exactSums is evaluate.ExactSums of a data set.
func (s *Session) exactSums(id int, release *learn.Release) ([][]float64, error) {
	return s.byBlock(id, release, question{
		method: "shard.exact", params: map[string]any{}, count: exact(release.Model),
	})
}

func tallied(model learn.Model, plan evaluate.Plan) blockwise {
	return func(d *data.Dataset) ([][]float64, error) {
		return evaluate.Tally(context.Background(), model, d, plan)
	}
}

func exact(model learn.Model) blockwise {
	return func(d *data.Dataset) ([][]float64, error) { return evaluate.ExactSums(model, d) }
}

// byBlock counts the records of a data set.
func (s *Session) byBlock(id int, release *learn.Release, of question) ([][]float64, error) {
	c := s.parted[id]
	if c == nil {
		d, err := s.rowsOf(id)
		if err != nil {
			return nil, err
		}
		return of.count(d)
	}
	// Keepers do not know the file's schema.
	if err := evaluate.CheckSchema(release.Model, c.schema); err != nil {
		return nil, err
	}
	tree, err := release.Tree()
	if err != nil {
		return nil, err
	}
	of.params["release"] = tree
	return c.byBlock(of)
}

// byBlock is that of the session. Of a keeper that is gone the rows are read again, a block at a
// time.
func (c *scattered) byBlock(of question) ([][]float64, error) {
	c.busy.Lock()
	defer c.busy.Unlock()
	if c.whole != nil {
		return of.count(c.whole)
	}
	for _, k := range c.keepers {
		k.ask(of.method, of.params)
	}
	out, err := of.count(c.here) // while they count
	for _, k := range c.keepers {
		k.settle(0)
	}
	if err != nil {
		return nil, err
	}
	each := len(out[0])
	for _, k := range c.keepers {
		sizes, all := make([]int, k.blocks), 0
		for i := range sizes {
			sizes[i] = each
			if of.perRow > 0 {
				rows, _ := c.all.Block(k.first + i)
				sizes[i] = of.perRow * rows
			}
			all += sizes[i]
		}
		own := k.numbers
		there := !k.failed && len(own) == all
		for i, size := range sizes {
			if there {
				out, own = append(out, own[:size]), own[size:]
				continue
			}
			d, err := c.read(k.first + i)
			if err != nil {
				return nil, err
			}
			alone := *d
			alone.Ends = nil
			again, err := of.count(&alone)
			if err != nil {
				return nil, err
			}
			out = append(out, again...)
		}
	}
	return out, nil
}

// tallyShard answers {release, adjacency, epsilon, bins, lossBound} with evaluate.Tally of the
// blocks that are kept here.
func (s *Session) tallyShard(call *api.Call) (map[string]any, error) {
	plan := readEvaluation(call.Fields)
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		return tallied(release.Model, plan), nil
	})
}

// exactShard answers {release} with evaluate.ExactSums of the blocks that are kept here.
func (s *Session) exactShard(call *api.Call) (map[string]any, error) {
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		return exact(release.Model), nil
	})
}

// countShard answers {release} with what is counted for it.
func (s *Session) countShard(
	call *api.Call, counts func(*learn.Release) (blockwise, error),
) (map[string]any, error) {
	f := call.Fields
	release, err := readRelease(f)
	if err != nil {
		return nil, err
	}
	k := s.kept(f, "release")
	if err := f.Done(); err != nil {
		return nil, err
	}
	count, err := counts(release)
	if err != nil {
		return nil, err
	}
	d := *k.all()
	d.Schema = release.Model.Schema // which the worker that asks has compared with the file's
	blocks, err := count(&d)
	if err != nil {
		return nil, err
	}
	var out []float64
	for _, numbers := range blocks[k.first : k.first+k.blocks] {
		out = append(out, numbers...)
	}
	return map[string]any{"numbers": solve.Bytes(out)}, nil
}
