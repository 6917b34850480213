package dpgd

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A fit can be released for its price and for no less, under its own
// neighbours and no others.
func TestFitsAreReleasedForTheirPrice(t *testing.T) {
	problem := learntest.Clinic()
	for _, loss := range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}} {
		problem.Loss = loss
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			request := requestFor(problem, adjacency, 2)
			plan, err := request.Plan()
			require.NoError(t, err)
			event, err := plan.Event()
			require.NoError(t, err)
			model, _, err := Fit(t.Context(), problem, plan, randomtest.New(8), nil)
			require.NoError(t, err)
			learntest.ReleasedForItsPrice(t, event, request.Guarantee, model)
			other := event
			other.Adjacency = privacy.AddRemove + privacy.ReplaceOne - adjacency
			_, err = learn.NewRelease(other, request.Guarantee, objective.BoundAuto, model)
			assert.Error(t, err)
			short := event
			short.Sensitivity /= 2
			_, err = learn.NewRelease(short, request.Guarantee, objective.BoundAuto, model)
			assert.Error(t, err, "the sensitivity is not what a record can change")
		}
	}
}

// What no guarantee covers is of a type that no release takes.
func TestOraclesAndWinnersAreNoModels(t *testing.T) {
	takes := reflect.TypeOf(learn.NewRelease)
	for _, result := range []reflect.Type{
		reflect.TypeOf(Oracle.Run).Out(0), reflect.TypeFor[learn.Dishonest[Request]](),
		reflect.TypeOf(BestOfGrid).Out(0),
	} {
		for i := range takes.NumIn() {
			assert.False(t, result.AssignableTo(takes.In(i)))
			assert.False(t, result.ConvertibleTo(takes.In(i)))
		}
	}
}

func TestBestOfGrid(t *testing.T) {
	problem := learntest.Clinic()
	base := requestFor(problem, privacy.AddRemove, 8)
	base.Momentum = 0.5
	grid := Grid(base, []float64{1e-6, 2, 1e60}, []int{5, 40}, []float64{0.3, 0.6})
	require.Len(t, grid, 12)
	best, err := BestOfGrid(t.Context(), problem, grid, problem.Data, randomtest.New(1), nil)
	require.NoError(t, err)
	assert.Equal(t, 2.0, best.Choice.Rate, "too slow to learn, right, or diverging")
	assert.Contains(t, best.Reason(), "not paid for")
	assert.Equal(t, best.Unprotected.Evaluate(problem.Data), best.Evaluation)

	_, err = BestOfGrid(
		t.Context(), problem, Grid(base, []float64{1e60}, []int{5}, []float64{0.6}), problem.Data,
		randomtest.New(1), nil,
	)
	var divergence *learn.DivergedError
	assert.ErrorAs(t, err, &divergence)
	var parameter *privacy.ParameterError
	_, err = BestOfGrid(t.Context(), problem, nil, problem.Data, randomtest.New(1), nil)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "requests", parameter.Field)
	_, err = BestOfGrid(
		t.Context(), problem, Grid(base, []float64{1}, []int{0}, []float64{0.6}), problem.Data,
		randomtest.New(1), nil,
	)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "steps", parameter.Field)
}
