package dpgd

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// What is released is the mean of the last θ that the same steps give out, at the same
// price; of none or one, the last.
func TestTheMeanIsOfTheLastSteps(t *testing.T) {
	problem := learntest.Clinic()
	plan := planOf(problem, privacy.AddRemove, 7, 2, 1e-3)
	plan.Momentum = 0.5
	var path [][]float64
	require.NoError(t, Watch(t.Context(), problem, plan, randomtest.New(4), func(s State) {
		path = append(path, slices.Clone(s.Theta))
	}))
	require.Len(t, path, 8)
	event, err := plan.Event()
	require.NoError(t, err)
	for _, plan.Tail = range []int{0, 1, 2, 3, 7} {
		of := path[8-max(1, plan.Tail):]
		model, _, err := Fit(t.Context(), problem, plan, randomtest.New(4), nil)
		require.NoError(t, err)
		for j, got := range model.Coefficients {
			want := 0.0
			for _, theta := range of {
				want += theta[j] / float64(len(of))
			}
			assert.InEpsilon(t, want, got, 1e-12, "mean of %d", plan.Tail)
		}
		same, err := plan.Event()
		require.NoError(t, err)
		assert.Equal(t, event, same)
	}
}

// The weights of steps against the steps themselves, each given a unit of gradient alone.
func TestWeightsAreWhatStepsAdd(t *testing.T) {
	plan := Plan{
		Dimension: 1, Momentum: 0.9, Sigmas: make([]float64, 6),
		Rates: []float64{1, 2, 0.5, 1, 3, 0.25},
	}
	for _, plan.Tail = range []int{0, 1, 2, 5, 6} {
		for at, weight := range plan.weights() {
			d := &descent{plan: plan, theta: make([]float64, 1), velocity: make([]float64, 1)}
			mean := newTail(plan)
			for step := range plan.Sigmas {
				force := 0.0
				if step == at {
					force = 1
				}
				require.NoError(t, d.step(step, []float64{force}))
				mean.add(step, d.theta)
			}
			mean.release(d.theta)
			assert.InEpsilon(t, weight, -d.theta[0], 1e-13)
		}
	}
}

func TestTailsThatCannotBe(t *testing.T) {
	problem := learntest.Clinic()
	for _, tail := range []int{-1, 4} {
		plan := planOf(problem, privacy.AddRemove, 3, 2, 1e-3)
		plan.Tail = tail
		_, err := plan.Event()
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "tail", bad.Field)

		request := requestFor(problem, privacy.AddRemove, 1)
		request.Schedule, request.Steps, request.Tail = ScheduleConstant, 3, tail
		_, err = request.Plan()
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "tail", bad.Field)
	}
	request := requestFor(problem, privacy.AddRemove, 1)
	request.Tail = 2
	_, err := request.Plan()
	var bad *privacy.ParameterError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "tail", bad.Field)
}

