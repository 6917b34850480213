package pld

import (
	"math"
	"sync"

	"cloister/core/account"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Accuracies of intervals: their width, relative to ε.
const (
	// DefaultAccuracy is used where none is asked for.
	DefaultAccuracy = 1e-3

	// BestAccuracy is the finest that can be asked for; compositions of very
	// many runs may not reach it, and their interval says so.
	BestAccuracy = 1e-5
)

// Options of Of. The zero value is the default.
type Options struct {
	// Bound is the theorem by which objective perturbation is priced; "" is
	// account.BoundAuto. "rdp" and "kifer" say nothing of a loss distribution:
	// such events are composed by the worst one that the bound allows.
	Bound account.Bound

	// Accuracy is the relative width that intervals of ε are to have, from
	// BestAccuracy to 0.1; 0 is DefaultAccuracy.
	Accuracy float64
}

func (o Options) bound() account.Bound {
	if o.Bound == "" {
		return account.BoundAuto
	}
	return o.Bound
}

func (o Options) accuracy() (float64, error) {
	if o.Accuracy == 0 {
		return DefaultAccuracy, nil
	}
	if !(o.Accuracy >= BestAccuracy && o.Accuracy <= 0.1) {
		return 0, &privacy.ParameterError{
			Field: "accuracy", Value: privacy.Number(o.Accuracy),
			Want: "from " + privacy.Number(BestAccuracy) + " to 0.1",
		}
	}
	return o.Accuracy, nil
}

// Distribution answers for one event, by its privacy loss distribution in both
// directions. It keeps what it has computed, so that further questions are
// cheap. It may be used by several goroutines.
type Distribution struct {
	adjacency      privacy.Adjacency
	accuracy       float64
	lattices       []latticeUse
	mutex          sync.Mutex
	added, removed *direction // the same one if the directions do not differ
}

// Of takes an event apart into losses. Nothing is computed yet.
//
// Errors are *privacy.ParameterError for parameters out of range,
// *account.InapplicableError for a bound that does not fit the loss, and
// *NoDistributionError for an event that is no loss distribution.
func Of(event privacy.Event, options Options) (*Distribution, error) {
	if event == nil {
		return nil, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return nil, err
	}
	accuracy, err := options.accuracy()
	if err != nil {
		return nil, err
	}
	if _, err := account.ParseBound(string(options.Bound)); err != nil {
		return nil, err
	}
	c := &collection{options: options}
	if err := c.take(event, 1); err != nil {
		return nil, err
	}
	d := &Distribution{adjacency: event.Neighbours(), accuracy: accuracy, lattices: c.lattices}
	d.added, d.removed = c.directions()
	return d, nil
}

// Adjacency returns the event's neighbouring relation.
func (d *Distribution) Adjacency() privacy.Adjacency { return d.adjacency }

// EpsilonInterval holds, for some δ, the smallest ε ≥ 0 for which (ε, δ)-DP is
// true: Lower ≤ ε ≤ Upper. Upper may be promised; Lower says that nothing
// below it could be.
type EpsilonInterval struct{ Lower, Upper float64 }

// DeltaInterval holds, for some ε, the smallest δ for which (ε, δ)-DP is true,
// by logarithms, which do not underflow: LogLower ≤ log δ ≤ LogUpper.
type DeltaInterval struct{ LogLower, LogUpper float64 }

// Lower returns e^LogLower rounded down.
func (i DeltaInterval) Lower() float64 {
	y := math.Exp(i.LogLower)
	return math.Max(0, y-y*0x1p-50-math.SmallestNonzeroFloat64)
}

// Upper returns e^LogUpper rounded up, at most 1.
func (i DeltaInterval) Upper() float64 {
	y := math.Exp(i.LogUpper)
	return math.Min(1, y+y*0x1p-50+math.SmallestNonzeroFloat64)
}

// Epsilon returns the interval for δ, 0 < delta < 1, the worse of both
// directions. Upper is +Inf if no ε has that δ.
func (d *Distribution) Epsilon(delta float64) (EpsilonInterval, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return EpsilonInterval{0, math.Inf(1)}, err
	}
	return d.EpsilonLog(math.Log(delta))
}

