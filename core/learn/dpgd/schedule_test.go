package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// settings are three problems' constants, condition numbers 2.5 to 400.
var settings = []Setting{
	{
		Records:     10_000,
		Dimension:   2,
		Sensitivity: 2,
		Smoothness:  0.25,
		Convexity:   0.1,
		Gap:         math.Ln2,
		Distance:    2,
	},
	{
		Records:     569,
		Dimension:   30,
		Sensitivity: 1,
		Smoothness:  0.4,
		Convexity:   0.001,
		Gap:         5,
		Distance:    10,
	},
	{
		Records:     40_000,
		Dimension:   104,
		Sensitivity: 2.5,
		Smoothness:  1.3,
		Convexity:   0.02,
		Gap:         0.3,
		Distance:    1,
	},
}

// minimum is the argument in (low, high) at which f, unimodal in its logarithm,
// is least, by golden sections.
func minimum(f func(float64) float64, low, high float64) float64 {
	a, b := math.Log(low), math.Log(high)
	const part = 0.6180339887498949
	for range 200 {
		c, d := b-part*(b-a), a+part*(b-a)
		if f(math.Exp(c)) < f(math.Exp(d)) {
			b = d
		} else {
			a = c
		}
	}
	return math.Exp((a + b) / 2)
}

// improvement is U of equation 5.
func (s Setting) improvement(sigma, rate, norm float64) float64 {
	return (rate-s.Smoothness/2*rate*rate)*norm*norm - s.Smoothness/2*rate*rate*float64(
		s.Dimension,
	)*sigma*sigma
}

// Price over improvement, minimised numerically over both the noise and the
// step size, is Proposition 1.
func TestBestMinimisesPriceOverImprovement(t *testing.T) {
	for _, s := range settings {
		for _, norm := range []float64{1e-3, 0.5, 7} {
			rateFor := func(sigma float64) float64 {
				return minimum(
					func(rate float64) float64 { return -s.improvement(sigma, rate, norm) }, 1e-6,
					1/s.Smoothness,
				)
			}
			sigma := minimum(func(sigma float64) float64 {
				return 1 / sigma / s.improvement(sigma, rateFor(sigma), norm)
			}, norm*1e-3, norm*1e3)
			want, rate := s.Best(norm)
			assert.InEpsilon(t, want, sigma, 1e-6)
			assert.InEpsilon(t, rate, rateFor(sigma), 1e-6)
			assert.InEpsilon(
				t, norm*norm/(4*s.Smoothness), s.improvement(want, rate, norm), 1e-12,
				"the improvement in B.3",
			)
		}
	}
}

// The data-independent schedules are Best with a bound in the place of the
// norm, and the bounds of Proposition 3 are what the descent lemma gives for
// them, whatever the gradients are.
func TestSchedulesKeepTheirBounds(t *testing.T) {
	for _, s := range settings {
		d, m, mu := float64(s.Dimension), s.Smoothness, s.Convexity
		for _, step := range []int{1, 2, 17, 400} {
			at := func(norm float64) float64 { sigma, _ := s.Best(norm); return sigma }
			assert.InEpsilon(t, at(4*m*math.Sqrt(s.Gap)/float64(step)), s.NonConvex(step), 1e-12)
			assert.InEpsilon(t, at(4*m*s.Distance/float64(step)), s.Convex(step), 1e-12)
			bound := s.Gap * math.Pow(1-mu/(2*m), float64(step-1)) // of F(θₜ₋₁) − F*
			assert.InEpsilon(t, at(math.Sqrt(2*mu*bound)), s.StronglyConvex(step), 1e-12)
		}
		// η − Mη²/2 = 3/(8M), and a step's noise adds dσ²/(8M).
		assert.InEpsilon(t, 3/(8*m), s.improvement(0, s.Rate(), 1), 1e-12)
		noise := func(sigma float64) float64 { return -s.improvement(sigma, s.Rate(), 0) }
		assert.InEpsilon(t, d*0.04/(8*m), noise(0.2), 1e-12)

		// (a) adds up what the steps may lose.
		lost := s.Gap
		for step := 1; step <= 3000; step++ {
			lost += noise(s.NonConvex(step))
			average := lost / (3 / (8 * m)) / float64(step)
			require.LessOrEqual(
				t, average, 8*m*(math.Pi*math.Pi*m/3+1)*s.Gap/(3*float64(step))*(1+1e-12),
			)
		}
		// (b) ‖∇F‖ ≥ (F − F*)/R, from any start that smoothness allows: the worst
		// one is followed, the recursion's right side being largest at its top.
		c := 3 / (8 * m * s.Distance * s.Distance)
		v := m * s.Distance * s.Distance / 2
		for step := 1; step <= 3000; step++ {
			top := math.Min(v, 1/(2*c))
			v = top - c*top*top + noise(s.Convex(step))
			require.LessOrEqual(
				t, v, 16*m*s.Distance*s.Distance/(3*float64(step))*(1+1e-12), "step %d", step,
			)
		}
		// (c) ‖∇F‖² ≥ 2μ(F − F*).
		v = s.Gap
		for step := 1; step <= 3000; step++ {
			v = v*(1-3*mu/(4*m)) + noise(s.StronglyConvex(step))
			require.LessOrEqual(t, v, s.Gap*math.Pow(1-mu/(2*m), float64(step))*(1+1e-9))
		}
	}
}

func TestStepsSpendAsMuchAsTheyCan(t *testing.T) {
	for _, s := range settings {
		for _, rho := range []float64{1e-4, 0.01, 1} {
			for name, schedule := range map[string]func(int) float64{
				"non-convex": s.NonConvex, "convex": s.Convex, "strongly convex": s.StronglyConvex,
				"constant": func(int) float64 { return 0.01 },
			} {
				sigmas := s.Steps(schedule, rho)
				assert.LessOrEqual(t, s.Spent(sigmas), rho, name)
				assert.Greater(t, s.Spent(append(sigmas, schedule(len(sigmas)+1))), rho, name)
				for k, sigma := range sigmas {
					require.Equal(t, schedule(k+1), sigma)
				}
			}
		}
	}
}

