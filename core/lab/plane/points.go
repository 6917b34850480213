package plane

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Points says which points are made up.
type Points struct {
	Count      int     // from MinCount to MaxCount
	Separation float64 // of the means, in standard deviations: from 0 to MaxSeparation
	Seed       int     // another number draws them, and all noise, anew
}

// Limits of Points.
const (
	MinCount      = 10
	MaxCount      = 20_000
	MaxSeparation = 10
)

const (
	tested = 4_000 // points that lines are scored on

	// beyond is how far the disk reaches over a mean, in standard deviations: one
	// point in a hundred or fewer lies outside.
	beyond = 3

	// direction of one mean from the other, as an angle.
	direction = 0.6
)

func (p Points) check() error {
	switch {
	case p.Count < MinCount || p.Count > MaxCount:
		return &privacy.ParameterError{
			Field: "n",
			Value: strconv.Itoa(p.Count),
			Want:  "from 10 to 20,000",
		}
	case !(p.Separation >= 0 && p.Separation <= MaxSeparation):
		return &privacy.ParameterError{
			Field: "separation",
			Value: privacy.Number(p.Separation),
			Want:  "from 0 to 10",
		}
	}
	return nil
}

// schema is the public one of all points: two numbers between −1 and 1 in the
// unit disk, and the usual intercept.
func schema() *data.Schema {
	number := func(name string) data.Feature {
		return data.Feature{Name: name, Type: data.Numeric, Min: 0, Max: 1, Provenance: data.Public}
	}
	return &data.Schema{
		Features: []data.Feature{number("x"), number("y")},
		Label: data.Label{
			Name:       "class",
			Negative:   []string{"-1"},
			Positive:   []string{"1"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: data.DefaultIntercept,
	}
}

// draw makes up n points from a stream.
func (p Points) draw(s *seeded.Stream, n int) *data.Dataset {
	half := p.Separation / 2
	scale := 1 / (half + beyond)
	dy, dx := math.Sincos(direction)
	normal := make([]float64, 2*n)
	if err := random.Gaussian(s, normal, 1); err != nil {
		panic("plane: " + err.Error()) // the stream never fails
	}
	y := make([]float64, n)
	var blocks [][]float64
	for i := range n {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, make([]float64, 0, 3*min(n-i, data.BlockRows)))
		}
		y[i] = 1
		if i%2 == 1 {
			y[i] = -1
		}
		a := scale * (y[i]*half*dx + normal[2*i])
		b := scale * (y[i]*half*dy + normal[2*i+1])
		if length := math.Hypot(a, b); length > 1-0x1p-40 {
			a *= (1 - 0x1p-40) / length
			b *= (1 - 0x1p-40) / length
		}
		block := &blocks[len(blocks)-1]
		*block = append(*block, a, b, data.DefaultIntercept)
	}
	return &data.Dataset{Schema: schema(), X: data.NewDense(3, blocks...), Y: y}
}
