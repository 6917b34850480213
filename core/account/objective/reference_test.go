package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/privacy"
)

type referenceCase struct {
	ID, Kind string
	Params   struct {
		Epsilon, Delta, Sigma, Sensitivity, Alpha float64
		L, Beta, R, F, Tau                        float64
		Lambda                                    float64 `json:"lambda_"`
		SigmaOut                                  float64 `json:"sigma_out"`
		D                                         int
	}
	Expected map[string]any
}

func (c referenceCase) number(t *testing.T, name string) float64 {
	t.Helper()
	value, ok := c.Expected[name].(float64)
	require.True(t, ok, "%s: expected.%s", c.ID, name)
	return value
}

// glm is the event of the reference files that bound ‖x‖ by 1.
func (c referenceCase) glm() privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: 1,
		Lipschitz: c.Params.L, Smoothness: c.Params.Beta, Lambda: c.Params.Lambda,
		Sigma: c.Params.Sigma,
	}
}

func (c referenceCase) minima() privacy.ApproximateMinima {
	return privacy.ApproximateMinima{
		Objective: c.glm(),
		Tau:       c.Params.Tau,
		SigmaOut:  c.Params.SigmaOut,
	}
}

// A tenth of the files' tolerances is what a safe bound may lie above.
func assertLogDelta(t *testing.T, c referenceCase, name string, p curve.Profile) {
	t.Helper()
	want, got := c.number(t, name), p.LogDeltaUpper(c.Params.Epsilon)
	assert.LessOrEqual(
		t, got-want, 1e-10+1e-13*math.Abs(want), "%s: want %v, got %v", c.ID, want, got,
	)
	assert.GreaterOrEqual(
		t, got, want-4e-16*math.Abs(want), "%s is safe: want %v, got %v", c.ID, want, got,
	)
}

func assertEpsilon(t *testing.T, c referenceCase, p curve.Profile) {
	t.Helper()
	want := c.number(t, "epsilon")
	got, err := curve.EpsilonUpper(p, c.Params.Delta)
	require.NoError(t, err, c.ID)
	assert.LessOrEqual(t, got-want, 1e-10+1e-10*want, "%s: want %v, got %v", c.ID, want, got)
	assert.GreaterOrEqual(t, got, want*(1-4e-16), "%s is safe: want %v, got %v", c.ID, want, got)
}

func curveOf(t *testing.T, event privacy.Event, bound Bound) curve.Curve {
	t.Helper()
	profile, err := Of(event, bound)
	require.NoError(t, err)
	return profile
}

func TestReferenceGaussian(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "A") {
		event := privacy.Gaussian{
			Adjacency:   privacy.AddRemove,
			Sensitivity: c.Params.Sensitivity,
			Sigma:       c.Params.Sigma,
		}
		lower, err := LowerBound(event)
		require.NoError(t, err)
		if c.Kind == "delta" {
			assertLogDelta(t, c, "log_delta", curveOf(t, event, BoundAuto))
			want := c.number(t, "log_delta")
			assert.LessOrEqual(t, lower.LogDeltaLower(c.Params.Epsilon), want, c.ID)
			assert.GreaterOrEqual(
				t, lower.LogDeltaLower(c.Params.Epsilon), want-1e-10-1e-13*math.Abs(want), c.ID,
			)
		} else {
			assertEpsilon(t, c, curveOf(t, event, BoundAuto))
			want := c.number(t, "epsilon")
			got, err := lower.EpsilonLower(c.Params.Delta)
			require.NoError(t, err)
			assert.LessOrEqual(t, got, want, c.ID)
			assert.GreaterOrEqual(t, got, want-1e-10-1e-10*want, c.ID)
		}
	}
}

func TestReferenceProfile(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "B") {
		curve := curveOf(t, c.glm(), BoundProfile)
		if c.Kind == "delta" {
			assertLogDelta(t, c, "log_delta", curve)
		} else {
			assertEpsilon(t, c, curve)
		}
	}
}

