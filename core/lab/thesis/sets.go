package thesis

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
)

// Table is a set of records for linear regression: rows of norm 1 at most and labels from −1 to 1.
type Table struct {
	Name string
	x    [][]float64
	y    []float64

	// reach is the public guess of ‖θ‖ that systems without a test choose λ by: 1, and 2, the
	// default of package ops, for tumours, whose label is −1 or 1.
	reach float64
}

// Records is how many there are.
func (t Table) Records() int { return len(t.y) }

// Columns is how many columns a row has.
func (t Table) Columns() int { return len(t.x[0]) }

// MadeUp are n records, whose rows are directions drawn with columns of these standard
// deviations, and whose labels the best direction explains but for 0.037 of about 0.26.
func MadeUp(name string, n int, deviations []float64) Table {
	stream := seeded.New("thesis " + name)
	truth := gaussians(stream, len(deviations))
	size := length(truth)
	t := Table{Name: name, reach: 1}
	for range n {
		row := gaussians(stream, len(deviations))
		for j, s := range deviations {
			row[j] *= s
		}
		unit(row)
		y := 0.193 * gaussians(stream, 1)[0]
		for j, v := range row {
			y += 1.5 * v * truth[j] / size
		}
		t.x, t.y = append(t.x, row), append(t.y, math.Max(-1, math.Min(1, y)))
	}
	return t
}

// Even are the standard deviations of d columns that are all alike.
func Even(d int) []float64 { return slices.Repeat([]float64{1}, d) }

// Uneven are those of d columns that fall from 1 to a third.
func Uneven(d int) []float64 {
	out := make([]float64, d)
	for j := range out {
		out[j] = 1 - 2./3*float64(j)/float64(d-1)
	}
	return out
}

// Tumours are the 569 of the published table of breast cancers, each column standardised by its
// own mean and deviation, which is for a comparison only, and a column of ones. The label is 1
// where the tumour is malignant, and else −1.
func Tumours(file io.Reader) (Table, error) {
	t := Table{Name: "tumours, malignant", reach: 2}
	err := each(file, func(cell map[string]string, header []string) error {
		row := make([]float64, 0, len(header))
		for _, name := range header {
			if name == "diagnosis" {
				continue
			}
			v, err := strconv.ParseFloat(cell[name], 64)
			if err != nil {
				return err
			}
			row = append(row, v)
		}
		t.x = append(t.x, append(row, 1))
		t.y = append(t.y, sign(cell["diagnosis"] == "malignant"))
		return nil
	})
	if err != nil {
		return t, err
	}
	standardise(t.x)
	return t, nil
}

// Adult are the records of the published Adult tables that have no missing entry. The label is the
// years of education less ten, in eighths and from −1 on. The columns are age, hours a week, sex,
// being married, being white, income, having gains and losses of capital, and a column of ones.
func Adult(files ...io.Reader) (Table, error) {
	t := Table{Name: "Adult, education", reach: 1}
	for _, file := range files {
		err := each(file, func(cell map[string]string, header []string) error {
			for _, name := range header {
				if cell[name] == "?" {
					return nil
				}
			}
			var numbers [5]float64
			for i, name := range []string{
				"age", "hours-per-week", "education-num", "capital-gain", "capital-loss",
			} {
				v, err := strconv.ParseFloat(cell[name], 64)
				if err != nil {
					return err
				}
				numbers[i] = v
			}
			row := []float64{
				(numbers[0] - 40) / 20, (numbers[1] - 40) / 20, sign(cell["sex"] == "Male"),
				sign(strings.HasPrefix(cell["marital-status"], "Married")),
				sign(cell["race"] == "White"), sign(strings.HasPrefix(cell["Y"], ">50K")),
				sign(numbers[3] > 0), sign(numbers[4] > 0), 1,
			}
			unit(row)
			t.x, t.y = append(t.x, row), append(t.y, math.Max(-1, (numbers[2]-10)/8))
			return nil
		})
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// problem is the regression on the records of these numbers, in that order.
func (t Table) problem(records []int) learn.Problem {
	d := t.Columns()
	schema := &data.Schema{
		Label: data.Label{
			Name: "y", Type: data.NumericLabel, Min: -1, Max: 1, Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip},
	}
	for j := range d {
		schema.Features = append(schema.Features, data.Feature{
			Name: "x" + strconv.Itoa(j+1), Type: data.Numeric, Min: -1, Max: 1,
			Provenance: data.Public,
		})
	}
	var blocks [][]float64
	labels := make([]float64, len(records))
	for k, i := range records {
		if k%data.BlockRows == 0 {
			blocks = append(blocks, make([]float64, 0, min(data.BlockRows, len(records)-k)*d))
		}
		last := &blocks[len(blocks)-1]
		*last = append(*last, t.x[i]...)
		labels[k] = t.y[i]
	}
	return learn.Problem{
		Data: &data.Dataset{Schema: schema, X: data.NewDense(d, blocks...), Y: labels},
		Loss: glm.Squared{},
	}
}

// each calls read with every line of a CSV file, by the names of its header.
func each(file io.Reader, read func(cell map[string]string, header []string) error) error {
	reader := csv.NewReader(file)
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if err != nil {
		return err
	}
	for {
		line, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		cell := make(map[string]string, len(header))
		for j, name := range header {
			cell[name] = line[j]
		}
		if err := read(cell, header); err != nil {
			return err
		}
	}
}

// standardise takes each column's mean from it and divides by its deviation, but for the last,
// and makes the rows short.
func standardise(x [][]float64) {
	n := float64(len(x))
	for j := range len(x[0]) - 1 {
		mean, square := 0.0, 0.0
		for _, row := range x {
			mean += row[j] / n
		}
		for _, row := range x {
			square += (row[j] - mean) * (row[j] - mean) / n
		}
		for _, row := range x {
			row[j] = (row[j] - mean) / math.Sqrt(square)
		}
	}
	for _, row := range x {
		unit(row)
	}
}

// unit divides a row by its length, and a little more.
func unit(row []float64) {
	size := length(row) * (1 + 1e-12)
	for j := range row {
		row[j] /= size
	}
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func sign(yes bool) float64 {
	if yes {
		return 1
	}
	return -1
}

// gaussians are n standard normal numbers (Box & Muller 1958).
func gaussians(stream *seeded.Stream, n int) []float64 {
	out := make([]float64, n)
	for j := range out {
		radius := math.Sqrt(-2 * math.Log(1-stream.Uniform()))
		out[j] = radius * math.Cos(2*math.Pi*stream.Uniform())
	}
	return out
}
