package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
)

// The area against its definition, pair by pair.
func TestAreaIsOverPairs(t *testing.T) {
	values := []float64{0.3, 0.1, 0.1, 0.7, 0.3, -2, 0.1, 0.9}
	labels := []float64{1, -1, 1, 1, -1, -1, -1, -1}
	var margins [][]float64
	for _, v := range values {
		margins = append(margins, []float64{v})
	}
	pairs, won := 0.0, 0.0
	for i, a := range values {
		for j, b := range values {
			if labels[i] < 0 || labels[j] > 0 {
				continue
			}
			pairs++
			switch {
			case a > b:
				won++
			case a == b:
				won += 0.5
			}
		}
	}
	assert.InDelta(t, won/pairs, area(margins, labels), 1e-15)
	assert.Equal(t, 0.5, area(margins[:1], labels[:1]))
}

func TestScores(t *testing.T) {
	rows := &data.Matrix{
		RowStart: []int{0, 1, 2, 3}, Index: []int32{0, 0, 0}, Value: []float64{1, 0.5, 0.25},
		Columns: 1,
	}
	d := &data.Dataset{
		Schema: &data.Schema{Label: data.Label{Type: data.NumericLabel}}, X: rows,
		Y: []float64{1, 0, 0.5},
	}
	// Errors 0.5, 0.5, 0; the mean of the labels is 0.5.
	got, _ := score(same{0.5}, d)
	assert.InDelta(t, 0, got, 1e-12)
	d.Schema.Label.Type, d.Y = data.SeveralClasses, []float64{2, 1, 2}
	got, _ = score(same{0, 1, 5}, d)
	assert.InDelta(t, 200./3, got, 1e-12)
	d.Schema.Label.Type, d.Y = data.TwoClasses, []float64{1, -1, -1}
	got, auc := score(same{0}, d)
	assert.InDelta(t, 100./3, got, 1e-12)
	assert.InDelta(t, 50, auc, 1e-12)
}

func TestOneDigit(t *testing.T) {
	for n, want := range map[float64]float64{
		455: 500, 142: 100, 36177: 40000, 9.6: 10, 2000: 2000,
	} {
		assert.Equal(t, want, oneDigit(n))
	}
}

// The schemas of the tables that nothing was chosen on are read, and all of each is public.
func TestUnseenSchemas(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("unseen", "*.schema.json"))
	require.NoError(t, err)
	require.Len(t, paths, 9)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		schema, err := data.ParseSchema(text)
		require.NoError(t, err, path)
		assert.True(t, schema.CoversEverything(), path)
	}
}

// What is kept is read again, a torn line is not, and the report is of both.
func TestResultsAreKept(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "results.csv")
	s, err := openStore(path)
	require.NoError(t, err)
	for split := 1; split <= 2; split++ {
		for method, score := range map[string]float64{
			majority: 60, plainly: 80, "amp": 70 + float64(split), "steps": 75,
		} {
			c := cell{set: "more/wine", method: method, epsilon: 1, split: split}
			if method == majority || method == plainly {
				c.epsilon = 0
			}
			require.NoError(t, s.add(result{c, score, 0}))
		}
	}
	require.NoError(t, s.log.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, "more/wine,amp,1"...), 0o644))
	s, err = openStore(path)
	require.NoError(t, err)
	defer s.log.Close()
	assert.Len(t, s.all(), 8)
	assert.True(t, s.has(cell{"more/wine", "steps", 1, 2}))
	assert.False(t, s.has(cell{"more/wine", "steps", 1, 3}))
	require.NoError(t, write(folder, s.all()))
	report, err := os.ReadFile(filepath.Join(folder, "report.md"))
	require.NoError(t, err)
	assert.Contains(t, string(report), "| wine | 71.5 ± 0.5 | 60.0 ± 0.0 | 80.0 ± 0.0 | 75.0 ± 0.0 |")
	assert.Contains(t, string(report), "| steps | 75.0 (1) | NaN (0) | +3.5 ± 0.5 (1) | wine +3.5 |")
	table, err := os.ReadFile(filepath.Join(folder, "table.csv"))
	require.NoError(t, err)
	assert.Equal(t, 5, strings.Count(string(table), "\n"))
	assert.True(t, math.IsNaN(sample{1}.error()))
}
