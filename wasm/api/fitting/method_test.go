package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// ways are the methods beside the default, with what each is asked for.
var ways = func() map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, m := range methods.For(data.TwoClasses) {
		if m.Name == methods.Default {
			continue
		}
		out[m.Name] = map[string]any{"method": m.Name}
		if m.Records {
			out[m.Name]["records"] = 3000.0
		}
	}
	return out
}()

func by(dataset float64, more ...map[string]any) map[string]any {
	params := budget(dataset)
	for _, m := range more {
		for name, value := range m {
			params[name] = value
		}
	}
	return params
}

func TestEveryMethodGivesAReleaseThatHolds(t *testing.T) {
	mechanisms := map[string]string{
		"amp-paper": "approximate-minima-perturbation",
		"outpert":   "gaussian",
		"dpgd":      "gradient-descent",
		"steps":     "gradient-descent",
		"dpsgd":     "subsampled-gaussian",
		"outptr":    "propose-test-release",
	}
	steps := map[string]int{"dpgd": 100, "steps": 120, "dpsgd": 1000}
	for method, asked := range ways {
		for _, adjacency := range []string{"add-remove", "replace-one"} {
			for _, loss := range []string{"logistic", "huber", "squared"} {
				name := method + ", " + adjacency + ", " + loss
				e := newEdge(t)
				dataset := opened(e, sickRows(3000))
				about := map[string]any{"adjacency": adjacency, "loss": loss}
				planned, failed := e.service.Answer(
					"plan",
					without(by(0, asked, about, map[string]any{"schema": ageSchema()}), "dataset"),
					nil,
				)
				if (method == "amp-paper" || method == "dpsgd") && adjacency == "replace-one" {
					require.NotNil(t, failed, name)
					assert.Equal(t, "method", failed.Field, name)
					continue
				}
				if method == "outptr" && loss != "logistic" {
					require.NotNil(t, failed, name)
					assert.Equal(t, "loss", failed.Field, name)
					continue
				}
				require.Nil(t, failed, "%s: %v", name, failed)
				last := 0.0
				reply, failed := e.service.Answer(
					"fit",
					by(dataset, asked, about),
					func(update map[string]any) {
						if fraction, ok := update["fraction"].(float64); ok {
							assert.GreaterOrEqual(t, fraction, 0.0, name)
							assert.LessOrEqual(t, fraction, 1.0, name)
							last = fraction
						}
					},
				)
				require.Nil(t, failed, "%s: %v", name, failed)
				assert.Equal(t, 1.0, last, name)
				release := reply["release"].(map[string]any)
				event := release["event"].(map[string]any)
				assert.Equal(t, mechanisms[method], event["mechanism"], name)
				assert.Equal(t, adjacency, event["adjacency"], name)
				assert.Equal(
					t, planned["event"], release["event"],
					name+": what was planned is what was done",
				)
				priced := e.ask("reprice", map[string]any{"release": release})
				assert.Equal(t, true, priced["holds"], "%s: %v", name, priced["problems"])
				assert.LessOrEqual(t, priced["epsilon"], 1+1e-9, name)
				guarantee, promised := release["guarantee"].(map[string]any), planned["guarantee"].(map[string]any)
				for _, field := range []string{"adjacency", "epsilon", "delta", "bound", "theorem"} {
					assert.Equal(t, guarantee[field], promised[field], name+": "+field)
				}
				private := reply["diagnostics"].(map[string]any)
				assert.Contains(t, private, "iterations", name)
				if n, descends := steps[method]; descends {
					assert.Equal(t, n, private["iterations"], name)
					assert.NotContains(t, private, "tau", "nothing is certified")
				} else {
					assert.LessOrEqual(t, private["gradientNorm"], private["tau"], name)
				}
			}
		}
	}
}

func without(params map[string]any, names ...string) map[string]any {
	for _, name := range names {
		delete(params, name)
	}
	return params
}

// An edited event is found out, whatever the method.
func TestAReleaseOfAnotherMethodCannotClaimLess(t *testing.T) {
	for method, asked := range ways {
		e := newEdge(t)
		release := e.ask("fit", by(opened(e, sickRows(500)), asked))["release"].(map[string]any)
		release["guarantee"].(map[string]any)["epsilon"] = 0.5
		assert.Equal(
			t, false, e.ask("reprice", map[string]any{"release": release})["holds"], method,
		)
	}
}

func TestTheDefaultMethodIsNamedOrLeftOut(t *testing.T) {
	fit := func(more map[string]any) any {
		e := &edge{t, wiretest.Hold(NewSession(randomtest.New(7)).Service())}
		return e.ask("fit", by(opened(e, sickRows(100)), more))["release"]
	}
	assert.Equal(t, fit(nil), fit(map[string]any{"method": "amp"}))
	assert.NotEqual(t, fit(nil), fit(ways["amp-paper"]))

	few, many := map[string]any{"records": 3000.0}, map[string]any{"records": 30_000.0}
	assert.Equal(t, fit(ways["steps"]), fit(few), "below the border of N·ε, at ε = 1")
	assert.Equal(t, fit(nil), fit(many), "above it")
	assert.Equal(
		t, fit(map[string]any{"lambda": 2.0}), fit(map[string]any{"lambda": 2.0, "records": 3000.0}),
	)
}

