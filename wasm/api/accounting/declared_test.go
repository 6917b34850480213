package accounting

import "testing"

// What no other test says is taken as well.
func TestEachOptionThatIsDeclaredIsTaken(t *testing.T) {
	gaussian := map[string]any{
		"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1.0, "sigma": 4.0,
	}
	asked := map[string]any{"event": gaussian, "delta": 1e-5, "bound": "auto", "accuracy": 0.01}
	ask(t, "estimate", asked)
	ask(t, "check", asked)
	ask(t, "solve", map[string]any{
		"event": gaussian, "parameter": "sigma", "epsilon": 1.0, "delta": 1e-5, "bound": "auto",
	})
	ask(t, "afford", map[string]any{
		"budget":  map[string]any{"adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5},
		"charged": []any{}, "mass": 1e-6,
	})
}
