package data

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestColumns(t *testing.T) {
	schema := smallSchema(t, `"max":10`, `"max":10,"log":true`)
	require.Equal(t, []Column{
		{Name: "x", Feature: "x", Log: true, Scale: 1 / math.Log1p(10)},
		{Name: "c=a", Feature: "c", Category: "a", Scale: 1},
		{Name: "c=b", Feature: "c", Category: "b", Scale: 1},
		{Name: "(intercept)", Intercept: true, Scale: 1},
	}, schema.Columns())
	require.Equal(t, 4, schema.Dimension())
	schema.Intercept = 0
	require.Len(t, schema.Columns(), 3)
	require.Equal(t, 3, schema.Dimension())
}

// The description of a column is what the encoder does: entry = Scale·t(x − Offset).
func TestColumnsDescribeTheEncoding(t *testing.T) {
	schema := smallSchema(
		t,
		`"min":0,"max":10`,
		`"min":-5,"max":10`,
		`"intercept":1`,
		`"intercept":3`,
	)
	for _, log := range []bool{false, true} {
		schema.Features[0].Log = log
		for _, x := range []string{"-5", "-4.5", "0", "9.99", "10"} {
			row, _, err := schema.Encode(map[string]string{"x": x, "c": "b"})
			require.NoError(t, err)
			dense := make([]float64, 4)
			for k, j := range row.Index {
				dense[j] = row.Value[k]
			}
			columns := schema.Columns()
			value, _ := parseNumber([]byte(x))
			shifted := value - columns[0].Offset
			if columns[0].Log {
				shifted = math.Log1p(shifted)
			}
			length := math.Hypot(1, columns[0].Scale*shifted) // x and one category
			require.InDelta(t, columns[0].Scale*shifted/length, dense[0], 1e-15)
			require.Equal(
				t, []float64{0, 1, 3},
				[]float64{dense[1], math.Round(dense[2]*length*1e12) / 1e12, dense[3]},
			)
		}
	}
}

func TestRowNormIsTheSmallestDoubleThatSuffices(t *testing.T) {
	require.Equal(t, 1.0, (&Schema{}).RowNorm())
	require.Equal(t, 5.0, (&Schema{Intercept: math.Sqrt(24)}).RowNorm(), "√24 rounds down")
	for _, kappa := range []float64{
		0, 5e-324, 1e-200, 1e-9, 1e-8, 0.1, 0.5, 0.75, 1, 1.5, 2, math.Pi, 10, 99.99, 99.995, 1e3,
		1e6,
	} {
		r := (&Schema{Intercept: kappa}).RowNorm()
		require.GreaterOrEqual(t, exactSquare(r).Cmp(exactSum(kappa)), 0, "%g", kappa)
		require.Less(
			t, exactSquare(math.Nextafter(r, 0)).Cmp(exactSum(kappa)), 0,
			"%g: a smaller one would do", kappa,
		)
	}
}

func exactSquare(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	return r.Mul(r, r)
}

// exactSum is 1 + κ².
func exactSum(kappa float64) *big.Rat {
	return new(big.Rat).Add(big.NewRat(1, 1), exactSquare(kappa))
}
