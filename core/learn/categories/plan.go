package categories

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// Plan is how categories are bought. All of it is public.
type Plan struct {
	Adjacency privacy.Adjacency // no default
	Columns   int               // whose categories are released together
	Epsilon   float64           // of all of them together, at most
	Delta     float64           // likewise; from MinDelta on
}

const (
	// MaxColumns is the most columns of a plan.
	MaxColumns = 4096

	// MinDelta is the smallest δ that one column may get. It is far more than the unit
	// of probabilities, and far less than anybody needs.
	MinDelta = 1e-15
)

// Event is what a release by this plan costs: ε and δ are divided evenly among the
// columns, and under replace-one between the two counts that change in each. A plan
// that cannot be carried out is a *privacy.ParameterError for the field
// "adjacency", "columns", "epsilon" or "delta".
func (p Plan) Event() (privacy.Event, error) {
	if _, err := p.rule(); err != nil {
		return nil, err
	}
	return p.event(), nil
}

func (p Plan) event() privacy.Event {
	one := privacy.ApproximateDP{
		Adjacency: p.Adjacency,
		Epsilon:   p.share(p.Epsilon),
		Delta:     p.share(p.Delta),
	}
	return privacy.Composition{
		Adjacency: p.Adjacency,
		Parts:     []privacy.Part{{Event: one, Count: p.changes()}},
	}
}

// Even returns the least number of records with which a category is kept with
// probability at least one half. Sure returns the least number with which it is always
// kept. Both are 0 for an invalid plan.
func (p Plan) Even() int { return p.first(certain / 2) }

// Sure: see Even.
func (p Plan) Sure() int { return p.first(certain) }

func (p Plan) first(least uint64) int {
	rule, _ := p.rule()
	for n, probability := range rule {
		if probability >= least {
			return n
		}
	}
	return 0
}

// changes is in how many counts one record can make a difference of 1.
func (p Plan) changes() int {
	if p.Adjacency == privacy.ReplaceOne {
		return 2 * p.Columns
	}
	return p.Columns
}

// share is the part of a total for one change, such that all of them together are
// not more than it.
func (p Plan) share(total float64) float64 {
	n := float64(p.changes())
	one := total / n
	if math.FMA(one, n, -total) > 0 { // the quotient was rounded up
		one = math.Nextafter(one, 0)
	}
	return one
}

// rule is π, or what is wrong with the plan.
func (p Plan) rule() ([]uint64, error) {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return nil, err
	}
	if p.Columns < 1 || p.Columns > MaxColumns {
		return nil, &privacy.ParameterError{
			Field: "columns",
			Value: strconv.Itoa(p.Columns),
			Want:  "from 1 to " + strconv.Itoa(MaxColumns),
		}
	}
	if err := privacy.CheckEpsilon(p.Epsilon); err != nil {
		return nil, err
	}
	if !(p.share(p.Delta) >= MinDelta && p.Delta < 1) {
		return nil, &privacy.ParameterError{
			Field: "delta",
			Value: privacy.Number(p.Delta),
			Want:  "below 1, and at least " + privacy.Number(MinDelta) + " for each column",
		}
	}
	rule := keep(p.share(p.Epsilon), p.share(p.Delta))
	if rule == nil {
		return nil, &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(p.Epsilon),
			Want:  "larger: for so many columns at this ε no category of any file would be kept",
		}
	}
	return rule, nil
}
