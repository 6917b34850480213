package thesis

import (
	"fmt"
	"math"

	"cloister/core/distance"
	"cloister/core/lab/seeded"
	"cloister/core/pate"
	"cloister/core/privacy"
)

// Figure 3.2: so many teachers vote on so many queries about so many classes, and δ.
const (
	Teachers     = 400
	Queries      = 200
	Classes      = 10
	TeacherDelta = 1e-5
)

// Consensus is how much the teachers agree: on each query the share of one class is drawn
// evenly from Least to Most.
type Consensus struct {
	Name        string
	Least, Most float64
}

// High and Low are those of the figure.
var (
	High = Consensus{"high consensus", 0.90, 0.98}
	Low  = Consensus{"low consensus", 0.35, 0.72}
)

// Votes are simulated: what one class leaves over goes to the others by exponential weights.
func (c Consensus) Votes() [][]int {
	stream := seeded.New("thesis votes " + c.Name)
	votes := make([][]int, Queries)
	for i := range votes {
		votes[i] = make([]int, Classes)
		share := c.Least + (c.Most-c.Least)*stream.Uniform()
		var weights [Classes]float64
		total := 0.0
		for j := 1; j < Classes; j++ {
			weights[j] = -math.Log1p(-stream.Uniform())
			total += weights[j]
		}
		for range Teachers {
			class := 0
			if stream.Uniform() >= share {
				u := stream.Uniform() * total
				for class = 1; class < Classes-1 && u > weights[class]; class++ {
					u -= weights[class]
				}
			}
			votes[i][class]++
		}
	}
	return votes
}

// Labelling is what labels of all queries cost, with noise Sigma on the votes.
type Labelling struct {
	Sigma    float64
	Gaussian float64 // ε, whatever the votes are
	Tested   float64 // ε of the cheapest plan with a test that passes with probability 0.999
	Right    float64 // the share of queries whose label is the plurality's, with this noise

	// What these very votes cost, by the bound of package pate and by that of Papernot et al.
	// (2018). Numbers of private data: to publish them is not private.
	TwoTails, Papernot float64
}

// Label prices labels of these votes.
//
// The plan with a test is the cheapest of those that pate.Choose makes of any guess of the gap
// and any ε, so it is the best that a public guess could do. +Inf where none passes.
func Label(votes [][]int, sigma float64) (Labelling, error) {
	found := Labelling{Sigma: sigma}
	shape, err := pate.ShapeOf(votes)
	if err != nil {
		return found, err
	}
	plain, err := pate.Untested(privacy.AddRemove, shape, sigma)
	if err != nil {
		return found, err
	}
	if found.Gaussian, err = plain.Epsilon(TeacherDelta); err != nil {
		return found, err
	}
	wrong := make([]float64, len(votes))
	for i, row := range votes {
		most := 0
		for j, n := range row {
			if n > row[most] {
				most = j
			}
		}
		law := pate.Law(row, sigma)
		for j, p := range law {
			if j != most {
				wrong[i] += p
			}
		}
		found.Right += law[most] / float64(len(votes))
	}
	found.TwoTails = best(func(order float64) float64 {
		return sum(wrong, func(q float64) float64 {
			if q > 0.5 {
				return pate.Independent(sigma, order)
			}
			return pate.TwoTails(q, sigma, order)
		})
	})
	found.Papernot = best(func(order float64) float64 {
		return sum(wrong, func(q float64) float64 {
			any := pate.Independent(sigma, order)
			if r, ok := pate.Papernot(math.Log(q), sigma, order); ok {
				return math.Min(r, any)
			}
			return any
		})
	})
	found.Tested, err = cheapestTest(votes, shape, sigma, found.Gaussian)
	return found, err
}

// best is the least ε to which Rényi divergences of the orders tried are converted.
func best(divergence func(order float64) float64) float64 {
	least := math.Inf(1)
	for order := 1.5; order < 400; order *= 1.15 {
		epsilon := divergence(order) + math.Log1p(-1/order) -
			math.Log(order*TeacherDelta)/(order-1)
		least = math.Min(least, epsilon)
	}
	return least
}

func sum(x []float64, f func(float64) float64) float64 {
	total := 0.0
	for _, v := range x {
		total += f(v)
	}
	return total
}

// cheapestTest bisects, for each guess of the gap, for the least ε whose plan passes. From what
// noise costs without a test on, there is none to be had.
func cheapestTest(votes [][]int, shape pate.Shape, sigma, most float64) (float64, error) {
	least := math.Inf(1)
	for gap := 20; gap < Teachers; gap += 20 {
		passes := func(epsilon float64) (bool, error) {
			plan, err := pate.Choose(pate.Request{
				Adjacency: privacy.AddRemove, Shape: shape, Epsilon: epsilon, Delta: TeacherDelta,
				Sigma: sigma, Gap: gap,
			})
			if err != nil || !plan.Tested {
				return false, err
			}
			test, err := distance.New(plan.TestSigma, plan.Failure)
			if err != nil {
				return false, err
			}
			return test.Passes(int64(plan.Distance(votes))) >= 0.999, nil
		}
		low, high := 0.0, math.Min(least, most)*0.999
		if ok, err := passes(high); err != nil || !ok {
			if err != nil {
				return 0, fmt.Errorf("guess %d: %w", gap, err)
			}
			continue
		}
		for high-low > 0.005*high {
			middle := (low + high) / 2
			ok, err := passes(middle)
			if err != nil {
				return 0, fmt.Errorf("guess %d: %w", gap, err)
			}
			if ok {
				high = middle
			} else {
				low = middle
			}
		}
		least = high
	}
	return least, nil
}
