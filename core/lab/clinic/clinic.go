package clinic

import (
	"context"
	"strconv"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Clinic holds patients, and the best card for them without privacy.
type Clinic struct {
	patients Patients
	cells    *data.Cells
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
	shape, err := scorecard.Admit(schema, bound)
	if err != nil {
		return nil, err
	}
	problem := search.Problem{
		Shape: shape, Positives: c.cells.Positives, Negatives: c.cells.Negatives,
	}
	points, _, err := search.Minimise(ctx, problem, search.None{}, search.Options{})
	if err != nil {
		return nil, err
	}
	c.plain = cardOf(byAttribute(points))
	return c, nil
}

// Patients says which patients these are.
func (c *Clinic) Patients() Patients { return c.patients }

// Plain is the best card without privacy.
func (c *Clinic) Plain() Card { return c.plain }

// Back is how many of the patients came back.
func (c *Clinic) Back() (count int) {
	for _, n := range c.cells.Positives {
		count += int(n)
	}
	return count
}

// Attributes are those of all patients.
func Attributes() []Attribute {
	out := make([]Attribute, len(schema.Attributes))
	for g := range out {
		a := &schema.Attributes[g]
		out[g] = Attribute{Name: a.Name, Levels: a.LevelNames()}
	}
	return out
}

// Cards chooses a card once a draw, by noisy min with geometric noise. Errors: a
// *privacy.ParameterError, or the context's.
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
	plan, err := scorecard.Request{
		Schema: schema, Bound: bound,
		Epsilon: r.Guarantee.Epsilon, Adjacency: r.Guarantee.Adjacency,
	}.Plan()
	if err != nil {
		return Cards{}, err
	}
	free := func(privacy.Event) error { return nil } // they are nobody's records
	out := Cards{Cards: make([]Card, r.Draws), Event: plan.Event}
	for k := range out.Cards {
		name := "clinic/noise/" + strconv.Itoa(c.patients.Seed) + "/" + strconv.Itoa(r.First+k)
		release, _, err := scorecard.Fit(ctx, c.cells, plan, seeded.New(name), free, nil)
		if err != nil {
			return Cards{}, err
		}
		out.Cards[k] = cardOf(release.Points)
	}
	return out, nil
}

func cardOf(points [][]int) Card { return Card{Points: points, Right: right(points)} }

func byAttribute(points search.Points) (out [][]int) {
	for _, n := range schema.Sizes() {
		of := make([]int, n)
		for l := range of {
			of[l] = int(points[l])
		}
		out, points = append(out, of), points[n:]
	}
	return out
}
