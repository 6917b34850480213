package ledger

import "testing"

// What no other test says is taken as well.
func TestEachOptionThatIsDeclaredIsTaken(t *testing.T) {
	b := newBench(t)
	account := b.ask("ledger.create", map[string]any{"dataset": 2.0, "name": "table"})["account"]
	id := account.(map[string]any)["id"]
	b.ask("ledger.budget", map[string]any{"account": id, "budget": budget})
	b.ask("ledger.import", map[string]any{
		"text": b.ask("ledger.export", map[string]any{})["text"], "smaller": true,
	})
}
