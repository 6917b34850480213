package accounting

import (
	"cloister/core/account"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

// cited names the bound that prices an event, and the theorems that the price
// rests on: those about the mechanisms in it, each once, then the one by which
// they were put together or converted.
func cited(event privacy.Event, bound account.Bound, method sharpest.Method) (name, theorem string) {
	if bound == "" {
		bound = account.BoundAuto
	}
	c := citation{bound: bound, method: method}
	c.cite(event)
	if loss, ok := lossOf(event); ok {
		if resolved, err := bound.Resolve(loss); err == nil {
			bound = resolved
		}
	}
	switch {
	case method == sharpest.Distribution:
		c.also("Privacy loss distribution between certified ends (connect-the-dots: Doroshenko et al. 2022)")
	case method == sharpest.Renyi && bound != account.BoundRDP:
		c.also("Rényi differential privacy (Mironov 2017), converted by Proposition 12 of Canonne, Kamath & Steinke 2020")
	}
	return string(bound), c.text
}

type citation struct {
	bound  account.Bound
	method sharpest.Method
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
	bound, err := c.bound.Resolve(e.Loss)
	if err != nil {
		return
	}
	c.also(bound.Theorem())
	if e.Adjacency == privacy.ReplaceOne {
		c.also("Cloister's source, core/account/theory.md §4.5: replacing a record by way of a data set between the two")
	}
}

// cite names what is known of an event and of those inside it.
func (c *citation) cite(event privacy.Event) {
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		c.objective(e)
	case privacy.ApproximateMinima:
		c.objective(e.Objective)
	case privacy.Composition:
		for _, part := range e.Parts {
			c.cite(part.Event)
		}
		if c.method == sharpest.Closed {
			c.composed()
		}
	case privacy.GradientDescent:
		c.gaussian()
		if c.method == sharpest.Closed {
			c.composed()
		}
	case privacy.Gaussian:
		c.gaussian()
	case privacy.SubsampledGaussian:
		switch c.method {
		case sharpest.Distribution:
			c.also("Zhu, Dong & Wang 2022: dominating pairs of the Poisson-subsampled Gaussian mechanism")
		case sharpest.Renyi:
			c.also("Mironov, Talwar & Zhang 2019: Rényi divergence of the Poisson-subsampled Gaussian mechanism")
		}
	case privacy.Laplace:
		switch c.method {
		case sharpest.Closed:
			c.also("Balle, Barthe & Gaboardi 2018: privacy profile of the Laplace mechanism")
		case sharpest.Renyi:
			c.also("Mironov 2017, Proposition 6: Rényi divergence of the Laplace mechanism")
		}
	case privacy.RandomisedResponse:
		if c.method == sharpest.Closed {
			c.also("Balle, Barthe & Gaboardi 2018: privacy profile of randomised response")
		}
	case privacy.DiscreteLaplace:
		if c.method == sharpest.Closed {
			c.also("Ghosh, Roughgarden & Sundararajan 2012: the discrete Laplace mechanism, its privacy profile by its distribution function")
		}
	case privacy.DiscreteGaussian:
		if c.method == sharpest.Renyi {
			c.also("Canonne, Kamath & Steinke 2020, Proposition 5: Rényi divergence of the discrete Gaussian mechanism")
		}
	case privacy.PureDP, privacy.ApproximateDP:
		c.also("Kairouz, Oh & Viswanath 2015: randomised response dominates (ε, δ)-differential privacy")
	case privacy.ZeroConcentrated:
		c.also("Bun & Steinke 2016: concentrated differential privacy")
	case privacy.NegativeBinomialSelection:
		c.cite(e.Base)
		c.also("Papernot & Steinke 2022, Theorem 2: selection by a truncated negative binomial number of runs")
	case privacy.PoissonSelection:
		c.cite(e.Base)
		c.also("Cloister's source, core/account/selection: selection by a Poisson number of runs, sharper than Theorem 6 of Papernot & Steinke 2022")
	case privacy.LiuTalwarSelection:
		c.cite(e.Base)
		c.also("Liu & Talwar 2019, Theorem 3.4: selection by random stopping")
	}
}

func (c *citation) gaussian() {
	switch c.method {
	case sharpest.Closed:
		c.also("Balle & Wang 2018, Theorem 8: privacy profile of the Gaussian mechanism")
	case sharpest.Renyi:
		c.also("Mironov 2017, Proposition 7: Rényi divergence of the Gaussian mechanism")
	}
}

func (c *citation) composed() {
	c.also("Dong, Roth & Su 2022: Gaussian mechanisms compose to one")
}

// lossOf is the loss class of an event that the bounds are about.
func lossOf(event privacy.Event) (privacy.LossClass, bool) {
	switch e := event.(type) {
	case privacy.ObjectivePerturbation:
		return e.Loss, true
	case privacy.ApproximateMinima:
		return e.Objective.Loss, true
	}
	return "", false
}
