package calibrate

import (
	"math"
	"slices"

	"cloister/core/privacy"
)

// free is the parameter that is solved for: the event with any value of it, and
// where to look.
type free struct {
	with  func(x float64) privacy.Event
	side  float64 // +1 if larger values are more private, −1 if smaller ones are
	start float64 // a value of the right size
	least float64 // the range, both ends above 0 and open to the answer
	most  float64
	whole bool // only whole numbers
}

// Ranges of the search. Noise is looked for from a billionth of the sensitivity
// to 10¹² of it; counts up to what can be certified.
const (
	lowestNoise  = 1e-9
	highestNoise = 1e12
	mostCount    = 1e8
)

func noise(start float64, with func(x float64) privacy.Event) *free {
	return &free{
		with:  with,
		side:  1,
		start: start,
		least: start * lowestNoise,
		most:  start * highestNoise,
	}
}

func spending(start, least, most float64, with func(x float64) privacy.Event) *free {
	return &free{with: with, side: -1, start: start, least: least, most: most}
}

// promised is the ε of an event that is given by its promise.
func promised(with func(x float64) privacy.Event) *free {
	return spending(0.1, 1e-12, 1e9, with)
}

func count(with func(k int) privacy.Event) *free {
	return &free{
		with: func(x float64) privacy.Event { return with(int(math.Floor(x))) },
		side: -1, start: 1, least: 1, most: mostCount, whole: true,
	}
}

// freeOf finds the parameter that path names in an event.
func freeOf(event privacy.Event, path string) *free {
	if path == "noise" {
		if _, any := louder(event, 1); !any {
			return nil
		}
		return noise(1, func(x float64) privacy.Event { e, _ := louder(event, x); return e })
	}
	if base, ok := privacy.Base(event); ok {
		if rest, ok := cutPrefix(path, "base."); ok {
			return inside(event, 0, freeOf(base, rest))
		}
	}
	switch e := event.(type) {
	case privacy.Composition:
		return inPart(e, path)
	case privacy.ProposeTestRelease:
		if rest, ok := cutPrefix(path, "test."); ok {
			return inside(event, 0, freeOf(e.Test, rest))
		}
		if rest, ok := cutPrefix(path, "release."); ok {
			return inside(event, 1, freeOf(e.Release, rest))
		}
	case privacy.OneOf:
		if i, rest, ok := cutIndex(path, "events["); ok && i < len(e.Events) {
			return inside(event, i, freeOf(e.Events[i], rest))
		}
	case privacy.NegativeBinomialSelection:
		if path == "gamma" {
			return &free{with: func(x float64) privacy.Event {
				e.Gamma = x
				return e
			}, side: 1, start: 0.1, least: 1e-12, most: 1 - 1e-9}
		}
	case privacy.PoissonSelection:
		if path == "mean" {
			return spending(1, 1e-9, 1e9, func(x float64) privacy.Event { e.Mean = x; return e })
		}
	case privacy.LiuTalwarSelection:
		if path == "tau" { // fewer runs, of which less goes wrong
			return &free{with: func(x float64) privacy.Event {
				e.Tau = x
				return e
			}, side: 1, start: 0.1, least: 1e-12, most: 1}
		}
	case privacy.SubsampledGaussian:
		switch path {
		case "noise_multiplier":
			return noise(1, func(x float64) privacy.Event { e.NoiseMultiplier = x; return e })
		case "rate":
			return spending(0.01, 1e-12, 1, func(x float64) privacy.Event { e.Rate = x; return e })
		case "steps":
			return count(func(k int) privacy.Event { e.Steps = k; return e })
		}
	case privacy.GradientDescent:
		if path == "sigmas" {
			return freeOf(event, "noise")
		}
	case privacy.ObjectivePerturbation:
		return inObjective(e, path)
	case privacy.ApproximateMinima:
		return inObjective(e.Objective, path).inside(func(o privacy.Event) privacy.Event {
			e.Objective = o.(privacy.ObjectivePerturbation)
			return e
		})
	}
	return simple(event, path)
}

func simple(event privacy.Event, path string) *free {
	switch e := event.(type) {
	case privacy.Gaussian:
		if path == "sigma" {
			return noise(e.Sensitivity, func(x float64) privacy.Event { e.Sigma = x; return e })
		}
	case privacy.DiscreteGaussian:
		if path == "sigma" {
			return noise(float64(e.Sensitivity), func(x float64) privacy.Event {
				e.Sigma = x
				return e
			})
		}
	case privacy.Laplace:
		if path == "scale" {
			return noise(e.Sensitivity, func(x float64) privacy.Event { e.Scale = x; return e })
		}
	case privacy.DiscreteLaplace:
		if path == "scale" {
			return noise(float64(e.Sensitivity), func(x float64) privacy.Event {
				e.Scale = x
				return e
			})
		}
	case privacy.RandomisedResponse:
		if even := 1 / float64(e.Categories); path == "truth" {
			return spending((1+even)/2, even, 1-1e-9, func(x float64) privacy.Event {
				e.Truth = x
				return e
			})
		}
	case privacy.PureDP:
		if path == "epsilon" {
			return promised(func(x float64) privacy.Event { e.Epsilon = x; return e })
		}
	case privacy.NoisyMin:
		if path == "epsilon" {
			return promised(func(x float64) privacy.Event { e.Epsilon = x; return e })
		}
	case privacy.ProximalCentre:
		if path == "epsilon" {
			return promised(func(x float64) privacy.Event { e.Epsilon = x; return e })
		}
	case privacy.ApproximateDP:
		if path == "epsilon" {
			return promised(func(x float64) privacy.Event { e.Epsilon = x; return e })
		}
	case privacy.RenyiDP:
		if path == "epsilon" {
			return promised(func(x float64) privacy.Event { e.Epsilon = x; return e })
		}
	case privacy.ZeroConcentrated:
		if path == "rho" {
			return spending(0.1, 1e-15, 1e9, func(x float64) privacy.Event { e.Rho = x; return e })
		}
	}
	return nil
}

