package amp

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// At the floor of λ neither a degenerate problem nor one that lacks a record of
// it, or has one more, is refused: whether a fit is does not tell them apart.
func TestNoNeighbourIsRefusedAtTheFloorOfLambda(t *testing.T) {
	seeds := uint64(2)
	if audittest.Long() {
		seeds = 20
	}
	if runtime.GOARCH == "wasm" {
		seeds = 1 // the code is the same, and slower
	}
	for name, odd := range learntest.Degenerate() {
		for lossName, loss := range everyLoss(t) {
			problem := posed(odd, loss)
			// less than log(1 + 2^12) = 8.3 buys no such λ
			for _, epsilon := range []float64{25, 60} {
				request := Defaults(
					problem.Data.Schema, loss, guaranteed(epsilon), objective.BoundAuto,
				)
				request.Lambda = calibrate.SmallestRegularizer(
					request.Smoothness*request.RowNorm*request.RowNorm,
				) * (1 + 0x1p-50)
				event := minima(t, request)
				for which, neighbour := range append(learntest.Neighbours(problem), problem) {
					for seed := range seeds {
						_, _, err := Fit(t.Context(), neighbour, event, randomtest.New(seed), nil)
						require.NoError(
							t,
							err,
							fmt.Sprintf(
								"%s, %s, ε = %g, neighbour %d", name, lossName, epsilon, which,
							),
						)
					}
				}
			}
		}
	}
}

// Below the floor the one record of two neighbours would decide. So λ is refused
// for what it is, whatever the records are, by who calibrates and by who fits.
func TestLambdaBelowTheFloorIsRefusedWhateverTheRecords(t *testing.T) {
	all := learntest.Degenerate()
	for lossName, loss := range everyLoss(t) {
		for _, name := range []string{"no records", "one record", "separable, many"} {
			problem := posed(all[name], loss)
			request := Defaults(problem.Data.Schema, loss, guaranteed(25), objective.BoundAuto)
			floor := calibrate.SmallestRegularizer(
				request.Smoothness * request.RowNorm * request.RowNorm,
			)
			event := minima(t, request)
			require.Greater(t, event.Objective.Lambda, 10*floor, "the defaults are far above")
			for _, event.Objective.Lambda = range []float64{1e-11, floor * (1 - 0x1p-40)} {
				request.Lambda = event.Objective.Lambda
				_, err := calibrate.Minima(request)
				var parameter *privacy.ParameterError
				require.ErrorAs(t, err, &parameter, lossName)
				assert.Equal(t, "lambda", parameter.Field)
				script := &randomtest.Script{}
				_, _, err = Fit(t.Context(), problem, event, script, nil)
				require.ErrorAs(t, err, &parameter, "%s, %s", name, lossName)
				assert.Equal(t, "event.lambda", parameter.Field)
				assert.Zero(t, script.Read, "no noise was drawn")
			}
		}
	}
}

// What calibrate.Minima chooses itself is above the floor, at any ε and bound.
func TestNoDefaultIsBelowTheFloorOfLambda(t *testing.T) {
	nativetest.Only(t)
	problem := learntest.Clinic()
	for lossName, loss := range everyLoss(t) {
		for _, bound := range []objective.Bound{
			objective.BoundAuto, objective.BoundProfile, objective.BoundRDP,
		} {
			for _, epsilon := range []float64{0.01, 8, 1000, 1e8} {
				request := Defaults(problem.Data.Schema, loss, guaranteed(epsilon), bound)
				event, err := calibrate.Minima(request)
				require.NoError(t, err, "%s, %s, ε = %g", lossName, bound, epsilon)
				assert.NoError(
					t, Check(learn.Problem{Data: problem.Data, Loss: loss}, event),
					"%s, %s, ε = %g", lossName, bound, epsilon,
				)
			}
		}
	}
}
