package learn_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/adaptive"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

const toldStep = 0x1p-12 // a multiple of every lattice here

// testedSample is a plan with the guarantee for the schema's columns, and what came of it.
func testedSample(t testing.TB, s *data.Schema) (adaptive.Sample, learn.TestedSample) {
	t.Helper()
	p := adaptive.Sample{
		Dimension: s.Dimension(), RowNorm: s.RowNorm(), EigenvalueRatio: 0.05, RadiusRatio: 0.06,
		OutputRatio: 0.002, Failure: 2.5e-6, Order: 15, Reach: 1 / s.RowNorm(),
	}
	low, high := 0.0, 1.0
	for high-low > 1e-9 {
		p.Renyi = low + (high-low)/2
		event, err := p.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Renyi, pld.Options{})
		require.NoError(t, err)
		if epsilon, err := price.EpsilonUpper(guarantee.Delta); err == nil &&
			epsilon <= guarantee.Epsilon {
			low = p.Renyi
		} else {
			high = p.Renyi
		}
	}
	p.Renyi = low
	told := adaptive.SampleTold{Eigenvalue: 2000, LogRadius: 1.6875} // ‖θ‖ is 3.3
	c, second, err := p.After(told.Eigenvalue)
	require.NoError(t, err)
	told.Lambda = c.Lambda
	gamma, out := p.Then(c, second, told.LogRadius)
	told.Gamma, told.SigmaOut, told.Grid = gamma, out.Sigma, out.Grid
	return p, learn.TestedSample{SampleTold: told}
}

func testedCurvature(t testing.TB, s *data.Schema) (adaptive.Curvature, learn.TestedCurvature) {
	t.Helper()
	p := adaptive.Curvature{
		Adjacency: privacy.AddRemove, Dimension: s.Dimension(), RowNorm: s.RowNorm(), Lambda: 8,
		Failure: guarantee.Delta / 4,
	}
	sigma, err := calibrate.Gaussian(
		guarantee.Epsilon, (guarantee.Delta-p.Failure)*(1-0x1p-40), 1)
	require.NoError(t, err)
	p.CurvatureRatio, p.OutputRatio = 0.6/sigma*(1-0x1p-30), 0.8/sigma*(1-0x1p-30)
	margin, err := p.Margin()
	require.NoError(t, err)
	told := adaptive.CurvatureTold{Curvature: 400, Lambda: p.Lambda}
	told.Sigma, told.Grid = p.Then(margin, told.Curvature)
	return p, learn.TestedCurvature{CurvatureTold: told}
}

// toldKinds are the kinds of release whose noise tests chose.
func toldKinds() []kind {
	return []kind{
		{
			"tested sample", func(t testing.TB) *data.Schema { return labelled(t, aNumber) },
			glm.Squared{}, math.Inf(1), 0, toldStep,
			func(t testing.TB, s *data.Schema) privacy.Event {
				plan, _ := testedSample(t, s)
				event, err := plan.Event()
				require.NoError(t, err)
				return event
			},
			5, false,
		},
		{
			"tested curvature", func(t testing.TB) *data.Schema { return schema(t, "public") },
			glm.Logistic{}, math.Inf(1), 0, toldStep,
			func(t testing.TB, s *data.Schema) privacy.Event {
				plan, _ := testedCurvature(t, s)
				event, err := plan.Event()
				require.NoError(t, err)
				return event
			},
			5, false,
		},
	}
}

// toldOf is what a release of the kind says besides its coefficients; nil for nothing.
func toldOf(t testing.TB, k kind, s *data.Schema) learn.Told {
	switch k.name {
	case "tested sample":
		_, told := testedSample(t, s)
		return told
	case "tested curvature":
		_, told := testedCurvature(t, s)
		return told
	}
	return nil
}

