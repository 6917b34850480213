package accounting

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

func descent(rate, noise, steps float64) map[string]any {
	return map[string]any{
		"mechanism":        "subsampled-gaussian",
		"adjacency":        "add-remove",
		"rate":             rate,
		"noise_multiplier": noise,
		"steps":            steps,
	}
}

func laplace(scale float64) map[string]any {
	return map[string]any{
		"mechanism":   "laplace",
		"adjacency":   "add-remove",
		"sensitivity": 1.0,
		"scale":       scale,
	}
}

func selection() map[string]any {
	return map[string]any{
		"mechanism": "poisson-selection",
		"adjacency": "add-remove",
		"base":      gaussian(5),
		"mean":      3.0,
	}
}

// ε of DP-SGD at q = 0.01 by exact inversion (two contours agree), and log δ of
// discrete mechanisms by exact sums in mpmath.
func TestCertifiedIntervalsHoldTheTruth(t *testing.T) {
	for _, c := range []struct{ noise, steps, delta, want float64 }{
		{0.6, 1000, 1e-6, 8.711443574734655},
		{1, 1000, 1e-5, 1.8282366665165717},
		{1, 10000, 1e-5, 6.187712389971538},
		{2, 1, 1e-5, 0.028259083957234785},
	} {
		reply := ask(
			t, "account",
			map[string]any{"event": descent(0.01, c.noise, c.steps), "delta": c.delta},
		)
		assert.Equal(t, "pld", reply["method"])
		assert.LessOrEqual(t, reply["epsilonLower"], c.want*(1+1e-9))
		assert.GreaterOrEqual(t, reply["epsilon"], c.want*(1-1e-9))
		assert.Less(t, reply["epsilon"].(float64)-reply["epsilonLower"].(float64), 2e-3*c.want+1e-6)

		estimate := ask(
			t, "estimate",
			map[string]any{"event": descent(0.01, c.noise, c.steps), "delta": c.delta},
		)
		assert.InEpsilon(t, c.want, estimate["estimatedEpsilon"], 1e-3)
	}
	discrete := map[string]any{
		"mechanism":   "discrete-gaussian",
		"adjacency":   "replace-one",
		"sensitivity": 1.0,
		"sigma":       0.5,
	}
	reply := ask(
		t, "account",
		map[string]any{"event": discrete, "epsilon": 2.0, "method": "pld", "accuracy": 1e-4},
	)
	assert.GreaterOrEqual(t, reply["logDelta"], -2.2560370203400892-1e-9)
	assert.LessOrEqual(t, reply["logDeltaLower"], -2.2560370203400892+1e-9)
	assert.InDelta(t, -2.2560370203400892, reply["logDelta"], 1e-3)
	assert.LessOrEqual(t, reply["deltaLower"], reply["delta"])
	// Laplace, b = 0.3, just below the end of its support.
	assert.InDelta(
		t, -13.304685767532352,
		ask(t, "account", map[string]any{"event": laplace(0.3), "epsilon": 3.33333})["logDelta"],
		1e-6,
	)
}

// Orders of the subsampled Gaussian at q = 0.01, σ = 1, by mpmath.
func TestARenyiCurve(t *testing.T) {
	reply := ask(t, "account", map[string]any{
		"event": descent(
			0.01, 1, 1,
		), "method": "rdp", "orders": []any{1.5, 8.0, 32.0}, "delta": 1e-5,
	})
	curve := reply["renyi"].(map[string]any)
	added := curve["added"].([]float64)
	for i, want := range []float64{
		0.00012725374332744983, 0.0008936439076060318, 11.246275937048068,
	} {
		assert.InEpsilon(t, want, added[i], 1e-8)
		assert.LessOrEqual(t, curve["removed"].([]float64)[i], added[i]*(1+1e-9))
	}
	assert.Equal(t, "rdp", reply["method"])
	assert.Greater(t, reply["epsilon"], 0.0)
	assert.NotContains(t, reply, "epsilonLower")
	assert.Equal(
		t, "rdp", ask(t, "account", map[string]any{"event": selection(), "delta": 1e-5})["method"],
	)
}

