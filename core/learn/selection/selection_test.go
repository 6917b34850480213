package selection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

type learnChosen = learn.Chosen

func uniform(t *testing.T, source random.Source) float64 {
	word, err := source.Uint64()
	require.NoError(t, err)
	return float64(word>>11) / (1 << 53)
}

// clinicAsked is a question for learntest.Clinic.
func clinicAsked(epsilon float64) learn.Asked {
	problem := learntest.Clinic()
	return learn.Asked{
		Schema: problem.Data.Schema, Loss: problem.Loss, Records: 300,
		Guarantee: privacy.Guarantee{
			Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5,
		},
	}
}

func planned(t *testing.T, epsilon float64, candidates ...Candidate) Plan {
	t.Helper()
	plan, err := Choose(Asked{clinicAsked(epsilon), candidates})
	require.NoError(t, err)
	return plan
}

// A choice costs what was asked for, to a part in 300 at most, whatever is chosen from.
func TestAChoiceKeepsItsGuarantee(t *testing.T) {
	epsilons := []float64{0.2, 1, 6}
	if testing.Short() {
		epsilons = epsilons[1:2] // all of them natively
	}
	for _, epsilon := range epsilons {
		asked := clinicAsked(epsilon)
		lambdas, err := Lambdas(asked)
		require.NoError(t, err)
		for _, candidates := range [][]Candidate{lambdas, Methods(data.TwoClasses)} {
			plan, err := Choose(Asked{asked, candidates})
			require.NoError(t, err)
			require.NoError(t, plan.Event.Validate())
			problem := learntest.Clinic()
			model, _, err := plan.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
			require.NoError(t, err)
			r, err := learn.NewRelease(plan.Event, asked.Guarantee, plan.Bound, model)
			require.NoError(t, err)
			assert.Equal(t, account.Renyi, r.Guarantee.Method)
			price, _, err := r.Price(account.Renyi, plan.Bound)
			require.NoError(t, err)
			costs, err := price.EpsilonUpper(1e-5)
			require.NoError(t, err)
			assert.LessOrEqual(t, costs, epsilon)
			assert.Greater(t, costs, epsilon*(1-3e-3))
			// Each candidate's own fit has the same guarantee, of about half of the whole.
			assert.Less(t, plan.Each.Epsilon, epsilon*0.6)
			assert.Greater(t, plan.Each.Epsilon, epsilon*0.4)
		}
	}
}

// The settings that there are by default can be chosen from, whatever is fitted.
func TestDefaultSettingsSuitEveryLoss(t *testing.T) {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	clinic := learntest.Clinic().Data
	numbers, several := learntest.Numeric(clinic, 0, 10), learntest.Several(clinic)
	for _, c := range []struct {
		schema *data.Schema
		loss   glm.Loss
	}{
		{clinic.Schema, glm.Logistic{}}, {clinic.Schema, huber}, {clinic.Schema, glm.Squared{}},
		{numbers.Schema, glm.Squared{}}, {several.Schema, glm.Softmax{}},
		{several.Schema, huber}, {several.Schema, glm.Squared{}},
	} {
		for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
			_, softmax := c.loss.(glm.Softmax)
			if c.schema == several.Schema && !softmax && adjacency == privacy.ReplaceOne {
				continue // one against the rest is not for it
			}
			logistic := c.loss == glm.Loss(glm.Logistic{})
			if testing.Short() && !(c.schema == clinic.Schema && logistic) {
				continue // it takes long
			}
			for _, epsilon := range []float64{0.2, 1} {
				if epsilon != 1 && (testing.Short() || !logistic) {
					continue
				}
				asked := clinicAsked(epsilon)
				asked.Schema, asked.Loss, asked.Guarantee.Adjacency = c.schema, c.loss, adjacency
				what := fmt.Sprintf("%T, %v, ε = %v", c.loss, adjacency, epsilon)
				lambdas, err := Lambdas(asked)
				require.NoError(t, err, what)
				plan, err := Choose(Asked{asked, lambdas})
				require.NoError(t, err, what)
				assert.Greater(t, plan.Each.Epsilon, epsilon/6, what)
			}
		}
	}
}

