package objective

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// someEvents are logistic events, objective perturbation and approximate
// minima (continuous and on a lattice), over the settings.
func someEvents() []privacy.Event {
	var list []privacy.Event
	for i, s := range settings {
		o := logisticEvent(s[0], s[1], s[2], s[3])
		o.Dimension = 20
		list = append(list, o)
		if i%3 == 0 {
			mu := s[1] / s[3]
			sigmaOut := 0x1p-6
			list = append(
				list,
				privacy.ApproximateMinima{
					Objective: o,
					Tau:       mu / 10 * sigmaOut * s[2] / 2,
					SigmaOut:  sigmaOut,
				},
				privacy.ApproximateMinima{
					Objective: o,
					Tau:       2 * mu * sigmaOut * s[2] / 2,
					SigmaOut:  sigmaOut,
					Grid:      sigmaOut / (1 << 22),
				},
			)
		}
	}
	return list
}

func objectiveOf(event privacy.Event) privacy.ObjectivePerturbation {
	if e, ok := event.(privacy.ApproximateMinima); ok {
		return e.Objective
	}
	return event.(privacy.ObjectivePerturbation)
}

func withObjective(event privacy.Event, o privacy.ObjectivePerturbation) privacy.Event {
	if e, ok := event.(privacy.ApproximateMinima); ok {
		e.Objective = o
		return e
	}
	return o
}

// slack is how far two upper bounds of ordered quantities may lie the wrong way.
func slack(logDelta float64) float64 { return 1e-12 + 1e-13*math.Abs(logDelta) }

var someEpsilons = []float64{-1.5, -0.1, 0, 0.02, 0.3, 1, 2.5, 7}

func TestBoundsAreOrdered(t *testing.T) {
	for _, event := range someEvents() {
		profiles := map[Bound]curve.Curve{}
		for _, bound := range Applicable(privacy.LossLogistic) {
			if profile, err := Of(event, bound); err == nil {
				profiles[bound] = profile
			}
		}
		auto := curveOf(t, event, BoundAuto)
		lower, err := LowerBound(event)
		require.NoError(t, err)
		for _, epsilon := range someEpsilons {
			at := func(b Bound) float64 {
				profile, ok := profiles[b]
				if !ok {
					return 0
				}
				return profile.LogDeltaUpper(epsilon)
			}
			control := at(BoundControl)
			assert.LessOrEqual(t, lower.LogDeltaLower(epsilon), control, "%+v at %v", event, epsilon)
			if epsilon >= 0 { // where the added direction is the larger
				assert.LessOrEqual(
					t, control, at(BoundLogistic)+slack(control), "%+v at %v", event, epsilon,
				)
			}
			logistic, signed, glm := at(BoundLogistic), at(BoundSigned), at(BoundGLM)
			assert.LessOrEqual(t, logistic, signed+slack(signed), "%+v at %v", event, epsilon)
			assert.LessOrEqual(t, signed, glm+slack(glm), "%+v at %v", event, epsilon)
			assert.LessOrEqual(t, glm, at(BoundProfile)+slack(glm), "%+v at %v", event, epsilon)
			assert.LessOrEqual(
				t, at(BoundProfile), at(BoundRDP)+slack(glm), "%+v at %v", event, epsilon,
			)
			assert.LessOrEqual(t, glm, at(BoundKifer)+slack(glm), "%+v at %v", event, epsilon)
			assert.Equal(t, control, auto.LogDeltaUpper(epsilon))
			assert.LessOrEqual(
				t, lower.LogDeltaLower(epsilon), logistic, "%+v at %v", event, epsilon,
			)
		}
	}
}

// sharpness is what a bound may gain or lose from one parameter to the next: that of
// BoundControl is a search's, and rounded up by more here than there.
func sharpness(bound Bound) float64 {
	if bound == BoundControl {
		return 1e-4
	}
	return 0
}

