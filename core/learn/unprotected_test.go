package learn_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
)

// The compiler keeps what is unprotected out of a release: NewRelease takes a
// Model, and an Unprotected is neither one nor can it be converted to one.
func TestNoReleaseOfAnUnprotectedModel(t *testing.T) {
	unprotected, model := reflect.TypeFor[learn.Unprotected](), reflect.TypeFor[learn.Model]()
	takes := reflect.TypeOf(learn.NewRelease)
	require.Equal(t, model, takes.In(takes.NumIn()-1))
	for i := range takes.NumIn() {
		assert.False(t, unprotected.ConvertibleTo(takes.In(i)), "parameter %d", i)
	}
	for i := range unprotected.NumField() {
		assert.False(t, unprotected.Field(i).IsExported())
	}
	for i := range unprotected.NumMethod() {
		for k := range unprotected.Method(i).Type.NumOut() {
			assert.NotEqual(t, model, unprotected.Method(i).Type.Out(k))
		}
	}
}

func TestUnprotectedPredictsAndStaysHere(t *testing.T) {
	s := schema(t, "public")
	theta := make([]float64, s.Dimension())
	theta[0] = 2
	problem := learn.Problem{Data: &data.Dataset{Schema: s}, Loss: glm.Logistic{}}
	u := learn.NewUnprotected("no noise was added", problem, theta)
	assert.Equal(t, "no noise was added", u.Reason())
	u.Coefficients()[0] = 7
	assert.Equal(t, theta, u.Coefficients())
	row, _, err := s.Encode(map[string]string{"age": "70", "dose": "0", "ward": "A"})
	require.NoError(t, err)
	assert.Equal(t, learn.NewModel(problem, 1, theta).Margin(row), u.Margin(row))
	for _, v := range []any{u, &u, struct{ U learn.Unprotected }{u}} {
		_, err := json.Marshal(v)
		assert.Error(t, err)
	}
}
