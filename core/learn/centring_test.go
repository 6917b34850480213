package learn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// mixedSchema has two numbers and two features of 2 and 3 categories.
func mixedSchema(norm data.Norm) *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			{Name: "a", Type: data.Numeric, Min: 0, Max: 10},
			{Name: "b", Type: data.Categorical, Categories: []string{"u", "v"}},
			{Name: "c", Type: data.Numeric, Min: 0, Max: 10, Log: true},
			{Name: "d", Type: data.Categorical, Categories: []string{"u", "v", "w"}},
		},
		Rows: data.Rows{Norm: norm}, Intercept: 0.5,
	}
}

// Worked out by hand: E‖v‖² = 2/3 + 2 = 8/3, so the mean of a number is 0.5/√(8/3). Numbers
// count twice: what is left of the norm is (4/20 + 1/2 + 4/20 + 2/3)·3/8 = 47/80.
func TestPublicCentringIsWorkedOut(t *testing.T) {
	length := math.Sqrt(8. / 3)
	for _, norm := range []data.Norm{data.Clip, data.Unit} {
		c := PublicCentring(mixedSchema(norm))
		want := []float64{0.5, 0.5, 0.5, 0.5, 1. / 3, 1. / 3, 1. / 3}
		require.Len(t, c.Mean, len(want))
		for j := range want {
			assert.InEpsilon(t, want[j]/length, c.Mean[j], 1e-14)
		}
		scaledBy(t, math.Sqrt(80./47), c)
	}
	// Scaled rows are divided by √4, so the mean is exact, and the variance is over 4.
	c := PublicCentring(mixedSchema(data.Scale))
	for j, want := range []float64{0.5, 0.5, 0.5, 0.5, 1. / 3, 1. / 3, 1. / 3} {
		assert.InEpsilon(t, want/2, c.Mean[j], 1e-14)
	}
	scaledBy(t, math.Sqrt(60./47*2), c)
	// One number alone: E v² = 1/3. Rows that are clipped are left as they are, of mean 1/2;
	// unit rows are taken to have norm 1 and mean 0.5·√3.
	one := mixedSchema(data.Clip)
	one.Features = one.Features[:1]
	c = PublicCentring(one)
	assert.Equal(t, []float64{0.5}, c.Mean)
	assert.InEpsilon(t, math.Sqrt(20), c.Scale[0], 1e-14)
	one.Rows.Norm = data.Unit
	c = PublicCentring(one)
	assert.InEpsilon(t, math.Sqrt(0.75), c.Mean[0], 1e-14)
	assert.InEpsilon(t, math.Sqrt(20./3), c.Scale[0], 1e-14)
	one.Intercept = 0
	assert.Nil(t, PublicCentring(one))
}

// scaledBy asserts the scales of mixedSchema: 2s for its numbers, s for all else.
func scaledBy(t *testing.T, s float64, c *Centring) {
	t.Helper()
	require.Len(t, c.Scale, 7)
	for j, times := range []float64{2, 1, 1, 2, 1, 1, 1} {
		assert.InEpsilon(t, times*s, c.Scale[j], 1e-13, "column %d", j)
	}
}

// Margins are the same in both coordinates, and a row's storage changes no bit.
func TestCentringChangesCoordinates(t *testing.T) {
	source := randomtest.New(6)
	number := func() float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return float64(word>>11)*0x1p-52 - 1
	}
	const d, kappa = 6, 0.5
	for range 50 {
		c := &Centring{}
		theta := make([]float64, d)
		for j := range d {
			theta[j] = number()
			if j < d-1 {
				c.Mean = append(c.Mean, number())
				c.Scale = append(c.Scale, 2+number())
			}
		}
		sparse := data.Row{Index: []int32{1, 4, 5}, Value: []float64{number(), number(), kappa}}
		dense := data.Row{Index: []int32{0, 1, 2, 3, 4, 5}, Value: make([]float64, d)}
		for k, j := range sparse.Index {
			dense.Value[j] = sparse.Value[k]
		}
		out, same := make([]float64, d), make([]float64, d)
		c.Apply(sparse, out)
		c.Apply(dense, same)
		assert.Equal(t, same, out)
		centred, length := 0.0, 0.0
		for j, x := range out {
			if j < d-1 {
				assert.InDelta(t, c.Scale[j]*(dense.Value[j]-c.Mean[j]), x, 1e-15)
			}
			centred += x * theta[j]
			length = math.Hypot(length, x)
		}
		assert.Equal(t, kappa, out[d-1])
		norms := c.Norms(&data.Matrix{
			RowStart: []int{0, 3}, Index: sparse.Index, Value: sparse.Value, Columns: d,
		})
		assert.InEpsilon(t, length, norms[0], 1e-13)
		assert.GreaterOrEqual(t, norms[0], length*(1-1e-16))
		c.Back(theta, kappa)
		assert.InDelta(t, centred, sparse.Dot(theta), 1e-13)
	}
	var none *Centring
	theta := []float64{1, 2}
	none.Back(theta, kappa)
	assert.Equal(t, []float64{1, 2}, theta)
}

func TestCentringsThatCannotBe(t *testing.T) {
	for field, c := range map[string]*Centring{
		"mean":     {Mean: []float64{1}, Scale: []float64{1, 1}},
		"mean[1]":  {Mean: []float64{1, math.NaN()}, Scale: []float64{1, 1}},
		"mean[0]":  {Mean: []float64{0x1p101, 1}, Scale: []float64{1, 1}},
		"scale":    {Mean: []float64{1, 2}},
		"scale[0]": {Mean: []float64{1, 2}, Scale: []float64{0, 1}},
		"scale[1]": {Mean: []float64{1, 2}, Scale: []float64{1, math.Inf(1)}},
	} {
		var bad *privacy.ParameterError
		require.ErrorAs(t, c.Check(3), &bad)
		assert.Equal(t, field, bad.Field)
	}
	assert.NoError(t, (&Centring{Mean: []float64{1, 2}, Scale: []float64{1, 3}}).Check(3))
	assert.NoError(t, (*Centring)(nil).Check(3))
}

// An intercept next to nothing takes up nothing: what is released stays finite.
func TestNoCentringBesideAnInterceptThatIsNextToNothing(t *testing.T) {
	schema := mixedSchema(data.Unit)
	for _, intercept := range []float64{0, math.SmallestNonzeroFloat64, 1e-308, 1e-31, 1e-30, 0.5} {
		schema.Intercept = intercept
		c := PublicCentring(schema)
		assert.Equal(t, intercept < 0x1p-100, c == nil, "%v", intercept)
		theta := make([]float64, 8)
		for j := range theta {
			theta[j] = 1e6
		}
		c.Back(theta, intercept)
		for _, x := range theta {
			assert.False(t, math.IsInf(x, 0) || math.IsNaN(x), "%v", intercept)
		}
	}
}
