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

const everyColumn = `{"version":6,"features":[
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

// Whatever rows there are, and whatever they weigh, none of the sums is below 0. And each pair of
// columns that exclude one another, or depend on one another, has one.
func TestSumsOfProductsAreThoseOfSomeRows(t *testing.T) {
	source := randomtest.New(61)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	for _, norm := range []string{"unit", "clip"} {
		for _, kappa := range []float64{0, 0.5, 3} {
			schema, err := data.ParseSchema(fmt.Appendf(nil, everyColumn, kappa, norm))
			require.NoError(t, err)
			columns := schema.Columns()
			for rows := range 60 {
				text := "age,dose,days,ward,state,ill\n"
				for k := range rows + 2 {
					text += fmt.Sprintf(
						"%s,%s,%d,%s,%s,%s\n",
						[]string{"", "0", "100", "40"}[number(4)], []string{"", "-1", "10", "3"}[number(4)],
						number(10), []string{"", "a", "b", "c"}[number(4)],
						[]string{"", "x", "y", "z"}[number(4)], []string{"yes", "no"}[k%2],
					)
				}
				d, err := data.Read(strings.NewReader(text), schema, data.ReadOptions{})
				require.NoError(t, err)
				m := solve.NewPacked(len(columns))
				for k := range d.X.Rows() {
					x, weight := make([]float64, len(columns)), float64(number(4))
					row := d.X.Row(k)
					for at, j := range row.Index {
						x[j] = row.Value[at]
					}
					for i := range x {
						for j := range i + 1 {
							m.Row(i)[j] += weight * x[i] * x[j]
						}
					}
				}
				products := learn.Products{Rounding: 1e-9, Last: math.Inf(1)}
				require.Zero(t, products.Below(columns, m))
				found := 0
				for i := range columns {
					for j := range i + 1 {
						was := m.Row(i)[j]
						m.Row(i)[j] = -1e-6
						require.Negative(t, products.Below(columns, m), "a product below 0")
						if m.Row(i)[j] = was + 1e-6; kappa == 0 && i != j {
							if products.Below(columns, m) < 0 {
								found++
							}
						}
						m.Row(i)[j] = was
					}
				}
				if kappa == 0 {
					require.Equal(t, 2+3+3, found, "numbers, wards and missing ones, and states")
				}
				products.Sigma, products.Far = 1e-6, 2
				m.Row(6)[5] += 2e-6
				require.Zero(t, products.Below(columns, m), "noise may have come to that")
				m.Row(6)[5] += 2e-6
				require.Negative(t, products.Below(columns, m))
			}
		}
	}
}