func inObjective(e privacy.ObjectivePerturbation, path string) *free {
	switch path {
	case "sigma":
		return noise(e.Lipschitz, func(x float64) privacy.Event { e.Sigma = x; return e })
	case "lambda":
		// βR² is at most this, and the least λ of the published bounds.
		start := e.Smoothness * math.Max(1, e.RowNorm*e.RowNorm)
		return noise(start, func(x float64) privacy.Event { e.Lambda = x; return e })
	}
	return nil
}

// inPart reads "parts[2].count" and "parts[2].event." followed by a path.
func inPart(e privacy.Composition, path string) *free {
	i, rest, ok := cutIndex(path, "parts[")
	if !ok || i >= len(e.Parts) {
		return nil
	}
	if rest == "count" {
		return count(func(k int) privacy.Event {
			parts := slices.Clone(e.Parts)
			parts[i].Count = k
			return privacy.Composition{Adjacency: e.Adjacency, Parts: parts}
		})
	}
	if rest, ok = cutPrefix(rest, "event."); !ok {
		return nil
	}
	return inside(e, i, freeOf(e.Parts[i].Event, rest))
}

// cutIndex reads a list's name and bracket, an index below a billion, and "].".
func cutIndex(path, list string) (i int, rest string, ok bool) {
	rest, ok = cutPrefix(path, list)
	if !ok || rest == "" || rest[0] == ']' {
		return 0, "", false
	}
	for rest != "" && rest[0] >= '0' && rest[0] <= '9' && i < 1e8 {
		i, rest = 10*i+int(rest[0]-'0'), rest[1:]
	}
	rest, ok = cutPrefix(rest, "].")
	return i, rest, ok
}

// inside is a parameter of the event with that index among the parts of another.
func inside(event privacy.Event, at int, f *free) *free {
	return f.inside(func(inner privacy.Event) privacy.Event {
		changed, _ := privacy.Rebuild(
			event,
			func(i int, other privacy.Event) (privacy.Event, error) {
				if i == at {
					return inner, nil
				}
				return other, nil
			},
		)
		return changed
	})
}

// cutPrefix is that of package strings, which is large.
func cutPrefix(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || text[:len(prefix)] != prefix {
		return text, false
	}
	return text[len(prefix):], true
}

func (f *free) inside(around func(privacy.Event) privacy.Event) *free {
	if f == nil {
		return nil
	}
	outer := *f
	outer.with = func(x float64) privacy.Event { return around(f.with(x)) }
	return &outer
}

// louder multiplies every noise of an event by x; any is false if it has none.
func louder(event privacy.Event, x float64) (_ privacy.Event, any bool) {
	switch e := event.(type) {
	case privacy.Gaussian:
		e.Sigma *= x
		return e, true
	case privacy.DiscreteGaussian:
		e.Sigma *= x
		return e, true
	case privacy.Laplace:
		e.Scale *= x
		return e, true
	case privacy.DiscreteLaplace:
		e.Scale *= x
		return e, true
	case privacy.SubsampledGaussian:
		e.NoiseMultiplier *= x
		return e, true
	case privacy.GradientDescent:
		sigmas := make([]float64, len(e.Sigmas))
		for t, sigma := range e.Sigmas {
			sigmas[t] = sigma * x
		}
		e.Sigmas = sigmas
		return e, len(sigmas) > 0
	case privacy.ObjectivePerturbation:
		e.Sigma *= x
		return e, true
	case privacy.ApproximateMinima:
		e.Objective.Sigma *= x
		e.SigmaOut *= x
		return e, true
	}
	changed, _ := privacy.Rebuild(event, func(_ int, inside privacy.Event) (privacy.Event, error) {
		inside, some := louder(inside, x)
		any = any || some
		return inside, nil
	})
	return changed, any
}

// With returns the event with a value of the parameter that path names, as
// Request.Parameter does; for a common factor, every noise times value.
func With(event privacy.Event, path string, value float64) (privacy.Event, error) {
	if event == nil {
		return nil, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	f := freeOf(event, path)
	if f == nil {
		return nil, unknown(path)
	}
	changed := f.with(value)
	return changed, changed.Validate()
}

func unknown(path string) error {
	return &privacy.ParameterError{
		Field: "parameter", Value: privacy.Quote(path),
		Want: `the path of a parameter of the event that can be solved for, such as "sigma", "steps" or "parts[0].event.rate", or "noise"`,
	}
}
