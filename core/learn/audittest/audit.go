package audittest

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"cloister/core/audit"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// FalseAlarm bounds the probability that an honest mechanism fails an audit.
const FalseAlarm = audit.FalseAlarm

// Long reports whether CLOISTER_AUDIT=long asks for the long form: ten times as
// many runs, drawn from secure randomness, in every case there is.
func Long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

// Runs is how many runs each data set gets when the short form has that many.
func Runs(short int) int {
	if Long() {
		return 10 * short
	}
	return short
}

// A Trial is one run of a mechanism on one data set. It is called from several
// goroutines, each with its own source.
type Trial = audit.Trial

// Audit names the mechanisms, the claim and the thresholds of a test. The thresholds
// must be fixed beforehand, not chosen from the runs that are counted.
type Audit struct {
	// Claim is the profile claimed for both directions: an upper bound on
	// δ(ε).
	Claim      func(epsilon float64) (delta float64, err error)
	Epsilons   []float64 // where Claim is read; any number of them
	Thresholds []float64
	Runs       int // on each of the two data sets
}

// Outcome holds confidence bounds from the runs. All of them hold together with
// probability at least 1 − [FalseAlarm].
type Outcome struct {
	Thresholds []float64
	first      []audit.Interval // of P[statistic above the threshold], a threshold each
	second     []audit.Interval
}

// Run runs both mechanisms. They are the same one on two neighbours, or one
// that is broken on purpose. An error of a run ends the test.
func (a Audit) Run(t testing.TB, first, second Trial) Outcome {
	t.Helper()
	return a.after(t, a.counts(first, second), a.Runs)
}

// counts are those of both mechanisms, before a run.
func (a Audit) counts(first, second Trial) (c [2]*counts) {
	for i, trial := range []Trial{first, second} {
		c[i] = newCounts(trial, a.Thresholds, uint64(i+1))
	}
	return c
}

// after is the outcome of so many runs on each data set.
func (a Audit) after(t testing.TB, both [2]*counts, runs int) Outcome {
	t.Helper()
	o := Outcome{Thresholds: a.Thresholds}
	for i, c := range both {
		if err := c.upTo(runs); err != nil {
			t.Fatal(err)
		}
		bounds := make([]audit.Interval, len(a.Thresholds))
		for k, above := range c.sums() {
			bounds[k] = audit.ClopperPearson(above, runs, FalseAlarm/float64(4*len(bounds)))
		}
		if i == 0 {
			o.first = bounds
		} else {
			o.second = bounds
		}
	}
	return o
}

// workers run a mechanism side by side.
const workers = 2

// sourceOf is what a worker draws from.
func sourceOf(seed uint64, worker int) random.Source {
	if Long() {
		return random.Secure()
	}
	return randomtest.New(seed<<8 + uint64(worker))
}

// Shared is for audits of several statistics of one mechanism: it runs the mechanism so many
// times, and returns trials that tell a statistic of each of those runs. Each trial is for one
// audit of so many runs. An audit's probability of a false alarm is the same as with runs of its
// own, since only its own statistic enters. An error of a run ends the test.
func Shared[T any](
	t testing.TB, runs int, seed uint64, once func(random.Source) (T, error),
) func(statistic func(T) float64) Trial {
	t.Helper()
	outcomes, errs := make([]T, runs), make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			source := sourceOf(seed, w)
			for i := w; i < runs && errs[w] == nil; i += workers {
				outcomes[i], errs[w] = once(source)
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return func(statistic func(T) float64) Trial {
		var told atomic.Int64
		return func(random.Source) (float64, error) {
			i := int(told.Add(1)) - 1
			if i >= runs {
				return 0, errors.New("audittest: more runs are read than there were")
			}
			return statistic(outcomes[i]), nil
		}
	}
}

// counts tells in how many runs of a trial the statistic was above each threshold.
type counts struct {
	trial      Trial
	thresholds []float64
	runs       int
	sources    [workers]random.Source
	above      [workers][]int
}

func newCounts(trial Trial, thresholds []float64, seed uint64) *counts {
	c := &counts{trial: trial, thresholds: thresholds}
	for w := range workers {
		c.sources[w], c.above[w] = sourceOf(seed, w), make([]int, len(thresholds))
	}
	return c
}

// upTo goes on until there were so many runs.
func (c *counts) upTo(runs int) error {
	var errs [workers]error
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() { errs[w] = c.more(w, (runs+w)/workers-(c.runs+w)/workers) })
	}
	group.Wait()
	c.runs = runs
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// more is so many runs more by a worker.
func (c *counts) more(worker, runs int) error {
	for range runs {
		statistic, err := c.trial(c.sources[worker])
		if err != nil {
			return err
		}
		if math.IsNaN(statistic) {
			return errors.New("audittest: a statistic is NaN")
		}
		for k, threshold := range c.thresholds {
			if statistic > threshold {
				c.above[worker][k]++
			}
		}
	}
	return nil
}

