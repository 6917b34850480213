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

// Every allowance for rounding in this package is looked at here from both sides:
// what is computed with it lies on the safe side of the exact value (in 400 bits),
// and by a good part of the allowance, so that one that is left out, or has the
// wrong sign, shows. TestSabotagedAllowancesAreCaught in package account does both.

// erfOf is erf by its series of positive terms.
func erfOf(x *big.Float) *big.Float {
	square := times(x, x)
	term, sum := x, x
	for n := 1; n < 600; n++ {
		term = over(times(term, scaled(square, 2)), number(float64(2*n+1)))
		sum = plus(sum, term)
	}
	pi, _ := new(big.Float).SetPrec(precision).
		SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745")
	return over(
		scaled(times(sum, expOf(new(big.Float).Neg(square))), 2),
		new(big.Float).SetPrec(precision).Sqrt(pi),
	)
}

// normalOf is Φ(b) − Φ(a).
func normalOf(a, b *big.Float) *big.Float {
	root := new(big.Float).SetPrec(precision).Sqrt(number(2))
	return over(minus(erfOf(over(b, root)), erfOf(over(a, root))), number(2))
}

func TestAllowanceOfASingleRun(t *testing.T) {
	response := privacy.RandomisedResponse{Adjacency: addRemove, Categories: 4, Truth: 0.75}
	l := responseLoss(response.Truth, response.Categories)
	for _, epsilon := range []float64{0, 0.3, 1.1, 2} {
		exact := float(logOf(exactDelta([]outcomes{exactly(response)}, epsilon)))
		low, high := l.logDelta(epsilon)
		assert.Greater(t, high-exact, massError, epsilon)
		assert.Greater(t, exact-low, massError, epsilon)
	}
	// A loss next to the largest, of which the rounding of the atom is what is left.
	l.atoms = []atom{{loss: 1.5, mass: 1}}
	_, high := l.logDelta(1.5)
	assert.Greater(t, high, math.Log(0x1p-51))
	assert.Less(t, high, math.Log(0x1p-48), "not for want of an interval")
	// A loss that is no number is not read as none.
	_, high = gaussianLoss(math.Inf(1)).logDelta(1)
	assert.Zero(t, high)
	sampled, _ := subsampledLosses(0.5, 0)
	_, high = sampled.logDelta(1)
	assert.Zero(t, high)
	// A probability that is too small for a float64 is some.
	_, high = (&loss{atoms: []atom{{loss: 0, mass: 1}, {loss: 9}}}).logDelta(1)
	assert.Greater(t, high, -746.0)
	// Noise that was left out, beyond all atoms.
	_, high = discreteGaussianLoss(1, 1).logDelta(1e9)
	assert.GreaterOrEqual(t, high, -746.0)
}

func TestAllowanceOfACompositionOfAtoms(t *testing.T) {
	response := privacy.RandomisedResponse{Adjacency: addRemove, Categories: 4, Truth: 0.75}
	failing := privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.5, Delta: 1e-3}
	for _, event := range []privacy.Event{response, failing} {
		const k = 12
		all := []outcomes{exactly(event).composed(k)}
		for _, epsilon := range []float64{0.2, 2.5, 5} {
			d, err := Of(repeated(event, k), Options{})
			require.NoError(t, err)
			i, err := d.Delta(epsilon)
			require.NoError(t, err)
			exact := float(logOf(exactDelta(all, epsilon)))
			assert.Greater(
				t, i.LogUpper-exact, k*massError/4, "%s at %v", event.Mechanism(), epsilon,
			)
			assert.Greater(
				t, exact-i.LogLower, k*massError/4, "%s at %v", event.Mechanism(), epsilon,
			)
			// And of the sum of what single runs lose.
			low, high := basic{d.added.runs}.logDelta(epsilon)
			if each := exactDelta([]outcomes{exactly(event)}, epsilon/k); high < 0 {
				// two of which are each run's own
				assert.Greater(t, high, float(logOf(scaled(each, k)))+2.5*massError)
			}
			assert.LessOrEqual(t, low, exact)
		}
	}
}