// A sample without a test says for how many records it is, which is public where one is replaced.
// Each number of it, changed, is found; and under add/remove there is no such release.
func TestASampleWithoutATestIsForReplacedRecords(t *testing.T) {
	s := labelled(t, aNumber)
	g := guarantee
	g.Adjacency = privacy.ReplaceOne
	plan := adaptive.Fixed{
		Adjacency: g.Adjacency, Dimension: s.Dimension(), RowNorm: s.RowNorm(), Records: 500,
		Lambda: 60, Epsilon: 0.99, Delta: 0.9e-5, OutputRatio: 1e-3,
	}
	out := plan.Precision(plan.Gamma())
	told := adaptive.FixedTold{
		Records: 500, Lambda: 60, Gamma: plan.Gamma(), SigmaOut: out.Sigma, Grid: out.Grid,
	}
	event, err := plan.Event()
	require.NoError(t, err)
	release := func(told adaptive.FixedTold, event privacy.Event, g privacy.Guarantee) error {
		theta := make([]float64, s.Dimension())
		for j := range theta {
			theta[j] = toldStep * float64(100*j-157)
		}
		model := learn.NewModel(learn.Problem{
			Data: &data.Dataset{Schema: s}, Loss: glm.Squared{},
		}, math.Inf(1), theta)
		model.Told = learn.FixedSample{FixedTold: told}
		r, err := learn.NewRelease(event, g, objective.BoundAuto, model)
		if err != nil {
			return err
		}
		text, err := r.MarshalJSON()
		require.NoError(t, err)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err)
		assert.Equal(t, r, again)
		return nil
	}
	require.NoError(t, release(told, event, g))
	for name, spoil := range map[string]func(*adaptive.FixedTold){
		"more records":        func(t *adaptive.FixedTold) { t.Records++ },
		"fewer":               func(t *adaptive.FixedTold) { t.Records-- },
		"none":                func(t *adaptive.FixedTold) { t.Records = 0 },
		"another lambda":      func(t *adaptive.FixedTold) { t.Lambda *= 1.01 },
		"one below its floor": func(t *adaptive.FixedTold) { t.Lambda = 0.1 },
		"less noise":          func(t *adaptive.FixedTold) { t.Gamma *= 1.01 },
		"more":                func(t *adaptive.FixedTold) { t.Gamma /= 1.01 },
		"no number":           func(t *adaptive.FixedTold) { t.Gamma = math.NaN() },
		"a finer lattice":     func(t *adaptive.FixedTold) { t.Grid /= 2 },
		"less of its noise":   func(t *adaptive.FixedTold) { t.SigmaOut /= 2 },
	} {
		other := told
		spoil(&other)
		assert.Error(t, release(other, event, g), name)
	}

	// One record alone gives no coefficients like these. With noise for one they are too long.
	one := plan
	one.Records = 1
	out = one.Precision(one.Gamma())
	few := adaptive.FixedTold{
		Records: 1, Lambda: 60, Gamma: one.Gamma(), SigmaOut: out.Sigma, Grid: out.Grid,
	}
	theta := make([]float64, s.Dimension())
	for j := range theta {
		theta[j] = 15 + float64(j)
	}
	model := learn.NewModel(learn.Problem{
		Data: &data.Dataset{Schema: s}, Loss: glm.Squared{},
	}, math.Inf(1), theta)
	var claim *learn.ClaimError
	for _, c := range []struct {
		told  adaptive.FixedTold
		claim string
	}{{told, ""}, {few, "reach"}} {
		model.Told = learn.FixedSample{FixedTold: c.told}
		_, err = learn.NewRelease(event, g, objective.BoundAuto, model)
		if c.claim == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorAs(t, err, &claim)
		assert.Equal(t, c.claim, claim.Finding.Claim)
	}
	plan.Adjacency = privacy.AddRemove
	among, err := plan.Event()
	require.NoError(t, err)
	told.Gamma = plan.Gamma()
	told.SigmaOut = plan.Precision(told.Gamma).Sigma
	told.Grid = plan.Precision(told.Gamma).Grid
	require.ErrorAs(t, release(told, among, guarantee), &claim)
	assert.Equal(t, "told", claim.Finding.Claim)
}

// Noise that is said to be far larger than it was makes ε next to nothing. Coefficients that
// were not drawn with it are too short for it; and coefficients that no records give are too long.
func TestCoefficientsOfATestedFitAreAsLongAsItsNoise(t *testing.T) {
	for _, name := range []string{"tested sample", "tested curvature"} {
		r := named(t, name)
		for _, c := range []struct {
			claim  string
			factor float64
		}{{"noise", 0}, {"reach", 0x1p32}} {
			far := *r
			far.Model.Coefficients = append([]float64(nil), r.Model.Coefficients...)
			for j := range far.Model.Coefficients {
				far.Model.Coefficients[j] *= c.factor
			}
			f, ok := finding(&far, c.claim)
			require.True(t, ok)
			assert.False(t, f.True, "%s: %s", name, c.claim)
			f, ok = finding(r, c.claim)
			require.True(t, ok)
			assert.True(t, f.True, "%s: %s", name, c.claim)
		}
	}
}

