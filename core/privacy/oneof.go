package privacy

import "strconv"

// OneOf is one of several mechanisms, and which one it was is told. The records do not
// decide which: it is drawn at random, or earlier outputs say it. Use it inside a private
// selection for its candidates.
//
// It costs what the worst of Events costs, order by order of the Rényi divergence. Proof:
// let j be drawn with probability w_j, whatever the records are. Given j both data sets'
// outputs are those of mechanism j, so that e^{(α−1)D_α} is the mean of the e^{(α−1)D_α,j}
// with weights w_j, and no more than the largest. ∎
type OneOf struct {
	Adjacency Adjacency
	Events    []Event // at least one; one adjacency
}

func (OneOf) Mechanism() string       { return "one-of" }
func (e OneOf) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that there is an event, each of them, that all adjacencies are its own,
// and that no more than [DeepestNesting] compositions and selections stand inside one
// another.
func (e OneOf) Validate() error {
	if err := FirstError(CheckAdjacency(e.Adjacency), checkNesting(e)); err != nil {
		return err
	}
	if len(e.Events) == 0 {
		return &ParameterError{Field: "events", Value: "empty", Want: "a list of one event or more"}
	}
	for i, event := range e.Events {
		if err := checkInner("events["+strconv.Itoa(i)+"]", event, e.Adjacency); err != nil {
			return err
		}
	}
	return nil
}

func decodeOneOf(f *Fields) Event {
	e := OneOf{Adjacency: f.Adjacency()}
	for i, tree := range f.List("events") {
		event, err := DecodeEvent(f.Path("events["+strconv.Itoa(i)+"]"), tree)
		if err != nil {
			f.Fail(err)
			break
		}
		e.Events = append(e.Events, event)
	}
	return e
}

func (e OneOf) encode(tree map[string]any) {
	events := make([]any, len(e.Events))
	for i, event := range e.Events {
		events[i] = EncodeEvent(event)
	}
	tree["events"] = events
}