func assertRDP(t *testing.T, c referenceCase, event privacy.Event, relative float64) {
	t.Helper()
	switch c.Kind {
	case "rdp":
		want := c.number(t, "rdp")
		added, removed, err := Renyi(event, BoundRDP)
		require.NoError(t, err, c.ID)
		assert.LessOrEqual(
			t, added(c.Params.Alpha)/want-1, relative/10, "%s: want %v, got %v", c.ID, want,
			added(c.Params.Alpha),
		)
		assert.GreaterOrEqual(t, added(c.Params.Alpha), want, "%s is safe", c.ID)
		assert.Equal(t, added(c.Params.Alpha), removed(c.Params.Alpha), c.ID)
	case "rdp_epsilon":
		assertEpsilon(t, c, curveOf(t, event, BoundRDP))
	case "rdp_delta":
		assertLogDelta(t, c, "log_delta", curveOf(t, event, BoundRDP))
	default:
		t.Errorf("%s: kind %s", c.ID, c.Kind)
	}
}

func TestReferenceRDP(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "C") {
		assertRDP(t, c, c.glm(), 1e-10)
	}
}

func TestReferenceMinimaRDP(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "D") {
		assertRDP(t, c, c.minima(), 1e-10)
	}
}

func TestReferenceSmoothRDP(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "E") {
		event := c.glm()
		event.Loss, event.Dimension = privacy.LossSmooth, c.Params.D
		assertRDP(t, c, event, 1e-9)
	}
}

func TestReferenceKifer(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "F") {
		switch c.Kind {
		case "min_params": // package calibrate
		case "min_epsilon":
			epsilon, err := curve.EpsilonUpper(curveOf(t, c.glm(), BoundKifer), c.Params.Delta)
			require.NoError(t, err)
			assert.InEpsilon(t, c.number(t, "epsilon"), epsilon, 1e-13, c.ID)
			assert.GreaterOrEqual(t, epsilon, c.number(t, "epsilon")*(1-4e-16), c.ID)
		case "thm31_at_kifer":
			assertLogDelta(t, c, "log_delta", curveOf(t, c.glm(), BoundProfile))
		default:
			t.Fatalf("%s: kind %s", c.ID, c.Kind)
		}
	}
}

// The file's quadratures do not know where g has its kinks and are good to some
// 4e-11 only; that the bound is safe is tested against better ones elsewhere.
func TestReferenceSharper(t *testing.T) {
	for _, c := range golden.Cases[referenceCase](t, "N") {
		p := c.Params
		event := privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: p.R, Lipschitz: p.R,
			Smoothness: 0.25, Lambda: p.Lambda, Sigma: p.Sigma,
		}
		near := func(name string, got float64) {
			t.Helper()
			want := c.number(t, name)
			assert.LessOrEqual(
				t, math.Abs(got-want), 1e-9*math.Abs(want), "%s %s: want %v, got %v", c.ID, name,
				want, got,
			)
		}
		delta := func(p curve.Profile) float64 {
			value, err := curve.DeltaUpper(p, c.Params.Epsilon)
			require.NoError(t, err)
			return value
		}
		switch c.Kind {
		case "logistic_delta":
			pair, err := Directions(event, BoundLogistic)
			require.NoError(t, err)
			near("added", delta(pair.Added))
			near("removed", delta(pair.Removed))
			near("log_added", pair.Added.LogDeltaUpper(p.Epsilon))
			near("log_removed", pair.Removed.LogDeltaUpper(p.Epsilon))
		case "refined_delta":
			event.Lipschitz, event.Smoothness, event.Loss = p.L, p.Beta, privacy.LossSigned
			for _, bound := range []Bound{BoundGLM, BoundSigned} {
				prefix := map[Bound]string{BoundGLM: "any_glm_", BoundSigned: "signed_"}[bound]
				pair, err := Directions(event, bound)
				require.NoError(t, err)
				near(prefix+"added", delta(pair.Added))
				near(prefix+"removed", delta(pair.Removed))
			}
		case "logistic_rdp":
			added, removed, err := Renyi(event, BoundLogistic)
			require.NoError(t, err)
			near("added", added(p.Alpha))
			near("removed", removed(p.Alpha))
		default:
			t.Errorf("%s: kind %s", c.ID, c.Kind)
		}
	}
}
