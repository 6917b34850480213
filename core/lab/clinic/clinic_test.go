package clinic

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
)

func made(t *testing.T, patients Patients) *Clinic {
	c, err := New(t.Context(), patients)
	require.NoError(t, err)
	return c
}

func asked(epsilon float64, draws int) Request {
	return Request{
		Guarantee: privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon},
		Draws:     draws,
	}
}

// losses are how many patients each of the 3^10 cards gets wrong, and which card it is.
func (c *Clinic) losses(visit func(points [][]int, wrong int64)) {
	points := [][]int{make([]int, 3), make([]int, 2), make([]int, 3), make([]int, 2)}
	flat := []*int{}
	for _, of := range points {
		for l := range of {
			of[l] = -1
			flat = append(flat, &of[l])
		}
	}
	for {
		wrong, cell := int64(0), 0
		eachCell(func(levels []int) {
			if total(points, levels) >= 1 {
				wrong += c.cells.negatives[cell]
			} else {
				wrong += c.cells.positives[cell]
			}
			cell++
		})
		visit(points, wrong)
		j := 0
		for ; j < len(flat); j++ {
			if *flat[j]++; *flat[j] <= 1 {
				break
			}
			*flat[j] = -1
		}
		if j == len(flat) {
			return
		}
	}
}

func TestPatientsAreAsSaid(t *testing.T) {
	c := made(t, Patients{Count: 20_000, Seed: 7})
	require.Len(t, chances, 36)
	back := int64(0)
	for cell, chance := range chances {
		n := c.cells.positives[cell] + c.cells.negatives[cell]
		// Four standard errors.
		assert.InDelta(t, 20_000.0/36, n, 4*math.Sqrt(20_000.0/36))
		assert.InDelta(t, chance, float64(c.cells.positives[cell])/float64(n),
			4*math.Sqrt(chance*(1-chance)/float64(n)))
		back += c.cells.positives[cell]
	}
	assert.EqualValues(t, back, c.Back())
	// The first cell is that of the young on a medical ward, without a stay, with a family:
	// −1 + 0 − 1 − 1. The last is 1 + 1 + 1 + 1.
	assert.InDelta(t, 1/(1+math.Exp(1.4*3.5)), chances[0], 1e-12)
	assert.InDelta(t, 1/(1+math.Exp(-1.4*3.5)), chances[35], 1e-12)
	assert.NotEqual(t, c.cells, made(t, Patients{Count: 20_000, Seed: 8}).cells)
}

func TestNoRuleIsRightMoreOftenThanTheTruth(t *testing.T) {
	best, never := 0.0, 0.0
	for _, chance := range chances {
		best += math.Max(chance, 1-chance) / 36
		never += (1 - chance) / 36
	}
	assert.InDelta(t, best, right(truth), 1e-12)
	none := [][]int{{0, 0, 0}, {0, 0}, {0, 0, 0}, {0, 0}}
	assert.InDelta(t, never, right(none), 1e-12)
}

func TestTheCardWithoutPrivacyIsTheBest(t *testing.T) {
	for _, n := range []int{100, 500} {
		c := made(t, Patients{Count: n, Seed: 3})
		least, plain := int64(n), int64(-1)
		cards := 0
		c.losses(func(points [][]int, wrong int64) {
			least = min(least, wrong)
			if assert.ObjectsAreEqual(points, c.plain.Points) {
				plain = wrong
			}
			cards++
		})
		assert.Equal(t, 59_049, cards)
		assert.Equal(t, least, plain, n)
	}
}

// schema is that of a file with such patients.
func schema(t *testing.T) *data.CellSchema {
	out := &data.CellSchema{
		Attributes: []data.Attribute{
			{Name: "age", Max: 120, Cuts: []float64{40, 65}, Provenance: data.Public},
		},
		Label: data.Label{
			Name: "back", Negative: []string{"no"}, Positive: []string{"yes"},
			Provenance: data.Public,
		},
	}
	for _, a := range Attributes()[1:] {
		named := data.Attribute{Name: a.Name, Provenance: data.Public}
		for _, level := range a.Levels {
			named.Levels = append(named.Levels, data.Level{Name: level, Values: []string{level}})
		}
		out.Attributes = append(out.Attributes, named)
	}
	require.NoError(t, out.Validate())
	assert.Equal(t, Attributes()[0].Levels, out.Attributes[0].LevelNames())
	return out
}

