package dpgd

import (
	"math"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// The defaults: what [Defaults] takes for every problem.
const (
	defaultSteps    = 100
	defaultMomentum = 0.9

	classesDrift  = 2.0  // how far noise alone moves a coordinate of θ
	classesStable = 14.0 // largest step size in units of 1/(βR²)
	numbersDrift  = 0.3  // the same for a numeric label
	numbersStable = 3.0
)

// Defaults asks for a fit without a schedule of theory: 100 steps of the same
// noise, momentum 0.9, no regulariser (to stop early is one), gradients clipped
// where Request does, and the step size of the mean objective
//
//	η = min(2(1 − 0.9)·N/(√100·σ), 14/(βR²)),
//
// σ the noise of a step's sum: so large that all the steps' noise together moves
// a coordinate of θ by 2 (its standard deviation if all else stood still), but
// not much beyond what is stable (the curvature of real data is some tenth of
// βR²; gradients are clipped, so no step can run away far). Records is N. Where
// the first term decides, the steps do not depend on it, because η is divided by
// N again; where the second does, an N that is twice too large is the row "η/2".
//
// It was chosen by the test accuracy in % of logistic fits, mean over 5 (Adult)
// and 150 (breast cancer; 30 for the schedules) seeded 80/20 splits, δ = 1e-5,
// add/remove, κ = 1/2, N the number of training records:
//
//	                               Adult                   breast cancer
//	ε                              0.1     1       8       0.1     1       8
//	the defaults                   82.63   83.68   83.84   69.3    90.4    92.1
//	η/2                            82.50   83.47   83.60   66.4    89.0    91.6
//	2η                             82.15   83.76   80.58   71.5    89.9    93.2
//	300 steps of η/3               82.70   83.69   83.87   70.3    90.2    92.5
//	ScheduleAllocated, M/μ = 201   81.69   81.47   81.47   64.8    90.1    91.4
//	ScheduleStronglyConvex, same   81.77   81.43   81.48   63.6    89.3    91.4
//
// Standard errors are near 0.1 and 0.2 to 0.9 (1.5 for the schedules). The
// schedules are held back by their λ, without which they converge too slowly;
// with Gap = F(0) = log 2 in the place of its default they take a tenth of the
// steps or fewer, and predict breast cancer right in 63 % at ε = 1.
//
// A number has its bounds at −1 and 1, and its loss the curvature β everywhere, so the
// factors are 0.3 and 3: heavy-ball steps of momentum 0.9 may swing without end from
// 2(1 + 0.9)/(βR²) on, where rows have one direction. 100·R² by scripts/benchmark, 12 splits:
//
//	                     body weight                        diabetes progression
//	ε                    0.1   0.25  1     4     8          0.1   0.25  1     4     8
//	factors 0.3 and 3    30.5  35.5  57.6  81.9  89.1       −18   −3.6  28.2  47.6  49.5
//	0.5 and 3            7.2   27.2  64.9  84.8  88.1       −17   −1.6  33.6  48.6  49.5
//	1 and 3              −37   14.1  54.5  78.8  79.5       −33   −3.1  37.0  48.1  48.8
//	2 and 14, as before  −141  −134  −5.8  −40   −616       −287  −12   19.8  40.6  45.7
//	package amp          21.2  41.7  62.9  81.3  85.5       −10   −7.5  26.5  48.4  48.6
//
// [MeanDefaults] does better on both.
func Defaults(
	schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee, records float64,
) Request {
	r := Request{
		Guarantee: guarantee, Schedule: ScheduleConstant, Loss: loss, Dimension: schema.Dimension(),
		RowNorm: schema.RowNorm(),
		Records: records, Steps: defaultSteps, Momentum: defaultMomentum,
	}
	drift, stable := classesDrift, classesStable
	if schema.Label.Type == data.NumericLabel {
		drift, stable = numbersDrift, numbersStable
	}
	r.Rate = stable / (loss.MaxCurvature() * r.RowNorm * r.RowNorm)
	unit, err := calibrate.Gaussian(guarantee.Epsilon, guarantee.Delta, 1)
	if err != nil || !guarantee.Adjacency.Valid() {
		return r // Plan says what is wrong with the guarantee
	}
	r.Clip = learn.DefaultClip(loss, r.RowNorm)
	r.Rate = math.Min(r.Rate, drifting(r, unit, drift))
	return r
}
