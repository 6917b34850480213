package categories

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func counts(t testing.TB, text string, columns ...string) *data.TextCounts {
	t.Helper()
	c, err := data.NewTextCounter(columns, nil, data.ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, c.Counter.Write([]byte(text)))
	out, err := c.Close()
	require.NoError(t, err)
	return out
}

// What one record changes, over values of all kinds: at most one count a column if
// it is added, two if it takes another's place, each by 1, and what its event says.
func TestOneRecordChangesNoMoreThanTheEventSays(t *testing.T) {
	values := []string{"", "?", "NA", "a", "b", "c", " a ", "\"a\""}
	of := func(a, b string) []map[string]int64 {
		return counts(t, "x,y\na,b\n"+a+","+b+"\n", "x", "y").Counts
	}
	base := counts(t, "x,y\na,b\n", "x", "y").Counts
	changes := func(a, b []map[string]int64) int {
		total := 0
		for k := range a {
			for _, name := range []string{"a", "b", "c"} {
				d := a[k][name] - b[k][name]
				require.True(t, d >= -1 && d <= 1)
				total += int(d * d)
			}
			require.LessOrEqual(t, len(a[k]), 3)
		}
		return total
	}
	for adjacency, n := range learntest.MostChanged(values, base, of, changes) {
		event, err := Plan{adjacency, 2, 1, 1e-6}.Event()
		require.NoError(t, err)
		require.NoError(t, event.Validate())
		require.Equal(t, adjacency, event.Neighbours())
		part := event.(privacy.Composition).Parts[0]
		assert.Equal(t, part.Count, n, "%v", adjacency)
		one := part.Event.(privacy.ApproximateDP)
		assert.LessOrEqual(t, float64(n)*one.Epsilon, 1.0)
		assert.LessOrEqual(t, float64(n)*one.Delta, 1e-6)
	}
}

// The first count that is kept more often than not, and the first that always is:
// from the closed form in mpmath (40 digits).
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		plan       Plan
		even, sure int
	}{
		{Plan{privacy.AddRemove, 1, 1, 1e-5}, 12, 23},
		{Plan{privacy.AddRemove, 1, 0.3, 1e-7}, 48, 96},
		{Plan{privacy.AddRemove, 3, 0.9, 3e-7}, 48, 96},
		{Plan{privacy.ReplaceOne, 1, 0.6, 2e-7}, 48, 96},
		{Plan{privacy.AddRemove, 10, 0.3, 1e-6}, 398, 796},
	} {
		assert.Equal(t, c.even, c.plan.Even(), "%v", c.plan)
		assert.Equal(t, c.sure, c.plan.Sure(), "%v", c.plan)
		event, err := c.plan.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Distribution, pld.Options{})
		require.NoError(t, err)
		interval, err := price.Certified.Epsilon(c.plan.Delta * (1 + 1e-9))
		require.NoError(t, err)
		assert.LessOrEqual(t, interval.Lower, c.plan.Epsilon, "%v", c.plan)
	}
}

func TestCategoriesOfKnownColumns(t *testing.T) {
	var text strings.Builder
	text.WriteString("ward,sex,note\n")
	for i := range 5000 {
		ward := []string{"Surgery", "Medicine", "\"Ear, nose\"", "NA"}[i%4]
		if i == 77 {
			ward = "Isolation"
		}
		fmt.Fprintf(&text, "%s,%s,note %d\n", ward, []string{"f", "m"}[i%2], i)
	}
	plan := Plan{privacy.AddRemove, 3, 1.5, 3e-7}
	got, err := Run(counts(t, text.String(), "ward", "note", "sex"), plan, randomtest.New(1))
	require.NoError(t, err)
	assert.Equal(
		t,
		[]Categories{
			{"ward", []string{"Ear, nose", "Medicine", "Surgery"}},
			{"note", nil},
			{"sex", []string{"f", "m"}},
		},
		got.Columns,
	)
	event, err := plan.Event()
	require.NoError(t, err)
	assert.Equal(t, event, got.Event)
	tree := got.Tree()
	assert.Equal(
		t, map[string]any{"name": "note", "categories": []any{}}, tree["columns"].([]any)[1],
	)
	for name := range tree {
		assert.Contains(
			t,
			strings.Fields("format version library adjacency epsilon delta event columns"),
			name,
			"a release has these fields and no others",
		)
	}
	none, err := Run(
		counts(t, "sex\n", "sex"), Plan{privacy.ReplaceOne, 1, 1, 1e-6}, randomtest.New(2),
	)
	require.NoError(t, err)
	assert.Equal(t, []Categories{{"sex", nil}}, none.Columns)
}

// What comes out depends on the counts alone: the same random words, and another
// order of the file.
func TestTheOrderOfTheFileDoesNotShow(t *testing.T) {
	lines := strings.Repeat("b\na\nc\n", 11)
	back := strings.Repeat("c\nb\na\n", 11)
	plan := Plan{privacy.AddRemove, 1, 1, 1e-5}
	kept := map[string]bool{}
	for seed := range uint64(40) {
		one, err := Run(counts(t, "x\n"+lines, "x"), plan, randomtest.New(seed))
		require.NoError(t, err)
		two, err := Run(counts(t, "x\n"+back, "x"), plan, randomtest.New(seed))
		require.NoError(t, err)
		require.Equal(t, one, two)
		kept[strings.Join(one.Columns[0].Kept, "")] = true
	}
	assert.Greater(t, len(kept), 2, "chance decides")
}

func TestPlansThatCannotBeCarriedOut(t *testing.T) {
	for field, plan := range map[string]Plan{
		"adjacency": {Columns: 1, Epsilon: 1, Delta: 1e-6},
		"columns":   {Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-6},
		"epsilon":   {Adjacency: privacy.AddRemove, Columns: 4000, Epsilon: 1e-5, Delta: 1e-6},
		"delta":     {Adjacency: privacy.AddRemove, Columns: 4000, Epsilon: 1, Delta: 1e-12},
	} {
		_, err := plan.Event()
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, field, wrong.Field)
		_, err = Run(&data.TextCounts{}, plan, randomtest.New(1))
		require.ErrorAs(t, err, &wrong)
		assert.Zero(t, plan.Even())
	}
	for _, delta := range []float64{0, 1, -1, 2} {
		_, err := Plan{privacy.AddRemove, 1, 1, delta}.Event()
		assert.ErrorContains(t, err, "delta")
	}
	_, err := Run(counts(t, "x\n", "x"), Plan{privacy.AddRemove, 2, 1, 1e-6}, randomtest.New(1))
	require.ErrorContains(t, err, "columns")
	broken := errors.New("no bits")
	_, err = Run(counts(t, "x\na\n", "x"), Plan{privacy.AddRemove, 1, 1, 1e-6}, failing{broken})
	require.ErrorIs(t, err, broken)
}

type failing struct{ err error }

func (f failing) Uint64() (uint64, error) { return 0, f.err }
