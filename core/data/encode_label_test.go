package data

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEncodeLabel(t *testing.T) {
	s := &Schema{
		Label: Label{
			Name:       "ill",
			Negative:   []string{"no", "0"},
			Positive:   []string{"yes"},
			Provenance: Public,
			Missing:    Rule{Action: Drop},
		},
		Features: []Feature{{Name: "age", Type: Numeric, Max: 90, Provenance: Public}},
		Rows:     Rows{Norm: Clip},
	}
	for text, want := range map[string]float64{"no": -1, " 0": -1, "yes ": 1} {
		code, err := s.EncodeLabel(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, code)
	}
	for _, text := range []string{"", "maybe"} {
		_, err := s.EncodeLabel(text)
		var e *Error
		require.ErrorAs(t, err, &e, text)
		assert.Equal(t, "ill", e.Column)
	}
	s.Label = Label{Name: "dose", Type: NumericLabel, Min: 0, Max: 10, Provenance: Public}
	code, err := s.EncodeLabel("7.5")
	require.NoError(t, err)
	assert.Equal(t, 0.5, code)
	_, err = s.EncodeLabel("much")
	assert.Error(t, err)
	_, err = (&Schema{}).EncodeLabel("1")
	assert.Error(t, err)
}
