package calibrate

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Descent returns the event of DP-SGD at this rate and for so many steps, with
// the smallest noise multiplier that keeps the guarantee by its privacy loss
// distribution.
func Descent(rate float64, steps int, keep privacy.Guarantee) (privacy.SubsampledGaussian, error) {
	event := privacy.SubsampledGaussian{
		Adjacency:       keep.Adjacency,
		Rate:            rate,
		NoiseMultiplier: 1,
		Steps:           steps,
	}
	answer, err := Solve(Request{Event: event, Parameter: "noise_multiplier", Keep: keep})
	if err != nil {
		return event, err
	}
	return answer.Event.(privacy.SubsampledGaussian), nil
}

// scoreNoise is the noise of a selection's scores in units of what scores would
// need if they were all that is released: they take about a ninth of the Rényi
// divergence.
const scoreNoise = 3

// TunedDescent returns the event of the best of Poisson(mean) runs of DP-SGD, each with
// a score of sensitivity 1, with the smallest noise multiplier that keeps the guarantee
// by Rényi differential privacy, to some parts in 10,000. The score's noise is three
// times what a selection that releases nothing but scores would need.
func TunedDescent(
	rate float64, steps int, mean float64, keep privacy.Guarantee,
) (privacy.PoissonSelection, error) {
	none := privacy.PoissonSelection{}
	score := privacy.DiscreteGaussian{Adjacency: keep.Adjacency, Sensitivity: 1, Sigma: 1}
	answer, err := Solve(
		Request{
			Event:     privacy.PoissonSelection{Base: score, Mean: mean},
			Parameter: "base.sigma",
			Keep:      keep,
		},
	)
	if err != nil {
		return none, err
	}
	score.Sigma = scoreNoise * answer.Value
	event := func(z float64) privacy.PoissonSelection {
		descent := privacy.SubsampledGaussian{
			Adjacency:       keep.Adjacency,
			Rate:            rate,
			NoiseMultiplier: z,
			Steps:           steps,
		}
		return privacy.PoissonSelection{
			Base: privacy.Composition{
				Adjacency: keep.Adjacency,
				Parts:     []privacy.Part{{Event: descent, Count: 1}, {Event: score, Count: 1}},
			},
			Mean: mean,
		}
	}
	if err := event(1).Validate(); err != nil {
		return none, err
	}
	// Prices of the selection ask for its base's curve ten thousand times.
	target := math.Log(keep.Delta)
	excess := func(logZ float64) float64 {
		base, err := rdp.Of(event(math.Exp(logZ)).Base)
		if err != nil {
			return math.Inf(1)
		}
		worst := base.Chords(0.03).At
		price, err := selection.Poisson(worst, nil, mean)
		if err != nil {
			return math.Inf(1)
		}
		return curve.LogDeltaFromRenyi(
			func(alpha float64) float64 { return price(alpha, worst) }, keep.Epsilon,
		) - target
	}
	low, high := math.Log(lowestNoise), math.Log(highestNoise)
	logZ, err := special.ConservativeRoot(excess, low, high, 1e-5)
	if err != nil {
		return none, curve.ErrNumerical
	}
	found := event(math.Exp(logZ))
	price, err := account.Of(found, account.Renyi, pld.Options{})
	if err != nil {
		return none, err
	}
	if delta, err := curve.DeltaUpper(price, keep.Epsilon); err != nil || !(delta <= keep.Delta) {
		return none, &InfeasibleError{
			Parameter: "noise_multiplier",
			Keep:      keep,
			Limit:     math.Exp(logZ),
			LogDelta:  price.LogDeltaUpper(keep.Epsilon),
		}
	}
	return found, nil
}
