package audit

import (
	"math"
	"slices"
)

// Law is about how a statistic is distributed on either data set: a histogram, whose
// bar i lies from Low + i·Step to Low + (i+1)·Step. It serves to aim an attack, and no
// bound rests on it.
type Law struct {
	Low, Step     float64
	Without, With []float64 // probabilities
}

// bars of a Law.
const bars = 1 << 10

// Mass is a value of the statistic with its probability on either data set.
type Mass struct{ Statistic, Without, With float64 }

// NewLaw is the histogram of these values, at least one of which differs.
func NewLaw(masses []Mass) Law {
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range masses {
		low, high = math.Min(low, m.Statistic), math.Max(high, m.Statistic)
	}
	l := Law{Low: low, Step: (high - low) / (bars - 1)}
	l.Without, l.With = make([]float64, bars), make([]float64, bars)
	for _, m := range masses {
		i := int((m.Statistic - low) / l.Step)
		l.Without[i] += m.Without
		l.With[i] += m.With
	}
	return l
}

// Shifted is the law of a standard Gaussian statistic that the record moves by mu, with
// 0 in the middle.
func Shifted(mu float64) Law {
	const reach = 6
	var masses []Mass
	below := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	step := (2*reach + mu) / bars
	for i := range bars {
		x := -reach - mu/2 + (float64(i)+0.5)*step
		mass := func(centre float64) float64 {
			return below(x+step/2-centre) - below(x-step/2-centre)
		}
		masses = append(masses, Mass{x, mass(-mu / 2), mass(mu / 2)})
	}
	return NewLaw(masses)
}

// Sum is the law of the sum of so many independent statistics of this law, at least 1.
func (l Law) Sum(count int) Law {
	sum := l
	for range count - 1 {
		masses := make([]Mass, len(sum.With)+len(l.With)-1)
		for i := range sum.With {
			for j := range l.With {
				masses[i+j].Without += sum.Without[i] * l.Without[j]
				masses[i+j].With += sum.With[i] * l.With[j]
			}
		}
		// Two bars of one width add up to one of twice the width; its middle half stands
		// for it.
		sum = Law{Low: sum.Low + l.Low + l.Step/2, Step: l.Step}
		for _, m := range masses {
			sum.Without, sum.With = append(sum.Without, m.Without), append(sum.With, m.With)
		}
	}
	return sum
}

// Aim is where a promise is tried: that P(S) ≤ e^Epsilon·Q(S) + δ(Epsilon), for S that
// the statistic is above Line, P the law with the record and Q without. With Below, S is
// that the statistic is not above Line, P the law without the record and Q with it.
type Aim struct {
	Epsilon, Line float64
	Below         bool

	// Rounds are how many show, with probability Power or nearly, that a mechanism of the
	// law aimed at breaks the promise; MaxRounds if no more do.
	Rounds int
}

const (
	// Power is the probability with which Aim.Rounds rounds are enough, by the normal
	// approximation.
	Power = 0.9998

	// MinRounds and MaxRounds bound Aim.Rounds.
	MinRounds = 2_000
	MaxRounds = 1 << 30

	powerQuantile = 3.5401 // of the normal distribution, above which lies 1 − Power
)

// Take aims where a mechanism of this law is caught by the fewest rounds: promised is
// the profile that it does not keep, at these ε.
//
// The difference P̂(S) − e^ε Q̂(S) of N rounds has variance 2v/N, v = P(1 − P) +
// e^{2ε}Q(1 − Q). The bound asks for it to be √(2 log(1/α)) deviations above δ(ε), those
// of the worst Q in its interval, and it falls short of its mean by 3.54 of its own with
// probability 1 − Power.
func Take(
	law Law, promised func(epsilon float64) (float64, error), epsilons []float64,
) (Aim, error) {
	best, fewest := Aim{Rounds: MaxRounds}, float64(MaxRounds)
	for _, epsilon := range epsilons {
		delta, err := promised(epsilon)
		if err != nil {
			return Aim{}, err
		}
		c := math.Exp(epsilon)
		p, q := 0.0, 0.0
		for i, n := range slices.Backward(law.With) {
			p, q = math.Min(1, p+n), math.Min(1, q+law.Without[i])
			line := law.Low + float64(i)*law.Step
			for _, a := range []struct {
				p, q  float64
				below bool
			}{{p, q, false}, {1 - q, 1 - p, true}} {
				gap := a.p - c*a.q - delta
				if !(gap > 1e-9) {
					continue
				}
				if rounds := needed(a.p, a.q, c, delta, gap); rounds < fewest {
					fewest = rounds
					best = Aim{
						Epsilon: epsilon, Line: line, Below: a.below,
						Rounds: max(MinRounds, int(math.Ceil(rounds))),
					}
				}
			}
		}
	}
	return best, nil
}

// Middle returns the middle between the two means, and the larger of the two standard
// deviations.
func (l Law) Middle() (centre, spread float64) {
	var means [2]float64
	for side, weights := range [][]float64{l.Without, l.With} {
		sum, squares := 0.0, 0.0
		for i, w := range weights {
			x := l.Low + (float64(i)+0.5)*l.Step
			sum += w * x
			squares += w * x * x
		}
		means[side] = sum
		spread = math.Max(spread, math.Sqrt(math.Max(0, squares-sum*sum)))
	}
	return (means[0] + means[1]) / 2, spread
}

// Deviations of a Gaussian as the bounds ask for them: of Cramér's, √(2 log(1/α)), for its
// share of FalseAlarm/2, and of the interval of Q.
var (
	boundDeviations    = math.Sqrt(2 * math.Log(2/(FalseAlarm*(1-nuisance))))
	intervalDeviations = math.Sqrt2 * math.Erfinv(1-FalseAlarm*nuisance/2)
)

// needed is how many rounds show a gap between p − cq and delta.
func needed(p, q, c, delta, gap float64) float64 {
	spread := func(p, q float64) float64 {
		return math.Sqrt(2 * (p*(1-p) + c*c*q*(1-q)))
	}
	own := spread(p, q)
	rounds := math.Pow((boundDeviations+powerQuantile)*own/gap, 2)
	for range 4 {
		// What the interval allows: the worst is where the two vary most.
		worst := 0.0
		for _, sign := range []float64{-1, 0, 1} {
			at := q + sign*intervalDeviations*math.Sqrt(2*q*(1-q)/rounds)
			at = math.Min(1, math.Max(0, at))
			worst = math.Max(worst, spread(math.Min(1, delta+c*at), at))
		}
		rounds = math.Pow((boundDeviations*worst+powerQuantile*own)/gap, 2)
	}
	return math.Max(rounds, 60/p) // the approximation needs a few of the rarer outcomes
}
