package rdp

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// smallestNoise is the noise multiplier below which the subsampled Gaussian is
// priced as if nothing were sampled away: at σ = 0.02 a step costs 1250α nats
// either way.
const smallestNoise = 0.02

// largestOrder·σ is the order above which sampling is ignored too: exponents of
// (α/σ)²/2 leave no digits after the point there.
const largestOrder = 1e6

// relativeSlack covers the rounding of the trapezoid sum and of the log-space
// terms, about 1e-13 of the result; it is added, so that a curve is an upper
// bound.
const relativeSlack = 1e-12

// subsampledGaussian is one step of the Poisson-subsampled Gaussian mechanism
// (DP-SGD): each record takes part with probability q, the sum has sensitivity
// 1 and noise sigma.
//
// With g(x) = 1 − q + q e^{(2x−1)/(2σ²)} the density ratio of the mixture
// (1−q)N(0,σ²) + qN(1,σ²) to N(0,σ²),
//
//	D_α(mixture‖N) = log E_{x~N(0,σ²)}[g(x)^α] / (α−1),
//
// and D_α of the opposite order is no larger (Mironov, Talwar & Zhang 2019,
// Theorem 5), so this prices both directions of add/remove.
type subsampledGaussian struct {
	q, sigma float64
	h        float64 // step of the trapezoid rule, in units of σ
}

func newSubsampledGaussian(q, sigma float64) subsampledGaussian {
	// The integrand is analytic in z = x/σ for |Im z| < πσ, where g has no zero,
	// and at Im z = d at most e^{d²/2} times its size on the real line. The
	// trapezoid rule then errs by a relative e^{d²/2 − 2πd/h}, here e^{−46}.
	const digits = 46
	d := math.Min(0.95*math.Pi*sigma, math.Sqrt(2*digits))
	// A rate whose square underflows is priced as one whose square does not.
	if q > 0 {
		q = math.Max(q, 1e-120)
	}
	return subsampledGaussian{q: q, sigma: sigma, h: 2 * math.Pi * d / (digits + d*d/2)}
}

// logRatio returns t = log g at z = x/σ and its derivative's weight
// w = q e^u/g, for which dt/dz = w/σ.
func (s subsampledGaussian) logRatio(z float64) float64 {
	u := z/s.sigma - 0.5/(s.sigma*s.sigma)
	if u > 700 {
		return u + math.Log(s.q)
	}
	return math.Log1p(s.q * math.Expm1(u))
}

func (s subsampledGaussian) weight(z float64) float64 {
	u := z/s.sigma - 0.5/(s.sigma*s.sigma)
	return 1 / (1 + math.Exp(math.Log1p(-s.q)-math.Log(s.q)-u))
}

// at returns an upper bound on D_α, in nats, within relative 1e-11 of it for
// σ ≥ smallestNoise.
func (s subsampledGaussian) at(alpha float64) float64 {
	gaussian := productUp(alpha, halfSquare(1/s.sigma))
	switch {
	case s.q == 0:
		return 0
	case s.q == 1 || s.sigma < smallestNoise || alpha > largestOrder*s.sigma:
		return gaussian
	}
	logI := s.logExcessMoment(alpha)
	if math.IsNaN(logI) || math.IsInf(logI, 0) {
		return gaussian
	}
	value := logI
	if logI < 40 {
		value = math.Log1p(math.Exp(logI))
	}
	value = value / (alpha - 1) * (1 + relativeSlack)
	// Sampling never costs more than none (quasi-convexity of D_α), and a sum
	// that failed counts as no sampling.
	if value > 0 && value < gaussian {
		return value
	}
	return gaussian
}

