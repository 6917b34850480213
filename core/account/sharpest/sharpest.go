// Package sharpest prices any event by the sharpest method that there is for
// it: its profile in closed form or as one integral (package account), its
// privacy loss distribution (package pld), or its Rényi curve (package rdp),
// which is all that private selection has.
package sharpest

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Method names a way of pricing.
type Method string

const (
	// Auto is the first of the others, in their order here, that applies.
	Auto Method = "auto"

	// Closed is account.Of: the profile itself, but for rounding and for what
	// the bound gives away.
	Closed Method = "closed"

	// Distribution is pld.Of: a certified interval around the truth.
	Distribution Method = "pld"

	// Renyi is rdp.Of, converted at the best real order. What fails outright
	// with some probability, as (ε, δ)-DP may, is taken out first and added to δ.
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
	return "", &privacy.ParameterError{Field: "method", Value: `"` + name + `"`, Want: `"auto", "closed", "pld" or "rdp"`}
}

// Price is an event priced by one method, which Method names and which is
// never Auto.
type Price struct {
	account.Curve
	Method Method

	// Certified is there for the method Distribution, and gives lower ends too.
	Certified *pld.Distribution

	// Renyi is there for the method Renyi.
	Renyi *rdp.Curve
}

// EpsilonUpper returns an ε ≥ 0 for which (ε, delta)-DP holds, 0 < delta < 1;
// +Inf if the method knows none.
func (p Price) EpsilonUpper(delta float64) (float64, error) {
	if err := privacy.CheckDelta(delta); err != nil {
		return math.Inf(1), err
	}
	switch p.Method {
	case Distribution:
		interval, err := p.Certified.Epsilon(delta)
		return interval.Upper, err
	case Renyi:
		c := p.Curve.(converted)
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
			account.EpsilonFromRenyi(c.Added, logDelta),
			account.EpsilonFromRenyi(c.Removed, logDelta))
		return worst * (1 + 0x1p-40), nil
	}
	return account.EpsilonUpper(p.Curve, delta)
}

// Of prices an event by the named method. A method that cannot price it is an
// error: *account.InapplicableError, *pld.NoDistributionError, or a
// *privacy.ParameterError for the field "mechanism", "adjacency" or "bound".
func Of(event privacy.Event, method Method, options pld.Options) (Price, error) {
	if options.Bound == "" {
		options.Bound = account.BoundAuto
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
		curve, err := account.Of(event, options.Bound)
		return Price{Curve: curve, Method: Closed}, err
	case Distribution:
		certified, err := pld.Of(event, options)
		return Price{Curve: certified, Method: Distribution, Certified: certified}, err
	case Renyi:
		curve, err := renyiOf(event, options.Bound)
		if err != nil {
			return Price{Method: Renyi}, err
		}
		mass, rest, err := rdp.WithoutMass(event)
		if err != nil || mass == 0 {
			return Price{Curve: converted{Curve: curve}, Method: Renyi, Renyi: &curve}, err
		}
		without, err := renyiOf(rest, options.Bound)
		return Price{Curve: converted{without, mass}, Method: Renyi, Renyi: &curve}, err
	case Auto, "":
	default:
		_, err := ParseMethod(string(method))
		return Price{}, err
	}
	return Best(Of, event, options)
}

// Best is Of with the method Auto, for a pricer that is Of or remembers its
// answers. It asks by the other methods' names only.
func Best(price func(privacy.Event, Method, pld.Options) (Price, error), event privacy.Event, options pld.Options) (Price, error) {
	answer, err := price(event, Closed, options)
	if p, ok := err.(*privacy.ParameterError); !ok || p.Field != "mechanism" {
		return answer, err
	}
	answer, err = price(event, Distribution, options)
	if _, none := err.(*pld.NoDistributionError); none {
		return price(event, Renyi, options)
	}
	return answer, err
}

func renyiOf(event privacy.Event, bound account.Bound) (rdp.Curve, error) {
	switch event.(type) {
	case privacy.ObjectivePerturbation, privacy.ApproximateMinima, privacy.Composition, privacy.NegativeBinomialSelection, privacy.PoissonSelection:
	default:
		if bound != account.BoundAuto {
			return rdp.Curve{}, &privacy.ParameterError{
				Field: "bound", Value: privacy.Quote(string(bound)),
				Want: `"auto" for the method "rdp" of an event without objective perturbation`,
			}
		}
	}
	return rdp.OfBound(event, bound)
}

// converted is a Rényi curve as a profile: each direction is converted at its
// own best order, and the answer is the worse. With probability mass the event
// fails outright, and the curve is of what holds otherwise.
type converted struct {
	rdp.Curve
	mass float64
}

// LogDeltaUpper implements account.Profile; the last term is for rounding.
func (c converted) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	worst := math.Max(
		account.LogDeltaFromRenyi(c.Added, epsilon),
		account.LogDeltaFromRenyi(c.Removed, epsilon))
	if c.mass > 0 {
		worst = special.LogAddExp(math.Log(c.mass), math.Log1p(-c.mass)+worst)
	}
	worst = math.Max(worst, -math.MaxFloat64)
	return math.Min(0, worst+0x1p-40*(1+math.Abs(worst)))
}
