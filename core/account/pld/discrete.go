package pld

import (
	"math"

	"cloister/core/privacy"
)

// responseLoss is the loss of randomised response: the true value of one
// neighbour has probability truth, each of the other categories−1 an equal part
// of the rest.
func responseLoss(truth float64, categories int) *loss {
	others := float64(categories - 1)
	rest := (1 - truth) / others
	high, low := math.Max(truth, rest), math.Min(truth, rest)
	epsilon0 := math.Abs(privacy.RandomisedResponse{Truth: truth, Categories: categories}.LogOdds())
	l := &loss{
		atoms:   []atom{{loss: -epsilon0, mass: low}, {loss: epsilon0, mass: high}},
		lattice: 2 * epsilon0,
	}
	if categories > 2 {
		l.atoms = []atom{l.atoms[0], {mass: rest * (others - 1)}, l.atoms[1]}
		l.lattice = epsilon0
	}
	return l
}

// pureLoss is the largest loss of an ε0-DP mechanism, met by randomised
// response between two values (Kairouz, Oh & Viswanath 2015).
func pureLoss(epsilon0 float64) *loss { return approximateLoss(epsilon0, 0) }

// approximateLoss is the largest loss of an (ε0, δ0)-DP mechanism: with
// probability δ0 all is revealed, else it is pureLoss (same source).
func approximateLoss(epsilon0, delta0 float64) *loss {
	odds := math.Exp(-epsilon0)
	mass := (1 - delta0) / (1 + odds)
	return &loss{
		infinite: delta0,
		atoms:    []atom{{loss: -epsilon0, mass: mass * odds}, {loss: epsilon0, mass: mass}},
		lattice:  2 * epsilon0,
		exact:    true,
	}
}

// mostAtoms is how many values of the noise are listed one by one; more are
// grouped to about as many.
const mostAtoms = 1 << 16

// discreteLaplaceLoss is the loss of noise of mass tanh(a/2) e^{−a|x|} on the
// integers, a = 1/scale, for a shift by the whole number shift: a(shift − 2x)
// for noise x between 0 and shift, and no more than that beyond.
func discreteLaplaceLoss(shift int, scale float64) *loss {
	a, d := 1/scale, float64(shift)
	ends := 1 / (1 + math.Exp(-a))
	l := &loss{lattice: 2 * a}
	l.atoms = append(l.atoms, atom{loss: -a * d, mass: ends * math.Exp(-a*d)})
	size := groupSize(d)
	if size > 1 {
		l.lattice = 2 * a * d
	}
	height := math.Tanh(a / 2)
	for last := d - 1; last > 0; last -= size {
		// Noise first … last: e^{−a·first} and e^{−a(shift−last)} times the same
		// geometric sum, so that the group's loss is exact.
		first := math.Max(1, last-size+1)
		sum := math.Expm1(-a*(last-first+1)) / math.Expm1(-a)
		l.atoms = append(l.atoms, atom{
			loss:  a * (d - first - last),
			mass:  height * math.Exp(-a*first) * sum,
			reach: a * (last - first),
		})
	}
	l.atoms = append(l.atoms, atom{loss: a * d, mass: ends})
	return l
}

func groupSize(values float64) float64 { return math.Max(1, math.Ceil(values/mostAtoms)) }

// discreteGaussianLoss is the loss of noise of mass ∝ e^{−x²/(2σ²)} on the
// integers for a shift by the whole number shift: shift·(shift − 2x)/(2σ²).
// Noise beyond 39σ has less mass than the smallest float64, which is dust.
func discreteGaussianLoss(shift int, sigma float64) *loss {
	d := float64(shift)
	most := math.Ceil(39 * sigma)
	size := groupSize(2 * most)
	step := d / sigma / sigma
	l := &loss{dust: math.SmallestNonzeroFloat64, lattice: step}
	if size > 1 {
		l.lattice = 0
	}
	total := 0.0
	for last := most; last >= -most; last -= size {
		first := math.Max(-most, last-size+1)
		u := (first + last) / 2 / sigma
		inside := bellSum(u, last-first+1, sigma)
		mass := math.Exp(-u*u/2) * (1 + inside)
		if mass == 0 {
			continue
		}
		total += mass * (last - first + 1)
		l.atoms = append(l.atoms, atom{
			loss:  groupLoss(step*(d/2-(first+last)/2), u, u-d/sigma, last-first+1, sigma),
			mass:  mass * (last - first + 1),
			reach: step * (last - first),
		})
	}
	for i := range l.atoms {
		l.atoms[i].mass /= total
	}
	return l
}

// groupLoss is −log(Q-mass/P-mass) of m points around uσ in P's coordinate and wσ in
// Q's, of which the middle one has the loss middle = (w² − u²)/2:
//
//	middle + log(1 + B(u)) − log(1 + B(w)),   B = bellSum.
//
// Where the shift is small beside σ so is this, and the logarithms are not: what they
// differ by is taken without them.
func groupLoss(middle, u, w, m, sigma float64) float64 {
	h := math.Abs(w) / (2 * sigma)
	if m == 1 || m*h <= 0.05 {
		return middle + math.Log1p(-2*middle*bellSlope(u, w, m, sigma)/(1+bellSum(w, m, sigma)))
	}
	// The mean of e^{−wτ} alone, sinh(mh)/(m·sinh h), is more than 1 + B(w), by 2·10⁻⁷ at
	// most. Such a group's Q-mass is then no less than it is, and its loss no more, which
	// is right for lower ends; that of upper ends is the group's largest, which its reach,
	// a tenth and more, takes in.
	logSinh := func(x float64) float64 { return x - math.Ln2 + math.Log(-math.Expm1(-2*x)) }
	return middle + math.Log1p(bellSum(u, m, sigma)) - (logSinh(m*h) - logSinh(h) - math.Log(m))
}

// bellSum returns the mean of e^{−uτ−τ²/2} less 1 over the m points τ = j/σ,
// j whole or half-whole and symmetric about 0. Groups are so small, |τ| < 10⁻³
// where there is more than one point, that four terms of the Hermite series
// leave a relative error below 1e-16 up to u = 39 and beyond.
func bellSum(u, m, sigma float64) float64 {
	second, fourth, sixth := bellMoments(m, sigma)
	v := u * u
	return second*(v-1)/2 + fourth*((v-6)*v+3)/24 + sixth*(((v-15)*v+45)*v-15)/720
}

// bellSlope is (bellSum(u) − bellSum(w))/(u² − w²).
func bellSlope(u, w, m, sigma float64) float64 {
	second, fourth, sixth := bellMoments(m, sigma)
	v, x := u*u, w*w
	return second/2 + fourth*(v+x-6)/24 + sixth*((v+x)*(v+x)-v*x-15*(v+x)+45)/720
}

// bellMoments are the means of τ², τ⁴ and τ⁶ over those points.
func bellMoments(m, sigma float64) (second, fourth, sixth float64) {
	if m == 1 {
		return 0, 0, 0
	}
	square := m * m
	second = (square - 1) / 12 / (sigma * sigma)
	fourth = second * (3*square - 7) / 20 / (sigma * sigma)
	sixth = second * (3*square*square - 18*square + 31) / 112 / (sigma * sigma) / (sigma * sigma)
	return second, fourth, sixth
}
