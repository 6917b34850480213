package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// priced is a release of these moments that pays for what they say, at their ε.
func priced(t *testing.T, m *learn.Moments, epsilon float64) *learn.Release {
	t.Helper()
	r := named(t, "moments")
	r.Model.Moments = m
	spectrum, err := m.Spectrum()
	require.NoError(t, err)
	r.Model.Coefficients = spectrum.Coefficients(m.Ridge)
	r.Event = privacy.Gaussian{
		Adjacency: privacy.AddRemove, Sigma: 1,
		Sensitivity: m.Ratio(privacy.AddRemove, r.Schema.RowNorm()) * (1 + 0x1p-40),
	}
	r.Guarantee.Epsilon = epsilon
	return r
}

// Noise that is said to be a billion times as strong as what was drawn makes ε next to
// nothing. What was given out is too near 0 for it.
func TestMomentsAreNoSmallerThanTheirNoise(t *testing.T) {
	honest := named(t, "moments").Model.Moments
	require.Empty(t, failed(named(t, "moments")))
	for _, c := range []struct{ matrix, vector, square, epsilon float64 }{
		{1e9, 1e9, 1e9, 1e-3}, {0x1p40, 0x1p40, 0x1p40, 1e-6}, {1e12, 1e12, 1, 1e3},
		{1, 1e15, 1e15, 1e3},
	} {
		m := *honest
		m.MatrixSigma *= c.matrix
		m.VectorSigma *= c.vector
		m.SquareSigma *= c.square
		for _, f := range priced(t, &m, c.epsilon).Verify() {
			assert.Equal(t, f.Claim != "noise", f.True, "%+v: %s: %s", c, f.Claim, f.Text)
		}
	}
}

// Of an honest release it is true: also where there are next to no records, or none.
func TestMomentsOfNoiseAloneAreItsSize(t *testing.T) {
	source := randomtest.New(31)
	for _, scale := range []float64{1, 1e6} {
		for range 200 {
			m := *named(t, "moments").Model.Moments
			m.MatrixSigma, m.VectorSigma, m.SquareSigma = scale, 2*scale, scale/2
			empty := m
			empty.Matrix, empty.Square = solve.NewPacked(len(m.Vector)), 0
			empty.Vector = make([]float64, len(m.Vector))
			drawn := noisy(t, &empty, source)
			drawn.Grid = 0x1p-20
			for _, list := range [][]float64{drawn.Matrix.At, drawn.Vector} {
				for i, x := range list {
					list[i] = math.Round(x/drawn.Grid) * drawn.Grid
				}
			}
			drawn.Square = math.Round(drawn.Square/drawn.Grid) * drawn.Grid
			f, ok := finding(priced(t, drawn, 1e3), "noise")
			require.True(t, ok)
			require.True(t, f.True)
		}
	}
}

// Every record of the schema has a ward, so no records have none of them, however many there
// are; and all have rows of length 1.
func TestMomentsAreOfRecordsThatHaveACategory(t *testing.T) {
	s := labelled(t, aNumber)
	s.Features[2].Unknown = data.Rule{}
	const n = 1e6
	// n/2 records of the highest age and the first ward, and as many of the lowest and the second:
	// age, dose, wards, intercept.
	records := solve.NewPacked(5)
	copy(records.At, []float64{
		n / 4,
		0, 0,
		n / 4, 0, n / 4,
		0, 0, 0, n / 2,
		n / 2 * math.Sqrt2 / 2, 0, n / 2 * math.Sqrt2 / 2, n / 2, n,
	})
	for what, change := range map[string]func(m *solve.Packed){
		"":                              func(*solve.Packed) {},
		"more records than have a ward": func(m *solve.Packed) { m.Row(4)[4] *= 1.1 },
		"rows that are too short": func(m *solve.Packed) {
			for i := range 5 {
				for j := range min(i+1, 4) {
					m.Row(i)[j] /= 2
				}
				if i < 4 {
					for j := range i + 1 {
						m.Row(i)[j] /= 2
					}
				}
			}
		},
		"records in both wards": func(m *solve.Packed) { m.Row(3)[2] = n / 8 },
		"older than the oldest": func(m *solve.Packed) { m.Row(2)[0] *= 0.9 },
	} {
		m := moments(t, s)
		m.Matrix = solve.NewPacked(5)
		m.Matrix.Set(records)
		change(m.Matrix)
		r := releaseOf(t, s, m)
		want := "noise"
		if what == "" {
			want = ""
		}
		assert.Equal(t, want, failed(r), what)
	}
}

// Where all rows are divided by the same, a category's sum of squares is what its sum makes it.
func TestScaledMomentsSayOnceHowManyHaveACategory(t *testing.T) {
	s := labelled(t, aNumber)
	s.Rows.Norm = data.Scale
	one := s.RowScale()
	const n = 1e6
	for has, want := range map[float64]string{0.1: "", 0.08: "noise", 0.02: "noise", 0.12: "noise"} {
		m := moments(t, s)
		m.Matrix = solve.NewPacked(5)
		// A tenth of the records in either ward, by the intercept: age, dose, wards, intercept.
		copy(m.Matrix.At, []float64{
			n / 2 * one * one,
			0, 0,
			0, 0, has * n * one * one,
			0, 0, 0, n / 10 * one * one,
			n / 2 * one * s.Intercept, 0, n / 10 * one * s.Intercept, n / 10 * one * s.Intercept,
			n * s.Intercept * s.Intercept,
		})
		r := releaseOf(t, s, m)
		assert.Equal(t, want, failed(r), has)
	}
}

// releaseOf is a release of these moments, put on their lattice, with labels of some records.
func releaseOf(t *testing.T, s *data.Schema, m *learn.Moments) *learn.Release {
	t.Helper()
	m.Vector, m.Square = []float64{50, 60, 70, 80, 90}, 1e5
	for k := range m.Matrix.At {
		m.Matrix.At[k] = math.Round(m.Matrix.At[k]/m.Grid)*m.Grid + float64(k)
	}
	r := named(t, "moments")
	r.Schema, r.Model.Schema, r.Model.Columns = s, s, s.Columns()
	r.Guarantee.Covers, r.Guarantee.Caveats = s.CoversEverything(), s.Caveats()
	r.Model.Moments = m
	spectrum, err := m.Spectrum()
	require.NoError(t, err)
	r.Model.Coefficients = spectrum.Coefficients(m.Ridge)
	return r
}
