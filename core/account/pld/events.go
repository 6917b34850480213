package pld

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
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

	gaussian float64 // √Σ (Δ/σ)² of all Gaussian mechanisms: they compose to one
	terms    float64 // how many were added up
	rho      float64 // Σ ρ of all that is only known to be zCDP
	rhos     float64 // how many were added up
	added    []run
	removed  []run   // in step with added
	keys     []any   // what each run is, to count the like of it together: no more than mostLoad
	runs     float64 // how many there are in all, each as often as it is composed
	load     int     // what laying each of them once costs (see mostLoad)
	unknown  bool    // some loss could not be computed: nothing is known of the whole

	failure float64 // Σ of the probabilities of tests being wrong

	floors  bool // objective perturbation is to be taken by its floor
	bounded bool // there was some, taken by its bound

	// Charges for discrete output noise (objective.Lattice): after all uses.
	lattices []latticeUse
}

type latticeUse struct {
	lattice objective.Lattice
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
		c.rhos++
	case privacy.NoisyMin:
		if e.Noise != privacy.GumbelNoise {
			return c.take(privacy.PureDP{Adjacency: e.Adjacency, Epsilon: e.Epsilon}, count)
		}
		// Of bounded range: all that is known from below is that randomised response of
		// ±ε/2, whose loss has that range, would be one such mechanism.
		c.add(event, count, func() (added, removed source) {
			s := between{least: pureLoss(e.Epsilon / 2), most: pureLoss(e.Epsilon), apart: true}
			return s, s
		})
	case privacy.ProximalCentre:
		return c.take(privacy.PureDP{Adjacency: e.Adjacency, Epsilon: e.Epsilon}, count)
	case privacy.ProposeTestRelease:
		if e.Failure > 0 {
			c.failure = (c.failure + k*e.Failure) * (1 + 0x1p-51)
		}
		return c.take(e.Composition(), count)
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
		if c.floors {
			c.floor(event, count)
			return nil
		}
		if e.Objective.Adjacency != privacy.AddRemove {
			c.bounded = true
			if err := c.promised(event, count); err != nil {
				return err
			}
			break
		}
		perturbed, muOut, lattice := objective.Decompose(e)
		if err := c.take(perturbed, count); err != nil {
			return err
		}
		c.normal(muOut, k)
		if lattice.Ratio > 0 {
			c.lattices = append(c.lattices, latticeUse{lattice, count})
		}
	case privacy.ObjectivePerturbation:
		if c.floors {
			c.floor(event, count)
			return nil
		}
		c.bounded = true
		if err := c.objective(e, count); err != nil {
			return err
		}
	default:
		if c.again(event, count) {
			break
		}
		l, err := c.plain(event)
		if err != nil || l == nil {
			return err
		}
		c.add(event, count, func() (added, removed source) { return l, l })
	}
	if c.runs > mostRuns {
		return tooMany("count", c.runs)
	}
	if len(c.added) > 1 && c.load > mostLoad {
		return &NoDistributionError{
			Mechanism: privacy.Composition{}.Mechanism(),
			Instead:   "with so many different events it is priced in Rényi differential privacy",
		}
	}
	return nil
}

// normal adds count Gaussian mechanisms of sensitivity ratio times the noise,
// without squaring a ratio, which would underflow or overflow.
func (c *collection) normal(ratio, count float64) {
	c.gaussian = math.Hypot(c.gaussian, math.Sqrt(count)*ratio)
	c.terms++
}

// mostRuns is how many runs a composition may have: beyond it, the certificate
// of rounding would be as wide as the answer.
const mostRuns = 1e8