func TestCurvesOfDistributionsHaveBothEnds(t *testing.T) {
	reply := ask(t, "account", map[string]any{
		"event": descent(
			0.01, 1, 1000,
		), "curve": map[string]any{"from": 0.0, "to": 4.0, "points": 41.0}, "compare": []any{"rdp", "auto", "kifer"},
	})
	curve := reply["curve"].(map[string]any)
	upper, lower := curve["logDelta"].([]float64), curve["logDeltaLower"].([]float64)
	renyi := reply["comparisons"].([]any)[0].(map[string]any)["logDelta"].([]float64)
	for i := range upper {
		assert.LessOrEqual(t, lower[i], upper[i])
		assert.LessOrEqual(t, lower[i], renyi[i])
		assert.LessOrEqual(t, curve["deltaLower"].([]float64)[i], curve["delta"].([]float64)[i])
	}
	again := reply["comparisons"].([]any)[1].(map[string]any)["logDelta"].([]float64)
	assert.InDeltaSlice(t, upper[10:], again[10:], 0.1)
	assert.Equal(t, "kifer", reply["inapplicable"].([]any)[0].(map[string]any)["name"])

	drawn := ask(
		t, "estimate",
		map[string]any{"event": descent(0.01, 1, 1000), "curve": []any{1.0, 2.0}, "epsilon": 1.0},
	)
	assert.Equal(
		t, drawn["estimatedLogDelta"],
		drawn["curve"].(map[string]any)["estimatedLogDelta"].([]float64)[0],
	)
	assert.InDelta(t, upper[10], drawn["estimatedLogDelta"], 0.02)
}

// Of 10,000 steps a record is in a hundred samples on average: the loss is all but
// normal, and saddle points of the Rényi divergences come near the certified curve.
func TestEstimatesByRenyiDivergencesAreNearTheCurve(t *testing.T) {
	event := descent(0.01, 1, 10000)
	points := []any{2.0, 4.0, 6.0, 8.0}
	upper := ask(t, "account", map[string]any{"event": event, "curve": points})["curve"].(map[string]any)["logDelta"].([]float64)
	reply := ask(
		t, "estimate",
		map[string]any{"event": event, "method": "rdp", "curve": points, "epsilon": 4.0},
	)
	drawn := reply["curve"].(map[string]any)["estimatedLogDelta"].([]float64)
	assert.InDeltaSlice(t, upper, drawn, 0.05)
	assert.Equal(t, drawn[1], reply["estimatedLogDelta"])
	assert.NotContains(t, reply, "logDeltaSpread")
	none := ask(t, "estimate", map[string]any{"event": event, "method": "rdp", "epsilon": 1e6})
	assert.Equal(t, math.Inf(1), none["estimatedLogDelta"], "no reply may hold NaN")
}

// At L/σ = 0.2 and βR²/λ = 0.001, as in rdp's test of the formula.
func TestLinearisedDivergenceIsAnEstimate(t *testing.T) {
	event := with(with(with(logisticAt(1000), "loss", "glm"), "sigma", 5.0), "smoothness", 1.0)
	reply := ask(
		t, "estimate",
		map[string]any{"event": event, "method": "rdp", "orders": []any{1.5, 16.0, 1000.0}},
	)
	estimated := reply["renyi"].(map[string]any)["estimated"].([]float64)
	assert.InEpsilon(t, 0.03214926637539254, estimated[0], 1e-6)
	assert.InEpsilon(t, 0.33385659517877914, estimated[1], 1e-6)
	assert.True(t, math.IsInf(estimated[2], 1))
}

func TestSolvingByANamedMethodSaysWhich(t *testing.T) {
	params := map[string]any{
		"event":     descent(0.01, 1, 1000),
		"parameter": "noise_multiplier",
		"epsilon":   1.0,
		"delta":     1e-5,
	}
	sharp, renyi := ask(t, "solve", params), ask(t, "solve", with(params, "method", "rdp"))
	assert.Equal(t, []any{"pld", "rdp"}, []any{sharp["method"], renyi["method"]})
	assert.Greater(t, renyi["value"], sharp["value"])
}

