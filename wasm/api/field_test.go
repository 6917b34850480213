package api_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/wasm/api"
)

func TestNumbersAreWrittenAsTheFileWouldHaveThem(t *testing.T) {
	for value, want := range map[any]string{
		1000000.0: "1000000", 0.0: "0", -2.5: "-2.5", 1e-7: "1e-07", 1e21: "1e+21", "a": "a", nil: "",
	} {
		got, err := api.FieldText(value, "row.age")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := api.FieldText([]any{}, "row.age")
	assert.ErrorContains(t, err, "row.age")
}
