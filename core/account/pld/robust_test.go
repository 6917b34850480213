package pld

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// draw is a fixed stream of numbers in [0, 1).
type draw uint64

func (d *draw) next() float64 {
	*d = *d*6364136223846793005 + 1442695040888963407
	return float64(uint64(*d)>>11) / (1 << 53)
}

// between draws log-uniformly.
func (d *draw) between(low, high float64) float64 {
	return low * math.Pow(high/low, d.next())
}

// limit catches a question that would not end. How long the slowest takes, of
// which 2 s is asked, BenchmarkExtremeQuestions says: tests are not timed.
const limit = time.Minute

// sound checks what holds of every answer.
func sound(
	t *testing.T, event privacy.Event, epsilon, logDelta float64,
) (EpsilonInterval, DeltaInterval) {
	t.Helper()
	d, err := Of(event, Options{})
	require.NoError(t, err, "%#v", event)
	start := time.Now()
	i, err := d.EpsilonLog(logDelta)
	require.NoError(t, err)
	took := time.Since(start)
	assert.Less(t, took, limit, "ε of %#v at log δ = %v", event, logDelta)
	assert.False(t, math.IsNaN(i.Lower) || math.IsNaN(i.Upper), "%v of %#v", i, event)
	assert.GreaterOrEqual(t, i.Lower, 0.0)
	assert.True(t, i.Lower <= i.Reached && i.Reached <= i.Upper, "%v of %#v", i, event)
	assert.LessOrEqual(t, i.Lower, i.Upper, "ε of %#v at log δ = %v", event, logDelta)
	start = time.Now()
	j, err := d.Delta(epsilon)
	require.NoError(t, err)
	took = time.Since(start)
	assert.Less(t, took, limit, "δ of %#v at ε = %v", event, epsilon)
	assert.False(t, math.IsNaN(j.LogLower) || math.IsNaN(j.LogUpper), "%v of %#v", j, event)
	assert.True(t, j.LogLower <= j.LogReached && j.LogReached <= j.LogUpper, "%v of %#v", j, event)
	assert.LessOrEqual(t, j.LogLower, j.LogUpper, "δ of %#v at ε = %v", event, epsilon)
	assert.LessOrEqual(t, j.LogUpper, 0.0)
	return i, j
}

// anything draws an event of any kind over the whole range of its parameters,
// and one of the kind that is no less private: with more noise, or less of all.
func anything(random *draw) (event, better privacy.Event) {
	noise, more := random.between(1e-6, 1e6), 1+random.next()
	epsilon := random.between(1e-9, 1e3)
	shift := 1 + int(random.between(1, 1000)-1)
	objective := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25,
		Lambda:     random.between(1e-3, 1e6), Sigma: noise, Dimension: 10,
	}
	both := func(event func(more float64) privacy.Event) (privacy.Event, privacy.Event) {
		return event(1), event(more)
	}
	switch int(13 * random.next()) {
	case 0:
		return both(func(x float64) privacy.Event {
			return privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: noise * x}
		})
	case 1:
		return both(func(x float64) privacy.Event {
			return privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: noise * x}
		})
	case 2:
		return both(func(x float64) privacy.Event {
			return privacy.DiscreteGaussian{
				Adjacency:   addRemove,
				Sensitivity: shift,
				Sigma:       (0.5 + noise) * x,
			}
		})
	case 3:
		return both(func(x float64) privacy.Event {
			return privacy.DiscreteLaplace{
				Adjacency:   addRemove,
				Sensitivity: shift,
				Scale:       (1e-2 + noise) * x,
			}
		})
	case 4:
		categories := 2 + int(10*random.next())
		return both(func(x float64) privacy.Event {
			odds := math.Exp(math.Min(30, epsilon/x)) / float64(categories-1)
			return privacy.RandomisedResponse{
				Adjacency:  addRemove,
				Categories: categories,
				Truth:      odds / (1 + odds),
			}
		})
	case 5:
		return both(
			func(x float64) privacy.Event {
				return privacy.PureDP{Adjacency: addRemove, Epsilon: epsilon / x}
			},
		)
	case 6:
		delta := random.between(1e-300, 1)
		return both(func(x float64) privacy.Event {
			return privacy.ApproximateDP{
				Adjacency: addRemove,
				Epsilon:   epsilon / x,
				Delta:     delta / x,
			}
		})
	case 7:
		return both(func(x float64) privacy.Event {
			return privacy.ZeroConcentrated{Adjacency: addRemove, Rho: epsilon / x}
		})
	case 8:
		objective.Loss = []privacy.LossClass{
			privacy.LossLogistic, privacy.LossSigned, privacy.LossGLM,
		}[int(3*random.next())]
		return both(func(x float64) privacy.Event { e := objective; e.Sigma *= x; return e })
	case 9:
		return both(func(x float64) privacy.Event {
			e := objective
			e.Sigma *= x
			return privacy.ApproximateMinima{Objective: e, Tau: 1e-6, SigmaOut: 1e-4, Grid: 0x1p-40}
		})
	case 10:
		return both(func(x float64) privacy.Event {
			return privacy.GradientDescent{
				Adjacency:   addRemove,
				Sensitivity: 1,
				Sigmas:      []float64{noise * x, 2 * noise * x},
			}
		})
	}
	rate, steps := math.Min(1, random.between(1e-6, 2)), random.between(1, 1e7)
	fewer := random.next()
	return both(func(x float64) privacy.Event {
		count := steps
		if x > 1.5 {
			count *= fewer
		}
		return dpsgd(rate, noise*x, int(count))
	})
}

