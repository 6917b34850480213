package pld

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// The allowances between what a direction knows and what a Distribution answers. Each
// is far below what those on the way (massError) leave of a digit, so that no real event
// would show one that is missing. A profile that is a step does.

// promising is a run of which log δ is known to be at most −50 from an edge on, and
// nothing else.
type promising struct {
	edge float64
	source
}

func (p promising) logDelta(epsilon float64) (lower, upper float64) {
	if epsilon < p.edge {
		return -1000, 0
	}
	return -1000, -50
}

func (p promising) logDeltaLower(float64) float64 { return -1000 }

func (p promising) logDeltaCoarse(epsilon float64) float64 {
	_, upper := p.logDelta(epsilon)
	return upper
}

// revealing is a run of which log δ is known to be at least −1 up to an edge, and
// nothing else.
type revealing struct {
	edge float64
	source
}

func (r revealing) logDelta(epsilon float64) (lower, upper float64) {
	if epsilon > r.edge {
		return -1000, 0
	}
	return -1, 0
}

// ledge is log δ at on [1, 2), from below and above, 0 before and −1000 beyond: whether
// at is allowed for some δ decides between 1 and 2.
type ledge struct {
	at float64
	source
}

func (l ledge) logDelta(epsilon float64) (lower, upper float64) {
	switch {
	case epsilon < 1:
		return 0, 0
	case epsilon < 2:
		return l.at, l.at
	}
	return -1000, -1000
}

func (l ledge) logDeltaLower(epsilon float64) float64 {
	lower, _ := l.logDelta(epsilon)
	return lower
}

func (l ledge) logDeltaCoarse(epsilon float64) float64 { return l.logDeltaLower(epsilon) }

// alone is a Distribution of one run, with noise on a lattice or none.
func alone(s source, uses ...latticeUse) *Distribution {
	one := &direction{runs: []run{{s, 1}}}
	return &Distribution{accuracy: DefaultAccuracy, added: one, removed: one, lattices: uses}
}

// coarseUse is noise on a lattice whose a and b are some 1e-4 and 0.1.
var coarseUse = latticeUse{objective.Lattice{Dimension: 1 << 20, Ratio: 1 << 15}, 2}

func TestAllowanceOfExponentials(t *testing.T) {
	for i := range 60 {
		log := -0.37 * float64(i+1)
		exact := expOf(number(log))
		interval := DeltaInterval{LogLower: log, LogUpper: log}
		assert.Greater(t, float(minus(number(interval.Upper()), exact)), math.Exp(log)*0x1.8p-52)
		assert.Greater(t, float(minus(exact, number(interval.Lower()))), math.Exp(log)*0x1.8p-52)
	}
	least := DeltaInterval{LogLower: -800, LogUpper: -800}
	assert.Positive(t, least.Upper())
	assert.Zero(t, least.Lower())
}

// The logarithm of δ is rounded to the safe side of either end.
func TestAllowanceOfTheLogarithmOfDelta(t *testing.T) {
	for _, delta := range []float64{1e-12, 1e-5, 0.3} {
		d := alone(ledge{at: math.Log(delta)})
		i, err := d.Epsilon(delta)
		require.NoError(t, err)
		j, err := d.EpsilonLog(math.Log(delta))
		require.NoError(t, err)
		k, _, err := d.EpsilonEach(delta)
		require.NoError(t, err)
		for _, interval := range []EpsilonInterval{i, j, k} {
			assert.InDelta(t, 1, interval.Lower, 1e-9, delta)
			assert.InDelta(t, 2, interval.Upper, 1e-9, delta)
		}
	}
}

// What a lattice costs is added to ε before a profile is asked, with its rounding.
func TestAllowanceOfEpsilonsOnLattices(t *testing.T) {
	for _, epsilon := range []float64{0, 0.1, 1.7, 30} {
		a, b, _ := alone(nil, coarseUse).charge(800 + epsilon)
		require.Greater(t, a+b, 0.1)
		d := alone(promising{edge: epsilon - (a + b)}, coarseUse)
		i, err := d.Delta(epsilon)
		require.NoError(t, err)
		assert.Zero(
			t, i.LogUpper, "at ε = %v, which rounding may have taken across the edge", epsilon,
		)
	}
	// The other way round for what is known from below.
	for _, epsilon := range []float64{0, 0.1, 1.7, 30, 1e9, 1e15} {
		a, b, _ := alone(nil, coarseUse).charge(800)
		d := alone(revealing{edge: epsilon + (a + b)}, coarseUse)
		assert.Less(t, d.logDeltaAbove(epsilon), -49.0, "at ε = %v", epsilon)
		clear := alone(revealing{edge: math.Inf(1)}, coarseUse)
		below := float(minus(minus(number(-1), number(b)), number(clear.logDeltaAbove(epsilon))))
		assert.Greater(t, below, 0x1p-49, "b and the rounding are taken off")
	}
}

