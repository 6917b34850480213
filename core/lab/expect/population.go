package expect

import (
	"math"
	"sort"

	"cloister/core/data"
	"cloister/core/lab/seeded"
)

// spread is the standard deviation of a number's place between its bounds.
const spread = 0.15

// How closely a feature goes with what it has in common with the others: a correlation.
// Features that tell several classes apart have more in common.
const (
	shared        = 0.7
	sharedSeveral = 0.85
)

// population is what records are drawn from.
type population struct {
	schema   *data.Schema
	features []feature
	effects  [][]effect // of each score: one, or one a class
	means    []float64  // of what the effects of each score add up to
	shared   float64
}

// feature is how one feature of the schema is distributed.
type feature struct {
	first  int       // its first column
	middle float64   // numeric
	upTo   []float64 // categorical: the shares of the categories, added up
	way    []float64 // a unit vector: what the feature says of the common causes
}

// effect is what one feature adds to a score.
type effect struct {
	slope    float64   // numeric: per unit of place
	category []float64 // categorical
}

func draw(s *seeded.Stream, schema *data.Schema) *population {
	p := &population{
		schema: schema, features: make([]feature, len(schema.Features)), shared: shared,
	}
	if schema.Label.Type == data.SeveralClasses {
		p.shared = sharedSeveral
	}
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
	scores := max(1, len(schema.Label.Classes))
	for k := range p.features {
		p.features[k].way = direction(s, scores)
	}
	p.means = make([]float64, scores)
	for j := range scores {
		p.effects = append(p.effects, p.score(s, j))
	}
	_, drawn := p.records(s, tested)
	for j := range scores {
		sum, squares := 0.0, 0.0
		for _, z := range drawn {
			sum += z[j] / tested
			squares += z[j] * z[j] / tested
		}
		deviation := math.Sqrt(math.Max(squares-sum*sum, 1e-12))
		for k := range p.effects[j] {
			p.effects[j][k].scale(1 / deviation)
		}
		p.means[j] = sum / deviation
	}
	return p
}

// direction is a unit vector, uniform among all.
func direction(s *seeded.Stream, n int) []float64 {
	out := make([]float64, n)
	normals(s, out)
	squares := 0.0
	for _, x := range out {
		squares += x * x
	}
	for j := range out {
		out[j] /= math.Sqrt(squares)
	}
	return out
}

// scale multiplies the effect.
func (e *effect) scale(by float64) {
	e.slope *= by
	for j := range e.category {
		e.category[j] *= by
	}
}

// score draws what score j takes from each feature.
func (p *population) score(s *seeded.Stream, j int) []effect {
	effects := make([]effect, len(p.features))
	weight := make([]float64, 1)
	for k := range p.features {
		f, e := &p.features[k], &effects[k]
		normals(s, weight)
		if f.upTo != nil || p.schema.Label.Type != data.TwoClasses {
			weight[0] += f.way[j] * math.Sqrt(float64(len(f.way))) // of variance 1, as the draw
		}
		e.slope = weight[0] / spread
		if f.upTo != nil {
			e.category = make([]float64, len(f.upTo))
			normals(s, e.category)
			before := 0.0
			for c, upTo := range f.upTo {
				e.category[c] += math.Sqrt2 * math.Erfinv(before+upTo-1) // of its middle
				before = upTo
			}
			standardise(e.category, f.upTo)
			e.scale(weight[0])
		}
	}
	return effects
}

// standardise gives effects mean 0 and variance 1 under the shares; or makes them 0 if
// they cannot have any variance.
func standardise(effects, upTo []float64) {
	mean, square, before := 0.0, 0.0, 0.0
	for j, e := range effects {
		share := upTo[j] - before
		mean, square, before = mean+share*e, square+share*e*e, upTo[j]
	}
	deviation := math.Sqrt(math.Max(square-mean*mean, 0))
	if deviation < 1e-6 {
		clear(effects)
		return
	}
	for j := range effects {
		effects[j] = (effects[j] - mean) / deviation
	}
}

// records draws n rows as the schema encodes them, and the scores of each.
func (p *population) records(s *seeded.Stream, n int) (*data.Matrix, [][]float64) {
	x := &data.Matrix{RowStart: make([]int, 1, n+1), Columns: p.schema.Dimension()}
	scores := make([][]float64, n)
	places, causes := make([]float64, len(p.features)), make([]float64, len(p.effects))
	for i := range n {
		normals(s, places)
		normals(s, causes)
		z := make([]float64, len(p.effects))
		for c := range z {
			z[c] = -p.means[c]
		}
		first := len(x.Value)
		for k := range p.features {
			f := &p.features[k]
			common := 0.0
			for c, x := range causes {
				common += f.way[c] * x
			}
			place := p.shared*common + math.Sqrt(1-p.shared*p.shared)*places[k]
			column, value := f.first, 1.0
			if f.upTo == nil {
				value = math.Min(math.Max(f.middle+spread*place, 0), 1)
				for c := range z {
					z[c] += p.effects[c][k].slope * (value - f.middle)
				}
			} else {
				share := (1 + math.Erf(place/math.Sqrt2)) / 2
				category := min(sort.SearchFloat64s(f.upTo, share), len(f.upTo)-1)
				column += category
				for c := range z {
					z[c] += p.effects[c][k].category[category]
				}
			}
			if value > 0 {
				x.Index, x.Value = append(x.Index, int32(column)), append(x.Value, value)
			}
		}
		p.bound(x.Value[first:])
		if p.schema.Intercept > 0 {
			x.Index, x.Value = append(x.Index, int32(x.Columns-1)), append(
				x.Value, p.schema.Intercept,
			)
		}
		x.RowStart, scores[i] = append(x.RowStart, len(x.Value)), z
	}
	return x, scores
}

// bound brings a row to its norm as the schema says.
func (p *population) bound(entries []float64) {
	if p.schema.Rows.Norm != data.Scale {
		withinOne(entries, p.schema.Rows.Norm)
		return
	}
	scale := p.schema.RowScale()
	for j := range entries {
		entries[j] *= scale
	}
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
