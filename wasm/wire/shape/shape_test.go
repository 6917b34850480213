package shape_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
	"cloister/wasm/wire"
	"cloister/wasm/wire/shape"
)

func read(t *testing.T) *shape.Set {
	t.Helper()
	set, err := shape.Read("../../..", wire.Values)
	require.NoError(t, err)
	return set
}

func named(name string, args ...*shape.Type) *shape.Type {
	return &shape.Type{Kind: shape.Named, Name: name, Args: args}
}

func TestAFormOfEachKindIsRead(t *testing.T) {
	set := read(t)
	solve := set.Named("SolveResult")
	require.NotNil(t, solve)
	assert.Equal(t, "account.go", solve.File)
	method := solve.Type.Fields[3]
	assert.Equal(t, []any{"method", "auto", false}, []any{method.Name, method.Not, method.Optional})

	// The values are those of the core's own constants.
	assert.Equal(t, []string{"auto", "closed", "pld", "rdp"}, set.Named("Method").Type.Values)
	assert.Equal(t, []string{"add-remove", "replace-one"}, set.Named("Adjacency").Type.Values)
	codes := set.Named("ErrorCode")
	assert.Contains(t, codes.Type.Values, "dataset-lost")
	assert.Contains(t, codes.Doc, "\n  - `too-large`: the file is over")

	assert.Equal(t, "readonly number[] | Float64Array", set.Named("Numbers").TS)
	assert.Equal(t, shape.Union, set.Named("PrivacyEvent").Type.Kind)
	assert.True(t, set.Named("Release").Param)
	assert.Equal(t, []string{"clip", "unit", "scale"}, set.Named("RowRule").Type.Fields[0].Type.Values)
}

func TestWhatIsNotAsDeclaredIsSaidWithItsPlace(t *testing.T) {
	set := read(t)
	gaussian := func(change string, value any) map[string]any {
		tree := map[string]any{
			"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1.0, "sigma": 2.0,
		}
		tree[change] = value
		return tree
	}
	event := named("GaussianEvent")
	assert.NoError(t, set.Fits(event, gaussian("sigma", math.Inf(1)), nil))
	for _, c := range []struct {
		change string
		value  any
		says   string
	}{
		{"sigma", "2", "sigma is 2 (string)"},
		{"sigma", nil, "has no sigma"},
		{"mechanism", "laplace", "mechanism is laplace"},
		{"adjacency", "close", "declared as text add-remove|replace-one"},
		{"colour", "red", "colour is not declared"},
	} {
		assert.ErrorContains(t, set.Fits(event, gaussian(c.change, c.value), nil), c.says)
	}
	for _, c := range []struct {
		name  string
		value any
	}{
		{"PrivacyCurve", map[string]any{"name": "auto"}},
		{"Expectation", map[string]any{"plain": 0.5, "known": 0.5, "private": []any{"much"}}},
		{"Affordance", map[string]any{"affords": true, "reason": "none"}},
		{"ReadBytes", map[string]any{"reading": 1.0, "bytes": "text"}},
		{"LedgerFound", map[string]any{}},
		{"SolveResult", nil},
	} {
		assert.Error(t, set.Fits(named(c.name), c.value, nil), c.name)
	}
	assert.NoError(t, set.Fits(named("LedgerFound"), map[string]any{"account": nil}, nil))
	assert.NoError(
		t,
		set.Fits(named("Expectation"), map[string]any{
			"plain": 1, "known": 0.5, "private": []any{nil, 0.5},
		}, nil),
	)
}

// A document of any label is one of the three; of a given label, that one alone.
func TestWhatDependsOnTheLabelDoes(t *testing.T) {
	set := read(t)
	number := map[string]any{"margin": 0.5, "value": 3.0, "notes": []any{}}
	assert.NoError(t, set.Fits(named("Prediction", named("AnyLabel")), number, nil))
	assert.NoError(t, set.Fits(named("Prediction", named("NumericLabel")), number, nil))
	assert.Error(t, set.Fits(named("Prediction", named("Label")), number, nil))
}

// Every event that can be described is of a declared type, and each declared type is of an event.
func TestEveryEventIsDeclared(t *testing.T) {
	set := read(t)
	event := named("PrivacyEvent")
	missing := map[string]bool{}
	for _, field := range set.Fields(event) {
		missing[field] = true
	}
	events := privacytest.Events()
	for _, e := range events {
		if test, ok := e.(privacy.ProposeTestRelease); ok {
			test.Neighbour = 1e-6 // which only a selection needs
			events = append(events, test)
			break
		}
	}
	for _, e := range events {
		saw := func(object, field string) { delete(missing, object+"."+field) }
		assert.NoError(t, set.Fits(event, privacy.EncodeEvent(e), saw), e.Mechanism())
	}
	assert.Empty(t, missing)
}

// The table names declared types, and no method twice with different ones.
func TestTheTableOfMethodsIsSound(t *testing.T) {
	set := read(t)
	types := map[string]wire.Call{}
	for _, b := range wire.Binaries {
		own := map[string]bool{}
		for _, c := range b.Calls {
			assert.False(t, own[c.Name], "%s has %s twice", b.Name, c.Name)
			own[c.Name] = true
			if before, ok := types[c.Name]; ok {
				assert.Equal(t, before, c)
			}
			types[c.Name] = c
			for _, of := range []string{c.Params.String(), c.Result.String()} {
				parsed, err := shape.Parse(of)
				require.NoError(t, err)
				assert.NotNil(t, set.Named(parsed.Name), of)
			}
		}
	}
}
