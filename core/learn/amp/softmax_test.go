package amp

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// ofClasses is the problem with a label of k classes in the place of its own: class 0 for −1,
// and 1 and more in turn for +1.
func ofClasses(p learn.Problem, k int) learn.Problem {
	schema := *p.Data.Schema
	schema.Label = data.Label{Name: "y", Type: data.SeveralClasses, Provenance: data.Public}
	for class := range k {
		schema.Label.Classes = append(schema.Label.Classes, []string{string(rune('a' + class))})
	}
	y := make([]float64, len(p.Data.Y))
	for i, sign := range p.Data.Y {
		if sign > 0 {
			y[i] = float64(1 + i%(k-1))
		}
	}
	return learn.Problem{
		Data: &data.Dataset{Schema: &schema, X: p.Data.X, Y: y}, Loss: glm.Softmax{},
	}
}

func softmaxEvent(
	t *testing.T, p learn.Problem, adjacency privacy.Adjacency, epsilon float64,
) privacy.ApproximateMinima {
	t.Helper()
	keep := privacy.Guarantee{Adjacency: adjacency, Epsilon: epsilon, Delta: 1e-5}
	event, err := calibrate.Minima(Defaults(p.Data.Schema, p.Loss, keep, objective.BoundAuto))
	require.NoError(t, err)
	return event
}

// With two classes and next to no noise, θ₁ − θ₀ at 2λ is the minimiser of the logistic loss
// at λ, whose golden values those of Five are; and θ₁ + θ₀ is 0.
func TestSoftmaxOfTwoClassesIsTheLogisticLoss(t *testing.T) {
	p := ofClasses(learntest.Five(), 2)
	event := softmaxEvent(t, p, privacy.AddRemove, 1)
	event.Objective.Lambda, event.Objective.Sigma = 1.5, 1e-12
	event.Tau, event.SigmaOut, event.Grid = 1e-10, 0x1p-30, 0x1p-52
	theta, diagnostics, err := run(t.Context(), p, event, randomtest.New(1), nil)
	require.NoError(t, err)
	assert.LessOrEqual(t, diagnostics.Certificate.Upper(), event.Tau)
	for j, want := range learntest.FiveMinimisers()[0] {
		assert.InDelta(t, want, theta[3+j]-theta[j], 2e-8)
		assert.InDelta(t, 0, theta[3+j]+theta[j], 2e-8)
	}
}

// A fit is certified, lies on its lattice, is determined by its source and fails with it;
// dense and sparse rows, whole Hessians and blocks, give coefficients within what is
// certified of each other.
func TestSoftmaxFit(t *testing.T) {
	p := ofClasses(learntest.Clinic(), 4)
	event := softmaxEvent(t, p, privacy.AddRemove, 1)
	fit := func(source random.Source) (learn.Model, *learn.Diagnostics, error) {
		return Fit(t.Context(), p, event, source, nil)
	}
	model, diagnostics, err := fit(randomtest.New(5))
	require.NoError(t, err)
	learntest.RequireFinite(t, model.Coefficients, 4*p.Dimension(), "softmax")
	assert.LessOrEqual(t, diagnostics.Certificate.Upper()+diagnostics.SamplerError, event.Tau)
	assert.True(t, math.IsInf(model.Clip, 1))
	for _, c := range model.Coefficients {
		require.Zero(t, math.Remainder(c, event.Grid))
	}
	learntest.DeterminedByItsSource(t, fit)
	learntest.FailsWithItsSource(t, fit)

	dense := p
	dense.Data = learntest.Dense(p.Data)
	for _, other := range []func() (learn.Model, *learn.Diagnostics, error){
		func() (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), dense, event, randomtest.New(5), nil)
		},
		func() (learn.Model, *learn.Diagnostics, error) {
			return Fit(t.Context(), p, event, randomtest.New(5), nil, Solver(solve.Blockwise))
		},
	} {
		again, _, err := other()
		require.NoError(t, err)
		near := 2*event.Tau/event.Objective.Lambda + 2*event.Grid
		for j, c := range model.Coefficients {
			assert.InDelta(t, c, again.Coefficients[j], near)
		}
	}
}

