package selection

import (
	"encoding/json"
	"errors"
	"fmt"
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
	"cloister/core/random/randomtest"
)

// choicesOfSeveral are those that there are for a label of three classes: the λ of a softmax,
// its method, and the λ of one fit a class.
func choicesOfSeveral(t *testing.T) map[string]Asked {
	out := map[string]Asked{}
	for name, loss := range map[string]glm.Loss{
		"softmax": glm.Softmax{}, "one against the rest": glm.Logistic{},
	} {
		asked := clinicAsked(4)
		asked.Schema, asked.Loss = learntest.Several(learntest.Clinic().Data).Schema, loss
		lambdas, err := Lambdas(asked)
		require.NoError(t, err)
		out["λ, "+name] = Asked{asked, lambdas}
		if name == "softmax" {
			out["method"] = Asked{asked, Methods(data.SeveralClasses)}
		}
	}
	return out
}

// ofSeveral are the plans of choicesOfSeveral, each made once for all tests.
var ofSeveral = map[string]Plan{}

func planOfSeveral(t *testing.T, name string, asked Asked) Plan {
	t.Helper()
	plan, ok := ofSeveral[name]
	if !ok {
		var err error
		plan, err = Choose(asked)
		require.NoError(t, err, name)
		ofSeveral[name] = plan
	}
	return plan
}

// A choice among fits of several classes keeps its guarantee, and its release says so and is
// checked for every candidate, those that were not chosen too.
func TestAChoiceAmongFitsOfSeveralClasses(t *testing.T) {
	nativetest.Only(t)
	for name, asked := range choicesOfSeveral(t) {
		plan := planOfSeveral(t, name, asked)
		assert.Greater(t, plan.Each.Epsilon, asked.Guarantee.Epsilon/6, name)
		assert.Less(t, plan.Each.Epsilon, asked.Guarantee.Epsilon/2, name)
		problem := learn.Problem{Data: learntest.Several(learntest.Clinic().Data), Loss: asked.Loss}
		model, notes, err := plan.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
		require.NoError(t, err, name)
		assert.NotEmpty(t, notes, name)
		assert.Equal(t, 3, model.Vectors(), name)
		assert.InDelta(t, score(model, problem.Data), model.Selected.Score, 6*plan.noise, name)
		r, err := learn.NewRelease(plan.Event, asked.Guarantee, plan.Bound, model)
		require.NoError(t, err, name)
		require.NoError(t, r.State(learn.PrivateSelection), name)
		price, _, err := r.Price(account.Renyi, plan.Bound)
		require.NoError(t, err, name)
		costs, err := price.EpsilonUpper(asked.Guarantee.Delta)
		require.NoError(t, err, name)
		assert.LessOrEqual(t, costs, asked.Guarantee.Epsilon, name)
		assert.Greater(t, costs, asked.Guarantee.Epsilon*(1-3e-3), name)
		text, err := json.Marshal(r)
		require.NoError(t, err, name)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err, name)
		findings := again.Verify()
		failed, is := findings.Failed()
		assert.False(t, is, "%s: %s", name, failed.Text)

		other := (model.Selected.Candidate + 1) % len(plan.Fits)
		for what, forged := range map[string]privacy.Event{
			"fewer vectors": fewerClasses(plan.Fits[other].Event),
			"fewer columns": narrower(plan.Fits[other].Event),
		} {
			if forged == nil {
				continue
			}
			r.Event = withCandidate(plan.Event, other, forged)
			said := false
			for _, finding := range r.Verify() {
				said = said || finding.Claim == "selected" && !finding.True
			}
			assert.True(t, said, "%s: %s of a candidate that was not chosen", name, what)
		}
	}
}

// fewerClasses is a fit of one class less; nil where the event does not say how many there are.
func fewerClasses(event privacy.Event) privacy.Event {
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		e.Objective.Classes--
		e.Objective.Dimension -= e.Objective.Dimension / (e.Objective.Classes + 1)
		return e
	case privacy.Composition:
		e.Parts = []privacy.Part{{Event: e.Parts[0].Event, Count: e.Parts[0].Count - 1}}
		return e
	}
	return nil
}

// narrower is a fit of one column less; nil where the event does not say how many there are.
func narrower(event privacy.Event) privacy.Event {
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		e.Objective.Dimension -= max(1, e.Objective.Classes)
		return e
	case privacy.Composition:
		part := e.Parts[0]
		part.Event = narrower(part.Event)
		e.Parts = []privacy.Part{part}
		return e
	}
	return nil
}