// What is drawn is what the learner gives, draw by draw, whatever the pieces it was asked for in.
func TestCardsAreTheLearners(t *testing.T) {
	c := made(t, Patients{Count: 200, Seed: 3})
	file := &data.Cells{
		Schema: schema(t), Positives: c.cells.positives, Negatives: c.cells.negatives,
	}
	for cell := range c.cells.positives {
		for range c.cells.positives[cell] {
			file.Rows = append(file.Rows, uint32(2*cell+1))
		}
		for range c.cells.negatives[cell] {
			file.Rows = append(file.Rows, uint32(2*cell))
		}
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		r := asked(0.3, 4)
		r.Guarantee.Adjacency = adjacency
		all, err := c.Cards(t.Context(), r)
		require.NoError(t, err)
		plan, err := scorecard.Request{
			Schema: file.Schema, Epsilon: 0.3, Adjacency: adjacency,
		}.Plan()
		require.NoError(t, err)
		assert.Equal(t, plan.Event, all.Event)
		free := func(privacy.Event) error { return nil }
		for k := range 4 {
			noise := seeded.New("clinic/noise/3/" + strconv.Itoa(k))
			release, _, err := scorecard.Fit(t.Context(), file, plan, noise, free, nil)
			require.NoError(t, err)
			assert.Equal(t, release.Points, all.Cards[k].Points)
			levels := []int{2, 1, 0, 1}
			_, yes := release.Score(levels)
			assert.Equal(t, yes, total(all.Cards[k].Points, levels) >= threshold)
		}
		r.First, r.Draws = 2, 2
		rest, err := c.Cards(t.Context(), r)
		require.NoError(t, err)
		assert.Equal(t, all.Cards[2:], rest.Cards)
	}
}

// The noise that is seen is the noise that is paid for. With independent geometric noise on all
// cards, P[a card of loss least + 1 or less is chosen] follows from the counts of cards by loss
// alone: a card of noise g and loss f wins where no other has f' − g' below f − g. Ties are few at
// 64ths of a record; they are counted to neither side.
func TestTheSpreadIsThatOfTheNoise(t *testing.T) {
	const draws, epsilon = 200, 0.8
	c := made(t, Patients{Count: 100, Seed: 1})
	counts := map[int64]float64{}
	c.losses(func(_ [][]int, wrong int64) { counts[wrong]++ })
	least := int64(100)
	for loss := range counts {
		least = min(least, loss)
	}
	// P[no card of these counts has f − g ≤ x], x in records below the least loss.
	quiet := func(x float64, from, to int64) float64 {
		log := 0.0
		for loss, n := range counts {
			if loss >= from && loss < to {
				// g ≥ loss − x has probability e^(−ε(loss − x)), or 1.
				if over := float64(loss) - x; over > 0 {
					log += n * math.Log1p(-math.Exp(-epsilon*over))
				} else {
					return 0
				}
			}
		}
		return math.Exp(log)
	}
	// The winner is among the cards of the least three losses unless the best value f − g of the
	// rest is below theirs: a sum over a fine grid of the rest's best value.
	near, far := least+3, int64(101)
	chance := 0.0
	const step = 1.0 / 256
	for x := float64(least) - 60; x < float64(least); x += step {
		mass := quiet(x, near, far) - quiet(x+step, near, far)
		chance += mass * (1 - quiet(x+step/2, least, near))
	}
	chance += quiet(float64(least), near, far) // the best then wins by g ≥ 0
	cards, err := c.Cards(t.Context(), asked(epsilon, draws))
	require.NoError(t, err)
	seen := 0.0
	for _, card := range cards.Cards {
		wrong, cell := int64(0), 0
		eachCell(func(levels []int) {
			if total(card.Points, levels) >= 1 {
				wrong += c.cells.negatives[cell]
			} else {
				wrong += c.cells.positives[cell]
			}
			cell++
		})
		if wrong < near {
			seen++
		}
	}
	// Three standard errors, and one hundredth for the grid and the ties.
	allowed := 3*math.Sqrt(chance*(1-chance)/draws) + 0.01
	assert.InDelta(t, chance, seen/draws, allowed)
	t.Logf("%.3f expected, %.3f seen", chance, seen/draws)
	assert.Greater(t, chance, 0.2)
	assert.Less(t, chance, 0.8)
}

func TestPrivacyCostsLessWithMoreBudgetAndMorePatients(t *testing.T) {
	mean := func(n int, epsilon float64) (sum float64) {
		cards, err := made(t, Patients{Count: n, Seed: 1}).Cards(t.Context(), asked(epsilon, 40))
		require.NoError(t, err)
		for _, card := range cards.Cards {
			sum += card.Right / 40
		}
		return sum
	}
	strict := mean(500, 0.03)
	assert.Greater(t, mean(500, 0.3), strict+0.08)
	assert.Greater(t, mean(5000, 0.03), strict+0.08)
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for _, patients := range []Patients{{Count: 49}, {Count: 20_001}} {
		_, err := New(t.Context(), patients)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "n", bad.Field)
	}
	c := made(t, Patients{Count: 100})
	withDelta := asked(1, 2)
	withDelta.Guarantee.Delta = 1e-5
	for field, r := range map[string]Request{
		"draws": asked(1, 201), "epsilon": asked(-1, 2), "delta": withDelta,
	} {
		_, err := c.Cards(t.Context(), r)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, field, bad.Field)
	}
}
