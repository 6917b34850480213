package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/scripts/madeup"
)

func TestGridsAreOf45DescentsByName(t *testing.T) {
	for _, family := range []string{descents, samples} {
		for _, label := range []data.LabelType{data.TwoClasses, data.NumericLabel} {
			names := map[string]bool{}
			for _, p := range grid(family, label, false) {
				read, ok := pointNamed(p.name())
				assert.True(t, ok)
				assert.Equal(t, p, read)
				names[p.name()] = true
			}
			assert.Len(t, names, 45)
			for _, p := range grid(family, label, true) {
				assert.True(t, names[p.name()], "a quick one is one of the 45")
			}
			assert.Len(t, grid(family, label, true), 9)
		}
	}
	assert.Empty(t, grid(samples, data.SeveralClasses, false))
	_, ok := pointNamed("steps")
	assert.False(t, ok)
}

// The best is that of the mean over splits, not of each, and only of splits with all points.
func TestAnOracleIsTheBestOnAverage(t *testing.T) {
	var results []result
	add := func(method string, scores ...float64) {
		for i, s := range scores {
			results = append(results, result{
				cell{"more/titanic", method, 1, i + 1}, s, 100 - s,
			})
		}
	}
	a := point{descents, 30, 1, 1}.name()
	b := point{descents, 100, 1, 1}.name()
	add("default", 70, 72)
	add(a, 60, 90)
	add(b, 70, 71)
	results = append(results, result{cell{"more/titanic", a, 1, 3}, 99, 1}) // b is not there yet
	got := withOracles(results)
	assert.Equal(t, results[:2], got[:2])
	assert.Equal(t, []result{
		{cell{"more/titanic", "oracle gd", 1, 1}, 60, 30},
		{cell{"more/titanic", "oracle gd", 1, 2}, 90, 29},
		{cell{"more/titanic", "oracle gd apart", 1, 1}, 60, 30},
		{cell{"more/titanic", "oracle gd apart", 1, 2}, 71, 10},
	}, got[2:])
	_, _, by := sorted(got)
	d := differences(map[string]figures{"more/titanic": by[1]["more/titanic"]},
		[]string{"more/titanic"}, "default", "oracle gd")
	assert.Equal(t, compared{mean: "-4.0 ± 14.0 (1)", worst: "titanic -4.0", within: 1}, d)
}

// What DP-SGD of the grid costs is the ε and δ that are asked for: less noise by a
// thousandth costs more.
func TestAnOraclePaysForItsDescent(t *testing.T) {
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: delta, Adjacency: privacy.AddRemove}
	for _, records := range []float64{200, 1000} {
		plan, err := point{samples, 10, 0.1, 0.5}.sampled(madeup.Schema(3), guarantee, records)
		require.NoError(t, err)
		event, err := plan.Event()
		require.NoError(t, err)
		price := func(by float64) float64 {
			e := event
			e.NoiseMultiplier *= by
			p, err := account.Of(e, account.Auto, pld.Options{Accuracy: 1e-4})
			require.NoError(t, err)
			return p.LogDeltaUpper(guarantee.Epsilon)
		}
		assert.LessOrEqual(t, price(1), math.Log(delta)+1e-6, "%v", records)
		assert.Greater(t, price(0.99), math.Log(delta), "%v", records)
	}
}

// On rows that tell the label, both descents find it at a large ε.
func TestDescentsLearn(t *testing.T) {
	schema := madeup.Schema(1)
	x := &data.Matrix{RowStart: []int{0}, Columns: schema.Dimension()}
	d := &data.Dataset{Schema: schema, X: x}
	last := int32(x.Columns - 1)
	for i := range 400 {
		value := float64(i%2) * 0.9
		x.Index = append(x.Index, 0, last)
		x.Value = append(x.Value, value, schema.Intercept)
		x.RowStart = append(x.RowStart, len(x.Index))
		d.Y = append(d.Y, 2*float64(i%2)-1)
	}
	for _, p := range []point{{descents, 100, 10, 0.5}, {samples, 60, 0.1, 0.5}} {
		m, err := p.descend(t.Context(), 8, d)
		require.NoError(t, err)
		right, _ := score(m, d)
		assert.Greater(t, right, 95., p.name())
	}
}
