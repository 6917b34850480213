package account

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Method names a way of pricing.
type Method string

const (
	// Auto is the first of the others, in their order here, that applies. Where
	// report noisy min with Gumbel noise is composed, it is the sharper of
	// Distribution and Renyi at δ = 1e-6.
	Auto Method = "auto"

	// Closed is objective.Of: the privacy profile itself, except for rounding and for
	// the slack of the bound.
	Closed Method = "closed"

	// Distribution is pld.Of: a certified interval around the truth.
	Distribution Method = "pld"

	// Renyi is rdp.Of, converted at the best real order. If the event may fail outright
	// with some probability, as (ε, δ)-DP may, or a test in it may be wrong, that
	// probability is taken out first and added to δ.
	Renyi Method = "rdp"
)

// ParseMethod checks a method's name; the empty name is Auto.
func ParseMethod(name string) (Method, error) {
	switch m := Method(name); m {
	case "":
		return Auto, nil
	case Auto, Closed, Distribution, Renyi:
		return m, nil
	}
	return "", &privacy.ParameterError{
		Field: "method",
		Value: `"` + name + `"`,
		Want:  `"auto", "closed", "pld" or "rdp"`,
	}
}

// Price is an event priced by one method. Method names it and is never Auto.
type Price struct {
	curve.Curve
	Method Method

	// Certified is set for the method Distribution, and gives lower ends too.
	Certified *pld.Distribution

	// Renyi is set for the method Renyi.
	Renyi *rdp.Curve

	drawn func() (curve.Curve, error) // of the method Closed: the curve for hundreds of ε
}

// Quick reports whether objective.BoundAuto was taken by objective.Bound.Quick, which only a
// Rényi curve is (rdp.Curve.Quick).
func (p Price) Quick() bool {
	return p.Renyi != nil && p.Renyi.Quick()
}

// Drawn is the price of an event for whoever asks it at hundreds of ε, as a curve is drawn. The
// Rényi curve of a private selection, or of the discrete Laplace mechanism with a large
// sensitivity, which takes long at each order, is read by chords then (rdp.Curve.Chords): up to
// 3e-5 of an ε dearer. A fit by objective.BoundControl under replace-one, which takes several
// searches at each ε, goes by objective.Drawn: up to 2 % of a δ dearer, 5 % where δ is below 1e-15,
// and cheaper at some ε. Else it is the price itself.
func (p Price) Drawn(event privacy.Event) Price {
	if p.drawn != nil {
		if drawn, err := p.drawn(); err == nil {
			p.Curve = drawn
		}
		return p
	}
	slow := false
	privacy.Walk(event, func(e privacy.Event) {
		switch e := e.(type) {
		case privacy.PoissonSelection, privacy.NegativeBinomialSelection:
			slow = true
		case privacy.DiscreteLaplace:
			slow = slow || e.Sensitivity > 1000
		}
	})
	if c, renyi := p.Curve.(converted); renyi && slow {
		c.Curve = c.Chords(0.01)
		p.Curve = c
	}
	return p
}

// LogDeltaUpper implements curve.Profile: the method's answer, by the gate
// that every promise passes.
func (p Price) LogDeltaUpper(epsilon float64) float64 {
	if p.Curve == nil {
		return 0
	}
	return curve.CertifiedLogDelta(p.Curve.LogDeltaUpper(epsilon))
}

// EpsilonUpper returns an ε ≥ 0 for which (ε, delta)-DP holds, 0 < delta < 1;
// +Inf if the method knows none.
func (p Price) EpsilonUpper(delta float64) (float64, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return math.Inf(1), err
	}
	epsilon, err := p.epsilonUpper(delta)
	return curve.CertifiedEpsilon(epsilon), err
}

