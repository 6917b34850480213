package distance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// Golden values Q, ops_pipeline: the margin of half of δ′ = 2.5e-7, 2.5e-6 and 2.5e-9, in σ.
func TestGoldenMargins(t *testing.T) {
	for failure, want := range map[float64]float64{
		1.25e-7: 5.15770131219888, 1.25e-6: 4.708129715753563, 1.25e-9: 5.961456155913367,
	} {
		for _, ratio := range []float64{0.02, 0.2, 3} {
			for _, sensitivity := range []float64{1, 0.0037, 1e9} {
				m, err := NewMargin(sensitivity, ratio, failure)
				require.NoError(t, err)
				assert.InEpsilon(t, want, m.Width()/m.Sigma(), 1e-6)
				assert.Greater(t, m.Width()/m.Sigma(), want)
				assert.GreaterOrEqual(t, m.Sigma()*ratio, sensitivity)
				assert.InEpsilon(t, sensitivity, m.Sigma()*ratio, 1e-5)
				event := m.Event(privacy.AddRemove)
				require.NoError(t, event.Validate())
				assert.LessOrEqual(t, float64(event.Sensitivity)/event.Sigma, ratio)
				assert.Equal(t, failure, m.Failure())
			}
		}
	}
}

// A bound is wrong as often as δ′ says, no more and about that: false alarm 1e-6, by
// Hoeffding's inequality. With the margin taken for two-sided (2Φ(−m) = δ′) it would be half.
func TestBoundsAreWrongAsOftenAsSaid(t *testing.T) {
	const runs, failure = 60_000, 0.1
	slack := math.Sqrt(math.Log(2/1e-6) / (2 * runs))
	m, err := NewMargin(1, 0.3, failure)
	require.NoError(t, err)
	source := randomtest.New(9)
	for _, s := range []float64{0, 1e6 / 3.0, -17.123456789} {
		below, above := 0, 0
		for range runs {
			noisy, err := m.Run(source, s)
			require.NoError(t, err)
			if s < m.Lower(noisy) {
				below++
			}
			if s > m.Upper(noisy) {
				above++
			}
		}
		assert.InDelta(t, failure, float64(below)/runs, slack)
		assert.InDelta(t, failure, float64(above)/runs, slack)
	}
}

// The noisy number on neighbours against its price; with half the noise; and of a number that
// one record moves by two.
func TestAuditMargin(t *testing.T) {
	trial := func(ratio, s float64) audittest.Trial {
		m, err := NewMargin(1, ratio, 1e-3)
		require.NoError(t, err)
		return func(source random.Source) (float64, error) { return m.Run(source, s) }
	}
	m, err := NewMargin(1, 0.5, 1e-3)
	require.NoError(t, err)
	price, err := pld.Of(privacy.Gaussian{
		Adjacency: privacy.AddRemove, Sensitivity: m.ratio, Sigma: 1,
	}, pld.Options{})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			return curve.DeltaUpper(price, epsilon)
		},
		Epsilons:   audittest.Grid(2, 16),
		Thresholds: []float64{3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5},
		Runs:       audittest.Runs(20_000),
	}
	audit.Holds(t, "honest", trial(0.5, 5), trial(0.5, 6))
	audit.Catches(t, "noise halved", trial(1, 5), trial(1, 6))
	audit.Catches(t, "a number that moves by two", trial(0.5, 5), trial(0.5, 7))
}

func TestMarginsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		sensitivity, ratio, failure float64
		field                       string
	}{
		{0, 1, 1e-6, "sensitivity"}, {math.NaN(), 1, 1e-6, "sensitivity"},
		{math.Inf(1), 1, 1e-6, "sensitivity"}, {1, 0, 1e-6, "ratio"}, {1, 1e4, 1e-6, "ratio"},
		{1, math.NaN(), 1e-6, "ratio"}, {1, 1, 0, "failure"}, {1, 1, 0.6, "failure"},
	} {
		_, err := NewMargin(c.sensitivity, c.ratio, c.failure)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, "%+v", c)
		assert.Equal(t, c.field, bad.Field)
	}
	m, err := NewMargin(1, 1, 1e-6)
	require.NoError(t, err)
	_, err = m.Run(randomtest.New(1), math.NaN())
	assert.ErrorIs(t, err, ErrStatistic)
	_, err = m.Run(&randomtest.Script{}, 0)
	assert.ErrorIs(t, err, randomtest.ErrExhausted)
	for _, s := range []float64{math.Inf(1), math.Inf(-1), 1e300} {
		noisy, err := m.Run(randomtest.New(1), s)
		require.NoError(t, err)
		assert.False(t, math.IsInf(noisy, 0) || math.IsNaN(noisy))
		// It was moved to the lattice's end: there is no bound from that side.
		assert.Equal(t, s > 0, math.IsInf(m.Upper(noisy), 1))
		assert.Equal(t, s < 0, math.IsInf(m.Lower(noisy), -1))
	}
}

// What a margin gives out is possible for the number that it is of, also where that was moved to
// an end of the lattice; and for numbers that are 41 σ and more from it, it is not.
func TestWhatNoNumberGivesIsImpossible(t *testing.T) {
	m, err := NewMargin(1, 0.3, 1e-6)
	require.NoError(t, err)
	source, far := randomtest.New(4), math.Ceil(41*m.Sigma()/m.grid)*m.grid
	end := last * m.grid
	for _, s := range []float64{0, 1e6 / 3.0, -17.5, end, 3 * end, -1e300, math.Inf(1)} {
		for range 2000 {
			noisy, err := m.Run(source, s)
			require.NoError(t, err)
			require.True(t, m.Possible(noisy, s, s), "%v of %v", noisy, s)
			require.LessOrEqual(t, m.Surely(noisy), math.Max(s, -end))
		}
	}
	for _, c := range []struct{ noisy, least, most float64 }{
		{-far, 0, 5}, {5 + far, 0, 5}, {end + far, 0, math.Inf(1)}, {math.Inf(1), 0, 5},
		{math.Inf(-1), 0, 5}, {math.NaN(), 0, 5}, {2, math.NaN(), 5}, {2, 0, math.NaN()},
	} {
		assert.False(t, m.Possible(c.noisy, c.least, c.most), "%+v", c)
	}
	assert.True(t, m.Possible(-far, -2*m.Sigma(), 0))
	assert.False(t, m.Possible(2+m.grid/3, 0, 5), "bits that no noise hides")
	assert.True(t, m.Possible(5+far, 0, 5+2*m.Sigma()))
}
