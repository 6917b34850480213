package glm

import (
	"math"

	"cloister/core/privacy"
)

// LargestWeight is the largest ratio of the two weights of [WeightedLogistic].
const LargestWeight = 1000.0

// WeightedLogistic is f(m; y) = w_y·log(1 + e^(−ym)), y ∈ {−1, +1}: the logistic loss with a
// public weight a class, of which the larger is 1. Use it where one class is rare and a model
// that never names it is of no use. A record of weight w counts as w records.
//
// With s = 1/(1 + e^(ym)), f′ = −y·w·s and f″ = w·s(1 − s). So with a = |f′| ≤ w ≤ 1
//
//	f″ = a(1 − a/w) ≤ a(1 − a),
//
// and the sign of f′ is fixed by y: at each slope it bends at most as the logistic loss does.
// That is all that the bounds of theory §4.3 and §4.6 ask (theory §4.9).
//
// Where the loss of all people is least, the odds e^m are ratio times those of a positive
// label.
//
// Each result is that of the logistic loss, rounded once more.
type WeightedLogistic struct{ ratio float64 }

// NewWeightedLogistic returns the loss in which a record of label +1 weighs ratio times as much
// as one of −1. A ratio that is not from 1/[LargestWeight] to LargestWeight is a
// *privacy.ParameterError for the field "positive_weight". It must not be taken from the
// records: like a clipping threshold, it has to be public.
func NewWeightedLogistic(ratio float64) (WeightedLogistic, error) {
	if !(ratio >= 1/LargestWeight && ratio <= LargestWeight) {
		return WeightedLogistic{}, &privacy.ParameterError{
			Field: "positive_weight", Value: privacy.Number(ratio),
			Want: "a number from 0.001 to 1000, such as 10",
		}
	}
	return WeightedLogistic{ratio: ratio}, nil
}

// Ratio is the weight of a record of label +1, divided by that of −1.
func (l WeightedLogistic) Ratio() float64 { return l.ratio }

// Weight is w_y, above 0 and at most 1.
func (l WeightedLogistic) Weight(y float64) float64 {
	if y > 0 {
		return math.Min(1, l.ratio)
	}
	return math.Min(1, 1/l.ratio)
}

// Value is w_y·log(1 + e^(−ym)).
func (l WeightedLogistic) Value(m, y float64) float64 {
	return l.Weight(y) * Logistic{}.Value(m, y)
}

// Slope is −y·w_y/(1 + e^(ym)).
func (l WeightedLogistic) Slope(m, y float64) float64 {
	return l.Weight(y) * Logistic{}.Slope(m, y)
}

// Curvature is w_y·s(1 − s), within [0, w_y/4].
func (l WeightedLogistic) Curvature(m, y float64) float64 {
	return l.Weight(y) * Logistic{}.Curvature(m, y)
}

// At returns value, slope and curvature.
func (l WeightedLogistic) At(m, y float64) (value, slope, curvature float64) {
	w := l.Weight(y)
	value, slope, curvature = Logistic{}.At(m, y)
	return w * value, w * slope, w * curvature
}

// Margin is y·log((1 − s)/s) for s = −y·slope/w_y.
func (l WeightedLogistic) Margin(slope, y float64) float64 {
	return Logistic{}.Margin(slope/l.Weight(y), y)
}

// Class is privacy.LossLogistic, whose bounds ask for f″ ≤ |f′|(1 − |f′|) alone.
func (WeightedLogistic) Class() privacy.LossClass { return privacy.LossLogistic }

// MaxSlope is 1, the larger weight.
func (WeightedLogistic) MaxSlope() float64 { return 1 }

// MaxCurvature is 1/4.
func (WeightedLogistic) MaxCurvature() float64 { return 0.25 }

// weigh multiplies derivatives of the logistic loss by the weights of their labels.
func (l WeightedLogistic) weigh(labels, slopes, curvatures []float64) {
	positive, negative := l.Weight(1), l.Weight(-1)
	for i, y := range labels {
		w := negative
		if y > 0 {
			w = positive
		}
		slopes[i] *= w
		curvatures[i] *= w
	}
}