// Coordinates that position finds for a loss are at or before it.
func TestAllowanceOfPositions(t *testing.T) {
	random := draw(7)
	for range 300 {
		mu, level := random.between(1e-3, 10), random.between(1e-3, 30)
		p := &linear{base: mu * mu / 2, mu: mu, weight: 1, from: math.Inf(-1)}
		exact := plus(number(p.base), times(number(mu), number(p.position(level))))
		short := float(minus(number(level), exact))
		assert.Greater(t, short, 0x1p-53*level, "linear μ = %v at %v", mu, level)

		s := &subsampled{q: random.between(1e-4, 0.4), shift: mu}
		x := number(s.position(level))
		log := minus(times(x, number(mu)), over(times(number(mu), number(mu)), number(2)))
		ratio := logOf(plus(minus(number(1), number(s.q)), times(number(s.q), expOf(log))))
		short = float(minus(number(level), ratio))
		assert.Greater(t, short, 0x1.6p-51*level, "sampled %v at %v", s, level)
		other := mirrored{s}
		if y := other.position(-level / 1e3); !math.IsInf(y, 0) {
			log = minus(
				times(number(-y), number(mu)), over(times(number(mu), number(mu)), number(2)),
			)
			ratio = logOf(plus(minus(number(1), number(s.q)), times(number(s.q), expOf(log))))
			assert.GreaterOrEqual(
				t, float(minus(ratio, number(level/1e3))), 0.0, "mirrored %v at %v", s, level,
			)
		}
	}
}

// The loss of a bin lies within its bounds, well within.
func TestAllowanceOfBins(t *testing.T) {
	random := draw(11)
	for range 60 {
		a := 6*random.next() - 3
		b, mu := a+random.between(1e-4, 2), random.between(1e-3, 2)
		moved := func(x float64) *big.Float { return plus(number(x), number(mu)) }
		mass := normalOf(number(a), number(b))
		base := mu * mu / 2
		p := &linear{base: base, mu: mu, weight: 1, from: math.Inf(-1)}
		got, low, high := p.bin(a, b)
		assert.InEpsilon(t, float(mass), got, massError/8)
		exact := logOf(over(mass, normalOf(moved(a), moved(b))))
		exact = plus(exact, minus(number(base), over(times(number(mu), number(mu)), number(2))))
		// A narrow bin's bounds are as close as the shift is small.
		room := math.Min(0x1p-50, (high-low)/4)
		assert.Greater(t, float(minus(number(high), exact)), room, "%v %v %v", a, b, mu)
		assert.Greater(t, float(minus(exact, number(low))), room, "%v %v %v", a, b, mu)

		e := exponential{epsilon0: 4}
		if b < 4 && a > -4 {
			_, low, high = e.bin(a, b)
			middle := over(plus(number(a), number(b)), number(2))
			assert.Greater(t, float(minus(number(high), middle)), 0x1p-53*math.Abs(a))
			assert.Greater(t, float(minus(middle, number(low))), 0x1p-53*math.Abs(a))
		}
	}
}

// curved is the loss of an objective perturbation, and its curved piece.
func curved(t testing.TB) (objective.LossFunction, *convex) {
	t.Helper()
	event := privacy.ObjectivePerturbation{
		Adjacency: addRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 1, Sigma: 2, Dimension: 5,
	}
	up, _, err := objective.Losses(event, objective.BoundLogistic)
	require.NoError(t, err)
	return up, convexLoss(up, event.Lipschitz/event.Sigma).pieces[0].(*convex)
}

// The loss of objective perturbation is known no better than LossSlack, also in a bin
// so narrow that the computed loss is the same at both ends.
func TestAllowanceOfCurvedBins(t *testing.T) {
	up, c := curved(t)
	for _, a := range []float64{c.from + 0.3, c.from + 1, c.linear + 1} {
		for _, b := range []float64{a + 1e-13, math.Nextafter(a, 9)} {
			middle := (up.Loss(a) + up.Loss(b)) / 2
			slack := objective.LossSlack(a, middle)
			_, low, high := c.bin(a, b)
			assert.Greater(t, high, middle+slack/2, "from %v to %v", a, b)
			assert.Less(t, low, middle-slack/2, "from %v to %v", a, b)
		}
	}
}

