package dpsgd

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// Plan says what is done, all of it public. Adjacency has no default.
type Plan struct {
	Adjacency privacy.Adjacency // AddRemove: replacing a record is two changes to a Poisson sample

	Rate            float64 // q, with which each record takes part in a step; 0 < q ≤ 1
	Steps           int     // T
	Clip            float64 // C, to which each record's gradient is clipped, in units of f′·‖x‖
	NoiseMultiplier float64 // z_σ = σ/C

	// Batch is b, the expected number of records in a step, which sums are
	// divided by. It is a public number: q times a public guess of n.
	Batch float64

	Optimiser Optimiser

	// Average is the number of last θ whose mean is released; 0 and 1 stand for the last
	// one itself.
	Average int
}

// Event is what account prices. It is a *privacy.ParameterError if a number of
// the plan is out of range.
func (p Plan) Event() (privacy.SubsampledGaussian, error) {
	event := privacy.SubsampledGaussian{
		Adjacency: p.Adjacency, Rate: p.Rate, NoiseMultiplier: p.NoiseMultiplier, Steps: p.Steps,
	}
	return event, p.validate(event)
}

// For returns the plan with rate, steps, noise and adjacency of an event, as
// calibration gives it out.
func (p Plan) For(event privacy.SubsampledGaussian) Plan {
	p.Adjacency, p.Rate, p.Steps, p.NoiseMultiplier = event.Adjacency, event.Rate, event.Steps,
		event.NoiseMultiplier
	return p
}

// Range of noise multipliers: the noise must be a lattice's, and records of
// whole numbers that add up exactly.
const (
	minNoiseMultiplier = 0x1p-16
	maxNoiseMultiplier = 0x1p+24
)

func (p Plan) validate(event privacy.SubsampledGaussian) error {
	if err := event.Validate(); err != nil {
		return err
	}
	if !(p.Rate >= 0x1p-40) {
		return &privacy.ParameterError{
			Field: "rate",
			Value: privacy.Number(p.Rate),
			Want:  "from 2^-40 to 1",
		}
	}
	if !(p.NoiseMultiplier >= minNoiseMultiplier && p.NoiseMultiplier <= maxNoiseMultiplier) {
		return &privacy.ParameterError{
			Field: "noise_multiplier",
			Value: privacy.Number(p.NoiseMultiplier),
			Want:  "from 2^-16 to 2^24",
		}
	}
	if err := privacy.FirstError(
		privacy.CheckPositive("clip", p.Clip), privacy.CheckPositive("batch", p.Batch),
	); err != nil {
		return err
	}
	for _, x := range []struct {
		field string
		value float64
	}{{"clip", p.Clip}, {"batch", p.Batch}} {
		if !(x.value >= 0x1p-100 && x.value <= 0x1p100) {
			return &privacy.ParameterError{
				Field: x.field,
				Value: privacy.Number(x.value),
				Want:  "from 2^-100 to 2^100",
			}
		}
	}
	if p.Average < 0 || p.Average > max(p.Steps, 1) {
		return &privacy.ParameterError{
			Field: "average",
			Value: strconv.Itoa(p.Average),
			Want:  "from 0 to the number of steps",
		}
	}
	return p.Optimiser.validate()
}

// PaperPlan is the setting of Redberg, Koskela & Wang 2023, section 5, but for
// the learning rate and for the noise, which the guarantee decides: batches of
// 256, 60 epochs of ⌈n/256⌉ steps, C = √2 for rows of norm 1 beside an intercept
// of 1, and Adam. As Opacus does, which they ran, the sampling rate is one over
// the number of batches, and sums are divided by n times it.
//
// n is taken for public: see the package comment.
func PaperPlan(n int) Plan {
	batches := max(1, (n+255)/256)
	return Plan{
		Adjacency: privacy.AddRemove,
		Rate:      1 / float64(batches),
		Batch:     math.Max(1, float64(n)/float64(batches)),
		Steps:     60 * batches,
		Clip:      math.Sqrt2,
		Optimiser: NewAdam(0),
	}
}
