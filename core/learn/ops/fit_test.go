package ops

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/adaptive"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

func problemOf(p learn.Problem) learn.Problem {
	return learn.Problem{Data: learntest.Numeric(p.Data, -1, 1), Loss: glm.Squared{}}
}

// Golden values Q, ops_pipeline (mpmath, 30 digits): all that lies between the two noisy
// numbers and γ. What is computed here allows for rounding besides, by `slack`.
func TestGoldenPipeline(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta, lambda, mu1, mu2, eigenvalue, radius         float64
		failure, margin, low, moves, high, alpha, renyi, x, a, gamma float64
	}{
		{1, 1e-6, 1, 0.05, 0.05, 900, 0.5, 2.5e-7, 5.15770131219888, 796.8459737560224,
			0.0012541608837202338, 0.6293717447134471, 22.511706788864966, 0.47831348756810194,
			0.0012533747526384026, 0.20346975462713238, 9.381092729704175},
		{0.5, 1e-6, 10, 0.05, 0.05, 300, 0.3, 2.5e-7, 5.15770131219888, 196.8459737560224,
			0.004846239250353294, 0.7999090908155381, 41.092206220303055, 0.16281888364889138,
			0.004834515179780649, 0.0800536946546438, 0.2676810481662567},
		{0.2, 1e-5, 200, 0.02, 0.02, 20000, 0.6, 2.5e-6, 4.708129715753563, 19764.593514212323,
			5.0089927674261255e-05, 0.6117914938471568, 71.82940242713738, 0.07902819627316542,
			5.008867319477973e-05, 0.04682673786608143, 12.878134035032236},
		{3, 1e-6, 2, 0.2, 0.2, 150, 0.2, 2.5e-7, 5.15770131219888, 124.2114934390056,
			0.007954764085822748, 0.4051414858184026, 9.104507754574183, 1.2845383921633093,
			0.007923208677371934, 0.5158664219034329, 14.93729654147717},
	} {
		alpha, r, ok := posterior.OrderBudget(
			c.epsilon, c.delta-c.failure, math.Hypot(c.mu1, c.mu2))
		require.True(t, ok)
		assert.InEpsilon(t, c.alpha, alpha, 0.02, "a flat maximum")
		assert.InEpsilon(t, c.renyi, r, 0.02)
		p := Plan{
			Dimension: 1, RowNorm: 1, EigenvalueRatio: c.mu1, RadiusRatio: c.mu2,
			OutputRatio: 0.001, Failure: c.failure, Order: c.alpha, Renyi: c.renyi, Reach: 1,
		}
		first, err := p.EigenvalueMargin()
		require.NoError(t, err)
		assert.InEpsilon(t, c.margin, first.Width()/first.Sigma(), 1e-6)
		assert.InEpsilon(t, c.low, first.Lower(c.eigenvalue), 0.01)
		choice, ok := p.Choose(c.lambda, c.low)
		require.True(t, ok)
		assert.InEpsilon(t, c.x, choice.Leverage, 1e-8)
		assert.InEpsilon(t, c.a, choice.Shift, 1e-8)
		assert.InEpsilon(t, c.moves, choice.Moves, 1e-8)
		second, err := p.RadiusMargin(choice)
		require.NoError(t, err)
		assert.InEpsilon(t, c.high, second.Upper(c.radius), 0.01)
		gamma, _ := p.Then(choice, second, c.radius)
		assert.LessOrEqual(t, gamma, c.gamma)
		assert.InEpsilon(t, c.gamma, gamma, 0.02)
	}
}

// The plan costs what was asked for, and hardly less.
func TestThePlanIsCalibrated(t *testing.T) {
	for _, g := range [][2]float64{{0.1, 1e-6}, {1, 1e-6}, {1, 1e-5}, {10, 1e-9}} {
		p := planOf(t, g[0], g[1], 5)
		event, err := p.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		assert.Equal(t, account.Renyi, price.Method)
		epsilon, err := price.EpsilonUpper(g[1])
		require.NoError(t, err)
		assert.LessOrEqual(t, epsilon, g[0])
		assert.InEpsilon(t, g[0], epsilon, 1e-5)
	}
}