// What is divided between two grid points keeps no more of Q than there is, and
// what lies beyond the grid goes to +∞.
func TestAllowanceOfGrids(t *testing.T) {
	random := draw(13)
	for range 200 {
		h, omega := random.between(1e-6, 1), random.next()
		omega *= h
		var c cells
		c.connect(0, 1, 1, omega, 0, h)
		share := over(minus(number(1), expOf(number(-omega))), minus(number(1), expOf(number(-h))))
		assert.Greater(t, float(minus(number(c.above[1]), share)), 0x1p-50, "%v of %v", omega, h)
	}
	const tail = 1e-6
	l := gaussianLoss(1)
	g := &layout{step: 0.01, low: tail, high: tail, runs: 1, views: [2]view{{most: math.Inf(1)}}}
	_, to := g.ends(l.pieces[0])
	beyond := float(normalOf(number(to), number(30)))
	assert.Greater(t, l.upper(g).infinite, beyond*(1+2*massError))
	failing := &loss{infinite: 0.25, atoms: []atom{{loss: 0, mass: 0.75}}}
	assert.Greater(t, failing.upper(g).infinite, 0.25*(1+2*massError))
}

// The transform's rounding is added to each entry of the upper end and taken off
// that of the lower one; moments beyond the window, and what wraps into it, too.
func TestAllowanceOfTheTransform(t *testing.T) {
	const epsilon = 7.0
	w := untilted
	d, parts := thousand(w)
	truthLow, truthHigh := d.logDelta(epsilon, 1e-2, math.Inf(-1))
	entry := convolve(parts, &w).entry
	s := compose(parts, &w)
	assert.LessOrEqual(t, s.logDeltaLower(epsilon), truthHigh)
	assert.GreaterOrEqual(t, s.logDeltaUpper(epsilon), truthLow)
	assert.Greater(t, s.logDeltaUpper(epsilon), math.Log(entry*float64(w.length)/8))

	assert.Greater(t, s.upper.slack, 1000*massError)
	assert.Greater(t, s.lower.slack, 1000*massError)
	// Far out, what is at +∞ is all that is left.
	s.upper.finite = math.Log1p(-1e-3)
	assert.Greater(t, s.upper.logDeltaUpper(15.5), math.Log(1e-3))

	// A window so narrow that half of the composition wraps into it.
	w = window{from: -0.5, to: 0.5, length: 512, tilt: 0, below: -1, above: 1}
	_, parts = thousand(w)
	s = compose(parts, &w)
	for _, at := range []float64{-0.4, 0, 0.2, 0.45} {
		truthLow, truthHigh := d.logDelta(at, 1e-3, math.Inf(-1))
		assert.LessOrEqual(t, s.logDeltaLower(at), truthHigh, at)
		assert.GreaterOrEqual(t, s.logDeltaUpper(at), truthLow, at)
		n, u := s.lower.locate(at + s.lower.slip)
		require.Less(t, s.lower.part(n, u), s.lower.wrapped())
		assert.LessOrEqual(
			t, s.logDeltaLower(at), s.lower.logInfinite(), "all may be from elsewhere",
		)
	}
	for _, end := range sides {
		exactly := composedMoment(parts, end, 1.5, 0)
		assert.Greater(t, composedMoment(parts, end, 1.5, 1)-exactly, 1000*massError)
		assert.Greater(t, exactly-composedMoment(parts, end, 1.5, -1), 1000*massError)
	}
}

