package random

import (
	"math"
	"math/big"
	"strconv"
)

// Gumbel draws maxima of independent Gumbel noises and compares losses with
// such noises taken off, exactly. A noise of rate a = epsilon/parts is
// g = −ln(h)/a with h exponential of rate 1, so that
//
//	argmin_w f(w) − g_w   has the law   P(w) ∝ e^(−a·f(w)):
//
// the exponential mechanism. The largest of n noises is that of the earliest
// of n arrivals h, which is E/n for an exponential E.
//
// A Gumbel keeps no state; it may be used by several goroutines if the source
// may.
type Gumbel struct {
	epsilon float64
	parts   uint64
	rate    float64
}

// NewGumbel prepares draws with rate epsilon/parts: epsilon is taken for the
// binary fraction that it is. The quotient must lie in [MinGeometricRate,
// MaxGeometricRate], and parts from 1 to 2^53. Anything else is a
// *ParameterError.
func NewGumbel(epsilon float64, parts uint64) (*Gumbel, error) {
	g, err := NewGeometric(epsilon, parts)
	if err != nil {
		return nil, err
	}
	return &Gumbel{epsilon: g.epsilon, parts: g.parts, rate: g.rate}, nil
}

// Arrival is the earliest of some arrivals: a real number, of which as many
// digits are drawn as are looked at. It is a sum of exponentials over counts,
// the last of them term, and lies between lower and upper.
type Arrival struct {
	lower, upper float64
	term         *arrivalTerm
}

// arrivalTerm is −ln(U)/count, added to the term before.
type arrivalTerm struct {
	u      deferred
	count  uint64
	before *arrivalTerm
}

// First draws the earliest of n arrivals, 1 ≤ n ≤ MaxCount. Another n is a
// *ParameterError.
func (g *Gumbel) First(src Source, n uint64) (Arrival, error) {
	if err := checkCount(n); err != nil {
		return Arrival{}, err
	}
	return Arrival{}.later(src, n)
}

// later draws h + E/n.
//
// In float64: E = −ln U for some U in [W, W+1]·2^-64, by the logarithm of U or
// of 1 − (1 − U), whichever is further from 0. Each end loses at most eight
// units of 2^-52, relative, and is moved out by 2^-48.
func (a Arrival) later(src Source, n uint64) (Arrival, error) {
	u, err := draw(src)
	if err != nil {
		return Arrival{}, err
	}
	w := float64(u.first) // right to a relative 2^-53
	lower, upper := -math.Log((w+1)*0x1p-64), -math.Log(w*0x1p-64)
	if u.first >= 1<<63 {
		rest := float64(^u.first) // 1 − U lies in [rest, rest+1]·2^-64
		lower, upper = -math.Log1p(-rest*0x1p-64), -math.Log1p(-(rest+1)*0x1p-64)
	}
	return Arrival{
		lower: (a.lower + lower/float64(n)) * (1 - 0x1p-48),
		upper: (a.upper + upper/float64(n)) * (1 + 0x1p-48),
		term:  &arrivalTerm{u: u, count: n, before: a.term},
	}, nil
}

// Split draws the earliest arrivals of parts of a set, given that the earliest
// of all is first: parts[i] becomes that of the counts[i] in part i. Every count
// is at least 1, and their sum at most MaxCount; parts is as long as counts, or
// Split panics. It is [Gumbel.Owner] and [Gumbel.Later] for the other parts.
func (g *Gumbel) Split(src Source, first Arrival, counts []uint64, parts []Arrival) error {
	if len(parts) != len(counts) {
		panic("random: Split needs a place for each count")
	}
	owner, err := g.Owner(src, counts)
	if err != nil {
		return err
	}
	for i, n := range counts {
		if parts[i] = first; i == owner {
			continue
		}
		if parts[i], err = g.Later(src, first, n); err != nil {
			return err
		}
	}
	return nil
}

// Owner draws which part has the earliest arrival. Those of the other parts are
// then drawn, independently, by [Gumbel.Later].
//
// Theorem. Drawn so, the parts have their law given the first. Proof. Of
// independent exponentials each is the earliest with the same probability, so
// part i has it with probability counts[i] over their sum; the others are known
// to come after it and nothing else, and are as far behind it as they would be
// behind 0, for an exponential has no memory. ∎ (Maddison, Tarlow & Minka 2014,
// for Gumbel maxima.)
func (g *Gumbel) Owner(src Source, counts []uint64) (int, error) {
	all, err := total(counts)
	if err != nil {
		return 0, err
	}
	earliest, err := belowAny(src, all)
	if err != nil {
		return 0, err
	}
	for i, n := range counts {
		if earliest < n {
			return i, nil
		}
		earliest -= n
	}
	return 0, ErrStuck // not reached: earliest is below the sum
}

