package logscale

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/special"
)

// Golden values Q, soft_delta (mpmath, 30 digits): the larger of s = ±Δ, which is attained.
func TestReferenceQ(t *testing.T) {
	type one struct {
		ID, Kind string
		Params   struct{ Epsilon, Sensitivity, Sigma, K float64 }
		Expected struct {
			LogDelta float64 `json:"log_delta"`
		}
	}
	cases := golden.OfKind[one](t, "Q", "soft_delta")
	for _, c := range cases {
		p := c.Params
		r := Release{privacy.AddRemove, p.Sensitivity, p.Sigma, p.K}
		got := r.LogDeltaUpper(p.Epsilon)
		assert.GreaterOrEqual(t, got, c.Expected.LogDelta-1e-12, c.ID)
		assert.InDelta(t, c.Expected.LogDelta, got, 1e-7, "%s %+v", c.ID, p)
	}
	assert.Len(t, cases, 11)
}

// A second derivation, from the two laws alone: with one number for θ, as far apart as is
// allowed, H = E[(1 − e^ε q/p)₊] over draws from X. Of 60,000 draws it is right to 5 of its
// own standard errors. No s between is worse than the ends, of which −Δ is the worse for small
// ε and Δ for large.
func TestReleaseByTheTwoLaws(t *testing.T) {
	r, runs := Release{privacy.AddRemove, 0.2, 0.5, 4}, 60_000.0
	if testing.Short() {
		runs = 10_000
	}
	for epsilon, worst := range map[float64]float64{0: -0.2, 0.3: 0.2, 1: 0.2} {
		claim := math.Exp(r.LogDeltaUpper(epsilon))
		for _, s := range []float64{-0.2, 0.05, 0.2} {
			source := randomtest.New(7)
			mean, square := 0.0, 0.0
			for range int(runs) {
				v, w := normal(t, source), normal(t, source)
				scale := r.Factor * math.Exp(r.Sigma*v) // in units of e^f
				// y − f = σv, θ − θ(X) = scale·w; under X′ they are about s and 1.
				a, b := (r.Sigma*v-s)/r.Sigma, (scale*w-1)/scale
				ratio := math.Exp((v*v+w*w-a*a-b*b)/2 + epsilon)
				x := math.Max(0, 1-ratio)
				mean += x / runs
				square += x * x / runs
			}
			deviation := math.Sqrt((square - mean*mean) / runs)
			assert.Less(t, mean, claim+5*deviation, "s = %g, ε = %g", s, epsilon)
			if s == worst {
				assert.InDelta(t, claim, mean, 5*deviation, "it is attained")
			}
		}
	}
}

func normal(t *testing.T, source *randomtest.Seeded) float64 {
	t.Helper()
	uniform := func() float64 {
		word, err := source.Uint64()
		require.NoError(t, err)
		return (float64(word>>11) + 0.5) / (1 << 53)
	}
	return math.Sqrt(-2*math.Log(uniform())) * math.Cos(2*math.Pi*uniform())
}

// With next to nothing to say of the logarithm it is a Gaussian mechanism of ratio 1/k.
func TestALogarithmThatHardlyMovesCostsNothing(t *testing.T) {
	nativetest.Only(t)
	r := Release{privacy.ReplaceOne, 1e-9, 1e-3, 5}
	for _, epsilon := range []float64{0.1, 1} {
		want := objective.GaussianLogDeltaUpper(epsilon, 0.2)
		assert.InDelta(t, want, r.LogDeltaUpper(epsilon), 2e-2)
		assert.Greater(t, r.LogDeltaUpper(epsilon), want)
	}
	assert.Equal(t, privacy.ReplaceOne, r.Adjacency())
}

// More sensitivity, less noise and a smaller ε never cost less, and there is an ε to a δ.
func TestReleaseIsMonotone(t *testing.T) {
	nativetest.Only(t)
	for _, r := range []Release{
		{privacy.AddRemove, 0.1, 0.5, 8}, {privacy.AddRemove, 0.01, 0.1, 6},
	} {
		before := 0.0
		for _, epsilon := range []float64{-0.5, 0, 0.5, 2} {
			at := r.LogDeltaUpper(epsilon)
			assert.Less(t, at, before)
			before = at
			for _, worse := range []Release{
				{r.Neighbours, r.Sensitivity * 1.1, r.Sigma, r.Factor},
				{r.Neighbours, r.Sensitivity, r.Sigma, r.Factor / 1.1},
			} {
				assert.GreaterOrEqual(t, worse.LogDeltaUpper(epsilon), at-1e-12)
			}
		}
		epsilon, err := curve.EpsilonUpper(r, 1e-6)
		require.NoError(t, err)
		assert.InDelta(t, math.Log(1e-6), r.LogDeltaUpper(epsilon), 1e-6)
	}
	for _, bad := range []Release{
		{}, {privacy.AddRemove, math.NaN(), 1, 1}, {privacy.AddRemove, 1, 0, 1},
		{privacy.AddRemove, 1, 1, -1}, {privacy.AddRemove, math.Inf(1), 1, 1},
	} {
		assert.Zero(t, bad.LogDeltaUpper(1))
	}
	assert.Zero(t, Release{privacy.AddRemove, 1, 1, 1}.LogDeltaUpper(math.NaN()))
}

// What is ever left out is added: a vector without noise to speak of costs everything, and what
// lies beyond 37 standard deviations its probability.
func TestReleaseAtItsEnds(t *testing.T) {
	for _, factor := range []float64{1e-30, 1e-6} {
		assert.InDelta(t, 0, Release{privacy.AddRemove, 0.1, 1, factor}.LogDeltaUpper(1), 1e-9)
	}
	beyond := special.LogNormalSurvival(37) + math.Ln2
	hardly := Release{privacy.AddRemove, 1e-9, 1e-3, 1e6}.LogDeltaUpper(1)
	assert.GreaterOrEqual(t, hardly, beyond)
	assert.Less(t, hardly, beyond+1)
}

func BenchmarkRelease(b *testing.B) {
	for b.Loop() {
		Release{privacy.AddRemove, 0.05, 0.3, 3}.LogDeltaUpper(1)
	}
}
