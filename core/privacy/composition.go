package privacy

import "strconv"

// Composition is the release of everything that its parts release. Use it for adaptive
// composition: each part may depend on the outputs before it, but all parameters are
// fixed beforehand. All parts share one adjacency. An empty composition is valid:
// nothing was released.
type Composition struct {
	Adjacency Adjacency
	Parts     []Part
}

// Part is Count independent runs of Event, 0 to 2^53 of them.
type Part struct {
	Event Event
	Count int
}

func (Composition) Mechanism() string       { return "composition" }
func (e Composition) Neighbours() Adjacency { return e.Adjacency }

// Validate checks every part, 0 ≤ Count ≤ [LargestCount], that all adjacencies are
// the composition's own, and that no more than [DeepestNesting] compositions and
// selections stand inside one another.
func (e Composition) Validate() error {
	if err := FirstError(CheckAdjacency(e.Adjacency), checkNesting(e)); err != nil {
		return err
	}
	for i, part := range e.Parts {
		path := "parts[" + strconv.Itoa(i) + "]"
		if err := checkCount(path+".count", part.Count, 0); err != nil {
			return err
		}
		if err := checkInner(path+".event", part.Event, e.Adjacency); err != nil {
			return err
		}
	}
	return nil
}

// checkInner validates an event inside another one of the given adjacency.
func checkInner(path string, inner Event, adjacency Adjacency) error {
	if inner == nil {
		return &ParameterError{Field: path, Value: "missing", Want: "an event"}
	}
	if err := inner.Validate(); err != nil {
		return Within(path, err)
	}
	if inner.Neighbours() != adjacency {
		return &ParameterError{
			Field: path + ".adjacency", Value: quote(inner.Neighbours().String()),
			Want: quote(adjacency.String()) + ", that of the event around it",
		}
	}
	return nil
}

func decodeComposition(f *Fields) Event {
	e := Composition{Adjacency: f.Adjacency()}
	for i, tree := range f.List("parts") {
		part := NewFields(f.Path("parts["+strconv.Itoa(i)+"]"), tree)
		e.Parts = append(e.Parts, Part{Event: part.Event("event"), Count: part.IntOr("count", 1)})
		if err := part.Done(); err != nil {
			f.Fail(err)
			break
		}
	}
	return e
}

func (e Composition) encode(tree map[string]any) {
	parts := make([]any, len(e.Parts))
	for i, part := range e.Parts {
		parts[i] = map[string]any{"event": EncodeEvent(part.Event), "count": float64(part.Count)}
	}
	tree["parts"] = parts
}