// The statistics of a problem, against a plain computation.
func TestStatistics(t *testing.T) {
	for _, p := range []learn.Problem{
		problemOf(learntest.Clinic()),
		{Data: learntest.Dense(problemOf(learntest.Clinic()).Data), Loss: glm.Squared{}},
	} {
		norm := p.Data.Schema.RowNorm()
		least, err := leastEigenvalue(p, norm)
		require.NoError(t, err)
		h, v := learntest.Moments(p.Data)
		// det(XᵀX − sI) = 0, by its cubic in plain terms.
		det := func(s float64) float64 {
			a, b, c := h.Row(0)[0]-s, h.Row(1)[1]-s, h.Row(2)[2]-s
			d, e, f := h.Row(1)[0], h.Row(2)[0], h.Row(2)[1]
			return a*(b*c-f*f) - d*(d*c-f*e) + e*(d*f-b*e)
		}
		assert.Less(t, det(least*1.0001)*det(least*0.9999), 0.0)
		for _, lambda := range []float64{0.1, 5} {
			got, err := logRadius(t.Context(), p, norm, lambda)
			require.NoError(t, err)
			m := solve.NewPacked(3)
			m.Set(h)
			m.AddDiagonal(lambda)
			require.True(t, m.Factorize())
			theta := append([]float64(nil), v...)
			m.SolveFactorized(theta)
			assert.InDelta(t, math.Log1p(norm*learntest.Length(theta)), got, 1e-5)
		}
	}
}

// Of many samples the mean is θ_λ and the covariance (γH)⁻¹, to six standard errors.
func TestSamplesHaveTheLawOfThePosterior(t *testing.T) {
	p := problemOf(learntest.Clinic())
	norm := p.Data.Schema.RowNorm()
	const lambda, gamma, runs = 3.0, 0.7, 4000
	out := adaptive.SamplePrecision(norm, lambda, gamma, 2, 0.01)
	h, v := learntest.Moments(p.Data)
	h.AddDiagonal(lambda)
	require.True(t, h.Factorize())
	h.SolveFactorized(v)
	source := randomtest.New(5)
	var mean [3]float64
	var square [3][3]float64
	for range runs {
		theta, _, err := draw(t.Context(), p, norm, lambda, gamma, out, source)
		require.NoError(t, err)
		for j := range 3 {
			mean[j] += (theta[j] - v[j]) / runs
			for k := range 3 {
				square[j][k] += (theta[j] - v[j]) * (theta[k] - v[k]) / runs
			}
		}
	}
	for j := range 3 {
		column := make([]float64, 3)
		column[j] = 1 / gamma
		h.SolveFactorized(column)
		assert.InDelta(t, 0, mean[j], 6*math.Sqrt(column[j]/runs))
		for k := range 3 {
			other := make([]float64, 3)
			other[k] = 1 / gamma
			h.SolveFactorized(other)
			deviation := math.Sqrt((column[j]*other[k] + column[k]*column[k]) / runs)
			assert.InDelta(t, column[k], square[j][k], 6*deviation)
		}
	}
}

// What is released says how it came about, and nothing else passes for it.
func TestWhatIsToldIsChecked(t *testing.T) {
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 2)
	model, told, diagnostics, err := Fit(t.Context(), p, plan, randomtest.New(3), nil)
	require.NoError(t, err)
	assert.Equal(t, 300, diagnostics.Rows)
	assert.True(t, told.Check(plan, model.Coefficients))
	for name, spoil := range map[string]func(*Told){
		"eigenvalue": func(t *Told) { t.Eigenvalue += 100 },
		"radius":     func(t *Told) { t.LogRadius += 0.5 },
		"lambda":     func(t *Told) { t.Lambda /= 2 },
		"gamma":      func(t *Told) { t.Gamma *= 2 },
		"sigma":      func(t *Told) { t.SigmaOut /= 2 },
		"grid":       func(t *Told) { t.Grid *= 2 },
	} {
		other := told
		spoil(&other)
		assert.False(t, other.Check(plan, model.Coefficients), name)
	}
	off := append([]float64(nil), model.Coefficients...)
	off[1] += told.Grid / 2
	assert.False(t, told.Check(plan, off))
	assert.False(t, told.Check(plan, off[:2]))
	assert.False(t, told.Check(Plan{}, off))
}

