package random

import (
	"math"
	"math/big"
	"strconv"
)

// Range of epsilon/parts that [NewGeometric] takes.
const (
	MinGeometricRate = 0x1p-40
	MaxGeometricRate = 64
)

// MaxCount is the largest number of noises of which a maximum is drawn.
const MaxCount = 1 << 63

// Geometric draws maxima of independent geometric numbers, exactly:
//
//	P[G ≥ k] = q^k for k = 0, 1, …,   q = e^(−epsilon/parts),
//
// so the maximum of n of them is at most k with probability F(k)ⁿ,
// F(k) = 1 − q^(k+1). It is the noise of report noisy min on losses counted in
// units of 1/T, with epsilon/parts = ε/(ΔT).
//
// [Geometric.Maximum] draws the maximum of n, and [Geometric.Split] says, given
// that maximum, what the maxima of its parts are: the noises of a whole tree
// can be drawn from the top down, and only where somebody looks. Together they
// are one construction of independent noises: the maxima drawn for any nodes of
// a tree have the joint law that independent geometric numbers on its leaves
// would give them (theorem at [Geometric.First]).
//
// Nothing is rounded. A decision is taken in float64 where the two sides differ
// by more than a proved bound on the error, and by directed rounding in big
// floats, on further digits of the same uniform number, where they do not. A
// draw is replaced by an error in events (ErrStuck) of total probability below
// 2^-200.
//
// A Geometric keeps no state; it may be used by several goroutines if the
// source may.
type Geometric struct {
	epsilon float64
	parts   uint64
	rate    float64 // epsilon/parts, rounded: right to a relative 2^-52
	last    int64   // the largest number that is drawn
}

// NewGeometric prepares draws with q = e^(−epsilon/parts): epsilon is taken for
// the binary fraction that it is. The quotient must lie in [MinGeometricRate,
// MaxGeometricRate], and parts from 1 to 2^53. Anything else is a
// *ParameterError.
func NewGeometric(epsilon float64, parts uint64) (*Geometric, error) {
	if parts < 1 || parts > 1<<53 {
		return nil, &ParameterError{
			Field: "parts",
			Value: strconv.FormatUint(parts, 10),
			Want:  "a whole number from 1 to 2^53",
		}
	}
	rate := epsilon / float64(parts)
	if !(rate >= MinGeometricRate && rate <= MaxGeometricRate) {
		return nil, &ParameterError{
			Field: "epsilon",
			Value: number(epsilon),
			Want:  "from 2^-40 to 64 times parts, which is " + strconv.FormatUint(parts, 10),
		}
	}
	return &Geometric{
		epsilon: epsilon,
		parts:   parts,
		rate:    rate,
		last:    int64(lastExponent / rate),
	}, nil
}

// lastExponent bounds k·rate: of 2^63 noises one is beyond with probability
// below 2^63·e^-600 < 2^-800.
const lastExponent = 600

// unbounded stands for "no maximum is known".
const unbounded = math.MaxInt64

// Maximum draws the largest of n independent geometric numbers, 1 ≤ n ≤
// MaxCount. Another n is a *ParameterError.
func (g *Geometric) Maximum(src Source, n uint64) (int64, error) {
	if err := checkCount(n); err != nil {
		return 0, err
	}
	return g.atMost(src, n, unbounded)
}

