package cards

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cloister/core/lab/seeded"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Comparison is what is run: each system at each ε, Runs times on each of Splits splits.
type Comparison struct {
	Epsilons     []float64
	Splits, Runs int
	Most         int     // records to fit; 0 is four fifths of the table
	Delta        float64 // of systems that are not pure
}

// Score is what the runs of one system at one ε came to.
type Score struct {
	Epsilon float64
	Held    []float64       // share of the held-out records that was right, a run each
	Fitted  []float64       // and of the records to fit
	Times   []time.Duration // of a fit, reading left out
}

// Mean is that of the held-out records.
func (s Score) Mean() float64 { return mean(s.Held) }

// MeanFitted is that of the records to fit.
func (s Score) MeanFitted() float64 { return mean(s.Fitted) }

// Deviation is the standard deviation of Held over the runs.
func (s Score) Deviation() float64 {
	square, centre := 0.0, s.Mean()
	for _, x := range s.Held {
		square += (x - centre) * (x - centre)
	}
	return math.Sqrt(square / math.Max(1, float64(len(s.Held)-1)))
}

// Time is the median and the longest time of a run.
func (s Score) Time() (median, longest time.Duration) {
	sorted := slices.Sorted(slices.Values(s.Times))
	return sorted[(len(sorted)-1)/2], sorted[len(sorted)-1]
}

func mean(all []float64) (m float64) {
	for _, x := range all {
		m += x / float64(len(all))
	}
	return m
}

// Run runs one system at all ε. done is told of each ε.
func (c Comparison) Run(ctx context.Context, t *Table, s System, done func(Score)) error {
	for _, epsilon := range c.Epsilons {
		score := Score{Epsilon: epsilon}
		guarantee := privacy.Guarantee{
			Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: c.Delta,
		}
		for k := range c.Splits {
			part := t.Split(k, c.Most)
			for run := range c.Runs {
				noise := seeded.New(fmt.Sprintf(
					"cards %s %g of %d split %d run %d", s.Name, epsilon, c.Most, k, run,
				))
				start := time.Now()
				held, fitted, err := s.run(ctx, part, guarantee, noise)
				if err != nil {
					return fmt.Errorf("%s at ε = %g: %w", s.Name, epsilon, err)
				}
				score.Times = append(score.Times, time.Since(start))
				score.Held, score.Fitted = append(score.Held, held), append(score.Fitted, fitted)
			}
		}
		done(score)
	}
	return nil
}

// WithoutPrivacy is the best card on the records to fit of each split: its mean shares of right
// answers on the records held out and on those to fit.
func (c Comparison) WithoutPrivacy(
	ctx context.Context, t *Table,
) (held, fitted float64, err error) {
	for k := range c.Splits {
		part := t.Split(k, c.Most)
		points, _, err := search.Minimise(ctx, part.problem(), search.None{}, search.Options{})
		if err != nil {
			return 0, 0, err
		}
		there, here := part.right(points)
		held += there / float64(c.Splits)
		fitted += here / float64(c.Splits)
	}
	return held, fitted, nil
}