// The rule's table, worked out by hand. Of two numbers at their bounds x'² is 5, and so
// (5 + 1/4)·5/13 stands for R² in the largest step.
func TestMeanDefaultsAreTheRule(t *testing.T) {
	for _, c := range []struct {
		label                     data.LabelType
		loss                      glm.Loss
		epsilon, records          float64
		clip, drift, largest, end float64
	}{
		// x = 50·0.1/3 = 1.67; 100·1/3 = 33.3; 3000·0.3/3 = 300; 30,000·4/3 = 40,000
		{data.TwoClasses, glm.Logistic{}, 0.1, 50, 0.25, 1, 7.42857, 12},
		{data.TwoClasses, glm.Logistic{}, 1, 100, 0.30035, 1.44338, 7.42857, 60},
		{data.TwoClasses, glm.Logistic{}, 0.3, 3000, 0.5, 4, 7.42857, 60},
		{data.TwoClasses, glm.Logistic{}, 4, 30_000, 0.5, 4, 7.42857, 60},
		{data.NumericLabel, glm.Squared{}, 0.1, 50, 0.25, 0.25, 1.54762, 60},
		{data.NumericLabel, glm.Squared{}, 1, 100, 0.25, 0.25, 1.54762, 60},
		{data.NumericLabel, glm.Squared{}, 4, 30_000, 0.25, 0.25, 1.54762, 60},
		{data.SeveralClasses, glm.Softmax{}, 0.1, 50, 0.35355, 2, 7.42857, 12},
		{data.SeveralClasses, glm.Softmax{}, 1, 100, 0.35355, 2, 7.42857, 60},
		{data.SeveralClasses, glm.Softmax{}, 1, 300, 0.39528, 2.5, 7.42857, 60},
		{data.SeveralClasses, glm.Softmax{}, 4, 30_000, 0.5, 4, 7.42857, 60},
	} {
		schema := *learntest.Schema(2, 0.5)
		schema.Label.Classes = [][]string{{"a"}, {"b"}, {"c"}, {"d"}}
		schema.Label.Type, schema.Label.Min, schema.Label.Max = c.label, -1, 1
		g := privacy.Guarantee{Epsilon: c.epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
		r := MeanDefaults(&schema, c.loss, g, c.records)
		plan, err := r.Plan()
		require.NoError(t, err)
		assert.InEpsilon(t, c.clip*schema.RowNorm(), plan.Clip, 1e-4)
		assert.Len(t, plan.Sigmas, 120)
		assert.Equal(t, int(c.end), plan.Tail)
		drift := plan.Rates[0] / 0.1 * math.Sqrt(120) * plan.Sigmas[0]
		if rate := plan.Rates[0] * c.records; rate > c.largest*0.999 {
			assert.InEpsilon(t, c.largest, rate, 1e-5)
			assert.Less(t, drift, c.drift)
		} else {
			assert.InEpsilon(t, c.drift, drift, 1e-4)
		}
	}
}

// Steps of the largest size come to rest where rows differ in one direction alone, by as much as
// the centring expects, and there is next to no noise. Half as many of twice the size swing until
// the end, and so do those of less momentum that would go as far: fewer steps cannot be had by
// making them larger.
func TestTheLargestStepsComeToRest(t *testing.T) {
	schema := learntest.Schema(1, 0.5)
	var x [][]float64
	var y []float64
	for i := range 20_000 {
		side := float64(2*(i%2) - 1)
		x, y = append(x, []float64{0.5 + 0.25*side, 0.5}), append(y, side)
		if i%24 < 4 {
			y[i] = -side
		}
	}
	problem := learntest.Problem(schema, x, y)
	g := privacy.Guarantee{Epsilon: 8, Delta: 1e-5, Adjacency: privacy.AddRemove}
	left := func(steps int, momentum, times float64) float64 {
		r := MeanDefaults(schema, problem.Loss, g, 20_000)
		require.InEpsilon(t, 3.75/(0.25*5.25*atBounds), r.Rate, 1e-12) // x'² is 5 at a bound
		r.Steps, r.Tail, r.Momentum, r.Rate = steps, steps/2, momentum, times*r.Rate
		plan, err := r.Plan()
		require.NoError(t, err)
		last := 0.0
		require.NoError(t, Watch(t.Context(), problem, plan, randomtest.New(9), func(s State) {
			last = s.GradientNorm
		}))
		return last / plan.Sigmas[0]
	}
	assert.Less(t, left(120, 0.9, 1), 2.0)
	assert.Greater(t, left(60, 0.9, 2), 10.0)
	assert.Greater(t, left(60, 0.8, 4), 100.0)
}

// The mechanism that releases a mean, on the worst pair: rates are such that the mean
// weighs every step by 1/σ², so that it is the statistic which tells the two apart best.
func TestAuditOfTheMean(t *testing.T) {
	runs := audittest.Runs(2_500)
	if runtime.GOARCH == "wasm" && !audittest.Long() {
		runs = 2_000
	}
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		pair := worstCase(adjacency)
		plan := auditPlan(t, adjacency, 2)
		plan.Tail = 2
		plan.Rates = slices.Clone(plan.Rates)
		plan.Rates[2] *= 2 // of the last step the mean has half
		weights := plan.weights()
		for k, sigma := range plan.Sigmas {
			first := plan.Sigmas[0]
			require.InEpsilon(t, weights[0]*first*first, weights[k]*sigma*sigma, 1e-12)
		}
		variance := 0.0
		for k, sigma := range plan.Sigmas {
			variance += weights[k] * weights[k] * sigma * sigma
		}
		audit := audittest.Audit{
			Claim: claimOf(t, plan), Epsilons: audittest.Grid(4, 16), Runs: runs,
		}
		for k := -4; k <= 4; k++ {
			audit.Thresholds = append(audit.Thresholds,
				float64(k)/2*learntest.Length(pair.direction)*math.Sqrt(variance))
		}
		pair.usual(t, audit, plan, plan.RowNorm)
	}
}