// Split draws the maxima of parts of a set of independent geometric numbers,
// given that the largest of all is maximum: parts[i] becomes the largest of the
// counts[i] that part i has. Every count is at least 1, and their sum at most
// MaxCount; parts is as long as counts, or Split panics. It is [Geometric.First]
// and [Geometric.AtMost] for each part.
func (g *Geometric) Split(src Source, maximum int64, counts []uint64, parts []int64) error {
	if len(parts) != len(counts) {
		panic("random: Split needs a place for each count")
	}
	first, err := g.First(src, maximum, counts)
	if err != nil {
		return err
	}
	for i, n := range counts {
		switch {
		case i < first:
			parts[i], err = g.AtMost(src, n, maximum-1)
		case i == first:
			parts[i] = maximum
		default:
			parts[i], err = g.AtMost(src, n, maximum)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// First draws which part is the first to reach the maximum of all. The parts
// before it are then, independently, at most maximum − 1, and those after it at
// most maximum: draw what is needed of them with [Geometric.AtMost].
//
// Theorem. Drawn so, the parts have their law given the maximum. Proof. Let two
// parts have N₁ and N₂ members, N = N₁ + N₂ and ρ = F(x−1)/F(x). Given that all are
// at most x, part i is below x with probability ρ^Nᵢ, independently. Given that
// not both are, the first reaches x with probability (1 − ρ^N₁)/(1 − ρ^N); if it
// does, nothing more is known of the second than that it is at most x; if it
// does not, it is at most x − 1, and the second reaches x. Of more than two parts,
// the second is all that follow the first, and is split in turn. ∎
// (nonconvex §5.2.)
func (g *Geometric) First(src Source, maximum int64, counts []uint64) (int, error) {
	rest, err := total(counts)
	if err != nil {
		return 0, err
	}
	if maximum < 0 || maximum > g.last {
		return 0, &ParameterError{
			Field: "maximum",
			Value: strconv.FormatInt(maximum, 10),
			Want:  "a number that Maximum gave",
		}
	}
	for i, n := range counts {
		here, err := g.reaches(src, n, rest, maximum)
		if err != nil || here {
			return i, err
		}
		rest -= n
	}
	return 0, ErrStuck // not reached: the last part is all of the rest
}

// AtMost draws the largest of n independent geometric numbers, given that none
// is above limit, which is at least 0. Another n or limit is a *ParameterError.
func (g *Geometric) AtMost(src Source, n uint64, limit int64) (int64, error) {
	if err := checkCount(n); err != nil {
		return 0, err
	}
	if limit < 0 || limit > g.last {
		return 0, &ParameterError{
			Field: "limit",
			Value: strconv.FormatInt(limit, 10),
			Want:  "a number that Maximum gave, or one less",
		}
	}
	return g.atMost(src, n, limit)
}

// reaches is true with the probability that n of all noises have one equal to x, given that the
// largest of all is x: (1 − ρⁿ)/(1 − ρ^all), ρ = F(x−1)/F(x).
//
// In float64: ρ = 1 − s, s = q^x(1−q)/(1−q^(x+1)) ≤ 1/2 (of the x+1 masses up to x,
// that of x is the least), and all of s, ln ρ = log1p(−s) and expm1(n ln ρ) lose
// at most x·rate + 20 units of 2^-52 relative, doubled by log1p: with
// x·rate ≤ 600 the quotient is right to 2^-40, far within the margin.
func (g *Geometric) reaches(src Source, n, all uint64, x int64) (bool, error) {
	if n == all || x == 0 {
		return true, nil
	}
	u, err := draw(src)
	if err != nil {
		return false, err
	}
	if yes, sure := u.below(g.attains(n, all, x)); sure {
		return yes, nil
	}
	for p := uint(firstPrecision); p <= lastPrecision; p *= 2 {
		b, err := u.bracket(src, p)
		if err != nil {
			return false, err
		}
		f := g.cumulative(p, x)
		rho := g.cumulative(p, x-1).over(f)
		if rho.upper.Cmp(big.NewFloat(1)) > 0 {
			continue
		}
		left, right := b.times(rho.power(all).rest()), rho.power(n).rest()
		if left.upper.Cmp(right.lower) < 0 {
			return true, nil
		}
		if left.lower.Cmp(right.upper) > 0 {
			return false, nil
		}
	}
	return false, ErrStuck
}

// attains is the probability of reaches, in float64.
func (g *Geometric) attains(n, all uint64, x int64) float64 {
	k := float64(x)
	s := math.Exp(-k*g.rate) * math.Expm1(-g.rate) / math.Expm1(-(k+1)*g.rate)
	logRho := math.Log1p(-s)
	return math.Expm1(float64(n)*logRho) / math.Expm1(float64(all)*logRho)
}

// atMost draws the largest of n, given that it is at most x (which may be
// unbounded): the least k with U ≤ (F(k)/F(x))ⁿ.
func (g *Geometric) atMost(src Source, n uint64, x int64) (int64, error) {
	if x == 0 {
		return 0, nil
	}
	u, err := draw(src)
	if err != nil {
		return 0, err
	}
	// The answer is above low and at most high, where what is beyond g.last is a fault. The
	// guess is almost always right, and what it is does not matter to the law.
	low, high := int64(-1), min(x, g.last+1)
	k := min(max(g.guess(&u, n, x), 0), high-1)
	for step := int64(1); low+1 < high; step *= 2 {
		yes, err := g.reached(src, &u, n, k, x)
		if err != nil {
			return 0, err
		}
		if yes {
			high, k = k, k-step
		} else {
			low, k = k, k+step
		}
		if k <= low || k >= high {
			k = low + (high-low)/2
		}
	}
	if high > g.last {
		return 0, ErrStuck
	}
	return high, nil
}

// guess solves U = (F(k)/F(x))ⁿ for k in float64 and rounds up.
func (g *Geometric) guess(u *deferred, n uint64, x int64) int64 {
	logU := math.Log(u.middle())
	if u.first >= 1<<63 {
		logU = math.Log1p(-(float64(^u.first) + 0.5) * 0x1p-64)
	}
	root := logU / float64(n)
	tail := -math.Expm1(root) // 1 − F(k) = q^(k+1)
	if x != unbounded {
		tail += math.Exp(root - float64(x+1)*g.rate)
	}
	return int64(math.Ceil(math.Min(-math.Log(tail)/g.rate, lastExponent/g.rate))) - 1
}

// reached is whether U ≤ (F(k)/F(x))ⁿ, exactly.
//
// In float64: D = ln(F(k)/F(x)) is taken from whichever of F(k)/F(x) and
// 1 − F(k)/F(x) = q^(k+1)(1 − q^(x−k))/(1 − q^(x+1)) is at most 1/2, both of which
// lose at most (k+1)·rate + 20 units of 2^-52, relative; D loses at most twice as
// many. Where n·|D| ≤ 60 its exponential is therefore right to
// 60·2·620·2^-52 < 2^-35, within half the margin. Where it is more, the power is
// below e^-59 < 2^-24 ≤ U.
func (g *Geometric) reached(src Source, u *deferred, n uint64, k, x int64) (bool, error) {
	if k >= x {
		return true, nil
	}
	y := float64(n) * g.logRatio(k, x)
	if y < -60 {
		if u.first >= leastWord && margin < 1 {
			return false, nil
		}
	} else if yes, sure := u.below(math.Exp(y)); sure {
		return yes, nil
	}
	for p := uint(firstPrecision); p <= lastPrecision; p *= 2 {
		b, err := u.bracket(src, p)
		if err != nil {
			return false, err
		}
		ratio := g.cumulative(p, k)
		if x != unbounded {
			ratio = ratio.over(g.cumulative(p, x))
		}
		ratio = ratio.power(n)
		if b.upper.Cmp(ratio.lower) <= 0 {
			return true, nil
		}
		if b.lower.Cmp(ratio.upper) > 0 {
			return false, nil
		}
	}
	return false, ErrStuck
}

// logRatio is ln(F(k)/F(x)) for k < x, in float64.
func (g *Geometric) logRatio(k, x int64) float64 {
	a := float64(k+1) * g.rate
	below, missing := -math.Expm1(-a), math.Exp(-a)
	if x != unbounded {
		all := -math.Expm1(-float64(x+1) * g.rate)
		below, missing = below/all, missing*-math.Expm1(-float64(x-k)*g.rate)/all
	}
	if missing <= 0.5 {
		return math.Log1p(-missing)
	}
	return math.Log(below)
}

// cumulative is F(k) = 1 − e^(−(k+1)·epsilon/parts).
func (g *Geometric) cumulative(precision uint, k int64) bracket {
	epsilon := new(big.Float).SetFloat64(g.epsilon)
	a := bracket{down(precision).Set(epsilon), up(precision).Set(epsilon)}
	a = a.times(whole(precision, uint64(k)+1)).over(whole(precision, g.parts))
	return a.decay().rest()
}
