package data

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Names that look the same and are not are told, wherever a schema has them.
func TestNamesThatLookAlikeAreTold(t *testing.T) {
	schema := func() *Schema {
		return &Schema{
			Features: []Feature{
				{Name: "age", Type: Numeric, Max: 100, Provenance: Public},
				{
					Name: "ward", Type: Categorical, Categories: []string{"A", "B"},
					Provenance: Public,
				},
			},
			Label: Label{
				Name: "sick", Negative: []string{"no", "0"}, Positive: []string{"yes"},
				Provenance: Public,
			},
			Rows: Rows{Norm: Clip},
		}
	}
	require.NoError(t, schema().Validate())
	assert.Empty(t, schema().Alike())
	assert.Empty(t, AlikeText(nil))
	for _, c := range []struct {
		change func(s *Schema)
		text   string
	}{
		{func(s *Schema) { s.Features[1].Name = "age\u200b" }, `"age" and "age\u200b"`},
		{func(s *Schema) { s.Features[1].Name = "аge" }, `"age" and "\u0430ge"`},
		{func(s *Schema) { s.Features[1].Name = "si\u00adck" }, `"sick" and "si\u00adck"`},
		{func(s *Schema) { s.Features[1].Categories[1] = "Α" }, `"A" and "\u0391"`},
		{func(s *Schema) { s.Features[1].Categories[1] = "A\u00a0" }, `"A" and "A\u00a0"`},
		{func(s *Schema) { s.Label.Positive[0] = "nо" }, `"no" and "n\u043e"`},
		{func(s *Schema) { s.Label.Positive = []string{"yes", "0\u200d"} }, `"0" and "0\u200d"`},
	} {
		s := schema()
		c.change(s)
		require.NoError(t, s.Validate(), "files have such names by accident, too")
		require.Len(t, s.Alike(), 1, c.text)
		assert.Contains(t, AlikeText(s.Alike()), c.text)
	}
}
