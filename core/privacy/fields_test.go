package privacy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func TestFieldsReadsWhatIsThere(t *testing.T) {
	f := privacy.NewFields("", map[string]any{
		"number": 1.5, "whole": 3.0, "native": 4, "unbounded": "inf",
		"text": "a", "truth": true, "list": []any{1.0, 2.0}, "texts": []any{"a", ""},
	})
	assert.Equal(t, 1.5, f.Number("number"))
	assert.Equal(t, 3, f.Int("whole"))
	assert.Equal(t, 4, f.Int("native"))
	assert.Equal(t, math.Inf(1), f.Number("unbounded"))
	assert.Equal(t, "a", f.Text("text"))
	assert.True(t, f.Bool("truth"))
	assert.False(t, f.Bool("absent"))
	assert.Equal(t, []float64{1, 2}, f.Numbers("list"))
	assert.Equal(t, []string{"a", ""}, f.Texts("texts"))
	assert.Equal(t, 7.0, f.NumberOr("absent", 7))
	assert.Equal(t, 8, f.IntOr("absent", 8))
	assert.Equal(t, "x", f.TextOr("absent", "x"))
	require.NoError(t, f.Done())
}

// Null is no way to leave a field out: JavaScript, which reads the same document, tells the two
// apart.
func TestNullIsNotLeftOut(t *testing.T) {
	for name, read := range map[string]func(*privacy.Fields){
		"number": func(f *privacy.Fields) { f.NumberOr("a", 7) },
		"whole":  func(f *privacy.Fields) { f.IntOr("a", 7) },
		"text":   func(f *privacy.Fields) { f.TextOr("a", "x") },
		"truth":  func(f *privacy.Fields) { f.Bool("a") },
		"any":    func(f *privacy.Fields) { f.Any("a") },
		"event":  func(f *privacy.Fields) { f.Event("a") },
	} {
		f := privacy.NewFields("", map[string]any{"a": nil})
		read(f)
		assert.Error(t, f.Done(), name)
	}
}

func TestFieldsKeepsTheFirstError(t *testing.T) {
	tree := map[string]any{"a": "x", "b": math.NaN(), "c": 1.5, "d": []any{1.0, "two"}, "e": 1.0}
	for _, c := range []struct {
		read    func(*privacy.Fields)
		message string
	}{
		{func(f *privacy.Fields) { f.Number("a"); f.Number("b") }, `in.a is "x": it must be a number`},
		{func(f *privacy.Fields) { f.Number("b") }, `in.b is NaN: it must be a number`},
		{func(f *privacy.Fields) { f.Int("c") }, `in.c is 1.5: it must be a whole number`},
		{func(f *privacy.Fields) { f.Numbers("d") }, `in.d[1] is "two": it must be a number`},
		{func(f *privacy.Fields) { f.Texts("d") }, `in.d is a list: it must be a list of texts`},
		{func(f *privacy.Fields) { f.List("e") }, `in.e is 1: it must be a list`},
		{func(f *privacy.Fields) { f.Text("e") }, `in.e is 1: it must be text`},
		{func(f *privacy.Fields) { f.Bool("e") }, `in.e is 1: it must be true or false`},
		{func(f *privacy.Fields) { f.Text("z") }, `in.z is missing: it must be given`},
	} {
		f := privacy.NewFields("in", tree)
		c.read(f)
		require.EqualError(t, f.Done(), c.message)
	}
}

func TestFieldsRefusesWhatNobodyAskedFor(t *testing.T) {
	f := privacy.NewFields("", map[string]any{"known": 1.0, "zeta": 1.0, "alpha": 1.0})
	f.Number("known")
	require.EqualError(
		t,
		f.Done(),
		`alpha is not known here: it must be left out (or spelt as the documentation has it)`,
	)

	require.EqualError(
		t,
		privacy.NewFields("", []any{}).Done(),
		`the description is a list: it must be an object`,
	)
}