func TestAnotherDeltaOfTheSameEventIsQuick(t *testing.T) {
	service := wiretest.Hold(Service())
	event := descent(0.004, 1.1, 20000)
	answer := func(delta float64) time.Duration {
		start := time.Now()
		_, err := service.Answer("account", map[string]any{"event": event, "delta": delta}, nil)
		require.Nil(t, err)
		return time.Since(start)
	}
	answer(1e-5)
	quickest := time.Hour
	for i := range 5 {
		quickest = min(quickest, answer(1e-5/float64(i+2)))
	}
	assert.Less(t, quickest, 50*time.Millisecond)
}

func TestWhatIsKeptIsBoundedAndKeyedByTheEvent(t *testing.T) {
	d := &desk{}
	get := func(sigma float64) {
		params := map[string]any{"event": gaussian(sigma), "delta": 1e-5}
		_, err := wiretest.Hold(&api.Service{Handlers: map[string]api.Handler{"account": d.price}}).
			Answer("account", params, nil)
		require.Nil(t, err)
	}
	for i := range 3 * keptPrices {
		get(1 + float64(i%(2*keptPrices)))
	}
	assert.Len(t, d.prices.kept, keptPrices)
	oldest := d.prices.kept[0]
	get(keptPrices + 100) // a new one takes its place
	assert.Len(t, d.prices.kept, keptPrices)
	for _, kept := range d.prices.kept {
		assert.NotEqual(t, oldest.key, kept.key)
	}
	second := d.prices.kept[1]
	_, err := d.prices.of(
		privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: keptPrices + 100},
		account.Auto, pld.Options{Bound: objective.BoundAuto},
	)
	require.NoError(t, err)
	assert.Equal(t, second.key, d.prices.kept[1].key, "one that is kept is not priced again")
	assert.Equal(
		t,
		`{a:[1,"x",],b:{c:2,},}`,
		canonical(map[string]any{"b": map[string]any{"c": 2.0}, "a": []any{1.0, "x"}}),
	)
}

func TestMethodsSideBySide(t *testing.T) {
	reply := ask(t, "check", map[string]any{"event": gaussian(1), "delta": 1e-5})
	assert.Equal(t, "epsilon", reply["of"])
	for _, upper := range []string{"closed", "rdp", "upper"} {
		assert.GreaterOrEqual(t, reply[upper], reply["lower"].(float64)-1e-11, upper)
	}
	reply = ask(t, "check", map[string]any{"event": descent(0.01, 1, 100), "epsilon": 0.5})
	assert.Equal(t, "logDelta", reply["of"])
	assert.NotContains(t, reply, "closed")
	assert.LessOrEqual(t, reply["upper"], reply["rdp"])
}

// What one question of an event has computed, the next finds: also across account,
// check and estimate.
func TestAllQuestionsShareWhatIsKept(t *testing.T) {
	d := &desk{}
	service := wiretest.Hold(
		&api.Service{
			Handlers: map[string]api.Handler{
				"account":  d.price,
				"check":    d.check,
				"estimate": d.estimate,
			},
		},
	)
	ask := func(method string, params map[string]any) {
		t.Helper()
		_, err := service.Answer(method, params, nil)
		require.Nil(t, err, "%v", err)
	}
	event := descent(0.01, 1, 500)
	ask("check", map[string]any{"event": event, "delta": 1e-5})
	require.Len(t, d.prices.kept, 2, "its Rényi curve and its distribution: it has no closed form")
	ask("check", map[string]any{"event": event, "delta": 1e-7})
	ask("check", map[string]any{"event": event, "epsilon": 1.0})
	ask("account", map[string]any{"event": event, "delta": 1e-6, "method": "pld"})
	ask("estimate", map[string]any{"event": event, "delta": 1e-6})
	ask("account", map[string]any{"event": event, "delta": 1e-6, "method": "rdp"})
	ask("account", map[string]any{"event": event, "delta": 1e-6})
	assert.Len(t, d.prices.kept, 2)
}