// What a test chose is of one kind of model, and nothing else beside it.
func TestToldIsOfItsKindOfModelAlone(t *testing.T) {
	_, sample := testedSample(t, labelled(t, aNumber))
	_, curvature := testedCurvature(t, schema(t, "public"))
	for name, told := range map[string]learn.Told{
		"approximate minima": curvature, "Huber": curvature, "regression": sample,
		"output perturbation": curvature, "moments": sample, "tested sample": curvature,
		"tested curvature": sample, "one against the rest": curvature,
	} {
		r := named(t, name)
		r.Model.Told = told
		_, failed := r.Verify().Failed()
		assert.True(t, failed, name)
	}
}

// Whoever makes up what the tests told chooses the noise, at the same ε: what no table gives is
// found, and so are coefficients that do not go with it.
func TestWhatNoTableTellsIsFoundOut(t *testing.T) {
	claim := func(r *learn.Release, told learn.Told, theta func(j int) float64) string {
		forged := *r
		forged.Model.Told = told
		forged.Model.Coefficients = append([]float64(nil), r.Model.Coefficients...)
		for j := range forged.Model.Coefficients {
			forged.Model.Coefficients[j] = toldStep * math.Round(theta(j)/toldStep)
		}
		return failed(&forged)
	}
	r := named(t, "tested sample")
	plan, ok := adaptive.SampleOf(r.Event, len(r.Model.Coefficients), r.Schema.RowNorm())
	require.True(t, ok)
	sample := func(eigenvalue, radius float64) learn.Told {
		c, second, err := plan.After(eigenvalue)
		require.NoError(t, err)
		gamma, out := plan.Then(c, second, radius)
		return learn.TestedSample{SampleTold: adaptive.SampleTold{
			Eigenvalue: eigenvalue, LogRadius: radius, Lambda: c.Lambda, Gamma: gamma,
			SigmaOut: out.Sigma, Grid: out.Grid,
		}}
	}
	some := func(j int) float64 { return 0.3 * float64(j+1) }
	long := func(j int) float64 { return 5 * float64(j+1) }
	assert.Empty(t, claim(r, sample(2000, 1), some))
	assert.Equal(t, "tests", claim(r, sample(2000, -1e6), some))
	assert.Equal(t, "tests", claim(r, sample(2000, 1), long))
	assert.Equal(t, "tests", claim(r, sample(-1e5, 1), some))

	r = named(t, "tested curvature")
	lambda := r.Model.Told.(learn.TestedCurvature).Lambda
	test, ok := adaptive.CurvatureOf(
		r.Event, len(r.Model.Coefficients), r.Schema.RowNorm(), lambda,
	)
	require.True(t, ok)
	margin, err := test.Margin()
	require.NoError(t, err)
	curvature := func(x float64) learn.Told {
		sigma, grid := test.Then(margin, x)
		return learn.TestedCurvature{CurvatureTold: adaptive.CurvatureTold{
			Curvature: x, Lambda: lambda, Sigma: sigma, Grid: grid,
		}}
	}
	assert.Empty(t, claim(r, curvature(adaptive.CurvatureReach*lambda), some))
	assert.Equal(t, "tests", claim(r, curvature(5*adaptive.CurvatureReach*lambda), some))
	assert.Equal(t, "tests", claim(r, curvature(-1e5), some))
}

// In a selection a test is priced by how often it is wrong at a neighbour, which no fit proves:
// whoever states such a number made it up, and chose the price with it.
func TestWhatIsSaidOfATestAtANeighbourIsFoundOut(t *testing.T) {
	for _, name := range []string{"tested sample", "tested curvature"} {
		r := named(t, name)
		e := r.Event.(privacy.ProposeTestRelease)
		score := privacy.PureDP{Adjacency: e.Neighbours(), Epsilon: 0.1}
		for _, stated := range []float64{1e-300, 1e-9} {
			e.Neighbour = stated
			r.Event = e
			assert.Equal(t, "mechanism", failed(r), name)
			r.Event = privacy.PoissonSelection{Mean: 1, Base: privacy.Composition{
				Adjacency: e.Neighbours(),
				Parts:     []privacy.Part{{Event: e, Count: 1}, {Event: score, Count: 1}},
			}}
			r.Guarantee.Method, r.Guarantee.Epsilon = account.Renyi, 2
			r.Guarantee.Theorem = learn.Theorem(account.Renyi, "")
			f, ok := finding(r, "guarantee")
			require.True(t, ok)
			assert.True(t, f.True, "by what is stated it is cheap")
			assert.Equal(t, "mechanism", failed(r), name)
		}
	}
}

