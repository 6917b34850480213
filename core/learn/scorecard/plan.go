package scorecard

import (
	"math"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/search"
)

// Mechanism names a way to choose a scorecard privately.
type Mechanism string

// The mechanisms. NoisyMin is the one to use: Centre needs ten times the ε for the
// same error.
const (
	NoisyMin Mechanism = "noisy-min"
	Centre   Mechanism = "proximal-centre"
)

// Range of ε that a plan takes.
const (
	LeastEpsilon   = 0x1p-20
	LargestEpsilon = 32
)

// Denominator is T of noisy min: losses and noise are counted in 64ths of a
// record, which costs less than 1/64 of one error.
const Denominator = 64

// Request asks for a scorecard. All of it is public.
type Request struct {
	Schema    *data.CellSchema
	Bound     int // B: points are from −B to B; 0 stands for 1
	Epsilon   float64
	Adjacency privacy.Adjacency
	Mechanism Mechanism        // "" stands for NoisyMin
	Noise     privacy.NoiseLaw // of noisy min; "" stands for geometric
}

// Plan is a request that was admitted, with the event that it is.
type Plan struct {
	Schema    *data.CellSchema
	Shape     search.Shape
	Event     privacy.Event
	Guarantee privacy.Guarantee // δ = 0
}

// Plan admits a request or refuses it, by public numbers alone and before a
// record is looked at. Errors are *data.SchemaError, *search.SizeError, which says
// what to merge, and *privacy.ParameterError.
func (r Request) Plan() (Plan, error) {
	if r.Bound == 0 {
		r.Bound = 1
	}
	if r.Mechanism == "" {
		r.Mechanism = NoisyMin
	}
	if r.Noise == "" {
		r.Noise = privacy.GeometricNoise
	}
	if r.Schema == nil {
		return Plan{}, &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "given: attributes with public levels",
		}
	}
	if err := r.Schema.Validate(); err != nil {
		return Plan{}, err
	}
	shape := search.Shape{Levels: r.Schema.Sizes(), Bound: r.Bound}
	if err := shape.Check(); err != nil {
		return Plan{}, err
	}
	if !(r.Epsilon >= LeastEpsilon && r.Epsilon <= LargestEpsilon) {
		return Plan{}, &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(r.Epsilon),
			Want:  "a number from 2^-20 to 32",
		}
	}
	event, err := r.event(shape)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{
		Schema: r.Schema, Shape: shape, Event: event,
		Guarantee: privacy.Guarantee{Epsilon: r.Epsilon, Adjacency: r.Adjacency},
	}
	return plan, kept(event, plan.Guarantee)
}

func (r Request) event(shape search.Shape) (privacy.Event, error) {
	var event privacy.Event
	switch r.Mechanism {
	case NoisyMin:
		e := privacy.NoisyMin{
			Adjacency: r.Adjacency, Epsilon: r.Epsilon, Span: privacy.SpanOf(r.Adjacency), Noise: r.Noise,
		}
		if r.Noise == privacy.GeometricNoise {
			e.Denominator = Denominator
		}
		event = e
	case Centre:
		e := privacy.ProximalCentre{
			Adjacency: r.Adjacency, Epsilon: r.Epsilon, Span: privacy.SpanOf(r.Adjacency),
			Bound: shape.Bound, Dimension: shape.Dimension(), Denominator: 1,
		}
		for float64(e.Span*e.Denominator) < float64(e.Dimension)*e.Epsilon {
			if e.Denominator *= 2; e.Denominator > privacy.LargestDenominator {
				break // refused below, as is an adjacency of no span
			}
		}
		event = e
	default:
		return nil, &privacy.ParameterError{
			Field: "mechanism",
			Value: privacy.Quote(string(r.Mechanism)),
			Want:  `"noisy-min" or "proximal-centre"`,
		}
	}
	if err := event.Validate(); err != nil {
		return nil, err
	}
	if e, ok := event.(privacy.ProximalCentre); ok {
		if _, err := centreNoise(e); err != nil {
			return nil, err
		}
	}
	return event, nil
}

// centreNoise is the noise of the centre. Whatever is admitted, T times as many records as
// there may be and every cost of a weight fit 64 bits many times over, but for weights of
// a probability below 2^-200 (a test holds the extremes against LatticeCentre.Largest).
func centreNoise(e privacy.ProximalCentre) (*random.LatticeCentre, error) {
	return random.NewLatticeCentre(e.Epsilon, uint64(e.Span*e.Denominator), e.Dimension, e.Bound)
}

// kept returns a *privacy.ParameterError unless account prices the event in closed form
// within the guarantee, whose δ is 0. There is no allowance: an equal ε is within it.
func kept(event privacy.Event, guarantee privacy.Guarantee) error {
	price, err := account.Of(event, account.Closed, pld.Options{})
	if err != nil {
		return err
	}
	if price.LogDeltaUpper(guarantee.Epsilon) > -math.MaxFloat64 {
		return &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(guarantee.Epsilon),
			Want:  "what the event costs, with δ = 0",
		}
	}
	return nil
}
