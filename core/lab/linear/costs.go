package linear

import (
	"context"
	"fmt"
	"math"

	"cloister/core/search"
)

// costs of −⟨η, φ(w)⟩: one for each coordinate and value, in the order of Class.Values, and one for
// each ‖w‖², unless squares is nil.

func (Sphere) costs(c Class, eta []float64) (levels [][]float64, squares []float64) {
	square := c.squareOfNorm()
	size := math.Sqrt(float64(square))
	levels = linearCosts(c, eta[:c.Dimension], 1/size)
	for k := range square + 1 {
		squares = append(squares, -eta[c.Dimension]*math.Sqrt(float64(square-k))/size)
	}
	return levels, squares
}

func (Coordinates) costs(c Class, eta []float64) (levels [][]float64, squares []float64) {
	return linearCosts(c, eta, 1), nil
}

func linearCosts(c Class, eta []float64, scale float64) (levels [][]float64) {
	for _, y := range eta {
		var costs []float64
		for _, v := range c.Values {
			costs = append(costs, -scale*y*float64(v))
		}
		levels = append(levels, costs)
	}
	return levels
}

func (Thresholds) costs(c Class, eta []float64) (levels [][]float64, squares []float64) {
	steps := len(c.Values) - 1
	for j := range c.Dimension {
		costs := make([]float64, 1, steps+1)
		for _, y := range eta[j*steps : (j+1)*steps] {
			costs = append(costs, costs[len(costs)-1]-y)
		}
		levels = append(levels, costs)
	}
	return levels, nil
}

// unit is how many parts of a record's loss costs are rounded to.
const unit = 1 << 12

// Minimise is the scorecard with the least loss less ⟨η, φ(w)⟩, among those with points from −B
// to B. It is exact but for the rounding of costs to 1/4096 of a record, so that it is the oracle
// that the paper asks for.
func Minimise(
	ctx context.Context, p search.Problem, f Features, eta []float64,
) (search.Points, search.Certificate, error) {
	c := Class{Dimension: p.Dimension()}
	for v := -p.Bound; v <= p.Bound; v++ {
		c.Values = append(c.Values, v)
	}
	if len(eta) != f.Count(c) {
		return nil, search.Certificate{}, fmt.Errorf(
			"linear: %d numbers of noise for %d features", len(eta), f.Count(c),
		)
	}
	levels, squares := f.costs(c, eta)
	costs := search.Separable{Denominator: unit}
	for _, l := range levels {
		costs.Costs = append(costs.Costs, rounded(l))
	}
	if squares != nil {
		costs.Squares = rounded(squares)
	}
	return search.Minimise(ctx, p, costs, search.Options{})
}

func rounded(costs []float64) []int64 {
	out := make([]int64, len(costs))
	for i, c := range costs {
		out[i] = int64(math.Round(unit * c))
	}
	return out
}
