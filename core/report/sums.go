package report

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/report/matrix"
	"cloister/core/solve"
)

// sums are the matrices that a plan releases, without noise. They are private. One that is not
// released is nil.
type sums struct {
	below  *matrix.Sum // the Hessian from below
	rest   *matrix.Sum // what it falls short of that at Theta
	scores *matrix.Sum // Σ∇ℓ∇ℓᵀ at Theta
	failed error
}

func newSums(m Mechanism, plan Plan) (*sums, error) {
	s := &sums{}
	if plan.Hessian == 0 {
		return s, nil
	}
	mechanism, err := plan.matrix(m)
	if err != nil {
		return nil, err
	}
	if s.below, err = mechanism.Sum(); err != nil {
		return nil, err
	}
	if plan.Rest {
		if s.rest, err = mechanism.Sum(); err != nil {
			return nil, err
		}
	}
	if plan.Scores == 0 {
		return s, nil
	}
	if mechanism, err = plan.scores(m); err != nil {
		return nil, err
	}
	s.scores, err = mechanism.Sum()
	return s, err
}

// sumsOf takes the sums over the records from first to end−1.
func sumsOf(m Mechanism, plan Plan, d *data.Dataset, first, end int) (*sums, error) {
	empty, err := newSums(m, plan)
	if err != nil || empty.below == nil {
		return empty, err
	}
	radius := m.radius(windowTail)
	total := solve.Shares(end-first, len(empty.numbers()),
		func() *sums {
			own, _ := newSums(m, plan) // which went well before
			return own
		},
		func(from, to int, own *sums) {
			for i := first + from; i < first+to && own.failed == nil; i++ {
				own.failed = own.addRow(m, radius, d.X.Row(i), d.Y[i])
			}
		},
		func(total, own *sums) {
			if total.failed == nil {
				total.failed = own.failed
			}
			if total.failed == nil {
				total.failed = total.add(own.numbers())
			}
		})
	return total, total.failed
}

// addRow adds a record: see Release.
func (s *sums) addRow(m Mechanism, radius float64, row data.Row, y float64) error {
	length, margin := norm2(row), row.Dot(m.Theta)
	below := windowOf(m.Loss, length, margin, length*radius, y).curvature[0]
	_, slope, here := m.Loss.Row(length).At(margin, y)
	err := s.below.AddBelow(below, row)
	if err == nil && s.rest != nil {
		err = s.rest.AddOuter(math.Max(here-below, 0), row)
	}
	if err == nil && s.scores != nil {
		err = s.scores.AddOuter(slope*slope, row)
	}
	return err
}

func (s *sums) released() (out []*matrix.Sum) {
	for _, sum := range []*matrix.Sum{s.below, s.rest, s.scores} {
		if sum != nil {
			out = append(out, sum)
		}
	}
	return out
}

// numbers are all of them in one list.
func (s *sums) numbers() (out []float64) {
	for _, sum := range s.released() {
		out = append(out, sum.Numbers()...)
	}
	return out
}

// add adds the sums over other records, as numbers has them. It panics for a list of another
// length.
func (s *sums) add(numbers []float64) error {
	released := s.released()
	count := 0
	for _, sum := range released {
		count += sum.Count()
	}
	if len(numbers) != count {
		panic("report: " + strconv.Itoa(len(numbers)) + " numbers of sums, where the plan has " +
			strconv.Itoa(count))
	}
	for _, sum := range released {
		own := numbers[:sum.Count()]
		numbers = numbers[len(own):]
		if err := sum.AddNumbers(own); err != nil {
			return err
		}
	}
	return nil
}