// Proposition 4: the closed forms for the number of steps. Those of (a) and (b)
// are on the safe side, by ∛3 at most; (c) as printed is not.
func TestClosedFormsOfTheNumberOfSteps(t *testing.T) {
	for _, s := range settings {
		for _, rho := range []float64{0.01, 1, 50} {
			for _, c := range []struct {
				steps  float64
				sigmas []float64
			}{
				{s.NonConvexSteps(rho), s.Steps(s.NonConvex, rho)},
				{s.ConvexSteps(rho), s.Steps(s.Convex, rho)},
			} {
				most := float64(len(c.sigmas))
				assert.GreaterOrEqual(t, most, math.Floor(c.steps))
				assert.LessOrEqual(t, most, c.steps*math.Cbrt(3)+1)
			}
			exact := s.StronglyConvexSteps(rho)
			assert.Equal(t, math.Floor(exact), float64(len(s.Steps(s.StronglyConvex, rho))))
			kappa := s.Smoothness / s.Convexity
			printed := math.Floor(math.Log(s.steepness(rho)) / math.Log(2*kappa/(2*kappa-1)))
			if printed < 1 {
				continue
			}
			spent := 0.0
			for step := range int(printed) {
				spent += s.Cost(s.StronglyConvex(step + 1))
			}
			assert.Greater(t, spent, rho, "the printed number of steps overspends")
			assert.LessOrEqual(
				t, spent, (kappa-0.5)*(rho-rho/s.steepness(rho))*(1+1e-9), "by nearly κ",
			)
			assert.GreaterOrEqual(
				t, spent, (kappa-0.5)*(rho*(1-1/(2*kappa))-rho/s.steepness(rho))*(1-1e-9),
			)
		}
	}
}

// Excess risk after T steps as Proposition 4 has it, with what its algebra
// loses put back: R⁴ for R in (b), κ in (c).
func TestWhatPropositionFourComesTo(t *testing.T) {
	for _, s := range settings {
		const rho = 2.0
		l, n, d := s.Sensitivity/2, s.Records, float64(s.Dimension)
		bound := 16 * s.Smoothness * s.Distance * s.Distance / (3 * s.ConvexSteps(rho))
		assert.InEpsilon(
			t, 8.0/3*math.Cbrt(l*l*s.Smoothness*math.Pow(s.Distance, 4)*d/(rho*n*n)), bound, 1e-9,
		)
		kappa := s.Smoothness / s.Convexity
		bound = s.Gap * math.Pow(1-1/(2*kappa), s.StronglyConvexSteps(rho))
		assert.LessOrEqual(t, bound, (2*kappa-1)*l*l*d/(n*n*s.Convexity*rho))
	}
}

// allocationBound is the bound on V_T that Allocated minimises.
func (s Setting) allocationBound(sigmas []float64) float64 {
	v := s.Gap
	for _, sigma := range sigmas {
		v = v*(1-3*s.Convexity/(4*s.Smoothness)) + float64(s.Dimension)*sigma*sigma/(8*s.Smoothness)
	}
	return v
}

// The allocation is a minimum under the budget: no shift of budget between two
// steps makes the bound less, for this T; and no other T has a lesser one.
func TestAllocatedIsTheBestOfAll(t *testing.T) {
	for _, s := range settings {
		for _, rho := range []float64{1e-4, 0.01, 1} {
			sigmas := s.Allocated(rho)
			require.InEpsilon(t, rho, s.Spent(sigmas), 1e-9)
			best := s.allocationBound(sigmas)
			for _, pair := range [][2]int{
				{0, 1}, {0, len(sigmas) - 1}, {len(sigmas) / 2, len(sigmas) - 1},
				{len(sigmas) - 1, 0},
			} {
				if pair[0] == pair[1] || pair[1] >= len(sigmas) {
					continue
				}
				for _, part := range []float64{0.01, 0.3} {
					moved := append([]float64(nil), sigmas...)
					budget := part / (moved[pair[0]] * moved[pair[0]])
					moved[pair[0]] /= math.Sqrt(1 - part)
					moved[pair[1]] = 1 / math.Sqrt(1/(moved[pair[1]]*moved[pair[1]])+budget)
					require.InEpsilon(t, rho, s.Spent(moved), 1e-9)
					assert.Greater(t, s.allocationBound(moved), best)
				}
			}
			least, at, roots := math.Inf(1), 0, 0.0
			q := 1 - 3*s.Convexity/(4*s.Smoothness)
			budget := 2 * rho * math.Pow(s.Records/s.Sensitivity, 2)
			for steps := 1; steps < 20_000; steps++ {
				// The least bound for so many steps, Cauchy & Schwarz's sum added up.
				roots += math.Pow(q, float64(steps-1)/2)
				bound := s.Gap*math.Pow(q, float64(steps)) +
					float64(s.Dimension)/(8*s.Smoothness)*roots*roots/budget
				if bound < least {
					least, at = bound, steps
				}
			}
			assert.Equal(t, at, len(sigmas))
			assert.InEpsilon(t, least, best, 1e-9)
			for _, other := range []func(int) float64{
				s.StronglyConvex, s.Convex, s.NonConvex, func(int) float64 { return 0.02 },
			} {
				if sigmas := s.Steps(other, rho); len(sigmas) > 0 {
					assert.GreaterOrEqual(t, s.allocationBound(sigmas), best)
				}
			}
		}
	}
}
