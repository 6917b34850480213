package dpsgd

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func tuningOf(rates ...float64) Tuning {
	return Tuning{Plan: planOf(NewAdam(0)), LearningRates: rates, Mean: 6, ScoreSigma: 10}
}

func TestTuneFindsALearningRate(t *testing.T) {
	problem := learntest.Clinic()
	tuning := tuningOf(1e-8, 1e-6, 0.1)
	tuning.Plan.NoiseMultiplier = 0.5
	found := 0
	for seed := range uint64(20) {
		model, choice, diagnostics, err := Tune(
			t.Context(), problem, tuning, nil, randomtest.New(seed), nil,
		)
		require.NoError(t, err)
		assert.Contains(t, tuning.LearningRates, choice.LearningRate)
		assert.InDelta(t, netCorrect(problem.Data, model.Coefficients), choice.Score, 100)
		assert.Equal(t, 300, diagnostics.Rows)
		if choice.LearningRate == 0.1 {
			found++
		}
	}
	// Each run has the good rate with probability 1/3: there is none among them
	// with probability e^-2.
	assert.Greater(t, found, 10)
}

// The score counts what the model predicts, on the records it is asked to.
func TestScore(t *testing.T) {
	problem := learntest.Clinic()
	held := learntest.Every(problem.Data, func(i int) bool { return i < 100 })
	tuning := tuningOf(0.1)
	tuning.ScoreSigma = 0x1p-10 // no noise, in effect
	model, choice, _, err := Tune(t.Context(), problem, tuning, held, randomtest.New(1), nil)
	require.NoError(t, err)
	e := model.Evaluate(held)
	assert.EqualValues(t, 2*e.Correct-e.Rows, choice.Score)
	model, choice, _, err = Tune(t.Context(), problem, tuning, nil, randomtest.New(1), nil)
	require.NoError(t, err)
	e = model.Evaluate(problem.Data)
	assert.EqualValues(t, 2*e.Correct-e.Rows, choice.Score)

	// One record more changes it by 1.
	for _, theta := range [][]float64{{1, -1, 0.1}, {-3, 0, 1}} {
		assert.Equal(
			t,
			1.0,
			math.Abs(
				float64(
					netCorrect(problem.Data, theta)-netCorrect(
						learntest.Every(problem.Data, func(i int) bool { return i > 0 }), theta,
					),
				),
			),
		)
	}
}

// Of runs whose scores are equal each is released as often: with no records and
// hardly any noise on scores, all are 0, and the rate released is uniform; and
// no run at all happens with probability e^−μ.
func TestSelectionAmongEquals(t *testing.T) {
	problem := learntest.Problem(learntest.Schema(1, 0), nil, nil)
	tuning := tuningOf(1, 2, 3, 4)
	tuning.Plan.Steps, tuning.Plan.Optimiser, tuning.Mean, tuning.ScoreSigma = 0, NewSGD(
		0,
	), 2, 0x1p-10
	const n = 5_000
	counts, none := map[float64]int{}, 0
	source := randomtest.New(9)
	for range n {
		_, choice, _, err := Tune(t.Context(), problem, tuning, nil, source, nil)
		if errors.Is(err, ErrNoRun) {
			none++
			continue
		}
		require.NoError(t, err)
		require.Zero(t, choice.Score)
		counts[choice.LearningRate]++
	}
	p := math.Exp(-2)
	assert.InDelta(t, n*p, none, 5.5*math.Sqrt(n*p*(1-p)))
	each := (1 - p) / 4
	for _, rate := range tuning.LearningRates {
		assert.InDelta(t, n*each, counts[rate], 5.5*math.Sqrt(n*each*(1-each)))
	}
}

