package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withAges is a file of 100 people, of whom some are of the ages given.
func withAges(ages ...string) string {
	var b strings.Builder
	b.WriteString("age,y\n")
	for i := range 100 {
		age := fmt.Sprint(20 + i%50)
		if i%10 == 0 && len(ages) > 0 {
			age = ages[i/10%len(ages)]
		}
		fmt.Fprintf(&b, "%s,%d\n", age, i%2)
	}
	return b.String()
}

func TestSentinelsAreAskedAbout(t *testing.T) {
	for _, c := range []struct {
		ages []string
		want []float64
	}{
		{nil, nil},
		{[]string{"999"}, []float64{999}},
		{[]string{"-1"}, []float64{-1}},
		{[]string{"-99", "9999"}, []float64{-99, 9999}},
		{[]string{"99"}, []float64{99}},
		{[]string{"71", "72"}, nil},
		{[]string{"1000"}, nil},           // no number of a code book
		{[]string{"98", "97", "99"}, nil}, // not far from the others
		{[]string{"-5", "-1"}, nil},       // one of several below 0
		{[]string{"-30", "-99"}, []float64{-99}},
	} {
		found := suggest(t, withAges(c.ages...), SuggestOptions{})
		var got []float64
		for _, s := range found.Sentinels {
			got = append(got, s.Value)
			assert.Equal(t, "age", s.Column)
		}
		assert.Equal(t, c.want, got, "%v", c.ages)
	}
	found := suggest(t, withAges("999", "999.0"), SuggestOptions{}).Sentinels
	require.Len(t, found, 1)
	assert.Equal(t, Sentinel{"age", 999, []string{"999", "999.0"}, 0.1, 20, 70}, found[0])

	// A code is no number with a sentinel, and one record is no pattern.
	assert.Empty(t, suggest(t, "v,y\n-1,0\n1,1\n-1,0\n1,1\n", SuggestOptions{Label: "y"}).Sentinels)
	assert.Empty(t, suggest(t, withAges()+"999,1\n", SuggestOptions{}).Sentinels)

	// Of a numeric label too; a text is none.
	label := SuggestOptions{Label: "age", LabelType: NumericLabel}
	assert.Len(t, suggest(t, withAges("-9"), label).Sentinels, 1)
}

// What the holder is offered: the spellings are missing values, the bounds those of the
// rest. The records are then treated as if the fields were empty.
func TestASentinelIsAMissingValueLikeAnother(t *testing.T) {
	text := withAges("999")
	found := suggest(t, text, SuggestOptions{})
	schema, s := found.Schema, found.Sentinels[0]
	schema.MissingValues = append(schema.MissingValues, s.Spellings...)
	schema.Features[0].Min, schema.Features[0].Max = s.Min, s.Max
	got, err := Read(strings.NewReader(text), schema, ReadOptions{})
	require.NoError(t, err)
	want, err := Read(strings.NewReader(withAges("")), schema, ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, want.X, got.X)
	assert.Equal(t, want.Y, got.Y)
	assert.Equal(t, 10, got.Tally.Dropped)
	assert.Equal(t, 1, schema.version())
}
