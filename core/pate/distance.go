package pate

// Distance is D: the largest number of teachers that may change their votes, each on every
// query, before the bounds of all queries together exceed the budget; −1 if they do as the
// votes are. It is at most the number of teachers. It is private. votes are of the plan's
// shape.
func (p Plan) Distance(votes [][]int) int { return newMeter(p).distance(votes) }

// meter measures distances for one plan.
type meter struct {
	plan     Plan
	table    []chance
	envelope *envelope
}

func newMeter(p Plan) *meter {
	noise := newSpread(p.Sigma)
	return &meter{p, behind(noise, p.Shape.Teachers), newEnvelope(noise, p.Order)}
}

func (m *meter) distance(votes [][]int) int {
	queries := make([]query, len(votes))
	for i, row := range votes {
		queries[i] = newQuery(row)
	}
	// The sum rises with k. It is the budget at most at low, if that is not −1, and above it
	// at high.
	low, high := -1, m.plan.Shape.Teachers+1
	for high-low > 1 {
		middle := low + (high-low)/2
		if m.spent(queries, middle) <= m.plan.Budget {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// spent is an upper bound of the divergence of all labels with k votes of each query moved.
// The factor is for the roundings of the sum; it and the sum are monotone in each term.
func (m *meter) spent(queries []query, k int) float64 {
	sum := 0.0
	for _, q := range queries {
		cost := m.envelope.independent
		if c, ok := q.at(m.table, k); ok {
			cost = m.envelope.at(c)
		}
		sum += cost
	}
	return sum * (1 + 0x1p-28)
}
