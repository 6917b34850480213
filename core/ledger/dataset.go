package ledger

import (
	"math"
	"sync"
	"time"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/filter"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// Dataset is the account of one data set, as it was when it was read. A copy is
// not changed by what is charged later.
type Dataset struct {
	ID      string
	Also    []string // IDs of accounts that were put together with this one
	Name    string   // a person's name for it; it is in exports
	Created time.Time
	Budget  *privacy.Guarantee // nil: none was set yet
	Charges []Charge           // in the order in which they were reserved here

	spending *spending
}

// spending is a filter over the first counted charges. Charges are only ever
// appended while it is kept.
type spending struct {
	filter  *filter.Filter
	counted int
	over    bool  // the charge after those is not within the filter
	reason  error // why the filter cannot take it at all; nil if it is too much

	beyond *beyond // what Spent has said where the filter says nothing
}

// beyond is what Spent has worked out of so many charges, for all copies of an account:
// a composition of some hundred different events takes seconds.
type beyond struct {
	mutex     sync.Mutex
	charges   int
	spent     float64
	condition Condition
	err       error
}

// Condition says whether a budget still allows charges.
type Condition string

const (
	Unset    Condition = "unset"    // there is no budget yet
	Open     Condition = "open"     // the filter decides
	Closed   Condition = "closed"   // the opening charges are all there will be
	Exceeded Condition = "exceeded" // accounts were put together that are more than the budget: nothing is promised
)

// Price is what charges cost at the δ of their budget, in nats of ε.
type Price struct {
	// the charges together are (Upper, δ)-DP, had they been fixed in advance; may be +Inf
	Upper  float64
	Lower  float64        // no smaller ε could be promised; 0 where the method knows no better
	Method account.Method // empty where no method prices them
}

// SetAside is 1/64: the share of a budget's δ for outright failures of (ε, δ)-DP
// events, all of them together. The filter has the rest, which costs it some
// thousandths of ε.
func SetAside(budget privacy.Guarantee) float64 { return budget.Delta / 64 }

// settle brings the filter up to date. There is a budget.
func (d *Dataset) settle() (*spending, error) {
	if d.spending == nil {
		f, err := filter.New(*d.Budget, SetAside(*d.Budget))
		if err != nil {
			return nil, err
		}
		d.spending = &spending{filter: f, beyond: &beyond{charges: -1}}
	}
	s := d.spending
	for !s.over && s.counted < len(d.Charges) {
		switch err := s.filter.Charge(d.Charges[s.counted].Event); err {
		case nil:
			s.counted++
		case filter.ErrExceeded:
			s.over = true
		default:
			s.over, s.reason = true, err
		}
	}
	return s, nil
}

// nothingReleased reports whether all charges are opening ones and one more
// would be too: none of them can have been released, neither here nor, if it came
// with a file, where it was reserved.
func (d *Dataset) nothingReleased() bool {
	for i := range d.Charges {
		if !d.Charges[i].Opening || !d.Charges[i].unreleased() {
			return false
		}
	}
	return true
}

// allOpening reports whether all charges are opening ones.
func (d *Dataset) allOpening() bool {
	for _, c := range d.Charges {
		if !c.Opening {
			return false
		}
	}
	return true
}

// Total prices the composition of all charges, as package account does: what they would
// have cost if all of them had been fixed in advance: +Inf where no method prices them all, as
// charges of a file may be. Without a budget it is an error, because the price is at the
// budget's δ.
func (d *Dataset) Total() (Price, error) {
	if d.Budget == nil {
		return Price{}, &NoBudgetError{d.Name}
	}
	if len(d.Charges) == 0 {
		return Price{Method: account.Closed}, nil
	}
	price, err := priceOf(Composition(d.Budget.Adjacency, events(d.Charges)), d.Budget.Delta)
	if err != nil {
		return Price{Upper: math.Inf(1)}, nil
	}
	return price, nil
}

func priceOf(event privacy.Event, delta float64) (Price, error) {
	price, err := account.Of(event, account.Auto, pld.Options{})
	if err != nil {
		// More runs than a loss distribution may have; a Rényi curve may have any.
		if price, err = account.Of(event, account.Renyi, pld.Options{}); err != nil {
			return Price{}, err
		}
	}
	out := Price{Method: price.Method}
	if price.Certified != nil {
		interval, err := price.Certified.Epsilon(delta)
		out.Lower, out.Upper = interval.Lower, curve.CertifiedEpsilon(interval.Upper)
		return out, err
	}
	out.Upper, err = price.EpsilonUpper(delta)
	return out, err
}

// Spent returns the ε, at the budget's δ, that the charges amount to by the rule
// that lets them stand: the filter's, or that of Total if they are opening
// charges that the filter does not cover. If they are more than the budget
// (Condition Exceeded) it is the greater of the budget and Total.
func (d *Dataset) Spent() (float64, Condition, error) {
	if d.Budget == nil {
		return 0, Unset, nil
	}
	s, err := d.settle()
	if err != nil {
		return 0, Open, err
	}
	if !s.over {
		return s.filter.EpsilonUpper(), Open, nil
	}
	b := s.beyond
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.charges != len(d.Charges) {
		b.spent, b.condition, b.err = d.spentBeyond()
		b.charges = len(d.Charges)
	}
	return b.spent, b.condition, b.err
}

// spentBeyond is Spent of charges that the filter does not cover.
func (d *Dataset) spentBeyond() (float64, Condition, error) {
	event := Composition(d.Budget.Adjacency, events(d.Charges))
	if d.allOpening() && within(event, *d.Budget) {
		total, err := priceOf(event, d.Budget.Delta)
		return math.Min(total.Upper, d.Budget.Epsilon), Closed, err
	}
	total, err := priceOf(event, d.Budget.Delta)
	if err != nil {
		return math.Inf(1), Exceeded, nil // a report that could not be made is no promise
	}
	return math.Max(total.Upper, d.Budget.Epsilon), Exceeded, nil
}

// Affordance says what charging one more event would do.
type Affordance struct {
	Spent  float64 // ε, as Spent would have it then
	Closes bool    // nothing could follow it
}

// Affords says what charging event would do: an error of type *ExceededError if
// the budget does not afford it, *NoBudgetError without a budget, and
// *privacy.ParameterError for an event that is invalid or under another
// adjacency.
func (d *Dataset) Affords(event privacy.Event) (Affordance, error) {
	if event == nil {
		return Affordance{}, &privacy.ParameterError{
			Field: "event",
			Value: "missing",
			Want:  "an event",
		}
	}
	if err := event.Validate(); err != nil {
		return Affordance{}, err
	}
	if d.Budget == nil {
		return Affordance{}, &NoBudgetError{d.Name}
	}
	if a := event.Neighbours(); a != d.Budget.Adjacency {
		return Affordance{}, &privacy.ParameterError{
			Field: "adjacency", Value: `"` + a.String() + `"`, Want: `"` + d.Budget.Adjacency.String() + `", that of the budget`,
		}
	}
	s, err := d.settle()
	if err != nil {
		return Affordance{}, err
	}
	reason := s.reason
	if !s.over {
		next := *s.filter // Charge replaces what it points to
		if err := next.Charge(event); err == nil {
			return Affordance{Spent: next.EpsilonUpper()}, nil
		} else if err != filter.ErrExceeded {
			reason = err
		}
	}
	if d.nothingReleased() {
		all := Composition(d.Budget.Adjacency, append(events(d.Charges), event))
		if within(all, *d.Budget) {
			total, err := priceOf(all, d.Budget.Delta)
			return Affordance{Spent: math.Min(total.Upper, d.Budget.Epsilon), Closes: true}, err
		}
		reason = nil
	}
	spent, condition, err := d.Spent()
	if err != nil {
		return Affordance{}, err
	}
	return Affordance{}, &ExceededError{
		Budget: *d.Budget,
		Spent:  spent,
		Closed: condition == Closed,
		Reason: reason,
	}
}

// within reports whether an event is proved to be within a budget: where an
// interval leaves that open, by the finest there is, for events are calibrated
// by it to cost all of a budget and not more.
func within(event privacy.Event, budget privacy.Guarantee) bool {
	for _, accuracy := range []float64{pld.DefaultAccuracy, pld.BestAccuracy} {
		price, err := account.Of(event, account.Auto, pld.Options{Accuracy: accuracy})
		if err != nil {
			return false
		}
		if price.LogDeltaUpper(budget.Epsilon) <= math.Log(budget.Delta)*(1+0x1p-50) {
			return true
		}
		if price.Certified == nil {
			return false
		}
		if interval, err := price.Certified.Epsilon(budget.Delta); err != nil ||
			interval.Reached > budget.Epsilon {
			return false
		}
	}
	return false
}

func events(charges []Charge) []privacy.Event {
	out := make([]privacy.Event, len(charges), len(charges)+1)
	for i, c := range charges {
		out[i] = c.Event
	}
	return out
}

// Composition is events as one event, with equal ones counted together; a
// single one is itself.
func Composition(adjacency privacy.Adjacency, events []privacy.Event) privacy.Event {
	if len(events) == 1 {
		return events[0]
	}
	all := privacy.Composition{Adjacency: adjacency}
	place := map[string]int{}
	for _, event := range events {
		text := canonical(privacy.EncodeEvent(event))
		if i, known := place[text]; known {
			all.Parts[i].Count++
			continue
		}
		place[text] = len(all.Parts)
		all.Parts = append(all.Parts, privacy.Part{Event: event, Count: 1})
	}
	return all
}

// copy returns a Dataset that shares nothing that changes.
func (d *Dataset) copy() *Dataset {
	c := *d
	c.Also = append([]string(nil), d.Also...)
	c.Charges = append([]Charge(nil), d.Charges...)
	if d.Budget != nil {
		budget := *d.Budget
		c.Budget = &budget
	}
	if d.spending != nil {
		s := *d.spending
		f := *s.filter
		s.filter = &f
		c.spending = &s
	}
	return &c
}
