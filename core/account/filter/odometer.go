package filter

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// Odometer bounds the privacy loss of everything charged so far. Use it when the moment
// to look or to stop is chosen on the way. With probability at least 1 − δ, at every
// such moment, the loss log(p(transcript)/q(transcript)) is at most EpsilonUpper
// (Rogers et al. 2016, Definition 3.5).
//
// The odometer is a ladder of Rényi filters with ε_f = 2^{f/2}, each with an equal
// share of δ and one order. It shows the lowest rung that has not been passed. By
// Ville's inequality for Feldman & Zrnic's supermartingale e^{(α−1)(L − Σ D_α)}, which
// begins at 1, the chance that it ever exceeds F/δ is at most δ/F; and while rung f has
// not been passed, it does whenever the loss L exceeds ε_f = r_f + log(F/δ)/(α_f − 1).
type Odometer struct {
	adjacency privacy.Adjacency
	epsilons  []float64
	spentOf   [2]ledger
}

// Rungs of the ladder: ε from 2^{−5} to 2^7.
const (
	lowestRung  = -10
	highestRung = 14
)

// NewOdometer returns an odometer for one adjacency and an overall δ.
func NewOdometer(adjacency privacy.Adjacency, delta float64) (*Odometer, error) {
	probe := privacy.Guarantee{Epsilon: 1, Delta: delta, Adjacency: adjacency}
	if err := probe.Validate(); err != nil {
		return nil, err
	}
	const rungs = highestRung - lowestRung + 1
	logShare := math.Log(delta) - math.Log(rungs)
	o := &Odometer{adjacency: adjacency}
	var one ledger
	for f := lowestRung; f <= highestRung; f++ {
		epsilon := math.Exp2(float64(f) / 2)
		order := bestGaussianOrder(epsilon, func(alpha, r float64) float64 {
			return curve.ClassicEpsilonAtOrder(alpha, r, logShare)
		})
		o.epsilons = append(o.epsilons, epsilon)
		one.orders = append(one.orders, order)
		one.limits = append(one.limits, (epsilon+logShare/(order-1))*(1-1e-12))
		one.spent = append(one.spent, 0)
	}
	o.spentOf = [2]ledger{one, one.copy()}
	return o, nil
}

// Charge adds an event. An event that may fail outright, or one under another
// adjacency, is an error, because nothing bounds its loss.
func (o *Odometer) Charge(event privacy.Event) error {
	mass, _, err := rdp.WithoutMass(event)
	if err != nil {
		return err
	}
	if failures, _ := selection.WithoutFailures(event); failures.Here > 0 {
		mass = failures.Here
	}
	if mass > 0 {
		return &privacy.ParameterError{
			Field: "delta",
			Value: privacy.Number(mass),
			Want:  "0 for an event on an odometer",
		}
	}
	if event.Neighbours() != o.adjacency {
		return &privacy.ParameterError{
			Field: "adjacency",
			Value: event.Neighbours().String(),
			Want:  o.adjacency.String() + ", that of the odometer",
		}
	}
	curve, err := rdp.Of(event)
	if err != nil {
		return err
	}
	added, _ := o.spentOf[0].with(curve.Added)
	removed, _ := o.spentOf[1].with(curve.Removed)
	o.spentOf = [2]ledger{added, removed}
	return nil
}

// EpsilonUpper returns the lowest rung not passed in either direction, 0 if
// nothing was spent, and +Inf if every rung was passed.
func (o *Odometer) EpsilonUpper() float64 {
	if o.spentOf[0].untouched() && o.spentOf[1].untouched() {
		return 0
	}
	for f, epsilon := range o.epsilons {
		if o.spentOf[0].spent[f] <= o.spentOf[0].limits[f] &&
			o.spentOf[1].spent[f] <= o.spentOf[1].limits[f] {
			return epsilon
		}
	}
	return math.Inf(1)
}
