package adaptive

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

func sample() Sample {
	return Sample{
		Dimension: 3, RowNorm: 1.1, EigenvalueRatio: 0.05, RadiusRatio: 0.06, OutputRatio: 0.002,
		Failure: 1e-6, Order: 15, Renyi: 0.2, Reach: 1,
	}
}

func fixed() Fixed {
	return Fixed{
		Adjacency: privacy.ReplaceOne, Dimension: 3, RowNorm: 1.1, Records: 500, Lambda: 50,
		Epsilon: 1, Delta: 1e-5, OutputRatio: 1e-3,
	}
}

func curvature() Curvature {
	return Curvature{
		Adjacency: privacy.AddRemove, Dimension: 3, RowNorm: 1.1, Lambda: 8,
		CurvatureRatio: 0.1, OutputRatio: 0.2, Failure: 1e-6,
	}
}

// A plan is read off its event, but for what no event says; and off no other event.
func TestPlansAreReadOffTheirEvents(t *testing.T) {
	event, err := sample().Event()
	require.NoError(t, err)
	got, ok := SampleOf(event, 3, 1.1)
	require.True(t, ok)
	want := sample()
	want.Reach = 1 / want.RowNorm
	assert.Equal(t, want, got)

	among, err := fixed().Event()
	require.NoError(t, err)
	plan, ok := FixedOf(among, 3, 1.1)
	require.True(t, ok)
	plan.Records, plan.Lambda = 500, 50
	assert.InEpsilon(t, fixed().OutputRatio, plan.OutputRatio, 1e-15)
	plan.OutputRatio = fixed().OutputRatio
	assert.Equal(t, fixed(), plan)

	tested, err := curvature().Event()
	require.NoError(t, err)
	back, ok := CurvatureOf(tested, 3, 1.1, 8)
	require.True(t, ok)
	assert.InEpsilon(t, 0.2, back.OutputRatio, 1e-15)
	assert.InEpsilon(t, 0.1, back.CurvatureRatio, 1e-15)

	for _, other := range []privacy.Event{
		nil, event.Test, event.Release, unit(1), among, tested, event,
		privacy.ProposeTestRelease{Test: unit(1), Release: event.Release, Failure: 1e-6},
		privacy.ProposeTestRelease{Test: event.Test, Release: event.Test, Failure: 1e-6},
	} {
		_, a := SampleOf(other, 3, 1.1)
		assert.Equal(t, assert.ObjectsAreEqual(other, event), a, "%+v", other)
		_, b := FixedOf(other, 3, 1.1)
		assert.Equal(t, assert.ObjectsAreEqual(other, among), b, "%+v", other)
		_, c := CurvatureOf(other, 3, 1.1, 8)
		assert.Equal(t, assert.ObjectsAreEqual(other, tested), c, "%+v", other)
	}
}

// What is out of range is named, and what is no number is out of range.
func TestFieldsOutOfRangeAreNamed(t *testing.T) {
	for field, spoil := range map[string]func(p *Sample){
		"dimension":        func(p *Sample) { p.Dimension = MaxDimension + 1 },
		"row_norm":         func(p *Sample) { p.RowNorm = math.NaN() },
		"reach":            func(p *Sample) { p.Reach = 0 },
		"eigenvalue_ratio": func(p *Sample) { p.EigenvalueRatio = 0 },
		"radius_ratio":     func(p *Sample) { p.RadiusRatio = math.Inf(1) },
		"output_ratio":     func(p *Sample) { p.OutputRatio = -1 },
		"failure":          func(p *Sample) { p.Failure = 1 },
		"order":            func(p *Sample) { p.Order = 1 },
		"renyi":            func(p *Sample) { p.Renyi = math.NaN() },
	} {
		p := sample()
		spoil(&p)
		_, err := p.Event()
		named(t, field, err)
	}
	for field, spoil := range map[string]func(p *Fixed){
		"adjacency": func(p *Fixed) { p.Adjacency = privacy.Adjacency(0) },
		"records":   func(p *Fixed) { p.Records = 0 },
		"lambda":    func(p *Fixed) { p.Lambda = 2 },
		"epsilon":   func(p *Fixed) { p.Epsilon = math.NaN() },
		"delta":     func(p *Fixed) { p.Delta = 0 },
	} {
		p := fixed()
		spoil(&p)
		_, err := p.Event()
		named(t, field, err)
	}
	for field, spoil := range map[string]func(p *Curvature){
		"adjacency":       func(p *Curvature) { p.Adjacency = privacy.Adjacency(0) },
		"lambda":          func(p *Curvature) { p.Lambda = LeastLambda },
		"curvature_ratio": func(p *Curvature) { p.CurvatureRatio = math.NaN() },
		"failure":         func(p *Curvature) { p.Failure = 0.5 },
	} {
		p := curvature()
		spoil(&p)
		_, err := p.Event()
		named(t, field, err)
	}
}

func named(t *testing.T, field string, err error) {
	t.Helper()
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong, field)
	assert.Equal(t, field, wrong.Field)
}