// The noise multiplier is an exact inversion's.
func TestOneParameterFromAGuarantee(t *testing.T) {
	template := descent(0.01, 1, 1000)
	delete(template, "noise_multiplier")
	params := map[string]any{
		"event":     template,
		"parameter": "noise_multiplier",
		"epsilon":   3.0,
		"delta":     1e-5,
	}
	reply := ask(t, "solve", params)
	assert.GreaterOrEqual(t, reply["value"], 0.8135844674425206)
	assert.LessOrEqual(t, reply["value"], 0.8135844674425206*1.0001)
	assert.Equal(t, reply["value"], reply["event"].(map[string]any)["noise_multiplier"])
	assert.LessOrEqual(
		t,
		ask(t, "account", map[string]any{"event": reply["event"], "delta": 1e-5, "accuracy": 1e-4})["epsilonLower"],
		3.0,
	)

	steps := ask(
		t, "solve",
		with(with(params, "parameter", "steps"), "event", with(descent(0.01, 1, 1), "steps", nil)),
	)
	assert.Equal(t, steps["value"], math.Trunc(steps["value"].(float64)))
	assert.Equal(
		t, "control",
		ask(t, "solve", with(with(params, "parameter", "lambda"), "event", logisticAt(1)))["guarantee"].(map[string]any)["bound"],
	)

	for field, spoilt := range map[string]map[string]any{
		"parameter":       with(with(params, "parameter", "colour"), "event", descent(0.01, 1, 1)),
		"event":           with(params, "event", nil),
		"event.rate":      with(params, "event", with(template, "rate", 2.0)),
		"epsilon":         with(params, "epsilon", 0.0),
		"delta":           with(params, "delta", 1.0),
		"bound":           with(params, "bound", "best"),
		"colour":          with(params, "colour", "red"),
		"event.lambda":    {"event": with(logisticAt(0.2), "sigma", 0.01), "parameter": "lambda", "epsilon": 0.1, "delta": 1e-5},
		"event.mechanism": with(params, "event", map[string]any{"mechanism": "magic"}),
	} {
		err := refused(t, "solve", spoilt)
		assert.Equal(t, field, err.Field, err.Message)
		assert.Equal(t, api.CodeParameter, err.Code)
	}
	assert.Contains(
		t,
		refused(
			t,
			"solve",
			map[string]any{
				"event":     with(logisticAt(0.2), "sigma", 0.01),
				"parameter": "lambda",
				"epsilon":   0.1,
				"delta":     1e-5,
			},
		).Message,
		"It cannot be had: no lambda gives epsilon 0.1",
	)
}