func tooMany(field string, count float64) error {
	return &privacy.ParameterError{
		Field: field, Value: privacy.Number(count),
		Want: "no more than " + privacy.Number(mostRuns) +
			" runs in all for a privacy loss distribution",
	}
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
// The kind of loss follows from the bound; its constants are package objective's.
func (c *collection) objective(e privacy.ObjectivePerturbation, count int) error {
	bound, err := c.options.bound().For(e)
	if err != nil {
		return err
	}
	if e.Adjacency != privacy.AddRemove || bound == objective.BoundRDP ||
		bound == objective.BoundKifer || bound == objective.BoundSoftmax {
		return c.promised(e, count)
	}
	if bound == objective.BoundControl {
		return c.controlled(e, count)
	}
	up, down, err := objective.Losses(e, bound)
	if err != nil {
		return err
	}
	mu := e.Lipschitz / e.Sigma
	least := func(f objective.LossFunction) float64 { return f.Loss(math.Inf(-1)) }
	c.add(e, count, func() (added, removed source) {
		switch bound {
		case objective.BoundGLM, objective.BoundProfile:
			return halfNormalLoss(least(up), mu), halfNormalLoss(least(down), mu)
		case objective.BoundSigned:
			return cutGaussianLoss(least(up), mu), cutGaussianLoss(least(down), mu)
		}
		return convexLoss(up, mu), cutGaussianLoss(least(down), mu)
	})
	return nil
}

// controlled adds objective perturbation by objective.BoundControl, which is a profile in
// the added direction and a loss in the other.
func (c *collection) controlled(e privacy.ObjectivePerturbation, count int) error {
	pair, err := objective.Directions(e, objective.BoundControl)
	if err != nil {
		return err
	}
	c.add(e, count, func() (added, removed source) {
		up := &chords{profile: pair.Added.(curve.Chorded), opposite: pair.Removed}
		return up, cutGaussianLoss(0, e.Lipschitz/e.Sigma)
	})
	return nil
}

// floor adds, in place of an event, the Gaussian mechanism that it is no more
// private than (objective.Floor).
func (c *collection) floor(event privacy.Event, count int) {
	mu, lattice := objective.Floor(event)
	c.normal(mu, float64(count))
	if lattice.Ratio > 0 {
		c.lattices = append(c.lattices, latticeUse{lattice, count})
	}
}

// promised adds an event by package objective's bound on its profile. All that is known
// from below is objective.Floor.
func (c *collection) promised(event privacy.Event, count int) error {
	perturbation, _ := privacy.ObjectiveOf(event)
	bound, err := c.options.bound().Resolve(perturbation.Loss)
	if err != nil {
		return err
	}
	profile, err := profileOf(event, bound)
	if err != nil {
		return err
	}
	var often curve.Profile
	if bound == objective.BoundControl {
		if often, err = objective.Tabled(event, bound); err != nil {
			return err
		}
	}
	c.add(event, count, func() (added, removed source) {
		p := &promise{
			profile: profile, often: often,
			floor: &loss{atoms: []atom{{mass: 1}}}, load: promised,
		}
		if perturbation.Loss == privacy.LossSoftmax {
			p.load = mostLoad / 64 // an integral for each ε
		}
		if mu, _ := objective.Floor(event); mu > 0 {
			p.floor = gaussianLoss(mu * (1 - 0x1p-48))
		}
		return p, p
	})
	return nil
}

// profileOf is package objective's bound on an event's profile. Where it goes by a Rényi
// curve, so does this, at the orders of a ladder: an order of one for a smooth loss takes
// a tenth of a millisecond, and two data sets with one between compose in it.
func profileOf(event privacy.Event, bound objective.Bound) (curve.Profile, error) {
	if bound != objective.BoundRDP {
		return objective.Of(event, bound)
	}
	added, removed, err := objective.Renyi(event, objective.BoundRDP)
	if err != nil {
		return nil, err
	}
	return newLadder(func(alpha float64) float64 {
		return math.Max(added(alpha), removed(alpha)) // NaN if either is
	}), nil
}

// again counts a run with another of the same event, if there is one.
func (c *collection) again(key any, count int) bool {
	for i, other := range c.keys {
		if other == key {
			c.runs += float64(count)
			c.added[i].count += count
			c.removed[i].count += count
			return true
		}
	}
	return false
}

// add appends a run, or counts it with another of the same event.
func (c *collection) add(key any, count int, make func() (added, removed source)) {
	if c.again(key, count) {
		return
	}
	c.runs += float64(count)
	c.keys = append(c.keys, key)
	added, removed := make()
	c.load += load(added)
	c.unknown = c.unknown || !intact(added) || !intact(removed)
	c.added = append(c.added, run{added, count})
	c.removed = append(c.removed, run{removed, count})
}

// intact reports whether a source's probabilities add up. Profiles are gated
// where they come from.
func intact(s source) bool {
	switch s := s.(type) {
	case *loss:
		return s.whole()
	case between:
		return s.least.whole() && s.most.whole()
	}
	return true
}

// directions returns the two directions, the same one twice if the losses are.
func (c *collection) directions() (added, removed *direction) {
	same := func(a, b run) bool { return a.source == b.source }
	if c.gaussian != 0 { // NaN too
		mu, slack := c.gaussian, (4*c.terms+8)*0x1p-53
		g := between{least: gaussianLoss(mu * (1 - slack)), most: gaussianLoss(mu * (1 + slack))}
		c.unknown = c.unknown || !intact(g)
		c.added, c.removed = append(c.added, run{g, 1}), append(c.removed, run{g, 1})
	}
	if c.rho > 0 {
		p := concentrated(c.rho, (2*c.rhos+32)*0x1p-53)
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
// order, and as an example the Gaussian mechanism with ρ = μ²/2. slack bounds the
// relative error of ρ: n products and as many sums are off by 2n·2⁻⁵³ at most.
func concentrated(rho, slack float64) *promise {
	p := concentratedProfile(rho * (1 + slack))
	return &promise{
		profile: p, floor: gaussianLoss(math.Sqrt(2*rho) * (1 - slack)), load: promised,
	}
}

type concentratedProfile float64

// LogDeltaUpper converts at an order α that is stationary but for rounding: the
// derivative of curve.LogDeltaAtOrder's exponent is ρ(2α−1) − ε + log(1−1/α),
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
	log := curve.LogDeltaAtOrder(1+x, r*(1+x), epsilon)
	if log += 0x1p-44 * (1 + math.Abs(log)); log < 0 {
		return log
	}
	return 0 // NaN too: an order that rounds to 1
}
