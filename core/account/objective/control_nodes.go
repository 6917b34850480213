package objective

import (
	"math"
	"sort"
	"sync"

	"cloister/core/special"
)

// The profile V is convex in e^ε, so that between two ε it is below its chord in e^ε. The
// composition with an output step and the Rényi curve are those of such chords: V is
// asked at some ε only.

const (
	// nodeReach is how far from where it weighs most, in standard deviations, a Gaussian is
	// followed with chords of equal length. Beyond lie 7e-6 of it; on the side where V is
	// larger, chords grow by nodeGrowth.
	nodeReach  = 4.5
	nodeGrowth = 3.0

	// nodeStep is a chord's length in the output step's μ, and nodeShare one in that of
	// both together; none is shorter than nodeLeast in the output step's.
	nodeStep  = 2.5
	nodeShare = 1.0 / 32
	nodeLeast = 5.0 / 24
	nodeLimit = 400
)

// logDeltaWithGaussian is log of a bound on E[V(ε − w)] over w ~ N(μ²/2, μ²).
func (d controlDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	least := logGaussianDelta(epsilon, math.Hypot(d.mu, muOut))
	most := sync.OnceValue(func() float64 { return d.ceiling.logDeltaWithGaussian(epsilon, muOut) })
	// The ceiling's composition takes an integral, and is no less than the ceiling: E[e^−w] = 1,
	// and a profile is convex in e^ε. So it is not needed below that.
	ceiling := d.ceiling.logDelta(epsilon)
	if !(ceiling-least > settled) && !(most()-least > settled) {
		return most()
	}
	at, k := d.ends(epsilon, muOut)
	// Of two Gaussian losses that are ε together, this is the one's share.
	ratio := muOut / math.Hypot(d.mu, muOut)
	centre := math.Max(0, epsilon) * ratio * ratio
	// Losses w beyond those that are worth a chord.
	x, value := at(k)
	total := value + special.LogNormalCDF((epsilon-x)/muOut-muOut/2)
	for i, stride := 0, 1.0; ; i++ {
		if i > nodeLimit {
			return most()
		}
		k -= stride
		low, before := at(k)
		if epsilon-low > centre+nodeReach*muOut {
			stride = math.Ceil(nodeGrowth * stride)
		}
		total = special.LogAddExp(total, logChord(low, x, before, value, epsilon, muOut))
		rest := special.LogNormalSurvival((epsilon-low)/muOut - muOut/2)
		x, value = low, before
		if rest < total-negligible {
			total = special.LogAddExp(total, rest)
			break
		}
	}
	// Masses below 1e-308 were not added.
	if math.IsNaN(total) || below(total, least) || total < -600 {
		return most()
	}
	if !(total <= ceiling) && !(total <= most()) {
		return most()
	}
	return total
}

// ends are where the chords of a composition end: at(k) rises with a whole k, and at(first) is
// beyond all that is worth a chord, or the last.
func (d controlDirection) ends(
	epsilon, muOut float64,
) (at func(k float64) (x, value float64), first float64) {
	reach := epsilon + nodeReach*muOut
	if d.often != nil {
		list := d.often()
		// So many at a time that there are not too many chords.
		step := d.chordStep()
		each := math.Ceil(math.Max(1, nodeLeast*muOut/step))
		first = math.Ceil(float64(sort.SearchFloat64s(list, reach)) / each)
		first = math.Min(first, math.Floor(float64(len(list)-1)/each))
		return func(k float64) (x, value float64) {
			if x = k * each * step; k > 0 {
				x = list[int(k*each)]
			}
			return x, d.node(x, rough)
		}, first
	}
	step := d.step(epsilon, muOut)
	// Whole multiples of the step: other ε have most of them too.
	return func(k float64) (x, value float64) {
		return k * step, d.node(k*step, sharp)
	}, math.Ceil(reach / step)
}

// step is the length of chords near an ε, those of a direction that is asked often aside.
func (d controlDirection) step(epsilon, muOut float64) float64 {
	step := math.Min(nodeStep*muOut, nodeShare*math.Hypot(d.mu, muOut))
	step = math.Max(step, nodeLeast*muOut)
	return math.Max(step, 0x1p-40*(1+math.Abs(epsilon)))
}

