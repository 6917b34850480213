package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every way to fit can be tried out beforehand, of no file, and more ε loses
// less; they differ, but for the fit without noise. That one cannot be is said of the method.
func TestAnExpectationOfEveryMethod(t *testing.T) {
	e := newEdge(t)
	asked := with(expecting(), "trial", 5.0) // two ways may predict alike; of this one none do
	asked["records"], asked["epsilons"] = 2000.0, []any{1.0, 8.0}
	usual := e.ask("expect", with(asked, "method", "amp"))
	seen := map[any]string{usual["private"].([]any)[0]: "amp"}
	for method := range ways {
		if method == "outptr" { // the data themselves choose its noise
			_, failed := e.service.Answer("expect", with(asked, "method", method), nil)
			require.NotNil(t, failed)
			assert.Equal(t, "method", failed.Field)
			continue
		}
		reply := e.ask("expect", with(asked, "method", method))
		assert.Equal(t, usual["plain"], reply["plain"], method)
		private := reply["private"].([]any)
		require.Len(t, private, 2, method)
		if private[0] != nil {
			assert.Greater(t, private[1].(float64)+0.01, private[0], method)
			assert.Empty(t, seen[private[0]], "%s is no other way", method)
			seen[private[0]] = method
		}
		assert.Greater(t, private[1], reply["plain"].(float64)-0.1, method)
		assert.Equal(t, reply, newEdge(t).ask("expect", asked), method)
	}
	assert.Len(t, seen, len(ways), "outptr takes no part")
}

// Where no method is named, every ε is tried by the one that a fit takes there.
func TestAnExpectationOfTheUsualMethodAtEachEpsilon(t *testing.T) {
	e := newEdge(t)
	asked := expecting()
	asked["records"], asked["epsilons"] = 2000.0, []any{1.0, 4.9, 5.0, 8.0}
	of := func(method any) []any {
		return e.ask("expect", with(asked, "method", method))["private"].([]any)
	}
	usual, steps, minima := of(nil), of("steps"), of("amp")
	assert.Equal(t, append(steps[:2:2], minima[2:]...), usual)
	assert.NotEqual(t, steps, minima)
	with(asked, "lambda", 3.0)
	assert.Equal(t, of("amp"), of(nil), "a tuning is of objective perturbation")
}

func TestAnExpectationRefusesWhatAFitRefuses(t *testing.T) {
	replaced := with(with(expecting(), "adjacency", "replace-one"), "method", "dpsgd")
	assert.Equal(t, "method", newEdge(t).refused("expect", replaced).Field)
	assert.Equal(
		t,
		"lambda",
		newEdge(t).refused("expect", with(with(expecting(), "method", "dpgd"), "lambda", 1.0)).
			Field,
	)
}