// A fit that cannot be is refused before it can be charged, and names what is
// wrong with it.
func TestAMethodsRefusalsComeBeforeTheCharge(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	dataset := opened(e, sickRows(300))
	for _, wrong := range []struct {
		field string
		asked map[string]any
	}{
		{"method", map[string]any{"method": "best"}},
		{"method", map[string]any{"method": 3.0}},
		{"records", map[string]any{"records": 0.0}},
		{"records", map[string]any{"records": "many"}},
		{"records", map[string]any{"method": "amp", "records": 300.0}}, // it needs none
		{"records", map[string]any{"method": "amp-paper", "records": 300.0}},
		{"records", map[string]any{"method": "outpert"}},
		{"records", map[string]any{"method": "dpgd"}},
		{"records", map[string]any{"method": "dpgd", "records": 0.0}},
		{"records", map[string]any{"method": "dpsgd"}},
		{"records", map[string]any{"method": "dpsgd", "records": 0.5}},
		{"method", map[string]any{"method": "dpsgd", "records": 300.0, "adjacency": "replace-one"}},
		{"clip", map[string]any{"method": "dpsgd", "records": 300.0, "clip": 1.0}},
		{"records", map[string]any{"method": "outpert", "records": -1.0}},
		{"lambda", map[string]any{"method": "amp-paper", "lambda": 1.0}},
		{"bound", map[string]any{"method": "dpgd", "records": 300.0, "bound": "kifer"}},
		{"tau", map[string]any{"method": "outpert", "records": 300.0, "tau": 1.0}},
		{"epsilon", map[string]any{"method": "dpgd", "records": 300.0, "epsilon": 0.0}},
		{"delta", map[string]any{"method": "amp-paper", "delta": 1.0}},
		{"adjacency", map[string]any{"method": "amp-paper", "adjacency": "any"}},
	} {
		purchase, err := session.Purchases()["fit"](
			&api.Call{Fields: privacy.NewFields("", by(dataset, wrong.asked))},
		)
		assert.Nil(t, purchase, "%v", wrong.asked)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, "%v", wrong.asked)
		assert.Equal(t, wrong.field, parameter.Field, "%v: %v", wrong.asked, err)
	}
}

// Steps take all classes at once, and no loss but the softmax; other methods take none.
func TestSeveralClassesHaveTwoMethods(t *testing.T) {
	e := newEdge(t)
	reply, failed := e.open(severalSchema(), outcomes(300, threeOutcomes))
	require.Nil(t, failed, "%v", failed)
	for method, asked := range ways {
		if method == "steps" {
			params := by(float64(reply["dataset"].(int)), asked)
			fitsSeveral(e, params, "gradient-descent", "closed", nil)
			params["loss"] = "logistic"
			assert.Equal(t, "loss", e.refused("fit", params).Field)
			continue
		}
		err := e.refused("fit", by(float64(reply["dataset"].(int)), asked))
		assert.Equal(t, "method", err.Field, method)
		assert.Contains(t, err.Message, "several classes", method)
	}
}

// What a ledger notes before a fit is run is what the release says was done.
func TestAMethodIsChargedForWhatItDoes(t *testing.T) {
	for method, asked := range ways {
		session := NewSession(randomtest.New(1))
		e := &edge{t, wiretest.Hold(session.Service())}
		purchase, err := session.Purchases()["fit"](
			&api.Call{Fields: privacy.NewFields("", by(opened(e, sickRows(300)), asked))},
		)
		require.NoError(t, err, method)
		reply, err := purchase.Run()
		require.NoError(t, err, method)
		assert.Equal(
			t, privacy.EncodeEvent(purchase.Event), reply["release"].(map[string]any)["event"],
			method,
		)
	}
}

// What the handlers plan is core's own plan: its noise, its rate, its price.
func TestStochasticDescentIsCoresOwn(t *testing.T) {
	schema, err := data.SchemaFromTree("", ageSchema())
	require.NoError(t, err)
	for _, epsilon := range []float64{0.1, 1, 8} {
		keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5}
		plan, err := dpsgd.Defaults(schema, glm.Logistic{}, keep, 3000)
		require.NoError(t, err)
		want, err := plan.Event()
		require.NoError(t, err)
		e := newEdge(t)
		release := e.ask(
			"fit", by(opened(e, sickRows(500)), ways["dpsgd"], map[string]any{"epsilon": epsilon}),
		)["release"].(map[string]any)
		assert.Equal(t, privacy.EncodeEvent(want), release["event"])
		price, err := pld.Of(want, pld.Options{Accuracy: pld.BestAccuracy})
		require.NoError(t, err)
		interval, err := price.Epsilon(1e-5)
		require.NoError(t, err)
		assert.Equal(
			t, interval.Upper, e.ask("reprice", map[string]any{"release": release})["epsilon"],
		)
	}
}
