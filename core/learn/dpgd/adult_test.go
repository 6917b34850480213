package dpgd

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
)

// dataFolder is where published data sets are looked for.
func dataFolder() string {
	if folder := os.Getenv("CLOISTER_DATA"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "..", "..", "shared", "data")
}

// adult is Adult made ready, all 45,222 rows, by the schema beside package
// data's tests; the test is skipped where the data is absent.
func adult(t testing.TB) *data.Dataset {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "data", "testdata", "adult.schema.json"))
	require.NoError(t, err)
	schema, err := data.ParseSchema(text)
	require.NoError(t, err)
	var parts []data.Part
	for _, name := range []string{"adult.train.csv", "adult.test.csv"} {
		file, err := os.Open(filepath.Join(dataFolder(), name))
		if err != nil {
			t.Skipf("%s is absent: put the published data there, or set CLOISTER_DATA", filepath.Join(dataFolder(), name))
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

// A step on 36,177 rows of Adult, noise included, beside a plain gradient of
// the solvers.
func BenchmarkStep(b *testing.B) {
	d := adult(b)
	problem := learn.Problem{Data: every(d, func(i int) bool { return i%5 != 0 }), Loss: glm.Logistic{}}
	b.Run("private", func(b *testing.B) {
		plan := Plan{
			Adjacency: privacy.AddRemove, Dimension: problem.Dimension(), RowNorm: d.Schema.RowNorm(), Clip: d.Schema.RowNorm(),
			Sigmas: make([]float64, b.N), Rates: make([]float64, b.N),
		}
		for t := range plan.Sigmas {
			plan.Sigmas[t], plan.Rates[t] = 30, 1e-5
		}
		if _, _, err := Fit(b.Context(), problem, plan, random.Secure(), nil); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("plain", func(b *testing.B) {
		rows, err := problem.Rows(math.Inf(1), d.Schema.RowNorm())
		require.NoError(b, err)
		theta, gradient := make([]float64, problem.Dimension()), make([]float64, problem.Dimension())
		for b.Loop() {
			rows.Derivatives(theta, gradient, nil)
		}
	})
}
