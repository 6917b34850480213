package linear

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
)

// reference reads the cases of one kind of golden O into params and want, one after the other.
func reference(t *testing.T, kind string, params, want any, check func(id string)) {
	t.Helper()
	type one struct {
		ID               string
		Params, Expected json.RawMessage
	}
	for _, c := range golden.OfKind[one](t, "O", kind) {
		require.NoError(t, json.Unmarshal(c.Params, params))
		require.NoError(t, json.Unmarshal(c.Expected, want))
		check(c.ID)
	}
}

func close9(t *testing.T, want, is float64, id string) {
	t.Helper()
	assert.InDelta(t, want, is, 1e-12+1e-9*math.Abs(want), id)
}

func TestReferencePublishedNoise(t *testing.T) {
	var opdisc struct{ D, Tau, Norm, G, Epsilon, Delta, N, Beta float64 }
	var raw map[string]float64
	var wantOPDisc struct{ Sigma, Alpha float64 }
	reference(t, "published-opdisc", &raw, &wantOPDisc, func(id string) {
		// "d" and "D" are the same name to encoding/json.
		opdisc.D, opdisc.Norm, opdisc.Tau, opdisc.G = raw["d"], raw["D"], raw["tau"], raw["G"]
		sigma := PublishedOPDisc(
			opdisc.G, opdisc.Norm*opdisc.Norm, opdisc.Tau, raw["epsilon"], raw["delta"],
		)
		close9(t, wantOPDisc.Sigma, sigma, id)
		alpha := PublishedOPDiscError(int(opdisc.D), sigma, raw["beta"], raw["n"])
		close9(t, wantOPDisc.Alpha, alpha, id)
	})
	var rspm struct {
		Separators     int
		Epsilon, Delta float64
	}
	var wantRSPM struct{ Sigma float64 }
	reference(t, "published-rspm", &rspm, &wantRSPM, func(id string) {
		sigma := PublishedRSPM(rspm.Separators, rspm.Epsilon, rspm.Delta)
		close9(t, wantRSPM.Sigma, sigma, id)
	})
}

func TestReferenceGaussianProfiles(t *testing.T) {
	var params struct {
		Features, Separators        int
		Shift, Span, Sigma, Epsilon float64
	}
	var want struct {
		Delta float64
		Log   float64 `json:"log_delta"`
	}
	reference(t, "gaussian-sphere", &params, &want, func(id string) {
		delta, err := SphereDelta(params.Features, params.Shift/params.Sigma, params.Epsilon)
		require.NoError(t, err, id)
		close9(t, want.Delta, delta, id)
		close9(t, want.Log, math.Log(delta), id)
	})
	reference(t, "gaussian-separators", &params, &want, func(id string) {
		delta, err := SeparatorsDelta(params.Separators, params.Span/params.Sigma, params.Epsilon)
		require.NoError(t, err, id)
		close9(t, want.Delta, delta, id)
		close9(t, want.Log, math.Log(delta), id)
	})
}

func TestReferenceOPSamp(t *testing.T) {
	var params struct {
		D, Calls, N       int
		Diameter          float64 `json:"linf_diameter"`
		Lipschitz         float64 `json:"lipschitz_l1"`
		Rate, K           float64
		OracleErrorOfMean float64 `json:"oracle_error_of_mean"`
		Delta             float64 `json:"delta_sensitivity"`
	}
	var want struct {
		Expected    float64 `json:"expected_l1"`
		Published   float64 `json:"published_corrected"`
		Sensitivity float64
	}
	reference(t, "opsamp-stability", &params, &want, func(id string) {
		o := OPSamp{
			Dimension: params.D, Diameter: params.Diameter, Lipschitz: params.Lipschitz,
			Rate: params.Rate, Calls: params.Calls,
			OracleError: float64(params.N) * params.OracleErrorOfMean,
		}
		close9(t, want.Expected, o.Stability(params.K), id)
		close9(t, want.Published, o.PublishedStability(), id)
		close9(t, want.Sensitivity, o.Sensitivity(params.K, params.Delta), id)
	})
}

func TestReferenceSeparators(t *testing.T) {
	var params struct{ W string }
	var want struct {
		Size        int
		Thresholds  int
		Separate    bool `json:"thresholds_separate"`
		Coordinates bool `json:"one_per_coordinate_separates"`
	}
	classes := map[string]Class{
		"{-1..1}^1": Ternary(1), "{-1..1}^2": Ternary(2), "{-1..1}^3": Ternary(3),
		"{-2..2}^2": {2, []int{-2, -1, 0, 1, 2}},
	}
	reference(t, "separators", &params, &want, func(id string) {
		c, ok := classes[params.W]
		require.True(t, ok, params.W)
		assert.Len(t, c.all(), want.Size, id)
		assert.Equal(t, want.Thresholds, Thresholds{}.Count(c), id)
		assert.Equal(t, want.Separate, Separates(Thresholds{}, c), id)
	})
}
