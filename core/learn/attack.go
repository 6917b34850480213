package learn

import (
	"context"
	"math"
	"slices"

	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/random"
)

// Attack is what an audit of a fit runs (package audit): the fit itself on two made-up
// neighbours for which its price is tight, as far as such are known, and what an
// attacker who knows both computes from the coefficients. Nothing in it is about any
// record that was fitted.
type Attack struct {
	// Without and With are the neighbours. Under add/remove the second has one record
	// more, under replace-one another in the place of one.
	Without, With Problem

	// Statistic is larger, as a rule, for coefficients of With. It must not change them.
	Statistic func(coefficients []float64) float64

	// Test is where to look for the fault, and how many rounds it takes. Where Placed is
	// false its aim is in standard units, and runs have to tell them (audit.Place).
	Test   audit.Test
	Placed bool

	// Fit is the mechanism with its noise multiplied by a factor: 1 is the one that is
	// shipped. Any other breaks the promise, and is for audits alone. An error is that of
	// a plan that no longer holds together, such as a *privacy.ParameterError.
	Fit func(noise float64) (Fit, error)
}

// Pair is the mechanism on both neighbours, with its noise multiplied by a factor (see Fit).
func (a Attack) Pair(ctx context.Context, noise float64) (audit.Pair, error) {
	fit, err := a.Fit(noise)
	if err != nil {
		return audit.Pair{}, err
	}
	on := func(p Problem) audit.Trial {
		return func(source random.Source) (float64, error) {
			model, _, err := fit(ctx, p, source, Watch{})
			if err != nil {
				return 0, err
			}
			return a.Statistic(model.Coefficients), nil
		}
	}
	return audit.Pair{Without: on(a.Without), With: on(a.With)}, nil
}

// Promise is a claimed privacy profile, an upper bound on δ at ε.
type Promise func(epsilon float64) (delta float64, err error)

// Suspect is what an attack looks for: a fit whose noise is this factor of what Promise
// was made for.
type Suspect struct {
	Noise    float64 // above 0 and below 1
	Promise  Promise
	Epsilons []float64 // at which the promise may be tried
}

// Shifted is the test for a fit whose worst case is a Gaussian that the record moves,
// with the price that is promised: by μ where δ(0) = 2Φ(μ/2) − 1, and by more with less
// noise.
func (s Suspect) Shifted() (audit.Test, error) { return s.ShiftedIn(1) }

// ShiftedIn is Shifted for a statistic in which the record moves the Gaussian by this
// share of what it costs, above 0 and at most 1: one that weighs some of what is given
// out more than would be best.
func (s Suspect) ShiftedIn(share float64) (audit.Test, error) {
	delta, err := s.Promise(0)
	if err != nil {
		return audit.Test{}, err
	}
	mu := 2 * math.Sqrt2 * math.Erfinv(math.Min(delta, 0.999))
	aim, err := audit.Take(audit.Shifted(share*mu/s.Noise), s.Promise, s.Epsilons)
	// Neighbours that are found to be nearly the worst, and lines that runs have placed, show
	// a little less than the worst there is.
	aim.Rounds = min(aim.Rounds+aim.Rounds/8, audit.MaxRounds)
	return audit.Test{Aim: aim}, err
}

// Mark is a made-up record: Scale·R in the first column, and 0 in all others.
type Mark struct {
	Scale float64 // from −1 to 1, not 0
	Label float64
}

// Marks is the problem of these records, R being rowNorm. It panics if the schema has no
// column.
func Marks(schema *data.Schema, loss glm.Loss, rowNorm float64, marks []Mark) Problem {
	x := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	var y []float64
	for _, m := range marks {
		x.Index, x.Value = append(x.Index, 0), append(x.Value, m.Scale*rowNorm)
		x.RowStart = append(x.RowStart, len(x.Index))
		y = append(y, m.Label)
	}
	return Problem{Data: &data.Dataset{Schema: schema, X: x, Y: y}, Loss: loss}
}

// Pulling returns records that together pull the first coefficient down with this force,
// at most mostPulling of them, and none for a force that is not above 0. moves is how far
// the margin of a long row comes to lie from 0. Their rows are so short that the force
// hardly changes there.
//
// They keep the margin of a long row with the opposite label below 0 whatever the noise
// does, and so its gradient as long as clipping lets it be.
func Pulling(loss glm.Loss, rowNorm, force, moves float64) []Mark {
	if !(force > 0) {
		return nil
	}
	slope := loss.Slope(0, -1)
	// n·η·R·slope = force; η·moves·β/slope is the share by which it changes.
	scale := math.Min(1, softness*slope/(loss.MaxCurvature()*moves))
	n := math.Min(math.Ceil(force/(scale*rowNorm*slope)), mostPulling)
	return slices.Repeat([]Mark{{Scale: scale, Label: -1}}, int(n))
}

const (
	softness    = 0.1
	mostPulling = 2000
)

// Remembered is the promise, asked once at each ε.
func Remembered(p Promise) Promise {
	known := map[float64]float64{}
	return func(epsilon float64) (float64, error) {
		if delta, ok := known[epsilon]; ok {
			return delta, nil
		}
		delta, err := p(epsilon)
		if err == nil {
			known[epsilon] = delta
		}
		return delta, err
	}
}
