package cards

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn/audittest"
)

func adult(t *testing.T) *Table {
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(folder, "adult.train.csv"))
	if err != nil {
		t.Skipf("no Adult: %v", err)
	}
	defer file.Close()
	table, err := Adult(file)
	require.NoError(t, err)
	return table
}

func TestLevelsAreThoseOfThePaperInNumber(t *testing.T) {
	schema, err := data.ParseCellSchema(adultSchema)
	require.NoError(t, err)
	levels := 0
	for _, n := range schema.Sizes() {
		levels += n
	}
	assert.Equal(t, 23, levels)
	assert.Len(t, schema.Attributes, 7)
}

func TestSplitsAreBalancedAndApart(t *testing.T) {
	table := adult(t)
	require.Equal(t, 2*7841, table.Records())
	first, again, other := table.Split(0, 0), table.Split(0, 0), table.Split(1, 0)
	assert.Equal(t, first, again)
	assert.NotEqual(t, first.fit.Rows, other.fit.Rows)
	assert.Len(t, first.fit.Rows, table.Records()*4/5)
	positives := 0
	for _, part := range [][]uint32{first.fit.Rows, first.held.Rows} {
		for _, row := range part {
			positives += int(row & 1)
		}
	}
	assert.Equal(t, 7841, positives)
	assert.Len(t, table.Split(0, 500).fit.Rows, 500)
	assert.Equal(t, first.held, table.Split(0, 500).held)
}

// A regression sees the records that a card sees, with a column for each level and an intercept.
func TestRegressionHasTheSameRecords(t *testing.T) {
	part := adult(t).Split(0, 500)
	dataset, err := regression(part.fit)
	require.NoError(t, err)
	for i, row := range part.fit.Rows {
		assert.Equal(t, 2*float64(row&1)-1, dataset.Y[i])
	}
	assert.Equal(t, 500, dataset.X.Rows())
	assert.Equal(t, 23+1, dataset.X.Columns)
}

// What is asked of the table of the package comment, in its own form: 10 splits of 3 runs. The
// short form looks whether one run of each system is anywhere near.
func TestAdultTable(t *testing.T) {
	table := adult(t)
	ctx := context.Background()
	if !audittest.Long() {
		if runtime.GOARCH == "wasm" || testing.Short() {
			t.Skip("searches of 23 levels: seconds")
		}
		c := Comparison{Epsilons: []float64{1}, Splits: 1, Runs: 1, Delta: 4e-9}
		least := map[string]float64{
			"noisy-min": 0.79, "noisy-min-gumbel": 0.79, "centre": 0.77, "logistic": 0.79,
		}
		least["noisy-cells"] = 0.78
		for _, s := range append(Systems(), Explored()) {
			require.NoError(t, c.Run(ctx, table, s, func(score Score) {
				t.Logf("%s: %.3f", s.Name, score.Mean())
				assert.Greater(t, score.Mean(), max(0.5, least[s.Name]), s.Name)
			}))
		}
		return
	}
	n := float64(table.Records())
	c := Comparison{
		Epsilons: []float64{0.01, 0.03, 0.1, 0.3, 1}, Splits: 10, Runs: 3, Delta: 1 / (n * n),
	}
	right := scores(t, c, table, Systems()[:4]...)
	// With less ε the counts say too little for a search to end soon.
	c.Epsilons = c.Epsilons[2:]
	explored := scores(t, c, table, Explored())["noisy-cells"]
	assert.Greater(t, right["noisy-min"][0.1], explored[0.1], "one card is better bought by itself")
	for epsilon, least := range map[float64]float64{
		0.01: 0.765, 0.03: 0.80, 0.1: 0.815, 1: 0.815,
	} {
		assert.GreaterOrEqual(t, right["noisy-min"][epsilon], least, "ε = %g", epsilon)
	}
	assert.GreaterOrEqual(t, right["centre"][1], 0.80)
	assert.GreaterOrEqual(t, right["noisy-min"][0.01]-right["logistic"][0.01], 0.04)
	assert.GreaterOrEqual(t, right["noisy-min"][0.03]-right["logistic"][0.03], 0.015)

	small := scores(t, Comparison{
		Epsilons: []float64{0.3, 1}, Splits: 50, Runs: 1, Most: 500, Delta: 1. / (500 * 500),
	}, table, Systems()[0], Systems()[3])
	for _, epsilon := range []float64{0.3, 1} {
		assert.Greater(t, small["noisy-min"][epsilon], small["logistic"][epsilon])
	}
}

// scores are the means of some systems.
func scores(
	t *testing.T, c Comparison, table *Table, systems ...System,
) map[string]map[float64]float64 {
	out := map[string]map[float64]float64{}
	for _, s := range systems {
		out[s.Name] = map[float64]float64{}
		require.NoError(t, c.Run(context.Background(), table, s, func(score Score) {
			median, longest := score.Time()
			t.Logf("%s ε = %g: %.2f ± %.2f %% (%.2f %% of those to fit), %v, at most %v", s.Name,
				score.Epsilon, 100*score.Mean(), 100*score.Deviation(), 100*score.MeanFitted(),
				median, longest)
			out[s.Name][score.Epsilon] = score.Mean()
		}))
	}
	return out
}
