package accounting

import (
	"strconv"

	"cloister/core/account/filter"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// afford answers {budget: {adjacency, epsilon, delta}, mass?, charged, candidate?}:
// what was charged so far amounts to, and whether one event more is afforded.
// charged is a list of {event, count?}, each of which may have been chosen in
// the light of the outputs before it; candidate is one more such.
func afford(call *api.Call) (map[string]any, error) {
	f := call.Fields
	budget := privacy.NewFields(f.Path("budget"), f.Any("budget"))
	guarantee := privacy.Guarantee{
		Adjacency: budget.Adjacency(),
		Epsilon:   budget.Number("epsilon"),
		Delta:     budget.Number("delta"),
	}
	if err := budget.Done(); err != nil {
		f.Fail(err)
	} else if err := guarantee.Validate(); err != nil {
		f.Fail(privacy.Within("budget", err))
	}
	mass := f.NumberOr("mass", 0)
	charged := readCharges(f, "charged")
	var candidate privacy.Event
	if f.Has("candidate") {
		candidate = readCharge(f, f.Path("candidate"), f.Any("candidate"))
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	account, err := filter.New(guarantee, mass)
	if err != nil {
		return nil, err
	}
	for i, event := range charged {
		err := account.Charge(event)
		if err == filter.ErrExceeded {
			err = &privacy.ParameterError{
				Field: item(f, "charged", i),
				Value: "more than the budget affords",
				Want:  "left out: it cannot have been charged under this budget",
			}
		} else {
			err = privacy.Within(item(f, "charged", i), err)
		}
		if err != nil {
			return nil, err
		}
	}
	reply := map[string]any{
		"adjacency": guarantee.Adjacency.String(),
		"epsilon":   account.EpsilonUpper(),
	}
	if candidate == nil {
		return reply, nil
	}
	err = account.Charge(candidate)
	if err != nil && err != filter.ErrExceeded {
		return nil, privacy.Within("candidate", err)
	}
	reply["affords"] = err == nil
	if err == nil {
		reply["epsilonAfter"] = account.EpsilonUpper()
	}
	return reply, nil
}

// odometer answers {adjacency, delta, charged}: the ε that holds at every time
// at once for what was charged so far.
func odometer(call *api.Call) (map[string]any, error) {
	f := call.Fields
	adjacency, delta := f.Adjacency(), f.Number("delta")
	f.Fail(privacy.CheckDelta(delta))
	charged := readCharges(f, "charged")
	if err := f.Done(); err != nil {
		return nil, err
	}
	o, err := filter.NewOdometer(adjacency, delta)
	if err != nil {
		return nil, err
	}
	for i, event := range charged {
		if err := o.Charge(event); err != nil {
			return nil, privacy.Within(item(f, "charged", i), err)
		}
	}
	return map[string]any{"adjacency": adjacency.String(), "epsilon": o.EpsilonUpper()}, nil
}

func readCharges(f *privacy.Fields, name string) []privacy.Event {
	list := f.List(name)
	events := make([]privacy.Event, len(list))
	for i, tree := range list {
		events[i] = readCharge(f, f.Path(name)+"["+strconv.Itoa(i)+"]", tree)
	}
	return events
}

// readCharge reads {event, count?}.
func readCharge(f *privacy.Fields, path string, tree any) privacy.Event {
	inner := privacy.NewFields(path, tree)
	event, count := inner.Event("event"), inner.IntOr("count", 1)
	if count < 0 {
		inner.Bad("count", "a whole number, 0 or more")
	}
	if err := inner.Done(); err != nil {
		f.Fail(err)
		return nil
	}
	if count == 1 {
		return event
	}
	return privacy.Composition{
		Adjacency: event.Neighbours(),
		Parts:     []privacy.Part{{Event: event, Count: count}},
	}
}
