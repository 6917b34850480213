package fitting

import (
	"cloister/core/data"
	"cloister/core/learn/bounds"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// counting is a reading that ends in a histogram of some columns, by public
// bins, or in counts of their texts.
type counting struct {
	session *Session
	counter *data.Counter
	texts   bool
}

func (s *Session) openCount(f *privacy.Fields, size int64, texts bool) (reading, error) {
	columns := f.Texts("columns")
	var missing []string
	if f.Has("missingValues") {
		missing = f.Texts("missingValues")
	}
	options := readOptions(f, size)
	if err := f.Done(); err != nil {
		return nil, err
	}
	var counter *data.Counter
	var err error
	if texts {
		var of data.TextCounter
		of, err = data.NewTextCounter(columns, missing, options)
		counter = of.Counter
	} else {
		counter, err = data.NewCounter(columns, bounds.Binning, missing, options)
	}
	if err != nil {
		return nil, err
	}
	return &counting{session: s, counter: counter, texts: texts}, nil
}

func (c *counting) begin(part string) error  { return c.counter.Begin(part) }
func (c *counting) write(chunk []byte) error { return c.counter.Write(chunk) }
func (c *counting) rows() int                { return c.counter.RowsSoFar() }

func (c *counting) finish(id int) (map[string]any, error) {
	if c.texts {
		counts, err := data.TextCounter{Counter: c.counter}.Close()
		if err != nil {
			return nil, err
		}
		c.session.listed[id] = counts
		return map[string]any{"dataset": id}, nil
	}
	histogram, err := c.counter.Close()
	if err != nil {
		return nil, err
	}
	c.session.counted[id] = histogram
	return map[string]any{"dataset": id}, nil
}

// bounds prepares {dataset, adjacency, epsilon, share?}: bounds of the columns
// that the reading named, which was for the purpose "bounds".
func (s *Session) bounds(call *api.Call) (*api.Purchase, error) {
	id := call.Fields.Int("dataset")
	histogram, ok := s.counted[id]
	if !ok {
		return nil, lost(id)
	}
	plan := readBounds(call.Fields, len(histogram.Columns))
	event, err := eventOf(call, plan)
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		return released(bounds.Run(histogram, plan, s.source))
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

// eventOf is what a plan would be charged for, once the call has been read to its end.
func eventOf(
	call *api.Call, plan interface{ Event() (privacy.Event, error) },
) (privacy.Event, error) {
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	return plan.Event()
}

// released replies with a release.
func released[R interface{ Tree() map[string]any }](release R, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{"release": release.Tree()}, nil
}

func readBounds(f *privacy.Fields, columns int) bounds.Plan {
	return bounds.Plan{
		Adjacency: f.Adjacency(),
		Columns:   columns,
		Epsilon:   f.Number("epsilon"),
		Share:     f.NumberOr("share", 0),
	}
}

// planBounds answers {columns, adjacency, epsilon, share?}, columns being how
// many, with what buying their bounds would be charged for and what it would be
// good for. No data is needed.
func planBounds(call *api.Call) (map[string]any, error) {
	plan := readBounds(call.Fields, call.Fields.Int("columns"))
	event, err := eventOf(call, plan)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"event":     privacy.EncodeEvent(event),
		"epsilon":   plan.Spent(),
		"threshold": float64(plan.Threshold()),
		"failure":   bounds.Failure,
	}, nil
}