func (p Price) epsilonUpper(delta float64) (float64, error) {
	switch p.Method {
	case Distribution:
		interval, err := p.Certified.Epsilon(delta)
		return interval.Upper, err
	case Renyi:
		c := p.Curve.(converted)
		if c.failures.There > 0 { // the failures cost more at a larger ε
			return p.epsilonBetween(delta, c)
		}
		if c.failures.Here > 0 {
			if delta = (delta - c.failures.Here) * (1 - 0x1p-50); !(delta > 0) {
				return math.Inf(1), nil
			}
		}
		if !(c.mass < delta) { // of many runs mass may be more than 1
			return math.Inf(1), nil
		}
		// δ' with mass + (1 − mass)δ' = δ, rounded down.
		rest := (delta - c.mass) / (1 - c.mass) * (1 - 0x1p-50)
		if c.mass == 0 {
			rest = delta
		}
		if !(rest > 0) {
			return math.Inf(1), nil
		}
		logDelta := math.Log(rest)
		worst := math.Max(
			curve.EpsilonFromRenyi(c.Added, logDelta),
			curve.EpsilonFromRenyi(c.Removed, logDelta))
		return worst * (1 + 0x1p-40), nil
	}
	return curve.EpsilonUpper(p.Curve, delta)
}

// epsilonBetween is epsilonUpper for failures whose cost rises with ε, so that δ is met by a
// range of ε if by any: the least of it, from below. What is returned was found to be enough:
// at some ε* ≤ ε the rest has what is left of δ at ε.
func (p Price) epsilonBetween(delta float64, c converted) (float64, error) {
	rest := Price{Curve: converted{Curve: c.Curve, mass: c.mass}, Method: Renyi}
	epsilon := 0.0
	for range 200 { // a hundred suffice, but where there is next to no range
		// e^ε errs by 2u, the product and the sum by u: of a δ near them they may be all.
		left := delta - (c.failures.Here+math.Exp(epsilon)*c.failures.There)*(1+0x1p-48)
		if left *= 1 - 0x1p-48; !(left > 0) {
			return math.Inf(1), nil
		}
		enough, err := rest.epsilonUpper(left)
		if err != nil || enough <= epsilon {
			return epsilon, err
		}
		if math.IsInf(enough, 1) {
			return enough, nil
		}
		epsilon = enough*(1+1e-9) + 1e-12
	}
	return math.Inf(1), nil
}

// Of prices an event by the named method. A method that cannot price it is an
// error: *objective.InapplicableError, *pld.NoDistributionError, or a
// *privacy.ParameterError for the field "mechanism", "adjacency" or "bound".
func Of(event privacy.Event, method Method, options pld.Options) (Price, error) {
	if options.Bound == "" {
		options.Bound = objective.BoundAuto
	}
	if event != nil {
		if err := event.Validate(); err != nil {
			return Price{}, err
		}
		promised, err := selection.Promised(event)
		if err != nil {
			return Price{}, err
		}
		event = promised
	}
	switch method {
	case Closed:
		failures, rest := selection.WithoutFailures(event)
		by := func(
			of func(privacy.Event, objective.Bound) (curve.Curve, error),
		) (curve.Curve, error) {
			profile, err := of(rest, options.Bound)
			if err == nil && failures != (selection.Failures{}) {
				profile = failing{profile, failures}
			}
			return profile, err
		}
		profile, err := by(objective.Of)
		drawn := func() (curve.Curve, error) { return by(objective.Drawn) }
		return Price{Curve: profile, Method: Closed, drawn: drawn}, err
	case Distribution:
		certified, err := pld.Of(event, options)
		return Price{Curve: certified, Method: Distribution, Certified: certified}, err
	case Renyi:
		curve, err := renyiOf(event, options.Bound)
		if err != nil {
			return Price{Method: Renyi}, err
		}
		failures, sound := selection.WithoutFailures(event)
		mass, rest, err := rdp.WithoutMass(sound)
		if err != nil || mass == 0 && failures == (selection.Failures{}) {
			return Price{Curve: converted{Curve: curve}, Method: Renyi, Renyi: &curve}, err
		}
		without, err := renyiOf(rest, options.Bound)
		return Price{Curve: converted{without, mass, failures}, Method: Renyi, Renyi: &curve}, err
	case Auto, "":
	default:
		_, err := ParseMethod(string(method))
		return Price{}, err
	}
	return Best(Of, event, options)
}

