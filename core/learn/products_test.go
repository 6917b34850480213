package learn_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

const everyColumn = `{"version":7,"features":[
	{"name":"age","type":"numeric","min":0,"max":100,"missing":"indicator","provenance":"public"},
	{"name":"dose","type":"numeric","min":-1,"max":10,"log":true,"missing":"indicator",
		"provenance":"public"},
	{"name":"days","type":"numeric","min":0,"max":9,"missing":5,"provenance":"public"},
	{"name":"ward","type":"categorical","categories":["a","b"],"missing":"indicator",
		"unknown":"zero","provenance":"public"},
	{"name":"state","type":"categorical","categories":["x","y","z"],"unknown":"zero",
		"missing":"zero","provenance":"public"}],
	"label":{"name":"ill","positive":["yes"],"negative":["no"],"provenance":"public"},
	"intercept":%v,"rows":{"norm":%q}}`

// exclude are pairs of columns of everyColumn that are not both above 0.
var exclude = [][2]int{{6, 5}, {7, 5}, {7, 6}, {9, 8}, {10, 8}, {10, 9}}

// Whatever rows there are, and whatever they weigh, none of the sums is below 0. And each number
// that no such rows come to is found: two columns that exclude one another, a number that is not
// half of its missing values, a feature of which some record has no category, rows that are too
// short or too long, labels that are no such records'.
func TestSumsOfProductsAreThoseOfSomeRows(t *testing.T) {
	sizes := []int{2, 3, 4, 6, 9, 14, 31}
	if testing.Short() {
		sizes = sizes[1:2] // all of them natively
	}
	source := randomtest.New(61)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	for _, certain := range []bool{false, true} {
		text, wards, states := everyColumn, []string{"", "a", "b", "c"}, []string{"", "x", "y", "z"}
		if certain {
			text = strings.NewReplacer(
				`"unknown":"zero",`, ``, `"missing":"zero",`, `"missing":{"category":"y"},`,
			).Replace(text)
			wards = wards[:3]
		}
		for _, norm := range []string{"unit", "clip", "scale"} {
			for _, kappa := range []float64{0, 0.5, 3} {
				schema, err := data.ParseSchema(fmt.Appendf(nil, text, kappa, norm))
				require.NoError(t, err)
				for _, rows := range sizes {
					table := "age,dose,days,ward,state,ill\n"
					for k := range rows {
						table += fmt.Sprintf(
							"%s,%s,%d,%s,%s,%s\n",
							[]string{"", "0", "100", "40"}[number(4)],
							[]string{"", "-1", "10", "3"}[number(4)],
							number(10), wards[number(len(wards))], states[number(4)],
							[]string{"yes", "no"}[k%2],
						)
					}
					d, err := data.Read(strings.NewReader(table), schema, data.ReadOptions{})
					require.NoError(t, err)
					n := schema.Dimension()
					m, labels := solve.NewPacked(n), make([]float64, n)
					whole := learn.Products{
						Rounding: 1e-9, Last: math.Inf(1), Labels: labels,
					}
					for k := range d.X.Rows() {
						x, weight := make([]float64, n), float64(number(4))
						y := float64(number(9)-4) / 4
						whole.Square += weight * y * y
						row := d.X.Row(k)
						for at, j := range row.Index {
							x[j] = row.Value[at]
						}
						for i := range x {
							labels[i] += weight * y * x[i]
							for j := range i + 1 {
								m.Row(i)[j] += weight * x[i] * x[j]
							}
						}
					}
					require.Zero(t, whole.Below(schema, m))
					checkImpossible(t, schema, whole, m, certain)
				}
			}
		}
	}
}