// A setting that is no use is not chosen, or no more often than it must be.
func TestTheBetterSettingIsChosen(t *testing.T) {
	plan := planned(t, 40, Candidate{Method: "amp", Lambda: 1}, Candidate{Method: "amp", Lambda: 1e6})
	problem := learntest.Clinic()
	good, bad := 0, 0
	for seed := range uint64(100) {
		model, notes, err := plan.Fit(t.Context(), problem, randomtest.New(seed), learn.Watch{})
		if errors.Is(err, ErrNoRun) {
			continue
		}
		require.NoError(t, err)
		require.Len(t, notes, 1)
		assert.InDelta(t, score(model, problem.Data), model.Selected.Score, 60)
		if model.Selected.Candidate == 0 {
			good++
		} else {
			bad++
		}
	}
	// No run of the good one at all: e^−2.5 = 0.08.
	assert.Greater(t, good, 75)
	assert.Less(t, bad, 25)
}

// One record changes the score by its sensitivity at most, however rows are stored.
func TestOneRecordChangesTheScoreByItsSensitivity(t *testing.T) {
	source := randomtest.New(5)
	clinic := learntest.Clinic()
	numbers, several := learntest.Numeric(clinic.Data, 0, 10), learntest.Several(clinic.Data)
	for _, c := range []struct {
		d    *data.Dataset
		loss glm.Loss
	}{{clinic.Data, glm.Logistic{}}, {numbers, glm.Squared{}}, {several, glm.Softmax{}}} {
		kind := c.d.Schema.Label.Type
		most := int64(learn.ScoreSensitivity(kind, privacy.AddRemove))
		assert.Equal(t, int(2*most), learn.ScoreSensitivity(kind, privacy.ReplaceOne))
		model := learn.Model{Schema: c.d.Schema, Loss: c.loss, Columns: c.d.Schema.Columns()}
		for range 20 {
			model.Coefficients = nil
			for range model.Vectors() * len(model.Columns) {
				model.Coefficients = append(model.Coefficients, 8*(uniform(t, source)-0.5))
			}
			total, parts := score(model, c.d), int64(0)
			for i, y := range c.d.Y {
				one := added(model, c.d.X.Row(i), y)
				assert.LessOrEqual(t, max(one, -one), most)
				parts += one
				if i < 3 {
					without := learntest.Every(c.d, func(k int) bool { return k != i })
					assert.Equal(t, total-one, score(model, without))
				}
			}
			assert.Equal(t, total, parts)
			assert.Equal(t, total, score(model, learntest.Dense(c.d)))
			if kind != data.NumericLabel {
				e := model.Evaluate(c.d)
				assert.EqualValues(t, 2*e.Correct-e.Rows, total)
			}
		}
		// Coefficients as large as any still add whole numbers within the range.
		for j := range model.Coefficients {
			model.Coefficients[j] = math.Copysign(learn.Farthest, float64(j%2)-0.5)
		}
		for i, y := range c.d.Y {
			one := added(model, c.d.X.Row(i), y)
			assert.LessOrEqual(t, max(one, -one), most)
		}
	}
}

// A run that fails loses against every other, and is the outcome if all do.
func TestFailedRunsLose(t *testing.T) {
	refused := &learn.Refusal{Cause: learn.CauseNoise}
	fails := func(context.Context, learn.Problem, random.Source, learn.Watch) (
		learn.Model, []*learn.Diagnostics, error,
	) {
		return learn.Model{}, nil, refused
	}
	plan := planned(t, 8, Candidate{Method: "amp"}, Candidate{Method: "amp", Lambda: 30})
	plan.Fits[1].Fit = fails
	source := randomtest.New(4)
	kept, failed := 0, 0
	for range 200 {
		model, _, err := plan.Fit(t.Context(), learntest.Clinic(), source, learn.Watch{})
		switch {
		case errors.Is(err, refused):
			failed++
		case errors.Is(err, ErrNoRun):
		default:
			require.NoError(t, err)
			assert.Zero(t, model.Selected.Candidate)
			kept++
		}
	}
	// All of K ≥ 1 runs fail: e^−2.5 − e^−5 = 0.075.
	assert.Less(t, failed, 40)
	assert.Greater(t, kept, 140)
}

