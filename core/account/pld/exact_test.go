package pld

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/privacy"
)

// This file holds compositions of atoms against their exact profiles: sums of
// finitely many terms, in 400-bit arithmetic that shares nothing with the
// package.

const precision = golden.Bits

var (
	number, float = golden.Big, golden.Float
	plus, minus   = golden.Plus, golden.Minus
	times, over   = golden.Times, golden.Over
	expOf, logOf  = golden.Exp, golden.Log
)

func scaled(x *big.Float, n int) *big.Float { return times(x, number(float64(n))) }

// outcomes is a loss on a lattice, from + i·step with mass[i], and a mass at +∞.
type outcomes struct {
	from, step *big.Float
	mass       []*big.Float
	infinite   *big.Float
}

// exactly returns the worst loss of one event (see discrete.go for sources).
func exactly(event privacy.Event) outcomes {
	one := number(1)
	switch e := event.(type) {
	case privacy.PureDP:
		return exactly(privacy.ApproximateDP{Epsilon: e.Epsilon})
	case privacy.ApproximateDP:
		epsilon, delta := number(e.Epsilon), number(e.Delta)
		odds := expOf(epsilon)
		low := over(minus(one, delta), plus(one, odds))
		return outcomes{
			new(big.Float).Neg(epsilon), scaled(epsilon, 2), []*big.Float{low, times(low, odds)},
			delta,
		}
	case privacy.RandomisedResponse:
		truth, others := number(e.Truth), number(float64(e.Categories-1))
		rest := over(minus(one, truth), others)
		step := logOf(over(truth, rest)) // truth above rest is all that tests ask for
		return outcomes{
			new(big.Float).Neg(step), step, []*big.Float{rest, scaled(rest, e.Categories-2), truth},
			number(0),
		}
	case privacy.DiscreteLaplace:
		a := over(one, number(e.Scale))
		fall := expOf(new(big.Float).Neg(a))
		height := over(minus(one, fall), plus(one, fall))
		power := number(1)
		mass := make([]*big.Float, e.Sensitivity+1) // of the losses −aΔ, −aΔ + 2a, …
		for x := 0; x <= e.Sensitivity; x++ {
			p := times(height, power)
			if x == 0 || x == e.Sensitivity { // and all noise beyond
				p = over(power, plus(one, fall))
			}
			mass[e.Sensitivity-x] = p
			power = times(power, fall)
		}
		return outcomes{new(big.Float).Neg(scaled(a, e.Sensitivity)), scaled(a, 2), mass, number(0)}
	}
	panic("no exact loss")
}

func (o outcomes) composed(count int) outcomes {
	all := outcomes{scaled(o.from, count), o.step, []*big.Float{number(1)}, number(0)}
	finite := number(1)
	for range count {
		finite = times(finite, minus(number(1), o.infinite))
		next := make([]*big.Float, len(all.mass)+len(o.mass)-1)
		for i := range next {
			next[i] = number(0)
		}
		for i, p := range all.mass {
			for j, q := range o.mass {
				next[i+j] = plus(next[i+j], times(p, q))
			}
		}
		all.mass = next
	}
	all.infinite = minus(number(1), finite)
	return all
}

// exactDelta is δ(ε) of a product of compositions.
func exactDelta(parts []outcomes, epsilon float64) *big.Float {
	total, finite := number(0), number(1)
	grown := expOf(number(epsilon))
	var walk func(at int, loss, mass *big.Float)
	walk = func(at int, loss, mass *big.Float) {
		if at == len(parts) {
			if loss.Cmp(number(epsilon)) > 0 {
				total = plus(
					total,
					times(mass, minus(number(1), times(grown, expOf(new(big.Float).Neg(loss))))),
				)
			}
			return
		}
		part := parts[at]
		for i, p := range part.mass {
			walk(at+1, plus(loss, plus(part.from, scaled(part.step, i))), times(mass, p))
		}
	}
	walk(0, number(0), number(1))
	for _, part := range parts {
		finite = times(finite, minus(number(1), part.infinite))
	}
	delta := plus(total, minus(number(1), finite))
	if one := number(1); delta.Cmp(one) > 0 {
		return one // as 400 bits may have it for 1 − 1e-126
	}
	return delta
}

// contained checks both ends of ε's interval at δ, and of δ's interval at the
// middle of it, without tolerance; it returns the interval.
func contained(t *testing.T, parts []privacy.Part, delta float64) EpsilonInterval {
	t.Helper()
	event := privacy.Composition{Adjacency: addRemove}
	var all []outcomes
	for _, part := range parts {
		event.Parts = append(event.Parts, part)
		all = append(all, exactly(part.Event).composed(part.Count))
	}
	d, err := Of(event, Options{})
	require.NoError(t, err)
	i, err := d.Epsilon(delta)
	require.NoError(t, err)
	require.LessOrEqual(t, i.Reached, i.Upper, "%v", parts)
	if !math.IsInf(i.Upper, 1) {
		assert.LessOrEqual(
			t, exactDelta(all, i.Upper).Cmp(number(delta)), 0,
			"%v at δ = %v: %v promises too little", parts, delta, i,
		)
	}
	if math.IsInf(i.Reached, 1) {
		assert.Greater(
			t, exactDelta(all, 1e5).Cmp(number(delta)), 0, "%v at δ = %v: %v", parts, delta, i,
		)
	} else if i.Reached > 0 {
		assert.GreaterOrEqual(
			t, exactDelta(all, i.Reached).Cmp(number(delta)), 0,
			"%v at δ = %v: %v excludes the truth", parts, delta, i,
		)
	}
	for _, epsilon := range []float64{0, i.Reached * 0.9, i.Upper} {
		if math.IsInf(epsilon, 1) || math.IsNaN(epsilon) {
			continue
		}
		j, err := d.Delta(epsilon)
		require.NoError(t, err)
		exact := exactDelta(all, epsilon)
		assert.LessOrEqual(
			t, exact.Cmp(number(j.Upper())), 0, "%v at ε = %v: %v", parts, epsilon, j,
		)
		assert.GreaterOrEqual(
			t, exact.Cmp(number(j.Lower())), 0, "%v at ε = %v: %v", parts, epsilon, j,
		)
	}
	return i
}

