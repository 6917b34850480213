package calibrate

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Request holds what is known, and names the parameter to find.
type Request struct {
	// Event is complete: the parameter must have a valid value in it, which is ignored.
	// A common factor is the exception: it multiplies the values in the event.
	Event privacy.Event

	// Parameter is the path of a field in the event's JSON: "sigma", "scale",
	// "noise_multiplier", "rate", "steps", "lambda", "truth", "epsilon", "rho", "gamma",
	// "mean", "tau", or one of them inside another event ("parts[1].event.sigma",
	// "base.rate"), or "parts[0].count". "sigmas" stands for a common factor of its
	// values. "noise", which any event has, stands for a common factor of all noise in
	// the event.
	Parameter string

	// Keep is the guarantee to be met.
	Keep privacy.Guarantee

	// Bound prices objective perturbation; "" is objective.BoundAuto.
	Bound objective.Bound

	// Method prices the event at every value that is tried; "" is account.Auto.
	Method account.Method
}

// Answer is the value found.
type Answer struct {
	Value  float64
	Event  privacy.Event  // with that value
	Method account.Method // which certified it
	Quick  bool           // see account.Price.Quick
	Delta  float64        // of the event at the ε asked: certified, at most the δ asked

	// Excess estimates by how much at most, relative to Value, a sharper certificate
	// could improve on Value. It is some 1e-4 for events that a distribution prices, and
	// 0 for closed forms and whole numbers. It is larger if only a bound on the event is
	// known (zCDP), or if the rest of the event costs almost all of ε. For 30 objective
	// perturbations it is 5e-5 if their regularisers cost half of ε, 7e-4 for nine
	// tenths, 6e-3 for 99 %, and 1, which means unknown, for 99.9 %.
	Excess float64
}

// InfeasibleError reports that no value of the parameter keeps the guarantee, with the
// rest of the event as it is.
type InfeasibleError struct {
	Parameter string
	Keep      privacy.Guarantee
	Limit     float64 // the most private value tried
	LogDelta  float64 // log δ at Keep.Epsilon there
}

func (e *InfeasibleError) Error() string {
	return "no " + e.Parameter + " gives epsilon " + privacy.Number(e.Keep.Epsilon) + " at delta " +
		privacy.Number(e.Keep.Delta) + ": even at " + privacy.Number(e.Limit) +
		" the rest of the event costs delta " + shortDelta(e.LogDelta) +
		"; the rest, or the guarantee, must change first"
}

func shortDelta(log float64) string {
	x := math.Exp(log)
	scale := math.Pow(10, 3-math.Floor(math.Log10(x)))
	if rounded := math.Ceil(x*scale) / scale; rounded > 0 && !math.IsInf(rounded, 1) {
		return privacy.Number(rounded)
	}
	return privacy.Number(x)
}

// Accuracy of answers, relative: continuous parameters exceed the best one (for
// noise; below it for what is spent) by no more than about this, where the
// certificate can be had so sharp. Whole numbers are the largest that is
// certified by an interval of that width.
const (
	sharp    = 1e-4  // width of certifying intervals
	steering = 2e-6  // of the search by estimates
	direct   = 1e-12 // of the search by closed forms and by Rényi divergences
)

// Solve answers a request. Errors are *privacy.ParameterError naming the field,
// *InfeasibleError, and those of account.Of. A search that has cost mostWork ends: with
// the best value that was certified by then, or if there is none with an error for the
// field "parameter".
func Solve(request Request) (Answer, error) {
	answer, _, err := solve(request)
	return answer, err
}

// solve is Solve, and says what it has cost.
func solve(request Request) (answer Answer, work int, err error) {
	s := &search{Request: request}
	answer, err = s.answer()
	if err != nil && s.cut {
		err = s.tooMuch()
	}
	return answer, s.work, err
}

func (s *search) answer() (Answer, error) {
	if err := s.check(); err != nil {
		return Answer{}, err
	}
	if s.free.whole {
		// Zero is no point of a search by logarithms.
		if !s.certified(0) {
			return Answer{}, s.infeasible(0)
		}
		nothing := s.last
		answer, err := s.solve()
		if _, none := err.(*InfeasibleError); none && !s.cut {
			return nothing, nil
		}
		return answer, err
	}
	return s.solve()
}

