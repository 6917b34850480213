package report

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/solve"
)

// Matrices are sums of squares, with noise: no draw of it takes one far below nothing in any
// direction. Scores that were made up so would leave coefficients with smaller standard errors
// than any records do.
func TestMatricesFarBelowNothingAreRefused(t *testing.T) {
	release, honest, _ := reportOf(t, Plan{Hessian: 5, Scores: 5, Rest: true})
	m, err := MechanismOf(release)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		of     func(*Published) *solve.Packed
		change func(p *solve.Packed, far float64)
	}{
		"hessian": {
			func(p *Published) *solve.Packed { return p.Hessian },
			func(p *solve.Packed, far float64) { p.Row(0)[0] = -far },
		},
		"hessian.rest": {
			func(p *Published) *solve.Packed { return p.Rest },
			func(p *solve.Packed, far float64) { p.Row(1)[0] = far }, // along the diagonals between
		},
		"scores": {
			func(p *Published) *solve.Packed { return p.Scores },
			func(p *solve.Packed, far float64) {
				for i := range p.N {
					p.Row(i)[i] = -far
				}
			},
		},
	} {
		forged := honest.Published
		for _, matrix := range []**solve.Packed{&forged.Hessian, &forged.Rest, &forged.Scores} {
			*matrix = &solve.Packed{N: (*matrix).N, At: slices.Clone((*matrix).At)}
		}
		require.NoError(t, forged.check(m), name)
		c.change(c.of(&forged), 0x1p14)
		r := *honest
		r.Published = forged
		text, err := r.Marshal(release)
		require.NoError(t, err, name)
		_, err = Parse(text, release)
		var wrong *privacy.ParameterError
		if assert.ErrorAs(t, err, &wrong, name) {
			assert.Equal(t, name, wrong.Field)
		}
	}
}

// The least eigenvalue is one of the Hessian that was released too, with noise. One that the
// Hessian leaves no room for would bound everybody's leverage by next to nothing; its diagonal
// elements are all far above.
func TestALeastEigenvalueIsThatOfTheHessian(t *testing.T) {
	release, honest, _ := reportOf(t, Plan{Hessian: 5, Least: 5})
	m, err := MechanismOf(release)
	require.NoError(t, err)
	for _, c := range []struct {
		beside, least float64 // of the Hessian beside its diagonal, and as it is said to be
		refused       bool
	}{
		{0, m.Lambda + 0x1p14, false},
		{0x1p14, m.Lambda + 0x1p14, true}, // 0 along the diagonal between two columns
		{0x1p14, m.Lambda, false},
		{0, m.Lambda, true},
	} {
		forged := honest.Published
		forged.Hessian = solve.NewPacked(forged.Hessian.N)
		forged.Hessian.AddDiagonal(0x1p14)
		copy(forged.Hessian.Row(1), []float64{c.beside})
		// Each record has one column, and most the intercept alone.
		last := forged.Hessian.N - 1
		kappa := m.Schema.Intercept
		for j := range last {
			forged.Hessian.Row(last)[j] = kappa * 0x1p14
		}
		forged.Hessian.Row(last)[last] = kappa * kappa * 0x1p21 * float64(last)
		noise := 1.0 // so that not all are next to nothing
		for k, v := range forged.Hessian.At {
			if noise++; v == 0 {
				forged.Hessian.At[k] = noise
			}
		}
		grid := gridOf(forged.Plan.Least)
		forged.Least = math.Round(c.least/grid) * grid
		r := *honest
		r.Published = forged
		text, err := r.Marshal(release)
		require.NoError(t, err)
		_, err = Parse(text, release)
		if !c.refused {
			assert.NoError(t, err, "%+v", c)
			continue
		}
		var wrong *privacy.ParameterError
		if assert.ErrorAs(t, err, &wrong, "%+v", c) {
			assert.Equal(t, "least", wrong.Field)
		}
	}
}
