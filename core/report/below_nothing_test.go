package report

import (
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