// What the event does not describe is refused before noise is drawn.
func TestSoftmaxIsRefused(t *testing.T) {
	p := ofClasses(learntest.Clinic(), 3)
	event := softmaxEvent(t, p, privacy.AddRemove, 1)
	for field, change := range map[string]func(*privacy.ObjectivePerturbation){
		"event.classes":   func(o *privacy.ObjectivePerturbation) { o.Classes, o.Dimension = 9, 9 },
		"event.dimension": func(o *privacy.ObjectivePerturbation) { o.Dimension = 12 },
		"event.loss": func(o *privacy.ObjectivePerturbation) {
			o.Loss, o.Classes, o.Smoothness, o.Lipschitz = privacy.LossLogistic, 0, 0.25, o.RowNorm
		},
		"lipschitz": func(o *privacy.ObjectivePerturbation) { o.Lipschitz = o.RowNorm },
	} {
		wrong := event
		change(&wrong.Objective)
		_, _, err := Fit(t.Context(), p, wrong, &randomtest.Script{}, nil)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
	for _, y := range []float64{3, -1, 0.5, math.NaN()} {
		bad := p
		labels := append([]float64(nil), p.Data.Y...)
		labels[1] = y
		bad.Data = &data.Dataset{Schema: p.Data.Schema, X: p.Data.X, Y: labels}
		_, _, err := Fit(t.Context(), bad, event, &randomtest.Script{}, nil)
		var row *learn.RowError
		require.ErrorAs(t, err, &row)
		assert.Equal(t, 1, row.Row)
	}
}

// sharedNoise runs the mechanism with one noise for all classes.
func sharedNoise(
	problem learn.Problem, event privacy.ApproximateMinima, source random.Source,
) ([]float64, error) {
	o := event.Objective
	d := o.Dimension / o.Classes
	b := make([]float64, o.Dimension)
	if err := random.Gaussian(source, b[:d], o.Sigma); err != nil {
		return nil, err
	}
	for k := 1; k < o.Classes; k++ {
		copy(b[k*d:], b[:d])
	}
	result, err := solve.Newton(
		context.Background(), solve.NewObjective(o.Lambda, b, problem.Scores()),
		solve.Options{Tolerance: event.Tau},
	)
	if err != nil {
		return nil, err
	}
	return release(result.Theta, event.SigmaOut, event.Grid, source)
}

// The promise holds on a record that pulls a class alone, and is nearly met: half of the
// noise is caught, and one noise for all classes, and the price of one Gaussian mechanism
// whose sensitivity is a single class's. CLOISTER_AUDIT=long has more classes, columns and ε.
func TestAuditOfSoftmax(t *testing.T) {
	notUnderWasm(t)
	for _, c := range []struct {
		features, classes int
		kappa, epsilon    float64
		adjacency         privacy.Adjacency
		runs              int
		long              bool
	}{
		{1, 3, 0, 4, privacy.AddRemove, 10_000, false},
		{1, 3, 0, 8, privacy.ReplaceOne, 2_500, false},
		{2, 10, 0.5, 6, privacy.AddRemove, 10_000, true},
		{1, 3, 0, 2, privacy.AddRemove, 10_000, true},
	} {
		if audittest.Long() {
			c.runs = 10_000 // ten times as many
		}
		if c.long && !audittest.Long() {
			continue
		}
		none := learntest.Problem(learntest.Schema(c.features, c.kappa), nil, nil)
		p := ofClasses(none, c.classes)
		event := softmaxEvent(t, p, c.adjacency, c.epsilon)
		claim, err := objective.Of(event, objective.BoundAuto)
		require.NoError(t, err)
		promise := learn.Remembered(func(at float64) (float64, error) {
			return curve.DeltaUpper(claim, at)
		})
		attack, err := SoftmaxAttack(p.Data.Schema, event, learn.Suspect{
			Noise: 0.5, Promise: promise, Epsilons: audit.Grid(c.epsilon, 20),
		})
		require.NoError(t, err)
		a := audittest.Audit{
			Claim: promise, Epsilons: audittest.Grid(c.epsilon, 20),
			Thresholds: append(attack.Test.Lines, attack.Test.Aim.Line),
			Runs:       audittest.Runs(c.runs),
		}
		on := func(fit mechanism) (without, with audittest.Trial) {
			of := func(problem learn.Problem) audittest.Trial {
				return func(source random.Source) (float64, error) {
					theta, err := fit(problem, event, source)
					if err != nil {
						return 0, err
					}
					return attack.Statistic(theta), nil
				}
			}
			return of(attack.Without), of(attack.With)
		}
		without, with := on(honest)
		asItIs := a.Run(t, without, with)
		a.HoldsBy(t, "honest", asItIs)
		if c.adjacency == privacy.ReplaceOne {
			// It is priced by way of a third data set, and so above what it costs.
			quarter := unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 4 })
			without, with = on(quarter)
			a.Catches(t, "a quarter of the noise", without, with)
		} else {
			without, with = on(noiseHalved)
			a.Catches(t, "noise halved", without, with)
		}
		without, with = on(sharedNoise)
		a.Catches(t, "one noise for all classes", without, with)

		single := a
		gaussian := privacy.Gaussian{
			Adjacency: c.adjacency, Sensitivity: event.Objective.RowNorm / 2,
			Sigma: event.Objective.Sigma,
		}
		cheap, err := objective.Of(gaussian, objective.BoundAuto)
		require.NoError(t, err)
		single.Claim = func(at float64) (float64, error) { return curve.DeltaUpper(cheap, at) }
		single.CatchesBy(t, "price of half a record's pull", asItIs)
	}
}

// Records cancel in the sum of the classes' vectors, which is noise alone: a file that claims
// more noise than was drawn, for less ε, is found out by it.
func TestNoSoftmaxHasLessNoiseThanItsEvent(t *testing.T) {
	const columns = 20
	source := randomtest.New(1)
	var x [][]float64
	var y []float64
	for i := range 100 {
		row := make([]float64, columns)
		for j := range row {
			row[j] = 0.2 * learntest.Uniform(source)
		}
		x, y = append(x, row), append(y, float64(1-2*(i%2)))
	}
	p := ofClasses(learntest.Problem(learntest.Schema(columns, 0), x, y), 4)
	event := softmaxEvent(t, p, privacy.AddRemove, 1)
	keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	seeds := uint64(20)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		model, _, err := Fit(t.Context(), p, event, randomtest.New(seed), nil)
		require.NoError(t, err)
		_, err = learn.NewRelease(event, keep, objective.BoundAuto, model)
		require.NoError(t, err)
		for _, c := range []struct {
			times float64
			found bool
		}{{2, false}, {256, true}} {
			forged := event
			forged.Objective.Sigma *= c.times
			_, err = learn.NewRelease(forged, keep, objective.BoundAuto, model)
			if !c.found {
				assert.NoError(t, err)
				continue
			}
			var untrue *learn.ClaimError
			require.ErrorAs(t, err, &untrue, "%g times", c.times)
			assert.Equal(t, "noise", untrue.Finding.Claim)
		}
	}
}