// Later draws the earliest of n arrivals that all come after first.
func (g *Gumbel) Later(src Source, first Arrival, n uint64) (Arrival, error) {
	if err := checkCount(n); err != nil {
		return Arrival{}, err
	}
	return first.later(src, n)
}

func total(counts []uint64) (uint64, error) {
	all := uint64(0)
	for _, n := range counts {
		if err := checkCount(n); err != nil {
			return 0, err
		}
		if n > MaxCount-all {
			return 0, &ParameterError{
				Field: "counts",
				Value: "a sum above 2^63",
				Want:  "at most 2^63 together",
			}
		}
		all += n
	}
	return all, nil
}

// Noise returns bounds on the noise −ln(h)/a of an arrival, which may be
// infinite; they are right, not nearest.
func (g *Gumbel) Noise(a Arrival) (lower, upper float64) {
	outward := func(x, sign float64) float64 { return x + sign*0x1p-46*(1+math.Abs(x)) }
	return outward(-math.Log(a.upper)/g.rate, -1), outward(-math.Log(a.lower)/g.rate, 1)
}

// Before compares two candidates exactly: whether f(a) − g(a) < f(b) − g(b), where
// more = f(a) − f(b) is how much larger the loss of a is, and g are the noises
// of the two arrivals; that is, whether e^(rate·more)·a < b. They must be of
// different leaves of one tree of Splits, so that they are equal with
// probability 0.
func (g *Gumbel) Before(src Source, more int64, a, b Arrival) (bool, error) {
	if more < 0 {
		after, err := g.Before(src, -more, b, a)
		return !after, err
	}
	// The exponential is right to 602 units of 2^-52, and e^600 is more than any two arrivals
	// are apart but for those whose bounds float64 does not know.
	exponent := math.Min(float64(more)*g.rate, lastExponent)
	if scale := math.Exp(exponent); margin < 1 {
		if exponent < lastExponent && scale*(1+0x1p-41)*a.upper < b.lower {
			return true, nil
		}
		if scale*(1-0x1p-41)*a.lower > b.upper {
			return false, nil
		}
	}
	for p := uint(firstPrecision); p <= lastPrecision; p *= 2 {
		left, err := a.term.bracket(src, p)
		if err != nil {
			return false, err
		}
		right, err := b.term.bracket(src, p)
		if err != nil {
			return false, err
		}
		// a < b·e^(−rate·more).
		epsilon := new(big.Float).SetFloat64(g.epsilon)
		e := bracket{down(p).Set(epsilon), up(p).Set(epsilon)}
		right = right.times(e.times(whole(p, uint64(more))).over(whole(p, g.parts)).decay())
		if left.upper.Cmp(right.lower) < 0 {
			return true, nil
		}
		if left.lower.Cmp(right.upper) > 0 {
			return false, nil
		}
	}
	return false, ErrStuck
}

// bracket is the sum of a term and all before it.
func (t *arrivalTerm) bracket(src Source, precision uint) (bracket, error) {
	sum := whole(precision, 0)
	for ; t != nil; t = t.before {
		u, err := t.u.bracket(src, precision)
		if err != nil {
			return bracket{}, err
		}
		if u.lower.Sign() == 0 {
			return bracket{}, ErrStuck // 192 zeros or more
		}
		sum = sum.plus(u.minusLog().over(whole(precision, t.count)))
	}
	return sum, nil
}

// belowAny is below for every n from 1 to 2^63: it draws bits and begins anew
// where they are n or more, with probability below 1/2.
func belowAny(src Source, n uint64) (uint64, error) {
	if n <= 1<<58 {
		return below(src, n)
	}
	for range maxAttempts {
		x, err := src.Uint64()
		if err != nil {
			return 0, err
		}
		if x >>= 1; n == MaxCount || x < n {
			return x, nil
		}
	}
	return 0, ErrStuck
}

// checkCount is for the numbers of noises of one maximum.
func checkCount(n uint64) error {
	if n < 1 || n > MaxCount {
		return &ParameterError{
			Field: "count",
			Value: strconv.FormatUint(n, 10),
			Want:  "from 1 to 2^63",
		}
	}
	return nil
}