func TestAllowanceOfDeltasOnLattices(t *testing.T) {
	for _, logDelta := range []float64{-30, -3, -0.7} {
		// From above: a, its rounding and the tail come off what may be spent.
		a, b, _ := alone(nil, coarseUse).charge(800 - logDelta)
		round := 0x1p-50 * math.Abs(logDelta)
		i, err := alone(ledge{at: logDelta - round - a - 0x1p-42}, coarseUse).EpsilonLog(logDelta)
		require.NoError(t, err)
		assert.InDelta(t, 2+a+b, i.Upper, 0.01)
		// From below: b, and the rounding of the sum, are added to δ.
		a, b, _ = alone(nil, coarseUse).charge(800)
		d := alone(ledge{at: logDelta + b + 0x1p-49*(1+math.Abs(logDelta))}, coarseUse)
		assert.InDelta(t, 1-a-b, d.epsilonAbove(logDelta), 1e-9)
		// And a + b are taken off ε, rounded up.
		clear := alone(ledge{at: -0.1}, coarseUse)
		lower := alone(ledge{at: -0.1}).epsilonAt(logDelta + b + 0x1p-48*(1+math.Abs(logDelta))).
			Lower
		exact := minus(number(lower), plus(number(a), number(b)))
		assert.Greater(t, float(minus(exact, number(clear.epsilonAbove(logDelta)))), (a+b)*0x1p-41)
	}
}

// The upper end of ε is not below the sum of its parts.
func TestAllowanceOfTheSumOfEpsilons(t *testing.T) {
	for k := range 40 {
		use := latticeUse{
			objective.Lattice{Dimension: 1 << 20, Ratio: float64(int(1)<<15 + 977*k)},
			1 + k,
		}
		logDelta := -3 - float64(k)/7
		d := alone(ledge{at: -1e-3}, use)
		i, err := d.EpsilonLog(logDelta)
		require.NoError(t, err)
		a, _, _ := d.charge(800 - logDelta)
		_, upper := d.added.epsilon(0, logDelta-0x1p-50*math.Abs(logDelta)-a-0x1p-40, d.accuracy, 0)
		a, b, _ := d.charge(800 - logDelta + upper)
		exact := plus(number(upper), plus(number(a), number(b)))
		assert.Greater(t, float(minus(number(i.Upper), exact)), i.Upper*0x1p-52)
	}
}

// Mass that is surely infinite, and nothing else but a loss of 0: what both ends add to
// log δ and take from it.
func TestAllowanceOfFailures(t *testing.T) {
	one := number(1)
	for _, delta := range []float64{0.3, 1e-6, 1e-12} {
		for _, k := range []int{2, 30} {
			failing := &direction{
				runs: []run{{&loss{infinite: delta, atoms: []atom{{mass: 1 - delta}}}, k}},
			}
			rest := one
			for range k {
				rest = times(rest, minus(one, number(delta)))
			}
			infinite := minus(one, rest)
			for _, epsilon := range []float64{0.5, 0, -0.3, -2} {
				exact := infinite
				if epsilon < 0 {
					exact = plus(exact, times(rest, minus(one, expOf(number(epsilon)))))
				}
				log := float(logOf(exact))
				low, high := basic{failing.runs}.logDelta(epsilon)
				assert.Greater(
					t, math.Min(0, high)-log, 0x1p-41, "δ = %v, %d runs, at ε = %v", delta, k,
					epsilon,
				)
				assert.Greater(t, log-low, 0x1p-41, "δ = %v, %d runs, at ε = %v", delta, k, epsilon)
			}
			log := float(logOf(infinite))
			assert.Greater(t, log-failing.logInfinite(), 0x1p-41)
			assert.Greater(t, failing.logInfiniteUpper()-log, 0x1p-41)
		}
	}
	dusty := &direction{runs: []run{{&loss{dust: 1e-9, atoms: []atom{{mass: 1}}}, 1}}}
	assert.InDelta(
		t, math.Log(1e-9), dusty.logInfiniteUpper(), 1e-6, "what was left out may be infinite",
	)
	assert.Less(t, dusty.logInfinite(), -1e300)
}

// ε is divided among runs, each of which gets no more than its part.
func TestAllowanceOfParts(t *testing.T) {
	for _, edge := range []float64{0.1, 0.3, 1.7} {
		for _, k := range []int{2, 3, 7} {
			runs := []run{{promising{edge: edge}, k}}
			_, high := basic{runs}.logDelta(edge * float64(k))
			assert.Zero(t, high, "%d parts of %v", k, edge)
		}
	}
}

