package crosscheck

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// best is the law of the output with the best score of K runs with this law, K of
// probability generating function pgf; order has the outputs from the worst score on. The
// last entry is that of no run.
func best(law []float64, order []int, pgf func(x float64) float64) []float64 {
	out := make([]float64, len(law)+1)
	out[len(law)] = pgf(0)
	before, below := pgf(0), 0.0
	for _, i := range order {
		below = math.Min(1, below+law[i])
		out[i] = math.Max(0, pgf(below)-before)
		before = pgf(below)
	}
	return out
}

// orders are all orders of n things.
func orders(n int) (out [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, rest := range orders(n - 1) {
		for at := range n {
			order := append(append([]int(nil), rest[:at]...), n-1)
			out = append(out, append(order, rest[at:]...))
		}
	}
	return out
}

// hockeyStick is H_{e^ε}(p‖q).
func hockeyStick(p, q []float64, epsilon float64) (sum float64) {
	for i := range p {
		sum += math.Max(0, p[i]-math.Exp(epsilon)*q[i])
	}
	return sum
}

// Of a test that is wrong with probability f under a data set, and then with no more than g
// under its neighbour, and a release by randomised response where it is right, selections
// have an exact law for every order of scores. None costs more than its price.
func TestSelectionsOfTestedReleasesHoldTheirExactLaws(t *testing.T) {
	nativetest.Only(t)
	events := 300
	if long() {
		events = 20_000
	}
	random, sharpest := draw(21), 0.0
	for range events {
		f, g := random.between(1e-9, 0.2), random.between(1e-9, 0.2)
		epsilon := random.between(1e-3, 3)
		there := g * random.next()
		high := (1 - f - there) / (1 + math.Exp(-epsilon))
		low := 1 - f - there - high
		here, other := []float64{f, there, high, low}, []float64{there, f, low, high}
		base := privacy.ProposeTestRelease{
			Test:    privacy.PureDP{Adjacency: privacy.AddRemove},
			Release: privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: epsilon},
			Failure: f, Neighbour: g,
		}
		mean := random.between(0.1, 200)
		var event privacy.Event = privacy.PoissonSelection{Base: base, Mean: mean}
		pgf := func(x float64) float64 { return math.Exp(mean * (x - 1)) }
		if random.below(2) == 0 {
			eta, gamma := random.between(0.01, 50), random.between(1e-3, 0.95)
			event = privacy.NegativeBinomialSelection{Base: base, Eta: eta, Gamma: gamma}
			pgf = func(x float64) float64 {
				return math.Expm1(-eta*math.Log1p(-(1-gamma)*x)) / math.Expm1(-eta*math.Log(gamma))
			}
		}
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		at := random.between(1e-3, 8)
		most := math.Exp(price.LogDeltaUpper(at))
		for _, order := range orders(4) {
			p, q := best(here, order, pgf), best(other, order, pgf)
			exact := math.Max(hockeyStick(p, q, at), hockeyStick(q, p, at))
			require.LessOrEqual(t, exact, most*(1+1e-9)+1e-14, "ε = %v of %+v", at, event)
			if most < 0.5 {
				sharpest = math.Max(sharpest, exact/most)
			}
		}
	}
	assert.Greater(t, sharpest, 0.4, "some are near their price")
}
