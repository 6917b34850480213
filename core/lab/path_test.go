package lab

import (
	"context"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn/dpgd"
	"cloister/core/privacy"
)

func followed(t *testing.T, l *Lab, p Path) PathResult {
	t.Helper()
	r, err := l.Follow(context.Background(), p)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the published data are not here")
	}
	require.NoError(t, err)
	return r
}

// Iris at the end of the range: the paper's Table 3 has 0.2778 and 0.2782, and
// the least possible risk, which Newton's method finds, is below them.
func TestPathsComeOutAsThePaperSays(t *testing.T) {
	l := New(published)
	first := followed(t, l, Path{Set: "iris", Lambda: 0.1, Schedule: PathAdaptive, Repetition: 1})
	assert.Equal(t, first, followed(t, New(published), first.Path), "always the same")
	least, err := l.LeastRisk(context.Background(), "iris", 0.1)
	require.NoError(t, err)
	assert.InDelta(t, 0.27705, least, 1e-5)
	var risks []float64
	for k := range 15 {
		p := first.Path
		p.Repetition = k + 1
		points := followed(t, l, p).Points
		end := points[len(points)-1]
		assert.Equal(t, 20.0, end.Epsilon)
		assert.Greater(t, end.Risk, least)
		risks = append(risks, end.Risk)
	}
	assert.InDelta(t, 0.2778, MeanOf(risks).Value, 0.008)
}

// Along a path: it stays at θ₀ until ε pays for a step, steps never get fewer,
// and the price of those taken, worked out anew from the paper's formula, is
// within ε and that of one more is not.
func TestPathsSpendWhatTheySay(t *testing.T) {
	l := New(published)
	for _, schedule := range PathSchedules() {
		for _, lambda := range []float64{0, 0.1} {
			p := Path{Set: "iris", Lambda: lambda, Schedule: schedule, Repetition: 1}
			points := followed(t, l, p).Points
			require.Len(t, points, len(PathEpsilons()))
			if points[0].Steps == 0 {
				assert.InDelta(t, math.Ln2, points[0].Risk, 1e-12)
			} else { // the convex schedule begins with noise so large that it costs next to nothing
				assert.True(t, lambda == 0 && schedule == PathAdaptive)
			}
			steps := 0
			for _, point := range points {
				assert.GreaterOrEqual(t, point.Steps, steps)
				steps = point.Steps
			}
		}
	}
	set, err := l.standardise("iris")
	require.NoError(t, err)
	// σ = 0.1: each step costs (2Z/(Nσ))²/2 of ρ.
	r := followed(t, l, Path{Set: "iris", Lambda: 0.1, Schedule: "constant 0.1", Repetition: 1})
	cost := math.Pow(2*set.radius/(150*0.1), 2) / 2
	for _, point := range r.Points {
		rho := dpgd.RhoOf(
			privacy.Guarantee{
				Adjacency: privacy.ReplaceOne,
				Epsilon:   point.Epsilon,
				Delta:     1.0 / 150,
			},
		)
		assert.Equal(t, int(rho/cost), point.Steps, "ε = %g", point.Epsilon)
	}
}

func TestStandardisedFeaturesHaveMeanZeroAndVarianceOne(t *testing.T) {
	for _, name := range PathSets() {
		set, err := New(published).standardise(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		n := float64(set.data.X.Rows())
		longest := 0.0
		for j := range set.data.X.Columns {
			mean, squares := 0.0, 0.0
			for i := range set.data.X.Rows() {
				v := set.data.X.Row(i).Value[j] * set.radius
				mean, squares = mean+v/n, squares+v*v/n
			}
			assert.InDelta(t, 0, mean, 1e-9)
			assert.InDelta(t, 1, squares, 1e-9)
		}
		for i := range set.data.X.Rows() {
			longest = math.Max(longest, set.data.X.Row(i).Dot(set.data.X.Row(i).Value))
		}
		assert.InDelta(t, 1, longest, 1e-9)
	}
}

func TestPathErrorsNameWhatIsWrong(t *testing.T) {
	l := New(nil)
	_, err := l.Follow(
		context.Background(), Path{Set: "mnist", Schedule: PathAdaptive, Repetition: 1},
	)
	assert.ErrorContains(t, err, "choose from adult")
	_, err = l.Follow(
		context.Background(), Path{Set: "synthetic-2d", Schedule: "magic", Repetition: 1},
	)
	assert.ErrorContains(
		t,
		err,
		`there is no schedule "magic" in the laboratory: choose from adaptive, constant 0.001`,
	)
	for field, p := range map[string]Path{
		"repetition": {Set: "synthetic-2d", Schedule: PathAdaptive},
		"lambda":     {Set: "synthetic-2d", Schedule: PathAdaptive, Repetition: 1, Lambda: -1},
	} {
		wrong, ok := errors.AsType[*privacy.ParameterError](
			second(l.Follow(context.Background(), p)),
		)
		if assert.True(t, ok, field) {
			assert.Equal(t, field, wrong.Field)
		}
	}
	_, ok := errors.AsType[*MissingFileError](
		second(
			l.Follow(
				context.Background(), Path{Set: "iris", Schedule: PathAdaptive, Repetition: 1},
			),
		),
	)
	assert.True(t, ok)
}

func second[T any](_ T, err error) error { return err }
