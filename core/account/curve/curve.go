package curve

import (
	"errors"
	"math"

	"cloister/core/privacy"
	"cloister/core/special"
)

// ErrNumerical reports that a bound could not be computed to the promised
// accuracy.
var ErrNumerical = errors.New("account: the bound could not be computed")

// Profile is an upper bound on a privacy profile, for one ordered pair of
// outputs (P, Q) or for the worse of several.
type Profile interface {
	// LogDeltaUpper returns log δ̂ with δ̂ ≥ H_{e^ε}(P‖Q), for any real ε. It is
	// at most 0, never NaN, and 0 (δ̂ = 1) where nothing can be said. It is
	// finite even where δ̂ is far below the smallest float64.
	LogDeltaUpper(epsilon float64) float64
}

// Curve is an upper bound on the privacy profile of a mechanism: for every
// real ε the mechanism is (ε, δ̂(ε))-DP under Adjacency, in both directions.
type Curve interface {
	Profile
	Adjacency() privacy.Adjacency
}

// Pair is a Curve under add/remove that carries its two directions apart.
type Pair struct {
	Added   Profile // of M(Z ∪ {z}) against M(Z)
	Removed Profile // of M(Z) against M(Z ∪ {z})
}

// Adjacency is AddRemove.
func (Pair) Adjacency() privacy.Adjacency { return privacy.AddRemove }

// LogDeltaUpper is the larger of the two directions.
func (p Pair) LogDeltaUpper(epsilon float64) float64 {
	return CertifiedLogDelta(
		math.Max(p.Added.LogDeltaUpper(epsilon), p.Removed.LogDeltaUpper(epsilon)),
	)
}

// Inverse implements Invertible.
func (p Pair) Inverse(logDelta float64) (float64, bool) {
	added, ok1 := Invert(p.Added, logDelta)
	removed, ok2 := Invert(p.Removed, logDelta)
	return math.Max(added, removed), ok1 && ok2
}

// Guess implements Guessed.
func (p Pair) Guess(logDelta float64) float64 {
	return math.Max(Guess(p.Added, logDelta), Guess(p.Removed, logDelta))
}

// Sampled is a Profile of which many equally spaced values cost less together than
// one by one.
type Sampled interface {
	Profile

	// Sample returns upper bounds of log δ at 0, step, …, n·step. One by one the
	// profile may be slightly sharper.
	Sample(step float64, n int) []float64
}

// Sample returns upper bounds of log δ at 0, step, …, n·step.
func Sample(p Profile, step float64, n int) []float64 {
	if q, ok := p.(Sampled); ok {
		return q.Sample(step, n)
	}
	values := make([]float64, n+1)
	for i := range values {
		values[i] = p.LogDeltaUpper(step * float64(i))
	}
	return values
}

// Chorded is a Profile that is convex in e^ε but for rounding, and says where chords of it
// are to end.
type Chorded interface {
	Profile

	// Chords returns increasing ε, from 0 to where δ̂ is next to nothing, and log δ̂ at each.
	// They depend on the event alone.
	Chords() (epsilon, logDelta []float64)
}

// Invertible is a Profile that may know its inverse in closed form.
type Invertible interface {
	Profile

	// Inverse returns an ε at which δ̂ is at most e^logDelta, not clipped at 0, and
	// whether there is a closed form for it.
	Inverse(logDelta float64) (epsilon float64, known bool)
}

// Guessed is a Profile that knows roughly where it has a δ, of which nothing is promised: a search
// for ε begins there.
type Guessed interface {
	Profile

	// Guess is near the ε at which δ̂ is e^logDelta, or 0 if nothing is known.
	Guess(logDelta float64) float64
}

// Guess is p's, or 0.
func Guess(p Profile, logDelta float64) float64 {
	if q, ok := p.(Guessed); ok {
		return q.Guess(logDelta)
	}
	return 0
}

// Invert is p's Inverse, where it has one.
func Invert(p Profile, logDelta float64) (epsilon float64, known bool) {
	if q, ok := p.(Invertible); ok {
		return q.Inverse(logDelta)
	}
	return 0, false
}

// DeltaUpper returns δ̂ ≥ δ(ε), rounded up: between the smallest positive
// float64 and 1. It is an error if epsilon is NaN.
func DeltaUpper(p Profile, epsilon float64) (float64, error) {
	if math.IsNaN(epsilon) {
		return 1, &privacy.ParameterError{Field: "epsilon", Value: "NaN", Want: "a number"}
	}
	return ExpUp(p.LogDeltaUpper(epsilon)), nil
}

