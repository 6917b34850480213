package amp

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// longestTheta is how long θ can be where ‖∇J(θ) + b‖ ≤ τ, for N records: with
// q ≥ −f'(m)m, λ‖θ‖² ≤ qN + (‖b‖ + τ)‖θ‖.
func longestTheta(o privacy.ObjectivePerturbation, loss glm.Loss, tau float64) float64 {
	q := 0.0
	for m := 1e-3; m < 1e4; m *= 1.01 {
		q = max(q, -loss.Slope(m, 1)*m, loss.Slope(-m, -1)*m)
	}
	noise := longestNoise(o.Sigma, o.Dimension) + tau
	return (noise + math.Sqrt(noise*noise+4*o.Lambda*q*calibrate.MostRecords)) / (2 * o.Lambda)
}

// certificateOf is that of an objective of these rows alone.
func certificateOf(rows *solve.Rows, theta []float64, lambda float64) solve.Certificate {
	return solve.NewObjective(lambda, nil, rows).Certify(theta)
}

// worstRows are rows that are as long as may be, of k entries each, against a θ
// for which margins are a, or cancel; both labels, as far from where they are
// predicted as may be. 2·a/(Rk) is what θ's first 2k entries are.
func worstRows(schema *data.Schema, loss glm.Loss, rowNorm float64, k int) learn.Problem {
	var x [][]float64
	var y []float64
	for _, cancel := range []bool{false, true} {
		row := make([]float64, schema.Dimension())
		for j := range k {
			row[j] = rowNorm / math.Sqrt(float64(k))
			if cancel && j%2 == 1 {
				row[j] *= -1
			}
		}
		for _, label := range []float64{1, -1} {
			x, y = append(x, row), append(y, label)
		}
	}
	p := learntest.Problem(schema, x, y)
	p.Loss = loss
	return p
}

// The floor is proved term by term (calibrate.SmallestTau); here the certificate's
// own bound is evaluated at the worst rows and θ that could be found, for 2^24 of
// such a row: it is never above half of what τ leaves for it, and for each loss
// somewhere above six tenths of it, so that the floor is not a matter of taste.
func TestNoRecordsExceedTheCertificateAtTheSmallestTau(t *testing.T) {
	source := randomtest.New(20)
	losses := everyLoss(t)
	losses["narrow huber"] = learntest.Huber(t, 1.0/128)
	trials := 100
	if testing.Short() {
		trials = 24 // all of them natively
	}
	for name, loss := range losses {
		nearest := 0.0
		for trial := range trials {
			d := []int{1, 2, 13, 105}[trial%4]
			schema := learntest.Schema(d, 0)
			rowNorm := math.Exp2(8*learntest.Uniform(source) - 4)
			o := privacy.ObjectivePerturbation{
				Adjacency: privacy.AddRemove, Loss: loss.Class(), RowNorm: rowNorm, Dimension: d,
				Smoothness: loss.MaxCurvature(),
				Lipschitz:  rowNorm * math.Exp2(-3*learntest.Uniform(source)*float64(trial%3)),
				Sigma:      rowNorm * math.Exp2(16*learntest.Uniform(source)-4),
			}
			o.Lambda = calibrate.SmallestRegularizer(
				o.Smoothness*rowNorm*rowNorm,
			) * math.Exp2(
				16*learntest.Uniform(source)*float64(trial%2),
			)
			least := calibrate.SmallestTau(o)
			room := (least - samplerError(o.Sigma, d)) / 2
			require.Positive(t, room)
			reach := longestTheta(o, loss, least)
			for k := 1; k <= d; k = 2*k + 1 {
				problem := worstRows(schema, loss, rowNorm, k)
				for _, form := range []*data.Dataset{problem.Data, learntest.Dense(problem.Data)} {
					rows, err := learn.Problem{Data: form, Loss: loss}.Rows(o.Lipschitz, rowNorm)
					require.NoError(t, err)
					entries := float64(k)
					if form.X.Dense() {
						entries = float64(d)
					}
					for _, a := range []float64{
						0, 1, 1.5, 40, 127.9 / (o.Smoothness * entries),
						129 / (o.Smoothness * entries), rowNorm * reach,
					} {
						a = min(a, rowNorm*reach)
						theta := make([]float64, 2*d)
						for j := range k {
							theta[j] = a / (rowNorm * math.Sqrt(float64(k)))
							theta[d+j] = theta[j] * 0x1p-53
						}
						for _, point := range [][]float64{theta[:d], theta} {
							for i := range form.X.Rows() {
								one := rows.Between(i, i+1)
								c := certificateOf(one, point, o.Lambda)
								share := (c.RoundingBound*calibrate.MostRecords + c.Offset) / room
								require.LessOrEqual(
									t, share, 1.0, "%s, %+v, k = %d, a = %g, row %d", name, o, k, a,
									i,
								)
								nearest = max(nearest, share)
							}
						}
					}
				}
			}
		}
		t.Logf("%s: at most %.2f of the room", name, nearest)
		assert.Greater(t, nearest, 0.6, name)
	}
}

