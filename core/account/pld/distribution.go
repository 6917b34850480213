package pld

import (
	"math"
	"sync"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
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
	// objective.BoundAuto. "rdp" and "kifer" say nothing of a loss distribution:
	// such events are composed by the worst one that the bound allows.
	Bound objective.Bound

	// Accuracy is the relative width that intervals of ε are to have, from
	// BestAccuracy to 0.1; 0 is DefaultAccuracy.
	Accuracy float64
}

func (o Options) bound() objective.Bound {
	if o.Bound == "" {
		return objective.BoundAuto
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
	failure        float64       // probability of outright failure, added to δ
	unknown        bool          // nothing is known: a loss could not be computed
	floor          *Distribution // of what the event is no more private than; nil if that is itself
	mutex          sync.Mutex
	added, removed *direction // the same one if the directions do not differ
}

// Of takes an event apart into losses. Nothing is computed yet.
//
// Errors are *privacy.ParameterError for parameters out of range,
// *objective.InapplicableError for a bound that does not fit the loss, and
// *NoDistributionError for an event that is no loss distribution, or that is composed of
// more different events than mostLoad allows.
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
	if _, err := objective.ParseBound(string(options.Bound)); err != nil {
		return nil, err
	}
	c := &collection{options: options}
	if err := c.take(event, 1); err != nil {
		return nil, err
	}
	d := c.distribution(event.Neighbours(), accuracy)
	if c.bounded {
		f := &collection{options: options, floors: true}
		if err := f.take(event, 1); err != nil {
			return nil, err
		}
		d.floor = f.distribution(event.Neighbours(), accuracy)
	}
	return d, nil
}

func (c *collection) distribution(adjacency privacy.Adjacency, accuracy float64) *Distribution {
	d := &Distribution{adjacency: adjacency, accuracy: accuracy, lattices: c.lattices}
	d.added, d.removed = c.directions()
	d.unknown, d.failure = c.unknown, c.failure
	return d
}

// Adjacency returns the event's neighbouring relation.
func (d *Distribution) Adjacency() privacy.Adjacency { return d.adjacency }

// Work is what the questions so far have cost: bins of losses that were looked at and
// points of transforms, some 0.1 µs each. It is the same on every machine. What a
// question costs is bounded, whatever the event (see work).
func (d *Distribution) Work() int {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	total := 0
	for _, one := range d.directions() {
		total += one.total
	}
	if d.floor != nil {
		total += d.floor.Work()
	}
	return total
}

// EpsilonInterval holds, for some δ, the smallest ε ≥ 0 for which (ε, δ)-DP is
// true: Lower ≤ ε ≤ Upper. Upper may be promised; Lower says that nothing
// below it could be.
//
// Reached, between 0 and Upper, says how close the arithmetic came: what the
// bounds that price the events come to lies in [Reached, Upper]. Where objective
// perturbation is among the events these may be more than the truth, and Reached
// too; for all others it is Lower.
type EpsilonInterval struct{ Lower, Upper, Reached float64 }

// noEpsilon is all that is known of ε without any knowledge.
func noEpsilon() EpsilonInterval { return EpsilonInterval{Upper: math.Inf(1)} }

// DeltaInterval holds, for some ε, the smallest δ for which (ε, δ)-DP is true,
// by logarithms, which do not underflow: LogLower ≤ log δ ≤ LogUpper. LogReached
// is to LogLower what EpsilonInterval's Reached is to Lower. A δ of 0 is said with
// −MaxFloat64.
type DeltaInterval struct{ LogLower, LogUpper, LogReached float64 }

// noDelta is all that is known of δ without any knowledge.
func noDelta() DeltaInterval {
	return DeltaInterval{LogLower: math.Inf(-1), LogReached: math.Inf(-1)}
}

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
		return noEpsilon(), err
	}
	return d.EpsilonLog(math.Log(delta))
}