// Gaussian mechanisms add up to one of no smaller ratio, and of no larger one for
// the lower end.
func TestAllowanceOfGaussians(t *testing.T) {
	random := draw(17)
	for range 50 {
		c := &collection{}
		sum := number(0)
		for range 20 {
			ratio := random.between(1e-3, 10)
			c.normal(ratio, 3)
			sum = plus(sum, scaled(times(number(ratio), number(ratio)), 3))
		}
		exact := new(big.Float).SetPrec(precision).Sqrt(sum)
		added, _ := c.directions()
		g := added.runs[0].source.(between)
		slack := float(exact) * 0x1p-51
		assert.Greater(t, float(minus(number(g.most.pieces[0].(*linear).mu), exact)), slack)
		assert.Greater(t, float(minus(exact, number(g.least.pieces[0].(*linear).mu))), slack)
	}
}

// The lattice's a, b and t are charged at the upper end of δ and of ε.
func TestAllowanceOfLattices(t *testing.T) {
	one := &direction{runs: []run{{gaussianLoss(1), 1}}}
	lattice := objective.Lattice{Dimension: 1 << 20, Ratio: 1 << 20}
	plain := &Distribution{accuracy: DefaultAccuracy, added: one, removed: one}
	d := &Distribution{
		accuracy: DefaultAccuracy,
		added:    one,
		removed:  one,
		lattices: []latticeUse{{lattice, 2}},
	}
	const epsilon = 2.0
	a := 2.0 / 24 / (1 << 20)
	b := a * (2*(800+epsilon) + 1)
	before, err := plain.Delta(epsilon - a - b)
	require.NoError(t, err)
	after, err := d.Delta(epsilon)
	require.NoError(t, err)
	assert.Greater(t, after.LogUpper-before.LogUpper, a*(1-1e-3))
	for _, delta := range []float64{1e-5, 1e-9} {
		before, err := plain.Epsilon(delta)
		require.NoError(t, err)
		after, err := d.Epsilon(delta)
		require.NoError(t, err)
		assert.Greater(t, after.Upper-before.Upper, a*(2*800+1))
	}
}

// The measure that stands for a bound on a profile is nowhere below the bound.
func TestAllowanceOfProfiles(t *testing.T) {
	p := concentrated(0.1, 0x1p-48)
	m := p.upper(&layout{step: 0.02, low: 1e-9, high: 1e-9})
	bends := 0 // between which the measure is linear, and may be below a bound that is not convex
	for i := range m.mass {
		if m.mass[i] == 0 {
			continue
		}
		if bends++; bends%8 != 0 {
			continue
		}
		at := m.offset + float64(i)*m.step
		sum := number(m.infinite)
		for j := i + 1; j < len(m.mass); j++ {
			above := minus(number(1), expOf(minus(number(at), number(m.offset+float64(j)*m.step))))
			sum = plus(sum, times(number(m.mass[j]), above))
		}
		bound := expOf(number(p.at(at)))
		assert.Greater(t, float(minus(sum, bound)), float(bound)*0x1p-51, "at %v", at)
	}
	assert.Greater(t, bends, 80)
	last := m.offset + float64(len(m.mass)-1)*m.step
	assert.Greater(t, m.infinite, math.Exp(p.at(last))*(1+0x1p-51), "beyond the last bend")
}

