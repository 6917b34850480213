package clinic

import (
	"math"
	"strconv"

	"cloister/core/lab/seeded"
	"cloister/core/privacy"
)

// Patients says which patients are made up.
type Patients struct {
	Count int // from MinCount to MaxCount
	Seed  int // another number draws them, and all noise, anew
}

// Limits of Patients.
const (
	MinCount = 50
	MaxCount = 20_000
)

// steepness of the probability to come back, in the total of the points.
const steepness = 1.4

const (
	bound     = 1 // of the points
	threshold = 1 // the least total at which a card says yes
)

// truth are the points that the patients are made up with, by attribute and level.
var truth = [][]int{{-1, 0, 1}, {0, 1}, {-1, 0, 1}, {-1, 1}}

// attributes are those of all patients, as the levels of a card are named.
var attributes = []Attribute{
	{"age", []string{"below 40", "40 to below 65", "65 or more"}},
	{"ward", []string{"medical", "surgical"}},
	{"stays last year", []string{"none", "one or two", "more"}},
	{"goes home to", []string{"family", "nobody"}},
}

// cells counts patients by level of each attribute, the last one's level running fastest.
type cells struct{ positives, negatives []int64 }

func (p Patients) check() error {
	if p.Count < MinCount || p.Count > MaxCount {
		return &privacy.ParameterError{
			Field: "n", Value: strconv.Itoa(p.Count), Want: "from 50 to 20,000",
		}
	}
	return nil
}

// draw makes up the patients, and counts them.
func (p Patients) draw() cells {
	s := seeded.New("clinic/patients/" + strconv.Itoa(p.Seed))
	c := cells{make([]int64, len(chances)), make([]int64, len(chances))}
	for range p.Count {
		cell := s.Below(len(chances))
		if s.Uniform() < chances[cell] {
			c.positives[cell]++
		} else {
			c.negatives[cell]++
		}
	}
	return c
}

// chances are the probabilities to come back, by cell. Cells are equally likely.
var chances = func() []float64 {
	var out []float64
	eachCell(func(levels []int) {
		total := total(truth, levels)
		out = append(out, 1/(1+math.Exp(steepness*(0.5-float64(total)))))
	})
	return out
}()

// right is the share of new patients for whom a card says what happens.
func right(points [][]int) float64 {
	sum, cell := 0.0, 0
	eachCell(func(levels []int) {
		if total(points, levels) >= threshold {
			sum += chances[cell]
		} else {
			sum += 1 - chances[cell]
		}
		cell++
	})
	return sum / float64(cell)
}

func total(points [][]int, levels []int) (sum int) {
	for g, l := range levels {
		sum += points[g][l]
	}
	return sum
}

// eachCell goes through the cells in their order: the last attribute's level runs fastest.
func eachCell(visit func(levels []int)) {
	levels := make([]int, len(truth))
	for {
		visit(levels)
		g := len(levels) - 1
		for ; g >= 0; g-- {
			if levels[g]++; levels[g] < len(truth[g]) {
				break
			}
			levels[g] = 0
		}
		if g < 0 {
			return
		}
	}
}
