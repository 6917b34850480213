package data

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Counts from adult.names of the UCI repository, for both parts: 48,842
// records, 45,222 if those with unknown values are removed; class
// probabilities 23.93 % and 24.78 %.
func TestAdult(t *testing.T) {
	schema := fixture(t, "adult")
	parts := adult(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := ReadParts(parts, schema, ReadOptions{})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)

	require.Equal(t, 48842, d.Tally.Rows)
	require.Equal(t, 45222, d.Tally.Kept)
	require.Equal(t, 48842-45222, d.Tally.Dropped)
	require.Equal(t, 45222, d.X.Rows())
	require.Len(t, d.Y, 45222)
	require.Equal(t, 105, d.X.Columns, "104 features and the intercept")
	require.Len(t, schema.Columns(), 105)

	positive := 0
	for _, y := range d.Y {
		require.Equal(t, 1.0, math.Abs(y))
		if y > 0 {
			positive++
		}
	}
	require.InDelta(t, 0.2478, float64(positive)/45222, 5e-5)

	// Eight categories, the intercept, and of the six numbers the four that
	// are never 0.
	perRow := float64(len(d.X.Value)) / 45222
	require.InDelta(t, 13.1, perRow, 0.1)

	bytes := uint64(12*len(d.X.Value) + 8*len(d.X.RowStart) + 8*len(d.Y))
	require.Less(
		t, after.TotalAlloc-before.TotalAlloc, 3*bytes,
		"memory taken in all, against that of the matrix",
	)

	missing := 0
	for _, f := range d.Tally.Features {
		missing += f.Missing
		require.Zero(t, f.Clamped)
	}
	require.Equal(t, 2799+2809+857, missing)
	workclass := d.Tally.Features[1]
	require.Equal(t, FeatureTally{Missing: 2799, Unknown: 10}, workclass, "ten have never worked")

	for i := range d.X.Rows() {
		row := d.X.Row(i)
		last := len(row.Index) - 1
		require.EqualValues(t, 104, row.Index[last])
		require.Equal(t, 0.5, row.Value[last])
		require.InDelta(t, 1, sumOfSquares(row.Value[:last]), 1e-14)
		require.True(t, increasing(row.Index))
	}

	// The first record: 39, State-gov, 77516, Bachelors, 13, Never-married,
	// Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, United-States, <=50K.
	row := d.X.Row(0)
	length := math.Sqrt(math.Pow(39./90, 2) + math.Pow(77516./1.5e6, 2) + math.Pow(13./16, 2) +
		math.Pow(2174./99999, 2) + math.Pow(40./99, 2) + 8)
	require.Equal(t, -1.0, d.Y[0])
	require.InDelta(t, 39./90/length, row.Value[0], 1e-14)
	columns := schema.Columns()
	var names []string
	for _, j := range row.Index {
		names = append(names, columns[j].Name)
	}
	require.Equal(
		t,
		[]string{"age", "workclass=State-gov", "fnlwgt", "education=Bachelors", "education-num",
			"marital-status=Never-married", "occupation=Adm-clerical", "relationship=Not-in-family", "race=White",
			"sex=Male", "capital-gain", "hours-per-week", "native-country=United-States", "(intercept)"},
		names,
	)
}

func increasing(index []int32) bool {
	for k := 1; k < len(index); k++ {
		if index[k] <= index[k-1] {
			return false
		}
	}
	return true
}

func TestBreastCancer(t *testing.T) {
	schema := fixture(t, "breast_cancer")
	d, err := Read(newReader(published(t, "breast_cancer.csv")), schema, ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 569, d.X.Rows())
	require.Equal(t, 31, d.X.Columns)
	malignant := 0
	for i, y := range d.Y {
		if y > 0 {
			malignant++
		}
		row := d.X.Row(i)
		require.LessOrEqual(t, sumOfSquares(row.Value), 2.0)
	}
	require.Equal(t, 212, malignant)
	for _, f := range d.Tally.Features {
		require.Zero(t, f)
	}
}

// Iris has three classes, so a schema of two refuses it, at the first record
// of the third.
func TestIrisHasAThirdClass(t *testing.T) {
	schema := &Schema{
		Features: []Feature{{Name: "petal_length", Type: Numeric, Max: 10, Provenance: Public}},
		Label: Label{
			Name:       "species",
			Negative:   []string{"setosa"},
			Positive:   []string{"versicolor"},
			Provenance: Public,
		},
		Rows: Rows{Clip}, Intercept: 1,
	}
	_, err := Read(newReader(published(t, "iris.csv")), schema, ReadOptions{})
	require.EqualError(
		t,
		err,
		`row 102, column "species": "virginica" is neither a negative label ("setosa") nor a positive one ("versicolor"). `+
			`A label has two values; correct this one, or add it to the spellings of the class that it means.`,
	)
}
