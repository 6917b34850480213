package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/lab/expect"
	"cloister/scripts/madeup"
)

func TestTallyCountsATableAtOneEpsilonOnce(t *testing.T) {
	of := func(scores ...float64) map[int]result {
		out := map[int]result{}
		for i, s := range scores {
			out[i+1] = result{score: s}
		}
		return out
	}
	all := newTally()
	saw := foreseen{buys: expect.BuysNothing, lost: [3]float64{0, 4, 30}, low: 0, high: 9.5}
	// Lost: 9 (as near as 5), 0 (it gained), 10, 20.
	w := saw.against(of(71, 82, 70, 60), of(70, 70, 70, 70), of(80, 80, 80, 80))
	assert.InDelta(t, 0.75, w.gain, 1e-12)
	assert.InDelta(t, 0.5, w.near, 1e-12)
	assert.InDelta(t, 0.5, w.inside, 1e-12)
	assert.InDelta(t, 0.75, w.best, 1e-12, "5 is within 5 points of three")
	assert.InDelta(t, 0.25, w.below, 1e-12, "one that ends at the majority is not below it")
	all.add(saw, w)
	all.add(saw, saw.against(of(80), of(70), of(80)))
	saw.buys = expect.BuysUncertain
	all.add(saw, saw.against(of(69), of(70), of(80)))
	assert.Equal(t, 3., all.cells)
	assert.InDelta(t, 1.5, all.near, 1e-12)
	assert.InDelta(t, 2.75, all.best, 1e-12)
	assert.InDelta(t, 1.5, all.inside, 1e-12)
	assert.InDelta(t, 28.5, all.wide, 1e-12)
	assert.Equal(t, 2., all.at[expect.BuysNothing])
	assert.InDelta(t, 0.25, all.below[expect.BuysNothing], 1e-12)
	assert.Equal(t, 1., all.gained, "10 points")
	assert.Equal(t, 1., all.wrong)
	assert.Contains(
		t, all.line("all"), "| 9.5 | 2 1 0 | 20 % of 1.25 | 20 % of 1.25 | 50 % of 2.00 | 1 of 1 |",
	)
}

// The same as of the studio, in its test expectation.test.ts.
func TestTheRangeIsTheStudios(t *testing.T) {
	low, high := said(4, 10)
	assert.Equal(t, [2]float64{1, 22}, [2]float64{low, high})
	low, high = said(0.4, 60)
	assert.Equal(t, [2]float64{0, 100}, [2]float64{low, high})
	assert.InDelta(t, 13, quantile([]float64{10, 20, 30, 40}, 0.1), 1e-12)
	assert.Equal(t, 7., quantile([]float64{7}, 0.9))
}

// What is foreseen of a table depends on the schema, N and the share alone, to one digit.
func TestForeseenFromPublicThings(t *testing.T) {
	schema := madeup.Schema(3)
	with := func(rows, positive int) *table {
		x := &data.Matrix{RowStart: make([]int, 1), Columns: schema.Dimension()}
		d := &data.Dataset{Schema: schema, X: x}
		for i := range rows {
			x.RowStart = append(x.RowStart, 0)
			y := -1.
			if i < positive {
				y = 1
			}
			d.Y = append(d.Y, y)
		}
		return &table{all: d}
	}
	at := func(t2 *table, shared bool) []foreseen {
		out, err := t2.foresee(t.Context(), []float64{0.1, 4}, 2, shared)
		require.NoError(t, err)
		return out
	}
	rare := at(with(250, 25), true)
	assert.Equal(t, rare, at(with(252, 226), true), "the rarer class, either way round")
	assert.NotEqual(t, rare, at(with(250, 25), false))
	assert.Equal(t, at(with(250, 100), false), at(with(250, 25), false))
	assert.Equal(t, expect.BuysSomething, at(with(5_000, 2_000), true)[1].buys)
	assert.NotEqual(t, expect.BuysSomething, rare[0].buys)
}
