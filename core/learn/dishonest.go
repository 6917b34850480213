package learn

import (
	"errors"

	"cloister/core/data"
)

// Dishonest is the best of a grid of fits, chosen by the data at no charge. Papers
// compare with it when they leave out the cost of tuning. Each fit of the grid keeps
// its plan's guarantee, but the winner does not. So it is an Unprotected, which no
// release accepts and which has no JSON form.
type Dishonest[C any] struct {
	Unprotected
	Choice     C // the winner's place in the grid
	Evaluation Evaluation
}

// BestOfGrid fits each of the candidates once and returns the fit that predicts
// the most of the records in held correctly, the first of equals; chosen says
// what was chosen, "the learning rate". It is a yardstick, to be shown to nobody
// as private. Fits that diverge lose; if all do, the error is the last one's.
// Other errors of fit end it. It panics without a candidate.
func BestOfGrid[C any](
	problem Problem, held *data.Dataset, chosen string, candidates []C,
	fit func(C) (theta []float64, err error),
) (Dishonest[C], error) {
	if len(candidates) == 0 {
		panic("learn: no candidates")
	}
	var best Dishonest[C]
	var last error
	found := false
	for _, candidate := range candidates {
		theta, err := fit(candidate)
		if _, diverged := errors.AsType[*DivergedError](err); diverged {
			last = err
			continue
		}
		if err != nil {
			return Dishonest[C]{}, err
		}
		one := NewUnprotected(
			chosen+" was chosen by looking at the data, and the choice was not paid for", problem,
			theta,
		)
		if e := one.Evaluate(held); !found || e.Correct > best.Evaluation.Correct {
			best, found = Dishonest[C]{one, candidate, e}, true
		}
	}
	if !found {
		return Dishonest[C]{}, last
	}
	return best, nil
}
