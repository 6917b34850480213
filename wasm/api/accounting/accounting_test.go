package accounting

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

func ask(t *testing.T, method string, params map[string]any) map[string]any {
	t.Helper()
	reply, err := wiretest.Hold(Service(), Odometers()).Answer(method, params, nil)
	require.Nil(t, err, "%v", err)
	return reply
}

func refused(t *testing.T, method string, params map[string]any) *api.Error {
	t.Helper()
	reply, err := wiretest.Hold(Service(), Odometers()).Answer(method, params, nil)
	require.Nil(t, reply)
	require.NotNil(t, err)
	return err
}

// with is params with one thing changed; nil takes it away.
func with(params map[string]any, name string, value any) map[string]any {
	out := map[string]any{}
	for key, v := range params {
		out[key] = v
	}
	if out[name] = value; value == nil {
		delete(out, name)
	}
	return out
}

func gaussian(sigma float64) map[string]any {
	return map[string]any{
		"mechanism":   "gaussian",
		"adjacency":   "add-remove",
		"sensitivity": 1.0,
		"sigma":       sigma,
	}
}

func logisticAt(lambda float64) map[string]any {
	return map[string]any{
		"mechanism": "objective-perturbation", "adjacency": "add-remove", "loss": "logistic",
		"row_norm": 1.0, "lipschitz": 1.0, "smoothness": 0.25, "lambda": lambda, "sigma": 3.7,
	}
}

func TestAboutSaysTheVersion(t *testing.T) {
	assert.Equal(t, privacy.LibraryVersion, ask(t, "about", map[string]any{})["library"])
}

// The values are from mpmath (80 digits): the Gaussian profile of Balle & Wang
// 2018, and theory §4.1 to §4.3.
func TestPricesAreJustAboveTheClosedForms(t *testing.T) {
	for _, c := range []struct {
		event map[string]any
		bound string
		ask   string
		at    float64
		want  float64
		reply string
	}{
		{gaussian(0.3), "auto", "delta", 1e-5, 19.130767834361926, "epsilon"},
		{gaussian(0.3), "auto", "delta", 1e-12, 28.46726660254994, "epsilon"},
		{gaussian(0.3), "auto", "epsilon", 0.1, 0.8995500273101146, "delta"},
		{logisticAt(1), "auto", "epsilon", 1, 1.145608783904888e-05, "delta"},
		{logisticAt(1), "logistic", "epsilon", 0.5, 0.005797456279897631, "delta"},
		{logisticAt(1), "signed", "epsilon", 1, 0.0002339071926311914, "delta"},
		{logisticAt(1), "glm", "epsilon", 1, 0.0004678143852623828, "delta"},
	} {
		reply := ask(t, "account", map[string]any{"event": c.event, "bound": c.bound, c.ask: c.at})
		assert.InEpsilon(t, c.want, reply[c.reply], 1e-9)
		assert.GreaterOrEqual(t, reply[c.reply], c.want*(1-1e-12))
	}
}

func TestACurveAndOthersBesideIt(t *testing.T) {
	reply := ask(t, "account", map[string]any{
		"event": logisticAt(1), "curve": map[string]any{"from": 0.0, "to": 2.0, "points": 5.0},
		"compare": []any{"profile", "kifer", "gaussian-lower"},
	})
	assert.Equal(t, "control", reply["bound"])
	curve := reply["curve"].(map[string]any)
	assert.Equal(t, []float64{0, 0.5, 1, 1.5, 2}, curve["epsilon"])
	own := curve["logDelta"].([]float64)
	comparisons := reply["comparisons"].([]any)
	require.Len(t, comparisons, 3)
	profile, lower := comparisons[0].(map[string]any), comparisons[2].(map[string]any)
	assert.Equal(t, "lower", lower["side"])
	for i := range own {
		assert.LessOrEqual(t, lower["logDelta"].([]float64)[i], own[i])
		assert.LessOrEqual(t, own[i], profile["logDelta"].([]float64)[i])
		assert.InDelta(t, math.Exp(own[i]), curve["delta"].([]float64)[i], 1e-12)
	}
	// A bulk array does as well as a list.
	same := ask(
		t, "account", map[string]any{"event": logisticAt(1), "curve": []float64{0, 0.5, 1, 1.5, 2}},
	)
	assert.Equal(t, own, same["curve"].(map[string]any)["logDelta"])
}

func TestCurvesThatDoNotApplyAreNamed(t *testing.T) {
	reply := ask(
		t,
		"account",
		map[string]any{
			"event":   gaussian(1),
			"curve":   []any{1.0},
			"compare": []any{"kifer", "auto"},
		},
	)
	assert.Len(t, reply["comparisons"], 1)
	left := reply["inapplicable"].([]any)
	require.Len(t, left, 1)
	assert.Equal(t, "kifer", left[0].(map[string]any)["name"])

	// λ must be above βR² for the published profile.
	reply = ask(
		t,
		"account",
		map[string]any{
			"event":   logisticAt(0.2),
			"curve":   []any{1.0},
			"compare": []any{"profile", "glm"},
		},
	)
	assert.Len(t, reply["comparisons"], 1)
	assert.Contains(t, reply["inapplicable"].([]any)[0].(map[string]any)["message"], "lambda")
}

