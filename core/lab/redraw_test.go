package lab

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Other draws of the same recipe differ, by little, and lie around the one that
// is used: F* of 10,000 records has a standard deviation of some hundredths at
// most.
func TestOtherDrawsAreOfTheSameKind(t *testing.T) {
	ctx := context.Background()
	here, err := New(nil).LeastRisk(ctx, "synthetic-2d", 0.1)
	require.NoError(t, err)
	again, err := RedrawnLeastRisks(ctx, "synthetic-2d", 0.1, 3)
	require.NoError(t, err)
	require.Len(t, again, 3)
	for i, risk := range again {
		assert.InDelta(t, here, risk, 0.03)
		assert.NotEqual(t, here, risk)
		assert.NotEqual(t, again[(i+1)%3], risk)
	}
	accuracies, err := RedrawnAccuracies(ctx, "synthetic-l", 2)
	require.NoError(t, err)
	assert.NotEqual(t, accuracies[0], accuracies[1])
	for _, a := range accuracies {
		assert.True(t, a > 0.8 && a <= 1, a)
	}
	_, err = RedrawnAccuracies(ctx, "adult", 2)
	assert.ErrorContains(t, err, "drawn anew")
	_, err = RedrawnLeastRisks(ctx, "synthetic-2d", 0, 2)
	assert.ErrorContains(t, err, "lambda")
}

// A path takes no step exactly where its first one costs more than there is.
func TestFirstStepSaysWhetherAPathBegins(t *testing.T) {
	l := New(nil)
	p := Path{Set: "synthetic-2d", Lambda: 0.1, Schedule: "constant 0.001", Repetition: 1}
	r, err := l.Follow(context.Background(), p)
	require.NoError(t, err)
	began, stood := 0, 0
	for _, point := range r.Points {
		budget, cost, err := l.FirstStep(p, point.Epsilon)
		require.NoError(t, err)
		assert.Equal(t, cost <= budget, point.Steps > 0, point.Epsilon)
		if point.Steps > 0 {
			began++
		} else {
			stood++
		}
	}
	assert.True(t, began > 0 && stood > 0, "%d, %d", began, stood)
	// One step: ρ = Δ²/(2s²), where the mean gradient moves by Δ = 2Z/N under
	// replace-one at slopes below 1, and s is the noise's 0.001.
	set, err := l.standardise("synthetic-2d")
	require.NoError(t, err)
	_, cost, err := l.FirstStep(p, 1)
	require.NoError(t, err)
	assert.InEpsilon(t, math.Pow(2*set.radius/10000, 2)/(2*0.001*0.001), cost, 1e-9)
	p.Schedule = PathOracle
	_, _, err = l.FirstStep(p, 1)
	assert.ErrorAs(t, err, new(*privacy.ParameterError))
}