// withCandidate is the selection with another event in the place of one candidate's.
func withCandidate(
	event privacy.PoissonSelection, at int, candidate privacy.Event,
) privacy.PoissonSelection {
	base := event.Base.(privacy.Composition)
	among := base.Parts[0].Event.(privacy.OneOf)
	among.Events = append([]privacy.Event{}, among.Events...)
	among.Events[at] = candidate
	parts := append([]privacy.Part{}, base.Parts...)
	parts[0].Event = among
	base.Parts = parts
	event.Base = base
	return event
}

// One fit a class has one method, and so no choice of it.
func TestOneAgainstTheRestHasOneMethod(t *testing.T) {
	asked := choicesOfSeveral(t)["λ, one against the rest"]
	asked.Candidates = Methods(data.SeveralClasses)
	_, err := Choose(asked)
	var parameter *privacy.ParameterError
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "candidates[1].loss", parameter.Field)
}

// Of several classes, too, a setting that is no use is chosen no more often than it must be.
func TestTheBetterSettingOfSeveralClassesIsChosen(t *testing.T) {
	for _, loss := range []glm.Loss{glm.Softmax{}, glm.Logistic{}} {
		asked := clinicAsked(40)
		problem := learn.Problem{Data: learntest.Several(learntest.Clinic().Data), Loss: loss}
		asked.Schema, asked.Loss = problem.Data.Schema, loss
		plan, err := Choose(Asked{
			asked, []Candidate{{Method: "amp", Lambda: 4}, {Method: "amp", Lambda: 1e6}},
		})
		require.NoError(t, err)
		good, bad := 0, 0
		for seed := range uint64(60) {
			model, _, err := plan.Fit(t.Context(), problem, randomtest.New(seed), learn.Watch{})
			if errors.Is(err, ErrNoRun) {
				continue
			}
			require.NoError(t, err)
			if model.Selected.Candidate == 0 {
				good++
			} else {
				bad++
			}
		}
		// No run of the good one at all: e^−2.5 = 0.08.
		assert.Greater(t, good, 45, fmt.Sprintf("%T", loss))
		assert.Less(t, bad, 15, fmt.Sprintf("%T", loss))
	}
}

// Near the ε that was asked for, what is estimated of a trial is close to that of the choice made
// anew; at it, it is the same.
func TestATrialNearAnotherEpsilonIsClose(t *testing.T) {
	nativetest.Only(t)
	for name, asked := range choicesOfSeveral(t) {
		plan := planOfSeveral(t, name, asked)
		want, err := plan.Chosen().Trial()
		require.NoError(t, err, name)
		same, err := plan.TrialNear(asked, 4, true)
		require.NoError(t, err, name)
		for i, fit := range want.Selection.Among {
			near := same.Selection.Among[i]
			assert.InDelta(t, fit.Sigma, near.Sigma, 1e-9*fit.Sigma, name)
			assert.Equal(t, fit.Lambda, near.Lambda, name)
			assert.Equal(t, fit.Steps, near.Steps, name)
		}
		assert.InEpsilon(t, want.Selection.Sigma, same.Selection.Sigma, 1e-12, name)
		other := asked
		other.Guarantee.Epsilon = 1
		if other.Candidates[0].Lambda != 0 {
			other.Candidates, err = Lambdas(other.Asked)
			require.NoError(t, err, name)
		}
		anew, err := Choose(other)
		require.NoError(t, err, name)
		want, err = anew.Chosen().Trial()
		require.NoError(t, err, name)
		near, err := plan.TrialNear(asked, 1, true)
		require.NoError(t, err, name)
		for i, fit := range want.Selection.Among {
			close := near.Selection.Among[i]
			t.Logf("%s, %d: σ %.4g for %.4g, λ %.4g for %.4g", name, i,
				close.Sigma, fit.Sigma, close.Lambda, fit.Lambda)
			if fit.Steps != nil {
				assert.InEpsilon(t, fit.Steps.Sigmas[0], close.Steps.Sigmas[0], 0.4, name)
				continue
			}
			assert.InEpsilon(t, fit.Sigma, close.Sigma, 0.4, name)
			assert.InEpsilon(t, fit.Lambda, close.Lambda, 0.4, name)
		}
	}
}
