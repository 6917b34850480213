package differences_test

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/random/randomtest"
)

// design is a kind of made-up table: six numbers, and features of 2, 3, 5 and 8
// categories.
type design struct {
	name    string
	rare    bool    // most categories have few records, half the numbers hardly vary
	related float64 // correlation of the numbers
	none    float64 // share of the features that say nothing at all
	size    float64 // standard deviation of a number's true coefficient; a category's is half
}

var designs = []design{
	{name: "even", size: 6},
	{name: "rare", size: 6, rare: true},
	{name: "related", size: 6, related: 0.7},
	{name: "half say nothing", size: 6, none: 0.5},
	{name: "strong", size: 20},
}

var levels = []int{2, 3, 5, 8}

const numbers = 6

// made draws from a seed.
type made struct{ source *randomtest.Seeded }

func (m made) uniform() float64 {
	word, _ := m.source.Uint64()
	return float64(word>>11) * 0x1p-53
}

func (m made) normal() float64 {
	return math.Sqrt(-2*math.Log(1-m.uniform())) * math.Cos(2*math.Pi*m.uniform())
}

// schemaOf is the schema of the tables with a label of that kind.
func schemaOf(kind data.LabelType) *data.Schema {
	s := &data.Schema{Rows: data.Rows{Norm: data.Clip}, Intercept: data.DefaultIntercept}
	s.Label = data.Label{Name: "y", Type: kind, Provenance: data.Public}
	switch kind {
	case data.NumericLabel:
		s.Label.Min, s.Label.Max = 0, 100
	case data.SeveralClasses:
		s.Label.Classes = [][]string{{"a"}, {"b"}, {"c"}}
	default:
		s.Label.Negative, s.Label.Positive = []string{"no"}, []string{"yes"}
	}
	for j := range numbers {
		s.Features = append(s.Features, data.Feature{
			Name: "n" + strconv.Itoa(j), Type: data.Numeric, Max: 1, Provenance: data.Public,
		})
	}
	for j, k := range levels {
		f := data.Feature{
			Name: "c" + strconv.Itoa(j), Type: data.Categorical, Provenance: data.Public,
		}
		for c := range k {
			f.Categories = append(f.Categories, "l"+strconv.Itoa(c))
		}
		s.Features = append(s.Features, f)
	}
	return s
}

// effects draws the true coefficients on the model's scale, those of one vector after
// the other.
func (m made) effects(d design, s *data.Schema) []float64 {
	columns := s.Dimension()
	out := make([]float64, max(1, len(s.Label.Classes))*columns)
	for first := 0; first < len(out); first += columns {
		column := first
		for i := range s.Features {
			size := d.size
			if s.Features[i].Type == data.Categorical {
				size /= 2
			}
			if m.uniform() < d.none {
				size = 0
			}
			for range max(1, len(s.Features[i].Categories)) {
				out[column] = size * m.normal()
				column++
			}
		}
	}
	return out
}

// problem draws n rows as the schema encodes them, whose labels follow the model with
// these effects.
func (m made) problem(d design, s *data.Schema, effects []float64, n int) learn.Problem {
	columns := s.Dimension()
	middle, spread := make([]float64, numbers), make([]float64, numbers)
	for j := range middle {
		middle[j], spread[j] = 0.3+0.4*m.uniform(), 0.15
		if d.rare && j%2 == 0 {
			spread[j] = 0.005
		}
	}
	x := &data.Matrix{RowStart: []int{0}, Columns: columns}
	scores := make([][]float64, n)
	for i := range n {
		common, first := m.normal(), len(x.Value)
		for j := range numbers {
			z := math.Sqrt(d.related)*common + math.Sqrt(1-d.related)*m.normal()
			x.Index = append(x.Index, int32(j))
			x.Value = append(x.Value, math.Min(math.Max(middle[j]+spread[j]*z, 0.001), 1))
		}
		column := numbers
		for _, k := range levels {
			c := 0
			if !d.rare {
				c = int(m.uniform() * float64(k))
			}
			for d.rare && c < k-1 && m.uniform() < 0.1 {
				c++
			}
			x.Index, x.Value = append(x.Index, int32(column+c)), append(x.Value, 1)
			column += k
		}
		squares := 0.0
		for _, v := range x.Value[first:] {
			squares += v * v
		}
		scale := (1 - 1e-9) / math.Max(1, math.Sqrt(squares))
		if s.Rows.Norm == data.Scale {
			scale = s.RowScale()
		}
		for j := first; j < len(x.Value); j++ {
			x.Value[j] *= scale
		}
		for from := 0; from < len(effects); from += columns {
			score := 0.0
			for j := first; j < len(x.Value); j++ {
				score += effects[from+int(x.Index[j])] * x.Value[j]
			}
			scores[i] = append(scores[i], score)
		}
		x.Index, x.Value = append(x.Index, int32(columns-1)), append(x.Value, s.Intercept)
		x.RowStart = append(x.RowStart, len(x.Index))
	}
	loss := glm.Loss(glm.Logistic{})
	if s.Label.Type == data.NumericLabel {
		loss = glm.Squared{}
	}
	y := m.labels(s.Label.Type, scores)
	return learn.Problem{Data: &data.Dataset{Schema: s, X: x, Y: y}, Loss: loss}
}

// labels draws them by the scores, whose means are taken off first.
func (m made) labels(kind data.LabelType, scores [][]float64) []float64 {
	for k := range scores[0] {
		mean := 0.0
		for _, z := range scores {
			mean += z[k] / float64(len(scores))
		}
		for _, z := range scores {
			z[k] -= mean
		}
	}
	y := make([]float64, len(scores))
	for i, z := range scores {
		switch kind {
		case data.NumericLabel:
			y[i] = math.Min(math.Max(0.1*z[0]+0.15*m.normal(), -1), 1)
		case data.SeveralClasses: // in proportion to e^z, by Gumbel draws
			best := math.Inf(-1)
			for k, score := range z {
				if score -= math.Log(-math.Log(1 - m.uniform())); score > best {
					best, y[i] = score, float64(k)
				}
			}
		default:
			y[i] = -1
			if m.uniform() < 1/(1+math.Exp(-z[0])) {
				y[i] = 1
			}
		}
	}
	return y
}

// truth is the true difference that d estimates, of vector k.
func truth(s *data.Schema, effects []float64, k int, feature, category, reference string) float64 {
	columns := s.Dimension()
	vectors := len(effects) / columns
	of := func(name string) float64 {
		for j, c := range s.Columns() {
			if c.Name != name {
				continue
			}
			own := effects[k*columns+j]
			for other := range vectors { // a class against the others
				if other != k {
					own -= effects[other*columns+j] / float64(vectors-1)
				}
			}
			return own
		}
		panic("no column " + name)
	}
	if category == "" {
		return of(feature)
	}
	return of(feature+"="+category) - of(feature+"="+reference)
}