// logExcessMoment returns log E[g^α − 1 − α(g−1)] by the trapezoid rule over
// the stretches of the line that matter.
//
// The integrand is below φ(z)·e^{K(z)} with K(z) = log(1+α) + max(0, αt(z)).
// Because t is a softplus in z, the exponent αt − z²/2 is concave, then (only
// if α > 4σ²) convex around the point where both halves of the mixture are
// equal, then concave: at most two peaks, and both are found by bisection.
func (s subsampledGaussian) logExcessMoment(alpha float64) float64 {
	const drop = 52 // e^{−52}: what is left out, relative to the highest node
	bound := func(z float64) float64 {
		return math.Log1p(alpha) + math.Max(0, alpha*s.logRatio(z)) - z*z/2
	}
	slope := func(z float64) float64 { return alpha*s.weight(z)/s.sigma - z }

	// Peaks, and the valley between them.
	top := alpha/s.sigma + 1
	left, valley, right := 0.0, math.NaN(), 0.0
	if r := 4 * s.sigma * s.sigma / alpha; r < 1 {
		middle := s.sigma * (0.5/(s.sigma*s.sigma) + math.Log1p(-s.q) - math.Log(s.q))
		reach := s.sigma * 2 * math.Atanh(math.Sqrt(1-r))
		from, to := middle-reach, middle+reach
		switch {
		case from > 0 && slope(from) < 0 && slope(to) > 0:
			left = fall(slope, 0, from)
			right = fall(slope, to, top)
			valley = fall(func(z float64) float64 { return -slope(z) }, from, to)
		case from > 0 && slope(from) < 0:
			left = fall(slope, 0, from)
			right = left
		default:
			right = fall(slope, math.Max(0, to), top)
			left = right
		}
	} else {
		left = fall(slope, 0, top)
		right = left
	}

	highest := math.Inf(-1)
	for _, z := range []float64{-2, -1, 1, 2, left, right, left - 1, right - 1, right + 1} {
		highest = math.Max(highest, logExcess(alpha, s.logRatio(z))-z*z/2)
	}
	// Nothing of it is left, or it is no number: at takes the step as unsampled. The
	// ranges of events keep the exponent above −1e4.
	if !(highest > -1e5) {
		return math.NaN()
	}
	floor := highest - drop
	above := func(z float64) float64 { return bound(z) - floor }

	start := -math.Sqrt(2 * math.Max(0, math.Log1p(alpha)-floor))
	if above(start) < 0 && start == 0 {
		start = rise(above, 0, left)
	}
	end := right + 1
	for step := 8.0; above(end) > 0 && step < 1e9; step *= 2 {
		end += step
	}
	if math.IsNaN(valley) || above(valley) > 0 {
		return s.sum(alpha, start, end, highest)
	}
	near := s.sum(alpha, start, fall(above, left, valley), highest)
	far := s.sum(alpha, rise(above, valley, right), end, highest)
	return special.LogAddExp(near, far)
}

// sum returns log of the trapezoid sum over the nodes jh in [from, to];
// highest is near the largest exponent and only scales.
func (s subsampledGaussian) sum(alpha, from, to, highest float64) float64 {
	total := 0.0
	for j := math.Floor(from / s.h); j <= math.Ceil(to/s.h); j++ {
		z := j * s.h
		total += math.Exp(logExcess(alpha, s.logRatio(z)) - z*z/2 - highest)
	}
	return highest + math.Log(total*s.h/math.Sqrt(2*math.Pi))
}

// fall returns a point of [a, b] where f, positive and then negative, changes
// sign; rise is the same for the opposite signs. Sixty halvings, or fewer.
func fall(f func(float64) float64, a, b float64) float64 {
	for range 60 {
		m := a + (b-a)/2
		if m <= a || m >= b || b-a < 1e-3 {
			break
		}
		if f(m) > 0 {
			a = m
		} else {
			b = m
		}
	}
	return b
}

func rise(f func(float64) float64, a, b float64) float64 {
	return a + (b - fall(func(z float64) float64 { return f(a + b - z) }, a, b))
}

// SubsampledGaussian returns the Rényi curve of steps steps of the
// Poisson-subsampled Gaussian mechanism with sampling rate q ∈ [0, 1] and
// noise multiplier sigma = noise/sensitivity, under add/remove.
func SubsampledGaussian(q, sigma float64, steps int) Curve {
	return Curve{
		adjacency: privacy.AddRemove,
		added:     scaled(newSubsampledGaussian(q, sigma).at, float64(steps)),
	}
}
