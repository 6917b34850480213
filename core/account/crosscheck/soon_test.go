//go:build unix

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
// has its ε, its δ and a curve of 24 points soon: nearly all within 2 s of a processor. Besides
// what is drawn, discrete Laplace noise with a large sensitivity is asked about: a point of its
// Rényi curve adds up as many terms as it has, at two hundred orders.
//
// Asked about are 40 events, and 10 with -short. CLOISTER_AUDIT=long asks about 3,000, each within
// 2 s. Of others that were tried, these took longer:
//
//   - ε by "pld" of objective perturbation with the logistic loss, one record replaced and λ about
//     1e-13: 7 s.
//   - a curve by "rdp" of that with the rounded hinge and λ about 1e-47: 6 s.
//
// Calls that ask for many prices, such as an expectation of a private choice, are not tried here.
func TestAnythingIsAnsweredSoon(t *testing.T) {
	events, limit := 40, 6.0 // seconds: a busy machine has room
	if testing.Short() {
		events = 10
	}
	if long() {
		events, limit = 3000, 16
	}
	for _, a := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, e := range []privacy.DiscreteLaplace{
			{Adjacency: a, Sensitivity: 4000, Scale: 3000},
			{Adjacency: a, Sensitivity: 1 << 30, Scale: 1 << 28},
		} {
			answeredSoon(t, e, 1e-6, 1, limit)
		}
	}
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
		answeredSoon(t, event, math.Pow(10, -15*d.next()), d.number(), limit)
	}
}

// answeredSoon asks for ε at δ = delta, for δ at ε = at, and for a curve.
func answeredSoon(t *testing.T, event privacy.Event, delta, at, limit float64) {
	for _, method := range []account.Method{
		account.Closed, account.Distribution, account.Renyi,
	} {
		for _, bound := range []objective.Bound{objective.BoundAuto, objective.BoundControl} {
			if bound != objective.BoundAuto && !account.Bounded(event) {
				continue
			}
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

// processorTime is the processor's time that this process has taken, in seconds.
func processorTime(t *testing.T) float64 {
	var r syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
