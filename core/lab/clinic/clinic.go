package clinic

import (
	"context"
	"strconv"

	"cloister/core/lab/seeded"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Clinic holds patients, and the best card for them without privacy.
type Clinic struct {
	patients Patients
	cells    cells
	plain    Card
}

// Card is a scorecard that was chosen.
type Card struct {
	Points [][]int // from −1 to 1, by attribute and level
	Right  float64 // the share of new patients for whom it is right, exactly
}

// Attribute is what the points are for.
type Attribute struct {
	Name   string
	Levels []string
}

// denominator is T of noisy min, as package scorecard has it.
const denominator = 64

// MaxDraws is the largest number of draws of the noise.
const MaxDraws = 200

// Request asks for private cards for the patients of a Clinic.
type Request struct {
	Guarantee privacy.Guarantee // δ = 0

	// The draws First, First + 1, …, Draws of them in all.
	First, Draws int
}

// Cards is the answer to a Request.
type Cards struct {
	Cards []Card

	// Event is what each of the cards would be charged.
	Event privacy.Event
}

// New makes up the patients and finds the card that gets the fewest of them wrong; ties go by the
// search's fixed order. Errors: a *privacy.ParameterError, or the search's.
func New(ctx context.Context, patients Patients) (*Clinic, error) {
	if err := patients.check(); err != nil {
		return nil, err
	}
	c := &Clinic{patients: patients, cells: patients.draw()}
	var err error
	c.plain, err = c.best(ctx, search.None{})
	return c, err
}

// best is the card that the search finds.
func (c *Clinic) best(ctx context.Context, noise search.Perturbation) (Card, error) {
	shape := search.Shape{Bound: bound}
	for _, of := range truth {
		shape.Levels = append(shape.Levels, len(of))
	}
	points, _, err := search.Minimise(ctx, search.Problem{
		Shape: shape, Positives: c.cells.positives, Negatives: c.cells.negatives,
	}, noise, search.Options{})
	if err != nil {
		return Card{}, err
	}
	var out [][]int
	for _, n := range shape.Levels {
		of := make([]int, n)
		for l := range of {
			of[l] = int(points[l])
		}
		out, points = append(out, of), points[n:]
	}
	return Card{Points: out, Right: right(out)}, nil
}

// Patients says which patients these are.
func (c *Clinic) Patients() Patients { return c.patients }

// Plain is the best card without privacy.
func (c *Clinic) Plain() Card { return c.plain }

// Back is how many of the patients came back.
func (c *Clinic) Back() (count int) {
	for _, n := range c.cells.positives {
		count += int(n)
	}
	return count
}

// Attributes are those of all patients.
func Attributes() []Attribute { return attributes }

// Cards chooses a card once a draw, by noisy min with geometric noise: what package scorecard does
// for people's files, but for charging anybody (a test holds the two together). The price of the
// event is ε itself, so that no accountant comes with it. Errors: a *privacy.ParameterError, or the
// context's.
func (c *Clinic) Cards(ctx context.Context, r Request) (Cards, error) {
	if r.First < 0 || r.Draws < 1 || r.First+r.Draws > MaxDraws {
		return Cards{}, &privacy.ParameterError{
			Field: "draws", Value: strconv.Itoa(r.First + r.Draws), Want: "from 1 to 200",
		}
	}
	if r.Guarantee.Delta != 0 {
		return Cards{}, &privacy.ParameterError{
			Field: "delta", Value: privacy.Number(r.Guarantee.Delta), Want: "0",
		}
	}
	event := privacy.NoisyMin{
		Adjacency: r.Guarantee.Adjacency, Epsilon: r.Guarantee.Epsilon,
		Span:  privacy.SpanOf(r.Guarantee.Adjacency),
		Noise: privacy.GeometricNoise, Denominator: denominator,
	}
	if err := event.Validate(); err != nil {
		return Cards{}, err
	}
	out := Cards{Cards: make([]Card, r.Draws), Event: event}
	for k := range out.Cards {
		name := "clinic/noise/" + strconv.Itoa(c.patients.Seed) + "/" + strconv.Itoa(r.First+k)
		card, err := c.best(ctx, search.Noise{
			Law: search.Law(event.Noise), Epsilon: event.Epsilon, Span: int64(event.Span),
			Denominator: denominator, Source: seeded.New(name),
		})
		if err != nil {
			return Cards{}, err
		}
		out.Cards[k] = card
	}
	return out, nil
}
