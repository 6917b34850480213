package audit

import (
	"context"
	"errors"
	"math"

	"cloister/core/random"
)

// Counts are the rounds of an attack.
type Counts struct {
	Test Test

	// Of the runs on the data set without the record and with it: how many there were,
	// how many of them had a statistic above Test.Aim.Line, and above each of Test.Lines.
	Runs     [2]int
	AboveAim [2]int
	Above    [2][]int
}

// Play plays so many rounds: in each a fair coin chooses the data set. told, which may
// be nil, is called after each with the number of rounds so far. Nothing about how they
// went is passed on, because who stops for what they see makes the bounds wrong. Errors:
// a run's own, the source's, the context's, or one that says that a statistic is not a
// number.
func Play(
	ctx context.Context, pair Pair, test Test, rounds int, source random.Source,
	told func(done int),
) (Counts, error) {
	c := Counts{Test: test}
	for i := range c.Above {
		c.Above[i] = make([]int, len(test.Lines))
	}
	for done := range rounds {
		if err := ctx.Err(); err != nil {
			return Counts{}, err
		}
		coin, err := source.Uint64()
		if err != nil {
			return Counts{}, err
		}
		side, trial := 0, pair.Without
		if coin>>63 == 1 {
			side, trial = 1, pair.With
		}
		statistic, err := trial(source)
		if err != nil {
			return Counts{}, err
		}
		if math.IsNaN(statistic) {
			return Counts{}, errors.New("audit: a statistic is not a number")
		}
		c.note(side, statistic)
		if told != nil {
			told(done + 1)
		}
	}
	return c, nil
}

func (c *Counts) note(side int, statistic float64) {
	c.Runs[side]++
	if statistic > c.Test.Aim.Line {
		c.AboveAim[side]++
	}
	for k, line := range c.Test.Lines {
		if statistic > line {
			c.Above[side][k]++
		}
	}
}

// Add adds the rounds of another worker, of the same test.
func (c *Counts) Add(other Counts) {
	for side := range c.Runs {
		c.Runs[side] += other.Runs[side]
		c.AboveAim[side] += other.AboveAim[side]
		for k, n := range other.Above[side] {
			c.Above[side][k] += n
		}
	}
}