// At the least τ and λ, and noise as great as is asked for, degenerate problems and
// their neighbours are fitted, and so are records that nearly oppose each other: a
// refusal tells nothing of them.
func TestNothingIsRefusedAtTheFloors(t *testing.T) {
	problems := learntest.Degenerate()
	problems["opposed"] = opposed(4000)
	losses := everyLoss(t)
	losses["narrow huber"] = learntest.Huber(t, 1.0/128)
	for name, odd := range problems {
		for lossName, loss := range losses {
			if testing.Short() && lossName != "logistic" {
				continue // under js/wasm an ulp could decide, for any loss alike
			}
			problem := posed(odd, loss)
			request := Defaults(problem.Data.Schema, loss, guaranteed(25), objective.BoundAuto)
			request.Lambda = calibrate.SmallestRegularizer(
				request.Smoothness*request.RowNorm*request.RowNorm,
			) * (1 + 0x1p-50)
			event := minima(t, request)
			event.Tau = calibrate.SmallestTau(event.Objective)
			for which, neighbour := range append(learntest.Neighbours(problem), problem) {
				for i, form := range []*data.Dataset{
					neighbour.Data, learntest.Dense(neighbour.Data),
				} {
					if testing.Short() && i != which%2 {
						continue // both natively
					}
					neighbour.Data = form
					_, _, err := Fit(t.Context(), neighbour, event, randomtest.New(7), nil)
					require.NoError(
						t, err, fmt.Sprintf("%s, %s, neighbour %d", name, lossName, which),
					)
				}
			}
		}
	}
}

// opposed are records on two nearly opposite sides, of one label, whose minimiser
// is long and whose margins cancel.
func opposed(n int) learn.Problem {
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = []float64{0.7, 0.002}, 1
		if i%2 == 0 {
			x[i] = []float64{0.002, 0.7}
		}
		if i%4 < 2 {
			x[i], y[i] = []float64{0.7, 0.7}, -1
		}
	}
	return learntest.Problem(learntest.Schema(2, 0), x, y)
}

// A Huber loss narrower than the certificate is proved for is refused for what it
// is, whatever the records are and however many; the widest that is refused too.
// With a width of 1e-9 a fit to eight records went through and one to nine did not.
func TestAWidthBelowTheFloorIsRefusedWhateverTheRecords(t *testing.T) {
	schema := learntest.Schema(2, 0.5)
	for _, width := range []float64{1e-9, 1e-6, math.Nextafter(1.0/128, 0), 1.0 / 128} {
		loss := learntest.Huber(t, width)
		event, err := calibrate.Minima(Defaults(schema, loss, guaranteed(1), objective.BoundAuto))
		require.NoError(t, err)
		for _, n := range []int{0, 1, 8, 9, 300} {
			x, y := make([][]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = []float64{0.6, 0.7, 0.5}, float64(1-2*(i%2))
			}
			problem := learntest.Problem(schema, x, y)
			problem.Loss = loss
			if width == 1.0/128 {
				_, _, err = Fit(t.Context(), problem, event, randomtest.New(1), nil)
				require.NoError(t, err, "%d records", n)
				continue
			}
			script := &randomtest.Script{}
			_, _, err = Fit(t.Context(), problem, event, script, nil)
			var parameter *privacy.ParameterError
			require.ErrorAs(t, err, &parameter, "width %g, %d records", width, n)
			assert.Equal(t, "huber_width", parameter.Field)
			assert.Equal(t, privacy.Number(width), parameter.Value)
			assert.Contains(t, parameter.Want, "at least 0.0078125")
			assert.Zero(t, script.Read, "no noise was drawn")
		}
	}
}

// What package data reads is what the floors are derived for.
func TestTheFloorsAreForAsManyRecordsAsAreRead(t *testing.T) {
	assert.Equal(t, calibrate.MostRecords, data.MaxRecords)
	schema := learntest.Schema(1, 0)
	many := learn.Problem{
		Data: &data.Dataset{
			Schema: schema,
			X:      &data.Matrix{RowStart: make([]int, calibrate.MostRecords+2), Columns: 1},
		},
		Loss: glm.Logistic{},
	}
	event := calibrated(t, schema, 1)
	_, _, err := Fit(t.Context(), many, event, &randomtest.Script{}, nil)
	var parameter *privacy.ParameterError
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "records", parameter.Field)
	assert.NotContains(t, parameter.Error(), "16777217", "how many there are is the data's")
}
