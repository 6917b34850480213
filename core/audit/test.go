package audit

import (
	"context"
	"errors"
	"math"

	"cloister/core/random"
)

// FalseAlarm bounds the probability that a mechanism which keeps its promise is accused.
const FalseAlarm = 1e-6

// Trial is one run of a mechanism on one data set. It returns a statistic of what is
// released: any real number or ±Inf. An error of a run ends the audit.
type Trial func(source random.Source) (statistic float64, err error)

// Pair is the same mechanism on two neighbours. The statistic should be larger with the
// record than without: a pair for which it is smaller shows nothing, but accuses nobody
// falsely.
type Pair struct{ Without, With Trial }

// Test is what is counted. It is fixed before the rounds that count.
type Test struct {
	Aim   Aim
	Lines []float64 // of the curve
}

// offsets are the lines of [Around] in units of the spread.
var offsets = [...]float64{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2}

// Around is the test with this aim and with lines around a centre, for a statistic that
// spreads by about so much.
func Around(aim Aim, centre, spread float64) Test {
	t := Test{Aim: aim}
	for _, k := range offsets {
		t.Lines = append(t.Lines, centre+k*spread)
	}
	return t
}

// Place is [Around] for an aim in standard units, as it is of [Shifted]: by so many runs
// on each data set, at least two, it finds the middle between the two means and the
// spread. These runs are not counted. Errors: a run's own, the context's, or one that
// says that a statistic is not finite.
func Place(
	ctx context.Context, pair Pair, aim Aim, runs int, source random.Source,
) (Test, error) {
	var means [2]float64
	squares := 0.0
	for i, trial := range []Trial{pair.Without, pair.With} {
		mean := 0.0
		for k := range runs {
			if err := ctx.Err(); err != nil {
				return Test{}, err
			}
			x, err := trial(source)
			if err != nil {
				return Test{}, err
			}
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return Test{}, errors.New("audit: a statistic is not finite")
			}
			// Welford 1962: the mean so far, and the squares of what is left of it.
			step := x - mean
			mean += step / float64(k+1)
			squares += step * (x - mean)
		}
		means[i] = mean
	}
	centre, spread := (means[0]+means[1])/2, math.Sqrt(squares/float64(2*runs-2))
	aim.Line = centre + spread*aim.Line
	return Around(aim, centre, spread), nil
}
