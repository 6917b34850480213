package scorecard

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn/evaluate"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// heldOut are records that no card was chosen on.
var heldOut = counted([4]int{3, 25, 10, 70}, [4]int{80, 15, 30, 7})

// lone is a schema of one attribute, so that a level says yes where its point is 1.
func lone() *data.CellSchema {
	s := schema()
	s.Attributes = s.Attributes[1:]
	return s
}

// first has so many records of each class at the first level, and none else.
func first(positives, negatives int) *data.Cells {
	c := &data.Cells{
		Schema:    lone(),
		Positives: []int64{int64(positives), 0},
		Negatives: []int64{int64(negatives), 0},
	}
	for range positives {
		c.Rows = append(c.Rows, 1)
	}
	for range negatives {
		c.Rows = append(c.Rows, 0)
	}
	return c
}

// Record by record, as a reader of the card would count.
func TestAnEvaluationCountsWhatTheCardSays(t *testing.T) {
	for _, r := range released(t)[:6] {
		var want [2][2]int64
		for _, row := range heldOut.Rows {
			cell := int(row / 2)
			says := 0
			if _, yes := r.Score([]int{cell / 2, cell % 2}); yes {
				says = 1
			}
			want[says][row&1]++
		}
		assert.Equal(t, want, r.confusion(heldOut))

		// With next to no noise the figures are those of the rows.
		plan := evaluate.Plan{Adjacency: privacy.AddRemove, Epsilon: 1e4}
		require.NoError(t, r.Evaluate(heldOut, plan, randomtest.New(1)))
		f := r.Assessment.Figures(r.Classifier())
		n := float64(len(heldOut.Rows))
		right := float64(want[0][0] + want[1][1])
		assert.InDelta(t, n, f.Records.Estimate, 0.01)
		assert.InDelta(t, right/n, f.Accuracy.Estimate, 1e-4)
		assert.Nil(t, f.LogLoss)
		for says, bin := range f.Table {
			all := float64(want[says][0] + want[says][1])
			assert.InDelta(t, all, bin.Records.Estimate, 0.01)
			if all > 0 {
				assert.InDelta(t, float64(want[says][1])/all, bin.Outcome.Estimate, 1e-3)
			}
		}
	}
}

// Its ε is the plan's, as the accountant prices the event; its noise as wide as that says.
func TestAnEvaluationCostsWhatThePlanSays(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		r := released(t)[0]
		plan := evaluate.Plan{Adjacency: adjacency, Epsilon: 0.5}
		event, err := r.EvaluationEvent(plan)
		require.NoError(t, err)
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		assert.Less(t, price.LogDeltaUpper(0.5*(1+1e-6)), math.Log(1e-9))
		assert.Greater(t, price.LogDeltaUpper(0.45), math.Log(1e-3))
		require.NoError(t, r.Evaluate(heldOut, plan, randomtest.New(1)))
		assert.Equal(t, event, r.Assessment.Event)
		assert.Equal(t, adjacency, r.Assessment.Adjacency)
	}
}

func TestAnEvaluationIsRefused(t *testing.T) {
	r := released(t)[0]
	for field, plan := range map[string]evaluate.Plan{
		"adjacency": {Epsilon: 1},
		"epsilon":   {Adjacency: privacy.AddRemove},
		"bins":      {Adjacency: privacy.AddRemove, Epsilon: 1, Bins: 4},
	} {
		var parameter *privacy.ParameterError
		_, err := r.EvaluationEvent(plan)
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, field, parameter.Field)
		require.ErrorAs(t, r.Evaluate(heldOut, plan, randomtest.New(1)), &parameter)
		assert.Nil(t, r.Assessment)
	}
	var parameter *privacy.ParameterError
	plan := evaluate.Plan{Adjacency: privacy.AddRemove, Epsilon: 1}
	require.ErrorAs(t, r.Evaluate(first(1, 1), plan, randomtest.New(1)), &parameter)
	assert.Equal(t, "schema", parameter.Field)
}

// An evaluation of another card is found out on one that says the same of everybody.
func TestAnEvaluationOfAnotherCardIsFoundOut(t *testing.T) {
	plan := evaluate.Plan{Adjacency: privacy.AddRemove, Epsilon: 20}
	r := released(t)[0]
	require.NoError(t, r.Evaluate(heldOut, plan, randomtest.New(1)))
	counts := [][]float64{{100.25, 90.5}, {30.5, 40.25}} // such as another card has
	for _, points := range []int{-1, 1, 0} {
		for _, of := range r.Points {
			for l := range of {
				of[l] = points
			}
		}
		require.NoError(t, r.Evaluate(heldOut, plan, randomtest.New(1)))
		_, failed := r.Verify().Failed()
		assert.False(t, failed, "its own, points of %d", points)
		r.Assessment.Cells = counts
		finding, failed := r.Verify().Failed()
		assert.True(t, failed, "points of %d", points)
		assert.Equal(t, "evaluation_numbers", finding.Claim)
	}
}
