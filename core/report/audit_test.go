package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/glm"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// A model and its report together stay within what their composition claims. One
// dimension, a record at the corner of what is allowed, and as the statistic the
// exact loss of everything that was published.
func TestAuditModelAndReport(t *testing.T) {
	nativetest.Only(t)
	without := sample{[][]float64{{0.5}, {-0.9}, {0.7}}, []float64{1, 1, -1}}
	with := without.with([]float64{1}, -1)
	// So much regularised that every margin is near 0, and clipped at the slope there:
	// the gradients are as long as the claim assumes.
	c := lossCase{"logistic", glm.Logistic{}, 0.5}
	x := trial{c: c, lambda: 40, sigma: 0.5}
	plan := Plan{Gradient: 0.5, Hessian: 0.5, Scores: 0.5}
	perturbed := x.event(1).(privacy.ObjectivePerturbation)
	m, err := NewMechanism(perturbed, c.loss, []float64{0})
	require.NoError(t, err)
	reported, err := plan.Event(m)
	require.NoError(t, err)
	whole := privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts:     append(reported.Parts, privacy.Part{Event: perturbed, Count: 1}),
	}
	price, err := account.Of(whole, account.Auto, pld.Options{})
	require.NoError(t, err)
	claims := map[float64]float64{}
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			if delta, ok := claims[epsilon]; ok {
				return delta, nil
			}
			delta, err := curve.DeltaUpper(price.Curve, epsilon)
			claims[epsilon] = delta
			return delta, err
		},
		Epsilons: audittest.Grid(2, 8), Runs: audittest.Runs(6_000),
	}
	if testing.Short() && !audittest.Long() {
		audit.Runs = 3_000
	}
	for k := -4; k <= 6; k++ {
		audit.Thresholds = append(audit.Thresholds, float64(k)/3)
	}
	density := func(s sample, theta float64) (gradient, curvature, scores, log float64) {
		gradient = x.lambda * theta
		for i, row := range s.x {
			slope, bend := derivatives(c.loss, c.clip, row, s.y[i], []float64{theta})
			gradient, curvature, scores = gradient+slope*row[0], curvature+bend*row[0]*row[0],
				scores+slope*slope*row[0]*row[0]
		}
		return gradient, curvature, scores, -gradient*gradient/(2*x.sigma*x.sigma) + math.Log(
			curvature+x.lambda,
		)
	}
	run := func(s sample, noise float64) audittest.Trial {
		problem := learntest.Problem(learntest.Schema(1, 0), s.x, s.y)
		used := Plan{
			Gradient: plan.Gradient * noise,
			Hessian:  plan.Hessian * noise,
			Scores:   plan.Scores * noise,
		}
		part := s.part(t, c.loss, c.clip)
		return func(source random.Source) (float64, error) {
			b := []float64{0}
			if err := random.Gaussian(source, b, x.sigma); err != nil {
				return 0, err
			}
			solved, err := solve.Newton(
				t.Context(), solve.NewObjective(x.lambda, b, part), solve.Options{Tolerance: 1e-9},
			)
			if err != nil {
				return 0, err
			}
			here := m
			here.Theta = solved.Theta
			p, err := Release(here, used, problem, b, source)
			if err != nil {
				return 0, err
			}
			g1, h1, s1, log1 := density(with, solved.Theta[0])
			g0, h0, s0, log0 := density(without, solved.Theta[0])
			square := func(v, sigma float64) float64 { return v * v / (2 * sigma * sigma) }
			return log1 - log0 +
				square(p.Gradient[0]-g0, plan.Gradient) - square(p.Gradient[0]-g1, plan.Gradient) +
				square(
					p.Hessian.At[0]-h0, math.Sqrt2*plan.Hessian,
				) - square(p.Hessian.At[0]-h1, math.Sqrt2*plan.Hessian) +
				square(
					p.Scores.At[0]-s0, math.Sqrt2*plan.Scores,
				) - square(p.Scores.At[0]-s1, math.Sqrt2*plan.Scores), nil
		}
	}
	asItIs := audit.Run(t, run(with, 1), run(without, 1))
	audit.HoldsBy(t, "honest", asItIs)
	audit.Catches(t, "noise of the report halved", run(with, 0.5), run(without, 0.5))
	alone, err := objective.Of(perturbed, objective.BoundAuto)
	require.NoError(t, err)
	free := audit
	free.Claim = func(epsilon float64) (float64, error) { return curve.DeltaUpper(alone, epsilon) }
	free.CatchesBy(t, "report not charged", asItIs)
}