// With ε in abundance it is ridge regression.
func TestWithLittleNoiseItIsRidgeRegression(t *testing.T) {
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1e4)
	model, told, _, err := Fit(t.Context(), p, plan, randomtest.New(1), nil)
	require.NoError(t, err)
	solved, err := solution(
		t.Context(), p, plan.RowNorm, told.Lambda, 1e-6, p.Data.Y, nil)
	require.NoError(t, err)
	for j, want := range solved.Theta {
		assert.InDelta(t, want, model.Coefficients[j], 0.05)
	}
}

// No table is refused for what it holds: none, few records, columns that are copies or all 0.
func TestDegenerateTables(t *testing.T) {
	for name, p := range learntest.Degenerate() {
		p = problemOf(p)
		for _, epsilon := range []float64{0.1, 5} {
			plan := planFor(t, p, epsilon)
			model, told, _, err := Fit(t.Context(), p, plan, randomtest.New(2), nil)
			require.NoError(t, err, name)
			learntest.RequireFinite(t, model.Coefficients, p.Dimension(), name)
			assert.True(t, told.Check(plan, model.Coefficients), name)
		}
	}
}

func TestFitIsDeterminedByItsSource(t *testing.T) {
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1)
	fit := func(problem learn.Problem, source random.Source) ([]float64, error) {
		model, _, _, err := Fit(t.Context(), problem, plan, source, nil)
		return model.Coefficients, err
	}
	a, err := fit(p, randomtest.New(4))
	require.NoError(t, err)
	b, err := fit(p, randomtest.New(4))
	require.NoError(t, err)
	assert.Equal(t, a, b)
	for words := range 6 {
		_, err = fit(p, &randomtest.Script{Words: make([]uint64, words)})
		assert.ErrorIs(t, err, randomtest.ErrExhausted)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err = Fit(ctx, p, plan, randomtest.New(4), nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestQuestionsThatHaveNoAnswer(t *testing.T) {
	good := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-6}
	for field, ask := range map[string]func() error{
		"adjacency": func() error {
			g := good
			g.Adjacency = privacy.ReplaceOne
			_, err := NewPlan(g, 3, 1)
			return err
		},
		"dimension": func() error { _, err := NewPlan(good, 201, 1); return err },
		"row_norm":  func() error { _, err := NewPlan(good, 3, 0); return err },
	} {
		var wrong *privacy.ParameterError
		require.ErrorAs(t, ask(), &wrong, field)
		assert.Equal(t, field, wrong.Field)
	}
	p := problemOf(learntest.Clinic())
	plan := planFor(t, p, 1)
	for _, other := range []learn.Problem{
		learntest.Clinic(), {Data: p.Data, Loss: glm.Logistic{}}, {Data: p.Data},
	} {
		_, _, _, err := Fit(t.Context(), other, plan, &randomtest.Script{}, nil)
		assert.Error(t, err)
		assert.False(t, errors.Is(err, randomtest.ErrExhausted), "before any noise")
	}
	small := plan
	small.RowNorm /= 2
	_, _, _, err := Fit(t.Context(), p, small, &randomtest.Script{}, nil)
	assert.Error(t, err)
}

func planFor(t testing.TB, p learn.Problem, epsilon float64) Plan {
	t.Helper()
	plan, err := NewPlan(
		privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5},
		p.Dimension(), p.Data.Schema.RowNorm())
	require.NoError(t, err)
	return plan
}
