package scorecard

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/search"
)

func boughtCells(t *testing.T, adjacency privacy.Adjacency) *NoisyCells {
	t.Helper()
	n, err := Buy(clear, 2, adjacency, randomtest.New(3), free)
	require.NoError(t, err)
	return n
}

func cellsDocument(t *testing.T, n *NoisyCells) string {
	t.Helper()
	tree, err := n.Tree()
	require.NoError(t, err)
	text, err := json.Marshal(tree)
	require.NoError(t, err)
	return string(text)
}

// What is read of a file is what was bought, whatever is then done with it.
func TestNoisyCellsAreReadAsTheyWereWritten(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		n := boughtCells(t, adjacency)
		text := cellsDocument(t, n)
		again, err := ParseCells([]byte(text))
		require.NoError(t, err, text)
		assert.JSONEq(t, text, cellsDocument(t, again))
		again.Schema.Label = n.Schema.Label // whose defaults are written out
		assert.Equal(t, n.Positives, again.Positives)
		assert.Equal(t, n.Negatives, again.Negatives)
		assert.Equal(t, n.Event, again.Event)
		assert.Equal(t, n.Promise, again.Promise)
		assert.Equal(t, n.Deviation(), again.Deviation())
		for _, f := range again.Verify() {
			assert.True(t, f.True, "%s: %s", f.Claim, f.Text)
			assert.NotEmpty(t, f.Text)
		}
		one, wrong, err := n.Best(context.Background(), 2, nil)
		require.NoError(t, err)
		other, errors, err := again.Best(context.Background(), 2, nil)
		require.NoError(t, err)
		assert.Equal(t, one.Points, other.Points)
		assert.Equal(t, wrong, errors)
	}
}

func TestForgedNoisyCellsAreRefused(t *testing.T) {
	for _, c := range []struct {
		from, to string // in the text of the document
		field    string // of the error of reading
		claim    string // or the claim that fails
	}{
		{`"delta":0,"epsilon":2`, `"delta":0,"epsilon":1`, "", "mechanism"},
		{`"delta":0,"epsilon":2`, `"delta":0,"epsilon":3`, "", "mechanism"},
		{`"delta":0,"epsilon":2`, `"delta":0,"epsilon":1e-300`, "guarantee.epsilon", ""},
		{`"delta":0`, `"delta":1e-9`, "", "guarantee"},
		{`"guarantee":{"adjacency":"add-remove"`, `"guarantee":{"adjacency":"replace-one"`, "", "mechanism"},
		{`"sensitivity":1`, `"sensitivity":2`, "", "mechanism"},
		{`"scale":0.5`, `"scale":0.4`, "", "mechanism"},
		{`"covers":true`, `"covers":false`, "", "coverage"},
		{`"caveats":[]`, `"caveats":["All is well."]`, "", "coverage"},
		{`"provenance":"public"`, `"provenance":"suggested"`, "", "coverage"},
		{`"positives":[`, `"positives":[0,`, "counts.positives", ""},
		{`"negatives":[`, `"negatives":[0.5,`, "counts.negatives", ""},
		{`"positives":[`, `"positives":[1e300],"x":[`, "counts.positives", ""},
		{`"cuts":[40]`, `"cuts":[40,50]`, "counts.positives", ""},
		{`"cuts":[40]`, `"cuts":[140]`, "schema.attributes[0].cuts[0]", ""},
		{`"version":1}`, `"version":2}`, "", ""},
		{`"format":"cloister-noisy-cells"`, `"format":"cloister-scorecard"`, "format", ""},
		{`"format":`, `"records":3,"format":`, "records", ""},
		{`"counts":{`, `"counts":{"records":3,`, "counts.records", ""},
	} {
		text := cellsDocument(t, boughtCells(t, privacy.AddRemove))
		require.Contains(t, text, c.from)
		n, err := ParseCells([]byte(strings.Replace(text, c.from, c.to, 1)))
		if c.claim == "" {
			require.Error(t, err, c.to)
			assert.Contains(t, err.Error(), c.field)
			continue
		}
		require.NoError(t, err, c.to)
		failed, found := n.Verify().Failed()
		require.True(t, found, c.to)
		assert.Equal(t, c.claim, failed.Claim, failed.Text)
	}
	// A file of another mechanism that is truly within the promise is not one of counts.
	n := boughtCells(t, privacy.AddRemove)
	n.Event = privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.5}
	failed, _ := n.Verify().Failed()
	assert.Equal(t, "mechanism", failed.Claim)
	n = boughtCells(t, privacy.AddRemove)
	n.Positives = n.Positives[1:]
	failed, _ = n.Verify().Failed()
	assert.Equal(t, "counts", failed.Claim)
}

