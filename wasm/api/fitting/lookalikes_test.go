package fitting

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// A column that repeats the label is named; of the reading nothing is kept.
func TestLookalikesAreNamed(t *testing.T) {
	var b strings.Builder
	b.WriteString("age,ward,sick\n")
	for i := range 200 {
		sick := i%3 == 0
		fmt.Fprintf(&b, "%d,%s,%s\n", 20+i%61, map[bool]string{true: "B", false: "A"}[sick],
			map[bool]string{true: "yes", false: "no"}[sick])
	}
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	open := map[string]any{
		"purpose": "lookalikes", "schema": ageSchema(), "header": "first", "delimiter": ",",
	}
	reply, err := e.read(open, b.String())
	require.Nil(t, err, "%v", err)
	assert.Equal(t, map[string]any{
		"lookalikes": []any{map[string]any{"column": "ward", "share": 1.0}},
	}, reply)
	assert.Empty(t, session.contents)
	assert.Empty(t, session.datasets)
	assert.Empty(t, session.readings)

	reply, err = e.read(open, ageRows)
	require.Nil(t, err, "%v", err)
	assert.Empty(t, reply["lookalikes"], "a few records show nothing")

	_, err = e.read(open, "age,ward\n30,A\n")
	require.NotNil(t, err)
	assert.Equal(t, api.CodeData, err.Code)
	delete(open, "schema")
	assert.Equal(t, "schema", e.refused("read.open", open).Field)
}
