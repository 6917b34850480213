package pld

import (
	"math"

	"cloister/core/account"
	"cloister/core/privacy"
)

// NoDistributionError reports an event that has no privacy loss distribution:
// what is known of it is a bound of another kind.
type NoDistributionError struct {
	Mechanism string
	Instead   string // what prices it
}

func (e *NoDistributionError) Error() string {
	return e.Mechanism + " has no privacy loss distribution; " + e.Instead
}

// collection is a composition taken apart: everything of one kind together.
type collection struct {
	options   Options
	adjacency privacy.Adjacency

	gaussian float64 // Σ (Δ/σ)² of all Gaussian mechanisms: they compose to one
	terms    float64 // how many were added up
	rho      float64 // Σ ρ of all that is only known to be zCDP
	added    []run
	removed  []run // in step with added
	keys     []any // what each run is, to count the like of it together

	// Charges for discrete output noise (account.Lattice): after all uses.
	lattices []latticeUse
}

type latticeUse struct {
	lattice account.Lattice
	count   int
}

// take adds count runs of an event that has been validated.
func (c *collection) take(event privacy.Event, count int) error {
	if count == 0 {
		return nil
	}
	k := float64(count)
	switch e := event.(type) {
	case privacy.Gaussian:
		c.normal(e.Sensitivity/e.Sigma, k)
	case privacy.GradientDescent:
		for _, sigma := range e.Sigmas {
			c.normal(e.Sensitivity/sigma, k)
		}
	case privacy.SubsampledGaussian:
		steps := e.Steps
		e.Steps = 1
		switch {
		case steps == 0 || e.Rate == 0:
		case e.Rate == 1:
			c.normal(1/e.NoiseMultiplier, k*float64(steps))
		case k*float64(steps) > mostRuns:
			return tooMany("steps", k*float64(steps))
		default:
			c.add(e, steps*count, func() (added, removed source) {
				a, r := subsampledLosses(e.Rate, e.NoiseMultiplier)
				return a, r
			})
		}
	case privacy.ZeroConcentrated:
		c.rho += k * e.Rho
	case privacy.Composition:
		for _, part := range e.Parts {
			if float64(part.Count)*k > mostRuns {
				return tooMany("count", float64(part.Count)*k)
			}
			if err := c.take(part.Event, part.Count*count); err != nil {
				return err
			}
		}
	case privacy.ApproximateMinima:
		if e.Objective.Adjacency != privacy.AddRemove {
			return c.promised(event, e.Objective.Lipschitz/e.Objective.Sigma, count)
		}
		objective, muOut, lattice := account.Decompose(e)
		if err := c.take(objective, count); err != nil {
			return err
		}
		c.normal(muOut, k)
		if lattice.Ratio > 0 {
			c.lattices = append(c.lattices, latticeUse{lattice, count})
		}
	case privacy.ObjectivePerturbation:
		return c.objective(e, count)
	default:
		l, err := c.plain(event)
		if err != nil || l == nil {
			return err
		}
		c.add(event, count, func() (added, removed source) { return l, l })
	}
	if c.total() > mostRuns {
		return tooMany("count", c.total())
	}
	return nil
}

// normal adds count Gaussian mechanisms of sensitivity ratio times the noise.
func (c *collection) normal(ratio, count float64) {
	c.gaussian += count * ratio * ratio
	c.terms++
}

// mostRuns is how many runs a composition may have: beyond it, the certificate
// of rounding would be as wide as the answer.
const mostRuns = 1e8

func tooMany(field string, count float64) error {
	return &privacy.ParameterError{
		Field: field, Value: privacy.Number(count),
		Want: "no more than " + privacy.Number(mostRuns) + " runs in all for a privacy loss distribution",
	}
}

func (c *collection) total() float64 {
	sum := 0.0
	for _, r := range c.added {
		sum += float64(r.count)
	}
	return sum
}

// plain returns the loss of a symmetric mechanism, the same in both directions;
// nil if nothing is revealed.
func (c *collection) plain(event privacy.Event) (*loss, error) {
	switch e := event.(type) {
	case privacy.Laplace:
		return laplaceLoss(e.Sensitivity / e.Scale), nil
	case privacy.DiscreteLaplace:
		return discreteLaplaceLoss(e.Sensitivity, e.Scale), nil
	case privacy.DiscreteGaussian:
		return discreteGaussianLoss(e.Sensitivity, e.Sigma), nil
	case privacy.RandomisedResponse:
		if l := responseLoss(e.Truth, e.Categories); l.lattice > 0 {
			return l, nil
		}
		return nil, nil
	case privacy.PureDP:
		if e.Epsilon == 0 {
			return nil, nil
		}
		return pureLoss(e.Epsilon), nil
	case privacy.ApproximateDP:
		switch {
		case e.Epsilon == 0 && e.Delta == 0:
			return nil, nil
		case e.Epsilon == 0:
			return &loss{infinite: e.Delta, atoms: []atom{{mass: 1 - e.Delta}}}, nil
		}
		return approximateLoss(e.Epsilon, e.Delta), nil
	}
	return nil, &NoDistributionError{
		Mechanism: event.Mechanism(),
		Instead:   "it is priced in Rényi differential privacy",
	}
}