// EpsilonUpper returns ε̂ ≥ 0 at which the profile is known to be at most
// delta, so that (ε̂, delta)-DP holds; it exceeds the smallest such ε by less
// than 1e-11 of itself (but for the slack of the profile). It is +Inf if no ε
// has that δ, and an error unless 0 < delta < 1.
func EpsilonUpper(p Profile, delta float64) (float64, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return math.Inf(1), err
	}
	return epsilonAt(p, LogDown(delta))
}

// EpsilonUpperLog is EpsilonUpper for a δ given by its logarithm, which may be
// far below that of the smallest float64.
func EpsilonUpperLog(p Profile, logDelta float64) (float64, error) {
	if !(logDelta < 0) || math.IsInf(logDelta, -1) {
		return math.Inf(1), &privacy.ParameterError{
			Field: "log_delta", Value: privacy.Number(logDelta), Want: "a finite number below 0",
		}
	}
	return epsilonAt(p, logDelta)
}

// LargestEpsilon is where searches for ε give up.
const LargestEpsilon = 1e300

func epsilonAt(p Profile, target float64) (float64, error) {
	if epsilon, ok := Invert(p, target); ok {
		if math.IsNaN(epsilon) {
			return math.Inf(1), ErrNumerical
		}
		return CertifiedEpsilon(epsilon), nil
	}
	excess := func(epsilon float64) float64 {
		return CertifiedLogDelta(p.LogDeltaUpper(epsilon)) - target
	}
	low, high, ok := near(p, excess, target)
	first := high.y / (high.y - low.y)
	if !ok {
		low, high = bracket(excess)
		first = 0.5
	}
	if !(high.x > 0) || math.IsInf(high.x, 1) {
		return high.x, nil
	}
	epsilon, err := special.ConservativeRootBetween(
		excess, low.x, low.y, high.x, high.y, first, 1e-12*high.x,
	)
	if err != nil {
		return math.Inf(1), ErrNumerical
	}
	return CertifiedEpsilon(epsilon), nil
}

// point is an ε and how far log δ̂ is above the target there.
type point struct{ x, y float64 }

// near brackets the ε of a target from where p guesses it, by secants that go a little beyond;
// not ok if that does not work soon.
func near(p Profile, excess func(float64) float64, target float64) (low, high point, ok bool) {
	guessed, is := p.(Guessed)
	if !is {
		return low, high, false
	}
	here := point{x: guessed.Guess(target)}
	if !(here.x > 0) || !(here.x < LargestEpsilon) {
		return low, high, false
	}
	here.y = excess(here.x)
	step := guessed.Guess(target-here.y) - here.x // δ̂ as much above its model
	if !(step*here.y > 0) {
		step = math.Copysign(0x1p-36*here.x, here.y)
	}
	step *= 1 + 0x1p-6
	for range 12 {
		there := point{x: here.x + step}
		if !(there.x > 0) {
			return low, high, false
		}
		there.y = excess(there.x)
		switch {
		case here.y > 0 && there.y <= 0:
			return here, there, true
		case here.y <= 0 && there.y > 0:
			return there, here, true
		}
		secant := -there.y * (there.x - here.x) / (there.y - here.y)
		if !(secant*there.y > 0) { // it does not fall
			return low, high, false
		}
		step = secant*(1+0x1p-6) + math.Copysign(0x1p-36*there.x, secant)
		step = math.Max(-there.x/2, math.Min(there.x, step))
		here = there
	}
	return low, high, false
}

// bracket finds an ε that is too small, and one that is not within a factor of 8 of it: 0 or
// +Inf if that does, or none does.
func bracket(excess func(float64) float64) (low, high point) {
	if low.y = excess(0); low.y <= 0 {
		return low, low
	}
	if high = (point{1, excess(1)}); high.y > 0 {
		for factor := 2.0; high.y > 0; factor = math.Min(factor*factor, 1e16) {
			if high.x >= LargestEpsilon {
				return low, point{x: math.Inf(1)}
			}
			low, high = high, point{high.x * factor, excess(high.x * factor)}
		}
		for high.x > 2*low.x { // the root's tolerance goes by high
			middle := math.Sqrt(low.x) * math.Sqrt(high.x)
			if y := excess(middle); y > 0 {
				low = point{middle, y}
			} else {
				high = point{middle, y}
			}
		}
		return low, high
	}
	for next := high.x / 8; next > 1e-12; next /= 8 {
		if y := excess(next); y > 0 {
			return point{next, y}, high
		} else {
			high = point{next, y}
		}
	}
	return low, high
}