// The curve is the added direction's; the removed one is never above it. That is not so of
// BoundControl, below ε = 0 and near it: its curve is the larger of the two.
func TestAddedIsTheWorseDirection(t *testing.T) {
	for i, event := range someEvents() {
		for _, bound := range Applicable(privacy.LossLogistic) {
			if bound == BoundControl && testing.Short() && i%4 != 0 {
				continue // thousands of searches
			}
			pair, err := Directions(event, bound)
			if err != nil {
				continue
			}
			curve := curveOf(t, event, bound)
			for _, epsilon := range someEpsilons {
				added, removed := pair.Added.LogDeltaUpper(epsilon), pair.Removed.LogDeltaUpper(
					epsilon,
				)
				if bound == BoundControl {
					assert.Equal(t, math.Max(added, removed), curve.LogDeltaUpper(epsilon))
					continue
				}
				assert.LessOrEqual(
					t, removed, added+slack(added), "%s %+v at %v", bound, event, epsilon,
				)
				assert.Equal(t, added, curve.LogDeltaUpper(epsilon))
				assert.Equal(t, math.Max(added, removed), pair.LogDeltaUpper(epsilon))
			}
		}
	}
}

func TestProfilesAreMonotone(t *testing.T) {
	for i, event := range someEvents() {
		for _, bound := range Applicable(privacy.LossLogistic) {
			if bound == BoundControl && testing.Short() && i%4 != 0 {
				continue // thousands of searches
			}
			base, err := Of(event, bound)
			if err != nil {
				continue
			}
			o := objectiveOf(event)
			before := 0.0
			for _, epsilon := range someEpsilons {
				value := base.LogDeltaUpper(epsilon)
				assert.LessOrEqual(
					t, value, before+slack(value)+sharpness(bound), "%s %+v in ε at %v", bound, event, epsilon,
				)
				before = value
				for name, change := range map[string]func(*privacy.ObjectivePerturbation){
					"σ": func(o *privacy.ObjectivePerturbation) { o.Sigma *= 1.07 },
					"λ": func(o *privacy.ObjectivePerturbation) { o.Lambda *= 1.07 },
				} {
					if bound == BoundKifer && name == "λ" {
						continue // not convex, it may gain from a noisier output
					}
					better := o
					change(&better)
					other := curveOf(t, withObjective(event, better), bound).LogDeltaUpper(epsilon)
					assert.LessOrEqual(
						t, other, value+slack(value)+sharpness(bound), "%s %+v in %s at %v", bound, event, name,
						epsilon,
					)
				}
			}
		}
	}
}

func TestEpsilonInvertsDelta(t *testing.T) {
	for i, event := range someEvents() {
		for _, bound := range Applicable(privacy.LossLogistic) {
			if _, alone := event.(privacy.ObjectivePerturbation); bound == BoundControl && !alone {
				continue // a minute for each
			}
			profile, err := Of(event, bound)
			if err != nil || (bound == BoundRDP && i%4 > 0) || (bound == BoundControl && i%5 > 0) {
				continue
			}
			before := math.Inf(1)
			for _, delta := range []float64{1e-300, 1e-12, 1e-5, 0.01, 0.4, 0.999} {
				epsilon, err := curve.EpsilonUpper(profile, delta)
				require.NoError(t, err)
				require.False(
					t, math.IsInf(epsilon, 0) || math.IsNaN(epsilon) || epsilon < 0,
					"%s %+v at δ = %v: %v", bound, event, delta, epsilon,
				)
				assert.LessOrEqual(t, epsilon, before*(1+sharpness(bound)), "%s %+v at δ = %v", bound, event, delta)
				before = epsilon
				// A relative 1e-9 more ε always has the δ; less does not, but for 0.
				back := profile.LogDeltaUpper(epsilon * (1 + 1e-9))
				assert.LessOrEqual(
					t, back, math.Log(delta)+slack(math.Log(delta)), "%s %+v at δ = %v", bound,
					event, delta,
				)
				if epsilon > 1e-6 && bound != BoundKifer {
					assert.GreaterOrEqual(
						t, profile.LogDeltaUpper(epsilon*(1-1e-7)),
						math.Log(delta)-1e-9-sharpness(bound),
						"%s %+v at δ = %v", bound, event, delta,
					)
				}
				logged, err := curve.EpsilonUpperLog(profile, math.Log(delta))
				require.NoError(t, err)
				assert.InDelta(t, epsilon, logged, (1e-9+sharpness(bound))*(1+epsilon))
			}
		}
	}
}