// Whoever publishes the counts as they are, or with little noise, and promises an ε of much, is
// found out; whoever drew what is promised is not, whatever was drawn.
func TestCountsNearerThanTheirNoiseAreFoundOut(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		exact := boughtCells(t, adjacency)
		exact.Positives, exact.Negatives = clear.Positives, clear.Negatives
		little := boughtCells(t, adjacency) // at ε = 2
		for name, n := range map[string]*NoisyCells{"exact": exact, "with little": little} {
			event, err := CountsEvent(LeastEpsilon, adjacency)
			require.NoError(t, err)
			n.Event, n.Guarantee.Epsilon = event, LeastEpsilon
			again, err := ParseCells([]byte(cellsDocument(t, n)))
			require.NoError(t, err)
			failed, found := again.Verify().Failed()
			require.True(t, found, name)
			assert.Equal(t, "counts_noise", failed.Claim, name)
		}
		for seed := range 200 {
			for _, epsilon := range []float64{LeastEpsilon, 0.01, 1, LargestEpsilon} {
				n, err := Buy(clear, epsilon, adjacency, randomtest.New(uint64(seed)), free)
				require.NoError(t, err)
				failed, found := n.Verify().Failed()
				require.False(t, found, "seed %d, ε = %v: %s", seed, epsilon, failed.Text)
			}
		}
	}
}

// A count below 0, or of more records than can be read, is one by noise, of all cells that it may
// be the sum of.
func TestCountsFarBelowNothingAreFoundOut(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		n := boughtCells(t, adjacency) // at ε = 2
		for count, found := range map[int64]bool{
			-10: false, -1000: false, -100_000: true, 1e7: false, 1e8: true,
		} {
			n.Negatives[1] = count
			failed, is := n.Verify().Failed()
			assert.Equal(t, found, is, "%d: %s", count, failed.Text)
			assert.True(t, !is || failed.Claim == "counts_noise")
		}
		// None of them alone is too many.
		n.Negatives[1] = 1
		for all, found := range map[int64]bool{
			-9000: true, -900: false, 1.6e7: false, 1.8e7: true,
		} {
			together := *n
			together.Positives = slices.Clone(n.Positives)
			cells := int64(len(n.Positives))
			for k := range together.Positives {
				together.Positives[k] = all / cells
			}
			failed, is := together.Verify().Failed()
			assert.Equal(t, found, is, "%d: %s", all, failed.Text)
		}
	}
}

// Counts are whole numbers of a size that a search can add up.
func TestCountsAreReadWithinTheirLimits(t *testing.T) {
	fresh := func() (tree, counts map[string]any) {
		text := cellsDocument(t, boughtCells(t, privacy.AddRemove))
		require.NoError(t, json.Unmarshal([]byte(text), &tree))
		return tree, tree["counts"].(map[string]any)
	}
	for _, list := range [][]any{
		{0.5, 0.0, 0.0, 0.0}, {math.Inf(1), 0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}, {"1", 0.0, 0.0, 0.0},
		{0x1p40 + 1, 0.0, 0.0, 0.0}, {0x1p39, -0x1p39, 0.0, 1.0}, {nil, 0.0, 0.0, 0.0},
	} {
		tree, counts := fresh()
		counts["positives"], counts["negatives"] = list, []any{0.0, 0.0, 0.0, 0.0}
		_, err := CellsFromTree(tree)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, "%v", list)
		assert.Contains(t, wrong.Field, "counts.positives")
	}
	tree, counts := fresh()
	counts["positives"] = []any{0x1p38, -0x1p38, 0.0, 0.0}
	counts["negatives"] = []any{0x1p38, -0x1p38, 0.0, 0.0}
	n, err := CellsFromTree(tree)
	require.NoError(t, err)
	_, _, err = n.Best(context.Background(), 1, nil)
	require.NoError(t, err, "what is read can be searched")
}

