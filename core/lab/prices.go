package lab

import (
	"fmt"
	"math"

	"cloister/core/account/pld"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

// prices keeps what calibration found, which trials share: nothing in it
// depends on records.
type prices struct {
	events memo[privacy.Event]
	spent  memo[float64]
}

// covers is an error unless the event costs at most (ε, δ), priced anew by the
// sharpest method there is for it: whatever calibrated it is not believed.
func (p *prices) covers(event privacy.Event, epsilon, delta float64) error {
	if event == nil {
		return &UnpaidError{epsilon, delta, math.Inf(1)}
	}
	spent, err := p.spent.get(eventKey(event)+"/"+number(delta), func() (float64, error) {
		price, err := sharpest.Of(event, sharpest.Auto, pld.Options{})
		if err != nil {
			return 0, err
		}
		return price.EpsilonUpper(delta)
	})
	if err != nil {
		return err
	}
	// The interval of a privacy loss distribution has a width of its own.
	if !(spent <= epsilon*(1+5e-3)) {
		return &UnpaidError{epsilon, delta, spent}
	}
	return nil
}

// UnpaidError says that what a method did costs more than it was to cost: a
// fault in the laboratory.
type UnpaidError struct{ Epsilon, Delta, Spent float64 }

func (e *UnpaidError) Error() string {
	return "a fit that was to cost ε = " + number(e.Epsilon) + " at δ = " + number(e.Delta) + " costs " + number(e.Spent)
}

// eventKey writes an event out.
func eventKey(event privacy.Event) string { return fmt.Sprintf("%T%+v", event, event) }
