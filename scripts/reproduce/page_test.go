package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The results of hand, as the page of the documentation is drawn from them. What is known of one
// trial has no error; of a grid, the trials count that every point has.
func TestPageIsWhatItWasByHand(t *testing.T) {
	f := hand()
	var b strings.Builder
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	require.NoError(t, f.pageOf(&b, "0123456789", day))
	sections := strings.Split(b.String(), "\n\n")
	require.Len(t, sections, 8)
	// The grids of the two rivals are not whole in any trial.
	assert.Equal(t,
		"command,commit,day,runs,paths,hours\nmake reproduce,0123456789,2026-11-27,7,0,0.1",
		sections[0])
	assert.Contains(t, sections[1], "columns.\",36177,9045,75.00")
	assert.Contains(t, sections[2], "\nplain,No privacy,not private,")
	assert.Equal(t, "set,method,epsilon,trials,accuracy,half\n"+
		"adult,amp,0.1,3,83.00,1.13\nadult,amp-paper,0.1,3,81.67,0.65\nadult,plain,,1,85.00,",
		sections[3])
	assert.Equal(t, "adult,amp-paper,0.1,3,81.37,81.67,0.65,"+
		"\"Redberg, Koskela & Wang 2023, Table 2\",within 0.6 points",
		strings.Split(sections[5], "\n")[1])
	assert.Contains(t, sections[7], "only 0 of 9 numbers were run in full")

	f = everything(func(string, string, float64) float64 { return 0.002 })
	b.Reset()
	require.NoError(t, f.pageOf(&b, "0123456789", day))
	assert.Contains(t, b.String(), "\nadult,dpgd-momentum,8,10,0.20,0.00,0.20,0.00\n")
}
