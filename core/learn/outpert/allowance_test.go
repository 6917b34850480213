package outpert

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// above is by what share got is above exact.
func above(got float64, exact *big.Float) float64 {
	return golden.Float(golden.Over(golden.Minus(golden.Big(got), exact), exact))
}

func rootOf(x *big.Float) *big.Float { return new(big.Float).SetPrec(golden.Bits).Sqrt(x) }

// What a plan is charged is ((C + 2τ)/λ + g√d)/√(1 − 25(g/σ)²), with 2C where a record is
// replaced, rounded up by more than its rounding: where the threshold, the solver's error
// or the lattice is most of it.
func TestAllowanceOfTheSensitivity(t *testing.T) {
	source := randomtest.New(5)
	for range 300 {
		for adjacency, records := range map[privacy.Adjacency]float64{
			privacy.AddRemove: 1, privacy.ReplaceOne: 2,
		} {
			plan := planFor(learntest.Five(), adjacency)
			plan.Dimension = 1 + int(4000*learntest.Uniform(source))
			plan.Clip = math.Exp(20*learntest.Uniform(source) - 10)
			plan.Tau = math.Exp(
				20*learntest.Uniform(source)-10,
			) + SmallestTau(plan.RowNorm, plan.Clip)
			plan.Lambda = math.Exp(20*learntest.Uniform(source) - 5)
			plan.Sigma = math.Ldexp(1+learntest.Uniform(source), 30)
			plan.Grid = math.Ldexp(1, -int(8*learntest.Uniform(source)))
			event, err := plan.Event()
			require.NoError(t, err)
			sum := golden.Plus(golden.Big(records*plan.Clip), golden.Big(2*plan.Tau))
			exact := golden.Plus(
				golden.Over(sum, golden.Big(plan.Lambda)),
				golden.Times(golden.Big(plan.Grid), rootOf(golden.Big(float64(plan.Dimension)))),
			)
			ratio := golden.Over(golden.Big(plan.Grid), golden.Big(plan.Sigma))
			square := golden.Times(golden.Big(25), golden.Times(ratio, ratio))
			exact = golden.Over(exact, rootOf(golden.Minus(golden.Big(1), square)))
			got := above(event.Sensitivity, exact)
			require.Greater(t, got, 2.1*0x1p-50, "%+v", plan)
			require.Less(t, got, 0x1p-48, "%+v", plan)
		}
	}
}

// The published σ is rounded up: Δ(c + √(c² + ε))/(ε√2), c² = log(2/(√(16δ+1) − 1)).
func TestAllowanceOfLowyAndRazaviyaynsSigma(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1, 9} {
		for _, delta := range []float64{1e-12, 1e-5, 0.3} {
			root := rootOf(
				golden.Plus(golden.Times(golden.Big(16), golden.Big(delta)), golden.Big(1)),
			)
			square := golden.Log(golden.Over(golden.Big(2), golden.Minus(root, golden.Big(1))))
			exact := golden.Plus(rootOf(square), rootOf(golden.Plus(square, golden.Big(epsilon))))
			exact = golden.Over(exact, golden.Times(golden.Big(epsilon), rootOf(golden.Big(2))))
			got, err := LowyRazaviyaynSigma(1, epsilon, delta)
			require.NoError(t, err)
			assert.Greater(t, above(got, exact), 0x1p-49, "ε = %v, δ = %v", epsilon, delta)
			assert.Less(t, above(got, exact), 0x1p-47, "ε = %v, δ = %v", epsilon, delta)
		}
	}
}
