package expect

import (
	"math"
	"sort"

	"cloister/core/data"
	"cloister/core/lab/seeded"
)

// spread is the standard deviation of a number's place between its bounds.
const spread = 0.15

// population is what records are drawn from.
type population struct {
	schema   *data.Schema
	features []feature
	effects  [][]effect // of each score: one, or one a class
}

// feature is how one feature of the schema is distributed.
type feature struct {
	first  int       // its first column
	middle float64   // numeric
	upTo   []float64 // categorical: the shares of the categories, added up
}

// effect is what one feature adds to a score.
type effect struct {
	slope    float64   // numeric: per unit of place
	category []float64 // categorical
}

func draw(s *seeded.Stream, schema *data.Schema) *population {
	p := &population{schema: schema, features: make([]feature, len(schema.Features))}
	column := 0
	for k := range schema.Features {
		f := &p.features[k]
		f.first = column
		if schema.Features[k].Type == data.Numeric {
			f.middle = 0.3 + 0.4*s.Uniform()
			column += schema.Features[k].Width()
			continue
		}
		// Exponential draws divided by their sum are uniform among all shares.
		sum := 0.0
		for range schema.Features[k].Categories {
			sum += -math.Log(1 - s.Uniform())
			f.upTo = append(f.upTo, sum)
		}
		for j := range f.upTo {
			f.upTo[j] /= sum
		}
		column += schema.Features[k].Width()
	}
	for range max(1, len(schema.Label.Classes)) {
		p.effects = append(p.effects, p.score(s))
	}
	return p
}

// score draws what a score of mean 0 and variance 1 takes from each feature.
func (p *population) score(s *seeded.Stream) []effect {
	effects := make([]effect, len(p.features))
	weight := make([]float64, 1)
	squares := 0.0
	for k := range p.features {
		f, e := &p.features[k], &effects[k]
		normals(s, weight)
		e.slope = weight[0]
		if f.upTo != nil {
			e.category = make([]float64, len(f.upTo))
			normals(s, e.category)
			if !standardise(e.category, f.upTo) {
				continue // one category says nothing
			}
			for j := range e.category {
				e.category[j] *= weight[0]
			}
		}
		squares += weight[0] * weight[0]
	}
	scale := 1 / math.Sqrt(math.Max(squares, 1e-12))
	for k := range effects {
		effects[k].slope *= scale / spread
		for j := range effects[k].category {
			effects[k].category[j] *= scale
		}
	}
	return effects
}

// standardise gives effects mean 0 and variance 1 under the shares; false if
// they cannot have any variance.
func standardise(effects, upTo []float64) bool {
	mean, square, before := 0.0, 0.0, 0.0
	for j, e := range effects {
		share := upTo[j] - before
		mean, square, before = mean+share*e, square+share*e*e, upTo[j]
	}
	deviation := math.Sqrt(math.Max(square-mean*mean, 0))
	if deviation < 1e-6 {
		clear(effects)
		return false
	}
	for j := range effects {
		effects[j] = (effects[j] - mean) / deviation
	}
	return true
}

// records draws n rows as the schema encodes them, and the scores of each.
func (p *population) records(s *seeded.Stream, n int) (*data.Matrix, [][]float64) {
	x := &data.Matrix{RowStart: make([]int, 1, n+1), Columns: p.schema.Dimension()}
	scores := make([][]float64, n)
	places := make([]float64, len(p.features))
	for i := range n {
		normals(s, places)
		z := make([]float64, len(p.effects))
		first := len(x.Value)
		for k := range p.features {
			f := &p.features[k]
			column, value := f.first, 1.0
			if f.upTo == nil {
				value = math.Min(math.Max(f.middle+spread*places[k], 0), 1)
				for c := range z {
					z[c] += p.effects[c][k].slope * (value - f.middle)
				}
			} else {
				category := min(sort.SearchFloat64s(f.upTo, s.Uniform()), len(f.upTo)-1)
				column += category
				for c := range z {
					z[c] += p.effects[c][k].category[category]
				}
			}
			if value > 0 {
				x.Index, x.Value = append(x.Index, int32(column)), append(x.Value, value)
			}
		}
		withinOne(x.Value[first:], p.schema.Rows.Norm)
		if p.schema.Intercept > 0 {
			x.Index, x.Value = append(x.Index, int32(x.Columns-1)), append(
				x.Value, p.schema.Intercept,
			)
		}
		x.RowStart, scores[i] = append(x.RowStart, len(x.Value)), z
	}
	return x, scores
}

// withinOne brings a row to its norm, a little inside of it (package data proves
// its own margin; this one is wider).
func withinOne(entries []float64, norm data.Norm) {
	sum := 0.0
	for _, v := range entries {
		sum += v * v
	}
	if sum == 0 || norm == data.Clip && sum < 1-1e-9 {
		return
	}
	factor := (1 - 1e-9) / math.Sqrt(sum)
	for j := range entries {
		entries[j] *= factor
	}
}
