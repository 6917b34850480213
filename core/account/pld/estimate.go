package pld

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// Estimate answers quickly and without a promise: for dragging a slider, and to
// steer searches that end with a certified answer. It shares with Distribution
// the losses and the planning, none of the certificate. A value of it is a type
// of its own, so that it is never taken for a bound.
//
// Two ways are tried: the moment generating function along two contours (see
// contour), and grids by the Fourier transform (see grid and question). Either
// is asked twice, and settles where its two answers agree. Of questions for ε
// about DP-SGD drawn log-uniformly from rates 1e-5 to 0.5, noise multipliers 0.3
// to 30, 1 to 1e6 steps and δ 1e-12 to 1e-3, at least 99 % settle
// (TestEstimatesOfRandomDescentsSettle); contours alone settled about 80 %. A
// question costs 25 ms of processor time on average, 0.6 ms in the common case
// of 10,000 steps at rate 0.01.
//
// What does not settle is taken from the certified interval, and says so:
//   - rates below about 1e-4 where ε is some 1e-4 and δ above 1e-6: losses of
//     1e-5 and of tens of nats both count, too far apart for one grid;
//   - the removed direction within a thousandth of the largest loss there is,
//     where that direction is the worse one;
//   - compositions of atoms alone, which Distribution answers as quickly, and
//     events of which only a bound is known.
type Estimate struct {
	adjacency      privacy.Adjacency
	added, removed []run
	certified      *Distribution // asked where the inversion does not settle
	cost           work          // of what was asked, without certified's
}

// EstimatedEpsilon is an estimate of the smallest ε ≥ 0 for some δ. If it is
// settled, Spread is how far two ways of computing it lie apart, of which nothing
// is proved; else it is the middle of a certified interval, and Spread is half
// of that interval's width.
type EstimatedEpsilon struct {
	Value, Spread float64
	Settled       bool
}

// EstimatedDelta is an estimate of log δ for some ε.
type EstimatedDelta struct {
	Log, Spread float64
	Settled     bool
}

// EstimateOf prepares estimates of an event. Errors are those of Of.
func EstimateOf(event privacy.Event, options Options) (*Estimate, error) {
	certified, err := Of(event, options)
	if err != nil {
		return nil, err
	}
	return certified.Estimate(), nil
}

// Estimate returns the estimates that belong to a distribution. Where the
// inversion does not settle, they are taken from it.
func (d *Distribution) Estimate() *Estimate {
	e := &Estimate{adjacency: d.adjacency, added: d.added.runs, certified: d}
	if d.removed != d.added {
		e.removed = d.removed.runs
	}
	return e
}

// Work is what its questions have cost, as Distribution.Work counts it.
func (e *Estimate) Work() int { return e.cost.points + e.certified.Work() }

// contourPoints is what an inversion along contours counts for: about the most that one
// takes of the time that points take.
const contourPoints = 1 << 14

// Adjacency returns the event's neighbouring relation.
func (e *Estimate) Adjacency() privacy.Adjacency { return e.adjacency }

// Epsilon estimates ε for δ, 0 < delta < 1, the worse of both directions.
func (e *Estimate) Epsilon(delta float64) (EstimatedEpsilon, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return EstimatedEpsilon{Value: math.Inf(1)}, err
	}
	if e.certified.unknown {
		return EstimatedEpsilon{Value: math.Inf(1)}, nil
	}
	logDelta := math.Log(delta)
	if e.certified.failure > 0 {
		some := false
		if logDelta, some = e.certified.withoutFailure(logDelta); !some {
			return EstimatedEpsilon{Value: math.Inf(1), Settled: true}, nil
		}
	}
	worst := EstimatedEpsilon{Settled: true}
	for i, runs := range e.directions() {
		if i > 0 && below(runs, worst.Value, logDelta) {
			continue
		}
		value, spread, ok := estimateEpsilon(runs, logDelta, &e.cost)
		if !ok {
			i, err := e.certified.Epsilon(delta)
			return EstimatedEpsilon{
				Value:  (i.Reached + i.Upper) / 2,
				Spread: (i.Upper - i.Reached) / 2,
			}, err
		}
		if value >= worst.Value {
			worst = EstimatedEpsilon{value, spread, true}
		}
	}
	return worst, nil
}

// Delta estimates log δ for ε, the worse of both directions.
func (e *Estimate) Delta(epsilon float64) (EstimatedDelta, error) {
	if math.IsNaN(epsilon) {
		return EstimatedDelta{}, &privacy.ParameterError{
			Field: "epsilon", Value: "NaN", Want: "a number",
		}
	}
	if e.certified.unknown {
		return EstimatedDelta{}, nil
	}
	worst := EstimatedDelta{Log: math.Inf(-1), Settled: true}
	for i, runs := range e.directions() {
		if i > 0 && below(runs, epsilon, worst.Log) {
			continue
		}
		value, spread, ok := estimateDelta(runs, epsilon, &e.cost)
		if !ok {
			i, err := e.certified.Delta(epsilon)
			half := (i.LogUpper - i.LogReached) / 2
			return EstimatedDelta{Log: (i.LogReached + i.LogUpper) / 2, Spread: half}, err
		}
		if value >= worst.Log {
			worst = EstimatedDelta{value, spread, true}
		}
	}
	if e.certified.failure > 0 {
		worst.Log = math.Min(0, special.LogAddExp(worst.Log, math.Log(e.certified.failure)))
	}
	return worst, nil
}

func (e *Estimate) directions() [][]run {
	if e.removed == nil {
		return [][]run{e.added}
	}
	return [][]run{e.added, e.removed}
}

// estimateDelta returns log δ(ε) of one direction and how far two ways of
// computing it lie apart, or false where none settles: along contours, which
// takes well under a millisecond where losses are of one size, else by pictures.
func estimateDelta(runs []run, epsilon float64, cost *work) (log, spread float64, ok bool) {
	cost.points += contourPoints
	if log, spread, ok = invertDelta(runs, epsilon); ok || (&direction{runs: runs}).exact() {
		return log, spread, ok
	}
	return pictureDelta(runs, epsilon, cost)
}

// estimateEpsilon is the same for ε at a δ.
func estimateEpsilon(runs []run, logDelta float64, cost *work) (epsilon, spread float64, ok bool) {
	cost.points += contourPoints
	d := direction{runs: runs}
	epsilon, spread, ok = invertEpsilon(runs, logDelta)
	if ok || d.exact() || d.logSurely() >= logDelta {
		return epsilon, spread, ok
	}
	return pictureEpsilon(runs, logDelta, cost)
}

// below reports whether the largest losses, or Chernoff's bound by planning's
// nodes, have a direction's log δ(ε) no larger than that: the other direction is
// the worse one then.
func below(runs []run, epsilon, logDelta float64) bool {
	d := direction{runs: runs}
	if _, single := d.single(); single || len(runs) == 0 || d.exact() || !(logDelta < 0) {
		return false
	}
	g := tables(runs, logDelta, estimateCut)
	if epsilon >= g.ceiling(runs) && d.logSurely() < logDelta-1 {
		return true
	}
	g = g.toward(math.Max(0, epsilon))
	bound := g.value(g.slope) - g.slope*epsilon + logMost(g.slope)
	return special.LogAddExp(bound, d.logSurely()) <= logDelta
}

func middle(low, high float64) float64 {
	if low == high {
		return low
	}
	return (low + high) / 2
}
