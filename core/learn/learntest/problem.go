package learntest

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// Schema has n public numeric features from 0 to 1, a label of two classes, rows
// clipped to norm 1, and intercept kappa.
func Schema(n int, kappa float64) *data.Schema {
	s := &data.Schema{
		Label: data.Label{
			Name:       "y",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: kappa,
	}
	for j := range n {
		s.Features = append(
			s.Features,
			data.Feature{
				Name:       "x" + strconv.Itoa(j+1),
				Type:       data.Numeric,
				Max:        1,
				Provenance: data.Public,
			},
		)
	}
	return s
}

// Problem is the logistic problem of these rows, stored sparsely, whose last
// entry is κ if the schema has one.
func Problem(schema *data.Schema, x [][]float64, y []float64) learn.Problem {
	m := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	for _, row := range x {
		for j, v := range row {
			if v != 0 {
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, v)
			}
		}
		m.RowStart = append(m.RowStart, len(m.Index))
	}
	return learn.Problem{Data: &data.Dataset{Schema: schema, X: m, Y: y}, Loss: glm.Logistic{}}
}

// Dense is the same data set with its matrix stored densely, in blocks of
// data.BlockRows.
func Dense(d *data.Dataset) *data.Dataset {
	var blocks [][]float64
	for i := range d.X.Rows() {
		if i%data.BlockRows == 0 {
			blocks = append(blocks, nil)
		}
		row := make([]float64, d.X.Columns)
		r := d.X.Row(i)
		for k, j := range r.Index {
			row[j] = r.Value[k]
		}
		last := &blocks[len(blocks)-1]
		*last = append(*last, row...)
	}
	return &data.Dataset{Schema: d.Schema, X: data.NewDense(d.X.Columns, blocks...), Y: d.Y}
}

// Every keeps the rows whose number keep accepts.
func Every(d *data.Dataset, keep func(i int) bool) *data.Dataset {
	var rows []int
	for i := range d.X.Rows() {
		if keep(i) {
			rows = append(rows, i)
		}
	}
	return d.Select(rows)
}

// Clinic is 300 records with two features and κ = 1/2, in the unit ball.
func Clinic() learn.Problem {
	source := randomtest.New(99)
	var x [][]float64
	var y []float64
	for range 300 {
		a, b := 0.7*Uniform(source), 0.7*Uniform(source)
		label := -1.0
		if Uniform(source) < 1/(1+math.Exp(-6*(a-b))) {
			label = 1
		}
		x, y = append(x, []float64{a, b, 0.5}), append(y, label)
	}
	return Problem(Schema(2, 0.5), x, y)
}

// Five is the problem of the golden values: five records whose entries are
// short in binary.
func Five() learn.Problem {
	return Problem(
		Schema(2, 0.5),
		[][]float64{
			{0.75, 0.25, 0.5},
			{0.125, 0.5, 0.5},
			{0.5, 0.5, 0.5},
			{0, 0.875, 0.5},
			{0.25, 0, 0.5},
		},
		[]float64{1, -1, 1, -1, -1},
	)
}

// FiveMinimisers are the minimisers of Five under each of Losses, with λ = 0.75, at 40
// digits with Python's decimal: by Newton's method for the logistic and the Huber
// loss, by Gaussian elimination for the squared one.
func FiveMinimisers() [][]float64 {
	return [][]float64{
		{0.5427061442480875594, -0.286726813438547607, -0.267925714179102720},
		{1.1666666666666666666, -0.554572271386430678, -0.507374631268436578},
		{0.8370084811102544333, -0.275219737856592135, -0.443824209714726291},
	}
}

// Huber is the Huber loss of half-width h.
func Huber(t testing.TB, h float64) glm.Huber {
	t.Helper()
	loss, err := glm.NewHuber(h)
	require.NoError(t, err)
	return loss
}

// Losses are one of each kind: logistic, Huber of half-width 1/2, squared.
func Losses(t testing.TB) []glm.Loss {
	t.Helper()
	return []glm.Loss{glm.Logistic{}, Huber(t, 0.5), glm.Squared{}}
}

// Shifted are the logistic loss shifted by 2 and the rounded hinge of shift 1.
func Shifted(t testing.TB) []glm.Loss {
	t.Helper()
	shifted, err := glm.NewShiftedLogistic(2)
	require.NoError(t, err)
	hinge, err := glm.NewRoundedHinge(1)
	require.NoError(t, err)
	return []glm.Loss{shifted, hinge}
}

// Weighted is the logistic loss in which a positive record counts as so many negative ones.
func Weighted(t testing.TB, ratio float64) glm.WeightedLogistic {
	t.Helper()
	loss, err := glm.NewWeightedLogistic(ratio)
	require.NoError(t, err)
	return loss
}

// Uniform draws a number in [0, 1).
func Uniform(source *randomtest.Seeded) float64 {
	word, _ := source.Uint64()
	return float64(word>>11) * 0x1p-53
}

// Gaussians draws n standard normal numbers.
func Gaussians(t testing.TB, source random.Source, n int) []float64 {
	t.Helper()
	draws := make([]float64, n)
	require.NoError(t, random.Gaussian(source, draws, 1))
	return draws
}

// Length is ‖x‖.
func Length(x []float64) float64 {
	length := 0.0
	for _, v := range x {
		length = math.Hypot(length, v)
	}
	return length
}

// Dot is xᵀy.
func Dot(x, y []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += x[j] * y[j]
	}
	return sum
}
