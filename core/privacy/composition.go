package privacy

import "strconv"

// Composition is the release of everything that its parts release, each part
// possibly chosen in the light of the outputs before it (adaptive
// composition), with all parameters fixed beforehand. All parts share one
// adjacency. No parts is a composition too: nothing was released.
type Composition struct {
	Adjacency Adjacency
	Parts     []Part
}

// Part is Count independent runs of Event.
type Part struct {
	Event Event
	Count int
}

func (Composition) Mechanism() string       { return "composition" }
func (e Composition) Neighbours() Adjacency { return e.Adjacency }

// Validate checks every part, that no Count is negative, and that all
// adjacencies are the composition's own.
func (e Composition) Validate() error {
	if err := checkAdjacency(e.Adjacency); err != nil {
		return err
	}
	for i, part := range e.Parts {
		path := "parts[" + strconv.Itoa(i) + "]"
		if err := checkAtLeast(path+".count", part.Count, 0); err != nil {
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