// The best card is the best of all, counted one by one; and a card made by hand is that card.
func TestABestCardIsTheBestOfAll(t *testing.T) {
	n := boughtCells(t, privacy.AddRemove)
	best, wrong, err := n.Best(context.Background(), 1, nil)
	require.NoError(t, err)
	least := int64(math.MaxInt64)
	for code := range 81 {
		points := [][]int{
			{code%3 - 1, code/3%3 - 1}, {code/9%3 - 1, code/27 - 1},
		}
		card, errors, err := n.Card(points, 1)
		require.NoError(t, err)
		assert.True(t, card.FromCounts)
		assert.Equal(t, points, card.Points)
		byHand := int64(0)
		for cell := range 4 {
			if points[0][cell/2]+points[1][cell%2] >= Threshold {
				byHand += n.Negatives[cell]
			} else {
				byHand += n.Positives[cell]
			}
		}
		assert.Equal(t, byHand, errors)
		for _, f := range card.Verify() {
			assert.True(t, f.True, f.Text)
		}
		least = min(least, errors)
	}
	assert.Equal(t, least, wrong)
	card, errors, err := n.Card(best.Points, 1)
	require.NoError(t, err)
	assert.Equal(t, best, card)
	assert.Equal(t, wrong, errors)

	for _, points := range [][][]int{
		nil, {{1, 0}}, {{1, 0}, {0, 1, 0}}, {{2, 0}, {0, 0}}, {{0, 0}, {0, -2}},
	} {
		_, _, err := n.Card(points, 1)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, "%v", points)
		assert.Contains(t, wrong.Field, "card.attributes")
	}
	for _, bound := range []int{0, 17} {
		_, _, err := n.Best(context.Background(), bound, nil)
		require.Error(t, err)
		_, _, err = n.Card(best.Points, bound)
		require.Error(t, err)
	}
}

// The noise of what is said of a card has the deviation that is stated, for all attributes and
// for fewer, in the errors and in the records: 4,000 draws are within 5 standard errors of it.
func TestTheNoiseOfACardsErrors(t *testing.T) {
	src := randomtest.New(9)
	points := [][]int{{1, 0}, {0, 1}}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		const draws = 4000
		var whole, fewer, records, stated float64
		truth := search.Problem{
			Shape:     search.Shape{Levels: []int{2, 2}, Bound: 1},
			Positives: clear.Positives, Negatives: clear.Negatives,
		}.Loss(search.Points{1, 0, 0, 1})
		for range draws {
			n, err := Buy(clear, 1, adjacency, src, free)
			require.NoError(t, err)
			_, wrong, err := n.Card(points, 1)
			require.NoError(t, err)
			kept, err := n.Keep([]int{0})
			require.NoError(t, err)
			assert.Equal(t, n.Deviation(), kept.Deviation())
			assert.Equal(t, n.Records(), kept.Records())
			_, alone, err := kept.Card([][]int{{1, 0}}, 1)
			require.NoError(t, err)
			least := clear.Positives[2] + clear.Positives[3] +
				clear.Negatives[0] + clear.Negatives[1]
			whole += math.Pow(float64(wrong-truth), 2)
			fewer += math.Pow(float64(alone-least), 2)
			records += math.Pow(float64(n.Records()-int64(len(clear.Rows))), 2)
			stated = math.Pow(n.Deviation(), 2)
		}
		// Of a sum of four such noises a square has a standard error of at most 2 variances.
		allowed := 5 * 2 / math.Sqrt(draws)
		assert.InDelta(t, 1, whole/draws/stated, allowed)
		assert.InDelta(t, 1, fewer/draws/stated, allowed)
		assert.InDelta(t, 1, records/draws/stated/2, allowed)
	}
}

// A card on fewer attributes says what its own schema leaves out, and no more.
func TestFewerAttributesHaveTheirOwnPromise(t *testing.T) {
	n := boughtCells(t, privacy.AddRemove)
	kept, err := n.Keep([]int{1})
	require.NoError(t, err)
	best, _, err := kept.Best(context.Background(), 1, nil)
	require.NoError(t, err)
	require.Len(t, best.Schema.Attributes, 1)
	for _, f := range best.Verify() {
		assert.True(t, f.True, f.Text)
	}
	suggested := *n.Schema
	suggested.Attributes = append([]data.Attribute(nil), n.Schema.Attributes...)
	suggested.Attributes[1].Provenance = data.Suggested
	n.Schema = &suggested
	n.Promise = promiseOf(n.Schema, n.Guarantee)
	kept, err = n.Keep([]int{1})
	require.NoError(t, err)
	best, _, err = kept.Best(context.Background(), 1, nil)
	require.NoError(t, err)
	assert.False(t, best.Covers)
	assert.Contains(t, best.Caveats[0], "smoker")
}
