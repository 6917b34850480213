package pate

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/distance"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Request is what a plan is chosen for. All of it must be public: a guess that was taken from
// the votes is not.
type Request struct {
	Adjacency      privacy.Adjacency
	Shape          Shape
	Epsilon, Delta float64

	// Sigma is the noise that each class's votes are to have, in votes, if the price allows.
	Sigma float64

	// Gap is a guess of how many votes the plurality is ahead of the next class on a query. A
	// wrong one makes the test pass less often than it might; it costs no privacy. 0 is three
	// quarters of the teachers.
	Gap int
}

// Choose is the plan for a request.
//
// Where noise sigma costs no more than ε on any votes, nothing is tested. Else it is the plan
// whose test would pass by the most standard deviations of its noise if all queries had the
// gap guessed; of those with more than [enough], the one with the least fallback. Where none
// would pass, nothing is tested, and the noise is what ε affords on any votes.
func Choose(r Request) (Plan, error) {
	if err := r.check(); err != nil {
		return Plan{}, err
	}
	plain, err := Untested(r.Adjacency, r.Shape, r.Sigma)
	if err != nil {
		return Plan{}, err
	}
	if affordable, err := plain.affords(r); affordable || err != nil {
		return plain, err
	}
	if plan, ok, err := r.tested(); ok || err != nil {
		return plan, err
	}
	return r.untested()
}

// enough is by how many standard deviations a test is to pass: it fails once in 30,000 times.
const enough = 4

func (r Request) check() error {
	if err := privacy.CheckEpsilon(r.Epsilon); err != nil {
		return err
	}
	if !(r.Delta >= 1e-90 && r.Delta < 0.5) {
		return &privacy.ParameterError{
			Field: "delta", Value: privacy.Number(r.Delta), Want: "a number from 1e-90 to below 0.5",
		}
	}
	if r.Gap < 0 || r.Gap > r.Shape.Teachers {
		return &privacy.ParameterError{
			Field: "gap", Value: privacy.Number(float64(r.Gap)),
			Want: "a whole number of votes, from 0 to the number of teachers",
		}
	}
	return nil
}

func (p Plan) affords(r Request) (bool, error) {
	epsilon, err := p.Epsilon(r.Delta)
	return epsilon <= r.Epsilon, err
}

// untested is the plan with the least noise that needs no test.
func (r Request) untested() (Plan, error) {
	sensitivity := math.Sqrt2 * math.Sqrt(float64(r.Shape.Queries)) * (1 + 0x1p-40)
	sigma, err := calibrate.Gaussian(r.Epsilon, r.Delta, sensitivity)
	if err != nil {
		return Plan{}, err
	}
	return Untested(r.Adjacency, r.Shape, math.Max(LeastSigma, sigma*(1+1e-9)))
}

// candidate is a test that a plan may have.
type candidate struct{ sigma, failure, needs float64 }

func (r Request) candidates() ([]candidate, error) {
	var list []candidate
	for _, share := range []float64{0.1, 0.2, 0.3} {
		for sigma := 1.5; sigma < 200; sigma *= 1.1 {
			test, err := distance.New(sigma, share*r.Delta)
			if err != nil {
				return nil, err
			}
			list = append(list, candidate{sigma, test.Failure(), float64(test.Needs())})
		}
	}
	return list, nil
}

// tested is the best plan with a test; false if none would pass on the gap guessed.
func (r Request) tested() (Plan, bool, error) {
	candidates, err := r.candidates()
	if err != nil {
		return Plan{}, false, err
	}
	var best Plan
	most, least, sigma := math.Inf(-1), 0.0, newSpread(r.Sigma).sigma()
	for order := 4.; order < 200; order *= 1.1 {
		d := r.guessed(sigma, order)
		for _, test := range candidates {
			converted := math.Log1p(-1/order) - math.Log(order*(r.Delta-test.failure))/(order-1)
			budget := r.Epsilon*(1-1e-9) - converted - order/(2*test.sigma*test.sigma) - 1e-9
			noise := fallback(r.Shape.Queries, order, budget)
			if !(budget > LeastBudget && noise < LargestSigma) {
				continue
			}
			margin := math.Min(enough, (float64(d(budget))-test.needs)/test.sigma)
			if margin < 0 || margin < most || margin == most && noise >= least {
				continue
			}
			most, least = margin, noise
			best = Plan{
				Order: order, Budget: budget, TestSigma: test.sigma, Failure: test.failure,
			}
		}
	}
	if best.Order == 0 {
		return Plan{}, false, nil
	}
	plan, err := NewPlan(
		r.Adjacency, r.Shape, r.Sigma, best.Order, best.Budget, best.TestSigma, best.Failure,
	)
	if err != nil {
		return Plan{}, false, err
	}
	// The price is computed by all of accounting, and not by the formula above alone.
	affordable, err := plan.affords(r)
	return plan, affordable, err
}

// guessed returns D as a function of the budget, if all queries have the gap guessed between
// two classes.
func (r Request) guessed(sigma, order float64) func(budget float64) int {
	gap := r.Gap
	if gap == 0 {
		gap = r.Shape.Teachers * 3 / 4
	}
	costs := map[int]float64{}
	cost := func(k int) float64 {
		c, known := costs[k]
		if !known {
			c = float64(r.Shape.Queries) * Independent(sigma, order)
			if 2*k < gap {
				q := special.NormalCDF(-float64(gap-2*k) / (math.Sqrt2 * sigma))
				c = float64(r.Shape.Queries) * twoTails(q, sigma, order, 1e-3, 40)
			}
			costs[k] = c
		}
		return c
	}
	return func(budget float64) int {
		low, high := -1, r.Shape.Teachers+1
		for high-low > 1 {
			if middle := low + (high-low)/2; cost(middle) <= budget {
				low = middle
			} else {
				high = middle
			}
		}
		return low
	}
}