// What many small parts add to a large one is not lost, however many they are: each is
// less than half a unit in the large one's last place.
func TestAllowanceOfManySmallParts(t *testing.T) {
	const n, small = 20000, 1.1e-16
	c := privacy.Composition{Adjacency: addRemove}
	add := func(event privacy.Event) {
		c.Parts = append(c.Parts, privacy.Part{Event: event, Count: 1})
	}
	add(privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 1})
	for range n {
		add(privacy.ZeroConcentrated{Adjacency: addRemove, Rho: small})
	}
	many, err := Of(c, Options{})
	require.NoError(t, err)
	whole, err := Of(privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 1 + n*small}, Options{})
	require.NoError(t, err)
	for _, epsilon := range []float64{3, 30} {
		got, want := many.LogDeltaUpper(epsilon), whole.LogDeltaUpper(epsilon)
		assert.Greater(t, got, want, epsilon)
		assert.Less(t, got, want+1e-8, epsilon)
		i, err := many.Delta(epsilon)
		require.NoError(t, err)
		j, err := whole.Delta(epsilon)
		require.NoError(t, err)
		assert.Less(t, i.LogLower, j.LogUpper)
	}

	// Events that fail with some probability and tell nothing else.
	runs := []run{{&loss{infinite: 0.5, atoms: []atom{{mass: 0.5}}}, 1}}
	for range n {
		runs = append(runs, run{&loss{infinite: 5e-17, atoms: []atom{{mass: 1}}}, 1})
	}
	exact := float(logOf(minus(number(1), over(expOf(number(-n*5e-17)), number(2)))))
	low, high := basic{runs}.logDelta(1)
	assert.Greater(t, high, exact)
	assert.Greater(t, high-exact, 0x1p-40, "all of that is for other roundings")
	assert.Less(t, high, exact+1e-9)
	assert.Less(t, low, exact)

	// And the sum of what single runs lose.
	runs = append(runs[:1], run{pureLoss(1e-3), 1})
	for range 5 * n {
		runs = append(runs, run{&loss{infinite: 2.5e-17, atoms: []atom{{mass: 1}}}, 1})
	}
	_, high = basic{runs}.logDelta(0)
	each := exactDelta([]outcomes{exactly(privacy.PureDP{Adjacency: addRemove, Epsilon: 1e-3})}, 0)
	exact = float(logOf(plus(each, number(0.5+5*n*2.5e-17))))
	assert.Greater(t, high, exact)
	assert.Less(t, high, exact+1e-6)
}

// A shift of very many σ, whose groups of atoms are far from the other mean: what is
// stated as a group's loss is not above that of its masses, nor the largest of its
// atoms' above what it reaches.
func TestAtomsFarFromTheOtherMeanAreRoundedDown(t *testing.T) {
	for _, c := range []struct {
		shift int
		sigma float64
	}{{500, 2e4}, {4_000_000, 2e4}, {100_000_000, 1e4}, {1 << 50, 1e5}} {
		d, square := float64(c.shift), c.sigma*c.sigma
		l := discreteGaussianLoss(c.shift, c.sigma)
		most := math.Ceil(39 * c.sigma)
		size := groupSize(2 * most)
		require.Greater(t, size, 1.0)
		k := -1
		for last := most; last >= -most; last -= size {
			first := math.Max(-most, last-size+1)
			middle := (first + last) / 2
			if math.Exp(-middle*middle/(2*square)) == 0 {
				continue // it has no atom
			}
			if k++; k%997 != 0 {
				continue
			}
			// P- and Q-masses over those of the middle.
			p, q := 0.0, 0.0
			for x := first; x <= last; x++ {
				weight := math.Exp((middle*middle - x*x) / (2 * square))
				p += weight
				q += weight * math.Exp(d*(x-middle)/square-d*(last-middle)/square)
			}
			mean := d*(d-2*middle)/(2*square) - math.Log(q/p) - d*(last-middle)/square
			largest := d * (d - 2*first) / (2 * square)
			round := 0x1p-50 * math.Abs(l.atoms[0].loss-l.atoms[len(l.atoms)-1].loss)
			round = math.Max(
				round,
				0x1p-50*math.Max(math.Abs(l.atoms[0].loss), math.Abs(l.atoms[len(l.atoms)-1].loss)),
			)
			require.LessOrEqual(
				t, l.atoms[k].loss, mean+round+1e-12, "%d, σ = %v, atom %d", c.shift, c.sigma, k,
			)
			require.GreaterOrEqual(
				t, l.atoms[k].loss+l.atoms[k].reach, largest-round-1e-12, "%d, σ = %v, atom %d",
				c.shift, c.sigma, k,
			)
			require.InDelta(
				t, mean, l.atoms[k].loss, 3e-7+round, "%d, σ = %v, atom %d", c.shift, c.sigma, k,
			)
		}
	}
}
