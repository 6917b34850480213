package lab

import (
	"math"

	"cloister/core/data"
)

// Encoding is how records become rows: the rule for the norm of the features,
// and the intercept's value κ. R² = 1 + κ².
type Encoding struct {
	Norm      data.Norm
	Intercept float64
}

var (
	// PaperEncoding is that of Redberg, Koskela & Wang 2023, §5: rows of norm 1
	// and a bias term of 1, so R = √2.
	PaperEncoding = Encoding{data.Unit, 1}

	// DefaultEncoding is that of data.Suggest, which is this library's default.
	DefaultEncoding = Encoding{data.Clip, data.DefaultIntercept}
)

// dense is a data set of numbers that were made up or standardised here, before
// they are encoded. Rows are the features' values, all of one length.
type dense struct {
	rows   [][]float64
	labels []float64 // −1 or +1
	radius float64   // public: features are divided by it before the norm rule
}

// encode makes rows as the papers write them, x/radius brought to its norm: a
// schema's shift of every feature into [0, 1] is left out. The schema it carries
// has the right columns and row norm and names its features x1, x2, ….
func (d *dense) encode(e Encoding) *data.Dataset {
	columns := len(d.rows[0])
	schema := &data.Schema{
		Label: data.Label{
			Name:       "y",
			Negative:   []string{"-1"},
			Positive:   []string{"1"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: e.Norm},
		Intercept: e.Intercept,
	}
	for j := range columns {
		schema.Features = append(schema.Features, data.Feature{
			Name: "x" + decimal(
				j+1,
			), Type: data.Numeric, Min: 0, Max: d.radius, Provenance: data.Public,
		})
	}
	width := schema.Dimension()
	var blocks [][]float64
	for i, values := range d.rows {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, make([]float64, 0, min(len(d.rows)-i, data.BlockRows)*width))
		}
		block := &blocks[len(blocks)-1]
		at := len(*block)
		for _, v := range values {
			*block = append(*block, v/d.radius)
		}
		withinOne((*block)[at:], e.Norm)
		if width > columns {
			*block = append(*block, e.Intercept)
		}
	}
	return &data.Dataset{
		Schema: schema,
		X:      data.NewDense(width, blocks...),
		Y:      append([]float64(nil), d.labels...),
	}
}

// withinOne brings entries to norm 1, or below where the rule is to clip, with
// a margin that covers rounding (as package data does it).
func withinOne(entries []float64, norm data.Norm) {
	sum := 0.0
	for _, v := range entries {
		sum += float64(v * v)
	}
	slack := 1 - float64(len(entries)+8)*0x1p-53
	if sum == 0 || norm == data.Clip && sum <= slack {
		return
	}
	factor := slack / math.Sqrt(sum)
	for j := range entries {
		entries[j] *= factor
	}
}
