package learn

import (
	"math"
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/privacy"
)

// verifySteps checks that a mechanism of steps learnt something if it moved from 0, where it
// starts: no steps cost nothing, and neither do steps that draw no record, or that drown each
// in noise. Of at most N = calibrate.MostRecords records, T steps at rate q and noise
// multiplier z give out what they give out of none but for a probability of
// N·q·T·min{1, 1/(z√(2π))}, and gradient descent but for N·Σ Δ/(σ_t√(2π)): so far apart in
// total variation are two normal laws whose means differ by a part of their σ. What is below
// 2^-100, or below the stated δ, counts as nothing (silent).
func (r *Release) verifySteps(found []privacy.Event, check checker) {
	root := math.Sqrt(2 * math.Pi)
	counted, ok, ran := false, true, r.Model.ran(r.Event)
	for k, event := range found {
		chance := 0.0 // for one record
		switch e := event.(type) {
		case privacy.GradientDescent:
			for _, sigma := range e.Sigmas {
				chance += e.Sensitivity / sigma / root
			}
		case privacy.SubsampledGaussian:
			chance = e.Rate * float64(e.Steps) * math.Min(1, 1/(e.NoiseMultiplier*root))
		default:
			continue
		}
		counted = true
		learnt := calibrate.MostRecords*chance*ran >= r.silent()
		ok = ok && (learnt || !slices.ContainsFunc(
			r.Model.fitted(k), func(c float64) bool { return c != 0 },
		))
	}
	if counted {
		check(
			"steps", ok, "The mechanism took steps to get to these coefficients.",
			"The mechanism took no step that sees a record, or sees none through its noise, and so gives out nothing that was learnt; the coefficients are not all 0.",
		)
	}
}

// silent is the chance of telling anything at all below which a mechanism is called silent. One
// that tells something with a probability of at most δ is (0, δ)-DP, whatever it tells then: so
// its guarantee is none for what it told.
func (r *Release) silent() float64 { return math.Max(leastChance, r.Guarantee.Delta) }
