package data

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reasons is small, saying of a feature and of the label why they are public.
var reasons = strings.NewReplacer(
	`"version":1`,
	`"version":5`,
	`"max":10,"provenance":"public"`,
	`"max":10,"provenance":"public","reason":"code book, page 3"`,
	`["yes"],"provenance":"public"`,
	`["yes"],"provenance":"public","reason":"the protocol’s “outcome” <1>"`,
).Replace(small)

func TestReasonsAreKept(t *testing.T) {
	schema, err := ParseSchema([]byte(reasons))
	require.NoError(t, err)
	assert.Equal(t, "code book, page 3", schema.Features[0].Reason)
	assert.Equal(t, "", schema.Features[1].Reason)
	assert.Equal(t, "the protocol’s “outcome” <1>", schema.Label.Reason)
	text := string(readAgain(t, schema))
	assert.Contains(t, text, `{"version":5`)
	assert.Equal(t, 2, strings.Count(text, `"reason"`))
	tree, err := schema.Tree()
	require.NoError(t, err)
	again, err := SchemaFromTree("", tree)
	require.NoError(t, err)
	assert.Equal(t, schema, again)
}

// What nobody gave a reason for is written as it was before there were any.
func TestSchemasWithoutReasonsStayAsTheyWere(t *testing.T) {
	for _, text := range []string{small, boughtSchema} {
		for _, version := range []string{`"version":4`, `"version":5`} {
			old, err := ParseSchema([]byte(text))
			require.NoError(t, err)
			before, err := old.MarshalJSON()
			require.NoError(t, err)
			newer := strings.NewReplacer(`"version":1`, version, `"version":3`, version).
				Replace(text)
			schema, err := ParseSchema([]byte(newer))
			require.NoError(t, err)
			after, err := schema.MarshalJSON()
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after))
			assert.NotContains(t, string(after), "reason")
		}
	}
}

// No number of the matrix, and no claim, depends on a reason.
func TestReasonsChangeNothingElse(t *testing.T) {
	with, err := ParseSchema([]byte(reasons))
	require.NoError(t, err)
	without := smallSchema(t)
	const file = "x,c,y\n1,a,no\n9,b,yes\n12,a,yes\n"
	a, err := Read(strings.NewReader(file), with, ReadOptions{})
	require.NoError(t, err)
	b, err := Read(strings.NewReader(file), without, ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, b.X, a.X)
	assert.Equal(t, b.Y, a.Y)
	assert.Equal(t, without.Columns(), with.Columns())
	assert.Equal(t, without.Caveats(), with.Caveats())
	assert.Equal(t, without.RowNorm(), with.RowNorm())
}

func TestReasonsThatAreWrong(t *testing.T) {
	const mine = `"reason":"code book, page 3"`
	for _, c := range []struct{ old, new, message string }{
		{`"version":5`, `"version":4`, `features[0].reason has no meaning for a numeric feature: it must be left out, or spelt as the documentation has it`},
		{mine, `"reason":3`, `features[0].reason is 3: it must be ` + wantReason},
		{mine, `"reason":" because"`, `features[0].reason is " because": it must be without spaces at its ends, because reading trims them`},
		{mine, `"reason":"one\ntwo"`, `features[0].reason is "one\ntwo": it must be one line of UTF-8 text`},
		{mine, `"reason":"one\u2028two"`, `features[0].reason is "one\u2028two": it must be one line of UTF-8 text`},
		{mine, `"reason":"one\u202eowt"`, `features[0].reason is "one\u202eowt": it must be without what turns the direction of the text around it`},
		{mine, `"reason":"` + strings.Repeat("a", 301) + `"`, `features[0].reason has 301 bytes: it must be ` + wantReason},
		{`"max":10,"provenance":"public"`, `"max":10,"provenance":"suggested"`, `features[0].reason is given for what is not declared public: it must be left out`},
	} {
		require.Contains(t, reasons, c.old)
		_, err := ParseSchema([]byte(strings.Replace(reasons, c.old, c.new, 1)))
		require.EqualError(t, err, c.message)
	}
	schema := smallSchema(t)
	schema.Label.Reason = "\xff"
	require.Error(t, schema.Validate())
}
