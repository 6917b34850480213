package amp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

func guaranteed(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
}

func calibrated(t testing.TB, schema *data.Schema, epsilon float64) privacy.ApproximateMinima {
	event, err := calibrate.Minima(Request(schema, guaranteed(epsilon), objective.BoundAuto))
	require.NoError(t, err)
	return event
}

// What could not be released is not charged for: whoever charges asks Check.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	event := calibrated(t, learntest.Schema(2, 0.5), 1)
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t, func(problem learn.Problem, _ random.Source) error { return Check(problem, event) },
	)
	learntest.RefusesLossesThatDoNotSuitTheLabel(
		t,
		func(problem learn.Problem, source random.Source) error {
			_, _, err := Fit(t.Context(), problem, event, source, nil)
			return err
		},
	)
}
