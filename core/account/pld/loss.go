package pld

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// A loss is the privacy loss log(p/q), in nats, of a dominating pair (P, Q) of
// one mechanism in one direction, as P distributes it: an infinite part, atoms,
// and continuous pieces on which it is a nondecreasing function of a
// coordinate. Atoms and pieces are disjoint and together with infinite have
// P-mass 1 (or less: a loss of −∞ is left out, since it never counts).
type loss struct {
	infinite float64 // P-mass of what Q cannot produce
	dust     float64 // P-mass that was left out: upper ends have it at +∞, lower ones nowhere
	atoms    []atom  // by increasing loss
	pieces   []piece // by increasing loss

	// lattice is the distance of neighbouring atoms if all atoms are a whole
	// number of it apart, else 0.
	lattice float64

	exact bool // atoms' losses are parameters, with no rounding
}

// atom is mass whose loss is the given one on average, −log(Q-mass/P-mass), and
// exactly if reach is 0; else it stands for many atoms within reach of it.
type atom struct{ loss, mass, reach float64 }

// massError bounds the relative error of every probability that a piece or an
// atom gives. Normal masses that do not underflow lie within 39 of the mean,
// where the rounding of a coordinate, magnified by the density's slope, is
// below 39²·2⁻⁵³ < 2⁻⁴² (see shiftedMass); everything else errs by a few 2⁻⁵³.
const massError = 0x1p-40

// piece is a continuous part of a loss. Coordinates are exact floats, ±Inf
// allowed; the loss does not decrease in them.
type piece interface {
	// trim returns coordinates from < to such that at most low of P lies before
	// from and at most high beyond to; the piece's own ends for 0.
	trim(low, high float64) (from, to float64)

	// at returns the loss at x to a few units in the last place; ends included.
	at(x float64) float64

	// position returns a coordinate x at which the loss is ≤ ℓ, no further
	// before the largest such x than rounding makes necessary; -Inf if there is
	// none.
	position(level float64) float64

	// bin returns the P-mass of (a, b), within massError, and bounds of the
	// bin's loss −log(Q-mass/P-mass). a < b.
	bin(a, b float64) (mass, low, high float64)

	// logMass is the logarithm of bin's mass, also where that underflows.
	logMass(a, b float64) float64

	// density returns P's density at x, and panels intervals that cover all of
	// the piece between from and to where P is not negligible, on each of which
	// density and loss are smooth enough for a Gauss–Legendre rule; scale widens
	// them. Both serve estimates only.
	density(x float64) float64
	panels(from, to, scale float64) []interval

	// heavyHigh says that the loss is bounded above and most of P lies near that
	// end, so that grids are better laid out from there.
	heavyHigh() bool
}

// logDelta bounds log H_{e^ε}(P‖Q), for every real ε, from below and above,
// with no grid: the exact answer for a single run.
func (l *loss) logDelta(epsilon float64) (lower, upper float64) {
	lower, upper = math.Log(l.infinite), logarithm(l.infinite+l.dust)
	if math.IsNaN(epsilon) {
		return math.Inf(-1), 0
	}
	round := 0.0 // of an atom's loss: the largest, since small ones are differences
	if n := len(l.atoms); n > 0 && !l.exact {
		round = 0x1p-50 * math.Max(math.Abs(l.atoms[0].loss), math.Abs(l.atoms[n-1].loss))
	}
	for _, a := range l.atoms {
		log, slack := logarithm(a.mass), round+0x1p-50*a.reach
		lower = special.LogAddExp(lower, log+logGain(a.loss-slack-epsilon))
		if gain := logGain(a.loss + a.reach + slack - epsilon); !math.IsInf(gain, -1) {
			upper = special.LogAddExp(upper, logarithm(a.mass+subnormal)+gain)
		}
	}
	for _, p := range l.pieces {
		_, to := p.trim(0, 0)
		x := p.position(epsilon)
		if x >= to { // and not where either is NaN, of which δ = 1 is made below
			continue
		}
		log := p.logMass(x, to)
		_, low, high := p.bin(x, to)
		lower = special.LogAddExp(lower, log+logGain(low-epsilon))
		upper = special.LogAddExp(upper, log+logGain(high-epsilon))
	}
	return ends(lower-2*massError, upper+2*massError)
}

func (l *loss) logDeltaLower(epsilon float64) float64 {
	lower, _ := l.logDelta(epsilon)
	return lower
}

func (l *loss) logDeltaCoarse(epsilon float64) float64 {
	_, upper := l.logDelta(epsilon)
	return upper
}

// subnormal is more than what a probability below the smallest normal float64 is
// off by, which massError does not cover.
const subnormal = 4 * math.SmallestNonzeroFloat64

// ends passes bounds of log δ by package curve's gate. A computed −Inf at the upper end
// is no underflow here, but δ = 0: no loss is above ε. It is said so.
func ends(lower, upper float64) (float64, float64) {
	if math.IsInf(upper, -1) {
		upper = -math.MaxFloat64
	}
	return curve.CertifiedLogDeltas(lower, math.Min(0, upper))
}

// whole reports whether the probabilities of a loss add up to 1 within their
// certificate. What does not, for a parameter so extreme that floats run out,
// says nothing of δ.
func (l *loss) whole() bool {
	sum := l.infinite + l.dust
	for _, a := range l.atoms {
		if math.IsNaN(a.loss) || math.IsNaN(a.reach) {
			return false
		}
		sum += a.mass
	}
	for _, p := range l.pieces {
		from, to := p.trim(0, 0)
		sum += math.Exp(p.logMass(from, to))
	}
	return !curve.LosesMass(sum, wholeness(len(l.atoms)+len(l.pieces)))
}

// wholeness is the allowance for the sum of n probabilities that are each right
// to massError: four times that, and the rounding of the additions.
func wholeness(n int) float64 { return 4*massError + 0x1p-52*float64(n) }

// logGain is log[1 − e^{−x}]₊; NaN for NaN.
func logGain(x float64) float64 {
	if x <= 0 {
		return math.Inf(-1)
	}
	if x < 0x1p-1000 {
		return logarithm(x)
	}
	return special.Log1mExp(-x)
}

// logarithm is log x also where x is subnormal, of which math.Log makes too much
// on some processors.
func logarithm(x float64) float64 {
	if x < 0x1p-1000 {
		return math.Log(x*0x1p100) - 100*math.Ln2
	}
	return math.Log(x)
}