// EpsilonLog is Epsilon for a δ given by its logarithm, which must be finite
// and below 0. Below smallestLogDelta only +Inf is known to be enough.
func (d *Distribution) EpsilonLog(logDelta float64) (EpsilonInterval, error) {
	if !(logDelta < 0) || math.IsInf(logDelta, -1) {
		return EpsilonInterval{0, math.Inf(1)}, &privacy.ParameterError{
			Field: "log_delta", Value: privacy.Number(logDelta), Want: "a finite number below 0",
		}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	round := 0x1p-50 * math.Abs(logDelta)
	all := EpsilonInterval{Lower: 0}
	for _, one := range d.directions() {
		i := d.epsilon(one, logDelta, round, all.Lower)
		all = EpsilonInterval{math.Max(all.Lower, i.Lower), math.Max(all.Upper, i.Upper)}
	}
	return all, nil
}

// EpsilonEach returns the intervals of both directions apart: added is the
// output with the record against that without it, removed the opposite.
func (d *Distribution) EpsilonEach(delta float64) (added, removed EpsilonInterval, err error) {
	if err := privacy.CheckDelta(delta); err != nil {
		none := EpsilonInterval{0, math.Inf(1)}
		return none, none, err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	log := math.Log(delta)
	round := 0x1p-50 * math.Abs(log)
	return d.epsilon(d.added, log, round, 0), d.epsilon(d.removed, log, round, 0), nil
}

func (d *Distribution) directions() []*direction {
	if d.added == d.removed {
		return []*direction{d.added}
	}
	return []*direction{d.added, d.removed}
}

// Delta returns the interval for any real ε, the worse of both directions.
func (d *Distribution) Delta(epsilon float64) (DeltaInterval, error) {
	if math.IsNaN(epsilon) {
		return DeltaInterval{math.Inf(-1), 0}, &privacy.ParameterError{Field: "epsilon", Value: "NaN", Want: "a number"}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := DeltaInterval{math.Inf(-1), math.Inf(-1)}
	for _, one := range d.directions() {
		i := d.delta(one, epsilon, all.LogLower)
		all = DeltaInterval{math.Max(all.LogLower, i.LogLower), math.Max(all.LogUpper, i.LogUpper)}
	}
	return all, nil
}

// keeps reports whether δ(ε) is proved to be at most e^logDelta.
func (d *Distribution) keeps(epsilon, logDelta float64) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, one := range d.directions() {
		if d.delta(one, epsilon, logDelta).LogUpper > logDelta {
			return false
		}
	}
	return true
}

// LogDeltaUpper makes a Distribution an account.Curve.
func (d *Distribution) LogDeltaUpper(epsilon float64) float64 {
	i, err := d.Delta(epsilon)
	if err != nil {
		return 0
	}
	return i.LogUpper
}

// Curve returns Delta at each of many ε.
func (d *Distribution) Curve(epsilons []float64) ([]DeltaInterval, error) {
	curve := make([]DeltaInterval, len(epsilons))
	for i, epsilon := range epsilons {
		var err error
		if curve[i], err = d.Delta(epsilon); err != nil {
			return nil, err
		}
	}
	return curve, nil
}

// delta charges the lattices' corrections (account.Lattice) to one direction:
// the released mechanism is (ε + a + b, e^a(δ + e^ε t))-DP if the continuous one
// is (ε, δ)-DP. The lower end is the continuous one's.
func (d *Distribution) delta(one *direction, epsilon, enough float64) DeltaInterval {
	if len(d.lattices) == 0 {
		lower, upper := one.logDelta(epsilon, d.accuracy, enough)
		return DeltaInterval{lower, upper}
	}
	lower, _ := one.logDelta(epsilon, d.accuracy, enough)
	a, b, logT := d.charge(800 + math.Max(0, epsilon))
	before := epsilon - (a+b)*(1+0x1p-50) - 0x1p-50*math.Abs(epsilon)
	_, upper := one.logDelta(before, d.accuracy, enough)
	return DeltaInterval{lower, math.Min(0, a+special.LogAddExp(upper, before+logT))}
}

// epsilon is the same solved for ε: the largest δ with e^a(δ + e^ε t) no more
// than what was asked, where the tail t is made small enough to be nothing.
func (d *Distribution) epsilon(one *direction, logDelta, round, enough float64) EpsilonInterval {
	a, b, _ := d.charge(800 - logDelta)
	if len(d.lattices) > 0 {
		a += 0x1p-40
	}
	lower, upper := one.epsilon(logDelta+round, logDelta-round-a, d.accuracy, enough)
	if len(d.lattices) == 0 {
		return EpsilonInterval{lower, upper}
	}
	a, b, logT := d.charge(800 - logDelta + upper)
	if upper+logT > logDelta-40 || math.IsInf(upper, 1) {
		return EpsilonInterval{lower, math.Inf(1)}
	}
	return EpsilonInterval{lower, upper + a + b}
}

// charge adds up the corrections of all lattices for a tail e^{−tail} each.
func (d *Distribution) charge(tail float64) (a, b, logT float64) {
	logT = math.Inf(-1)
	for _, use := range d.lattices {
		a1, b1, logT1 := use.lattice.Correction(2*tail+1, use.count)
		a, b, logT = a+a1, b+b1, special.LogAddExp(logT, logT1)
	}
	return a, b, logT
}