// sums are the counts of all workers, a threshold each.
func (c *counts) sums() []int {
	sums := make([]int, len(c.thresholds))
	for _, above := range c.above {
		for k, n := range above {
			sums[k] += n
		}
	}
	return sums
}

// Divergence is the largest lower bound for H_{e^ε} in either direction that
// the runs gave; it may be below 0, where it says nothing.
func (o Outcome) Divergence(epsilon float64) float64 {
	return audit.Divergence(o.first, o.second, epsilon)
}

// EpsilonLower is the largest ε that (ε, delta)-DP is known to need, 0 if none
// is: log((P(S) − δ)/Q(S)) at its lower bound.
func (o Outcome) EpsilonLower(delta float64) float64 {
	epsilon := 0.0
	audit.Events(o.first, o.second, func(p, q audit.Interval) {
		if p.Lower > delta {
			epsilon = math.Max(epsilon, math.Log((p.Lower-delta)/q.Upper))
		}
	})
	return epsilon
}

// Excess returns by how much the observed divergence exceeds the claim, at the ε where
// that is largest, and that ε. If it is above 0 the claim is false, except with
// probability [FalseAlarm].
func (a Audit) Excess(t testing.TB, o Outcome) (excess, epsilon float64) {
	t.Helper()
	excess = math.Inf(-1)
	for _, at := range a.Epsilons {
		delta, err := a.Claim(at)
		if err != nil {
			t.Fatal(err)
		}
		if over := o.Divergence(at) - delta; over > excess {
			excess, epsilon = over, at
		}
	}
	return excess, epsilon
}

// Holds fails the test if the runs contradict the claim.
func (a Audit) Holds(t testing.TB, name string, first, second Trial) {
	t.Helper()
	a.HoldsBy(t, name, a.Run(t, first, second))
}

// Catches fails the test unless the runs contradict the claim: the mechanism is
// one that is broken on purpose. Most are found out by few runs: it looks after an eighth of them,
// a quarter, a half and all.
func (a Audit) Catches(t testing.TB, name string, first, second Trial) {
	t.Helper()
	both := a.counts(first, second)
	for _, part := range []int{8, 4, 2} {
		o := a.after(t, both, a.Runs/part)
		if excess, _ := a.Excess(t, o); excess > 0 {
			a.CatchesBy(t, fmt.Sprintf("%s, a run in %d", name, part), o)
			return
		}
	}
	a.CatchesBy(t, name, a.after(t, both, a.Runs))
}

// HoldsBy is Holds by the runs that o tells of, for audits of one mechanism against several
// claims: its thresholds are those of o.
func (a Audit) HoldsBy(t testing.TB, name string, o Outcome) {
	t.Helper()
	if excess, epsilon := a.report(t, name, o); excess > 0 {
		t.Errorf(
			"%s: the claim is false: observed over claimed %+.4f at ε = %.3g", name, excess,
			epsilon,
		)
	}
}

// CatchesBy is Catches by the runs that o tells of.
func (a Audit) CatchesBy(t testing.TB, name string, o Outcome) {
	t.Helper()
	if excess, _ := a.report(t, name, o); !(excess > 0) {
		t.Errorf(
			"%s: the broken mechanism was not caught: observed over claimed %+.4f", name, excess,
		)
	}
}

func (a Audit) report(t testing.TB, name string, o Outcome) (excess, epsilon float64) {
	t.Helper()
	excess, epsilon = a.Excess(t, o)
	t.Log(fmt.Sprintf("%-24s observed over claimed: %+.4f", name, excess))
	return excess, epsilon
}

// Grid is audit.Grid.
func Grid(epsilon float64, n int) []float64 { return audit.Grid(epsilon, n) }
