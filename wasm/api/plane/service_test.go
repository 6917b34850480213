package plane

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab/clinic"
	"cloister/core/lab/plane"
	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

func points(change map[string]any) map[string]any {
	out := map[string]any{"n": 200.0, "separation": 2.0, "seed": 3.0}
	for name, value := range change {
		out[name] = value
	}
	return out
}

func TestRepliesAreThePackages(t *testing.T) {
	service := wiretest.Hold(Service())
	p, err := plane.New(context.Background(), plane.Points{Count: 200, Separation: 2, Seed: 3})
	require.NoError(t, err)
	reply, failed := service.Answer("points", points(nil), nil)
	require.Nil(t, failed, "%v", failed)
	assert.Equal(t, p.At(), reply["at"])
	assert.Equal(t, tree(p.Plain()), reply["plain"])
	for _, method := range plane.Methods {
		want, err := p.Fits(context.Background(), plane.Request{
			Method: method, Guarantee: privacy.Guarantee{
				Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5,
			}, First: 1, Draws: 2,
		})
		require.NoError(t, err)
		reply, failed = service.Answer("fits", points(map[string]any{
			"method": string(
				method,
			), "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5, "first": 1.0, "draws": 2.0,
		}), nil)
		require.Nil(t, failed, "%v", failed)
		assert.Equal(t, []any{tree(want.Lines[0]), tree(want.Lines[1])}, reply["lines"])
		assert.Equal(t, privacy.EncodeEvent(want.Event), reply["event"])
	}
	// Other points make other lines.
	reply, _ = service.Answer("points", points(map[string]any{"seed": 4.0}), nil)
	assert.NotEqual(t, p.At(), reply["at"])
}

func TestCardsAreThePackages(t *testing.T) {
	service := wiretest.Hold(Service())
	c, err := clinic.New(context.Background(), clinic.Patients{Count: 200, Seed: 3})
	require.NoError(t, err)
	patients := func(change map[string]any) map[string]any {
		out := map[string]any{"n": 200.0, "seed": 3.0}
		for name, value := range change {
			out[name] = value
		}
		return out
	}
	reply, failed := service.Answer("patients", patients(nil), nil)
	require.Nil(t, failed, "%v", failed)
	assert.Equal(t, numbers(c.Plain()), reply["plain"])
	assert.Equal(t, c.Back(), reply["back"])
	assert.Equal(t, map[string]any{
		"name": "age", "levels": []any{"below 40", "40 to below 65", "65 or more"},
	}, reply["attributes"].([]any)[0])
	want, err := c.Cards(context.Background(), clinic.Request{
		Guarantee: privacy.Guarantee{Adjacency: privacy.ReplaceOne, Epsilon: 0.5},
		First:     1, Draws: 2,
	})
	require.NoError(t, err)
	asked := map[string]any{
		"adjacency": "replace-one", "epsilon": 0.5, "first": 1.0, "draws": 2.0,
	}
	reply, failed = service.Answer("cards", patients(asked), nil)
	require.Nil(t, failed, "%v", failed)
	assert.Equal(t, []any{numbers(want.Cards[0]), numbers(want.Cards[1])}, reply["cards"])
	assert.Equal(t, privacy.EncodeEvent(want.Event), reply["event"])
	// Others than last: they are made up anew.
	other, failed := service.Answer("patients", patients(map[string]any{"n": 300.0}), nil)
	require.Nil(t, failed)
	assert.NotEqual(t, c.Back(), other["back"])
	for field, change := range map[string]map[string]any{
		"n": {"n": 5.0}, "epsilon": {"epsilon": -1.0}, "delta": {"delta": 0.1},
	} {
		for name, value := range asked {
			if _, given := change[name]; !given {
				change[name] = value
			}
		}
		_, failed := service.Answer("cards", patients(change), nil)
		require.NotNil(t, failed, field)
		assert.Equal(t, field, failed.Field)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for field, change := range map[string]map[string]any{
		"n": {"n": 5.0}, "separation": {"separation": "far"}, "at": {"at": []float64{1, 2}}, "dataset": {"dataset": 1.0},
	} {
		_, failed := wiretest.Hold(Service()).Answer("points", points(change), nil)
		require.NotNil(t, failed, field)
		assert.Equal(t, api.CodeParameter, failed.Code)
		assert.Equal(t, field, failed.Field)
	}
	_, failed := wiretest.Hold(Service()).
		Answer("fits", points(map[string]any{"method": "magic", "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5, "draws": 1.0}), nil)
	require.NotNil(t, failed)
	assert.Equal(t, "method", failed.Field)
}
