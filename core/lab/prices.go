package lab

import (
	"fmt"
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// price is an ε, and how far above the least that is certain it may lie.
type price struct{ epsilon, width float64 }

// prices keeps what calibration found, which trials share: nothing in it
// depends on records.
type prices struct {
	chosen memo[learn.Chosen]
	events memo[privacy.Event]
	spent  memo[price]
}

// rounding is what is left to the arithmetic of prices that are one number.
const rounding = 1e-9

// covers is an error unless the event costs at most (ε, δ), priced anew by the first
// method that applies: whatever calibrated it is not believed.
func (p *prices) covers(event privacy.Event, epsilon, delta float64) error {
	if event == nil {
		return &UnpaidError{epsilon, delta, math.Inf(1)}
	}
	spent, err := p.spent.get(eventKey(event)+"/"+number(delta), func() (price, error) {
		of, err := account.Of(event, account.Auto, pld.Options{})
		if err != nil {
			return price{}, err
		}
		upper, err := of.EpsilonUpper(delta)
		if err != nil || of.Certified == nil {
			return price{epsilon: upper}, err
		}
		interval, err := of.Certified.Epsilon(delta)
		return price{upper, upper - interval.Reached}, err
	})
	if err != nil {
		return err
	}
	// The interval of a privacy loss distribution has a width, within which the
	// calibration, by a finer one, may have known better; at most 0.5 % of ε.
	// Other prices are one number, which calibration and this agree on.
	if !(spent.epsilon <= epsilon*(1+rounding)+math.Min(spent.width, 5e-3*epsilon)) {
		return &UnpaidError{epsilon, delta, spent.epsilon}
	}
	return nil
}

// UnpaidError says that a method's run cost more than its guarantee allows. It is a
// fault in the laboratory.
type UnpaidError struct{ Epsilon, Delta, Spent float64 }

func (e *UnpaidError) Error() string {
	return "a fit that was to cost ε = " + number(e.Epsilon) + " at δ = " + number(e.Delta) +
		" costs " + number(e.Spent)
}

// eventKey writes an event out.
func eventKey(event privacy.Event) string { return fmt.Sprintf("%T%+v", event, event) }
