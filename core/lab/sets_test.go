package lab

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
)

// Every set can be encoded both ways, and keeps the row norm that its schema
// promises.
func TestSetsKeepTheirRowNorm(t *testing.T) {
	rows := map[string][2]int{ // records, features
		"adult": {45222, 104}, "breast-cancer": {569, 30}, "synthetic-l": {10000, 20},
		"synthetic-h": {2000, 2000}, "iris": {150, 4}, "synthetic-2d": {10000, 2},
	}
	for _, set := range Sets() {
		if testing.Short() && set.Name != "synthetic-2d" && set.Name != "iris" {
			continue // a norm may be off by an ulp under js/wasm, in any set alike
		}
		t.Run(set.Name, func(t *testing.T) {
			for _, e := range []Encoding{PaperEncoding, DefaultEncoding} {
				d, err := set.load(e, published)
				if err != nil {
					t.Skip("the published data are not here: ", err)
				}
				assert.Equal(t, rows[set.Name][0], d.X.Rows())
				assert.Equal(t, rows[set.Name][1]+1, d.X.Columns)
				assert.Equal(t, e.Intercept, d.Schema.Intercept)
				assert.Equal(t, e.Norm, d.Schema.Rows.Norm)
				assert.Len(t, d.Y, d.X.Rows())
				assert.NoError(t, learn.CheckRows(d, d.Schema.RowNorm()))
				if e.Norm == data.Unit {
					row := d.X.Row(d.X.Rows() / 2)
					squares := 0.0
					for _, v := range row.Value[:len(row.Value)-1] {
						squares += v * v
					}
					assert.InDelta(t, 1, squares, 1e-12)
				}
			}
		})
	}
}

// Moments of the 2-d set: Σ = [2 1; 1 2], and one label in ten on the wrong
// side. Bounds are six standard errors.
func TestSynthetic2DIsThePapers(t *testing.T) {
	d := synthetic2D()
	require.Len(t, d.rows, 10000)
	var xx, xy, yy, wrong float64
	for i, z := range d.rows {
		xx, xy, yy = xx+z[0]*z[0], xy+z[0]*z[1], yy+z[1]*z[1]
		if (z[0]+z[1] > 0) != (d.labels[i] > 0) {
			wrong++
		}
	}
	n := float64(len(d.rows))
	assert.InDelta(t, 2, xx/n, 6*math.Sqrt(8/n))
	assert.InDelta(t, 2, yy/n, 6*math.Sqrt(8/n))
	assert.InDelta(t, 1, xy/n, 6*math.Sqrt(5/n))
	assert.InDelta(t, 0.1, wrong/n, 6*math.Sqrt(0.09/n))
}

func TestClustersAreWhereTheySay(t *testing.T) {
	c := clusters{
		records:     4000,
		features:    30,
		informative: 6,
		redundant:   3,
		separation:  2,
		seed:        "test",
		radius:      1,
	}
	d := c.draw()
	require.Len(t, d.rows, 4000)
	positive := 0
	for _, y := range d.labels {
		if y > 0 {
			positive++
		}
	}
	assert.InDelta(t, 2000, positive, 60)
	// 21 columns are noise N(0, 1); the others have clusters 4 apart in them.
	noise := 0
	for j := range 30 {
		squares := 0.0
		for _, row := range d.rows {
			squares += row[j] * row[j] / 4000
		}
		if math.Abs(squares-1) < 6*math.Sqrt(2.0/4000) {
			noise++
		} else {
			assert.Greater(t, squares, 2.0)
		}
	}
	assert.Equal(t, 21, noise)
	assert.Equal(t, d, c.draw())
}

func TestSplitDealsEveryRecordOnce(t *testing.T) {
	all := synthetic2D().encode(DefaultEncoding)
	train, test := split(all, seeded.New("split"))
	assert.Equal(t, 8000, train.X.Rows())
	assert.Equal(t, 2000, test.X.Rows())
	seen := map[float64]int{}
	for _, part := range []*data.Dataset{train, test} {
		for i := range part.X.Rows() {
			seen[part.X.Row(i).Value[0]]++
		}
	}
	assert.Len(t, seen, 10000)
}