// A λ that the plan's order does not allow, and noisy numbers that are none, follow from nothing.
func TestWhatFollowsFromNothing(t *testing.T) {
	p := sample()
	told := SampleTold{Eigenvalue: 2000, LogRadius: 0.4}
	c, second, err := p.After(told.Eigenvalue)
	require.NoError(t, err)
	gamma, out := p.Then(c, second, told.LogRadius)
	told.Lambda, told.Gamma, told.SigmaOut, told.Grid = c.Lambda, gamma, out.Sigma, out.Grid
	theta := []float64{0, 1, -2}
	require.True(t, told.Check(p, theta))
	for name, spoil := range map[string]func(t *SampleTold){
		"no eigenvalue":        func(t *SampleTold) { t.Eigenvalue = math.NaN() },
		"an endless one":       func(t *SampleTold) { t.Eigenvalue = math.Inf(1) },
		"no radius":            func(t *SampleTold) { t.LogRadius = math.NaN() },
		"an endless radius":    func(t *SampleTold) { t.LogRadius = math.Inf(1) },
		"λ too small":          func(t *SampleTold) { t.Lambda = 1e-6 },
		"λ below 0":            func(t *SampleTold) { t.Lambda = -t.Lambda },
		"no noise to speak of": func(t *SampleTold) { t.Gamma = 1e300 },
	} {
		other := told
		spoil(&other)
		assert.False(t, other.Check(p, theta), name)
	}
	assert.False(t, told.Check(p, []float64{0, 1, out.Grid / 3}))
	assert.False(t, told.Check(p, []float64{0, 1, math.Inf(1)}))
	assert.False(t, told.Check(p, theta[:2]))
}

// Tests tell of eigenvalues and radii that tables have, with what their noise adds, and of no
// others: who makes them up chooses the noise of the coefficients.
func TestWhatNoTableTellsIsImpossible(t *testing.T) {
	const records = 1e4
	p := sample()
	p.EigenvalueRatio = 1 // σ is R²
	onLattice := func(x float64) float64 { return math.Round(x*0x1p16) / 0x1p16 }
	told := func(eigenvalue, radius float64) SampleTold {
		eigenvalue, radius = onLattice(eigenvalue), onLattice(radius)
		c, second, err := p.After(eigenvalue)
		require.NoError(t, err)
		gamma, out := p.Then(c, second, radius)
		return SampleTold{eigenvalue, radius, c.Lambda, gamma, out.Sigma, out.Grid}
	}
	most := records * p.RowNorm * p.RowNorm / 3
	theta := []float64{2, -1, 0.5}
	radius := math.Log1p(p.RowNorm * math.Sqrt(5.25))
	for _, c := range []struct {
		name               string
		eigenvalue, radius float64
		possible           bool
	}{
		{"honest", 2000, radius, true},
		{"at its most", most, radius, true},
		{"above it by noise", most + 30*p.RowNorm*p.RowNorm, radius, true},
		{"more than records have", most + 50*p.RowNorm*p.RowNorm, radius, false},
		{"below 0 by noise", -30 * p.RowNorm * p.RowNorm, radius, true},
		{"far below 0", -60 * p.RowNorm * p.RowNorm, radius, false},
		{"no radius at all", 2000, -5, false},
		{"less than is drawn from it", 2000, 0, false},
		{"more than is drawn from it", 2000, 5 * radius, false},
	} {
		to := told(c.eigenvalue, c.radius)
		require.True(t, to.Check(p, []float64{0, 0, 0}), c.name)
		assert.Equal(t, c.possible, to.Possible(p, theta, records, math.Inf(1)), c.name)
	}
	assert.True(t, told(2000, 0).Possible(p, []float64{0, 0, 0}, records, math.Inf(1)))
	assert.Equal(t, 50.0, LongestSolution(1, 1, 1e4))
	assert.Equal(t, 0.1, LongestSolution(1, 1e5, 1e4))

	q := curvature()
	q.CurvatureRatio = 1
	square := q.RowNorm * q.RowNorm
	for _, c := range []struct {
		name      string
		curvature float64
		records   float64
		possible  bool
	}{
		{"honest", 100, records, true},
		{"as far as is told", CurvatureReach * q.Lambda, 1e7, true},
		{"by noise further", CurvatureReach*q.Lambda + 45*square, 1e7, true},
		{"further than is told", CurvatureReach*q.Lambda + 60*square, 1e7, false},
		{"more than so few records have", 25*square/3 + 60*square, 100, false},
		{"far below 0", -60 * square, records, false},
		{"no number", math.NaN(), records, false},
	} {
		to := CurvatureTold{Curvature: onLattice(c.curvature), Lambda: q.Lambda}
		assert.Equal(t, c.possible, to.Possible(q, c.records, math.Inf(1)), c.name)
	}
}

// γ is held to what the plan pays for, to the last digits: a part in 10^11 more of it costs more
// than is stated. Those of another machine's rounding have room.
func TestNoSharperSampleIsToldThanIsPaidFor(t *testing.T) {
	theta := []float64{0, 0, 0}
	for k := range 40 {
		p := sample()
		p.Order, p.Renyi = 2+float64(k), 0.05+0.01*float64(k)
		eigenvalue, radius := 100*float64(k), 0.1*float64(k)
		c, second, err := p.After(eigenvalue)
		require.NoError(t, err)
		gamma, out := p.Then(c, second, radius)

		f := fixed()
		f.Epsilon, f.Lambda = 0.1+0.1*float64(k), 100+20*float64(k)
		own := f.Gamma()
		precision := f.Precision(own)
		for more, believed := range map[float64]bool{
			-0x1p-50: true, 0: true, 0x1p-50: true, 1e-11: false, 9e-10: false, -9e-10: true,
		} {
			told := SampleTold{
				eigenvalue, radius, c.Lambda, gamma * (1 + more), out.Sigma, out.Grid,
			}
			assert.Equal(t, believed, told.Check(p, theta), "%d: %g", k, more)
			fix := FixedTold{f.Records, f.Lambda, own * (1 + more), precision.Sigma, precision.Grid}
			assert.Equal(t, believed, fix.Check(f, theta), "%d: %g", k, more)
		}
	}
}
