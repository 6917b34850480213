package search

import "slices"

// squares bounds the cost of ‖w‖² from below: of a node with the first j levels set, whose
// squares sum to s, squares[j][s] is the least cost of s + (d−j)B² and less. nil is no cost.
type squares [][]int64

func newSquares(costs []int64, shape Shape) squares {
	if costs == nil {
		return nil
	}
	d, most := shape.Dimension(), shape.Bound*shape.Bound
	out := make(squares, d+1)
	out[d] = costs
	for j := d - 1; j >= 0; j-- {
		out[j] = make([]int64, j*most+1)
		for s := range out[j] {
			out[j][s] = slices.Min(costs[s : s+(d-j)*most+1])
		}
	}
	return out
}

// least is the bound for a node; at a leaf it is the cost.
func (s squares) least(levels, sum int) int64 {
	if s == nil {
		return 0
	}
	return s[levels][sum]
}
