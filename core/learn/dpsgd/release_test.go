package dpsgd

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func guaranteed(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
}

// What is fitted with calibrated noise can be released, and its claims are
// checked: less noise is found out.
func TestRelease(t *testing.T) {
	plan := planOf(NewAdam(0.1))
	at := func(z float64) privacy.Event {
		event, err := plan.For(
			privacy.SubsampledGaussian{
				Adjacency: privacy.AddRemove, Rate: plan.Rate, NoiseMultiplier: z,
				Steps: plan.Steps,
			},
		).
			Event()
		require.NoError(t, err)
		return event
	}
	descent, err := calibrate.Descent(plan.Rate, plan.Steps, guaranteed(2))
	require.NoError(t, err)
	// a release is priced more roughly than noise is chosen here
	z := descent.NoiseMultiplier * 1.002
	plan.NoiseMultiplier = z
	model, _, err := Fit(t.Context(), learntest.Clinic(), plan, randomtest.New(1), nil)
	require.NoError(t, err)
	release, err := learn.NewRelease(at(z), guaranteed(2), objective.BoundAuto, model)
	require.NoError(t, err)
	_, failed := release.Verify().Failed()
	assert.False(t, failed)
	text, err := json.Marshal(release)
	require.NoError(t, err)
	assert.Contains(t, string(text), "subsampled-gaussian")

	var claim *learn.ClaimError
	_, err = learn.NewRelease(at(0.99*z), guaranteed(2), objective.BoundAuto, model)
	require.ErrorAs(t, err, &claim)
	assert.Equal(t, "guarantee", claim.Finding.Claim)
}

// So can the winner of a private selection, for the price of the selection and
// not for that of one run.
func TestReleaseOfASelection(t *testing.T) {
	tuning := tuningOf(0.01, 0.1)
	tuning.Plan.Rate, tuning.Plan.NoiseMultiplier, tuning.ScoreSigma = 1, 100, 30
	event, err := tuning.Event()
	require.NoError(t, err)
	model, _, _, err := Tune(t.Context(), learntest.Clinic(), tuning, nil, randomtest.New(2), nil)
	require.NoError(t, err)
	_, err = learn.NewRelease(event, guaranteed(2), objective.BoundAuto, model)
	require.NoError(t, err)
	var claim *learn.ClaimError
	_, err = learn.NewRelease(event, guaranteed(0.5), objective.BoundAuto, model)
	require.ErrorAs(t, err, &claim)
	_, err = learn.NewRelease(event.Base, guaranteed(0.5), objective.BoundAuto, model)
	require.NoError(t, err, "that of one run would do")
}
