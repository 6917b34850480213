package linear

import (
	"math"

	"cloister/core/special"
)

// Worth is what is known of a mechanism's claim.
type Worth string

const (
	Proved   Worth = "proved"   // by the theorem of the package comment
	Refuted  Worth = "refuted"  // by a counterexample
	Unproved Worth = "unproved" // the published proof fails; no counterexample at these numbers
)

// Promise is what is asked of a mechanism: (ε, δ) for neighbours whose losses have this span,
// 1 or 2. Delta is not looked at by mechanisms of pure ε.
type Promise struct {
	Epsilon, Delta float64
	Span           float64
}

// Mechanism is one way to take features and noise.
type Mechanism struct {
	Name     string
	Title    string // for people; it says what the claim is worth
	Worth    Worth
	Features Features

	// Noise is the law that is claimed to keep the promise. The published ones are for records
	// replaced, whatever the span, and for losses in [0, 1], G = 1/τ.
	Noise func(Class, Promise) (Noise, error)
}

// Mechanisms are all there are.
func Mechanisms() []Mechanism {
	return []Mechanism{
		{
			Name:  "opdisc-published",
			Title: "OPDisc as published: its theorem is false",
			Worth: Refuted, Features: Sphere{}, Noise: publishedOPDisc,
		},
		{
			Name:  "opdisc-gaussian",
			Title: "OPDisc, Gaussian noise corrected: (ε, δ) proved",
			Worth: Proved, Features: Sphere{}, Noise: correctedOPDisc,
		},
		{
			Name:  "opdisc-pure",
			Title: "OPDisc, noise by its length: pure ε proved",
			Worth: Proved, Features: Sphere{}, Noise: pureOPDisc,
		},
		{
			Name:  "rspm-experiment",
			Title: "RSPM as the paper ran it: no separators, not private",
			Worth: Refuted, Features: Coordinates{}, Noise: publishedRSPM(Coordinates{}),
		},
		{
			Name:  "rspm-published",
			Title: "RSPM as published, with separators: its theorem is false",
			Worth: Refuted, Features: Thresholds{}, Noise: publishedRSPM(Thresholds{}),
		},
		{
			Name:  "rspm-gaussian",
			Title: "RSPM, Gaussian noise corrected: (ε, δ) proved",
			Worth: Proved, Features: Thresholds{}, Noise: correctedRSPM,
		},
		{
			Name:  "rspm-pure",
			Title: "RSPM, noise by its largest entry: pure ε proved",
			Worth: Proved, Features: Thresholds{}, Noise: pureRSPM,
		},
	}
}

// PublishedOPDisc is the paper's σ = 7GD²√(ln 1/δ)/(τε), for G-Lipschitz losses.
func PublishedOPDisc(lipschitz, squareOfNorm, separation, epsilon, delta float64) float64 {
	return 7 * lipschitz * squareOfNorm * math.Sqrt(math.Log(1/delta)) / (separation * epsilon)
}

// PublishedOPDiscError is the paper's bound on the loss above the least, of n records' mean, with
// probability 1 − β (its Theorem 1): 2√(2(d+1) ln(4/β))σ/n.
func PublishedOPDiscError(d int, sigma, beta, n float64) float64 {
	return 2 * math.Sqrt(2*float64(d+1)*math.Log(4/beta)) * sigma / n
}

// PublishedRSPM is the paper's σ = 7√(m ln 1/δ)/ε, for m separators.
func PublishedRSPM(separators int, epsilon, delta float64) float64 {
	return 7 * math.Sqrt(float64(separators)*math.Log(1/delta)) / epsilon
}

func publishedOPDisc(c Class, p Promise) (Noise, error) {
	tau := c.separation()
	sigma := PublishedOPDisc(1/tau, float64(c.squareOfNorm()), tau, p.Epsilon, p.Delta)
	return Noise{Gaussian, sigma}, nil
}

func publishedRSPM(f Features) func(Class, Promise) (Noise, error) {
	return func(c Class, p Promise) (Noise, error) {
		return Noise{Gaussian, PublishedRSPM(f.Count(c), p.Epsilon, p.Delta)}, nil
	}
}

// sphereShift is c = 2ΔD²/τ².
func sphereShift(c Class, span float64) float64 {
	tau := c.separation()
	return 2 * span * float64(c.squareOfNorm()) / (tau * tau)
}

func correctedOPDisc(c Class, p Promise) (Noise, error) {
	mu, err := largest(p, func(mu float64) (float64, error) {
		return SphereDelta(Sphere{}.Count(c), mu, p.Epsilon)
	})
	return Noise{Gaussian, sphereShift(c, p.Span) / mu}, err
}

func correctedRSPM(c Class, p Promise) (Noise, error) {
	mu, err := largest(p, func(mu float64) (float64, error) {
		return SeparatorsDelta(Thresholds{}.Count(c), mu, p.Epsilon)
	})
	return Noise{Gaussian, p.Span / mu}, err
}

func pureOPDisc(c Class, p Promise) (Noise, error) {
	return Noise{Ball, sphereShift(c, p.Span) / p.Epsilon}, nil
}

func pureRSPM(_ Class, p Promise) (Noise, error) { return Noise{Box, p.Span / p.Epsilon}, nil }

// slack is by how much less than δ a calibration aims at, for the rounding of the profiles.
const slack = 1e-6

// largest is a μ at which δ(ε) is at most the promised one, and a part in 10^6 more μ would
// make it more. delta grows with μ.
func largest(p Promise, delta func(mu float64) (float64, error)) (float64, error) {
	var failed error
	excess := func(log float64) float64 {
		d, err := delta(math.Exp(log))
		if err != nil {
			failed = err
		}
		return d - p.Delta*(1-slack)
	}
	good := math.Log(p.Epsilon)
	for failed == nil && excess(good) > 0 {
		good -= math.Ln2
	}
	bad := good + math.Ln2
	for failed == nil && excess(bad) <= 0 {
		bad += math.Ln2
	}
	if failed != nil {
		return 0, failed
	}
	mu, err := special.ConservativeRoot(excess, bad, good, 1e-7)
	if failed != nil {
		return 0, failed
	}
	return math.Exp(mu), err
}