func TestReplaceOne(t *testing.T) {
	for i, event := range someEvents() {
		if i%2 > 0 {
			continue
		}
		o := objectiveOf(event)
		o.Adjacency = privacy.ReplaceOne
		for _, bound := range []Bound{BoundLogistic, BoundSigned, BoundProfile, BoundKifer} {
			pair, err := Directions(event, bound)
			if err != nil || (bound == BoundLogistic && i%6 > 0) {
				continue
			}
			curve := curveOf(t, withObjective(event, o), bound)
			assert.Equal(t, privacy.ReplaceOne, curve.Adjacency())
			for _, epsilon := range []float64{0.3, 2, 6} {
				got := curve.LogDeltaUpper(epsilon)
				// No split of a fine grid, in either order, does better.
				best := 0.0
				for k := -20; k <= 120; k += 4 {
					first := epsilon * float64(k) / 100
					second := epsilon - first
					there := logSum(
						pair.Added.LogDeltaUpper(first), first+pair.Removed.LogDeltaUpper(second),
					)
					back := logSum(
						pair.Removed.LogDeltaUpper(first), first+pair.Added.LogDeltaUpper(second),
					)
					best = math.Min(best, math.Min(there, back))
				}
				assert.LessOrEqual(
					t, got, best+1e-6*(1+math.Abs(best)), "%s %+v at %v", bound, event, epsilon,
				)
				assert.GreaterOrEqual(
					t, got, pair.LogDeltaUpper(epsilon)-slack(got),
					"replacing costs no less than adding",
				)
			}
		}
	}
}

func logSum(a, b float64) float64 {
	m := math.Max(a, b)
	return m + math.Log(math.Exp(a-m)+math.Exp(b-m))
}

