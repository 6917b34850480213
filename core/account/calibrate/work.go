package calibrate

import (
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// mostWork is what the prices of one search may cost, in the units of
// pld.Distribution.Work and of terms, some 0.1 to 0.2 µs each: about 2 s of processor time.
// Searches that data call for cost a tenth of it or less.
//
// It bounds work and not time, so that an answer does not depend on the machine. No
// certificate is weaker for it: what a search would have certified beyond is not asked.
const mostWork = 12 << 20

// spent reports whether that much work is done, and notes that it stood in the way. Half
// is for the search by estimates, and what is left for certifying what it has found.
func (s *search) spent(most int) bool {
	s.cut = s.cut || s.work >= most
	return s.work >= most
}

// tooMuch is what a search ends with that has nothing certified when its work is done.
func (s *search) tooMuch() error {
	return &privacy.ParameterError{
		Field: "parameter", Value: privacy.Quote(s.Parameter),
		Want: "one that is found with less work: the event's other parameters, or the guarantee, are so extreme that each price " +
			"takes long; bring them into the range that data call for, or price single values of this parameter instead",
	}
}

// terms is what one price by a closed form or by Rényi divergences costs, about: the
// terms that are added up at one order, times the orders that conversions and selections
// look at.
func terms(event privacy.Event) int {
	const orders = 256
	return orders * rdp.Terms(event)
}
