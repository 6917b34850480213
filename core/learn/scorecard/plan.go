package scorecard

import (
	"math"
	"strconv"

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

// Admit is the shape of the cards of a schema with points from −bound to bound, or
// says by public numbers alone why there is none: before a record is read. Errors are
// *data.SchemaError, which says what to merge, and *privacy.ParameterError.
func Admit(schema *data.CellSchema, bound int) (search.Shape, error) {
	if schema == nil {
		return search.Shape{}, &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "given: attributes with public levels",
		}
	}
	if err := schema.Validate(); err != nil {
		return search.Shape{}, err
	}
	if bound < 1 || bound > search.MostBound {
		return search.Shape{}, &privacy.ParameterError{
			Field: "points",
			Value: strconv.Itoa(bound),
			Want:  "the largest point, a whole number from 1 to " + strconv.Itoa(search.MostBound),
		}
	}
	shape := search.Shape{Levels: schema.Sizes(), Bound: bound}
	if err := shape.Check(); err != nil {
		most := 0
		for g, n := range shape.Levels {
			if n > shape.Levels[most] {
				most = g
			}
		}
		wide := &data.SchemaError{
			Field: "attributes",
			Problem: "have " + strconv.Itoa(
				shape.Dimension(),
			) + " levels together, which makes too many cards with points from −" +
				strconv.Itoa(bound) + " to " + strconv.Itoa(
				bound,
			),
			Want: "fewer: merge some levels of " + strconv.Quote(
				schema.Attributes[most].Name,
			) + ", which has " +
				strconv.Itoa(
					shape.Levels[most],
				) + ", leave out an attribute, or take smaller points",
		}
		if shape.Dimension() > search.MostLevels {
			wide.Problem = "have " + strconv.Itoa(shape.Dimension()) + " levels together"
			wide.Want = "at most " + strconv.Itoa(search.MostLevels) + ": merge some levels of " +
				strconv.Quote(schema.Attributes[most].Name) + ", which has " +
				strconv.Itoa(shape.Levels[most]) + ", or leave out an attribute"
		}
		return search.Shape{}, wide
	}
	return shape, nil
}

// Plan admits a request or refuses it, by public numbers alone and before a
// record is looked at. Errors are those of [Admit], and *privacy.ParameterError.
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
	shape, err := Admit(r.Schema, r.Bound)
	if err != nil {
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

// Excess is how many records more than the best card, at most, the card that noisy min
// chooses gets wrong, with probability 1 − beta over the noise: (ln|W| + ln(1/beta))·Δ/ε. ok
// is false for the centre, whose error has no such bound.
//
// Proof. Geometric: the loss of what wins is above the least by no more than the largest of
// |W| noises, and P[g ≥ x] ≤ e^(−xε/Δ) for each. Gumbel: cards whose loss is x above
// the least have together a probability of at most |W|·e^(−xε/Δ). ∎
func (p Plan) Excess(beta float64) (records float64, ok bool) {
	e, ok := p.Event.(privacy.NoisyMin)
	if !ok {
		return math.Inf(1), false
	}
	return (math.Log(float64(p.Shape.Size())) - math.Log(beta)) * float64(e.Span) / e.Epsilon, true
}

func (r Request) event(shape search.Shape) (privacy.Event, error) {
	var event privacy.Event
	switch r.Mechanism {
	case NoisyMin:
		e := privacy.NoisyMin{
			Adjacency: r.Adjacency, Epsilon: r.Epsilon, Span: privacy.SpanOf(r.Adjacency),
			Noise: r.Noise,
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
