package fitting

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An attack is planned, run in two parts, and put together; whoever halves the noise of
// output perturbation is found out, and the fit as it is is not accused.
func TestAFitIsAttacked(t *testing.T) {
	e := newEdge(t)
	asked := map[string]any{
		"schema": ageSchema(), "adjacency": "add-remove", "epsilon": 4.0, "delta": 1e-5,
		"method": "outpert", "records": 1000.0,
	}
	plan := e.ask("attack.plan", asked)
	require.InDelta(t, 0.5, plan["suspect"], 0)
	rounds := plan["rounds"].(int)
	for noise, broken := range map[float64]bool{1: false, 0.5: true} {
		run := func(rounds int, counts ...any) map[string]any {
			more := map[string]any{
				"suspect": plan["suspect"], "test": plan["test"], "noise": noise,
				"rounds": float64(rounds),
			}
			if len(counts) > 0 {
				more["counts"] = counts
			}
			return e.ask("attack", both(asked, more))
		}
		first, second := run(rounds/2), run(rounds-rounds/2)
		whole := run(0, first["counts"], second["counts"])
		require.Equal(t, rounds, whole["rounds"])
		require.Equal(t, broken, whole["broken"], "noise × %g: %v", noise, whole["sign"])
	}
	for field, value := range map[string]any{
		"noise": 2.0, "suspect": 1.0, "rounds": 0.0,
		"counts": []any{map[string]any{
			"runs": []any{1.0, 1.0}, "aim": []any{2.0, 0.0}, "without": []any{}, "with": []any{},
		}},
	} {
		wrong := both(asked, map[string]any{
			"suspect": 0.5, "test": plan["test"], "noise": 1.0, "rounds": 100.0, field: value,
		})
		failed := e.refused("attack", wrong)
		require.Contains(t, failed.Field, field)
	}
}