// mixture composes up to three events, each up to 1000 times.
func mixture(random *draw) (event, better privacy.Event) {
	first, second := privacy.Composition{
		Adjacency: addRemove,
	}, privacy.Composition{
		Adjacency: addRemove,
	}
	for range 1 + int(3*random.next()) {
		a, b := anything(random)
		count := int(random.between(1, 1000))
		if random.next() < 0.5 {
			count = 1
		}
		first.Parts = append(first.Parts, privacy.Part{Event: a, Count: count})
		second.Parts = append(second.Parts, privacy.Part{Event: b, Count: count})
	}
	return first, second
}

// never checks what holds of every event: never NaN, never negative, never less
// private when noise grows or steps fall, and quick whatever is asked. Intervals
// of two events of which one is at least as private as the other may touch, but
// not contradict that.
func never(t *testing.T, random draw) {
	event, better := mixture(&random)
	epsilon, logDelta := random.between(1e-4, 1e3), -random.between(1e-3, 690)
	if event.Validate() != nil || better.Validate() != nil {
		return
	}
	if _, err := Of(event, Options{}); err != nil {
		var parameter *privacy.ParameterError // too many runs
		require.ErrorAs(t, err, &parameter)
		return
	}
	i, j := sound(t, event, epsilon, logDelta)
	k, l := sound(t, better, epsilon, logDelta)
	assert.LessOrEqual(
		t, k.Lower, i.Upper, "%#v against %#v at log δ = %v", better, event, logDelta,
	)
	assert.LessOrEqual(
		t, l.LogLower, j.LogUpper, "%#v against %#v at ε = %v", better, event, epsilon,
	)
}

// FuzzEvents looks for an event for which one of these fails.
func FuzzEvents(f *testing.F) {
	seeds := 5 // the sixth takes as long as ten others
	if testing.Short() {
		seeds = 2
	}
	if long() {
		seeds = 40
	}
	for seed := range seeds {
		f.Add(uint64(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64) { never(t, draw(seed*0x9e3779b97f4a7c15+1)) })
}

// The ranges: never NaN, never negative, never less private when σ
// grows or steps fall, and quick whatever is asked. Intervals of two events of
// which one is at least as private as the other may touch, but not contradict
// that.
func TestDescentOverAllRanges(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	if long() {
		rounds = 100
	}
	descents(t, draw(1), rounds)
}

// BenchmarkExtremeQuestions reports, as max-ms, the longest that a question about
// forty random compositions of anything takes.
func BenchmarkExtremeQuestions(b *testing.B) {
	for range b.N {
		longest := time.Duration(0)
		for seed := range uint64(40) {
			random := draw(seed*0x9e3779b97f4a7c15 + 1)
			event, _ := mixture(&random)
			d, err := Of(event, Options{})
			if err != nil {
				continue
			}
			logDelta := -random.between(1e-3, 690)
			start := time.Now()
			_, _ = d.EpsilonLog(logDelta)
			longest = max(longest, time.Since(start))
		}
		b.ReportMetric(float64(longest.Milliseconds()), "max-ms")
	}
}

func descents(t *testing.T, random draw, rounds int) {
	for range rounds {
		event := privacy.SubsampledGaussian{
			Adjacency: privacy.AddRemove,
			Rate: math.Min(
				1, random.between(1e-6, 2),
			), NoiseMultiplier: random.between(1e-6, 1e6),
			Steps: int(random.between(1, 1e7)),
		}
		epsilon, logDelta := random.between(1e-4, 1e3), -random.between(1e-3, 690)
		i, j := sound(t, event, epsilon, logDelta)

		quieter := event
		quieter.NoiseMultiplier *= 1 + random.next()
		fewer := event
		fewer.Steps = int(float64(fewer.Steps) * random.next())
		for _, better := range []privacy.Event{quieter, fewer} {
			k, l := sound(t, better, epsilon, logDelta)
			assert.LessOrEqual(
				t, k.Lower, i.Upper, "%#v against %#v at log δ = %v", better, event, logDelta,
			)
			assert.LessOrEqual(
				t, l.LogLower, j.LogUpper, "%#v against %#v at ε = %v", better, event, epsilon,
			)
		}
	}
}