func TestWideParametersNeverBreak(t *testing.T) {
	nativetest.Only(t)
	var values []float64
	for e := -6.0; e <= 6; e += 4 {
		values = append(values, math.Pow(10, e))
	}
	check := func(profile curve.Curve, event any) {
		for _, epsilon := range []float64{-700, -1, 0, 1e-9, 1, 1e3, 1e8} {
			value := profile.LogDeltaUpper(epsilon)
			assert.False(
				t, math.IsNaN(value) || value > 0 || math.IsInf(value, 0), "%+v at %v: %v", event,
				epsilon, value,
			)
			delta, err := curve.DeltaUpper(profile, epsilon)
			require.NoError(t, err)
			assert.True(t, delta > 0 && delta <= 1, "%+v at %v: %v", event, epsilon, delta)
		}
		for _, delta := range []float64{1e-300, 1e-5, 0.5} {
			epsilon, err := curve.EpsilonUpper(profile, delta)
			require.NoError(t, err, "%+v", event)
			assert.True(t, epsilon >= 0, "%+v at δ = %v: %v", event, delta, epsilon)
		}
		assert.Equal(t, 0.0, profile.LogDeltaUpper(math.NaN()))
		assert.Equal(t, 0.0, profile.LogDeltaUpper(math.Inf(-1)))
	}
	for _, sigma := range values {
		gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
		check(curveOf(t, gaussian, BoundAuto), gaussian)
		for _, lambda := range values {
			for _, share := range []float64{1, 0.01} {
				event := logisticEvent(1, share, lambda, sigma)
				event.Dimension = 1000
				events := []privacy.Event{
					event,
					privacy.ApproximateMinima{
						Objective: event,
						Tau:       1e-6,
						SigmaOut:  0x1p-10,
						Grid:      0x1p-34,
					},
				}
				for _, e := range events {
					for _, bound := range []Bound{BoundLogistic, BoundGLM, BoundKifer} {
						check(curveOf(t, e, bound), e)
					}
				}
				added, removed, err := Renyi(event, BoundLogistic)
				require.NoError(t, err)
				for _, alpha := range []float64{1, 1.5, 30, 1e6} {
					assert.True(
						t,
						added(alpha) >= removed(alpha)*(1-1e-12) && removed(alpha) >= 0 &&
							!math.IsNaN(added(alpha)),
						"%+v at α = %v: %v, %v",
						event,
						alpha,
						added(alpha),
						removed(alpha),
					)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	event := logisticEvent(1, 1, 0.2, 3)
	var parameter *privacy.ParameterError
	for _, bound := range []Bound{BoundProfile, BoundRDP} {
		_, err := Of(event, bound)
		require.True(t, errors.As(err, &parameter), "%v", err)
		assert.Equal(t, "lambda", parameter.Field)
		assert.Contains(t, err.Error(), "0.25", "says what would do")
	}
	event.Loss = privacy.LossGLM
	_, err := Of(event, BoundSigned)
	var inapplicable *InapplicableError
	require.True(t, errors.As(err, &inapplicable))
	assert.Equal(
		t,
		`the bound "signed" does not apply to the loss class "glm"; what does: "glm", "profile", "rdp", "kifer"`,
		err.Error(),
	)
	event.Loss, event.Dimension = privacy.LossSmooth, 3
	_, err = Of(event, BoundGLM)
	require.True(t, errors.As(err, &inapplicable))
	assert.Equal(t, []Bound{BoundRDP}, inapplicable.Instead)
	_, err = Of(event, BoundAuto)
	require.True(t, errors.As(err, &parameter), "λ ≤ β")
	assert.Equal(t, "lambda", parameter.Field)

	for field, change := range map[string]func(*privacy.ObjectivePerturbation){
		"sigma":     func(o *privacy.ObjectivePerturbation) { o.Sigma = 0 },
		"lambda":    func(o *privacy.ObjectivePerturbation) { o.Lambda = math.NaN() },
		"lipschitz": func(o *privacy.ObjectivePerturbation) { o.Lipschitz = math.Inf(1) },
		"adjacency": func(o *privacy.ObjectivePerturbation) { o.Adjacency = 0 },
		"loss":      func(o *privacy.ObjectivePerturbation) { o.Loss = "" },
	} {
		o := logisticEvent(1, 1, 1, 3)
		change(&o)
		_, err := Of(o, BoundAuto)
		require.True(t, errors.As(err, &parameter), "%s: %v", field, err)
		assert.Equal(t, field, parameter.Field)
		_, err = LowerBound(o)
		assert.Error(t, err)
		_, _, err = Renyi(o, BoundAuto)
		assert.Error(t, err)
		_, _, err = Losses(o, BoundAuto)
		assert.Error(t, err)
	}
	good := logisticEvent(1, 1, 1, 3)
	_, err = Of(good, "best")
	require.True(t, errors.As(err, &parameter))
	assert.Equal(t, "bound", parameter.Field)
	_, err = Of(nil, BoundAuto)
	assert.ErrorContains(t, err, "event")
	_, err = Of(
		privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            0.1,
			NoiseMultiplier: 1,
			Steps:           10,
		},
		BoundAuto,
	)
	assert.ErrorContains(t, err, "mechanism")
	_, _, err = Renyi(good, BoundKifer)
	assert.True(t, errors.As(err, &inapplicable))
	_, _, err = Losses(good, BoundRDP)
	require.True(t, errors.As(err, &inapplicable))
	assert.Equal(
		t, []Bound{BoundLogistic, BoundSigned, BoundGLM, BoundProfile}, inapplicable.Instead,
	)
	good.Adjacency = privacy.ReplaceOne
	_, _, err = Losses(good, BoundAuto)
	assert.ErrorContains(t, err, "adjacency")

	profile := curveOf(t, logisticEvent(1, 1, 1, 3), BoundAuto)
	_, err = curve.DeltaUpper(profile, math.NaN())
	assert.ErrorContains(t, err, "epsilon")
	for _, delta := range []float64{0, 1, -1, math.NaN(), 2} {
		_, err = curve.EpsilonUpper(profile, delta)
		assert.ErrorContains(t, err, "delta")
	}
	_, err = curve.EpsilonUpperLog(profile, 0)
	assert.ErrorContains(t, err, "log_delta")
	assert.NotEmpty(t, Bound("nonsense").Theorem())
	for _, b := range Bounds() {
		assert.NotEqual(t, "unknown", b.Theorem())
	}
}
