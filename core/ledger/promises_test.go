package ledger

import (
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// lossy is what some mechanism loses which keeps all that a list of events promises: Gaussians' μ²
// together, what fails outright, and answers that are turned round, each with its log-odds moved
// from −ε/2 to ε/2.
type lossy struct {
	square, holds float64 // Σμ², Π(1 − δ′)
	answers       []float64
}

// delta is δ(ε) of all of it together: outright failures, and else the Gaussians beside all
// answers, of which there are at most 2^8 outcomes, each a shift of ε. The normal law is by erfc,
// to some digits less than a comparison allows.
func (l lossy) delta(epsilon float64) float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	mu, sum := math.Sqrt(l.square), 0.0
	for outcome := range 1 << len(l.answers) {
		p, q := 1.0, 1.0
		for k, odds := range l.answers {
			likely := 1 / (1 + math.Exp(-odds/2))
			if outcome>>k&1 == 0 {
				p, q = p*likely, q*(1-likely)
			} else {
				p, q = p*(1-likely), q*likely
			}
		}
		if mu == 0 {
			sum += math.Max(0, p-math.Exp(epsilon)*q)
			continue
		}
		left := (epsilon - math.Log(p/q)) / mu
		sum += math.Max(0, p*normal(mu/2-left)-math.Exp(epsilon)*q*normal(-mu/2-left))
	}
	return 1 - l.holds + l.holds*sum
}

func (l *lossy) gaussian(square float64) { l.square += square }

// promise draws an event, and adds what a mechanism that keeps it may lose.
func promise(draw func() float64, near float64, depth int, l *lossy) privacy.Event {
	between := func(low, high float64) float64 { return low * math.Pow(high/low, draw()) }
	a := privacy.AddRemove
	scale := near * between(0.02, 2) // of ε
	switch kind := int(draw() * 8); {
	case kind == 0:
		// D_α ≤ ε of a Gaussian with μ² = 2ε/α.
		order := between(1.01, 300)
		epsilon := scale * between(0.05, 1)
		l.gaussian(2 * epsilon / order)
		return privacy.RenyiDP{Adjacency: a, Order: order, Epsilon: epsilon}
	case kind == 1 && len(l.answers) < 8:
		// Two candidates, whose log-odds one record moves by ε: softmax.
		l.answers = append(l.answers, scale)
		return privacy.NoisyMin{Adjacency: a, Epsilon: scale, Span: 1, Noise: privacy.GumbelNoise}
	case kind == 2 && depth < 3:
		failure := 0.0
		if draw() < 0.8 {
			failure = between(1e-14, 1e-2)
		}
		l.holds *= 1 - failure
		return privacy.ProposeTestRelease{
			Test: promise(draw, near, depth+1, l), Release: promise(draw, near, depth+1, l),
			Failure: failure,
		}
	case kind == 3:
		rho := scale * scale / 20
		l.gaussian(2 * rho)
		return privacy.ZeroConcentrated{Adjacency: a, Rho: rho}
	case kind == 6 && len(l.answers) < 8:
		// The answer to one question, which one record turns round.
		l.answers = append(l.answers, 2*scale)
		return privacy.PureDP{Adjacency: a, Epsilon: scale}
	case kind == 7 && len(l.answers) < 8:
		failure := between(1e-14, 1e-2)
		l.answers, l.holds = append(l.answers, 2*scale), l.holds*(1-failure)
		return privacy.ApproximateDP{Adjacency: a, Epsilon: scale, Delta: failure}
	case kind == 4 && depth < 3:
		return privacy.Composition{Adjacency: a, Parts: []privacy.Part{
			{Event: promise(draw, near, depth+1, l), Count: 1},
			{Event: promise(draw, near, depth+1, l), Count: 1},
		}}
	}
	sigma := 4 / scale
	l.gaussian(1 / (sigma * sigma))
	return gaussian(sigma)
}

// No budget affords events which some mechanism keeps that is over it, however promises of
// Rényi divergences, of tests before releases, of noisy minima and of others are mixed,
// nested and told to one ledger after another.
func TestNoBudgetAffordsMorePromisesThanItHas(t *testing.T) {
	seed, tries := uint64(11), 25
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		seed, tries = uint64(time.Now().UnixNano()), 1000
	} else if testing.Short() {
		tries = 6
	}
	t.Logf("seed %d", seed)
	source := randomtest.New(seed)
	draw := func() float64 {
		word, _ := source.Uint64() // the seeded source does not fail
		return float64(word>>11) / (1 << 53)
	}
	afforded, refused := 0, 0
	for range tries {
		budget := privacy.Guarantee{
			Epsilon: 0.1 * math.Pow(100, draw()), Delta: 1e-9 * math.Pow(1e6, draw()),
			Adjacency: privacy.AddRemove,
		}
		l, id := opened(t, budget)
		spent := lossy{holds: 1}
		var events []privacy.Event
		for range 6 {
			after := spent
			after.answers = append([]float64(nil), spent.answers...)
			event := promise(draw, budget.Epsilon, 0, &after)
			charge, err := l.Reserve(ctx, id, event, "promise")
			if err != nil {
				var exceeded *ExceededError
				require.ErrorAs(t, err, &exceeded, "%#v", event)
				refused++
				continue
			}
			spent, events = after, append(events, event)
			least := spent.delta(budget.Epsilon)
			require.False(
				t, least > budget.Delta*(1+1e-6)+1e-15, "δ(%v) is at least %v of %v: %#v",
				budget.Epsilon, least, budget.Delta, events,
			)
			afforded++
			if draw() < 0.5 {
				require.NoError(t, l.Commit(ctx, charge.ID, "x"))
			}
			if draw() < 0.3 {
				text, err := l.Export(ctx)
				require.NoError(t, err)
				l = New(&Memory{}, nil)
				_, err = l.Import(ctx, text, false)
				require.NoError(t, err)
			}
		}
	}
	t.Logf("%d afforded, %d refused", afforded, refused)
	require.Greater(t, afforded, tries)
	require.Greater(t, refused, tries/2)
}