// A run that diverges loses against every other, and is the outcome if all do.
func TestDivergedRunsLose(t *testing.T) {
	tuning := tuningOf(1e299, 0.1)
	tuning.Plan.Optimiser = NewSGD(0)
	source := randomtest.New(4)
	kept, diverged := 0, 0
	for range 200 {
		_, choice, _, err := Tune(t.Context(), learntest.Clinic(), tuning, nil, source, nil)
		var failed *learn.DivergedError
		switch {
		case errors.As(err, &failed):
			diverged++
		case errors.Is(err, ErrNoRun):
		default:
			require.NoError(t, err)
			assert.Equal(t, 0.1, choice.LearningRate)
			kept++
		}
	}
	// All of K runs diverge, K ≥ 1: e^−3 − e^−6 = 0.047; no more than 30 of 200
	// but for a chance of 1e-8.
	assert.Less(t, diverged, 30)
	assert.Greater(t, kept, 160)
}

func TestTuningEvent(t *testing.T) {
	tuning := PaperTuning(36177)
	tuning.Plan.NoiseMultiplier, tuning.ScoreSigma = 4, 30
	event, err := tuning.Event()
	require.NoError(t, err)
	again, err := PaperTuning(36177).For(event)
	require.NoError(t, err)
	assert.Equal(t, tuning, again)
	assert.Equal(t, privacy.AddRemove, event.Neighbours())

	// Dearer than a run of it, and than a run with its score; at q = 1, where
	// pricing is quick.
	tuning.Plan.Rate, tuning.Plan.NoiseMultiplier = 1, 400
	event, err = tuning.Event()
	require.NoError(t, err)
	price := func(e privacy.Event) float64 {
		p, err := account.Of(e, account.Auto, pld.Options{})
		require.NoError(t, err)
		epsilon, err := p.EpsilonUpper(1e-5)
		require.NoError(t, err)
		return epsilon
	}
	run := event.Base.(privacy.Composition).Parts[0].Event
	assert.Less(t, price(run), price(event.Base))
	assert.Less(t, price(event.Base), price(event))

	var parameter *privacy.ParameterError
	for field, change := range map[string]func(*Tuning){
		"plan.rate":         func(t *Tuning) { t.Plan.Rate = 2 },
		"mean":              func(t *Tuning) { t.Mean = 0 },
		"score_sigma":       func(t *Tuning) { t.ScoreSigma = 0 },
		"learning_rates":    func(t *Tuning) { t.LearningRates = nil },
		"learning_rates[1]": func(t *Tuning) { t.LearningRates = []float64{1, -1} },
	} {
		bad := tuningOf(0.1)
		change(&bad)
		script := &randomtest.Script{}
		_, _, _, err := Tune(t.Context(), learntest.Clinic(), bad, nil, script, nil)
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, "tuning."+field, parameter.Field)
		assert.Zero(t, script.Read)
	}
	squared := learntest.Clinic()
	squared.Loss = glm.Squared{}
	_, _, _, err = Tune(t.Context(), squared, tuningOf(0.1), nil, &randomtest.Script{}, nil)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "loss", parameter.Field)
	_, _, _, err = Tune(
		t.Context(), learntest.Clinic(), tuningOf(0.1),
		learntest.Problem(learntest.Schema(5, 0), nil, nil).Data, &randomtest.Script{}, nil,
	)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "held", parameter.Field)
	var row *learn.RowError
	long := learntest.Problem(learntest.Schema(2, 0.5), [][]float64{{3, 0, 0.5}}, []float64{1})
	_, _, _, err = Tune(
		t.Context(), learntest.Clinic(), tuningOf(0.1), long.Data, &randomtest.Script{}, nil,
	)
	assert.ErrorAs(t, err, &row)

	for _, other := range []privacy.Event{
		nil,
		run,
		privacy.Composition{Adjacency: privacy.AddRemove},
		privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: run, Count: 2}, {Event: run, Count: 1}},
		},
		privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: run, Count: 1}, {Event: run, Count: 1}},
		},
	} {
		_, err := tuningOf(0.1).For(privacy.PoissonSelection{Base: other, Mean: 1})
		assert.ErrorAs(t, err, &parameter)
	}
}

func TestTunePassesErrorsOn(t *testing.T) {
	dry := errors.New("dry")
	for _, words := range []int{0, 30, 300, 3000} {
		_, _, _, err := Tune(
			t.Context(), learntest.Clinic(), tuningOf(0.1), nil,
			randomtest.NewFailAfter(1, words, dry), nil,
		)
		assert.ErrorIs(t, err, dry)
	}
}