func TestCalibrate(t *testing.T) {
	m := mechanism(t)
	guarantee := privacy.Guarantee{Epsilon: 0.8, Delta: 1e-6, Adjacency: privacy.AddRemove}
	price := func(p Plan) float64 {
		event, err := p.Event(m)
		require.NoError(t, err)
		profile, err := objective.Of(event, objective.BoundAuto)
		require.NoError(t, err)
		delta, err := curve.DeltaUpper(profile, guarantee.Epsilon)
		require.NoError(t, err)
		return delta
	}
	for _, shares := range []Shares{
		{Gradient: 1}, {Hessian: 1}, {Gradient: 7, Hessian: 1}, {6, 1, 1, 0}, {6, 1, 1, 2},
	} {
		plan, err := Calibrate(m, guarantee, shares)
		require.NoError(t, err)
		assert.LessOrEqual(t, price(plan), guarantee.Delta)
		less := Plan{
			Gradient: plan.Gradient * 0.995,
			Hessian:  plan.Hessian * 0.995,
			Least:    plan.Least * 0.995,
			Scores:   plan.Scores * 0.995,
			Rest:     plan.Rest,
		}
		assert.Greater(t, price(less), guarantee.Delta)
	}
	// Corollary A.3.6: σ₃ = σ₂ = (L/ε)·√(2 log(1.25/δ)) makes the Hessian's loss at most
	// ε²(f″‖x‖²)²/(8L² log(1.25/δ)) + ε·f″‖x‖²/(√2·L) with probability 1 − δ; the exact
	// tail of that Gaussian mechanism is below δ.
	epsilon, delta, bend := 0.8, 1e-6, 0.25
	sigma := math.Sqrt(2*math.Log(1.25/delta)) / epsilon
	claimed := epsilon*epsilon*bend*bend/(8*math.Log(1.25/delta)) + epsilon*bend/math.Sqrt2
	profile, err := objective.Of(
		privacy.Gaussian{
			Adjacency:   privacy.AddRemove,
			Sensitivity: bend / math.Sqrt2,
			Sigma:       sigma,
		},
		objective.BoundAuto,
	)
	require.NoError(t, err)
	tail, err := curve.DeltaUpper(profile, claimed)
	require.NoError(t, err)
	assert.Less(t, tail, delta)

	for field, ask := range map[string]func() (Plan, error){
		"shares":          func() (Plan, error) { return Calibrate(m, guarantee, Shares{}) },
		"shares.gradient": func() (Plan, error) { return Calibrate(m, guarantee, Shares{Gradient: -1}) },
		"adjacency": func() (Plan, error) {
			return Calibrate(
				m, privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: privacy.ReplaceOne},
				Shares{Gradient: 1},
			)
		},
		"epsilon": func() (Plan, error) {
			return Calibrate(
				m, privacy.Guarantee{Delta: 1e-6, Adjacency: privacy.AddRemove},
				Shares{Gradient: 1},
			)
		},
		"least": func() (Plan, error) { return Calibrate(m, guarantee, Shares{Least: 1}) },
	} {
		_, err := ask()
		var p *privacy.ParameterError
		require.ErrorAs(t, err, &p, field)
		assert.Equal(t, field, p.Field)
	}
}