// Of no run at all, δ(ε) is [1 − e^ε]₊.
func TestAllowanceOfNothing(t *testing.T) {
	none := &direction{}
	random := draw(31)
	for range 100 {
		epsilon := -random.between(1e-9, 30)
		exact := logOf(minus(number(1), expOf(number(epsilon))))
		least := 0x1p-51 * (1 + math.Abs(float(exact)))
		low, high := none.logDelta(epsilon, 1e-3, math.Inf(-1))
		if high < 0 {
			assert.Greater(t, float(minus(number(high), exact)), least, epsilon)
		}
		assert.Greater(t, float(minus(exact, number(low))), least, epsilon)
	}
	for _, epsilon := range []float64{0, 1e-300, 1, 1e300} {
		_, high := none.logDelta(epsilon, 1e-3, math.Inf(-1))
		assert.Equal(t, -math.MaxFloat64, high, "nothing is revealed, at ε = %v", epsilon)
	}
	low, high := (&direction{runs: []run{{gaussianLoss(1), 2}}}).logDelta(
		math.Inf(-1), 1e-3, math.Inf(-1),
	)
	assert.Less(t, low, 0.0)
	assert.Zero(t, high)
}

// The largest loss of a composition is a sum that rounding may have made too small, by
// so much that there is an ε in between.
func TestAllowanceOfTheLargestLoss(t *testing.T) {
	random := draw(23)
	for range 1000 {
		d := &direction{}
		largest, log := number(0), 0.0
		for range 8 {
			each := random.between(0.1, 1)
			atoms := []atom{{loss: -each, mass: 0.3}, {loss: each, mass: 0.7}}
			d.runs = append(d.runs, run{&loss{atoms: atoms}, 3})
			largest = plus(largest, scaled(number(each), 3))
			log += 3 * math.Log(0.7)
		}
		g := aimAt(d.runs, 1, intervalCut)
		epsilon := math.Nextafter(g.ceiling(d.runs), math.Inf(1))
		apart := float(minus(largest, number(epsilon)))
		if !(apart > 0) {
			continue
		}
		_, high := d.logDelta(epsilon, 1e-3, math.Inf(-1))
		assert.GreaterOrEqual(t, high, log+math.Log(apart))
		// Beyond it, all that is cut off may be infinite, in each of the runs.
		epsilon += 1e-3
		_, high = d.afresh().logDelta(epsilon, 1e-3, math.Inf(-1))
		g = aimAt(d.runs, epsilon, intervalCut)
		assert.GreaterOrEqual(t, high, math.Log(g.total*g.high)+0.5)
		return
	}
	require.Fail(t, "no sum was rounded down by enough")
}

// Groups of atoms reach on both sides of where they stand, and a little further.
func TestAllowanceOfGroups(t *testing.T) {
	l := &loss{atoms: []atom{{loss: 1, mass: 1, reach: 0.5}}, exact: true}
	low, high := l.logDelta(1.5)
	assert.Greater(t, high, math.Log(0x1p-52), "at the end of its reach")
	assert.LessOrEqual(t, low, high)
	low, high = l.logDelta(1.2)
	assert.GreaterOrEqual(t, high, math.Log(-math.Expm1(-0.3)))
	assert.Less(t, low, -1e300)
}

// A single Gaussian stands for what is known of zCDP from below, and the conversion of
// its curve from above, both with room for their rounding.
func TestAllowanceOfConcentration(t *testing.T) {
	for _, rho := range []float64{1e-6, 0.02, 0.3, 1.7, 40} {
		p := concentrated(rho, 34*0x1p-53)
		exact := new(big.Float).SetPrec(precision).Sqrt(scaled(number(rho), 2))
		mu := p.floor.pieces[0].(*linear).mu
		assert.Greater(t, float(minus(exact, number(mu))), float(exact)*0x1p-49, "ρ = %v", rho)
		curve := float64(p.profile.(concentratedProfile))
		assert.Greater(t, curve-rho, rho*0x1p-49)
	}
	// log δ at a known order: ρ = ½ and ε where α = 2 is best.
	const rho = 0.5
	epsilon := rho*3 - math.Log(2)
	exact := float(
		minus(minus(minus(number(2*rho), number(epsilon)), logOf(number(2))), logOf(number(2))),
	)
	assert.Greater(t, concentratedProfile(rho).LogDeltaUpper(epsilon)-exact, 0x1p-45)
	// And what replace-one objective perturbation is known by from below.
	event := privacy.ObjectivePerturbation{
		Adjacency: privacy.ReplaceOne, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 1, Sigma: 2, Dimension: 5,
	}
	d := mustOf(
		t,
		privacy.Composition{
			Adjacency: privacy.ReplaceOne,
			Parts:     []privacy.Part{{Event: event, Count: 2}},
		},
	)
	floor, _ := objective.Floor(event)
	mu := d.added.runs[0].source.(*promise).floor.pieces[0].(*linear).mu
	assert.Greater(t, floor-mu, floor*0x1p-49)
}
