package clinic

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/learn/scorecard"
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

// bound of the points.
const bound = 1

// truth are the points that the patients are made up with, by attribute and level.
var truth = [][]int{{-1, 0, 1}, {0, 1}, {-1, 0, 1}, {-1, 1}}

// schema is the public one of all patients.
var schema = &data.CellSchema{
	Attributes: []data.Attribute{
		{
			Name: "age", Min: 0, Max: 120, Cuts: []float64{40, 65},
			Provenance: data.Public,
		},
		categorical("ward", "medical", "surgical"),
		categorical("stays last year", "none", "one or two", "more"),
		categorical("goes home to", "family", "nobody"),
	},
	Label: data.Label{
		Name:       "back within a month",
		Negative:   []string{"no"},
		Positive:   []string{"yes"},
		Provenance: data.Public,
	},
}

func categorical(name string, levels ...string) data.Attribute {
	a := data.Attribute{Name: name, Provenance: data.Public}
	for _, level := range levels {
		a.Levels = append(a.Levels, data.Level{Name: level, Values: []string{level}})
	}
	return a
}

func (p Patients) check() error {
	if p.Count < MinCount || p.Count > MaxCount {
		return &privacy.ParameterError{
			Field: "n", Value: strconv.Itoa(p.Count), Want: "from 50 to 20,000",
		}
	}
	return nil
}

// draw makes up the patients.
func (p Patients) draw() *data.Cells {
	s := seeded.New("clinic/patients/" + strconv.Itoa(p.Seed))
	cells := &data.Cells{
		Schema:    schema,
		Positives: make([]int64, len(chances)), Negatives: make([]int64, len(chances)),
		Rows: make([]uint32, p.Count),
	}
	for i := range cells.Rows {
		cell := s.Below(len(chances))
		cells.Rows[i] = uint32(2 * cell)
		if s.Uniform() < chances[cell] {
			cells.Rows[i]++
			cells.Positives[cell]++
		} else {
			cells.Negatives[cell]++
		}
	}
	return cells
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
		if total(points, levels) >= scorecard.Threshold {
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