// logChord returns log E[H(ε − w); low < ε − w < high] over w ~ N(μ²/2, μ²) for the function
// that is linear in e^x between e^before at x = low and e^value at x = high: with p and q
// the masses of the stretch under N(μ²/2, μ²) and N(−μ²/2, μ²),
//
//	H = e^value + (e^before − e^value)·(1 − e^{x−high})/(1 − e^{low−high}),
//	E[1 − e^{ε−w−high}] = p − e^{ε−high}·q.
func logChord(low, high, before, value, epsilon, mu float64) float64 {
	from, to := (epsilon-high)/mu-mu/2, (epsilon-low)/mu-mu/2
	p := special.NormalMass(from, to)
	q := special.NormalMass(from+mu, to+mu)
	width := -math.Expm1(low - high)
	// Masses err by some 2^-48 of themselves.
	share := (p - math.Exp(epsilon-high)*q + 0x1p-46*p) / width
	share = math.Max(0, math.Min(p, share))
	gap := -math.Expm1(value - before)
	if !(gap > 0) {
		return math.Max(before, value) + math.Log(p)
	}
	return before + math.Log((1-gap)*p+gap*share)
}

// renyi is a bound on D_α: with H the profile and t = α − 1, for any pair,
//
//	e^{tD_α} = 1 + αt·∫ e^{ts}·[H(s) − (1 − e^s)₊] ds.
//
// Below 0 H is that of the Gaussian mechanism, of which the integral is E[r^α − 1 − α(r−1)]
// over log r ~ N(−μ²/2, μ²), r < 1. From 0 on it is below chords, and beyond the last one
// below δ_G(s − c; μ) (theory §4.2), of which the integral is at most E[(e^c r)^α; r >
// e^{s−c}]/e^c. D_α does not fall as α rises, so that what is next to 1 is answered at an
// order where digits suffice.
//
// The answer is the ceiling's D_α where that is less. It takes an integral, which is spared where
// the same sum says that it is not less: the ceiling's profile is convex in e^s as well, so that
// between two nodes it is above the chord to the right of them, made longer. Either is a bound,
// whatever that says.
func (d controlDirection) renyi(alpha float64) float64 {
	asked := alpha
	most := func() float64 {
		return d.ceiling.(interface{ renyi(float64) float64 }).renyi(asked)
	}
	t := math.Max(alpha-1, 1e-3)
	alpha = 1 + t
	mu := d.mu
	square := alpha * t * mu * mu / 2
	if !(square < 600) {
		return most()
	}
	below := math.Exp(square)*special.NormalCDF(-(alpha-0.5)*mu) - special.NormalCDF(mu/2) -
		alpha*(special.NormalCDF(-mu/2)-special.NormalCDF(mu/2))
	sum := below + 0x1p-48*(1+alpha)
	nodes := d.nodes.get(d)
	h := nodes.step
	whole := math.Expm1(t*h) / t
	share := (whole - math.Exp(-h)*math.Expm1(alpha*h)/alpha + 0x1p-48*whole) / -math.Expm1(-h)
	share = math.Max(0, math.Min(whole, share))
	least := below // of the ceiling
	for i := 1; i < len(nodes.logDelta); i++ {
		start := h * float64(i-1)
		before, value := nodes.logDelta[i-1], nodes.logDelta[i]
		gap := -math.Expm1(value - before)
		sum += alpha * t * math.Exp(t*start+before) * ((1-gap)*whole + gap*share)
		if i+1 < len(nodes.ceiling) {
			value, next := nodes.ceiling[i], nodes.ceiling[i+1]
			rise := -math.Expm1(next-value) * math.Exp(-h) // from the right end to the left one
			least += alpha * t * math.Exp(t*start+value) * (whole + rise*share)
		}
	}
	last := nodes.step * float64(len(nodes.logDelta)-1)
	tail := t*nodes.offset + square +
		special.LogNormalCDF((alpha-0.5)*mu-(last-nodes.offset)/mu)
	value := math.Log1p(sum+math.Exp(tail)) / t
	// Next to 1 divergences hardly rise with α.
	if value*(1+4*(alpha-asked)) < math.Log1p(least)/t {
		return value
	}
	// What the sum could not say, as where its terms overflow, the ceiling says.
	if most := most(); !(value < most) {
		return most
	}
	return value
}
