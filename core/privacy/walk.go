package privacy

import "strconv"

// Base is what a selection repeats, nil if it is missing; false for other events.
func Base(event Event) (base Event, ok bool) {
	switch e := event.(type) {
	case NegativeBinomialSelection:
		return e.Base, true
	case PoissonSelection:
		return e.Base, true
	case LiuTalwarSelection:
		return e.Base, true
	}
	return nil, false
}

// Parts are the events directly inside another: the parts of a composition, the test and
// the release of propose-test-release, each of those of which one is run, and what a selection
// repeats, counted once; none of a mechanism that stands alone.
func Parts(event Event) []Part {
	switch e := event.(type) {
	case Composition:
		return e.Parts
	case ProposeTestRelease:
		return []Part{{Event: e.Test, Count: 1}, {Event: e.Release, Count: 1}}
	case OneOf:
		parts := make([]Part, len(e.Events))
		for i, inside := range e.Events {
			parts[i] = Part{Event: inside, Count: 1}
		}
		return parts
	}
	if base, ok := Base(event); ok {
		return []Part{{Event: base, Count: 1}}
	}
	return nil
}

// Rebuild returns an event with those directly inside it replaced by what change makes
// of each, at index i of Parts; one with none inside comes back as it is. The event
// itself stays as it was. An error of change names the place, and ends it.
func Rebuild(event Event, change func(i int, inside Event) (Event, error)) (Event, error) {
	var err error
	switch e := event.(type) {
	case Composition:
		parts := make([]Part, len(e.Parts))
		for i, part := range e.Parts {
			if part.Event, err = change(i, part.Event); err != nil {
				return nil, Within("parts["+strconv.Itoa(i)+"].event", err)
			}
			parts[i] = part
		}
		e.Parts = parts
		return e, nil
	case ProposeTestRelease:
		if e.Test, err = change(0, e.Test); err != nil {
			return nil, Within("test", err)
		}
		e.Release, err = change(1, e.Release)
		return e, Within("release", err)
	case OneOf:
		events := make([]Event, len(e.Events))
		for i, inside := range e.Events {
			if events[i], err = change(i, inside); err != nil {
				return nil, Within("events["+strconv.Itoa(i)+"]", err)
			}
		}
		e.Events = events
		return e, nil
	case NegativeBinomialSelection:
		e.Base, err = change(0, e.Base)
		return e, Within("base", err)
	case PoissonSelection:
		e.Base, err = change(0, e.Base)
		return e, Within("base", err)
	case LiuTalwarSelection:
		e.Base, err = change(0, e.Base)
		return e, Within("base", err)
	}
	return event, nil
}

// ObjectiveOf is the objective perturbation that an event is, or whose minimum it
// approximates; false for other events, whatever is inside them.
func ObjectiveOf(event Event) (objective ObjectivePerturbation, ok bool) {
	switch e := event.(type) {
	case ObjectivePerturbation:
		return e, true
	case ApproximateMinima:
		return e.Objective, true
	}
	return ObjectivePerturbation{}, false
}

// Walk calls visit with the event and all that are inside it, however deep, each before
// what is inside it. Parts that are run 0 times are among them; missing ones are not.
func Walk(event Event, visit func(Event)) {
	if event == nil {
		return
	}
	visit(event)
	for _, part := range Parts(event) {
		Walk(part.Event, visit)
	}
}