type search struct {
	Request
	free    *free
	target  float64 // log δ, rounded down
	method  account.Method
	options pld.Options

	last Answer // what certified found safe last
	// of the interval of log δ at the last value that certified looked at; 0 for closed forms
	width    float64
	logDelta float64 // at the last value certified looked at
	fault    error   // of the last value that could not be priced
	work     int     // what all prices so far have cost (see mostWork)
	cut      bool    // some price was not asked for want of work
}

func (s *search) check() error {
	if s.Event == nil {
		return &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := s.Keep.Validate(); err != nil {
		return err
	}
	if err := s.Event.Validate(); err != nil {
		return privacy.Within("event", err)
	}
	if s.Event.Neighbours() != s.Keep.Adjacency {
		return &privacy.ParameterError{
			Field: "adjacency", Value: `"` + s.Keep.Adjacency.String() + `"`,
			Want: `"` + s.Event.Neighbours().String() + `", that of the event`,
		}
	}
	bound, err := objective.ParseBound(string(s.Bound))
	if err != nil {
		return err
	}
	if s.free = freeOf(s.Event, s.Parameter); s.free == nil {
		return unknown(s.Parameter)
	}
	log := math.Log(s.Keep.Delta)
	s.target = log - 0x1p-50*math.Abs(log)
	s.options = pld.Options{Bound: bound, Accuracy: sharp}
	price, err := account.Of(s.free.with(s.free.start), s.Method, s.options)
	if err != nil {
		// The start may be too little for the bound, but a fault of another
		// parameter stays one.
		if price, err = account.Of(
			s.free.with(s.clamp(s.free.start*math.Pow(1e9, s.free.side))), s.Method, s.options,
		); err != nil {
			return err
		}
	}
	s.method = price.Method
	return nil
}

func (s *search) clamp(x float64) float64 {
	return math.Min(math.Max(x, s.free.least), s.free.most)
}

// solve searches in logarithms, t = side·log x, in which larger is more
// private.
func (s *search) solve() (Answer, error) {
	at := func(t float64) float64 { return s.clamp(math.Exp(s.free.side * t)) }
	lowest, highest := s.free.side*math.Log(s.free.least), s.free.side*math.Log(s.free.most)
	if s.free.side < 0 {
		lowest, highest = highest, lowest
	}
	excess, tolerance := s.priced, direct
	guess := s.free.side * math.Log(s.free.start)
	if s.method == account.Distribution {
		excess, tolerance = s.estimated, steering
		guess = s.guess(guess, lowest, highest, at)
	}
	over := func(t float64) float64 { return excess(at(t)) }

	good, bad := guess, guess
	if over(guess) <= 0 {
		for step := 0.05; ; step *= 2 {
			if good == lowest { // the least private value is safe
				bad = lowest
				break
			}
			if bad = math.Max(lowest, good-step); over(bad) > 0 {
				break
			}
			good = bad
		}
	} else {
		for step := 0.1; ; step *= 2 {
			if bad == highest {
				s.certified(at(highest))
				return Answer{}, s.infeasible(at(highest))
			}
			if good = math.Min(highest, bad+step); over(good) <= 0 {
				break
			}
			bad = good
		}
	}
	if s.free.whole {
		tolerance = math.Max(tolerance, 0.2/at(good))
	}
	slope := 1.0
	if good != bad {
		t, err := special.ConservativeRoot(over, bad, good, tolerance)
		if err != nil {
			return Answer{}, curve.ErrNumerical
		}
		good = t
		// How fast log δ falls, to step back by what a certificate is short of.
		const h = 1e-3
		slope = math.Max(1e-3, (over(t)-over(t+h))/h)
	}
	return s.certify(good, slope, highest, at)
}

// certify steps towards privacy from where the estimates say that the answer
// is, until a certified price says so too, and then back as far as it does.
func (s *search) certify(t, slope, highest float64, at func(float64) float64) (Answer, error) {
	refused := math.Inf(-1)
	if s.method == account.Distribution && t < highest && !s.free.whole {
		t += 0.3 * sharp
	}
	for range 40 {
		if s.spent(mostWork) {
			break
		}
		x := at(t)
		if s.free.whole {
			x = math.Floor(x * (1 + 1e-12))
		}
		if s.certified(x) {
			if s.free.whole {
				return s.larger(s.last)
			}
			if s.method != account.Distribution {
				return s.last, nil
			}
			return s.back(t, refused, slope, at), nil
		}
		if t >= highest {
			break
		}
		refused = t
		if s.refine(slope) {
			refused = math.Inf(-1)
			continue
		}
		short := math.Min(1, 1.05*(s.logDelta-s.target)/slope)
		if !(short > 1e-6) {
			short = 1e-6
		}
		if s.free.whole {
			short = math.Max(short, 1.001/x)
		}
		t = math.Min(highest, t+short)
		slope /= 1.5
	}
	return Answer{}, s.infeasible(at(highest))
}

// refine asks for narrower intervals where those of the usual width would show
// in the fourth digit: where the rest of the event costs almost all of ε, a small
// part of ε is much of what is left.
func (s *search) refine(slope float64) bool {
	if s.free.whole || !(s.width > 4*sharp*slope) || s.options.Accuracy <= pld.BestAccuracy {
		return false
	}
	s.options.Accuracy = math.Max(
		pld.BestAccuracy, s.options.Accuracy*math.Max(0.05, 0.4*sharp*slope/s.width),
	)
	return true
}

// back looks for the least private value that is certified: first downwards from
// a certified one, as far as its δ leaves room, then between it and a refused one.
func (s *search) back(certified, refused, slope float64, at func(float64) float64) Answer {
	answer, width, room := s.last, s.width, s.target-s.logDelta
	for range 20 {
		if s.spent(mostWork) {
			break
		}
		below := (certified + refused) / 2
		if math.IsInf(refused, -1) {
			step := math.Min(1, room/slope)
			if below = certified - step; step < 0.7*sharp {
				break
			}
		} else if certified-refused < 0.7*sharp {
			break
		}
		if s.certified(at(below)) {
			certified, answer, width, room = below, s.last, s.width, s.target-s.logDelta
		} else if refused = below; s.refine(slope) {
			refused = math.Inf(-1) // by wider intervals than those that now decide
		}
	}
	answer.Excess = -math.Expm1(-(width + math.Max(0, room)) / slope)
	return answer
}

// larger looks whether a few more of a whole number are certified too.
func (s *search) larger(found Answer) (Answer, error) {
	for range 3 {
		if !s.free.whole || found.Value >= s.free.most || !s.certified(found.Value+1) {
			break
		}
		found = s.last
	}
	return found, nil
}

// certified reports whether the guarantee is proved at x, and keeps the answer
// if so.
func (s *search) certified(x float64) bool {
	event := s.free.with(x)
	if s.spent(mostWork) {
		s.logDelta = 0
		return false
	}
	price, err := account.Of(event, s.Method, s.options)
	if err != nil {
		s.fault, s.logDelta = err, 0
		return false
	}
	s.fault, s.width = nil, 0
	if price.Certified != nil {
		interval, err := price.Certified.Delta(s.Keep.Epsilon)
		if err != nil {
			s.fault, s.logDelta = err, 0
			return false
		}
		s.work += price.Certified.Work()
		s.logDelta, s.width = interval.LogUpper, interval.LogUpper-interval.LogReached
	} else {
		s.work += terms(event)
		s.logDelta = price.LogDeltaUpper(s.Keep.Epsilon)
	}
	if !(s.logDelta <= s.target) {
		return false
	}
	// Not asked again: where an interval is wide, that would cost as much once more.
	delta := math.Min(curve.ExpUp(curve.CertifiedLogDelta(s.logDelta)), s.Keep.Delta)
	s.last = Answer{
		Value: x, Event: event, Method: price.Method, Quick: price.Quick(), Delta: delta,
	}
	return true
}

func (s *search) infeasible(limit float64) error {
	if s.fault != nil {
		return s.fault
	}
	return &InfeasibleError{
		Parameter: s.Parameter,
		Keep:      s.Keep,
		Limit:     limit,
		LogDelta:  s.logDelta,
	}
}

// priced is log δ̂ less what is allowed, certified.
func (s *search) priced(x float64) float64 {
	event := s.free.with(x)
	if s.spent(mostWork / 2) {
		return math.Inf(1)
	}
	s.work += terms(event)
	price, err := account.Of(event, s.Method, s.options)
	if err != nil {
		return math.Inf(1)
	}
	return price.LogDeltaUpper(s.Keep.Epsilon) - s.target
}