// Where two features always have a category, or one beside the intercept of rows of one scale, the
// columns are dependent, and no table's smallest eigenvalue is above 0. One that is told makes the
// noise less, at the same ε.
func TestNoEigenvalueIsToldOfDependentColumns(t *testing.T) {
	for _, c := range []struct {
		name    string
		certain int
		norm    data.Norm
		claim   string
	}{
		{"tested sample", 0, data.Clip, ""}, {"tested sample", 0, data.Scale, ""},
		{"tested sample", 1, data.Clip, ""}, {"tested sample", 1, data.Scale, "tests"},
		{"tested sample", 2, data.Clip, "tests"}, {"tested sample", 2, data.Unit, "tests"},
		{"tested curvature", 1, data.Unit, ""}, {"tested curvature", 1, data.Scale, "tests"},
		{"tested curvature", 2, data.Unit, "tests"},
	} {
		for _, k := range toldKinds() {
			if k.name != c.name {
				continue
			}
			s := *k.schema(t)
			s.Rows.Norm = c.norm
			s.Features = slices.Clone(s.Features[:1])
			for n := range 2 {
				f := data.Feature{
					Name: "room " + strconv.Itoa(n), Type: data.Categorical,
					Categories: []string{"a", "b"}, Provenance: data.Public,
				}
				if n >= c.certain {
					f.Unknown.Action = data.UseZero
				}
				s.Features = append(s.Features, f)
			}
			theta := []float64{-1.5, -0.5, 0.5, 1, 2, 2.5}
			model := learn.NewModel(
				learn.Problem{Data: &data.Dataset{Schema: &s}, Loss: k.loss}, math.Inf(1), theta,
			)
			model.Told = toldOf(t, k, &s)
			if told, curvature := model.Told.(learn.TestedCurvature); curvature {
				plan, _ := testedCurvature(t, &s)
				margin, err := plan.Margin()
				require.NoError(t, err)
				told.Curvature = 1500 // far above the noise of the test
				told.Sigma, told.Grid = plan.Then(margin, told.Curvature)
				model.Told = told
			}
			_, err := learn.NewRelease(k.event(t, &s), guarantee, objective.BoundAuto, model)
			claim := ""
			if wrong, ok := err.(*learn.ClaimError); ok {
				claim = wrong.Finding.Claim
			} else {
				require.NoError(t, err)
			}
			assert.Equal(t, c.claim, claim, "%+v", c)
		}
	}
}

// What is solved for has nothing of the records where columns are dependent: coefficients that add
// up to much more there than noise leaves are those of something else, and those that do not may
// be as long.
func TestCoefficientsOfDependentColumnsAreNoise(t *testing.T) {
	for _, name := range []string{"approximate minima", "output perturbation", "tested curvature"} {
		for _, k := range kinds() {
			if k.name != name {
				continue
			}
			s := *k.schema(t)
			s.Features = slices.Clone(s.Features[:1])
			for n := range 2 {
				s.Features = append(s.Features, data.Feature{
					Name: "room " + strconv.Itoa(n), Type: data.Categorical,
					Categories: []string{"a", "b"}, Provenance: data.Public,
				})
			}
			event := k.event(t, &s)
			claim := func(x, y float64) string {
				model := learn.NewModel(learn.Problem{
					Data: &data.Dataset{Schema: &s}, Loss: k.loss,
				}, k.clip, []float64{1, x, x, y, y, 2})
				if minima, ok := event.(privacy.ApproximateMinima); ok {
					model.Clip = minima.Objective.Lipschitz
				}
				model.Lambda, model.Told = k.lambda, toldOf(t, k, &s)
				_, err := learn.NewRelease(event, guarantee, objective.BoundAuto, model)
				if wrong, ok := err.(*learn.ClaimError); ok {
					return wrong.Finding.Claim
				}
				require.NoError(t, err)
				return ""
			}
			x := 1.0
			for x < 0x1p30 && claim(x, -x) == "" {
				x *= 2
			}
			assert.Equal(t, "reach", claim(x, -x), name)
			assert.Empty(t, claim(x, x), name)
		}
	}
}
