package accounting

import (
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// extremes draws values from the ends of what a field may hold and from between.
type extremes struct{ source *randomtest.Seeded }

func (x extremes) below(n int) int {
	bits, _ := x.source.Uint64() // the seeded source does not fail
	return int(bits % uint64(n))
}

func (x extremes) pick(values ...float64) float64 { return values[x.below(len(values))] }

func (x extremes) positive() float64 {
	return x.pick(
		5e-324, 1e-300, 1e-150, 1e-20, 1e-6, 0.01, 0.3, 1, 1, 2.5, 100, 1e6, 1e20, 1e150, 1e300,
		math.MaxFloat64,
	)
}

func (x extremes) delta() float64 {
	return x.pick(5e-324, 1e-300, 1e-30, 1e-10, 1e-5, 1e-5, 0.01, 0.3, 0.9, 0.999, 1-1e-16)
}

func (x extremes) adjacency() any {
	if x.below(3) == 0 {
		return "replace-one"
	}
	return "add-remove"
}

func (x extremes) count() float64 { return x.pick(0, 1, 2, 10, 1000, 1e6, 1e12, 9007199254740992) }

// event is any event but those whose price is a distribution, which package pld
// has a fuzz test of its own for.
func (x extremes) event(depth int) map[string]any {
	adjacency := x.adjacency()
	loss := []any{"logistic", "signed", "glm", "smooth", "rounded-hinge"}[x.below(5)]
	objective := map[string]any{
		"mechanism": "objective-perturbation", "adjacency": adjacency, "loss": loss, "row_norm": x.positive(), "lipschitz": x.positive(),
		"smoothness": x.positive(), "lambda": x.positive(), "sigma": x.positive(), "dimension": 1 + math.Min(1e6, x.count()),
	}
	if loss == "logistic" || loss == "rounded-hinge" {
		objective["smoothness"] = 1.0
		if loss == "logistic" {
			objective["smoothness"] = 0.25
		}
		objective["lipschitz"] = math.Min(
			objective["row_norm"].(float64), objective["lipschitz"].(float64),
		)
	}
	switch n := x.below(12); {
	case n == 0 && depth > 0:
		base := x.event(depth - 1)
		return map[string]any{
			"mechanism": "negative-binomial-selection",
			"adjacency": base["adjacency"],
			"base":      base,
			"eta":       x.pick(-1+1e-9, -0.5, 0, 1, 1e6),
			"gamma":     x.pick(1e-300, 1e-6, 0.1, 0.9, 1-1e-16),
		}
	case n == 1 && depth > 0:
		base := x.event(depth - 1)
		return map[string]any{
			"mechanism": "poisson-selection",
			"adjacency": base["adjacency"],
			"base":      base,
			"mean":      x.positive(),
		}
	case n == 2:
		return map[string]any{
			"mechanism":   "gaussian",
			"adjacency":   adjacency,
			"sensitivity": x.positive(),
			"sigma":       x.positive(),
		}
	case n == 3:
		return map[string]any{
			"mechanism":   "laplace",
			"adjacency":   adjacency,
			"sensitivity": x.positive(),
			"scale":       x.positive(),
		}
	case n == 4:
		return map[string]any{
			"mechanism":   "discrete-laplace",
			"adjacency":   adjacency,
			"sensitivity": 1 + x.count(),
			"scale":       x.positive(),
		}
	case n == 5:
		return map[string]any{
			"mechanism":  "randomised-response",
			"adjacency":  adjacency,
			"categories": 2 + x.count(),
			"truth":      x.pick(1e-300, 0.1, 0.5, 0.9, 1-1e-16),
		}
	case n == 6:
		return map[string]any{
			"mechanism": "pure-dp",
			"adjacency": adjacency,
			"epsilon":   x.pick(0, x.positive()),
		}
	case n == 7:
		return map[string]any{
			"mechanism": "approximate-dp",
			"adjacency": adjacency,
			"epsilon":   x.pick(0, x.positive()),
			"delta":     x.pick(0, x.delta()),
		}
	case n == 8:
		return map[string]any{
			"mechanism":   "gradient-descent",
			"adjacency":   adjacency,
			"sensitivity": x.positive(),
			"sigmas":      []any{x.positive(), x.positive()},
		}
	case n == 9:
		return map[string]any{
			"mechanism": "liu-talwar-selection",
			"adjacency": adjacency,
			"base": map[string]any{
				"mechanism": "approximate-dp",
				"adjacency": adjacency,
				"epsilon":   x.positive(),
				"delta":     x.pick(0, x.delta()),
			},
			"tau":    x.pick(1e-300, 1e-3, 1),
			"cutoff": x.delta(),
		}
	case n == 10:
		objective["mechanism"] = "approximate-minima-perturbation"
		objective["tau"], objective["sigma_out"] = x.pick(0, x.positive()), x.positive()
		return objective
	}
	return objective
}

// Whatever the numbers, an answer that is a number and not below 0, or an error
// that blames a field, in two seconds. CLOISTER_FUZZ=long asks a hundred times as
// many questions.
func TestExtremesAreAnsweredOrRefused(t *testing.T) {
	x := extremes{randomtest.New(5)}
	questions := 120
	if os.Getenv("CLOISTER_FUZZ") == "long" {
		questions = 40_000
	}
	answered := map[string]int{}
	ask := func(method string, params map[string]any) {
		start := time.Now()
		reply, err := wiretest.Hold(Service(), Odometers()).Answer(method, params, nil)
		// which is an optimisation inside another one
		if method != "calibrate" || params["adjacency"] != "replace-one" {
			// on a machine that does other things too
			require.Less(t, time.Since(start), 10*time.Second, "%s %v", method, params)
		}
		if err != nil {
			require.Equal(t, api.CodeParameter, err.Code, "%s %v: %s", method, params, err.Message)
			require.NotEmpty(t, err.Field, "%s %v: %s", method, params, err.Message)
			return
		}
		answered[method]++
		for _, name := range []string{"epsilon", "delta", "value", "epsilonAfter"} {
			if value, ok := reply[name].(float64); ok {
				require.True(t, value >= 0, "%s %v: %s is %v", method, params, name, value)
			}
		}
		if log, ok := reply["logDelta"].(float64); ok {
			require.LessOrEqual(t, log, 0.0)
		}
	}
	for range questions {
		event := x.event(1)
		question := map[string]any{"event": event}
		if x.below(2) == 0 {
			question["delta"] = x.delta()
		} else {
			question["epsilon"] = x.pick(0, x.positive())
		}
		ask("account", with(question, "method", []any{"closed", "rdp"}[x.below(2)]))

		guarantee := map[string]any{
			"adjacency": []any{"add-remove", "replace-one"}[(x.below(20)+1)/20],
			"epsilon":   x.positive(),
			"delta":     x.delta(),
		}
		request := map[string]any{
			"rowNorm":   x.positive(),
			"dimension": 1 + math.Min(1e6, x.count()),
		}
		for name, value := range guarantee {
			request[name] = value
		}
		for _, name := range []string{"clip", "lambda", "radius", "tau"} {
			if x.below(3) == 0 {
				request[name] = x.positive()
			}
		}
		request["bound"] = []any{"auto", "control", "signed", "glm", "profile", "rdp", "kifer"}[x.below(7)]
		ask("calibrate", request)

		charge := map[string]any{"event": event, "count": x.count()}
		ask(
			"afford",
			map[string]any{
				"budget":    with(guarantee, "adjacency", event["adjacency"]),
				"charged":   []any{},
				"candidate": charge,
			},
		)
		ask(
			"odometer",
			map[string]any{
				"adjacency": event["adjacency"],
				"delta":     x.delta(),
				"charged":   []any{charge},
			},
		)
	}
	t.Log(answered)
	for _, method := range []string{"account", "calibrate", "afford", "odometer"} {
		require.Greater(t, answered[method], questions/20, method)
	}
}