func TestWrongDescriptionsNameTheField(t *testing.T) {
	inf := math.Inf(1)
	asking := func(name string, value any) map[string]any {
		return with(map[string]any{"event": gaussian(1)}, name, value)
	}
	for name, c := range map[string]struct {
		params map[string]any
		field  string
	}{
		"no event":             {map[string]any{"delta": 1e-5}, "event"},
		"sigma of 0":           {map[string]any{"event": gaussian(0), "delta": 1e-5}, "event.sigma"},
		"no adjacency":         {map[string]any{"event": with(gaussian(1), "adjacency", nil), "delta": 1e-5}, "event.adjacency"},
		"an unknown mechanism": {map[string]any{"event": with(gaussian(1), "mechanism", "magic"), "delta": 1e-5}, "event.mechanism"},
		"an unknown field":     {map[string]any{"event": with(gaussian(1), "colour", "red"), "delta": 1e-5}, "event.colour"},
		"an unknown parameter": {with(asking("delta", 1e-5), "colour", "red"), "colour"},
		"an unknown bound":     {with(asking("delta", 1e-5), "bound", "best"), "bound"},
		"a bound of another loss": {map[string]any{
			"event": with(logisticAt(1), "loss", "glm"), "bound": "logistic", "delta": 1e-5}, "bound"},
		"a lambda too small":  {map[string]any{"event": logisticAt(0.2), "bound": "profile", "delta": 1e-5}, "event.lambda"},
		"delta of 0":          {asking("delta", 0.0), "delta"},
		"delta of 1":          {asking("delta", 1.0), "delta"},
		"delta NaN":           {asking("delta", math.NaN()), "delta"},
		"epsilon below 0":     {asking("epsilon", -1.0), "epsilon"},
		"epsilon infinite":    {asking("epsilon", inf), "epsilon"},
		"epsilon NaN":         {asking("epsilon", math.NaN()), "epsilon"},
		"epsilon text":        {asking("epsilon", "one"), "epsilon"},
		"no points":           {asking("curve", []any{}), "curve"},
		"a point below 0":     {asking("curve", []any{1.0, -1.0}), "curve[1]"},
		"a point of text":     {asking("curve", []any{"1"}), "curve[0]"},
		"one point":           {asking("curve", map[string]any{"from": 0.0, "to": 1.0, "points": 1.0}), "curve.points"},
		"too many points":     {asking("curve", map[string]any{"from": 0.0, "to": 1.0, "points": 1e9}), "curve.points"},
		"a range backwards":   {asking("curve", map[string]any{"from": 2.0, "to": 1.0, "points": 3.0}), "curve.to"},
		"a range without end": {asking("curve", map[string]any{"from": 2.0, "to": inf, "points": 3.0}), "curve.to"},
		"a curve of text":     {asking("curve", "all"), "curve"},
		"an unknown curve":    {with(asking("curve", []any{1.0}), "compare", []any{"best"}), "compare[0]"},
		"nothing to compare":  {with(asking("delta", 1e-5), "compare", []any{"rdp"}), "compare"},
		"nothing asked":       {map[string]any{"event": gaussian(1)}, ""},
	} {
		err := refused(t, "account", c.params)
		assert.Equal(t, api.CodeParameter, err.Code, name)
		assert.Equal(t, c.field, err.Field, "%s: %s", name, err.Message)
		assert.Regexp(t, `\.$`, err.Message, name)
	}
}

var budget = map[string]any{
	"adjacency": "add-remove",
	"epsilon":   1.0,
	"delta":     1e-5,
	"rowNorm":   math.Sqrt2,
	"dimension": 105.0,
}

func TestWhatIsCalibratedHasTheGuarantee(t *testing.T) {
	for _, bound := range []string{
		"auto", "control", "logistic", "signed", "glm", "profile", "rdp", "kifer",
	} {
		reply := ask(t, "calibrate", with(budget, "bound", bound))
		guarantee := reply["guarantee"].(map[string]any)
		if bound == "auto" {
			assert.Equal(t, "control", guarantee["bound"])
		} else {
			assert.Equal(t, bound, guarantee["bound"])
		}
		priced := ask(
			t, "account", map[string]any{"event": reply["event"], "bound": bound, "epsilon": 1.0},
		)
		assert.LessOrEqual(t, priced["delta"], 1e-5, bound)
	}
	clipped := ask(t, "calibrate", with(budget, "clip", 0.5))["event"].(map[string]any)
	assert.Equal(t, 0.5, clipped["lipschitz"])
	loose := ask(t, "calibrate", with(budget, "clip", 99.0))["event"].(map[string]any)
	assert.Equal(t, math.Sqrt2, loose["lipschitz"], "clipping above R clips nothing")
	fixed := ask(t, "calibrate", with(budget, "lambda", 50.0))["event"].(map[string]any)
	assert.Equal(t, 50.0, fixed["lambda"])
}

func TestWrongBudgetsNameTheField(t *testing.T) {
	for name, values := range map[string][]any{
		"epsilon":   {0.0, -1.0, math.NaN(), math.Inf(1), "one", nil},
		"delta":     {0.0, 1.0, -1e-5, 2.0, math.NaN(), nil},
		"adjacency": {"neighbours", nil},
		"bound":     {"best"},
		"lambda":    {0.0, -1.0, math.Inf(1)},
		"clip":      {0.0, math.NaN()},
		"radius":    {-1.0},
		"tau":       {0.0},
		"rowNorm":   {0.0, nil},
		"dimension": {0.0, 1.5, nil},
		"colour":    {"red"},
	} {
		for _, value := range values {
			err := refused(t, "calibrate", with(budget, name, value))
			assert.Equal(t, api.CodeParameter, err.Code)
			assert.Equal(t, name, err.Field, err.Message)
		}
	}
}