// checkImpossible changes numbers of m, and puts them back.
func checkImpossible(
	t *testing.T, schema *data.Schema, p learn.Products, m *solve.Packed, certain bool,
) {
	t.Helper()
	last, kappa := m.N-1, schema.Intercept
	unit := schema.Rows.Norm == data.Unit || schema.Rows.Norm == data.Clip && certain
	least := 1.0
	if schema.Rows.Norm == data.Scale {
		least = schema.RowScale() * schema.RowScale()
	}
	without := p
	without.Labels = nil
	changed := func(p learn.Products, what string, change func()) {
		t.Helper()
		was := solve.NewPacked(m.N)
		was.Set(m)
		change()
		require.Negative(t, p.Below(schema, m), what)
		m.Set(was)
	}
	for i := range m.N {
		for j := range i + 1 {
			changed(without, "a product below 0", func() { m.Row(i)[j] = -1e-6 })
		}
	}
	for _, pair := range exclude {
		changed(without, "of two categories", func() { m.Row(pair[0])[pair[1]] += 1e-6 })
	}
	for _, i := range []int{1, 3} { // missing numbers
		changed(without, "not half", func() { m.Row(i)[i-1] += 1e-6 })
		changed(without, "not half", func() { m.Row(i)[i] += 1e-6; m.Row(i)[i-1] += 0.4e-6 })
		if kappa > 0 {
			changed(without, "more than it", func() { m.Row(last)[i] = 2*m.Row(last)[i-1] + 1e-6 })
		}
	}
	for _, i := range []int{1, 3, 5, 6, 7, 8, 9, 10} {
		for j := range 11 {
			if i != j {
				changed(without, "longer than its category", func() {
					m.Row(max(i, j))[min(i, j)] = m.Row(i)[i] + 1e-6
				})
			}
		}
	}
	if certain {
		for i := range 11 {
			if i < 5 || i > 7 {
				changed(without, "without a ward", func() { m.Row(max(i, 6))[min(i, 6)] -= 1e-6 })
			}
		}
	}
	for _, i := range []int{1, 3, 5, 6, 7, 8, 9, 10} {
		if kappa > 0 {
			changed(without, "of shorter rows than there are", func() {
				m.Row(i)[i] = m.Row(last)[i]*schema.RowScale()/kappa - 1e-6
			})
		}
		if kappa > 0 && schema.Rows.Norm == data.Scale {
			changed(without, "of longer rows than there are", func() {
				m.Row(last)[i] -= 1e-6 * kappa
			})
		}
	}
	if kappa > 0 {
		for _, i := range []int{1, 3} {
			changed(without, "as high as if none were missing", func() {
				m.Row(last)[i-1] = m.Row(last)[last]/kappa - m.Row(last)[i]/2 + 1e-6
			})
		}
		for j := range 11 {
			changed(without, "above 1", func() { m.Row(last)[j] = m.Row(last)[last]/kappa + 1e-6 })
		}
		changed(without, "too long", func() { m.Row(4)[4] += m.Row(last)[last]/kappa/kappa + 1e-6 })
	}
	if certain && kappa > 0 {
		changed(without, "too short", func() { m.Row(last)[last] += 1e-6 * kappa * kappa })
		changed(without, "none of them", func() { m.Row(last)[8] -= 1e-6 })
	}
	trace := 0.0
	for j := range 11 {
		trace += m.Row(j)[j]
	}
	if unit && kappa > 0 && trace > 0 {
		changed(without, "of rows of zeros", func() {
			for j := range 11 {
				m.Row(j)[j] /= 40
			}
		})
	}
	for j := range m.N {
		if kappa == 0 && !unit {
			break
		}
		was := p.Labels[j]
		for _, y := range []float64{-1, 1} {
			if p.Labels[j] = y * (m.Row(last)[j]/kappa + 1e-6); kappa == 0 {
				trace := 1e-6
				for i := range m.N {
					trace += m.Row(i)[i]
				}
				p.Labels[j] = y * trace
			}
			changed(p, "labels above 1", func() {})
		}
		p.Labels[j] = was
	}
	if p.Square = 1e-6; certain {
		for j := range 11 {
			p.Square += m.Row(j)[j] / least
		}
		changed(p, "labels of more records", func() {})
	}
	p.Square = 0
	for _, j := range []int{5, 8} {
		if certain && kappa > 0 {
			was := p.Labels[j]
			p.Labels[j] += 1e-6
			changed(p, "labels of other states than of wards", func() {})
			p.Labels[j] = was
		}
	}
}

// What noise may have come to is not called impossible, and what is more is.
func TestSumsOfProductsAreAsFarBelowAsTheirNoise(t *testing.T) {
	schema, err := data.ParseSchema(fmt.Appendf(nil, everyColumn, 3.0, "unit"))
	require.NoError(t, err)
	m := solve.NewPacked(schema.Dimension())
	p := learn.Products{Sigma: 1e-6, Far: 2, Rounding: 1e-9, Last: 1}
	for _, at := range [][2]int{{6, 5}, {0, 0}, {1, 0}} {
		sign := -1.0
		if at == exclude[0] {
			sign = 1
		}
		noise := 1e-6
		if at[0] == at[1] {
			noise *= math.Sqrt2
		}
		m.Row(at[0])[at[1]] = sign * 2 * noise
		require.Zero(t, p.Below(schema, m))
		m.Row(at[0])[at[1]] = sign * 2.01 * noise
		require.Negative(t, p.Below(schema, m))
		m.Row(at[0])[at[1]] = 0
	}
	// A number that was moved to the lattice's end may be more.
	last := m.N - 1
	m.Row(last)[last], m.Row(last)[6], m.Row(6)[6] = 1, 0.9, 0.3
	p.Last = 2
	require.Negative(t, p.Below(schema, m), "more people than records")
	p.Last = 1
	require.Zero(t, p.Below(schema, m))
}

// Of two numbers that stand near the end of their bounds in most records, both do in some, though
// the matrix is that of a sum of squares without them too.
func TestTwoMostlyHighNumbersAreHighTogether(t *testing.T) {
	schema, err := data.ParseSchema([]byte(`{"version":7,"features":[
		{"name":"a","type":"numeric","min":0,"max":1,"provenance":"public"},
		{"name":"b","type":"numeric","min":0,"max":1,"provenance":"public"}],
		"label":{"name":"y","type":"numeric","min":0,"max":1,"provenance":"public"},
		"intercept":0.5,"rows":{"norm":"scale"}}`))
	require.NoError(t, err)
	m := solve.NewPacked(3)
	p := learn.Products{Rounding: 1e-9, Last: math.Inf(1)}
	one := schema.RowScale()
	for _, both := range []float64{0.2, 0.19, 0.15} { // of records; six in ten have each
		copy(m.At, []float64{
			0.6 * one * one,
			both * one * one, 0.6 * one * one,
			0.3 * one, 0.3 * one, 0.25,
		})
		require.True(t, m.AllAbove(0, true), both)
		require.Equal(t, both < 0.2, p.Below(schema, m) < 0, both)
	}
}