// EpsilonLog is Epsilon for a δ given by its logarithm, which must be finite
// and below 0. Below smallestLogDelta only +Inf is known to be enough.
func (d *Distribution) EpsilonLog(logDelta float64) (EpsilonInterval, error) {
	if !(logDelta < 0) || math.IsInf(logDelta, -1) {
		return noEpsilon(), &privacy.ParameterError{
			Field: "log_delta", Value: privacy.Number(logDelta), Want: "a finite number below 0",
		}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := d.epsilonAt(logDelta)
	if d.failure > 0 {
		rest := noEpsilon()
		if left, some := d.withoutFailure(logDelta); some {
			rest = d.epsilonAt(left)
		}
		all.Upper, all.Reached = rest.Upper, rest.Reached
	}
	return all, nil
}

// withoutFailure is log of what failures leave of a δ, rounded down; false if that is nothing.
func (d *Distribution) withoutFailure(logDelta float64) (log float64, some bool) {
	failure := math.Log(d.failure) + 0x1p-50*math.Abs(math.Log(d.failure))
	if !(failure < logDelta) {
		return 0, false
	}
	log = special.LogDiffExp(logDelta, failure)
	// What rounding of the terms does to their difference.
	log -= 0x1p-48 * (1 + math.Abs(logDelta)) * math.Exp(logDelta-log)
	return log, log < 0 && !math.IsInf(log, -1)
}

// epsilonAt is EpsilonLog of a valid δ, under the lock.
func (d *Distribution) epsilonAt(logDelta float64) EpsilonInterval {
	if d.unknown {
		return noEpsilon()
	}
	round := 0x1p-50 * math.Abs(logDelta)
	var all EpsilonInterval
	for _, one := range d.directions() {
		i := d.epsilon(one, logDelta, round, all.Reached)
		all.Reached, all.Upper = math.Max(all.Reached, i.Reached), math.Max(all.Upper, i.Upper)
	}
	all.Lower = all.Reached
	if d.floor != nil { // no bound comes to less than the truth does
		all.Lower = d.floor.epsilonAbove(logDelta)
		all.Reached = math.Max(all.Reached, all.Lower)
	}
	return all
}

// epsilonAbove returns a lower bound of ε(δ) for a floor's lattices:
// δ_P(ε + a + b) ≤ e^b(δ + t) wherever the released mechanism is (ε, δ)-DP, δ_P the
// continuous one's profile.
func (d *Distribution) epsilonAbove(logDelta float64) float64 {
	a, b, logT := d.charge(800)
	if len(d.lattices) == 0 {
		return d.epsilonAt(logDelta).Lower
	}
	continuous := Distribution{
		accuracy: d.accuracy,
		added:    d.added,
		removed:  d.removed,
		unknown:  d.unknown,
	}
	raised := special.LogAddExp(logDelta, logT) + b + 0x1p-48*(1+math.Abs(logDelta))
	if !(raised < 0) {
		return 0
	}
	return math.Max(0, continuous.epsilonAt(raised).Lower-(a+b)*(1+0x1p-40))
}

// EpsilonEach returns the intervals of both directions apart: added is the
// output with the record against that without it, removed the opposite. Lower is 0 in
// both where the lower end is that of another event, which this one is no more private
// than, as with objective perturbation: that bounds the worse of the two alone.
func (d *Distribution) EpsilonEach(delta float64) (added, removed EpsilonInterval, err error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return noEpsilon(), noEpsilon(), err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	log := math.Log(delta)
	round := 0x1p-50 * math.Abs(log)
	if d.unknown {
		return noEpsilon(), noEpsilon(), nil
	}
	added, removed = d.epsilon(d.added, log, round, 0), d.epsilon(d.removed, log, round, 0)
	if d.failure > 0 {
		left, some := d.withoutFailure(log)
		for one, i := range map[*direction]*EpsilonInterval{d.added: &added, d.removed: &removed} {
			rest := noEpsilon()
			if some {
				rest = d.epsilon(one, left, 0x1p-50*math.Abs(left), 0)
			}
			i.Upper, i.Reached = rest.Upper, rest.Reached
		}
		if d.added == d.removed {
			added = removed
		}
	}
	if d.floor != nil {
		added.Lower, removed.Lower = 0, 0
	}
	return added, removed, nil
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
		return noDelta(), &privacy.ParameterError{Field: "epsilon", Value: "NaN", Want: "a number"}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := d.deltaAt(epsilon)
	if d.failure > 0 {
		failure := math.Log(d.failure)
		// Together they may come to more than 1, which no δ is.
		all.LogReached = math.Min(0, special.LogAddExp(all.LogReached, failure))
		all.LogReached -= 0x1p-46 * (1 + math.Abs(all.LogReached))
		all.LogUpper = curve.RoundUp(math.Min(0, special.LogAddExp(all.LogUpper, failure)))
	}
	return all, nil
}

// deltaAt is Delta of a number, under the lock.
func (d *Distribution) deltaAt(epsilon float64) DeltaInterval {
	if d.unknown {
		return noDelta()
	}
	all := DeltaInterval{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, one := range d.directions() {
		i := d.delta(one, epsilon, all.LogReached)
		all.LogReached = math.Max(all.LogReached, i.LogReached)
		all.LogUpper = math.Max(all.LogUpper, i.LogUpper)
	}
	all.LogLower = all.LogReached
	if d.floor != nil { // no bound comes to less than the truth does
		all.LogLower = d.floor.logDeltaAbove(epsilon)
		all.LogReached = math.Max(all.LogReached, all.LogLower)
	}
	return all
}

// logDeltaAbove returns a lower bound of log δ(ε) for a floor's lattices:
// e^{−b}·δ_P(ε + a + b) − t.
func (d *Distribution) logDeltaAbove(epsilon float64) float64 {
	if len(d.lattices) == 0 {
		return d.deltaAt(epsilon).LogLower
	}
	a, b, logT := d.charge(800)
	continuous := Distribution{
		accuracy: d.accuracy,
		added:    d.added,
		removed:  d.removed,
		unknown:  d.unknown,
	}
	raised := epsilon + (a+b)*(1+0x1p-40) + 0x1p-50*math.Abs(epsilon)
	log := continuous.deltaAt(raised).LogLower - b
	if !(log > logT+1) {
		return math.Inf(-1)
	}
	return special.LogDiffExp(log, logT) - 0x1p-48
}

// LogDeltaUpper makes a Distribution a curve.Curve.
func (d *Distribution) LogDeltaUpper(epsilon float64) float64 {
	i, err := d.Delta(epsilon)
	if err != nil {
		return 0
	}
	return curve.CertifiedLogDelta(i.LogUpper)
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

// delta charges the lattices' corrections (objective.Lattice) to one direction:
// the released mechanism is (ε + a + b, e^a(δ + e^ε t))-DP if the continuous one
// is (ε, δ)-DP. What is reached is the continuous one's.
func (d *Distribution) delta(one *direction, epsilon, enough float64) DeltaInterval {
	if len(d.lattices) == 0 {
		lower, upper := one.logDelta(epsilon, d.accuracy, enough)
		return reachedDelta(lower, upper)
	}
	lower, _ := one.logDelta(epsilon, d.accuracy, enough)
	a, b, logT := d.charge(800 + math.Max(0, epsilon))
	before := epsilon - (a+b)*(1+0x1p-50) - 0x1p-50*math.Abs(epsilon)
	_, upper := one.logDelta(before, d.accuracy, enough)
	return reachedDelta(lower, math.Min(0, a+special.LogAddExp(upper, before+logT)))
}

// reachedDelta and reachedEpsilon pass the ends of what the bounds come to.
func reachedDelta(lower, upper float64) DeltaInterval {
	lower, upper = curve.CertifiedLogDeltas(lower, upper)
	return DeltaInterval{LogLower: lower, LogUpper: upper, LogReached: lower}
}

func reachedEpsilon(lower, upper float64) EpsilonInterval {
	lower, upper = curve.CertifiedEpsilons(lower, upper)
	return EpsilonInterval{Lower: lower, Upper: upper, Reached: lower}
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
		return reachedEpsilon(lower, upper)
	}
	a, b, logT := d.charge(800 - logDelta + upper)
	if upper+logT > logDelta-40 || math.IsInf(upper, 1) {
		return reachedEpsilon(lower, math.Inf(1))
	}
	return reachedEpsilon(lower, (upper+(a+b))*(1+0x1p-50))
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
