package fitting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What no other test says is taken as well.
func TestEachOptionThatIsDeclaredIsTaken(t *testing.T) {
	e := newEdge(t)
	_, failed := e.read(map[string]any{
		"purpose": "suggest", "label": "sick", "positive": []any{"yes"},
	}, ageRows)
	require.Nil(t, failed, "%v", failed)
	reading := e.ask("read.open", map[string]any{"purpose": "content"})["reading"]
	e.ask("read.part", map[string]any{"reading": float64(reading.(int)), "name": "people.csv"})

	tuning := map[string]any{"clip": 0.5, "lambda": 2.0, "tau": 1e-4, "bound": "glm"}
	planned := map[string]any{
		"schema":    ageSchema(),
		"adjacency": "add-remove",
		"epsilon":   1.0,
		"delta":     1e-5,
	}
	e.ask("plan", both(planned, tuning))
	dataset := opened(e, sickRows(3000))
	release := e.ask("fit", both(budget(dataset), tuning))["release"]
	e.ask("expect", both(planned, map[string]any{
		"records": 1000.0, "signal": "medium", "trial": 1.0, "epsilons": []any{1.0},
		"loss": "huber", "huberWidth": 0.5, "clip": 0.5, "radius": 4.0, "tau": 1e-4,
	}))
	huber := map[string]any{"loss": "huber", "huberWidth": 0.5, "clip": 0.5, "radius": 4.0}
	shifted := map[string]any{"loss": "rounded-hinge", "shift": 1.5}
	e.ask("plan", both(planned, shifted))
	e.ask("fit", both(budget(dataset), shifted))
	e.ask("expect", both(planned, both(shifted, map[string]any{
		"records": 1000.0, "signal": "medium", "trial": 1.0, "epsilons": []any{1.0},
	})))
	weighted := map[string]any{"loss": "weighted-logistic", "positiveWeight": 0.2}
	e.ask("plan", both(planned, weighted))
	e.ask("fit", both(budget(dataset), weighted))
	untried := e.refused("expect", both(planned, both(weighted, map[string]any{
		"records": 1000.0, "signal": "medium", "trial": 1.0, "epsilons": []any{1.0},
	})))
	assert.Contains(t, untried.Message, "weights are for a rare class")
	for i, more := range []map[string]any{tuning, huber, shifted, weighted} {
		asked := both(planned, more)
		seconds := 3600.0 // enough for the first fault
		if i == 0 && !testing.Short() {
			seconds = 0.1 // too little for any: all are timed
		}
		plan := e.ask("attack.plan", both(asked, map[string]any{"seconds": seconds}))
		e.ask("attack", both(asked, map[string]any{
			"suspect": plan["suspect"], "test": plan["test"], "noise": 1.0, "rounds": 10.0,
		}))
	}
	e.ask("evaluate", map[string]any{
		"release": release, "dataset": dataset, "adjacency": "add-remove", "epsilon": 1.0,
		"bins": 4.0, "lossBound": 3.0,
	})

	share := map[string]any{"adjacency": "add-remove", "epsilon": 1.0, "share": 0.1}
	e.ask("bounds.plan", both(share, map[string]any{"columns": 1.0}))
	counted, failed := e.read(
		map[string]any{"purpose": "bounds", "columns": []any{"age"}}, sickRows(3000),
	)
	require.Nil(t, failed, "%v", failed)
	e.ask("bounds", both(share, map[string]any{"dataset": float64(counted["dataset"].(int))}))
	e.ask("categories", map[string]any{
		"dataset": listed(
			e, wards(2000), "ward",
		), "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-6,
	})

	card := map[string]any{
		"adjacency": "replace-one", "epsilon": 1.0, "points": 2.0, "mechanism": "noisy-min",
		"noise": "gumbel",
	}
	e.ask("scorecard.plan", both(card, map[string]any{"schema": cardSchema()}))
	e.ask("scorecard", both(card, map[string]any{"dataset": celled(e, sickRows(300))}))

	voted := map[string]any{
		"votes": []any{[]any{30.0, 2.0}}, "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5,
	}
	e.ask("vote", both(voted, map[string]any{"changes": "voter"}))
	e.ask("pate", both(voted, map[string]any{"sigma": 2.0, "gap": 20.0}))

	public := []any{"rho", 0.1, "people", 2.0}
	_, e, dataset, reported := reporting(t, nil)
	e.ask("report.plan", askingFor(reported, reportBought, public...))
	e.ask("report.free", askingFor(reported, reportFree, public...))
	e.ask("report", askingFor(reported, reportBought, append(public, "dataset", dataset)...))
}

// both is the fields of two objects.
func both(a, b map[string]any) map[string]any {
	out := map[string]any{}
	for _, tree := range []map[string]any{a, b} {
		for name, value := range tree {
			out[name] = value
		}
	}
	return out
}
