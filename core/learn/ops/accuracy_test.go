package ops

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A table of rows of norm 1 at most and labels in [−1, 1].
type table struct {
	x [][]float64
	y []float64
}

// unit divides a row by its length, and a little more.
func unit(row []float64) []float64 {
	size := learntest.Length(row) * (1 + 1e-12)
	for j := range row {
		row[j] /= size
	}
	return row
}

// tumours are the 569 of the published table, standardised by themselves, which is for a
// comparison of methods only, with an intercept; the label is −1 or 1.
func tumours(t *testing.T) table {
	t.Helper()
	file, err := os.Open(filepath.Join(learntest.DataFolder(), "breast_cancer.csv"))
	if err != nil {
		t.Skipf("the published data are absent: %v", err)
	}
	t.Cleanup(func() { file.Close() })
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	label := slices.Index(rows[0], "diagnosis")
	require.GreaterOrEqual(t, label, 0)
	var out table
	for _, row := range rows[1:] {
		var x []float64
		y := -1.0
		for j, cell := range row {
			if j == label {
				if cell == "malignant" {
					y = 1
				}
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
			x = append(x, v)
		}
		out.x, out.y = append(out.x, append(x, 1)), append(out.y, y)
	}
	n := float64(len(out.x))
	for j := range len(out.x[0]) - 1 {
		mean, square := 0.0, 0.0
		for _, row := range out.x {
			mean += row[j] / n
		}
		for _, row := range out.x {
			square += (row[j] - mean) * (row[j] - mean) / n
		}
		for _, row := range out.x {
			row[j] = (row[j] - mean) / math.Sqrt(square)
		}
	}
	for _, row := range out.x {
		unit(row)
	}
	return out
}

// madeUp are n records whose rows are directions drawn anew, and a label that they explain
// but for 0.037 of 0.26.
func madeUp(t *testing.T, n, d int) table {
	t.Helper()
	source := randomtest.New(21)
	theta := learntest.Gaussians(t, source, d)
	size := learntest.Length(theta)
	var out table
	for range n {
		row := unit(learntest.Gaussians(t, source, d))
		y := 1.5*learntest.Dot(row, theta)/size + 0.193*learntest.Gaussians(t, source, 1)[0]
		out.x, out.y = append(out.x, row), append(out.y, math.Max(-1, math.Min(1, y)))
	}
	return out
}

// testError is the mean squared error on a fifth of the records, by what is fitted to the others
// with the seed: the median of 8 splits.
func (b table) testError(
	t *testing.T, fit func(p learn.Problem, seed uint64) []float64,
) float64 {
	t.Helper()
	source := randomtest.New(7)
	n := len(b.y)
	var errors []float64
	for split := range 8 {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		for i := n - 1; i > 0; i-- {
			k := int(learntest.Uniform(source) * float64(i+1))
			order[i], order[k] = order[k], order[i]
		}
		var train table
		for _, i := range order[:n*8/10] {
			train.x, train.y = append(train.x, b.x[i]), append(train.y, b.y[i])
		}
		p := problemOf(learntest.Problem(
			learntest.Schema(len(b.x[0]), 0), train.x, train.y))
		theta := fit(p, uint64(split+1))
		sum := 0.0
		for _, i := range order[n*8/10:] {
			off := learntest.Dot(b.x[i], theta) - b.y[i]
			sum += off * off
		}
		errors = append(errors, sum/float64(n-n*8/10))
	}
	slices.Sort(errors)
	return (errors[3] + errors[4]) / 2
}

// errorsOf are those of the tested sample, the sample and output perturbation without a test,
// and least squares, at δ = 1e-6, one record added or removed.
func (b table) errorsOf(t *testing.T, epsilon float64) (tested, sample, output, exact float64) {
	t.Helper()
	d := len(b.x[0])
	tested = b.testError(t, func(p learn.Problem, seed uint64) []float64 {
		model, _, _, err := Fit(
			t.Context(), p, planOf(t, epsilon, 1e-6, d), randomtest.New(seed), nil)
		require.NoError(t, err)
		return model.Coefficients
	})
	fixed := func(output bool) float64 {
		return b.testError(t, func(p learn.Problem, seed uint64) []float64 {
			f, err := NewFixed(privacy.Guarantee{
				Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-6,
			}, output, d, 1, p.Data.X.Rows(), 0)
			require.NoError(t, err)
			model, _, err := f.Fit(t.Context(), p, randomtest.New(seed), nil)
			require.NoError(t, err)
			return model.Coefficients
		})
	}
	exact = b.testError(t, func(p learn.Problem, _ uint64) []float64 {
		solved, err := solution(t.Context(), p, 1, 1e-3, 1e-5, p.Data.Y, nil)
		require.NoError(t, err)
		return solved.Theta
	})
	return tested, fixed(false), fixed(true), exact
}

// On tumours, whose smallest eigenvalue is 0, the excess over least squares is as that of
// independent code (ptr.md §9), and at most a tenth more; of the sample without a test it is less.
func TestTumours(t *testing.T) {
	b := tumours(t)
	const exactThere = 0.1707
	for epsilon, there := range map[float64][2]float64{
		0.1: {0.8535, 0.6435}, 0.3: {0.7185, 0.4528}, 1: {0.3979, 0.3440}, 3: {0.2730, 0.2407},
		10: {0.1997, 0.1891},
	} {
		tested, sample, output, exact := b.errorsOf(t, epsilon)
		t.Logf("ε = %g: tested %.4f, sample %.4f, output perturbation %.4f, least squares %.4f",
			epsilon, tested, sample, output, exact)
		assert.LessOrEqual(t, tested-exact, 1.1*(there[0]-exactThere), "ε = %g", epsilon)
		assert.LessOrEqual(t, sample-exact, 1.1*(there[1]-exactThere), "ε = %g", epsilon)
	}
}

// Where columns are told apart well the test pays: from ε = 1 on the tested sample is ahead of
// the one without a test and of output perturbation.
func TestManyRecords(t *testing.T) {
	nativetest.Only(t)
	b := madeUp(t, 5000, 10)
	for _, epsilon := range []float64{1, 3} {
		tested, sample, output, exact := b.errorsOf(t, epsilon)
		t.Logf("ε = %g: tested %.4f, sample %.4f, output perturbation %.4f, least squares %.4f",
			epsilon, tested, sample, output, exact)
		assert.Less(t, tested, sample)
		assert.Less(t, tested, output)
		assert.Less(t, tested-exact, 0.01)
	}
}