func TestAChoiceThatCannotBeIsRefused(t *testing.T) {
	var parameter *privacy.ParameterError
	amp, steps := Candidate{Method: "amp"}, Candidate{Method: "steps"}
	for field, candidates := range map[string][]Candidate{
		"candidates":            {amp},
		"candidates[1].method":  {amp, {Method: "nonsense"}},
		"candidates[0].lambda":  {{Method: "steps", Lambda: 3}, amp},
		"candidates[1].lambda":  {amp, {Method: "amp", Lambda: 1e-9}},
		"candidates[1].records": {amp, steps},
		"candidates[0].method":  {{Method: "outptr"}, amp},
	} {
		asked := clinicAsked(1)
		if strings.Contains(field, "records") {
			asked.Records = 0
		}
		_, err := Choose(Asked{asked, candidates})
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
	_, err := Choose(Asked{clinicAsked(1), make([]Candidate, MostCandidates+1)})
	require.ErrorAs(t, err, &parameter)
	weighted := clinicAsked(1)
	weighted.Loss, err = glm.NewWeightedLogistic(5)
	require.NoError(t, err)
	_, err = Choose(Asked{weighted, []Candidate{amp, amp}})
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "loss", parameter.Field)

	// A row that breaks the schema's promise, and another label, are refused undrawn.
	plan := planned(t, 1, amp, steps)
	script := &randomtest.Script{}
	long := learntest.Clinic()
	long.Data.X.Value[0] = 50
	var row *learn.RowError
	_, _, err = plan.Fit(t.Context(), long, script, learn.Watch{})
	require.ErrorAs(t, err, &row)
	assert.Zero(t, script.Read)
	dry := errors.New("dry")
	for _, words := range []int{0, 5, 60, 400} {
		_, _, err := plan.Fit(
			t.Context(), learntest.Clinic(), randomtest.NewFailAfter(1, words, dry), learn.Watch{},
		)
		assert.ErrorIs(t, err, dry)
	}
}

// A release says what was chosen from, and is checked for it.
func TestAReleaseSaysWhatItWasChosenFrom(t *testing.T) {
	nativetest.Only(t)
	plan := planned(t, 4, Candidate{Method: "amp"}, Candidate{Method: "steps"})
	keep := clinicAsked(4).Guarantee
	seen := map[int]bool{}
	var r *learn.Release
	for seed := range uint64(20) {
		model, _, err := plan.Fit(
			t.Context(), learntest.Clinic(), randomtest.New(seed), learn.Watch{},
		)
		require.NoError(t, err)
		r, err = learn.NewRelease(plan.Event, keep, plan.Bound, model)
		require.NoError(t, err)
		require.NoError(t, r.State(learn.PrivateSelection))
		text, err := json.Marshal(r)
		require.NoError(t, err)
		assert.Contains(t, string(text), `"version":6`)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, *r.Model.Selected, *again.Model.Selected)
		same, err := json.Marshal(again)
		require.NoError(t, err)
		assert.JSONEq(t, string(text), string(same))
		_, failed := again.Verify().Failed()
		assert.False(t, failed)
		seen[model.Selected.Candidate] = true
	}
	assert.Len(t, seen, 2, "either can be chosen")

	fails := func(claim string, change func(*learn.Release)) {
		t.Helper()
		forged := *r
		selected := *r.Model.Selected
		forged.Model.Selected = &selected
		change(&forged)
		for _, finding := range forged.Verify() {
			if finding.Claim == claim {
				assert.False(t, finding.True, finding.Text)
				return
			}
		}
		assert.Fail(t, "nothing is said of it", claim)
	}
	fails("mechanism", func(r *learn.Release) { r.Model.Selected = nil })
	fails("mechanism", func(r *learn.Release) { r.Model.Selected.Candidate = 2 })
	fails("selected", func(r *learn.Release) { r.Model.Selected.Candidate = -1 })
	// A choice by a score that is not paid for.
	base := plan.Event.Base.(privacy.Composition)
	fails("mechanism", func(r *learn.Release) {
		r.Event = privacy.PoissonSelection{Mean: plan.Event.Mean, Base: base.Parts[0].Event}
	})
	// One fit that calls itself a selection's.
	fails("selected", func(r *learn.Release) { r.Event = plan.Fits[0].Event })
	fails("choice", func(r *learn.Release) { r.Event = plan.Fits[0].Event })
	// More runs than are paid for.
	fails("guarantee", func(r *learn.Release) {
		r.Event = privacy.PoissonSelection{Mean: 2 * plan.Event.Mean, Base: base}
	})
}
