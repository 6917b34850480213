package data

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// proposed is the suggested scale of a column with these numbers.
func proposed(t *testing.T, numbers []float64) (log bool, feature Feature) {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,y\n")
	for i, x := range numbers {
		text.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + "," + strconv.Itoa(i%2) + "\n")
	}
	f := suggest(t, text.String(), SuggestOptions{}).Schema.Features[0]
	return f.Log, f
}

// lognormal are numbers of this median whose logarithms have this standard deviation.
func lognormal(n int, median, deviation float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		share := (float64(i*7919%n) + 0.5) / float64(n)
		out[i] = median * math.Exp(deviation*math.Sqrt2*math.Erfinv(2*share-1))
	}
	return out
}

func TestALogarithmIsProposedForLongTails(t *testing.T) {
	long := lognormal(2000, 3, 1.2)
	log, f := proposed(t, long)
	require.True(t, log)
	require.Zero(t, f.Min)
	require.Equal(t, Suggested, f.Provenance)
	// The one spread as a second way of computing has it, and the order of the rows.
	reversed := make([]float64, len(long))
	plain, scaled := make([]float64, len(long)), make([]float64, len(long))
	for i, x := range long {
		reversed[len(long)-1-i] = x
		plain[i], scaled[i] = x/f.Max, math.Log1p(x)/math.Log1p(f.Max)
	}
	require.Greater(t, deviation(scaled), tailGain*deviation(plain))
	log, _ = proposed(t, reversed)
	require.True(t, log)

	for name, numbers := range map[string][]float64{
		"a normal column":            lognormal(2000, 3, 0.1),
		"a small unit":               scaledBy(long, 1e-4),
		"far above 1, and not wide":  lognormal(2000, 1e5, 0.8),
		"one below 0":                append([]float64{-0.5}, long...),
		"a fiftieth are 0":           append(make([]float64, 40), long...),
		"too few":                    {1, 1, 1, 1, 1, 1, 1, 1, 90},
		"all beside one, but no gap": {1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
	} {
		log, _ = proposed(t, numbers)
		require.False(t, log, name)
	}
	log, _ = proposed(t, append(make([]float64, 10), long...))
	require.True(t, log, "a few zeros")
}

// Numbers that may mean "missing" are no tail, and hide none.
func TestSentinelsAreNoTail(t *testing.T) {
	ages := make([]float64, 500)
	for i := range ages {
		ages[i] = float64(1 + i*7%90)
	}
	log, f := proposed(t, append(ages, 999, 999, 999))
	require.Greater(t, f.Max, 998.0)
	require.False(t, log)
	log, _ = proposed(t, append(lognormal(500, 3, 1.2), 999, 999, 999))
	require.True(t, log)
}

func TestTheLogarithmsOfPublishedTables(t *testing.T) {
	for name, want := range map[string][]string{
		"more/flchain_death.csv":        {"kappa", "lambda", "creatinine"},
		"more/hmda.csv":                 nil,
		"more/card_default.csv":         nil,
		"more/titanic.csv":              nil,
		"more/wine.csv":                 nil,
		"more/diabetes_progression.csv": nil,
		"breast_cancer.csv":             nil,
		"adult.train.csv":               nil,
	} {
		options := SuggestOptions{}
		if name == "more/wine.csv" || name == "more/diabetes_progression.csv" {
			options.Label, options.LabelType = "alcohol", NumericLabel
			if name != "more/wine.csv" {
				options.Label = "progression"
			}
		}
		s, err := Suggest(bytes.NewReader(published(t, name)), options)
		require.NoError(t, err)
		var got []string
		for _, f := range s.Schema.Features {
			if f.Log {
				got = append(got, f.Name)
			}
		}
		require.Equal(t, want, got, name)
	}
}

func scaledBy(numbers []float64, factor float64) []float64 {
	out := make([]float64, len(numbers))
	for i, x := range numbers {
		out[i] = x * factor
	}
	return out
}

func deviation(numbers []float64) float64 {
	mean, square := 0.0, 0.0
	for _, x := range numbers {
		mean += x / float64(len(numbers))
	}
	for _, x := range numbers {
		square += (x - mean) * (x - mean) / float64(len(numbers))
	}
	return math.Sqrt(square)
}
