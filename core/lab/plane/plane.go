package plane

import (
	"context"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/plain"
)

// Plane holds points, and the line that is fitted to them without privacy.
type Plane struct {
	points Points
	fitted *data.Dataset
	fresh  *data.Dataset
	plain  Line
}

// Line is where a model's prediction changes: Ax + By + C = 0, the second class
// where it is below 0.
type Line struct {
	A, B, C float64

	// Accuracy is the share of 4,000 new points that lie on their class's side.
	Accuracy float64
}

// plainLambda keeps the minimum where it is, and unique, also where the classes
// can be told apart without an error.
const plainLambda = 0.01

// New makes up the points and fits them without privacy. Errors: a
// *privacy.ParameterError, or the solver's.
func New(ctx context.Context, points Points) (*Plane, error) {
	if err := points.check(); err != nil {
		return nil, err
	}
	seed := strconv.Itoa(points.Seed)
	p := &Plane{
		points: points,
		fitted: points.draw(seeded.New("plane/points/"+seed), points.Count),
		fresh:  points.draw(seeded.New("plane/fresh/"+seed), tested),
	}
	model, _, err := plain.Fit(ctx, p.problem(), plainLambda, nil)
	if err != nil {
		return nil, err
	}
	p.plain = p.line(model.Coefficients())
	return p, nil
}

func (p *Plane) problem() learn.Problem {
	return learn.Problem{Data: p.fitted,
		Loss: glm.Logistic{}}
}

// Points says which points these are.
func (p *Plane) Points() Points { return p.points }

// Plain is the line without privacy.
func (p *Plane) Plain() Line { return p.plain }

// At are the coordinates of all points, x then y, one point after the other: in
// the unit disk. Those of even number are of the first class.
func (p *Plane) At() []float64 {
	out := make([]float64, 0, 2*p.points.Count)
	for i := range p.points.Count {
		out = append(out, p.fitted.X.Row(i).Value[:2]...)
	}
	return out
}

func (p *Plane) line(theta []float64) Line {
	l := Line{A: theta[0], B: theta[1], C: theta[2] * data.DefaultIntercept}
	right := 0
	for i := range tested {
		row := p.fresh.X.Row(i).Value
		if margin := l.A*row[0] + l.B*row[1] + l.C; (margin >= 0) == (p.fresh.Y[i] > 0) {
			right++
		}
	}
	l.Accuracy = float64(right) / tested
	return l
}

// Angle is how far l is turned from other, in radians from 0 to π.
func (l Line) Angle(other Line) float64 {
	return math.Abs(math.Atan2(l.A*other.B-l.B*other.A, l.A*other.A+l.B*other.B))
}
