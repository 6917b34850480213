package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/special"
)

// settings spans strong and weak noise and regularisation, R ≠ 1 and L < R; in
// the order R, L, λ, σ.
var settings = [][4]float64{
	{1, 1, 1, 3.7}, {1, 1, 0.3, 3}, {1, 1, 0.05, 3}, {1, 1, 0.01, 0.5}, {1, 1, 100, 1},
	{
		1,
		0.8,
		1,
		3.7,
	}, {1, 0.4, 0.05, 3}, {1, 0.05, 0.001, 0.3}, {100, 100, 3e3, 250}, {100, 30, 20, 400},
	{
		1,
		1,
		1e-6,
		10,
	}, {1, 1, 1e-3, 1000}, {1, 1, 1, 0.05}, {1, 1, 0.5, 0.7}, {0.01, 0.01, 1e-5, 0.04},
	{1, 1, 1e-3, 0.08}, {1, 0.5, 1e-3, 0.08},
}

// bracketMaximum is g(v) by brute force: the best of many a, refined.
func bracketMaximum(v float64, s [4]float64) float64 {
	R, L, lambda, sigma := s[0], s[1], s[2], s[3]
	bracket := func(a float64) float64 {
		return a*v/sigma + a*a/(2*sigma*sigma) + math.Log1p(a*(R-a)/lambda)
	}
	const n = 1000
	best := 0.0
	for i := range n + 1 {
		u := float64(i) / n
		for _, a := range []float64{u * L, math.Exp(-25*u) * L, L - math.Exp(-25*u)*L} {
			best = math.Max(best, bracket(a))
		}
	}
	return best
}

func TestLogisticLossIsTheMaximum(t *testing.T) {
	for _, s := range settings {
		g := logisticLoss(s[0], s[1], s[2], s[3])
		before := math.Inf(-1)
		for v := -30.0; v <= 30; v += 0.37 {
			loss, brute := g.Loss(v), bracketMaximum(v, s)
			assert.GreaterOrEqual(t, loss+LossSlack(v, loss), brute, "%v at v = %v", s, v)
			assert.InDelta(t, brute, loss, 1e-4*(1+math.Abs(loss)), "%v at v = %v", s, v)
			assert.GreaterOrEqual(
				t, loss, before-LossSlack(v, loss), "%v is monotone at v = %v", s, v,
			)
			before = loss
		}
	}
}

func TestLogisticLossBranchesAreStationary(t *testing.T) {
	jumps, smooth := 0, 0
	for _, s := range settings {
		g := logisticLoss(s[0], s[1], s[2], s[3])
		if len(g.branches) == 1 && g.flatEnd == g.branches[0].vLow &&
			g.linearStart == g.branches[0].vHigh {
			smooth++
		} else {
			jumps++
		}
		place := g.flatEnd
		for _, b := range g.branches {
			assert.InDelta(
				t, place, b.vLow, 1e-9*(1+math.Abs(place)), "%v: branches are contiguous", s,
			)
			place = b.vHigh
			for i := range 20 {
				at := b.low + (b.high-b.low)*(float64(i)+0.5)/20
				assert.Negative(t, b.curvature(at), "%v: κ is concave at s = %v", s, at)
				h := 1e-6 * math.Min(at, 1-at)
				numeric := (b.bracket.value(at+h) - b.bracket.value(at-h)) / (2 * h)
				assert.InDelta(
					t, numeric, b.slope(at), 1e-5*(1+math.Abs(numeric)), "%v: κ' at %v", s, at,
				)
				assert.InDelta(t, at, b.maximiser(b.vAt(at)), 1e-8*at, "%v: inverse at %v", s, at)
			}
		}
		assert.InDelta(t, place, g.linearStart, 1e-9*(1+math.Abs(place)), "%v", s)
		start := g.linearStart
		assert.InDelta(
			t, g.line(start), g.Loss(start-1e-9), 1e-6, "%v: continuous where it becomes linear", s,
		)
	}
	assert.Positive(t, jumps)
	assert.Positive(t, smooth)
}

func TestLevelInvertsLoss(t *testing.T) {
	functions := map[string]LossFunction{
		"gaussian": gaussianLoss{0.7},
		"half":     halfNormalLoss{0.2, 0.7},
		"cut":      cutLoss(0.3, 0.5),
	}
	for i, s := range settings {
		functions["logistic "+string(rune('a'+i))] = logisticLoss(s[0], s[1], s[2], s[3])
	}
	for name, f := range functions {
		for v := -12.0; v < 12; v += 0.31 {
			x := f.Loss(v)
			level := f.Level(x)
			// Above the infimum the loss increases strictly.
			if x > f.Loss(math.Inf(-1))+1e-3 {
				assert.InDelta(t, v, level, 1e-6*(1+math.Abs(v)), "%s at v = %v", name, v)
			} else {
				assert.GreaterOrEqual(
					t, special.NormalCDF(level), special.NormalCDF(v)-1e-12, "%s at v = %v", name,
					v,
				)
			}
		}
		assert.Equal(t, math.Inf(1), f.Loss(math.Inf(1)), name)
		assert.Equal(t, math.Inf(-1), f.Level(math.Inf(-1)), name)
	}
}

// E[e^{−ω}] ≤ 1 is what makes ω the loss of a dominating pair (theory §4.4).
func TestLossesBelongToDominatingPairs(t *testing.T) {
	functions := []LossFunction{
		gaussianLoss{0.7},
		halfNormalLoss{0, 0.7},
		halfNormalLoss{0.1, 3},
		cutLoss(0, 0.5),
		cutLoss(0.2, 2),
	}
	for _, s := range settings {
		functions = append(functions, logisticLoss(s[0], s[1], s[2], s[3]))
	}
	var knots []float64
	for v := -14.0; v <= 14; v += 0.125 {
		knots = append(knots, v)
	}
	for _, f := range functions {
		mean, _, err := special.Adaptive(func(v float64) float64 {
			return special.NormalDensity(v) * math.Exp(-f.Loss(v))
		}, knots, 1e-9, 0)
		assert.NoError(t, err)
		assert.LessOrEqual(t, mean, 1+1e-9, "%v", f)
	}
}
