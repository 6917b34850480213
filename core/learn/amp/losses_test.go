package amp

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
	"cloister/core/solve/lbfgs"
)

func everyLoss(t testing.TB) map[string]glm.Loss {
	return map[string]glm.Loss{
		"logistic":   glm.Logistic{},
		"huber":      learntest.Huber(t, 0.5),
		"wide huber": learntest.Huber(t, 2),
		"squared":    glm.Squared{},
		"shifted":    learntest.Shifted(t)[0],
		"hinge":      learntest.Shifted(t)[1],
		"weighted":   learntest.Weighted(t, 1.5),
		"lighter":    learntest.Weighted(t, 0.7),
	}
}

var everySolver = map[string]solve.Solver{
	"Newton": solve.Newton,
	"L-BFGS": lbfgs.Solve,
	"SAG":    solve.SAG,
}

// posed is the same problem for another loss; squared has numeric labels, the
// classes moved by up to 1/2.
func posed(problem learn.Problem, loss glm.Loss) learn.Problem {
	d := *problem.Data
	if _, numbers := loss.(glm.Squared); numbers {
		d = *learntest.Numeric(problem.Data, -1, 1)
		d.Y = append([]float64(nil), d.Y...)
		for i, y := range d.Y {
			d.Y[i] = y * (1 - float64(i%5)/8)
		}
	}
	return learn.Problem{Data: &d, Loss: loss}
}

func defaults(
	t testing.TB, problem learn.Problem, epsilon float64, bound objective.Bound,
) privacy.ApproximateMinima {
	t.Helper()
	return minima(t, Defaults(problem.Data.Schema, problem.Loss, guaranteed(epsilon), bound))
}

// known are the answers to the requests that tests have made. Tables of one schema share them.
var known = map[calibrate.MinimaRequest]privacy.ApproximateMinima{}

// minima is calibrate.Minima, asked once for each request.
func minima(t testing.TB, request calibrate.MinimaRequest) privacy.ApproximateMinima {
	t.Helper()
	event, ok := known[request]
	if !ok {
		var err error
		event, err = calibrate.Minima(request)
		require.NoError(t, err)
		known[request] = event
	}
	return event
}

// Every loss goes through the learner whole, with every solver and under every
// bound that holds for it: calibrated, fitted, and priced again.
func TestEveryLossUnderEveryBound(t *testing.T) {
	for name, loss := range everyLoss(t) {
		problem := posed(learntest.Clinic(), loss)
		for _, bound := range append(objective.Applicable(loss.Class()), objective.BoundAuto) {
			for _, epsilon := range []float64{0.5, 4} {
				event := defaults(t, problem, epsilon, bound)
				assert.Equal(t, loss.Class(), event.Objective.Loss)
				assert.Equal(t, loss.MaxCurvature(), event.Objective.Smoothness)
				profile, err := objective.Of(event, bound)
				require.NoError(t, err)
				delta, err := curve.DeltaUpper(profile, epsilon)
				require.NoError(t, err)
				assert.LessOrEqual(t, delta, 1e-5, "%s %s", name, bound)
				var reference learn.Model
				for solver, solve := range everySolver {
					model, diagnostics, err := Fit(
						t.Context(), problem, event, randomtest.New(11), nil, Solver(solve),
					)
					require.NoError(t, err, "%s %s %s", name, bound, solver)
					assert.LessOrEqual(
						t, diagnostics.Certificate.Upper()+diagnostics.SamplerError, event.Tau,
					)
					if reference.Coefficients == nil {
						reference = model
					}
					for j, c := range model.Coefficients {
						// Two points within τ/λ of one, and the lattice.
						assert.InDelta(
							t, reference.Coefficients[j], c,
							2*event.Tau/event.Objective.Lambda+event.Grid, "%s %s %s", name, bound,
							solver,
						)
					}
				}
			}
		}
	}
}

