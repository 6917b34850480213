package amp

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// schemaOf has n public numeric features from 0 to 1, and intercept kappa.
func schemaOf(n int, kappa float64) *data.Schema {
	s := &data.Schema{
		Label:     data.Label{Name: "y", Negative: []string{"no"}, Positive: []string{"yes"}, Provenance: data.Public},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: kappa,
	}
	for j := range n {
		s.Features = append(s.Features, data.Feature{Name: string(rune('a' + j)), Type: data.Numeric, Max: 1, Provenance: data.Public})
	}
	return s
}

// problemOf is the logistic problem of dense rows, whose last entry is κ if
// the schema has one.
func problemOf(schema *data.Schema, x [][]float64, y []float64) learn.Problem {
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

// clinic is 300 records with two features and κ = 1/2, in the unit ball.
func clinic() learn.Problem {
	source := randomtest.New(99)
	uniform := func() float64 {
		word, _ := source.Uint64()
		return float64(word>>11) * 0x1p-53
	}
	var x [][]float64
	var y []float64
	for range 300 {
		a, b := 0.7*uniform(), 0.7*uniform()
		label := -1.0
		if uniform() < 1/(1+math.Exp(-6*(a-b))) {
			label = 1
		}
		x, y = append(x, []float64{a, b, 0.5}), append(y, label)
	}
	return problemOf(schemaOf(2, 0.5), x, y)
}

func guaranteed(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
}

func calibrated(t testing.TB, schema *data.Schema, epsilon float64) privacy.ApproximateMinima {
	event, err := account.CalibrateMinima(Request(schema, guaranteed(epsilon), account.BoundAuto))
	require.NoError(t, err)
	return event
}

func adultSchema(t testing.TB) *data.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "data", "testdata", "adult.schema.json"))
	require.NoError(t, err)
	schema, err := data.ParseSchema(text)
	require.NoError(t, err)
	return schema
}

// adult is Adult made ready, all 45,222 rows; the test is skipped where the
// data is absent.
func adult(t testing.TB) *data.Dataset {
	t.Helper()
	return adultAs(t, adultSchema(t))
}

// adultAs is Adult read by another schema.
func adultAs(t testing.TB, schema *data.Schema) *data.Dataset {
	t.Helper()
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	var parts []data.Part
	for _, name := range []string{"adult.train.csv", "adult.test.csv"} {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Skipf("%s is absent: put the published data there, or set CLOISTER_DATA", filepath.Join(folder, name))
		}
		t.Cleanup(func() { file.Close() })
		parts = append(parts, data.Part{Name: name, Reader: file})
	}
	d, err := data.ReadParts(parts, schema, data.ReadOptions{})
	require.NoError(t, err)
	return d
}

// every keeps the rows whose number keep accepts.
func every(d *data.Dataset, keep func(i int) bool) *data.Dataset {
	var rows []int
	for i := range d.X.Rows() {
		if keep(i) {
			rows = append(rows, i)
		}
	}
	return d.Select(rows)
}

// What could not be released is not charged for.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	problem := problemOf(schemaOf(2, 0.5), [][]float64{{0.2, 0.1, 0.5}}, []float64{1})
	event := calibrated(t, problem.Data.Schema, 1)
	numeric := *problem.Data.Schema
	numeric.Label = data.Label{Name: "y", Type: data.NumericLabel, Max: 1, Provenance: data.Public}
	for name, p := range map[string]learn.Problem{
		"logistic of a number": {Data: &data.Dataset{Schema: &numeric, X: problem.Data.X, Y: problem.Data.Y}, Loss: glm.Logistic{}},
		"none":                 {Data: problem.Data},
	} {
		err := Check(p, event)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, name)
		assert.Equal(t, "loss", wrong.Field, name)
	}
}
