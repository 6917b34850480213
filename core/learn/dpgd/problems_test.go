package dpgd

import (
	"testing"

	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// What could not be released is not fitted.
func TestLossesThatDoNotSuitTheLabelAreRefused(t *testing.T) {
	plan := auditPlan(t, privacy.AddRemove, 1)
	learntest.RefusesLossesThatDoNotSuitTheLabel(t, func(problem learn.Problem, source random.Source) error {
		_, _, err := Fit(t.Context(), problem, plan, source, nil)
		return err
	})
}