// The bounds in order: the sharper one asks for no more noise.
func TestSharperBoundsNeedNoMoreNoise(t *testing.T) {
	for name, loss := range everyLoss(t) {
		problem := posed(learntest.Clinic(), loss)
		for _, epsilon := range []float64{0.1, 1, 8} {
			last := 0.0
			for _, bound := range objective.Applicable(loss.Class()) {
				request := Defaults(problem.Data.Schema, loss, guaranteed(epsilon), bound)
				request.Lipschitz = request.RowNorm
				request.Lambda = 3 * request.Smoothness * request.RowNorm * request.RowNorm * max(
					1, 1/epsilon,
				)
				event, err := calibrate.Minima(request)
				require.NoError(t, err)
				if bound == objective.BoundRDP {
					continue // neither better nor worse than the profile by rule, once converted
				}
				assert.GreaterOrEqual(
					t, event.Objective.Sigma, last*(1-1e-3), "%s %s ε = %g", name, bound, epsilon,
				)
				last = event.Objective.Sigma
			}
		}
	}
}

// What comes out is what the mechanism says, for every loss (see
// TestFitDoesWhatItSays).
func TestEveryLossDoesWhatItSays(t *testing.T) {
	for name, loss := range everyLoss(t) {
		problem := posed(learntest.Clinic(), loss)
		event := defaults(t, problem, 1, objective.BoundAuto)
		o := event.Objective
		model, _, err := Fit(t.Context(), problem, event, randomtest.New(5), nil)
		require.NoError(t, err)

		b, theta := undone(t, event, model, randomtest.New(5))
		// The gradient record by record, clipped by the definition ∇ℓ·min(1, L/‖∇ℓ‖).
		gradient := append([]float64(nil), b...)
		clipped := 0
		for i, y := range problem.Data.Y {
			row := problem.Data.X.Row(i)
			length := 0.0
			for _, v := range row.Value {
				length += v * v
			}
			length = math.Sqrt(length)
			slope := loss.Slope(row.Dot(theta), y)
			if most := o.Lipschitz / length; math.Abs(slope) > most {
				slope = math.Copysign(most, slope)
				clipped++
			}
			for k, j := range row.Index {
				gradient[j] += slope * row.Value[k]
			}
		}
		square := 0.0
		for j, g := range gradient {
			square += (g + o.Lambda*theta[j]) * (g + o.Lambda*theta[j])
		}
		curvature := o.Lambda + loss.MaxCurvature()*o.RowNorm*o.RowNorm*300
		rounding := curvature * event.Grid * math.Sqrt(3)
		assert.LessOrEqual(t, math.Sqrt(square), event.Tau+rounding, name)
		switch loss.(type) {
		case glm.Huber, glm.ShiftedLogistic, glm.RoundedHinge:
			assert.Zero(t, clipped, "L = R clips nothing")
		case glm.WeightedLogistic: // whose heavier class is all on its side
		default:
			assert.Positive(t, clipped, name)
		}
	}
}

// Minimisers for the b of this seed, by Newton's method at 40 digits with mpmath
// 1.3.0, plus the noise on the lattice; rounding to it moves them by up to
// 5e-13. All solvers reach them, natively and under js/wasm.
func TestEveryLossAndSolverAgainstGoldenValues(t *testing.T) {
	x := [][]float64{
		{0.75, 0.25, 0.5},
		{0.125, 0.5, 0.5},
		{0.5, 0.5, 0.5},
		{0, 0.875, 0.5},
		{0.25, 0, 0.5},
	}
	classes := []float64{1, -1, 1, -1, -1}
	numbers := []float64{0.875, -0.25, 0.5, -1, 0.125}
	schema := learntest.Schema(2, 0.5)
	for _, c := range []struct {
		name string
		loss glm.Loss
		clip float64 // 0: R
		want []float64
	}{
		{"logistic", glm.Logistic{}, 0, []float64{1.07278814356245072, -0.465334074243430973, 0.195177530023897722}},
		{"logistic, all five clipped", glm.Logistic{}, 0.25, []float64{1.02492400047650212, -0.250375578106630205, 0.402793554951186841}},
		{"huber", learntest.Huber(t, 0.5), 0, []float64{1.52478328294129485, -0.750332510952581549, -0.082737662961099551}},
		{"huber, all five clipped", learntest.Huber(t, 0.5), 0.5, []float64{1.27753824830024983, -0.490356329721697004, 0.0777922215628313341}},
		{"wide huber, all five clipped", learntest.Huber(t, 2), 0.375, []float64{1.15123112438837597, -0.370365953914163605, 0.240292888257009088}},
		{"squared", glm.Squared{}, 4, []float64{0.958832287255927815, -0.634565944157731109, 0.283463778773471356}},
		{"squared, one clipped", glm.Squared{}, 0.25, []float64{0.857618810632973577, -0.399014580380673972, 0.342882459630093791}},
		{"squared, one clipped less", glm.Squared{}, 0.5, []float64{0.931917552056187774, -0.571928014965608831, 0.29926442227010196}},
	} {
		problem := learntest.Problem(schema, x, classes)
		problem.Loss = c.loss
		if c.loss.Class() == privacy.LossGLM {
			problem.Data = learntest.Numeric(problem.Data, -1, 1)
			problem.Data.Y = numbers
		}
		o := privacy.ObjectivePerturbation{
			Adjacency: privacy.AddRemove, Loss: c.loss.Class(), RowNorm: schema.RowNorm(),
			Lipschitz:  c.clip,
			Smoothness: c.loss.MaxCurvature(), Lambda: 0.75, Sigma: 1.5, Dimension: 3,
		}
		if c.clip == 0 {
			o.Lipschitz = o.RowNorm
		}
		event := privacy.ApproximateMinima{
			Objective: o,
			Tau:       1e-10,
			SigmaOut:  0x1p-10,
			Grid:      0x1p-40,
		}
		for solver, solve := range everySolver {
			for form, d := range map[string]*data.Dataset{
				"sparse": problem.Data, "dense": learntest.Dense(problem.Data),
			} {
				theta, _, err := run(
					t.Context(), learn.Problem{Data: d, Loss: c.loss}, event, randomtest.New(2026),
					nil, Solver(solve),
				)
				require.NoError(t, err, "%s, %s, %s", c.name, solver, form)
				for j, want := range c.want {
					assert.InEpsilon(t, want, theta[j], 1e-9, "%s, %s, %s", c.name, solver, form)
				}
			}
		}
	}
}