// objective adds objective perturbation by the loss that its bound is about.
// The kind of loss follows from the bound; its constants are account's.
func (c *collection) objective(e privacy.ObjectivePerturbation, count int) error {
	bound, err := c.options.bound().Resolve(e.Loss)
	if err != nil {
		return err
	}
	if e.Adjacency != privacy.AddRemove || bound == account.BoundRDP || bound == account.BoundKifer {
		return c.promised(e, e.Lipschitz/e.Sigma, count)
	}
	up, down, err := account.Losses(e, bound)
	if err != nil {
		return err
	}
	mu := e.Lipschitz / e.Sigma
	least := func(f account.LossFunction) float64 { return f.Loss(math.Inf(-1)) }
	c.add(e, count, func() (added, removed source) {
		switch bound {
		case account.BoundGLM, account.BoundProfile:
			return halfNormalLoss(least(up), mu), halfNormalLoss(least(down), mu)
		case account.BoundSigned:
			return cutGaussianLoss(least(up), mu), cutGaussianLoss(least(down), mu)
		}
		return convexLoss(up, mu), cutGaussianLoss(least(down), mu)
	})
	return nil
}

// promised adds an event by account's bound on its profile. All that is known
// from below is the Gaussian mechanism of ratio mu that is among those with that
// bound (Lemma 3.4 of Redberg, Koskela & Wang 2023; none for mu = 0).
func (c *collection) promised(event privacy.Event, mu float64, count int) error {
	bound := c.options.bound()
	curve, err := account.Of(event, bound)
	if err != nil {
		return err
	}
	c.add(event, count, func() (added, removed source) {
		p := &promise{profile: curve, reverse: curve, floor: &loss{atoms: []atom{{mass: 1}}}}
		if mu > 0 {
			p.floor = gaussianLoss(mu * (1 - 0x1p-48))
		}
		return p, p
	})
	return nil
}

// add appends a run, or counts it with another of the same event.
func (c *collection) add(key any, count int, make func() (added, removed source)) {
	for i, other := range c.keys {
		if other == key {
			c.added[i].count += count
			c.removed[i].count += count
			return
		}
	}
	added, removed := make()
	c.keys = append(c.keys, key)
	c.added = append(c.added, run{added, count})
	c.removed = append(c.removed, run{removed, count})
}

// directions returns the two directions, the same one twice if the losses are.
func (c *collection) directions() (added, removed *direction) {
	same := func(a, b run) bool { return a.source == b.source }
	if c.gaussian > 0 {
		mu, slack := math.Sqrt(c.gaussian), (c.terms+8)*0x1p-53
		g := between{gaussianLoss(mu * (1 - slack)), gaussianLoss(mu * (1 + slack))}
		c.added, c.removed = append(c.added, run{g, 1}), append(c.removed, run{g, 1})
	}
	if c.rho > 0 {
		p := concentrated(c.rho)
		c.added, c.removed = append(c.added, run{p, 1}), append(c.removed, run{p, 1})
	}
	added, removed = &direction{runs: c.added}, &direction{runs: c.removed}
	for i := range c.added {
		if !same(c.added[i], c.removed[i]) {
			return added, removed
		}
	}
	return added, added
}

// concentrated is all that is ρ-zCDP: the Rényi curve ρα converted at the best
// order, and as an example the Gaussian mechanism with ρ = μ²/2.
func concentrated(rho float64) *promise {
	p := concentratedProfile(rho * (1 + 0x1p-48))
	return &promise{profile: p, reverse: p, floor: gaussianLoss(math.Sqrt(2*rho) * (1 - 0x1p-48))}
}

type concentratedProfile float64

// LogDeltaUpper converts at an order α that is stationary but for rounding: the
// derivative of account.LogDeltaAtOrder's exponent is ρ(2α−1) − ε + log(1−1/α),
// which increases in α. Any order makes a bound.
func (rho concentratedProfile) LogDeltaUpper(epsilon float64) float64 {
	r := float64(rho)
	low, high := 0.0, math.Max(1, (epsilon+r)/(2*r)) // of α − 1
	slope := func(x float64) float64 { return r*(2*x+1) - epsilon - math.Log1p(1/x) }
	for slope(high) < 0 {
		low, high = high, 2*high
	}
	x := high
	for range 60 {
		x -= slope(x) / (2*r + 1/(x*(x+1)))
		if !(x > low && x < high) {
			x = low + (high-low)/2
		}
		if s := slope(x); s < 0 {
			low = x
		} else {
			high = x
		}
		if high-low < 1e-9*high || math.Abs(slope(x)) < 1e-12*(epsilon+r) {
			break
		}
	}
	log := account.LogDeltaAtOrder(1+x, r*(1+x), epsilon)
	if log += 0x1p-44 * (1 + math.Abs(log)); log < 0 {
		return log
	}
	return 0 // NaN too: an order that rounds to 1
}