func TestABudget(t *testing.T) {
	budget := map[string]any{"adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-6}
	charge := func(sigma, count float64) map[string]any {
		return map[string]any{"event": gaussian(sigma), "count": count}
	}
	reply := ask(
		t, "afford",
		map[string]any{"budget": budget, "charged": []any{}, "candidate": charge(10, 3)},
	)
	assert.Zero(t, reply["epsilon"])
	assert.Equal(t, true, reply["affords"])
	after := reply["epsilonAfter"]
	reply = ask(
		t,
		"afford",
		map[string]any{
			"budget":    budget,
			"charged":   []any{charge(10, 3)},
			"candidate": charge(10, 30),
		},
	)
	assert.Equal(t, after, reply["epsilon"])
	assert.Equal(t, false, reply["affords"])
	assert.NotContains(t, reply, "epsilonAfter")
	assert.NotContains(
		t, ask(t, "afford", map[string]any{"budget": budget, "charged": []any{}}), "affords",
	)

	reading := ask(
		t, "odometer",
		map[string]any{"adjacency": "add-remove", "delta": 1e-6, "charged": []any{charge(10, 3)}},
	)
	assert.GreaterOrEqual(t, reading["epsilon"], after)

	for field, params := range map[string]map[string]any{
		"budget":                    {"charged": []any{}},
		"budget.epsilon":            {"budget": with(budget, "epsilon", 0.0), "charged": []any{}},
		"budget.adjacency":          {"budget": with(budget, "adjacency", nil), "charged": []any{}},
		"mass":                      {"budget": budget, "mass": 1.0, "charged": []any{}},
		"charged":                   {"budget": budget},
		"charged[0]":                {"budget": budget, "charged": []any{charge(1, 30)}},
		"charged[0].count":          {"budget": budget, "charged": []any{charge(1, -1)}},
		"charged[0].adjacency":      {"budget": budget, "charged": []any{map[string]any{"event": with(gaussian(10), "adjacency", "replace-one")}}},
		"charged[1].event.sigma":    {"budget": budget, "charged": []any{charge(10, 1), charge(-1, 1)}},
		"candidate.event":           {"budget": budget, "charged": []any{}, "candidate": map[string]any{"count": 1.0}},
		"candidate.event.sigma":     {"budget": budget, "charged": []any{}, "candidate": charge(0, 1)},
		"colour":                    {"budget": budget, "charged": []any{}, "colour": "red"},
		"candidate.colour":          {"budget": budget, "charged": []any{}, "candidate": with(charge(1, 1), "colour", "red")},
		"candidate.event.mechanism": {"budget": budget, "charged": []any{}, "candidate": map[string]any{"event": map[string]any{}}},
		"candidate.adjacency":       {"budget": budget, "charged": []any{}, "candidate": map[string]any{"event": with(gaussian(10), "adjacency", "replace-one")}},
	} {
		err := refused(t, "afford", params)
		assert.Equal(t, field, err.Field, err.Message)
	}
	for field, params := range map[string]map[string]any{
		"adjacency":            {"delta": 1e-6, "charged": []any{}},
		"delta":                {"adjacency": "add-remove", "delta": 0.0, "charged": []any{}},
		"charged":              {"adjacency": "add-remove", "delta": 1e-6},
		"charged[0].adjacency": {"adjacency": "replace-one", "delta": 1e-6, "charged": []any{charge(1, 1)}},
	} {
		assert.Equal(t, field, refused(t, "odometer", params).Field)
	}
}

func TestWrongQuestionsNameTheField(t *testing.T) {
	asking := map[string]any{"event": descent(0.01, 1, 10), "delta": 1e-5}
	for i, c := range []struct {
		method string
		params map[string]any
		field  string
	}{
		{"account", with(asking, "method", "best"), "method"},
		{"account", with(asking, "method", "closed"), "event.mechanism"},
		{"account", with(asking, "accuracy", 1.0), "accuracy"},
		{"account", with(with(asking, "accuracy", 1e-3), "method", "rdp"), "accuracy"},
		{"account", with(asking, "orders", []any{2.0}), "orders"},
		{"account", with(with(asking, "orders", []any{0.5}), "method", "rdp"), "orders[0]"},
		{"account", with(with(asking, "orders", []any{}), "method", "rdp"), "orders"},
		{"account", with(with(asking, "bound", "kifer"), "method", "rdp"), "bound"},
		{"account", map[string]any{"event": selection(), "delta": 1e-5, "method": "pld"}, "event.mechanism"},
		{"account", with(asking, "event", with(descent(0.01, 1, 10), "rate", 1.5)), "event.rate"},
		{"account", with(asking, "event", with(descent(0.01, 1, 10), "adjacency", "replace-one")), "event.adjacency"},
		{"account", with(asking, "event", with(descent(0.01, 1, 10), "steps", -1.0)), "event.steps"},
		{"estimate", with(asking, "event", selection()), "event.mechanism"},
		{"estimate", with(asking, "compare", []any{"rdp"}), "compare"},
		{"estimate", with(asking, "delta", nil), ""},
		{"estimate", with(asking, "method", "closed"), "method"},
		{"estimate", with(asking, "method", "rdp"), "delta"},
		{"estimate", with(asking, "orders", []any{2.0}), "orders"},
		{"estimate", map[string]any{"event": asking["event"], "method": "rdp", "accuracy": 1e-3, "epsilon": 1.0}, "accuracy"},
		{"estimate", map[string]any{"event": asking["event"], "method": "rdp", "orders": []any{2.0}}, "event.mechanism"},
		{"check", with(asking, "epsilon", 1.0), "epsilon"},
		{"check", with(asking, "delta", nil), ""},
		{"check", with(asking, "curve", []any{1.0}), "curve"},
		{"check", with(asking, "bound", "best"), "bound"},
	} {
		err := refused(t, c.method, c.params)
		assert.Equal(t, c.field, err.Field, "%s: %s", strconv.Itoa(i), err.Message)
		assert.Equal(t, api.CodeParameter, err.Code, err.Message)
		assert.Regexp(t, `^[^a-z].*\.$|^[a-z_]+[.\[ ].*\.$`, err.Message)
	}
}
