package report

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/glm"
	"cloister/core/privacy"
)

func rootOf(x *big.Float) *big.Float { return new(big.Float).SetPrec(golden.Bits).Sqrt(x) }

// above is by what share got is above exact.
func above(got float64, exact *big.Float) float64 {
	return golden.Float(golden.Over(golden.Minus(golden.Big(got), exact), exact))
}

// smoothed is a sensitivity on a lattice, as learn.LatticeSensitivity has it.
func smoothed(sensitivity *big.Float, sigma, grid float64) *big.Float {
	ratio := golden.Over(golden.Big(grid), golden.Big(sigma))
	square := golden.Times(golden.Big(25), golden.Times(ratio, ratio))
	return golden.Over(sensitivity, rootOf(golden.Minus(golden.Big(1), square)))
}

// What a mechanism's output moves by, a record's Hessian and scores, and what a report's
// releases are charged, are rounded up by more than their rounding.
func TestAllowanceOfReports(t *testing.T) {
	huber, err := glm.NewHuber(0.37)
	require.NoError(t, err)
	for _, d := range []int{1, 3, 17} {
		for _, norm := range []float64{1.1, 0.77, 3.3} {
			event := privacy.ApproximateMinima{
				Objective: privacy.ObjectivePerturbation{
					Adjacency: privacy.AddRemove, Loss: privacy.LossSigned, RowNorm: norm,
					Lipschitz: norm * 0.7, Smoothness: huber.MaxCurvature(), Lambda: 20.3, Sigma: 3,
					Dimension: d,
				},
				Tau: 1e-7, SigmaOut: 0.3, Grid: 0x1p-24,
			}
			m, err := NewMechanism(event, huber, make([]float64, d))
			require.NoError(t, err)
			root := rootOf(golden.Big(float64(d)))
			shift := golden.Plus(
				golden.Over(golden.Big(event.Tau), golden.Big(event.Objective.Lambda)),
				golden.Times(golden.Big(event.Grid/2), root),
			)
			assert.Greater(t, above(m.Output.Shift, shift), 0x1p-52)
			square := golden.Times(golden.Big(norm), golden.Big(norm))
			hessian := golden.Times(golden.Big(huber.MaxCurvature()), square)
			assert.Greater(t, above(m.hessianNorm(), hessian), 0x1p-52)

			plan := Plan{Gradient: 0.3, Hessian: 0.7, Least: 0.9, Scores: 1.3}
			scores, err := plan.scores(m)
			require.NoError(t, err)
			length := golden.Big(m.lipschitz())
			assert.Greater(t, above(scores.Norm, golden.Times(length, length)), 0x1p-52)

			events, err := plan.Events(m)
			require.NoError(t, err)
			require.Len(t, events, 4)
			grid := gridOf(plan.Gradient)
			gradient := golden.Plus(length, golden.Plus(
				golden.Big(2*m.samplerError()), golden.Times(golden.Big(grid), root),
			))
			gradient = smoothed(gradient, plan.Gradient, grid)
			assert.Greater(t, above(events[0].Sensitivity, gradient), 0x1p-41)

			by, err := plan.matrix(m)
			require.NoError(t, err)
			sum, err := by.Sum()
			require.NoError(t, err)
			grid = gridOf(plan.Least)
			least := golden.Plus(
				golden.Times(rootOf(golden.Big(2)), golden.Big(sum.Sensitivity())),
				golden.Plus(golden.Big(2*plan.eigenError(m)), golden.Big(grid)),
			)
			least = smoothed(least, plan.Least, grid)
			assert.Greater(t, above(events[2].Sensitivity, least), 0x1p-41)

			plan.Rest = true
			both, err := plan.Events(m)
			require.NoError(t, err)
			rest := golden.Minus(
				golden.Big(2*events[1].Sensitivity),
				golden.Over(golden.Big(m.hessianNorm()), rootOf(golden.Big(2))),
			)
			assert.Greater(t, above(both[1].Sensitivity, rest), 0x1p-41)
		}
	}
}