// Best is Of with the method Auto, for a pricer that is Of or caches its answers. It
// calls the pricer only with the names of the other methods.
func Best(
	price func(privacy.Event, Method, pld.Options) (Price, error), event privacy.Event,
	options pld.Options,
) (Price, error) {
	answer, err := price(event, Closed, options)
	if p, ok := err.(*privacy.ParameterError); !ok || p.Field != "mechanism" {
		return answer, err
	}
	answer, err = price(event, Distribution, options)
	if _, none := err.(*pld.NoDistributionError); none {
		return price(event, Renyi, options)
	}
	if err != nil || !boundedRange(event) {
		return answer, err
	}
	// A distribution knows nothing of a bounded range, and Rényi curves do.
	const delta = 1e-6
	certified, err := answer.EpsilonUpper(delta)
	if renyi, failed := price(event, Renyi, options); err == nil && failed == nil {
		if epsilon, err := renyi.EpsilonUpper(delta); err == nil && epsilon < certified {
			return renyi, nil
		}
	}
	return answer, err
}

// boundedRange is whether there is an event in it of which more is known than a
// privacy loss distribution holds: report noisy min with Gumbel noise.
func boundedRange(event privacy.Event) (found bool) {
	privacy.Walk(event, func(e privacy.Event) {
		min, ok := e.(privacy.NoisyMin)
		found = found || ok && min.Noise == privacy.GumbelNoise
	})
	return found
}

// Bounded reports whether the method Renyi takes a bound's name for the event: for
// objective perturbation, and for what may hold it.
func Bounded(event privacy.Event) bool {
	switch event.(type) {
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima, privacy.Composition,
		privacy.ProposeTestRelease, privacy.OneOf, privacy.NegativeBinomialSelection,
		privacy.PoissonSelection:
		return true
	}
	return false
}

func renyiOf(event privacy.Event, bound objective.Bound) (rdp.Curve, error) {
	if bound != objective.BoundAuto && !Bounded(event) {
		return rdp.Curve{}, &privacy.ParameterError{
			Field: "bound", Value: privacy.Quote(string(bound)),
			Want: `"auto" for the method "rdp" of an event without objective perturbation`,
		}
	}
	return rdp.OfBound(event, bound)
}

// converted is a Rényi curve as a profile: each direction is converted at its
// own best order, and the answer is the worse. With probability mass the event
// fails outright, and the curve is of what holds otherwise.
type converted struct {
	rdp.Curve
	mass     float64
	failures selection.Failures
}

// LogDeltaUpper implements curve.Profile; the last term is for rounding.
func (c converted) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	worst := math.Max(
		curve.LogDeltaFromRenyi(c.Added, epsilon),
		curve.LogDeltaFromRenyi(c.Removed, epsilon))
	if c.mass > 0 {
		worst = special.LogAddExp(math.Log(c.mass), math.Log1p(-c.mass)+worst)
	}
	worst = math.Max(-math.MaxFloat64, worst+0x1p-40*(1+math.Abs(worst)))
	return curve.CertifiedLogDelta(withFailures(worst, epsilon, c.failures))
}

// failing is a profile with the probabilities of tests being wrong added.
type failing struct {
	curve.Curve
	failures selection.Failures
}

// LogDeltaUpper implements curve.Profile.
func (f failing) LogDeltaUpper(epsilon float64) float64 {
	return curve.CertifiedLogDelta(
		withFailures(f.Curve.LogDeltaUpper(epsilon), epsilon, f.failures))
}

// withFailures is log(Here + e^ε·There + e^logDelta), rounded up.
func withFailures(logDelta, epsilon float64, f selection.Failures) float64 {
	if f == (selection.Failures{}) {
		return logDelta
	}
	if f.Here > 0 {
		logDelta = special.LogAddExp(logDelta, math.Log(f.Here))
	}
	if f.There > 0 {
		// math.Log errs by 2u of itself, and the sum by u: of two that cancel it may be all.
		log := math.Log(f.There)
		log += epsilon + 0x1p-50*(math.Abs(log)+math.Abs(epsilon))
		logDelta = special.LogAddExp(logDelta, log)
	}
	return curve.RoundUp(math.Min(0, logDelta))
}
