package accounting

import (
	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/privacy"
)

// cited names the bound that prices an event, and the theorems that the price
// rests on: those about the mechanisms in it, each once, then the one by which
// they were put together or converted.
func cited(
	event privacy.Event, bound objective.Bound, method account.Method, quick bool,
) (name, theorem string) {
	if bound == "" {
		bound = objective.BoundAuto
	}
	c := citation{bound: bound, method: method, quick: quick}
	c.cite(event)
	if e, ok := privacy.ObjectiveOf(event); ok {
		if resolved, err := c.resolved(e); err == nil {
			bound = resolved
		}
	}
	switch {
	case method == account.Distribution:
		c.also(
			"Privacy loss distribution between certified ends (connect-the-dots: Doroshenko et al. 2022)",
		)
	case method == account.Renyi && bound != objective.BoundRDP:
		c.also(
			"Rényi differential privacy (Mironov 2017), converted by Proposition 12 of Canonne, Kamath & Steinke 2020",
		)
	}
	return string(bound), c.text
}

type citation struct {
	bound  objective.Bound
	method account.Method
	quick  bool // see account.Price.Quick
	said   []string
	text   string
}

func (c *citation) also(theorem string) {
	for _, other := range c.said {
		if other == theorem {
			return
		}
	}
	c.said = append(c.said, theorem)
	if c.text != "" {
		c.text += "; "
	}
	c.text += theorem
}

// objective cites the bound of an objective perturbation.
func (c *citation) objective(e privacy.ObjectivePerturbation) {
	bound, err := c.resolved(e)
	if err != nil {
		return
	}
	c.also(bound.Theorem())
	if e.Adjacency == privacy.ReplaceOne {
		c.also(
			"Cloister's source, core/account/theory.md §4.5: replacing a record by way of a data set between the two",
		)
	}
}

func (c *citation) resolved(e privacy.ObjectivePerturbation) (objective.Bound, error) {
	if c.quick {
		return c.bound.Quick(e.Loss)
	}
	return c.bound.Resolve(e.Loss)
}

// cite names what is known of an event and of those inside it.
func (c *citation) cite(event privacy.Event) {
	for _, part := range privacy.Parts(event) {
		c.cite(part.Event)
	}
	if e, ok := privacy.ObjectiveOf(event); ok {
		c.objective(e)
		return
	}
	switch e := event.(type) {
	case privacy.Composition:
		if c.method == account.Closed {
			c.composed()
		}
	case privacy.GradientDescent:
		c.gaussian()
		if c.method == account.Closed {
			c.composed()
		}
	case privacy.Gaussian:
		c.gaussian()
	case privacy.SubsampledGaussian:
		switch c.method {
		case account.Distribution:
			c.also("Zhu, Dong & Wang 2022: dominating pairs of the Poisson-subsampled Gaussian mechanism")
		case account.Renyi:
			c.also("Mironov, Talwar & Zhang 2019: Rényi divergence of the Poisson-subsampled Gaussian mechanism")
		}
	case privacy.Laplace:
		switch c.method {
		case account.Closed:
			c.also("Balle, Barthe & Gaboardi 2018: privacy profile of the Laplace mechanism")
		case account.Renyi:
			c.also("Mironov 2017, Proposition 6: Rényi divergence of the Laplace mechanism")
		}
	case privacy.RandomisedResponse:
		if c.method == account.Closed {
			c.also("Balle, Barthe & Gaboardi 2018: privacy profile of randomised response")
		}
	case privacy.DiscreteLaplace:
		if c.method == account.Closed {
			c.also("Ghosh, Roughgarden & Sundararajan 2012: the discrete Laplace mechanism, its privacy profile by its distribution function")
		}
	case privacy.DiscreteGaussian:
		if c.method == account.Renyi {
			c.also("Canonne, Kamath & Steinke 2020, Proposition 5: Rényi divergence of the discrete Gaussian mechanism")
		}
	case privacy.PureDP, privacy.ApproximateDP:
		c.also("Kairouz, Oh & Viswanath 2015: randomised response dominates (ε, δ)-differential privacy")
	case privacy.NoisyMin:
		c.also("McKenna & Sheldon 2020: permute-and-flip, which report noisy min is; Kairouz, Oh & Viswanath 2015")
		if e.Noise == privacy.GumbelNoise && c.method == account.Renyi {
			c.also("Cesar & Rogers 2021: the exponential mechanism is of bounded range, and ε²/8-zCDP")
		}
	case privacy.ProximalCentre:
		c.also("Cloister's source, core/privacy/search.go: the proximal centre; Kairouz, Oh & Viswanath 2015")
	case privacy.RenyiDP:
		c.also("Mironov 2017: Rényi differential privacy of one order")
	case privacy.ProposeTestRelease:
		c.also("Cloister's source, core/privacy/ptr.go: a test that is wrong with some probability, and a release by its outcome")
		if c.method == account.Closed {
			c.composed()
		}
	case privacy.OneOf:
		c.also("Cloister's source, core/privacy/oneof.go: one of several mechanisms, priced as the worst")
	case privacy.ZeroConcentrated:
		c.also("Bun & Steinke 2016: concentrated differential privacy")
	case privacy.NegativeBinomialSelection:
		c.also("Papernot & Steinke 2022, Theorem 2: selection by a truncated negative binomial number of runs")
	case privacy.PoissonSelection:
		c.also("Cloister's source, core/account/selection: selection by a Poisson number of runs, sharper than Theorem 6 of Papernot & Steinke 2022")
	case privacy.LiuTalwarSelection:
		c.also("Liu & Talwar 2019, Theorem 3.4: selection by random stopping")
	}
}

func (c *citation) gaussian() {
	switch c.method {
	case account.Closed:
		c.also("Balle & Wang 2018, Theorem 8: privacy profile of the Gaussian mechanism")
	case account.Renyi:
		c.also("Mironov 2017, Proposition 7: Rényi divergence of the Gaussian mechanism")
	}
}

func (c *citation) composed() {
	c.also("Dong, Roth & Su 2022: Gaussian mechanisms compose to one")
}
