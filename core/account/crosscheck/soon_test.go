//go:build !js

package crosscheck

import (
	"math"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// Whatever an event's numbers are, from the smallest that it may have to the largest, each method
// has its ε, its δ and a curve of 24 points soon: most within 2 s of a processor. The longest of
// 2,300 events took 8 s, the ε of objective perturbation with one record replaced by "pld".
func TestAnythingIsAnsweredSoon(t *testing.T) {
	events := 30
	if testing.Short() {
		events = 10
	}
	if long() {
		events = 3000
	}
	const limit = 16.0 // seconds: a busy machine has room
	d := draw(7)
	for n := 0; n < events; {
		a := []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne}[d.below(2)]
		event := d.anything(a, 1)
		if d.below(10) == 0 {
			event = d.tested(a)
		}
		if event.Validate() != nil {
			continue
		}
		n++
		for _, method := range []account.Method{
			account.Closed, account.Distribution, account.Renyi,
		} {
			for _, bound := range []objective.Bound{objective.BoundAuto, objective.BoundControl} {
				if bound != objective.BoundAuto && !account.Bounded(event) {
					continue
				}
				delta, at := math.Pow(10, -15*d.next()), d.number()
				epsilon := math.Inf(1)
				for _, question := range []struct {
					what string
					ask  func(account.Price)
				}{
					{"ε", func(p account.Price) { epsilon, _ = p.EpsilonUpper(delta) }},
					{"δ", func(p account.Price) { p.LogDeltaUpper(at) }},
					{"curve", func(p account.Price) {
						drawn := p.Drawn(event)
						for i := range 24 {
							drawn.LogDeltaUpper(math.Min(epsilon, 10) * float64(i) / 23)
						}
					}},
				} {
					start := processorTime(t)
					price, err := account.Of(event, method, pld.Options{Bound: bound})
					if err == nil {
						question.ask(price)
					}
					took := processorTime(t) - start
					assert.Less(
						t, took, limit, "%s by %s and %s: δ = %g, ε = %g of %#v",
						question.what, method, bound, delta, at, event,
					)
					if took > 2 {
						t.Logf("%.1f s: %s by %s and %s of %#v", took, question.what, method, bound, event)
					}
				}
			}
		}
	}
}

// processorTime is the processor's time that this process has taken, in seconds.
func processorTime(t *testing.T) float64 {
	var r syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