func counted(event privacy.Event, count int) privacy.Part {
	return privacy.Part{Event: event, Count: count}
}

// Compositions of few outcomes at small δ, where nearly all of the tilted mass
// stands on one grid point and sums of what is left underflow or cancel.
func TestAtomsAtSmallDelta(t *testing.T) {
	for _, c := range []struct {
		event   privacy.Event
		count   int
		delta   float64
		epsilon float64
	}{
		{privacy.PureDP{Adjacency: addRemove, Epsilon: 1}, 2, 1e-5, 1.99998129},
		{privacy.PureDP{Adjacency: addRemove, Epsilon: 0.1}, 10, 1e-12, 1},
		{privacy.PureDP{Adjacency: addRemove, Epsilon: 1}, 10, 1e-10, 10},
		{privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.0687, Delta: 1e-40}, 3, 4.1e-22, 0.2061},
		{privacy.DiscreteLaplace{Adjacency: addRemove, Sensitivity: 3, Scale: 2.083676966110838}, 2, 9.5e-17, 2.8795},
		{privacy.RandomisedResponse{Adjacency: addRemove, Truth: 0.7075218779795294, Categories: 5}, 52, 4.8e-21, 118.0230},
	} {
		i := contained(t, []privacy.Part{counted(c.event, c.count)}, c.delta)
		assert.InDelta(t, c.epsilon, i.Upper, 2e-4, "%v", c)
		assert.InEpsilon(t, i.Upper, i.Reached, 1e-6, "%v", c)
	}
}

func randomAtoms(random *draw) privacy.Event {
	epsilon := random.between(1e-3, 5)
	switch int(5 * random.next()) {
	case 0:
		return privacy.PureDP{Adjacency: addRemove, Epsilon: epsilon}
	case 1:
		return privacy.ApproximateDP{
			Adjacency: addRemove,
			Epsilon:   epsilon,
			Delta:     random.between(1e-40, 1e-3),
		}
	case 2:
		categories := 2 + int(6*random.next())
		odds := math.Exp(epsilon) / float64(categories-1)
		return privacy.RandomisedResponse{
			Adjacency:  addRemove,
			Truth:      odds / (1 + odds),
			Categories: categories,
		}
	default:
		shift := 1 + int(4*random.next())
		return privacy.DiscreteLaplace{
			Adjacency:   addRemove,
			Sensitivity: shift,
			Scale:       float64(shift) / epsilon,
		}
	}
}

func TestAtomsAreExact(t *testing.T) {
	rounds := 60
	switch {
	case long():
		rounds = 600
	case testing.Short():
		rounds = 25
	}
	random := draw(20)
	for range rounds {
		event := randomAtoms(&random)
		count, delta := int(random.between(2, 200)), random.between(1e-30, 0.1)
		i := contained(t, []privacy.Part{counted(event, count)}, delta)
		if math.IsInf(i.Reached, 1) {
			continue // δ is below the mass at +∞
		}
		assert.LessOrEqual(
			t, i.Upper-i.Reached, 1e-6*i.Upper+1e-12, "%#v, %d times at δ = %v: %v", event, count,
			delta, i,
		)
	}
}

// Atoms that share no lattice stand between grid points; the truth is still
// within the interval.
func TestMixedAtomsContainTheTruth(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	random := draw(21)
	for range rounds {
		parts := []privacy.Part{
			counted(randomAtoms(&random), int(random.between(1, 12))),
			counted(randomAtoms(&random), int(random.between(1, 12))),
		}
		delta := random.between(1e-30, 0.1)
		contained(t, parts, delta)
	}
}

// Bounds that contradict each other, here by a sheet of another composition,
// are no answer.
func TestContradictionPromisesNothing(t *testing.T) {
	other := &direction{runs: []run{{gaussianLoss(3), 2}}}
	lower, upper := other.epsilon(-11, -11, 1e-2, 0)
	require.Less(t, 0.9*upper, lower)
	d := &direction{runs: []run{{gaussianLoss(1), 2}}, sheets: other.sheets}
	lower, upper = d.epsilon(-11, -11, 1e-5, 0)
	assert.Zero(t, lower)
	assert.Equal(t, math.Inf(1), upper)

	low, high := other.logDelta(5, 1e-2, math.Inf(-1))
	require.Less(t, -2.0, low)
	d = &direction{runs: []run{{gaussianLoss(1), 2}}, sheets: other.sheets}
	require.Less(t, high, 0.0)
	low, high = d.logDelta(5, 1e-5, math.Inf(-1))
	assert.Equal(t, math.Inf(-1), low)
	assert.Zero(t, high)
}