// Degenerate data fit, or fail with an error that says why; what comes out is
// finite and on the lattice, whatever the loss, the solver, ε, and the form of
// the matrix.
func TestDegenerateData(t *testing.T) {
	for name, odd := range learntest.Degenerate() {
		for lossName, loss := range everyLoss(t) {
			problem := posed(odd, loss)
			for _, epsilon := range []float64{0.01, 1, 50} {
				if testing.Short() && epsilon != 50 {
					continue // natively
				}
				event := defaults(t, problem, epsilon, objective.BoundAuto)
				for solver, solve := range everySolver {
					if testing.Short() && solver != "Newton" {
						continue // natively
					}
					o := event.Objective
					if solver == "SAG" && o.Lambda < o.Smoothness*o.RowNorm*o.RowNorm/20 {
						continue // it needs some β/λ passes for a digit
					}
					for form, d := range map[string]*data.Dataset{
						"sparse": problem.Data, "dense": learntest.Dense(problem.Data),
					} {
						what := fmt.Sprintf(
							"%s, %s, ε = %g, %s, %s", name, lossName, epsilon, solver, form,
						)
						model, diagnostics, err := Fit(
							t.Context(), learn.Problem{Data: d, Loss: loss}, event,
							randomtest.New(3), nil, Solver(solve),
						)
						require.NoError(t, err, what)
						learntest.RequireFinite(t, model.Coefficients, problem.Dimension(), what)
						for _, theta := range model.Coefficients {
							require.Zero(t, math.Remainder(theta, event.Grid), what)
						}
						require.LessOrEqual(t, diagnostics.Certificate.Upper(), event.Tau, what)
					}
				}
			}
		}
	}
}

// A solver that says it is done when it is not, or that has no certificate to
// show, gets nothing released.
func TestFitTrustsNoSolver(t *testing.T) {
	problem := learntest.Clinic()
	event := defaults(t, problem, 1, objective.BoundAuto)
	lazy := func(
		ctx context.Context, o *solve.Objective, options solve.Options,
	) (*solve.Result, error) {
		theta := make([]float64, o.Dim())
		return &solve.Result{Theta: theta, Certificate: o.Certify(theta)}, nil
	}
	_, _, err := Fit(t.Context(), problem, event, randomtest.New(1), nil, Solver(lazy))
	var refusal *learn.Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, learn.CauseGradient, refusal.Cause)
	lying := func(
		ctx context.Context, o *solve.Objective, options solve.Options,
	) (*solve.Result, error) {
		return &solve.Result{Theta: make([]float64, o.Dim())}, nil
	}
	_, _, err = Fit(t.Context(), problem, event, randomtest.New(1), nil, Solver(lying))
	require.ErrorAs(t, err, &refusal)
}
