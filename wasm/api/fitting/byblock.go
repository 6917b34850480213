package fitting

import (
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/evaluate"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// Questions about the records of a data set, of which other workers may keep a part: how a model
// does on them, what a report is made from, what a release cost each. Answers are lists of numbers,
// one a block, and the same to the last bit, however many workers there are.

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

// byBlock counts the records of a data set.
func (s *Session) byBlock(id int, release *learn.Release, q question) ([][]float64, error) {
	c := s.parted[id]
	if c == nil {
		d, err := s.rowsOf(id)
		if err != nil {
			return nil, err
		}
		return q.count(d)
	}
	// Keepers do not know the file's schema.
	if err := evaluate.CheckSchema(release.Model, c.schema); err != nil {
		return nil, err
	}
	tree, err := release.Tree()
	if err != nil {
		return nil, err
	}
	q.params["release"] = tree
	return c.byBlock(q)
}

// byBlock is that of the session. Of a keeper that is gone the rows are read again, a block at a
// time.
func (c *scattered) byBlock(q question) ([][]float64, error) {
	c.busy.Lock()
	defer c.busy.Unlock()
	if c.whole != nil {
		return q.count(c.whole)
	}
	for _, k := range c.keepers {
		k.ask(q.method, q.params)
	}
	out, err := q.count(c.here) // while they count
	for _, k := range c.keepers {
		k.settle(0)
	}
	if err != nil {
		return nil, err
	}
	perBlock := len(out[0])
	for _, k := range c.keepers {
		sizes, wanted := make([]int, k.blocks), 0
		for i := range sizes {
			sizes[i] = perBlock
			if q.perRow > 0 {
				rows, _ := c.all.Block(k.first + i)
				sizes[i] = q.perRow * rows
			}
			wanted += sizes[i]
		}
		numbers := k.numbers
		came := !k.failed && len(numbers) == wanted
		for i, size := range sizes {
			if came {
				out, numbers = append(out, numbers[:size]), numbers[size:]
				continue
			}
			d, err := c.read(k.first + i)
			if err != nil {
				return nil, err
			}
			alone := *d
			alone.Ends = nil
			again, err := q.count(&alone)
			if err != nil {
				return nil, err
			}
			out = append(out, again...)
		}
	}
	return out, nil
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
