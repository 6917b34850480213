package pate

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/distance"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Plan is how queries are labelled. It is made of public numbers alone, before votes are seen.
type Plan struct {
	Adjacency privacy.Adjacency
	Shape     Shape

	// Sigma is the noise of each class's votes, in votes.
	Sigma float64

	// Tested is whether a test decides between Sigma and Fallback. If not, the labels have
	// Sigma whatever the votes are, and the rest is 0.
	Tested bool

	// Order and Budget are α and B; TestSigma and Failure are σ_d and δ′; Fallback is σ₀.
	Order, Budget, TestSigma, Failure, Fallback float64
}

// Ranges of a plan's numbers.
const (
	LeastSigma   = 1
	LargestSigma = 1e6
	LargestOrder = 1000
	LeastBudget  = 1e-9
)

// NewPlan is a plan with a test of these numbers; sigma and the fallback, √(queries·α/B), are
// rounded up to what can be drawn. An error is a *privacy.ParameterError.
func NewPlan(
	adjacency privacy.Adjacency, shape Shape, sigma, order, budget, testSigma, failure float64,
) (Plan, error) {
	p := Plan{
		Adjacency: adjacency, Shape: shape, Sigma: sigma, Tested: true, Order: order,
		Budget:    budget,
		TestSigma: testSigma, Failure: failure,
	}
	if err := p.check(); err != nil {
		return Plan{}, err
	}
	p.Sigma = newSpread(sigma).sigma()
	p.Fallback = newSpread(fallback(shape.Queries, order, budget)).sigma()
	return p, nil
}

// Untested is the plan whose labels have noise sigma whatever the votes are.
func Untested(adjacency privacy.Adjacency, shape Shape, sigma float64) (Plan, error) {
	p := Plan{Adjacency: adjacency, Shape: shape, Sigma: sigma}
	if err := p.check(); err != nil {
		return Plan{}, err
	}
	p.Sigma = newSpread(sigma).sigma()
	return p, nil
}

// fallback is √(Tα/B), rounded up.
func fallback(queries int, order, budget float64) float64 {
	return math.Sqrt(float64(queries)*order/budget) * (1 + 0x1p-40)
}

func (p Plan) check() error {
	if err := p.Shape.check(); err != nil {
		return err
	}
	within := func(field string, x, from, to float64) error {
		if x >= from && x <= to {
			return nil
		}
		return &privacy.ParameterError{
			Field: field, Value: privacy.Number(x),
			Want: "a number from " + privacy.Number(from) + " to " + privacy.Number(to),
		}
	}
	err := within("sigma", p.Sigma, LeastSigma, LargestSigma)
	if err == nil && p.Tested {
		err = privacy.FirstError(
			within("order", p.Order, 1.01, LargestOrder),
			within("budget", p.Budget, LeastBudget, 1e6),
		)
		if err == nil {
			least := float64(p.Shape.Queries) * p.Order / (LargestSigma * LargestSigma)
			err = within("budget", p.Budget, least, 1e6)
		}
		if err == nil {
			_, err = distance.New(p.TestSigma, p.Failure)
		}
	}
	if err != nil {
		return err
	}
	return p.Event().Validate()
}

// checkFallback refuses a plan, made by hand, whose fallback has less noise than its Event says.
func (p Plan) checkFallback() error {
	if !p.Tested {
		return nil
	}
	least := fallback(p.Shape.Queries, p.Order, p.Budget) * (1 - 0x1p-41)
	if p.Fallback >= least && p.Fallback <= 2*LargestSigma {
		return nil
	}
	return &privacy.ParameterError{
		Field: "fallback", Value: privacy.Number(p.Fallback),
		Want: privacy.Number(least) + " votes or more, as the order and the budget ask for",
	}
}

// Event is what the labels cost: a test, and a release at one order; or Gaussian noise on each
// query's votes, of which a record moves one.
func (p Plan) Event() privacy.Event {
	if !p.Tested {
		return privacy.Composition{Adjacency: p.Adjacency, Parts: []privacy.Part{{
			Event: privacy.Gaussian{
				Adjacency: p.Adjacency, Sensitivity: math.Nextafter(math.Sqrt2, 2), Sigma: p.Sigma,
			},
			Count: p.Shape.Queries,
		}}}
	}
	return privacy.ProposeTestRelease{
		Test: privacy.DiscreteGaussian{
			Adjacency: p.Adjacency, Sensitivity: 1, Sigma: p.TestSigma,
		},
		Release: privacy.RenyiDP{Adjacency: p.Adjacency, Order: p.Order, Epsilon: p.Budget},
		Failure: p.Failure,
	}
}

// Epsilon is an ε for which the labels are (ε, delta)-private.
func (p Plan) Epsilon(delta float64) (float64, error) {
	price, err := account.Of(p.Event(), account.Auto, pld.Options{})
	if err != nil {
		return math.Inf(1), err
	}
	return price.EpsilonUpper(delta)
}

// Answer is what is released: all of it may be published.
type Answer struct {
	Labels []int // a class for each query

	// Sigma is the noise that the votes had: the plan's, or its Fallback where the test did not
	// pass. Distance is the noisy distance that decided; 0 where nothing was tested.
	Sigma    float64
	Passed   bool
	Distance int64
}

// Labels labels each query. On an error nothing may be said of the votes. The error is a
// *privacy.ParameterError where the votes are not of the plan's shape.
func (p Plan) Labels(source random.Source, votes [][]int) (Answer, error) {
	shape, err := ShapeOf(votes)
	if err != nil {
		return Answer{}, err
	}
	if shape != p.Shape {
		return Answer{}, &privacy.ParameterError{
			Field: "votes", Value: "of another number of queries, classes or teachers",
			Want: "what was planned for",
		}
	}
	if err := p.checkFallback(); err != nil {
		return Answer{}, err
	}
	l, err := p.labeller()
	if err != nil {
		return Answer{}, err
	}
	return l.labels(source, votes)
}

// labeller is a plan with its tables.
type labeller struct {
	plan  Plan
	test  *distance.Test // nil where nothing is tested
	meter *meter
}

func (p Plan) labeller() (*labeller, error) {
	if err := p.check(); err != nil || !p.Tested {
		return &labeller{plan: p}, err
	}
	test, err := distance.New(p.TestSigma, p.Failure)
	return &labeller{p, test, newMeter(p)}, err
}

func (l *labeller) labels(source random.Source, votes [][]int) (Answer, error) {
	answer := Answer{Sigma: l.plan.Sigma}
	if l.test != nil {
		var err error
		d := int64(l.meter.distance(votes))
		answer.Distance, answer.Passed, err = l.test.Run(source, d)
		if err != nil {
			return Answer{}, err
		}
		if !answer.Passed {
			answer.Sigma = l.plan.Fallback
		}
	}
	noise, room := newSpread(answer.Sigma), make([]float64, l.plan.Shape.Classes)
	answer.Labels = make([]int, len(votes))
	for i, row := range votes {
		label, err := noise.label(source, row, room)
		if err != nil {
			return Answer{}, err
		}
		answer.Labels[i] = label
	}
	return answer, nil
}
